"""Proposals as one JSON object a line, or as lines for people; the file for review is `kg.reading.proposals_file`."""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NotRequired, TypedDict, cast

from kg.reading.proposal import Candidate, ClaimProposal
from kg.reading.proposals_file import FigurePlace
from kg.reading.text import ReportText


class CandidateLine(TypedDict):
    """One possible value of a field."""

    value: str
    label: str
    confidence: float
    reason: str


class PlaceLine(TypedDict):
    """Where a figure stands: code points of the text, and page, box and cell where there are any, as a claim gives them."""

    start: int
    end: int
    page: NotRequired[int]
    box: NotRequired[str]
    table: NotRequired[str]
    row: NotRequired[str]
    column: NotRequired[str]


class PrintLine(TypedDict):
    """A figure as it is printed, and the words of its table that scale it."""

    printed: str
    scaled_by: NotRequired[str]


class ProposalLine(TypedDict):
    """One line of `kg read --format jsonl`; `reason` says of a figure that is no claim why it is none."""

    anchor: PlaceLine
    quantity: PrintLine
    value: int | float | list[int | float] | None
    unit: str | None
    relation: str | None
    hedge: str | None
    subject_label: str | None
    baseline_label: str | None
    metric: str | None
    conditions: dict[str, str]
    confidence: float
    claim: bool
    reason: NotRequired[str | None]
    candidates: dict[str, list[CandidateLine]]


def proposal_record(proposal: ClaimProposal) -> ProposalLine:
    """A proposal as a JSON object; its keys are those of the file, in their order."""
    figure = proposal.figure
    number = figure.number
    record: ProposalLine = {
        "anchor": {"start": figure.start, "end": figure.end},
        "quantity": {"printed": figure.printed},
        "value": None if number is None else _plain(number.value),
        "unit": figure.unit,
        "relation": figure.relation if figure.is_claim else None,
        "hedge": figure.hedge,
        "subject_label": _label(proposal.first("subject")),
        "baseline_label": _label(proposal.first("baseline")),
        "metric": _value(proposal.first("metric")),
        "conditions": {name: found[0].value for name, found in proposal.conditions.items() if found},
        "confidence": round(proposal.confidence, 3),
        "claim": figure.is_claim,
        "candidates": {},
    }
    if figure.scaled_by is not None:
        record["quantity"]["scaled_by"] = figure.scaled_by
    if not figure.is_claim:
        record["reason"] = figure.reason
    record["candidates"] = {
        name: [_candidate(one) for one in found]
        for name, found in (*proposal.fields.items(), *((f"conditions.{n}", f) for n, f in proposal.conditions.items()))
    }
    return record


def proposal_lines(proposals: Iterable[ClaimProposal]) -> Iterator[str]:
    """One JSON object a line, without line ends."""
    for proposal in proposals:
        yield json.dumps(_placed(proposal), ensure_ascii=False)


def _placed(proposal: ClaimProposal) -> ProposalLine:
    """The record, its anchor with page, box and cell where the format has them."""
    record, place = proposal_record(proposal), FigurePlace.of(proposal.figure.block, proposal.figure.start)
    record["anchor"] = cast(PlaceLine, {**record["anchor"], **place.stated()})
    return record


def proposal_text(report: ReportText, proposals: Iterable[ClaimProposal]) -> Iterator[str]:
    """One claim a line for people: the figure in its passage, then what it seems to say."""
    for proposal in proposals:
        figure = proposal.figure
        if not figure.is_claim:
            continue
        said = [_label(proposal.first("subject")), _value(proposal.first("metric")), figure.unit]
        said += [figure.scaled_by, figure.hedge, None if figure.relation == "absolute" else figure.relation]
        yield f"{passage(report, figure.start, figure.end)}\n    {', '.join(filter(None, said)) or 'unit not stated'}"


def passage(report: ReportText, start: int, end: int, around: int = 60) -> str:
    """A figure between brackets with the words around it, on one line."""
    left, right = max(0, start - around), min(len(report.text), end + around)
    marked = f"{report.text[left:start]}[{report.text[start:end]}]{report.text[end:right]}"
    return ("…" if left else "") + " ".join(marked.split()) + ("…" if right < len(report.text) else "")


def _candidate(one: Candidate) -> CandidateLine:
    return {"value": one.value, "label": one.label, "confidence": round(one.confidence, 3), "reason": one.reason}


def _label(candidate: Candidate | None) -> str | None:
    return None if candidate is None else candidate.label


def _value(candidate: Candidate | None) -> str | None:
    return None if candidate is None else candidate.value


def _plain(value: Fraction | tuple[Fraction, Fraction]) -> Any:
    """A value as JSON and YAML hold it: a whole number, a decimal, or a pair of them."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return int(value) if value.denominator == 1 else float(value)
