"""Pages of `data/reports` that were annotated before any output was seen: positions, figures and accepted answers only.

Where the text leaves a field open, several answers are accepted; figures in `open` may be claims or not and are not judged.
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.reading.judged import judge
from benchmarks.reading.score import Miss, ReadingTally
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.proposal import ClaimProposal
from kg.reading.propose import propose
from kg.reading.report import read_report

Json = dict[str, Any]
ANNOTATED = Path(__file__).with_name("pages.json")


def measure_pages(folder: Path, knowledge: ReadingKnowledge) -> dict[str, ReadingTally]:
    """Each page, with the ranker that is shipped."""
    tallies: dict[str, ReadingTally] = {}
    proposals: dict[str, list[ClaimProposal]] = {}
    for number, page in enumerate(json.loads(ANNOTATED.read_text(encoding="utf-8"))):
        name = page["file"]
        if name not in proposals:
            report = read_report(folder / name)
            if report.file_sha256 != page["sha256"]:
                raise ValueError(f"{name} is not the text that was annotated")
            proposals[name] = propose(
                report, find_figures(report, knowledge.vocabulary.units, knowledge.names), knowledge
            )
        tallies[f"{number + 1} {name}"] = _measure(page, proposals[name], name)
    return tallies


def _measure(page: Json, proposals: list[ClaimProposal], name: str) -> ReadingTally:
    tally = ReadingTally()
    left, right = page["span"]
    claims = [one for one in proposals if one.figure.is_claim and left <= one.figure.start < right]
    for given in page["claims"]:
        found = next(
            (one for one in claims if one.figure.start < given["end"] and given["start"] < one.figure.end), None
        )
        miss = Miss(name, given["start"], given["printed"], "a claim", "not found")
        if tally.count("recall", right=found is not None, miss=miss) and found is not None:
            _fields(given, found, tally, name)
    spans = [(one["start"], one["end"]) for one in page["claims"]] + [tuple(one) for one in page["open"]]
    for one in claims:
        figure = one.figure
        known = any(start < figure.end and figure.start < end for start, end in spans)
        tally.count("precision", right=known, miss=Miss(name, figure.start, figure.printed, "no claim", "a claim"))
    return tally


def _fields(given: Json, found: ClaimProposal, tally: ReadingTally, name: str) -> None:
    right = {
        "subject": {one.lower() if one.startswith("new:") else one for one in given["subject"]},
        "baseline": {""},
        "relation": {given["relation"]},
        "unit": set(given["unit"]),
    }
    if given["metric"]:
        right["metric"] = set(given["metric"])
    judge(found, right, given.get("conditions"), tally, name)
