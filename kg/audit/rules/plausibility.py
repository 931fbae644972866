"""Plausibility: a figure far outside what is known, or that cannot hold next to other figures of the same thing."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, involved, is_gap, is_ratio, known
from kg.audit.rules.part import SINGLE, Alone, AuditPart, Scope
from kg.audit.wording import amount_of, text_of
from kg.model.counting import counted
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord

ABOVE: Final = 3
"""Compute per watt may lie this many times above the best known."""
BELOW: Final = 2
"""A bandwidth this many times below that of the predecessor is suspicious."""
BYTES: Final = {
    "precision/fp4": Fraction(1, 2),
    "precision/fp8": Fraction(1),
    "precision/int8": Fraction(1),
    "precision/fp16": Fraction(2),
    "precision/bf16": Fraction(2),
    "precision/fp32": Fraction(4),
}
BITS: Final = {"precision/fp4": 4, "precision/fp8": 8, "precision/int8": 8, "precision/fp16": 16, "precision/bf16": 16}
"""Formats that one unit of a chip computes, each twice as fast with half the bits. FP32 is none of them: other units do it,
at a rate that says nothing of these (`kg.audit.reach`)."""


def _efficiency(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    limit, figure = facts.references.limits.get("compute-per-power"), facts.figure(claim)
    if limit is None or figure is None or figure.kind != "compute-per-power":
        return
    best, citation = limit
    # three times: a next generation may double the best known, a wrong unit is off by a thousand
    if figure.value > ABOVE * best:
        yield Finding(
            "plausibility.compute-per-watt",
            "suspicious",
            "warning",
            f"{text_of(figure.value / best)} times the best known compute per watt ({amount_of(best, figure.unit)})",
            ((claim["id"], "suspect"),),
            computed=figure.value / best,
            unit="1",
            basis="reference",
            reference=citation.text,
        )


def _generation(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A memory bandwidth far below that of the chip family before."""
    if claim["level"] != "accelerator":
        return
    before = facts.references.predecessors.get(facts.root(claim["subject"]))
    older = facts.references.figures.get((before[0], "memory-bandwidth")) if before else None
    figure = facts.figure(claim) if older else None
    if not older or figure is None or figure.upper is None or figure.value <= 0:
        return
    # forms of a chip differ (PCIe, export): half leaves room for them, a wrong unit or a lost digit does not fit in
    if BELOW * figure.upper < older[0].value:
        yield Finding(
            "plausibility.below-predecessor",
            "suspicious",
            "warning",
            f"{text_of(older[0].value / figure.value)} times below the {amount_of(older[0].value, figure.unit)} of the generation "
            f"before ({facts.label(older[0].subject)})",
            ((claim["id"], "suspect"),),
            corrected=_published_bandwidth(facts, claim),
            unit=figure.unit,
            basis="reference",
            reference=older[0].citation.text,
        )


def _published_bandwidth(facts: Facts, claim: ClaimRecord) -> Fraction | None:
    """The published bandwidth of the thing itself, or of the nearest thing above it: the value to use instead."""
    figures = facts.published(claim["subject"], "memory-bandwidth")
    return figures[0].value if figures else None


def _sizes(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    is_memory = claim["metric"] == "memory-capacity"
    if not is_memory or claim["level"] == "accelerator":
        yield facts.root(claim["subject"]), is_memory


def _fit(facts: Facts) -> Iterator[Finding]:
    """Parameters whose weights need more bytes than the memory that is claimed for as many cards."""
    memories = [(figure.value, claim) for claim, figure in facts.figured(facts.by_metric.get("memory-capacity", ()))]
    for claim in facts.by_metric.get("model-size-supported", ()):
        # the largest memory that anybody claims: the rule only speaks where even that is too small
        own = [one for one in memories if facts.related(one[1]["subject"], _chip(facts, claim))]
        memory = max(own or memories, key=lambda one: one[0], default=(None, None))[1]
        cards = _cards(facts, claim)
        if memory is not None and cards is not None:
            yield from _fits(facts, claim, memory, cards)


def _chip(facts: Facts, claim: ClaimRecord) -> str:
    """The accelerator a claim is about: its subject, or what its subject is built from."""
    return str(facts.registry.get(claim["subject"], {}).get("of", claim["subject"]))


def _cards(facts: Facts, claim: ClaimRecord) -> int | None:
    """How many cards the size is claimed for; None where that is not stated."""
    count = facts.registry.get(claim["subject"], {}).get("count") or known(claim, "accelerators")
    if count is None and claim["level"] == "accelerator" and claim.get("normaliser") == "per-chip":
        count = 1
    return count if isinstance(count, int) else None


def _fits(facts: Facts, claim: ClaimRecord, memory: ClaimRecord, cards: int) -> Iterator[Finding]:
    size, room = facts.figure(claim), facts.figure(memory)
    trained = known(claim, "phase") in ("training", "pre-training", "pretraining")
    limit = facts.references.limits.get(f"bytes-per-parameter-{'trained' if trained else 'served'}")
    if size is None or room is None or limit is None or size.kind != "parameters":
        return
    stated = known(claim, "precision")
    # training needs gradients and optimiser state next to weights of any format
    width = None if trained or not isinstance(stated, str) else BYTES.get(stated)
    each = limit[0] if width is None else width
    needed = size.value * each
    if needed > room.value * cards:
        what = "weights, gradients and optimiser state in mixed precision with Adam" if trained else "weights alone"
        hint = "; it holds only if state is kept elsewhere or a part of the parameters is trained" if trained else ""
        yield Finding(
            "plausibility.does-not-fit",
            "suspicious",
            "warning",
            f"{text_of(size.value)} parameters need {text_of(needed / 10**9)} GB for {what} at {float(each):g} B each; "
            f"{counted(cards, 'card')} {'holds' if cards == 1 else 'hold'} {text_of(room.value * cards / 10**9)} GB{hint}",
            ((claim["id"], "suspect"), (memory["id"], "memory")),
            computed=needed,
            unit="byte",
            # how wide a format is its name says: the published width is that of the narrowest one
            basis="reference" if width is None else "document",
            reference=limit[1].text if width is None else None,
        )


def _any_card(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A size said of a kind of memory: the accelerators it is claimed for, each with far more than the largest has today."""
    largest, size, cards = (
        facts.references.limits.get("memory-of-one-accelerator"),
        facts.figure(claim),
        _cards(facts, claim),
    )
    each = facts.references.limits.get("bytes-per-parameter-served")
    if largest is None or each is None or size is None or cards is None or facts.kind(claim["subject"]) != "technology":
        return
    width = BYTES.get(str(known(claim, "precision")))
    bytes_each = each[0] if width is None else width
    needed, room = size.value * bytes_each, largest[0] * cards
    if size.kind == "parameters" and needed > ABOVE * room:
        yield Finding(
            "plausibility.does-not-fit",
            "suspicious",
            "warning",
            f"{text_of(size.value)} parameters need {text_of(needed / 10**9)} GB for weights alone at {float(bytes_each):g} B each; "
            f"the largest memory of {counted(cards, 'accelerator')} holds {text_of(room / 10**9)} GB",
            ((claim["id"], "suspect"),),
            computed=needed,
            unit="byte",
            basis="reference",
            reference=f"{each[1].text}; {largest[1].text}" if width is None else largest[1].text,
        )


def _formats(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    bits = bits_of(known(claim, "precision"))
    if bits:
        yield f"{claim['source']}|{claim['subject']}|{claim['level']}", bits


def _order_of_precisions(facts: Facts) -> Iterator[Finding]:
    """A chip that is said to compute faster at a number format than at the next narrower one that is stated."""
    # with sparsity a wider format may be faster than a narrower one without
    groups: dict[str, dict[int, list[tuple[CanonicalFigure, ClaimRecord]]]] = defaultdict(lambda: defaultdict(list))
    for claim, figure in facts.figured(facts.claims.values()):
        bits = bits_of(known(claim, "precision")) or 0
        groups[str(known(claim, "sparsity"))][bits].append((figure, claim))
    for by_bits in groups.values():
        widths = sorted(by_bits)
        for position, wide in enumerate(widths[1:], 1):
            narrow = by_bits[widths[position - 1]]
            best = max((figure for figure, _ in narrow), key=lambda figure: figure.value)
            for figure, claim in by_bits[wide]:
                if figure.lower is None or best.upper is None:
                    continue
                # a chip may be equally fast in two formats, never faster in the wider one; 0 says that it has none.
                # What both may mean once rounded is no difference; an edge they share rounds to one of them only.
                if figure.value > best.value > 0 and best.upper <= figure.lower:
                    yield Finding(
                        "plausibility.precision-order",
                        "suspicious",
                        "warning",
                        f"{text_of(figure.value / best.value)} times the compute that the same text gives the same chip at {widths[position - 1]} bits, "
                        f"although {wide} bits are wider: probably of several cards, or of another precision",
                        ((claim["id"], "suspect"), *involved((one for _, one in narrow), "narrower format")),
                    )


def bits_of(precision: object) -> int | None:
    """The width of a format; of a list of formats the one they share."""
    names = precision if isinstance(precision, list) else [precision]
    widths = {BITS.get(str(name)) for name in names}
    return widths.pop() if len(widths) == 1 else None


def _denied(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "technology-support":
        if claim.get("direction") == "absent" and isinstance(known(claim, "precision"), str) and not is_gap(claim):
            yield f"{claim['source']}|{claim['subject']}", "absent"
    elif "baseline" in claim and is_ratio(claim):
        yield f"{claim['source']}|{claim['baseline']}", "ratio"


def _zero_base(facts: Facts) -> Iterator[Finding]:
    """A ratio to something that the same text says is not there."""
    missing: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.by_metric.get("technology-support", ()):
        missing[known(claim, "precision")].append(claim)
    # a ratio to nothing has no value, so that either the denial or the ratio is wrong
    for claim in facts.of_metrics("compute-units", "peak-compute"):
        precision = str(known(claim, "precision", "baseline_conditions"))
        if denied := missing.get(precision):
            yield Finding(
                "plausibility.zero-base",
                "suspicious",
                "warning",
                f"a ratio to the {facts.label(precision)} units of {facts.label(claim['baseline'])}, which the same text says has none",
                ((claim["id"], "suspect"), *involved(denied, "says there are none")),
            )


PARTS: Final = (
    AuditPart("plausibility/fit", _sizes, _fit, ("memory-capacity", "model-size-supported"), sorts=SINGLE),
    AuditPart("plausibility/precisions", _formats, _order_of_precisions, ("peak-compute",), sorts=SINGLE),
    AuditPart("plausibility/zero-base", _denied, _zero_base, ("technology-support", "compute-units", "peak-compute")),
)
ALONE: Final = (
    Alone("plausibility/efficiency", _efficiency, ("energy-efficiency", "performance-per-watt"), sorts=SINGLE),
    Alone("plausibility/any-card", _any_card, ("model-size-supported",), sorts=SINGLE),
    Alone("plausibility/generation", _generation, ("memory-bandwidth",), sorts=SINGLE),
)
