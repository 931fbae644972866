"""Which media type an Accept header gets."""

import pytest

from kg.web.negotiation import GRAPHS, ROWS, preferred


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV ; Q=0.5", "text/csv"),
        ("application/sparql-results+json;q=0.8, application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/*", "text/xml"),
        ("text/*;q=0.5, text/csv;q=0.9", "text/csv"),
        ("*/*, application/sparql-results+json;q=0", "application/json"),
        ("application/json;charset=utf-8", "application/json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/xml"),
        ("image/png", None),
        ("text/csv;q=0", None),
        ("nonsense", None),
        ("text/csv;q=7", None),
        (", ,", None),
    ],
)
def test_the_preferred_form_of_rows(accept: str, chosen: str | None) -> None:
    assert preferred(accept, ROWS) == chosen


def test_a_header_of_many_parts_is_read_in_part() -> None:
    assert preferred(",".join(["image/png"] * 5_000 + ["text/csv"]), ROWS) is None


def test_the_same_name_may_stand_for_a_format_of_rows_and_one_of_graphs() -> None:
    assert (ROWS["application/json"], GRAPHS["application/json"]) == (
        "application/sparql-results+json",
        "application/ld+json",
    )
