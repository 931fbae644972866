"""How far a ratio of a text may lie from what its two figures give: the band of its print, and what its hedge leaves open.

A figure by itself means all that rounds to it, half a unit of its last place on each side. Next to the two figures that it
compares, a reader sees what was rounded: "twice" is no word for 1.4 times (decision record 64).
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from kg.model.hedges import LOWER, STRICT_LOWER, STRICT_UPPER
from kg.model.printed import PrintedNumber, Relation

_REACH: Final = Fraction(1, 10)
"""How far what rounds to a factor, or to a round figure, lies from it at most, as a part of it: "twice" is 1.8 to 2.2 times."""
_REACH_OF_PART: Final = Fraction(3, 20)
"""The same of a third and less, where a tenth is hardly a step: 8.8 % is "a tenth"."""
_OPEN: Final = STRICT_LOWER | LOWER | STRICT_UPPER
"""Hedges with which a figure is a bound of what is compared; "up to 700 W" is compared by its largest."""
_SLACK: Final = 0.02
_HEDGED: Final = 0.15
_TOLERANCE: Final[Mapping[str | None, tuple[float, float]]] = {
    "about": (_HEDGED, _HEDGED),
    "roughly": (_HEDGED, _HEDGED),
    "close-to": (_HEDGED, _HEDGED),
    "around": (_HEDGED, _HEDGED),
    "nearly": (_HEDGED, _SLACK),
}
"""How far below and above a ratio with a hedge what is computed may lie, as a share of it: "nearly doubled" is said from 1.7x
on, and not of 2.1x."""
_OF_CHANGE: Final = 0.1
_OF_HEDGED_CHANGE: Final = 0.2
"""The same of a percentage, as a share of what is printed: 2 % of "5% more" would be 3 % to 7 %."""


def narrowed(number: PrintedNumber, relation: str) -> PrintedNumber:
    """A printed result with no more room than a tenth of it: as a factor, and where its zeros at the end may be rounding.

    The digits of a percentage keep theirs, so that 4.4 % is still "4%".
    """
    if isinstance(number.value, tuple):
        return number
    is_part = number.unit == "1" and abs(number.value) < Fraction(1, 2)
    reach = abs(number.value) * (_REACH_OF_PART if is_part else _REACH)
    low, high = number.value - reach, number.value + reach
    lower, upper = number.lower, number.upper
    is_factor = relation != "absolute" and number.unit != "%"
    if is_factor:
        lower, upper = _within(lower, upper, low, high)
    wide_lower, wide_upper = _within(number.wide_lower, number.wide_upper, low, high)
    if lower is not None and wide_lower is not None:
        wide_lower = min(lower, wide_lower)
    if upper is not None and wide_upper is not None:
        wide_upper = max(upper, wide_upper)
    return replace(
        number,
        lower=lower,
        upper=upper,
        wide_lower=wide_lower,
        wide_upper=wide_upper,
        exact=number.exact or (is_factor and number.digits == 1),  # nobody cuts 3.9x off to "3x"
    )


def _within(
    lower: Fraction | None, upper: Fraction | None, low: Fraction, high: Fraction
) -> tuple[Fraction | None, Fraction | None]:
    """Bounds that are closed, cut to others; a bound that a hedge leaves open stays so."""
    return None if lower is None else max(lower, low), None if upper is None else min(upper, high)


def as_printed(number: PrintedNumber | None, result: PrintedNumber | None) -> PrintedNumber | None:
    """A figure that is compared as its very print, where the ratio is printed with fewer digits than it.

    A ratio with as many digits may have been computed from figures that had more: from 3 s to 1 s may be "2.8x".
    """
    if number is None or result is None or isinstance(number.value, tuple) or number.hedge in _OPEN:
        return number
    digits = _significant(result)
    if digits >= _significant(number) and (digits > 1 or result.unit == "%"):
        return number
    value = number.value
    return replace(number, lower=value, upper=value, wide_lower=value, wide_upper=value)


def _significant(number: PrintedNumber) -> int:
    """The digits of a print without the zeros at its end, which may be rounding."""
    if isinstance(number.value, tuple) or number.place is None or not number.value or number.place.denominator != 1:
        return number.digits
    whole = abs(int(number.value / number.place))
    return max(1, number.digits - (len(str(whole)) - len(str(whole).rstrip("0"))))


def is_within_hedge(
    number: PrintedNumber | None, relation: str, stated: Fraction | None, computed: Fraction | None
) -> bool:
    """Whether a hedge or a round figure is all that lies between what is stated and computed: nobody is wrong for "about 2x"."""
    if not stated or computed is None:
        return False
    hedge = number.hedge if number is not None else None
    below, above = _TOLERANCE.get(hedge, (_SLACK, _SLACK))
    if relation == "absolute":
        below, above = min(below, _OF_CHANGE), min(above, _OF_CHANGE)
    off = float(computed - stated)
    least, most = below * abs(float(stated)), above * abs(float(stated))
    if number is not None and number.unit == "%" and relation in ("increase", "decrease"):
        change = abs(float(stated - 1)) * (_OF_HEDGED_CHANGE if hedge in _TOLERANCE else _OF_CHANGE)
        least, most = min(least, change), min(most, change)
    return -least <= off <= most


def readings(number: PrintedNumber | None, relation: str, *, is_multiple: bool) -> tuple[tuple[str, Relation], ...]:
    """What a ratio next to "from B to A" may mean: the formula, and the relation that its print then has."""
    percent = number is not None and number.unit == "%"
    if is_multiple and not percent and relation == "ratio":
        return (("a / b", "ratio"),)
    match relation:
        case "increase":
            return (("a / b", "increase"),) if percent else (("a / b", "increase"), ("a / b", "ratio"))
        case "decrease":
            return (("a / b", "decrease"),)
        case "times-less":
            return ("a / b", "times-less"), ("b / a", "ratio")
        case "share-of":
            return (("a / b", "share-of"), ("a / b", "increase"), ("a / b", "decrease"))
        case _:
            if percent:
                return ("a / b", "increase"), ("a / b", "decrease"), ("a / b", "share-of")
            # "2x" is written of what grew to twice, of what fell to half, and loosely of a gain
            return ("a / b", "ratio"), ("b / a", "ratio"), ("a / b", "increase")
