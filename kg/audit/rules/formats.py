"""Number formats and sparsity of peak rates: a label that is missing or wrong, recognised by a factor of two.

A tensor unit does twice the operations with half the bits, and twice as many again where half of the weights are zero. The
published figures (`ontology/references.yaml`) are those with sparsity, so a figure that equals one of them is one with
sparsity, whatever its label leaves out, and one of half of it or less is not.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from kg.audit.claim_links import divided
from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, each, is_single, known
from kg.audit.rules.part import RATIO, SINGLE, Alone, AuditPart, Scope
from kg.audit.rules.plausibility import bits_of
from kg.audit.wording import amount_of, printed_figure, text_of
from kg.model.counting import first_of, is_or_are
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord
from kg.model.reference import Figure as PublishedFigure

RATES: Final = ("peak-compute", "energy-efficiency", "performance-per-watt")
_KINDS: Final = ("compute", "compute-per-power")
_DENSE: Final = Fraction(101, 200)
"""A figure of so much of the one with sparsity, or less, is one without; a hundredth is left for rounding."""
_FAR: Final = Fraction(6, 5)
"""This many times the published figure of its format, a rate is that of another format."""
_ABOUT: Final = Fraction(99, 100)
"""How much of half of the published rate a rate without sparsity is at least."""
Sparsity = Literal["sparse", "dense"]


def _labelled(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    bits = bits_of(known(claim, "precision"))
    if bits and claim["level"] == "accelerator":
        yield f"{claim['source']}|{facts.root(claim['subject'])}", bits


def _other_label(facts: Facts) -> Iterator[Finding]:
    """A peak rate that one text gives one chip at two widths: the wider label is wrong where a published figure says so."""
    by_bits: dict[int, list[tuple[CanonicalFigure, ClaimRecord]]] = defaultdict(list)
    for claim, figure in facts.figured(facts.claims.values()):
        by_bits[bits_of(known(claim, "precision")) or 0].append((figure, claim))
    for wide in sorted(by_bits):
        for narrow in (one for one in sorted(by_bits) if one < wide):
            values = {figure.value: claim for figure, claim in by_bits[narrow]}
            for figure, claim in by_bits[wide]:
                twin = values.get(figure.value)
                if twin is not None:
                    yield from _mislabelled(facts, claim, figure, twin)


def _mislabelled(facts: Facts, claim: ClaimRecord, figure: CanonicalFigure, twin: ClaimRecord) -> Iterator[Finding]:
    # some chips do compute as fast at eight bits as at four, so only a published figure of the wider format decides
    published = _published(facts, claim)
    if published is None or figure.lower is None or figure.lower <= _FAR * published.value:
        return
    yield Finding(
        "plausibility.other-format",
        "suspicious",
        "warning",
        f"the same {printed_figure(claim)} stand at {_format(facts, claim)} here and at {_format(facts, twin)} elsewhere in the text: the rate of "
        f"the narrower format under the label of the wider; {amount_of(published.value, figure.unit)}{published.under} are published",
        ((claim["id"], "suspect"), (twin["id"], "narrower format")),
        corrected=published.value,
        unit=figure.unit,
        basis="reference",
        reference=published.citation.text,
    )


def _published(facts: Facts, claim: ClaimRecord) -> PublishedFigure | None:
    """The published rate with sparsity in the format of a claim, of the thing or of the nearest thing above that has any."""
    bits = bits_of(known(claim, "precision"))
    figures = facts.published(claim["subject"], "peak-compute")
    return next((one for one in figures if bits and bits_of(one.precision) == bits), None)


def _format(facts: Facts, claim: ClaimRecord) -> str:
    given = known(claim, "precision")
    return "/".join(facts.label(str(one)) for one in (given if isinstance(given, list) else [given]))


def _sparsity(facts: Facts, claim: ClaimRecord) -> Sparsity | None:
    """Whether a rate that does not say so is the published one with sparsity or half of it; None where it is neither."""
    published, figure = _published(facts, claim), facts.figure(claim)
    # a bound such as "up to 20 PFLOPS" equals no published rate
    if published is None or figure is None or figure.lower is None or figure.upper is None:
        return None
    if figure.lower <= published.value <= figure.upper:
        return "sparse"
    is_half = figure.upper <= _DENSE * published.value and figure.upper >= _ABOUT * published.value / 2
    return "dense" if is_half else None


def _tabled(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    table = claim["anchor"].get("table")
    if table is not None and known(claim, "sparsity") is None:
        yield f"{claim['source']}|{table}", claim["id"]


def _tables(facts: Facts) -> Iterator[Finding]:
    """A column of peak rates that holds figures with sparsity next to figures without, and does not say which are which."""
    columns: dict[tuple[int, str], dict[Sparsity, list[ClaimRecord]]] = defaultdict(lambda: defaultdict(list))
    for claim in facts.by_metric.get("peak-compute", ()):
        bits, sparsity = bits_of(known(claim, "precision")), _sparsity(facts, claim)
        if bits and sparsity is not None:
            columns[bits, str(claim["anchor"].get("column"))][sparsity].append(claim)
    for found in columns.values():
        sparse, dense = found["sparse"], found["dense"]
        if sparse and dense:
            few, many = sorted((dense, sparse), key=len)
            named = first_of(list(dict.fromkeys(facts.label(one["subject"]) for one in dense)))
            yield Finding(
                "format.sparse-beside-dense",
                "suspicious",
                "warning",
                f"{len(sparse)} of the rates of this column {is_or_are(len(sparse))} published with sparsity, {len(dense)} {is_or_are(len(dense))} "
                f"without it ({named}), and no "
                "label says so: they are a factor of two apart",
                ((few[0]["id"], "suspect"), *each(few[1:], "same side"), *each(many, "other side")),
                basis="reference",
                reference=_citation(facts, sparse[0]),
            )


def _citation(facts: Facts, claim: ClaimRecord) -> str:
    published = _published(facts, claim)
    assert published is not None  # only a published figure tells with sparsity from without
    return published.citation.text


@dataclass(frozen=True, slots=True)
class _Quotient:
    """Two rates of a computation, one divided by the other, that gives what is printed."""

    above: ClaimRecord
    below: ClaimRecord
    value: Fraction


def _ratios(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A ratio of two rates whose formats or sparsity differ, where the claim is about one format."""
    quotients = list(_quotients(facts, claim)) if "baseline" in claim else []
    unlike = [one for one in quotients if _widths(facts, one) is not None]
    # one finding a ratio: further derivations repeat what the first shows
    for one in unlike[:1]:
        # the same figure may stand under both labels: then the computation with like labels is this one
        values = {_value(facts, one.above), _value(facts, one.below)}
        if all(
            {_value(facts, other.above), _value(facts, other.below)} == values
            for other in quotients
            if _widths(facts, other) is None
        ):
            yield _unlike(facts, claim, one)
            return
    for one in quotients:
        if _widths(facts, one) is None:
            yield from _half_sparse(facts, claim, one)
            return


def _quotients(facts: Facts, claim: ClaimRecord) -> Iterator[_Quotient]:
    figure = facts.figure(claim)
    for given in claim["derivations"]:
        sides = list(facts.figured(filter(is_single, divided(given, facts.lookup) or ())))
        if figure is None or len(sides) != 2:
            continue
        (one, above), (two, below) = sides
        if above.kind not in _KINDS or above.kind != below.kind or not below.value:
            continue
        if _rounds_to(figure, above.value / below.value):
            yield _Quotient(one, two, above.value / below.value)


def _rounds_to(figure: CanonicalFigure, value: Fraction) -> bool:
    """Whether a quotient is about what is printed: a prefix that slipped does not hide which figures were divided."""
    low, high = figure.lower, figure.upper
    if low is None or high is None:
        return False
    slack = (high - low) / 2
    return any(low - slack <= value / scale <= high + slack for scale in (1, 1000))


def _widths(facts: Facts, one: _Quotient) -> tuple[int, int] | None:
    """The widths of the two rates where both are known and differ."""
    above, below = (_width(facts, row) for row in (one.above, one.below))
    return (above, below) if above and below and above != below else None


def _width(facts: Facts, claim: ClaimRecord) -> int | None:
    """The bits of the format of a rate: as it says, else those of the one format in which it is published."""
    recognised = _recognised(facts, claim)
    return bits_of(known(claim, "precision") if recognised is None else recognised.precision)


def _recognised(facts: Facts, claim: ClaimRecord) -> PublishedFigure | None:
    """The published rate that a rate without a format is, where it is that of a single width."""
    figure = facts.figure(claim)
    if known(claim, "precision") is not None or figure is None or figure.lower is None or figure.upper is None:
        return None
    alike = [
        one
        for one in facts.published(claim["subject"], "peak-compute")
        if one.precision is not None and figure.lower <= one.value <= figure.upper
    ]
    return alike[0] if len({bits_of(one.precision) for one in alike}) == 1 else None


def _rate_at(facts: Facts, claim: ClaimRecord) -> str:
    """A rate with its format, and where that is from if the text leaves it out."""
    recognised = _recognised(facts, claim)
    if recognised is None:
        return f"{printed_figure(claim)} at {_format(facts, claim)}"
    return f"{printed_figure(claim)}, which are published at {facts.label(str(recognised.precision))},"


def _value(facts: Facts, claim: ClaimRecord) -> Fraction | None:
    figure = facts.figure(claim)
    return None if figure is None else figure.value


def _unlike(facts: Facts, claim: ClaimRecord, one: _Quotient) -> Finding:
    here, there = bits_of(known(claim, "precision")), bits_of(known(claim, "precision", "baseline_conditions"))
    # a claim that names both formats computed what it says: it has no
    # right value, only a reason for care
    stated = here is not None and there is not None and (here, there) == _widths(facts, one)
    published = None if stated else _at_one_format(facts, claim, one)
    right = None if published is None else (_value(facts, one.above) or Fraction(0)) / published.value
    rates = [found for row in (one.above, one.below) if (found := _recognised(facts, row)) is not None]
    used = [*rates, *([published] if published is not None else [])]
    cited = list(dict.fromkeys(each.citation.text for each in used))
    return Finding(
        "format.unlike-stated" if stated else "format.unlike",
        "suspicious",
        "warning",
        f"{_rate_at(facts, one.above)} were divided by {_rate_at(facts, one.below).rstrip(',')}: half the bits "
        "alone double a rate" + ("" if right is None else f"; at one format the ratio is {text_of(right)}"),
        ((claim["id"], "ratio"), (one.above["id"], "divided"), (one.below["id"], "by")),
        computed=one.value,
        corrected=right,
        unit="1",
        basis="reference" if cited else "document",
        reference="; ".join(cited) or None,
    )


def _at_one_format(facts: Facts, claim: ClaimRecord, one: _Quotient) -> PublishedFigure | None:
    """The published rate of the lower side in the format of a ratio of rates with sparsity."""
    # published rates are those with sparsity: a ratio of other rates cannot be put right with them
    if known(one.above, "sparsity") != "structured":
        return None
    return _published(facts, {**one.below, "conditions": claim.get("conditions") or {}})


def _half_sparse(facts: Facts, claim: ClaimRecord, one: _Quotient) -> Iterator[Finding]:
    """A rate with sparsity against one that is not: half of the published one, or none that is published at all."""
    sides = {_sparsity(facts, row): row for row in (one.above, one.below) if known(row, "sparsity") is None}
    if len(sides) != 2 or "sparse" not in sides:
        return
    sparse = sides.pop("sparse")
    ((sparsity, other),) = sides.items()
    published, figure = _published(facts, other), facts.figure(other)
    if published is None or figure is None or None in (figure.lower, figure.upper) or figure.value >= published.value:
        return  # nothing tells with what the other rate is, or it is above all that is published
    peaks = [peak for row in (one.above, one.below) if (peak := _published(facts, row)) is not None]
    if sparsity == "dense":
        right = one.value / 2 if sparse is one.above else one.value * 2
        reason = f"are without: with neither the ratio is {text_of(right)}"
    else:
        right = peaks[0].value / peaks[1].value
        reason = (
            f"are neither its published rate with sparsity ({amount_of(published.value, figure.unit)}) nor half of it: of the published "
            f"rates the ratio is {text_of(right)}"
        )
    yield Finding(
        "format.sparse-against-dense",
        "suspicious",
        "warning",
        f"{printed_figure(sparse)} of {facts.label(sparse['subject'])} are its published rate with sparsity, {printed_figure(other)} of "
        f"{facts.label(other['subject'])} {reason}",
        ((claim["id"], "ratio"), (sparse["id"], "with sparsity"), (other["id"], "without")),
        computed=right,
        corrected=right,
        unit="1",
        basis="reference",
        reference="; ".join(dict.fromkeys(peak.citation.text for peak in peaks)),
    )


def _unsaid(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A rate that holds with sparsity only and does not say so."""
    if known(claim, "sparsity") is not None or _sparsity(facts, claim) != "sparse":
        return
    figure = facts.figure(claim)
    assert figure is not None
    yield Finding(
        "format.sparsity-unsaid",
        "suspicious",
        "info",
        f"{printed_figure(claim)} is the published rate with sparsity; without it the rate is half, {amount_of(figure.value / 2, figure.unit)}",
        ((claim["id"], "about"),),
        computed=figure.value / 2,
        unit=figure.unit,
        basis="reference",
        reference=_citation(facts, claim),
    )


PARTS: Final[Sequence[AuditPart]] = (
    AuditPart("formats/labels", _labelled, _other_label, ("peak-compute",), sorts=SINGLE),
    AuditPart("formats/tables", _tabled, _tables, ("peak-compute",), sorts=SINGLE),
)
ALONE: Final[Sequence[Alone]] = (
    Alone("formats/ratios", _ratios, RATES, sorts=RATIO, needs="derivations"),
    Alone("formats/unsaid", _unsaid, ("peak-compute",), sorts=SINGLE),
)
