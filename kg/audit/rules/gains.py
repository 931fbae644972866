"""Several gains of one thing: over a better baseline more than over a weaker one, and far above what was measured.

A machine that gains 2.5 times over another gains at least as much over the predecessor of that one, unless another work
was done. And a multiple that nobody measured is held against those that were, per accelerator and, where a rack is set against a server of
eight, per system.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import Facts, compatible, involved, is_below, is_ratio, known
from kg.audit.rules.part import RATIO, Alone, AuditPart, Scope
from kg.audit.wording import print_of, text_of
from kg.model.counting import counted
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord

SPEEDS: Final = ("performance", "throughput", "training-throughput", "inference-speed", "training-speed")
FAR: Final = 2
"""A multiple of this many times the largest that was measured is far from it: results of one pair differ by less."""
SERVER: Final = 8
"""Accelerators of the server that a rack is set against where nothing else is said."""
_WORK: Final = ("model", "precision")
_MANY: Final = 200
Gain = tuple[CanonicalFigure, ClaimRecord]


def _gained(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if "same_as" not in claim:
        yield facts.root(claim["subject"]), claim["id"]


def gains_in(facts: Facts) -> list[Gain]:
    """The multiples above one in speed that one thing is said to have over another."""
    found = [
        (figure, claim)
        for claim in facts.of_metrics(*SPEEDS)
        if "baseline" in claim
        and is_ratio(claim)
        and "same_as" not in claim
        and (figure := facts.figure(claim)) is not None
        and figure.value > 1
        and facts.root(claim["subject"]) != facts.root(claim["baseline"])
    ]
    return found[:_MANY]  # what is said of one thing is little; a flood of it is looked at in part


def _over_the_better(facts: Facts) -> Iterator[Finding]:
    """A gain over the later of two baselines that is above the gain over the earlier."""
    gains = gains_in(facts)
    for figure, claim in gains:
        earlier = _earlier(facts, facts.root(claim["baseline"]))
        against = [
            (other, one)
            for other, one in gains
            if facts.root(one["baseline"]) in earlier and is_below(other, figure) and same_work(claim, one)
        ]
        if against:
            # the mildest objection: what holds for the largest of the smaller gains holds for all
            other, one = max(against, key=lambda pair: (pair[0].value, pair[1]["id"]))
            yield Finding(
                "gains.over-the-better",
                "tension",
                "warning",
                f"{shown_gain(claim)} over {facts.label(claim['baseline'])}, but only {shown_gain(one)} over {facts.label(one['baseline'])}: together they make "
                f"{facts.label(claim['baseline'])} slower than its predecessor ({text_of(other.value / figure.value)} of it)",
                ((claim["id"], "over the later"), *involved((one for _, one in against), "over the earlier")),
                computed=other.value / figure.value,
                unit="1",
                basis="reference",
                reference=facts.references.predecessors[facts.root(claim["baseline"])][1].text,
            )


def _earlier(facts: Facts, family: str) -> frozenset[str]:
    """The families before one, as far as they are published."""
    found: list[str] = []
    # a circle in the references must not hang a build
    while (before := facts.references.predecessors.get(family)) is not None and before[0] not in found:
        family = before[0]
        found.append(family)
    return frozenset(found)


def same_work(one: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether nothing that is stated tells the work apart: a model, a number format, training from inference."""
    ours, theirs = is_training(one), is_training(other)
    return compatible(one, other, _WORK) and (ours is None or theirs is None or ours == theirs)


def is_training(claim: ClaimRecord) -> bool | None:
    """Whether a claim is about training; None where its work is not stated."""
    words = " ".join(str(known(claim, name) or "") for name in ("workload", "phase")).lower()
    return None if not words.strip() else "train" in words


def shown_gain(claim: ClaimRecord) -> str:
    """A multiple as it is printed."""
    return print_of(claim["quantity"])


def _above_measured(facts: Facts) -> Iterator[Finding]:
    """A multiple without a benchmark, far above every one that was measured of the same two, per accelerator and per system."""
    gains = gains_in(facts)
    measured = [(figure, claim) for figure, claim in gains if known(claim, "benchmark") is not None]
    for figure, claim in gains:
        if not _is_unmeasured(claim) or figure.lower is None:
            continue
        rows = _measured_alike(facts, claim, measured)
        top = _highest(other for other, _ in rows)
        if top is None or figure.lower <= FAR * top:
            continue
        # a rack against a server: nothing says that one accelerator is meant
        whole = max(top, top * (facts.accelerators_in(claim["subject"]) or 1) / SERVER)
        if figure.lower <= whole:
            continue
        at_most = f"; a whole rack against a server of {SERVER} would be {text_of(whole)}" if whole > top else ""
        yield Finding(
            "gains.above-measured",
            "suspicious",
            "warning",
            f"{shown_gain(claim)} over {facts.label(claim['baseline'])}, where benchmark results for the same two give {_span(rows)} per accelerator "
            f"in {counted(len(rows), 'statement')}{at_most}",
            ((claim["id"], "suspect"), *involved((one for _, one in rows), "measured")),
            computed=top,
            unit="1",
        )


def _measured_alike(
    facts: Facts, claim: ClaimRecord, measured: Iterable[tuple[CanonicalFigure, ClaimRecord]]
) -> list[tuple[CanonicalFigure, ClaimRecord]]:
    return [(figure, row) for figure, row in measured if same_pair(facts, claim, row) and _alike(claim, row)]


def _highest(figures: Iterable[CanonicalFigure]) -> Fraction | None:
    return max((one.upper for one in figures if one.upper is not None), default=None)


def _is_unmeasured(claim: ClaimRecord) -> bool:
    """Whether a multiple is stated without a benchmark; one that is only required is no statement of fact."""
    return known(claim, "benchmark") is None and claim.get("modality", "stated") != "required"


def same_pair(facts: Facts, one: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether two gains are over one baseline."""
    return facts.related(facts.root(one["baseline"]), facts.root(other["baseline"]))


def _alike(one: ClaimRecord, other: ClaimRecord) -> bool:
    ours, theirs = is_training(one), is_training(other)
    return ours is not None and ours == theirs


def _span(rows: Sequence[Gain]) -> str:
    low, high = min(f.value for f, _ in rows), max(f.high or f.value for f, _ in rows)
    return text_of(Fraction(low)) if low == high else f"{text_of(low)} to {text_of(high)}"


def is_saving(claim: ClaimRecord) -> bool:
    """Whether a claim says by how much something is less."""
    return bool(claim.get("relation") == "decrease")


def _without_baseline(_: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A multiple or an increase over something that is not said, or a saving of an accelerator, which has no state before."""
    if (
        claim.get("baseline_status") == "unstated"
        and "baseline" not in claim
        and is_ratio(claim)
        and (claim["relation"] in ("ratio", "increase") or (is_saving(claim) and claim["level"] == "accelerator"))
        # what is computed or repeated has its baseline in its inputs or in the original
        and "derivations" not in claim
        and not any("claim" in link for link in claim.get("restates", ()))
    ):
        yield Finding(
            "gains.no-baseline",
            "ambiguous",
            "warning",
            f"{shown_gain(claim)} {'less than' if is_saving(claim) else 'over'} what is not said",
            ((claim["id"], "suspect"),),
        )


def _unlike_sizes(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A lead of one system over another that has another number of accelerators, by a figure that is divided by none."""
    if "baseline" not in claim or "same_as" in claim or not _is_unmeasured(claim):
        return
    if not (is_ratio(claim) or "direction" in claim) or normalisers(claim) - {"total"}:
        return
    ours, theirs = (facts.accelerators_in(claim[side]) for side in ("subject", "baseline"))
    # of a card against a system, or of one that the registry does not take apart, nothing says how many are meant
    if min(ours, theirs) < 2 or ours == theirs:
        return
    yield Finding(
        "gains.unlike-sizes",
        "ambiguous",
        "warning",
        f"{ours} accelerators of {facts.label(claim['subject'])} are set against {theirs} of {facts.label(claim['baseline'])}, and "
        f"nothing says that the comparison is per accelerator: sizes alone make {text_of(Fraction(ours, theirs))}",
        ((claim["id"], "comparison"),),
        computed=Fraction(ours, theirs),
        unit="1",
    )


def _of_one_thing(facts: Facts) -> Iterator[Finding]:
    yield from _over_the_better(facts)
    yield from _above_measured(facts)


PARTS: Final = (AuditPart("gains/of-one-thing", _gained, _of_one_thing, SPEEDS, sorts=RATIO, needs="baseline"),)
ALONE: Final = (
    Alone("gains/without-baseline", _without_baseline, needs="baseline_status"),
    Alone("gains/unlike-sizes", _unlike_sizes, (*SPEEDS, "performance-per-tco")),
)
