"""Figures that belong to something else: to another subject of the same text, a model of another size, one number format."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding, Reason
from kg.audit.normalisers import same_normaliser
from kg.audit.rules.facts import Facts, compatible, involved, is_below, is_single, known
from kg.audit.rules.part import SINGLE, Alone, AuditPart, Scope
from kg.audit.wording import amount_of, print_of, text_of
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import PUBLISHED_FORM

FIXED: Final = ("memory-bandwidth", "memory-capacity", "power", "transistors")
"""Metrics of which a thing has one value, so that two in one text cannot both be meant."""
SIZES: Final = 3
"""A size may be this many times that of the model named as its example: sizes are rounded, and a class has a range."""
SLOW_MEMORIES: Final = ("technology/lpddr5x",)
Stated = tuple[ClaimRecord, CanonicalFigure]


def _things(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    # a text may give one thing the figure of another; a file of rows has a row of its own for each, many with equal cells
    if claim["level"] != "accelerator" or facts.registry.get(claim["source"], {}).get("form") == PUBLISHED_FORM:
        return
    yield f"{claim['source']}|{claim['metric']}", facts.root(claim["subject"])


def _of_another(facts: Facts) -> Iterator[Finding]:
    """A figure that the text gives another thing too, while it says another one of this thing more often."""
    # a text may state many things: each is held against its own and against those of its value alone
    by_root: dict[str, list[Stated]] = defaultdict(list)
    by_value: dict[Fraction, list[Stated]] = defaultdict(list)
    for one in facts.figured(facts.claims.values()):
        by_root[facts.root(one[0]["subject"])].append(one)
        by_value[one[1].value].append(one)
    for root, stated in by_root.items():
        for claim, figure in stated:
            own = [one for one in stated if _alike(claim, one[0])]
            rivals = [one for one in own if _apart(one[1], figure)]
            if not rivals:
                continue
            owners = [one for one in by_value[figure.value] if facts.root(one[0]["subject"]) != root]
            usual = max((one[1].value for one in rivals), key=lambda value: _times(rivals, value))
            # said as often as the other figure, either may be the slip
            if owners and _times(rivals, usual) > _times(own, figure.value):
                yield _borrowed(facts, (claim, figure), usual, rivals, owners)


def _alike(claim: ClaimRecord, other: ClaimRecord) -> bool:
    return same_normaliser(claim, other) and compatible(claim, other)


def _apart(one: CanonicalFigure, other: CanonicalFigure) -> bool:
    return is_below(one, other) or is_below(other, one)


def _times(stated: Sequence[Stated], value: Fraction) -> int:
    return sum(figure.value == value for _, figure in stated)


def _borrowed(
    facts: Facts, suspect: Stated, usual: Fraction, rivals: Sequence[Stated], owners: Sequence[Stated]
) -> Finding:
    (claim, figure), owner = suspect, facts.label(owners[0][0]["subject"])
    usually = [one for one, other in rivals if other.value == usual]
    return Finding(
        "plausibility.other-subject",
        "suspicious",
        "warning",
        f"the same text gives {facts.label(claim['subject'])} {print_of(usually[0]['quantity'])} in {len(usually)} other places, and this "
        f"figure to {owner}",
        (
            (claim["id"], "suspect"),
            *involved((one for one, _ in owners), "whose it is"),
            *involved(usually, "the figure elsewhere"),
        ),
        corrected=usual,
        unit=figure.unit,
        reasons=(Reason("other.subject", f"the figure of {owner}", usual),),
    )


def _examples(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "parameters" and claim["level"] == "model" and is_single(claim):
        yield f"{claim['source']}|{claim['subject']}", "parameters"
    elif claim["metric"] == "model-size-supported" and isinstance(model := known(claim, "model"), str):
        yield f"{claim['source']}|{model}", "size"


def _of_another_size(facts: Facts) -> Iterator[Finding]:
    """A size of models with an example that is of quite another size."""
    models = [one for one in facts.figured(facts.by_metric.get("parameters", ())) if one[1].value]
    for claim, size in facts.figured(filter(is_single, facts.by_metric.get("model-size-supported", ()))):
        for model, parameters in models:
            times = size.value / parameters.value
            if times > SIZES or times < Fraction(1, SIZES):
                yield Finding(
                    "plausibility.example-size",
                    "suspicious",
                    "warning",
                    f"{print_of(claim['quantity'])} parameters with {facts.label(model['subject'])} as the example, which has "
                    f"{print_of(model['quantity'])}: {text_of(times)} times as many",
                    ((claim["id"], "suspect"), (model["id"], "example")),
                    computed=parameters.value,
                    unit=parameters.unit,
                )
                break


def _of_one_format(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A rate of a whole, without number format, that its accelerators reach in some formats and not in others."""
    figure = facts.figure(claim) if _is_rate_of_a_whole(claim) else None
    if figure is None or figure.lower is None:
        return
    for part in facts.registry.get(claim["subject"], {}).get("parts", ()):
        published = facts.published(part["part"], "peak-compute")
        rates = [(one, part["count"] * one.value) for one in published if one.precision is not None]
        reached = [one for one in rates if one[1] >= figure.lower]
        missed = sorted((one for one in rates if one[1] < figure.lower), key=lambda one: one[1])
        # reached in all formats it needs no label, reached in none no label would help
        if reached and missed:
            best = missed[-1]
            formats = ", ".join(sorted(facts.label(str(one.precision)) for one, _ in reached))
            yield Finding(
                "plausibility.format-unstated",
                "suspicious",
                "warning",
                f"no number format is said, and {part['count']} {facts.label(part['part'])} reach it only in {formats}; in "
                f"{facts.label(str(best[0].precision))} they have {amount_of(best[1], figure.unit)}",
                ((claim["id"], "suspect"),),
                computed=best[1],
                unit=figure.unit,
                basis="reference",
                reference=best[0].citation.text,
            )
            return


def _is_rate_of_a_whole(claim: ClaimRecord) -> bool:
    """Whether an absolute figure is of several accelerators and names no number format."""
    if "same_as" in claim or claim["level"] == "accelerator" or known(claim, "precision") is not None:
        return False
    return claim.get("relation", "absolute") == "absolute"


def _memories(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "memory-type" or is_single(claim):
        yield f"{claim['source']}|{claim['subject']}", claim["metric"]


def _of_another_memory(facts: Facts) -> Iterator[Finding]:
    """A bandwidth next to a type of memory that reaches no such thing: the two are of two memories of one superchip."""
    limit = facts.references.limits.get("bandwidth-of-lpddr5x")
    types = [
        one
        for one in facts.by_metric.get("memory-type", ())
        if (one.get("quantity") or {}).get("term") in SLOW_MEMORIES
    ]
    others = {(one.get("quantity") or {}).get("term") for one in facts.by_metric.get("memory-type", ())}
    if limit is None or not types or len(others) > 1:
        return  # who names both memories of a superchip mixes nothing up
    for claim in facts.by_metric.get("memory-bandwidth", ()):
        figure = facts.figure(claim) if is_single(claim) else None
        if figure is not None and figure.lower is not None and figure.lower > 2 * limit[0]:
            yield Finding(
                "plausibility.memory-type",
                "suspicious",
                "warning",
                f"{text_of(figure.value / limit[0])} times what {facts.label(types[0]['quantity']['term'])} reaches beside one CPU: the "
                "type is of one memory, the bandwidth of another",
                ((types[0]["id"], "suspect"), (claim["id"], "bandwidth")),
                basis="reference",
                reference=limit[1].text,
            )


PARTS: Final = (
    AuditPart("misplaced/memory", _memories, _of_another_memory, ("memory-type", "memory-bandwidth")),
    AuditPart("misplaced/subject", _things, _of_another, FIXED, sorts=SINGLE),
    AuditPart("misplaced/example", _examples, _of_another_size, ("parameters", "model-size-supported")),
)
ALONE: Final = (Alone("misplaced/format", _of_one_format, ("peak-compute",)),)
