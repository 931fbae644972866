"""Multiples of one pair in one text: set against each other, and against the product of their parts.

What does r times the work per watt at p times the power works r times p as fast. A text that gives another speed means
other work, and says so nowhere, or has one of its figures from elsewhere.
"""

from collections.abc import Iterator
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, involved, is_ratio, known
from kg.audit.rules.gains import SPEEDS, gains_in, is_below, same_pair, same_work, shown_gain
from kg.audit.rules.part import AuditPart, Scope
from kg.audit.wording import text_of
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord
from kg.model.reference import Figure as PublishedFigure

APART: Final = 2
"""Multiples of one pair that differ by less may be of unlike work, as benchmark results of one pair are."""
PER_WATT: Final = "performance-per-watt"
ROUND: Final = 5
"""A percentage that this divides is rounded, so that two things may well have the same."""
SAVINGS: Final = ("cost", "training-cost", "energy-use", "power", "capital-cost", "operating-cost", "tco")


def _compared(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    # a repetition would be set against its own original
    if "baseline" in claim and is_ratio(claim) and "same_as" not in claim:
        yield f"{claim['source']}|{facts.root(claim['subject'])}", claim["id"]


def _apart(facts: Facts) -> Iterator[Finding]:
    """A multiple that one text gives next to a far smaller one of the same two; those of one metric meet as figures at odds."""
    # a gain that is asked for says nothing of what was seen
    gains = [pair for pair in gains_in(facts) if pair[1].get("modality", "stated") != "required"]
    for figure, claim in gains:
        less = [
            (other, one)
            for other, one in gains
            if one["metric"] != claim["metric"]
            and figure.value >= APART * other.value
            and is_below(other, figure)
            and same_pair(facts, claim, one)
            and same_work(claim, one)
        ]
        if less:
            # the smallest is the strongest objection; the id decides between equals, so that the order of reading does not show
            other, one = min(less, key=lambda pair: (pair[0].value, pair[1]["id"]))
            yield Finding(
                "gains.apart",
                "tension",
                "warning",
                f"{shown_gain(claim)} over {facts.label(claim['baseline'])} here, {shown_gain(one)} elsewhere in the text{_told(facts, claim, one)}",
                ((claim["id"], "larger"), *involved((each for _, each in less), "smaller", 6)),
                computed=figure.value / other.value,
                unit="1",
            )


def _told(facts: Facts, claim: ClaimRecord, other: ClaimRecord) -> str:
    """What only one of two statements says of the work."""
    ours, theirs = known(claim, "model"), known(other, "model")
    if ours is None and theirs is None:
        return "; what was run is said of neither"
    return f"; only one of them says what was run ({facts.label(str(ours or theirs))})" if ours != theirs else ""


def _per_watt(facts: Facts) -> Iterator[Finding]:
    """More work per watt and more power, against the speed that the same text gives."""
    gains = gains_in(facts)
    for claim in facts.by_metric.get(PER_WATT, ()):
        figure, power = facts.figure(claim), _power(facts, claim)
        if figure is None or power is None or not is_ratio(claim) or "baseline" not in claim or "same_as" in claim:
            continue
        more, ours, theirs = power
        expected = Interval(figure.lower, figure.upper) * more
        speeds = [(other, one) for other, one in gains if same_pair(facts, claim, one) and same_work(claim, one)]
        # one speed that fits is enough: the others may be of other work
        if not speeds or any(expected.overlaps(Interval(other.lower, other.upper)) for other, _ in speeds):
            continue
        computed = figure.value * ours.value / theirs.value
        given = ", ".join(dict.fromkeys(f"{shown_gain(one)}" for _, one in speeds))
        yield Finding(
            "gains.product",
            "tension",
            "warning",
            f"{shown_gain(claim)} in performance per watt, at {text_of(ours.value)} W beside {text_of(theirs.value)} W, is "
            f"{text_of(computed)} times the speed of {facts.label(claim['baseline'])}; the same text gives {given}",
            ((claim["id"], "per watt"), *involved((one for _, one in speeds), "speed", 6)),
            computed=computed,
            unit="1",
            basis="reference",
            reference=f"{ours.citation.text}; {theirs.citation.text}",
        )


def _power(facts: Facts, claim: ClaimRecord) -> tuple[Interval, PublishedFigure, PublishedFigure] | None:
    """By what the published power of one thing is that of the other, between all their forms; and the first figure of each."""
    ours, theirs = (facts.published(thing, "power") for thing in (claim["subject"], claim.get("baseline", "")))
    if not ours or not theirs:
        return None
    spans = [Interval(min(one.value for one in some), max(one.value for one in some)) for some in (ours, theirs)]
    return spans[0] / spans[1], ours[0], theirs[0]


def _of_one_pair(facts: Facts) -> Iterator[Finding]:
    yield from _apart(facts)
    yield from _per_watt(facts)


def _saved(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if _is_uneven(claim):
        yield f"{claim['source']}|{claim['relation']}|{claim['quantity']['value']}", claim["subject"]


def _is_uneven(claim: ClaimRecord) -> bool:
    """Whether a claim gives a saving in per cent that nobody would have rounded to, and that is given for the first time."""
    quantity = claim.get("quantity") or {}
    value = quantity.get("value")
    return (
        quantity.get("unit") == "%"
        and isinstance(value, int | float)
        and value % ROUND != 0
        and claim.get("relation", "absolute") != "absolute"
        and not any(name in claim for name in ("same_as", "restates", "derivations"))
    )


def _twice(facts: Facts) -> Iterator[Finding]:
    """One uneven saving of several things: a chance, or carried over from one to the other."""
    by_subject: dict[str, ClaimRecord] = {}
    for claim in facts.claims.values():
        by_subject.setdefault(facts.root(claim["subject"]), claim)
    first, *others = by_subject.values()
    if others:
        who = ", ".join(facts.label(claim["subject"]) for claim in (first, *others))
        yield Finding(
            "gains.one-figure-twice",
            "tension",
            "info",
            f"{shown_gain(first)} is the saving of {who}: by chance, or carried over from one to the other",
            ((first["id"], "one"), *involved(others, "other", 6)),
        )


PARTS: Final = (
    AuditPart("multiples/of-one-pair", _compared, _of_one_pair, (*SPEEDS, PER_WATT)),
    AuditPart("multiples/savings", _saved, _twice, SAVINGS),
)
ALONE: Final = ()
