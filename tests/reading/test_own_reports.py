"""Three reports of our own with what they claim, written down before the program had read them (tests/cases/reports)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.model.names import name_key
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.proposal import ClaimProposal
from kg.reading.propose import propose
from kg.reading.report import read_report

CASES = Path(__file__).parents[1] / "cases" / "reports"
DEFAULTS = {"relation": "absolute", "modality": "stated", "normaliser": "unstated"}
FREE = ("level", "statistic", "normaliser")
"""Fields that are judged only where the case says what they are: a curator may or may not fill them in otherwise."""


@dataclass(frozen=True)
class WrittenClaim:
    """A claim as it was written down: where it stands, and for each field all that is right."""

    report: str
    find: str
    printed: str
    fields: Mapping[str, Any]
    conditions: Mapping[str, str]
    open: tuple[str, ...]


def written_claims() -> Iterator[WrittenClaim]:
    for path in sorted(CASES.glob("*.yaml")):
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
        for one in given["claims"]:
            fields = {key: value for key, value in one.items() if key not in ("find", "printed", "conditions", "open")}
            open_fields = tuple(one.get("open", ()))
            yield WrittenClaim(
                given["report"], one["find"], one["printed"], fields, one.get("conditions", {}), open_fields
            )


Readings = dict[str, tuple[str, list[ClaimProposal]]]
"""The text and the proposals of each report, read once."""


@pytest.fixture(scope="module")
def readings(knowledge: ReadingKnowledge) -> Readings:
    return read_all(knowledge)


def read_all(knowledge: ReadingKnowledge) -> Readings:
    made = {}
    for name in {one.report for one in written_claims()}:
        report = read_report(CASES / name)
        figures = find_figures(report, knowledge.vocabulary.units, knowledge.names)
        made[name] = (report.text, propose(report, figures, knowledge))
    return made


def proposed(claim: WrittenClaim, readings: Readings) -> ClaimProposal | None:
    text, proposals = readings[claim.report]
    assert text.count(claim.find) == 1, claim.find
    at = text.index(claim.find) + claim.find.index(claim.printed)
    return next(
        (
            one
            for one in proposals
            if one.figure.is_claim and one.figure.start < at + len(claim.printed) and at < one.figure.end
        ),
        None,
    )


def wrong_fields(claim: WrittenClaim, made: ClaimProposal) -> dict[str, str]:
    """The fields of a proposal that are not as they were written down, with what is proposed."""
    wrong = {}
    for name in ("subject", "level", "metric", "unit", "relation", "baseline", "statistic", "normaliser", "modality"):
        if name in FREE and name not in claim.fields:
            continue
        found = made.first(name)
        first = _plain(found.value) if found is not None else DEFAULTS.get(name)
        if first not in _accepted(claim.fields.get(name, DEFAULTS.get(name))):
            wrong[name] = str(first)
    said = made.first("asserted_by")
    if (_plain(said.value) if said else None) not in _accepted(claim.fields.get("asserted_by")):
        wrong["asserted_by"] = str(said.value if said else None)
    if made.figure.hedge != claim.fields.get("hedge"):
        wrong["hedge"] = str(made.figure.hedge)
    for name in sorted({*claim.conditions, *made.conditions}):
        value = made.conditions[name][0].value if name in made.conditions else None
        if value != claim.conditions.get(name):
            wrong[name] = str(value)
    return wrong


def _accepted(given: object) -> set[str | None]:
    values = given if isinstance(given, list) else [given]
    return {_plain(str(one)) if one is not None else None for one in values}


def _plain(value: str) -> str:
    return f"new:{name_key(value[4:])}" if value.startswith("new:") else value


@pytest.mark.parametrize("claim", list(written_claims()), ids=lambda one: f"{one.report}: {one.find}")
def test_a_report_is_read_as_it_was_written(claim: WrittenClaim, readings: Readings) -> None:
    made = proposed(claim, readings)
    if "claim" in claim.open:
        pytest.xfail("the figure is not called a claim")
    assert made is not None
    assert {name: value for name, value in wrong_fields(claim, made).items() if name not in claim.open} == {}
