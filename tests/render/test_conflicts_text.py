"""Groups of claims that disagree, on a screen."""

from dataclasses import fields, replace
from typing import Any

from kg.answers.conflicts import Conflicts, Group, Member, told_apart
from kg.answers.findings import Involved
from kg.render.conflicts_text import brief_lines


def stated(claim: str, printed: str, value: float, *, is_published: bool) -> Member:
    """A figure, all else unknown."""
    said: dict[str, Any] = dict.fromkeys(one.name for one in fields(Involved))
    said |= {"claim": claim, "printed": printed, "unit": "token/s", "canonical_value": value, "subject": "family/new"}
    return Member(Involved(**said | {"canonical_unit": "token/s", "modality": "stated"}), (), is_published)


def test_many_published_rows_are_told_by_their_range_next_to_the_figures_of_texts() -> None:
    members = (
        stated("100/rate", "7,000", 7000.0, is_published=False),
        *(stated(f"rows/{n}", f"{n}.25", n + 0.25, is_published=True) for n in range(2, 40)),
    )
    group = Group("f", "conflict.value", "info", "explained", "throughput", "They differ.", members, (), False)
    text = "\n".join(brief_lines(Conflicts(None, None, (), (group,), (), ()), [group]))
    assert "7,000 token/s; 38 published rows, 2.25 to 39.25 token/s" in " ".join(text.split())
    few = replace(group, members=members[:3])
    assert "2.25 token/s; 3.25 token/s" in "\n".join(brief_lines(Conflicts(None, None, (), (few,), (), ()), [few]))


def test_values_are_listed_by_size_with_those_of_texts_first_and_what_has_none_behind_them() -> None:
    def involved(claim: str, value: float | None, source: str = "source/text") -> Involved:
        return replace(stated(claim, "some", 0.0, is_published=False).claim, canonical_value=value, source=source)

    given = [
        involved("rows/a", 0.1, "source/rows"),
        involved("text/none", None),
        involved("text/b", 2.0),
        involved("text/c", 0.5),
        involved("text/zero", 0.0),
    ]
    found = [one.claim.claim for one in told_apart(given, {"source/rows"})]
    assert found == ["text/zero", "text/c", "text/b", "text/none", "rows/a"]
