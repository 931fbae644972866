"""Why a printed result may differ from what its inputs give: a search over a closed list of explanations.

Each explanation is a hypothesis that reproduces a number from the same inputs in another way. With enough hypotheses
some number always fits, so the search has a budget. The chance that a hypothesis reproduces a random figure is bounded
from above by the share of the printed result's decade that the figures it would accept cover (the larger of the
logarithmic and the even share, so that it holds for both ways of drawing digits). Hypotheses are tried from the most to
the least telling while their chances add up to less than 5 %; one that no longer fits in is not tried, one that lies in
another decade costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.hypotheses import CODES, ExplanationCode, Hypothesis, SlipSearch
from kg.audit.surroundings import Surroundings
from kg.model.expression import Expression, ExpressionError
from kg.model.interval import Interval

# Shared by all hypotheses of a search: the search as a whole, not each of them, errs in under 5 %.
BUDGET = Fraction(1, 20)
_NONE, _ALL = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class SlipExplanation:
    """A slip that would print this result; ``corrected`` is the value without it, ``reproduced`` the one with it."""

    code: ExplanationCode
    text: str
    corrected: Fraction
    approximate: bool
    reproduced: Fraction
    exact_fit: bool
    rank: int
    chance: Fraction


_Tried = tuple[Hypothesis, Interval, Fraction]


def explain(
    expression: Expression,
    result: ExplainedQuantity,
    inputs: dict[str, ExplainedQuantity],
    *,
    surroundings: Surroundings | None = None,
    factor: Fraction = _ALL,
) -> tuple[SlipExplanation, ...]:
    """The slips that would print this result, best first; none that chance alone would fit in 5 % of such figures.

    `factor` leads from the units of the inputs to that of the result.
    """
    figure = None if result.value is None else result.as_printed(Interval.exactly(result.value)).lower
    if not figure:
        return ()
    values = {name: q.value for name, q in inputs.items() if q.value is not None}
    try:
        point = expression.evaluate(values) * factor
        interval = expression.evaluate_intervals({name: q.interval for name, q in inputs.items()}).scaled(factor)
    except ExpressionError:  # a range among the inputs, or a division by zero
        return ()
    search = SlipSearch(expression, result, inputs, surroundings or Surroundings(), point, interval, factor)
    # sorting is stable: hypotheses of one code keep the order in which they were made
    ordered = sorted(search.hypotheses(), key=lambda hypothesis: CODES.index(hypothesis.code))
    tried = _within_budget(ordered, result, figure)
    found = [(h, chance, exact) for h, reach, chance in tried for exact in _fit(h, reach, result)]
    # what fits the inputs as printed says more than what fits only once they are rounded
    found.sort(key=lambda fit: (not fit[2], CODES.index(fit[0].code)))
    approximate = any(not q.exact for q in inputs.values())
    best: dict[str, SlipExplanation] = {}
    for h, chance, exact in found:
        rank = len(best) + 1
        # one explanation a code: that 4 and 8 may both be nodes is one idea,
        # of which the better fit is shown
        best.setdefault(h.code, SlipExplanation(h.code, h.text, point, approximate, h.point, exact, rank, chance))
    return tuple(best.values())


def chance_of(interval: Interval, figure: Fraction, place: Fraction) -> Fraction:
    """An upper bound of how many figures of the same sign, decade and last place fit an interval of printed values.

    >>> chance_of(Interval.exactly(57), Fraction(43), Fraction(1)) < Fraction(1, 50)
    True
    >>> chance_of(Interval.exactly(570), Fraction(43), Fraction(1))
    Fraction(0, 1)
    """
    return _share(interval, _decade(abs(figure)), place / 2, is_negative=figure < 0)


def _share(interval: Interval, decade: Fraction, half: Fraction, *, is_negative: bool) -> Fraction:
    """The chance of an interval, half a place wider on each side, in the decade of a figure."""
    # half a place on each side, because every printed figure that
    # rounds into the interval is accepted
    mirrored, top = -interval if is_negative else interval, 10 * decade
    low = decade if mirrored.lower is None else max(mirrored.lower - half, decade)
    high = top if mirrored.upper is None else min(mirrored.upper + half, top)
    if low >= high:
        return _NONE
    # ln(high / low) <= high / low - 1, and 10/23 is just above 1 / ln 10; the larger of that share and the even one
    width = high - low
    share = width * 10 / (low * 23) if low * 23 < decade * 90 else width / (decade * 9)
    return min(_ALL, share)


def _decade(value: Fraction) -> Fraction:
    """The power of ten at or below a positive value."""
    power = Fraction(10) ** (len(str(value.numerator)) - len(str(value.denominator)))
    return power if power <= value else power / 10


def _within_budget(ordered: list[Hypothesis], result: ExplainedQuantity, figure: Fraction) -> Iterator[_Tried]:
    """The hypotheses that may be tried, and how far each may reach: all its inputs allow, else its point only."""
    spent, decade, half = _NONE, _decade(abs(figure)), result.place / 2
    for h in ordered:
        # what inputs of two digits allow may be too wide to prove anything;
        # the point alone may still fit in
        for reach in (h.interval, Interval.exactly(h.point)):
            chance = h.chance
            if chance is None:
                chance = _share(result.as_printed(reach), decade, half, is_negative=figure < 0)
            if not chance or spent + chance < BUDGET:
                spent += chance
                yield h, reach, chance
                break


def _fit(h: Hypothesis, reach: Interval, result: ExplainedQuantity) -> list[bool]:
    """One truth value if the hypothesis fits: whether it does so with the inputs exactly as printed."""
    if h.target is not None:
        point, reach, target = result.as_printed(Interval.exactly(h.point)), result.as_printed(reach), h.target
    else:
        point, target = Interval.exactly(h.point), result.interval
    return [target.includes(point)] if target.overlaps(reach) else []
