"""Figures that are printed as one: the ends of a range, an amount and its tolerance."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final

from kg.model.tolerance import MOST_SHARE, PLUS_MINUS
from kg.reading.currencies import CURRENCY
from kg.reading.figure_in_view import FigureInView, plain_value

RANGE: Final = re.compile(r"\s*(?:[-–—~‑−]|\bto\b|\bthrough\b)\s*(?:about |around |~|≈)?")
DASH: Final = re.compile(r"[-–—‑]")
_AND: Final = re.compile(r"\s+and\s+")


def joined_range(text: str, left: FigureInView, right: FigureInView) -> FigureInView | None:
    """Two figures as one range, if they are one."""
    # of "2-3-4" nobody knows which are the ends
    if left.low is not None or left.is_tolerant or not _is_of_one_unit(left, right):
        return None
    between = text[left.end if left.unit == right.unit else max(left.end, left.unit_end) : right.start]
    # what was read as a minus is the dash of a range where nothing else is between the two
    is_dash = text[right.start : right.start + 1] in ("-", "−") and not between.strip()
    between = text[left.end : right.start + 1] if is_dash else between
    if not _is_range(between, text[max(0, left.start - 20) : left.start]):
        return None
    high = -right.value if is_dash else right.value
    low = _low_end(left, right, high)
    if low >= high:
        return None
    return replace(
        right,
        start=left.start,
        value=high,
        low=low,
        hedge=left.hedge or right.hedge,
        currency=right.currency or left.currency,
    )


def _is_of_one_unit(left: FigureInView, right: FigureInView) -> bool:
    """Whether two figures may be the ends of a range by their units and currencies, each of which may be said once."""
    if (left.currency and right.unit) or (right.currency and right.currency != (left.currency or right.currency)):
        return False
    if left.unit is None or left.unit == right.unit or left.unit.startswith("count"):
        return True
    # a price and a price for a time: "$2 to $3/hr" says the time once
    return left.unit in CURRENCY.values() and (right.unit or "").startswith(f"{left.unit}/")


def _low_end(left: FigureInView, right: FigureInView, high: Fraction) -> Fraction:
    """The lower end of a range; "1-2M" prints the scale once, with the upper end. Figures in words have no digits."""
    digits = plain_value(right.digits) if right.digits else Fraction(0)
    # an end that is hundreds of times smaller leaves its scale to the other: "1 to 2 million", "3-4 hundred"
    is_scaled_by_right = (right.letter and not left.letter) or (
        left.unit in (None, *CURRENCY.values()) and left.value < (high / 10 if high == 100 * digits else high / 500)
    )
    return left.value * high / digits if is_scaled_by_right and digits else left.value


def _is_range(between: str, before: str) -> bool:
    """Whether words between two figures make a range of them; "from A to B" is a change."""
    if RANGE.fullmatch(between) is None and not (_AND.fullmatch(between) and _BETWEEN.search(before)):
        return False
    return "to" not in between or _CHANGE.search(before[-16:]) is None


_BETWEEN: Final = re.compile(r"\bbetween\s+(?:about |around )?$")
_CHANGE: Final = re.compile(r"\bfrom\s+(?:about |around |just |an? |the |over |nearly |roughly |~)?$")


_TOLERANCE: Final = re.compile(rf"\s?(?P<sign>{PLUS_MINUS})\s?")


def joined_tolerance(text: str, left: FigureInView, right: FigureInView) -> FigureInView | None:
    """A figure and its tolerance as one, if they are: "700 ± 10 W", "700 W ± 5%", "98.5±0.3%"."""
    if left.low is not None or right.low is not None or left.is_tolerant or not _is_tolerance(text, left, right):
        return None
    if None not in (left.unit, right.unit) and right.unit not in (left.unit, "%"):
        return None
    before, behind = _scale(left), _scale(right)
    if before != behind and (before != 1 or right.unit == "%"):
        return None
    is_relative = _is_share(left, right)
    unit = left.unit if is_relative else left.unit or right.unit
    value = left.value * behind / before
    return replace(
        left,
        end=right.end,
        value=value,
        unit=unit,
        unit_end=right.unit_end,
        is_tolerant=True,
        currency=left.currency or right.currency,
    )


def _is_share(left: FigureInView, right: FigureInView) -> bool:
    """Whether a tolerance in percent is a part of its figure: "700 W ± 5%", and not "98.5 ± 0.3%"."""
    return right.unit == "%" and left.unit != "%" and (left.unit is not None or left.value > MOST_SHARE)


def _is_tolerance(text: str, left: FigureInView, right: FigureInView) -> bool:
    """Whether a sign of a tolerance stands between two figures in digits, and nothing else."""
    if not (left.digits and right.digits):
        return False
    sign = _TOLERANCE.match(text, max(left.end, left.unit_end)) or _TOLERANCE.match(text, left.end)
    # of "+-10" the minus was read as that of the ten
    return sign is not None and right.start in (sign.end(), sign.end("sign") - 1)


def _scale(figure: FigureInView) -> Fraction:
    """What the digits of a figure are multiplied by."""
    digits = plain_value(figure.digits)
    return abs(figure.value / digits) if digits else Fraction(1)
