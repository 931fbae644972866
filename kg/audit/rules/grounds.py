"""Conclusions and recommendations whose grounds are refuted: what they rest on is another figure once it is put right."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.derivation import RESTS_ON
from kg.audit.finding import Finding
from kg.audit.outcome import judge_ratio
from kg.audit.rules import bounds, cards, plausibility
from kg.audit.rules.direction import pairs_of
from kg.audit.rules.facts import Facts, involved, is_gap, is_ratio
from kg.audit.rules.part import Alone
from kg.audit.systems import is_about_systems, totals_bear_out
from kg.audit.wording import put_right
from kg.model.derived import CanonicalFigure
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord

_SENSE: Final = {"higher": 1, "not-lower": 1, "lower": -1, "not-higher": -1}
FAR: Final = Fraction(1, 10)
"""An amount that moves by less carries a conclusion as well as before."""


def _resting(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """One finding for a conclusion of which a ground is lost; a warning only where none is left."""
    # that a text holds mistakes is not refuted by the mistakes it holds
    if is_gap(claim) or str(claim["subject"]).startswith(("source/", "unresolved/")):
        return
    grounds = list(dict.fromkeys(_grounds(claim)))
    rows = list(filter(None, map(facts.lookup, grounds)))
    if next(pairs_of(facts, claim, rows), None) is not None:
        return  # a statement about rows that can be compared is judged by them
    lost = [(name, right) for name in grounds if (right := _put_right(facts, name)) is not None]
    borne = {row["id"] for row in rows if totals_bear_out(row, facts.lookup, facts.figure)}
    # a conclusion about systems does not fall with figures per accelerator where totals carry its grounds
    lost = [(name, right) for name, right in lost if not (name in borne and is_about_systems(claim))]
    if lost:
        gone = [name for name, _ in lost if name not in borne]  # the others still hold for whole systems
        yield _refuted(facts, claim, lost, gone=len(gone), grounds=len(grounds))


def _refuted(
    facts: Facts, claim: ClaimRecord, lost: Sequence[tuple[str, Fraction]], *, gone: int, grounds: int
) -> Finding:
    """A conclusion that lost some of its grounds; `gone` are those that hold for no whole system either."""
    reported = ", ".join(f"{name} is {_amount(facts, name, right)} once it is put right" for name, right in lost[:3])
    of = "all it rests on is" if gone == grounds else f"{len(lost)} of the {grounds} figures it rests on are"
    if not gone:
        of = f"per accelerator, but not for whole systems, {of}"
    named = ((claim["id"], "conclusion"), *((name, "refuted ground") for name, _ in lost))
    if gone == grounds and not _moves_along(facts, claim, lost):
        return Finding("direction.ground-refuted", "weak", "warning", f"{of} refuted: {reported}", named)
    return Finding("direction.ground-partly-refuted", "weak", "info", f"{of} refuted: {reported}", named)


def _moves_along(facts: Facts, claim: ClaimRecord, lost: Sequence[tuple[str, Fraction]]) -> bool:
    """Whether every ground moves to where the conclusion points: what was called small is smaller still."""
    sense = _SENSE.get(str(claim.get("direction")), 0)
    figures = [(figure.value, right) for name, right in lost if (figure := _figure(facts, name)) is not None]
    return sense != 0 and all((right - value) * sense > 0 for value, right in figures)


def _figure(facts: Facts, name: str) -> CanonicalFigure | None:
    record = facts.lookup(name)
    return None if record is None else facts.figure(record)


def _amount(facts: Facts, name: str, right: Fraction) -> str:
    figure = _figure(facts, name)
    return put_right(right, None if figure is None else figure.unit)


def _grounds(claim: ClaimRecord) -> Iterator[str]:
    for derivation in claim["derivations"]:
        if derivation["expression"] == RESTS_ON:
            for given in derivation["inputs"].values():
                if "claim" in given and given.get("role") != "contradicting":
                    yield given["claim"]


def _put_right(facts: Facts, name: str) -> Fraction | None:
    """The right value of a ground that is lost; None where it holds, or carries the conclusion as well as before."""
    right, record = facts.corrected(name), facts.lookup(name)
    figure = facts.figure(record) if record is not None else None
    if right is None or record is None or figure is None or not figure.value:
        return None
    if is_ratio(record):
        claimed = Interval(figure.lower, figure.upper)
        return None if judge_ratio(claimed, Interval.exactly(right)) == "survives" else right
    return right if abs(right / figure.value - 1) > FAR else None


def _implausible(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A conclusion that rests on figures which cannot be: of several cards, beyond any known, too large for the memory."""
    if is_gap(claim) or str(claim["subject"]).startswith(("source/", "unresolved/")):
        return
    grounds = list(dict.fromkeys(_grounds(claim)))
    rows = [record for name in grounds if (record := facts.lookup(name)) is not None]
    doubts = [(row, doubt) for row in rows if (doubt := next(_doubts(facts, row), None)) is not None]
    if not doubts:
        return
    reported = "; ".join(f"{row['id']}: {doubt.message}" for row, doubt in doubts[:3])
    none_left = len(doubts) == len(grounds)
    named = ((claim["id"], "conclusion"), *involved((row for row, _ in doubts), "implausible ground"))
    if none_left:
        yield Finding(
            "direction.ground-implausible", "weak", "warning", f"all it rests on is implausible: {reported}", named
        )
    else:
        of = f"{len(doubts)} of the {len(grounds)} figures it rests on"
        yield Finding(
            "direction.ground-partly-implausible", "weak", "info", f"implausible among {of}: {reported}", named
        )


def _doubts(facts: Facts, record: ClaimRecord) -> Iterator[Finding]:
    """What speaks against a figure by itself, without other claims."""
    if record["metric"] in cards.ADDITIVE:
        yield from cards.totals(facts, record)
    for rule in (*plausibility.ALONE, *bounds.ALONE):
        if record["metric"] in rule.metrics:
            yield from (one for one in rule.findings(facts, record) if one.code.startswith("plausibility."))


PARTS: Final = ()
ALONE: Final = (
    Alone("direction/ground-refuted", _resting, needs="derivations"),
    Alone("direction/ground-implausible", _implausible, needs="derivations"),
)
