"""Gains that make one another: what a metric gains that is one metric over another, against the gains of these two.

Work per watt is speed over power, tokens for a dollar are speed over price, energy per token is power over speed. Gains of
one pair of things in the three of them multiply, within a text and between texts. Where no figures of the parts give the
printed whole, they are of unlike work, or one of them is from elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from kg.audit.finding import Finding, Severity
from kg.audit.normalisers import normalisers, same_normaliser
from kg.audit.rules.facts import Facts, compatible, involved, is_in_reach, is_ratio, is_single
from kg.audit.rules.gains import SPEEDS, same_pair, same_work, shown_gain
from kg.audit.rules.part import RATIO, AuditPart, Scope
from kg.audit.wording import text_of
from kg.model.counting import first_of
from kg.model.derived import CanonicalFigure
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord

POWER: Final = "power"
PRICES: Final = ("rental-price", "purchase-price", "capital-cost", "tco")
QUOTIENTS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "performance-per-watt": (SPEEDS, (POWER,)),
    "energy-efficiency": (("peak-compute", *SPEEDS), (POWER,)),
    "performance-per-tco": (SPEEDS, ("tco",)),
    "cost-effectiveness": (SPEEDS, PRICES),
    "energy-per-token": ((POWER,), SPEEDS),
    "energy-use": ((POWER,), SPEEDS),
    "inference-cost": (PRICES, SPEEDS),
    "training-cost": (PRICES, SPEEDS),
    "cost-per-memory": (PRICES, ("memory-capacity",)),
}
"""Metrics that are one metric over another, each read as any of several."""
_WHOLES: Final = frozenset(QUOTIENTS)
_PARTS: Final = frozenset(metric for sides in QUOTIENTS.values() for side in sides for metric in side)
_DIVISORS: Final = frozenset({"per-watt", "per-tco", "per-dollar", "per-token"})
_MANY: Final = 24
"""At most this many gains and figures of one metric are examined: one text states few of one pair."""
_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class PartGain:
    """What one thing has of a metric over what another has, and the claims that say so; none where it is published."""

    factor: Interval
    value: Fraction
    shown: str
    claims: tuple[ClaimRecord, ...] = ()
    reference: str | None = None


def _in_text(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if _is_whole(claim):
        yield claim["source"], "whole"
    elif claim["metric"] in _PARTS and (_is_gain(claim) or is_single(claim)):
        yield claim["source"], "part"


def _in_texts(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if _is_gain(claim):
        pair = f"{facts.root(claim['subject'])}|{facts.root(claim['baseline'])}"
        yield pair, "whole" if _is_whole(claim) else "part"


def _is_gain(claim: ClaimRecord) -> bool:
    """Whether a claim says by itself what one thing has over another: a repetition says it no second time."""
    return (
        "baseline" in claim
        and is_ratio(claim)
        and "same_as" not in claim
        and claim.get("modality", "stated") != "required"
        and not any("claim" in link for link in claim.get("restates", ()))
    )


def _is_whole(claim: ClaimRecord) -> bool:
    """Whether a gain is of a quotient; one that is computed from other figures is judged by those."""
    return claim["metric"] in _WHOLES and _is_gain(claim) and "derivations" not in claim


def _products(facts: Facts) -> Iterator[Finding]:
    """Every gain of a quotient against the gains of its parts in the same text."""
    for claim in filter(_is_whole, facts.of_metrics(*sorted(_WHOLES))):
        above, below = (_parts(facts, claim, metrics) for metrics in QUOTIENTS[claim["metric"]])
        yield from _judged(facts, claim, above, below, key="1", where="the same text")


def _across(facts: Facts) -> Iterator[Finding]:
    """The same where the figures are of several texts: each of them says part of it."""
    for claim in filter(_is_whole, facts.of_metrics(*sorted(_WHOLES))):
        # stated gains only: a power or a price in another text would be of another card
        above, below = (_stated(facts, claim, metrics) for metrics in QUOTIENTS[claim["metric"]])
        texts = {one["source"] for part in (*above, *below) for one in part.claims}
        # what lies in one text is judged by `_products` already
        if texts - {claim["source"]}:
            yield from _judged(facts, claim, above, below, key="texts", where="a text")


def _parts(facts: Facts, claim: ClaimRecord, metrics: Sequence[str]) -> list[PartGain]:
    """What the subject has over the baseline of one of some metrics: as stated, by both figures, or as published."""
    found = [one for one in _stated(facts, claim, metrics) if one.claims[0]["source"] == claim["source"]]
    return found or _figures(facts, claim, metrics) or (_published(facts, claim) if POWER in metrics else [])


def _stated(facts: Facts, claim: ClaimRecord, metrics: Sequence[str]) -> list[PartGain]:
    found = []
    for one, figure in facts.figured(facts.of_metrics(*metrics)):
        if one is claim or not _is_gain(one) or figure.value <= 0:
            continue
        of_one_pair = facts.root(one["subject"]) == facts.root(claim["subject"]) and same_pair(facts, claim, one)
        if of_one_pair and _alike(claim, one) and same_work(claim, one):
            words = f"{shown_gain(one)} in {one['metric'].replace('-', ' ')}"
            found.append(PartGain(figure.interval, figure.value, words, (one,)))
    return found[:_MANY]


def _figures(facts: Facts, claim: ClaimRecord, metrics: Sequence[str]) -> list[PartGain]:
    """Quotients of the figures that the text of a claim gives of its two things."""
    sides: tuple[list[tuple[CanonicalFigure, ClaimRecord]], ...] = ([], [])
    for one, figure in facts.figured(facts.of_metrics(*metrics)):
        if is_single(one) and one["source"] == claim["source"] and figure.value > 0 and _alike(claim, one):
            for side, thing in zip(sides, (claim["subject"], claim["baseline"]), strict=True):
                if facts.root(one["subject"]) == facts.root(thing) and len(side) < _MANY:
                    side.append((figure, one))
    return [
        PartGain(
            ours.interval / theirs.interval,
            ours.value / theirs.value,
            f"{shown_gain(one)} beside {shown_gain(other)} in {one['metric'].replace('-', ' ')}",
            (one, other),
        )
        for (ours, one), (theirs, other) in product(*sides)
        if one["metric"] == other["metric"] and ours.kind == theirs.kind and compatible(one, other)
    ][:_MANY]


def _published(facts: Facts, claim: ClaimRecord) -> list[PartGain]:
    """By what the published power of one thing is that of the other, between all their forms."""
    ours, theirs = (facts.published(thing, POWER) for thing in (claim["subject"], claim["baseline"]))
    if not ours or not theirs:
        return []
    # over all forms (PCIe, SXM), since a text seldom says which one it means
    spans = [Interval(min(one.value for one in some), max(one.value for one in some)) for some in (ours, theirs)]
    first, second = ours[0], theirs[0]
    shown = f"{text_of(first.value)} W beside {text_of(second.value)} W"
    reference = f"{first.citation.text}; {second.citation.text}"
    return [PartGain(spans[0] / spans[1], first.value / second.value, shown, reference=reference)]


def _alike(claim: ClaimRecord, one: ClaimRecord) -> bool:
    """Whether two figures are of one kind of thing, divided alike as far as that is said."""
    # "per watt" of a gain in work per watt is what it is a gain in
    is_divided = normalisers(claim) <= _DIVISORS or same_normaliser(claim, one)
    return one["level"] == claim["level"] and is_divided


def _go_together(one: PartGain, two: PartGain) -> bool:
    return not (one.claims and two.claims) or same_normaliser(one.claims[0], two.claims[0])


_Judgement = tuple[str, str, Severity]
_FITS: Final[_Judgement] = ("identity.holds", "consistent", "info")
_DOES_NOT_FIT: Final[_Judgement] = ("gains.product", "tension", "warning")


def _judged(
    facts: Facts, claim: ClaimRecord, above: Sequence[PartGain], below: Sequence[PartGain], *, key: str, where: str
) -> Iterator[Finding]:
    """One gain against all quotients of its parts: a single one that fits is enough, the others may be of other work."""
    figure = facts.figure(claim)
    together = ((one, two) for one, two in product(above, below) if _go_together(one, two))
    made = [(one, two) for one, two in together if is_in_reach(one.value / two.value)]
    if figure is None or not made:
        return
    fitting = next((pair for pair in made if (pair[0].factor / pair[1].factor).overlaps(figure.interval)), None)
    # the nearest is the least objection: what is said must hold for every reading of the text
    nearest = min(made, key=lambda pair: (abs(pair[0].value / pair[1].value - figure.value), pair[0].shown))
    one, two = fitting or nearest
    if fitting is not None:
        above, below = [one], [two]
    code, verdict, severity = _DOES_NOT_FIT if fitting is None else _FITS
    name = claim["metric"].replace("-", " ")
    reference = "; ".join(dict.fromkeys(filter(None, (one.reference, two.reference)))) or None
    yield Finding(
        code,
        verdict,
        severity,
        f"{shown_gain(claim)} in {name} over {facts.label(claim['baseline'])}; {where} gives {_listed(above)}, and "
        f"{_listed(below)}: together they make {_made(one, two, is_nearest=fitting is None and len(made) > 1)}",
        ((claim["id"], "whole"), *involved(_premises(above, below), "part")),
        key=key,
        computed=one.value / two.value,
        unit="1",
        basis="document" if reference is None else "reference",
        reference=reference,
    )


def _premises(above: Iterable[PartGain], below: Iterable[PartGain]) -> Iterable[ClaimRecord]:
    """The claims that say what two parts gain, each once."""
    return {each["id"]: each for part in (*above, *below) for each in part.claims}.values()


def _made(one: PartGain, two: PartGain, *, is_nearest: bool) -> str:
    """What two parts make, and between which ends as they are rounded."""
    span = one.factor / two.factor
    ends = f" ({text_of(span.lower)} to {text_of(span.upper)} as they are rounded)" if span.lower and span.upper else ""
    return f"{'at the nearest ' if is_nearest else ''}{text_of(one.value / two.value)} times{ends}"


def _listed(parts: Iterable[PartGain]) -> str:
    words = list(dict.fromkeys(one.shown for one in parts))
    return first_of(words, _SHOWN, joined=" or ")


_METRICS: Final = tuple(sorted(_WHOLES | _PARTS))
PARTS: Final = (
    AuditPart("products/in-text", _in_text, _products, _METRICS),
    AuditPart("products/across-texts", _in_texts, _across, _METRICS, sorts=RATIO, needs="baseline"),
)
ALONE: Final = ()
