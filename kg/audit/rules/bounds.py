"""Physical bounds: more than the memory or the arithmetic of an accelerator allows, or less power than it draws at rest.

Whoever serves a model does at least two operations for each active parameter and token; whoever answers one user alone reads
each active parameter from memory for every token. The bounds are those of `ontology/references.yaml`, chosen generously: what
lies beyond them is wrong, what lies within them may be wrong all the same.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import Facts, known
from kg.audit.rules.part import SINGLE, Alone, AuditPart
from kg.audit.wording import amount_of, text_of
from kg.model.counting import counted
from kg.model.recorded import ClaimRecord
from kg.model.reference import Figure

OPERATIONS: Final = 2
"""Of one active parameter for one token: a multiplication and an addition."""
TRAINING: Final = 6
"""Operations of one parameter for one token in training: two forward, four backward."""
DAY: Final = 86_400
WHOLE_TRAININGS: Final = ("training", "pre-training", "pretraining")
BYTES: Final = Fraction(1, 2)
"""Of one parameter in the narrowest format in use."""
RESTING: Final = Fraction(1, 20)
"""A card under load draws more than this share of its largest power; at rest it draws more already."""
IDLE: Final = Fraction(1, 20)
"""Nobody publishes a rate at which a system stands nearly still."""
_COUNTLESS: Final = frozenset({"per-user", "per-request"})


def _arithmetic(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A rate of tokens or of operations above what the accelerators can do at their peak."""
    cards = _cards(claim)
    if cards is None:
        return
    figure, peak = facts.figure(claim), _largest(facts, claim["subject"], "peak-compute")
    if figure is None or peak is None:
        return
    if figure.unit == "token/s":
        model = known(claim, "model")
        active = _largest(facts, model, "parameters") if isinstance(model, str) else None
        if active is None:
            return
        # attention and everything else cost more still: only the least is counted, so that the bound accuses nobody
        # wrongly
        needed = OPERATIONS * figure.value * active.value
    elif figure.kind == "compute":
        active, needed = None, figure.value
    else:
        return
    if needed > cards * peak.value:
        leans, of = peak.citation.text, "the figure is"
        if active is not None:
            leans = f"{leans}; {active.citation.text}"
            of = f"{text_of(figure.value)} {figure.unit} of a model with {text_of(active.value)} active parameters need"
        yield Finding(
            "plausibility.above-peak",
            "suspicious",
            "warning",
            f"{of} {amount_of(needed, 'FLOP/s')}, {text_of(needed / peak.value / cards)} times the peak of {counted(cards, 'accelerator')} ({facts.label(peak.subject)})",
            ((claim["id"], "suspect"),),
            computed=needed / peak.value / cards,
            unit="1",
            basis="reference",
            reference=leans,
        )


def _bandwidth(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """More tokens a second for one user than the memory can be read for."""
    if not normalisers(claim) & _COUNTLESS:
        return
    figure, model = facts.figure(claim), known(claim, "model")
    if figure is None or figure.unit != "token/s" or not isinstance(model, str):
        return
    memory, active = _largest(facts, claim["subject"], "memory-bandwidth"), _largest(facts, model, "parameters")
    count = known(claim, "accelerators")
    if memory is None or active is None or not isinstance(count, int) or count < 1:
        return
    # with several users one reading of the weights serves all, so the bound holds for one user only
    allowed = memory.value * count / (active.value * BYTES)
    if figure.value > allowed:
        yield Finding(
            "plausibility.above-bandwidth",
            "suspicious",
            "warning",
            f"{text_of(figure.value)} tokens a second for one user; {counted(count, 'accelerator')} {'reads' if count == 1 else 'read'} {text_of(active.value)} parameters of half a byte "
            f"{text_of(allowed)} times a second at most",
            ((claim["id"], "suspect"),),
            computed=figure.value / allowed,
            unit="1",
            basis="reference",
            reference=f"{memory.citation.text}; {active.citation.text}",
        )


def _resting(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A measured power that the accelerators it is of would draw at rest."""
    figure, cards = facts.figure(claim), _cards(claim)
    largest = _largest(facts, claim["subject"], "power")
    if figure is None or largest is None or cards is None or claim["kind"] != "measurement":
        return
    if figure.value < RESTING * largest.value * cards:
        yield Finding(
            "plausibility.below-idle",
            "suspicious",
            "warning",
            f"{text_of(figure.value)} W for {counted(cards, 'accelerator')} of up to {text_of(largest.value)} W each: less than they draw at rest",
            ((claim["id"], "suspect"),),
            computed=figure.value / (largest.value * cards),
            unit="1",
            basis="reference",
            reference=largest.citation.text,
        )


def _of_whom(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A rate of operations said of a rack or a node that can only be that of one of its accelerators."""
    if normalisers(claim):
        return
    figure = facts.figure(claim)
    if figure is None or figure.kind != "compute":
        return
    inside, peak = facts.accelerators_in(claim["subject"]), _peak_inside(facts, claim["subject"])
    if peak is None or inside < 2:
        return
    # both: above the peak of one it cannot be of one, and a twentieth of all is no rate to publish
    if figure.value <= peak.value and figure.value < IDLE * inside * peak.value:
        yield Finding(
            "scope.level-unstated",
            "ambiguous",
            "warning",
            f"printed of {facts.label(claim['subject'])}, {amount_of(figure.value, figure.unit)} is "
            f"{text_of(100 * figure.value / peak.value)} % of the peak of one accelerator and "
            f"{text_of(100 * figure.value / peak.value / inside)} % of that of its {inside}: it can only be meant of one",
            ((claim["id"], "suspect"),),
            computed=figure.value / peak.value,
            unit="1",
            basis="reference",
            reference=peak.citation.text,
        )


def _peak_inside(facts: Facts, thing: str) -> Figure | None:
    """The largest peak among the accelerators that a rack or a node is made of; that of a thing without parts."""
    inside = [part["part"] for part in facts.registry.get(thing, {}).get("parts", ())] or [thing]
    peaks = [peak for part in inside if (peak := _largest(facts, part, "peak-compute")) is not None]
    return max(peaks, key=lambda one: one.value, default=None)


def _is_of_a_whole_training(claim: ClaimRecord) -> bool:
    """Whether a model is said to be trained from the start to its end: no measured time is too short, and what a
    benchmark or a fine-tuning trains ends after a small part of the tokens."""
    if claim["kind"] == "measurement" or known(claim, "benchmark") is not None or known(claim, "task") is not None:
        return False
    return known(claim, "phase") in WHOLE_TRAININGS


def _trained(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A training that takes longer at the full peak, on the fewest tokens that such a model is worth its size with."""
    figure, model, count = facts.figure(claim), known(claim, "model"), known(claim, "accelerators")
    size = _largest(facts, model, "parameters") if isinstance(model, str) else None
    peak, tokens = _peak_inside(facts, claim["subject"]), facts.references.limits.get("tokens-per-parameter")
    # a multiple or a saving of time that names no baseline is no time
    if figure is None or figure.unit != "s" or figure.upper is None or size is None or peak is None or tokens is None:
        return
    if not isinstance(count, int) or count < 1 or "baseline" in claim or not _is_of_a_whole_training(claim):
        return
    # 6 N D operations, D = 20 N tokens (Hoffmann et al.): by size and number of
    # accelerators, in seconds at the full peak
    needed = TRAINING * size.value * tokens[0] * size.value / (count * peak.value)
    if needed > figure.upper:
        yield Finding(
            "plausibility.above-peak",
            "suspicious",
            "warning",
            f"{text_of(size.value)} parameters on {text_of(tokens[0])} tokens each take {text_of(needed / DAY)} days at the full peak of "
            f"{counted(count, 'accelerator')} ({facts.label(peak.subject)}), unless few of them are active",
            ((claim["id"], "suspect"),),
            computed=needed / figure.upper,
            unit="1",
            basis="reference",
            reference=f"{peak.citation.text}; {tokens[1].text}",
        )


def _largest(facts: Facts, thing: str, metric: str) -> Figure | None:
    """The largest reference figure of a thing; of its series where it has none of its own."""
    # the largest form of a series: the bound must hold for every form a text may mean
    return facts.largest(thing, metric)


def _cards(claim: ClaimRecord) -> int | None:
    """Of how many accelerators a figure is; None where that is open."""
    given = normalisers(claim)
    if "per-chip" in given:
        return 1
    count = known(claim, "accelerators")
    return count if given == {"total"} and isinstance(count, int) and count > 0 else None


PARTS: Final[tuple[AuditPart, ...]] = ()
ALONE: Final = (
    Alone("bounds/arithmetic", _arithmetic, ("throughput", "training-throughput", "inference-speed"), sorts=SINGLE),
    Alone("bounds/bandwidth", _bandwidth, ("throughput", "inference-speed"), sorts=SINGLE),
    Alone("bounds/of-whom", _of_whom, ("throughput", "training-throughput", "peak-compute"), sorts=SINGLE),
    Alone("bounds/trained", _trained, ("training-time",)),
    Alone("bounds/resting", _resting, ("power",), sorts=SINGLE),
)
