"""The shipped claims against the texts they were read from, where these lie beside the checkout."""

from pathlib import Path
from typing import Any

import pytest

from kg.build.content_review import figures_left_over, texts_of
from kg.content.claims import read_claims
from kg.content.coverage import REASONS, Coverage, read_coverage_list
from kg.content.documents import Document
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.errors import KgError

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ROOT.parent / "shared" / "seeds"
REPORTS = ROOT.parent / "shared" / "data" / "reports"
REVIEWED = ("source/005", "source/006")
"""Curated by kg review, and not to their end: their coverage is not complete."""
SOURCES = [f"source/00{number}" for number in range(5)]
Json = Any


@pytest.fixture(scope="module")
def claims() -> list[Json]:
    content = find_content(ROOT)
    return read_claims(content, read_registry(content), read_vocabulary(content))


@pytest.fixture(scope="module")
def texts() -> dict[str, Document]:
    if not TEXTS.is_dir():
        pytest.skip("the documents do not lie beside the checkout, in ../shared/seeds")
    return texts_of(find_content(ROOT), TEXTS) | texts_of(find_content(ROOT), REPORTS)


@pytest.fixture(scope="module")
def coverage(texts: dict[str, Document]) -> dict[str, Coverage]:
    return {one.coverage.source: one.coverage for one in figures_left_over(find_content(ROOT), TEXTS)}


@pytest.mark.skipif(not REPORTS.is_dir(), reason="the reports lie beside the checkout, in ../shared/data")
def test_what_is_left_of_a_reviewed_report_is_shown_and_names_in_it_are_proposed() -> None:
    left = {one.coverage.source: one for one in figures_left_over(find_content(ROOT), REPORTS)}["source/005"]
    assert len(left.figures) == len(left.coverage.left_over) > 0
    assert all(one.text in one.words for one in left.figures)
    assert {"R1", "H800"} <= {one.example for one in left.patterns}


def test_all_texts_are_the_cited_snapshots(texts: dict[str, Document]) -> None:
    registry = read_registry(find_content(ROOT))
    assert {one["id"] for one in registry.sources() if one.get("sha256") in texts} == {*SOURCES, *REVIEWED}
    for source in (*SOURCES, *REVIEWED):
        record = registry.records[source]
        text = texts[record["sha256"]]
        assert (record["bytes"], record["code_points"]) == (text.bytes, len(text.text))


@pytest.mark.parametrize("source", SOURCES)
def test_no_numeral_of_a_table_is_left_over_and_few_of_the_prose(coverage: dict[str, Coverage], source: str) -> None:
    one = coverage[source]
    left = [f"{left.text} at {left.start}" for left in one.left_over]
    assert one.left_in_tables == 0, left
    assert one.left_in_prose <= 0.02 * (one.numerals - one.table_numerals), left
    assert one.captured + sum(one.ignored.values()) + len(one.left_over) == one.numerals


def test_every_claim_stands_in_its_text_exactly_as_printed(claims: list[Json], texts: dict[str, Document]) -> None:
    wrong, checked = [], 0
    for claim in claims:
        anchor = claim["anchor"]
        if "start" not in anchor:
            continue
        text, printed = texts[anchor["sha256"]].text, (claim.get("quantity") or {}).get("printed") or claim.get("cue")
        checked += 1
        if text[anchor["start"] : anchor["end"]] != printed:
            wrong.append((claim["id"], printed, text[anchor["start"] : anchor["end"]]))
    assert wrong == []
    assert checked > 1400


def test_what_is_rated_of_one_superchip_is_per_superchip(claims: list[Json]) -> None:
    """Two keys for one figure would hide that sources disagree."""
    rated = [one for one in claims if one["kind"] == "specification" and one["level"] == "superchip"]
    assert rated
    assert [one["id"] for one in rated if one.get("normaliser") == "per-chip"] == []


def test_every_other_place_of_a_claim_lies_in_its_text(claims: list[Json], texts: dict[str, Document]) -> None:
    wrong = [
        (claim["id"], place)
        for claim in claims
        for key in ("context_anchors", "also_at")
        for place in claim.get(key) or ()
        if not 0 <= place["start"] < place["end"] <= len(texts[claim["anchor"]["sha256"]].text)
    ]
    assert wrong == []


def test_every_cell_of_the_tables_of_document_002_is_a_claim(claims: list[Json]) -> None:
    tables: dict[str, dict[str, set[str]]] = {}
    for one in claims:
        anchor = one["anchor"]
        if one["source"] == "source/002" and "table" in anchor:
            tables.setdefault(anchor["table"], {}).setdefault(anchor["row"], set()).add(anchor["column"])
    for name, rows in tables.items():
        columns = set().union(*rows.values())
        assert [row for row, found in rows.items() if found != columns] == [], f"{name} has cells that no claim holds"
    cells = {name: sum(map(len, rows.values())) for name, rows in tables.items()}
    assert len(cells) == 6 and sum(cells.values()) == 298, "six tables of 90 rows have 298 cells"


@pytest.mark.parametrize("source", SOURCES)
def test_every_document_has_claims_and_a_reviewed_list(claims: list[Json], source: str) -> None:
    listed = read_coverage_list(ROOT / "seeds" / "coverage" / f"{source[-3:]}.yaml")
    assert listed.source == source
    assert {one.reason for one in listed.ignored} <= set(REASONS)
    assert sum(1 for one in claims if one["source"] == source) >= 25


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("source: source/000\nignored:\n- {pattern: x, reason: boring}\n", '"boring"'),
        ("source: source/000\nignored:\n- {pattern: '(', reason: date}\n", "regular expression"),
        ("source: source/000\nignored:\n- {reason: date, at: 5}\n", "at and to, or pattern"),
        ("source: source/000\nignored:\n- {reason: date, pattern: x, colour: red}\n", "colour"),
        ("source: source/000\ntables: [[5, 1]]\n", "[start, end]"),
        ("source: source/000\nignore: []\n", "source, tables and ignored"),
        ("- source/000\n", "source, tables and ignored"),
    ],
)
def test_a_reviewed_list_of_another_form_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KgError) as raised:
        read_coverage_list(path)
    assert said in str(raised.value) and raised.value.line is not None
