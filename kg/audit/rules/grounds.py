"""Conclusions and recommendations whose grounds are refuted: what they rest on is another figure once it is put right."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.claim_links import grounds
from kg.audit.finding import Finding
from kg.audit.outcome import judge_ratio
from kg.audit.rules import bounds, cards, plausibility
from kg.audit.rules.data_sheets import ADDITIVE
from kg.audit.rules.direction import is_turned
from kg.audit.rules.direction_rows import pairs_of
from kg.audit.rules.facts import Facts, involved, is_gap, is_ratio, sort_of
from kg.audit.rules.part import Alone, is_looked_at
from kg.audit.systems import is_about_systems, totals_bear_out
from kg.audit.wording import corrected_in_words
from kg.model.counting import counted, is_or_are
from kg.model.derived import CanonicalFigure
from kg.model.identifiers import is_source_id
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import SENSE

LostGround = tuple[str, Fraction | None]
"""A ground by its id, with its right value; None where it is a statement that its rows turn round."""
FAR: Final = Fraction(1, 10)
"""An amount that moves by less carries a conclusion as well as before."""
_WORTH: Final = frozenset({"cost-effectiveness", "performance-per-tco", "purchase-price", "rental-price"})
"""Metrics of which a statement in words says what a thing is worth for what it costs."""
_COSTS: Final = _WORTH | {
    "cost",
    "capital-cost",
    "operating-cost",
    "training-cost",
    "inference-cost",
    "tco",
    "cost-per-memory",
    "revenue-return",
    "power",
    "energy-use",
    "energy-per-token",
    "energy-efficiency",
    "performance-per-watt",
}
"""Metrics of what is spent; without one of them nothing is said of value for money."""


def _resting(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """One finding for a conclusion of which a ground is lost; a warning where half of them or more are ruined."""
    grounds = list(_grounds(claim))
    if not grounds:
        return
    rows = list(filter(None, map(facts.lookup, grounds)))
    if next(pairs_of(facts, claim, rows), None) is not None:
        return  # a statement about rows that can be compared is judged by them
    borne = {row["id"] for row in rows if totals_bear_out(row, facts.lookup, facts.figure)}
    # a conclusion about systems does not fall with figures per accelerator where totals carry its grounds
    safe = borne if borne and is_about_systems(claim) else set()
    lost = list(_lost(facts, [name for name in grounds if name not in safe]))
    turned = [(row["id"], None) for row in rows if is_turned(facts, row)]
    if lost or turned:
        gone = sum(name not in borne for name, _ in lost)  # the others still hold for whole systems
        yield _refuted(facts, claim, [*lost, *turned], gone=gone + len(turned), grounds=len(grounds))


def _lost(facts: Facts, grounds: Iterable[str]) -> Iterator[LostGround]:
    """The grounds that do not hold once they are put right."""
    for name in grounds:
        right = _put_right(facts, name)
        if right is not None:
            yield name, right


def _refuted(facts: Facts, claim: ClaimRecord, lost: Sequence[LostGround], *, gone: int, grounds: int) -> Finding:
    """A conclusion that lost some of its grounds; `gone` are those that hold for no whole system either."""
    reported = ", ".join(f"{_printed(facts, name)}[{name}] {_now(facts, name, right)}" for name, right in lost[:3])
    of = (
        "all it rests on is"
        if gone == grounds
        else f"{len(lost)} of the {grounds} figures it rests on {is_or_are(len(lost))}"
    )
    if not gone:
        of = f"per accelerator, but not for whole systems, {of}"
    named = ((claim["id"], "conclusion"), *((name, "refuted ground") for name, _ in lost))
    # "hardly faster" rests all the better on a gain that is smaller still: no more than a note
    if _moves_along(facts, claim, lost):
        pass
    elif gone == grounds:
        return Finding("direction.ground-refuted", "weak", "warning", f"{of} refuted: {reported}", named)
    # half of them: a statement with most of its grounds left still stands (decision 48)
    elif gone and sum(_is_ruined(facts, name, right) for name, right in lost) * 2 >= grounds:
        return Finding("direction.ground-mostly-refuted", "weak", "warning", f"{of} refuted: {reported}", named)
    return Finding("direction.ground-partly-refuted", "weak", "info", f"{of} refuted: {reported}", named)


def _printed(facts: Facts, name: str) -> str:
    record = facts.lookup(name) or {}
    printed, words = (record.get("quantity") or {}).get("printed"), record.get("cue")
    return f"{printed} " if printed else f'"{words}" ' if words else ""


def _is_ruined(facts: Facts, name: str, right: Fraction | None) -> bool:
    """Whether nothing is left of a ground; a lead that shrinks to half may carry a conclusion as well as before."""
    record, figure = facts.lookup(name), _figure(facts, name)
    if right is None or record is None or figure is None or not is_ratio(record):
        return True
    return judge_ratio(figure.interval, Interval.exactly(right)) in ("falls", "reverses")


def _now(facts: Facts, name: str, right: Fraction | None) -> str:
    return (
        "is turned round by its own rows" if right is None else f"is {_amount(facts, name, right)} once it is put right"
    )


def _moves_along(facts: Facts, claim: ClaimRecord, lost: Sequence[LostGround]) -> bool:
    """Whether every ground moves to where the conclusion points: what was called small is smaller still."""
    sense = SENSE.get(str(claim.get("direction")), 0)
    figures = [(_figure(facts, name), right) for name, right in lost]
    return sense != 0 and all(
        figure is not None and right is not None and (right - figure.value) * sense > 0 for figure, right in figures
    )


def _figure(facts: Facts, name: str) -> CanonicalFigure | None:
    record = facts.lookup(name)
    return None if record is None else facts.figure(record)


def _amount(facts: Facts, name: str, right: Fraction) -> str:
    figure, record = _figure(facts, name), facts.lookup(name) or {}
    return corrected_in_words(right, None if figure is None else figure.unit, record.get("relation", "absolute"))


def _grounds(claim: ClaimRecord) -> dict[str, None]:
    """The claims that a conclusion rests on, each once; none where it is about a text."""
    # that a text holds mistakes is not refuted by the mistakes it holds
    if is_gap(claim) or is_source_id(str(claim["subject"])):
        return {}
    return dict.fromkeys(grounds(claim))


def _put_right(facts: Facts, name: str) -> Fraction | None:
    """The right value of a ground that is lost; None where it holds, or carries the conclusion as well as before."""
    right, record = facts.corrected(name), facts.lookup(name)
    figure = facts.figure(record) if record is not None else None
    if right is None or record is None or figure is None or not figure.value:
        return None
    if is_ratio(record):
        claimed = figure.interval
        return None if judge_ratio(claimed, Interval.exactly(right)) == "survives" else right
    return right if abs(right / figure.value - 1) > FAR else None


def _implausible(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A conclusion that rests on figures which cannot be: of several cards, beyond any known, too large for the memory."""
    grounds = _grounds(claim)
    if not grounds:
        return
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
            "direction.ground-partly-implausible",
            "weak",
            "info",
            f"{of} {is_or_are(len(doubts))} implausible: {reported}",
            named,
        )


def _doubts(facts: Facts, record: ClaimRecord) -> Iterator[Finding]:
    """What speaks against a figure by itself, without other claims."""
    sort = sort_of(record)
    if record["metric"] in ADDITIVE:
        yield from cards.totals(facts, record)
    # rules for single claims only: a ground is reached by its link, without
    # the other claims of its scopes
    for rule in (*plausibility.ALONE, *bounds.ALONE):
        if is_looked_at(rule, record["metric"], sort):
            yield from (one for one in rule.findings(facts, record) if one.code.startswith("plausibility."))


PARTS: Final = ()


def _costless(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A judgement on value for money that rests on statements none of which says what anything costs."""
    grounds = list(filter(None, map(facts.lookup, _grounds(claim))))
    asked = claim.get("modality", "stated") in ("required", "recommended")
    if not grounds or asked or "quantity" in claim or any(one["metric"] in _COSTS for one in grounds):
        return
    metrics = ", ".join(dict.fromkeys(one["metric"] for one in grounds))
    yield Finding(
        "direction.ground-without-cost",
        "weak",
        "warning",
        f"speaks of value for money and rests on {counted(len(grounds), 'statement')} ({metrics}), none of which gives a price, a cost or a power",
        ((claim["id"], "conclusion"), *involved(grounds, "ground")),
    )


ALONE: Final = (
    Alone("direction/ground-refuted", _resting, needs="derivations"),
    Alone("direction/ground-implausible", _implausible, needs="derivations"),
    Alone("direction/ground-without-cost", _costless, tuple(sorted(_WORTH)), needs="derivations"),
)
