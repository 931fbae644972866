"""What reviews decided moves the weights of the ranker: from those that are in use, a little towards what was taken.

`kg review --learn` calls `learn_from_review`. Nothing but Python is needed, and the same decisions give the same file. The
weights that came with the package are not touched: what is learnt is a file of one's own folder, which reading prefers.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, get_args

from kg.content.folders import Content
from kg.errors import UsageError
from kg.reading.figure import ReportFigure
from kg.reading.knowledge import OWN_RANKER, ReadingKnowledge
from kg.reading.known_names import NEW
from kg.reading.learn import Choices, TaughtFigure, condition_samples, field_choices, write_ranker
from kg.reading.passage import PassageReader
from kg.reading.proposals_file import CONDITION, Proposals, read_proposals
from kg.reading.ranker import Features, Ranker
from kg.reading.report import read_report
from kg.reading.review_log import Decision, log_of, read_log
from kg.reading.taught import block_at, blocks_by_position
from kg.reading.text import ReportText, TextFormat

_ROUNDS: Final = 8
_STEP: Final = 1 / _ROUNDS
"""How far what was taken gains on what was not, for one decision and each round: in all at most 1 on the scale of logarithms of odds."""
_PULL: Final = 0.02
"""Which part of the way a weight is drawn back to where it began, each round."""

Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class LearntWeights:
    """What was learnt: from how many accepted figures, and the file that holds it."""

    figures: int
    path: Path


def learn(decisions: Iterable[TaughtFigure], target: Path, knowledge: ReadingKnowledge) -> LearntWeights:
    """Move the weights of `knowledge.ranker` towards what was taken, and write them to a file.

    A decision is a figure in its passage with the fields that were taken; a field that is absent teaches nothing, and
    one that is None was taken to be not stated.
    """
    choices: dict[str, Choices] = defaultdict(Choices)
    conditions: list[tuple[Features, bool, float]] = []
    count = 0
    for decision in decisions:
        field_choices(decision, knowledge, choices)
        conditions.extend(condition_samples(decision, knowledge))
        count += 1
    weights = {name: dict(known) for name, known in knowledge.ranker.weights.items()}
    for name in sorted(choices):
        weights[name] = _moved(weights.get(name, {}), choices[name].rows)
    signed: list[tuple[Features, Features, float]] = [
        (features, (), weight) if right else ((), features, weight) for features, right, weight in conditions
    ]
    weights["condition"] = _moved(weights.get("condition", {}), signed)
    write_ranker(Ranker(weights), target)
    return LearntWeights(count, target)


def _moved(start: Weights, pairs: list[tuple[Features, Features, float]]) -> Weights:
    """Weights after a few rounds in which the first of each pair is pushed above the second, as far as the pair counts.

    The push is shared among the features in which they differ, so that one decision with many of them moves no more.
    """
    weights = dict(start)
    for _ in range(_ROUNDS):
        for right, wrong, weight in pairs:
            better, worse = set(right) - set(wrong), set(wrong) - set(right)
            lead = sum(weights.get(one, 0.0) for one in better) - sum(weights.get(one, 0.0) for one in worse)
            share = weight / max(1, len(better) + len(worse))
            push = _STEP * share / (1 + math.exp(max(-30.0, min(30.0, lead))))
            for one in better:
                weights[one] = weights.get(one, 0.0) + push
            for one in worse:
                weights[one] = weights.get(one, 0.0) - push
        # drawn back each round, so that a few decisions do not unlearn what the package was taught
        weights = {name: value + _PULL * (start.get(name, 0.0) - value) for name, value in weights.items()}
    return {name: round(value, 3) for name, value in weights.items() if abs(value) >= 0.001}


def learn_from_review(
    proposals: Path, content: Content, knowledge: ReadingKnowledge, *, target: Path | None = None
) -> LearntWeights:
    """Learn from the log of the review of a file of proposals; the target is the ranker of one's own folder.

    Learning goes on from the weights in use. What was learnt is noted next to them, so a decision counts once, however often
    its review is learnt. Raises UsageError where there is neither a target nor a folder of one's own.
    """
    if target is None and content.own is None:
        raise UsageError(
            given="no folder of your own", expected="one, for what is learnt", next_step="make one: kg init DIR"
        )
    given = read_proposals(proposals)
    own = target or content.place / OWN_RANKER
    noted = _noted(own)
    # an undo is looked at again each time: it may take back a decision that was learnt before
    decisions = [one for one in read_log(log_of(proposals)) if _mark(given, one) not in noted or one.action == "undo"]
    taught = taught_by_review(given, decisions, knowledge)
    if not taught and own.is_file():
        return LearntWeights(0, own)
    learnt = learn(taught, own, knowledge)
    noted.update(_mark(given, one) for one in decisions if one.action == "accept")
    _notes_of(own).write_text("".join(f"{mark}\n" for mark in sorted(noted)), encoding="ascii")
    return learnt


def _notes_of(ranker: Path) -> Path:
    return ranker.with_suffix(".learnt")


def _noted(ranker: Path) -> set[str]:
    """The decisions that the weights of a file hold already; none where the weights are gone, or are those of the package."""
    notes = _notes_of(ranker)
    return (
        set(notes.read_text(encoding="ascii", errors="replace").split())
        if ranker.is_file() and notes.is_file()
        else set()
    )


def _mark(proposals: Proposals, decision: Decision) -> str:
    """The same for the same decision on the same text, wherever its file lies."""
    return sha256(proposals.report.sha256.encode() + decision.line()).hexdigest()[:32]


def taught_by_review(
    proposals: Proposals, decisions: list[Decision], knowledge: ReadingKnowledge
) -> list[TaughtFigure]:
    """The accepted figures of a review in their passages, with what was taken; what was undone teaches nothing."""
    undone = {decision.undoes for decision in decisions if decision.action == "undo"}
    taken = {
        decision.figure: decision
        for decision in decisions
        if decision.action == "accept" and decision.number not in undone
    }
    if not taken:
        return []
    report = _report(proposals)
    blocks = blocks_by_position(report)
    reader = PassageReader(report, knowledge.names.scan_all, knowledge.terms.scan)
    found = []
    for index, decision in sorted(taken.items()):
        given = proposals.figures[index]
        values = {name: _known_by_now(value, knowledge) for name, value in decision.taken.items()}
        figure = ReportFigure(
            given.start,
            given.end,
            given.printed,
            None,
            values.get("unit"),
            given.hedge,
            values.get("relation", "absolute"),
            block_at(report, given.start, blocks),
        )
        names = {*decision.proposed, *values} | {"subject", "metric"}
        fields = {name: values.get(name) for name in names if not name.startswith(CONDITION)}
        conditions = {
            name.removeprefix(CONDITION): (value,) for name, value in values.items() if name.startswith(CONDITION)
        }
        found.append(TaughtFigure(reader.read(figure), fields, conditions))
    return found


def _known_by_now(value: str, knowledge: ReadingKnowledge) -> str:
    """The thing that a new name has become since it was accepted: reading offers its id, no longer the name."""
    if not value.startswith(NEW):
        return value
    name = value.removeprefix(NEW).strip()
    ids = [one.ids for one in knowledge.names.scan(name) if one.printed == name]
    return ids[0][0] if ids and len(ids[0]) == 1 else value


def _report(proposals: Proposals) -> ReportText:
    """The text that was read, with its blocks; of a page or a PDF only the text was kept."""
    data = proposals.text().encode()
    stated = proposals.report.format
    form: TextFormat = "markdown" if stated == "markdown" and stated in get_args(TextFormat) else "text"
    report = read_report(data, form)
    assert sha256(report.text.encode()).hexdigest() == proposals.report.sha256
    return report
