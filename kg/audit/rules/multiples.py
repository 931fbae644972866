"""Multiples of one pair in one text, set against each other.

A text that gives another speed of the same two means other work, and says so nowhere, or has one of its figures from elsewhere.
"""

from collections.abc import Iterator
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import PRIOR, Facts, each, involved, is_below, known
from kg.audit.rules.gains import SPEEDS, Gain, gains_in, is_saving, same_pair, same_work, shown_gain
from kg.audit.rules.part import RATIO, AuditPart, Scope
from kg.model.recorded import ClaimRecord

APART: Final = 2
"""Multiples of one pair that differ by less may be of unlike work, as benchmark results of one pair are."""
ROUND: Final = 5
"""A percentage that this divides is rounded, so that two things may well have the same."""
ENERGIES: Final = ("power", "energy-use")
"""What a machine takes for its work; a text on savings says the one and means the other."""
SAVINGS: Final = ("cost", "training-cost", "energy-use", "power", "capital-cost", "operating-cost", "tco")


def _compared(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    # a repetition would be set against its own original
    if "same_as" not in claim:
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
                f"{shown_gain(claim)} over {facts.label(claim['baseline'])} here, {shown_gain(one)} elsewhere in the text{_stated_by_one(facts, claim, one)}",
                ((claim["id"], "larger"), *each((one for _, one in less), "smaller")),
                computed=figure.value / other.value,
                unit="1",
            )


def _stated_by_one(facts: Facts, claim: ClaimRecord, other: ClaimRecord) -> str:
    """What only one of two statements says of the work."""
    ours, theirs = known(claim, "model"), known(other, "model")
    if ours is None and theirs is None:
        return "; what was run is said of neither"
    return f"; only one of them says what was run ({facts.label(str(ours or theirs))})" if ours != theirs else ""


def _savings_apart(facts: Facts) -> Iterator[Finding]:
    """A saving of power or energy that leaves less than half of what another saving over the same generation leaves."""
    savings = [
        (figure, claim)
        for claim in facts.of_metrics(*ENERGIES)
        if is_saving(claim) and "baseline" in claim and "same_as" not in claim and (figure := facts.figure(claim))
    ]
    for figure, claim in savings:
        less = [(other, one) for other, one in savings if _saves_more((figure, claim), (other, one), facts)]
        if less:
            other, one = max(less, key=lambda pair: (pair[0].value, pair[1]["id"]))
            yield Finding(
                "gains.apart",
                "tension",
                "warning",
                f"{_shown_saving(claim)} than {facts.label(claim['baseline'])} here, {_shown_saving(one)} than {facts.label(one['baseline'])} "
                f"elsewhere in the text{_stated_by_one(facts, claim, one)}",
                ((claim["id"], "larger"), *each((one for _, one in less), "smaller")),
                computed=other.value / figure.value,
                unit="1",
            )


def _shown_saving(claim: ClaimRecord) -> str:
    return f"{shown_gain(claim)} less {claim['metric'].partition('-')[0]}"


def _saves_more(ours: Gain, theirs: Gain, facts: Facts) -> bool:
    """Whether what is left by one saving is less than half of what is left by another, of one thing at one work."""
    (figure, claim), (other, one) = ours, theirs
    return (
        # canonically a saving is what is left of the whole: 75 % less is 0.25
        0 < APART * figure.value <= other.value
        and is_below(figure, other)
        and facts.root(claim["subject"]) == facts.root(one["subject"])
        and _over_one_generation(facts, claim, one)
        and same_work(claim, one)
    )


def _over_one_generation(facts: Facts, claim: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether two savings are over one thing, or over the generation before, which the other names."""
    ours, theirs = (_before(facts, one) for one in (claim, other))
    return facts.related(ours, theirs) or facts.lineage(ours)[-1] == facts.lineage(theirs)[-1]


def _before(facts: Facts, claim: ClaimRecord) -> str:
    """The family that a claim compares with, also where it only says that there was one before."""
    found = facts.references.predecessors.get(facts.root(claim["subject"]))
    return found[0] if found is not None and claim["baseline"] == PRIOR else facts.root(claim["baseline"])


def _of_one_pair(facts: Facts) -> Iterator[Finding]:
    yield from _apart(facts)
    yield from _savings_apart(facts)


def _saved(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if _is_uneven(claim):
        yield f"{claim['source']}|{claim['relation']}|{claim['quantity']['value']}", facts.root(claim["subject"])


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
    who = ", ".join(facts.label(claim["subject"]) for claim in (first, *others))
    yield Finding(
        "gains.one-figure-twice",
        "tension",
        "info",
        f"{shown_gain(first)} is the saving of {who}: by chance, or carried over from one to the other",
        ((first["id"], "one"), *involved(others, "other")),
    )


PARTS: Final = (
    AuditPart("multiples/of-one-pair", _compared, _of_one_pair, (*SPEEDS, *ENERGIES), sorts=RATIO, needs="baseline"),
    AuditPart("multiples/savings", _saved, _twice, SAVINGS),
)
ALONE: Final = ()
