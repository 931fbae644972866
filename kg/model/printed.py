"""Numbers as they are printed: the value, and all values that would be printed the same way.

A printed number means what rounds to it, half a unit of its last digit on each side. Trailing zeros of a whole
number are read tightly; the wide reading is kept next to it. Where a text does not parse to its value, or its suffix
could be a scale or a unit ("4.8T"), the caller states the value and the text only says how precise it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

from kg.errors import ModelError
from kg.model.amount import (
    AMOUNT,
    ReadAmount,
    UnreadableNumber,
    read_amount,
    with_factor,
)
from kg.model.exact import exact_number
from kg.model.hedges import FROM_BELOW, HEDGES, LOWER, STRICT_LOWER, STRICT_UPPER, UPPER, split_hedge
from kg.model.inserted_scale import INSERTED
from kg.model.interval import Interval
from kg.model.stated_amounts import stated_amounts, without_grouping
from kg.model.tolerance import split_tolerance
from kg.model.units import Unit, UnitTable

Shape = Literal["interval", "span", "magnitude"]
Relation = Literal[
    "ratio", "increase", "decrease", "times-less", "share-of", "difference", "points", "order", "absolute"
]
Exact = int | str | Decimal | Fraction
Value = Fraction | tuple[Fraction, Fraction]
# Who says "nearly ten" means less than ten, and not so little that another round figure would be nearer.
_NEARLY = Fraction(9, 10)
_THOUSAND = 1000
_OPEN_BELOW: Final = STRICT_UPPER | UPPER
_OPEN_ABOVE: Final = STRICT_LOWER | LOWER

# Meets the "-20%" behind 15, " to 1.7x" behind "1.6x" and "% and 20%"; not " tokens" or "-GPU".
_RANGE_REST = re.compile(
    r"(?P<unit>\D*?)\s*(?:[-–—~]|\bto\b|\band\b)\s*(?P<right>[-−+]?\s*(?:US\$|[$¥€])?\s*\.?\d.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Canonical:
    """A printed number in the canonical unit of its kind, or as metric(subject) / metric(baseline)."""

    value: Value
    lower: Fraction | None
    upper: Fraction | None
    wide_lower: Fraction | None
    wide_upper: Fraction | None
    unit: str | None


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A figure as printed, its exact value, and the values that would print the same.

    ``value`` is a pair for a range. ``place`` is what one unit of the last printed digit is worth, the scale
    included; ``digits`` counts the significant digits. ``wide_lower`` and ``wide_upper`` read trailing zeros of a
    whole number as rounded; elsewhere they equal ``lower`` and ``upper``.
    """

    text: str
    value: Value
    lower: Fraction | None
    upper: Fraction | None
    wide_lower: Fraction | None
    wide_upper: Fraction | None
    exact: bool = False
    unit: str | None = None
    shape: Shape | None = None
    place: Fraction | None = None
    digits: int = 0
    hedge: str | None = None
    scale: Fraction = Fraction(1)

    @property
    def interval(self) -> Interval:
        """The tight reading."""
        return Interval(self.lower, self.upper)

    @property
    def wide(self) -> Interval:
        """The wide reading."""
        return Interval(self.wide_lower, self.wide_upper)

    def canonical(self, table: UnitTable) -> Canonical:
        """Value and bounds in the canonical unit; without a unit they stay as they are."""
        if self.unit is None:
            return self._mapped(lambda interval: interval, None)
        unit, factor = table.canonical(self.unit), table.get(self.unit).factor
        if factor == 1:  # most figures are printed in the canonical unit
            return Canonical(self.value, self.lower, self.upper, self.wide_lower, self.wide_upper, unit.id)
        return self._mapped(lambda interval: interval.scaled(factor), unit.id)

    def canonical_ratio(self, relation: Relation) -> Canonical:
        """What a relation says about metric(subject) / metric(baseline), bounds included.

        "57 %" more is 1.57, less is 0.43; "5x" less is 0.2; "26 %" of is 0.26.
        """
        one, part = Interval.exactly(1), Fraction(1, 100 if self.unit in ("%", "pp") else 1)
        formulas: dict[str, Callable[[Interval], Interval]] = {
            "ratio": lambda printed: printed.scaled(part),
            "share-of": lambda printed: printed.scaled(part),
            "increase": lambda printed: one + printed.scaled(part),
            "decrease": lambda printed: one - printed.scaled(part),
            "times-less": lambda printed: one / _positive(printed).scaled(part),
        }
        if relation not in formulas:
            raise ModelError("does not say how often one value goes into another.", given=relation, field="relation")
        return self._mapped(formulas[relation], "1")

    def _mapped(self, formula: Callable[[Interval], Interval], unit: str | None) -> Canonical:
        tight = formula(self.interval)
        is_one_reading = (self.lower, self.upper) == (self.wide_lower, self.wide_upper)
        wide = tight if is_one_reading else formula(self.wide)
        image = formula(Interval(*self.value) if isinstance(self.value, tuple) else Interval.exactly(self.value))
        if image.lower is None or image.upper is None:
            raise UnreadableNumber("is not above zero, so nothing can be that many times less.", given=self.text)
        value = (image.lower, image.upper) if isinstance(self.value, tuple) else image.lower
        return Canonical(value, tight.lower, tight.upper, wide.lower, wide.upper, unit)


def read_printed(
    text: str,
    *,
    unit: str | None = None,
    hedge: str | None = None,
    exact: bool = False,
    shape: Shape | None = None,
    table: UnitTable,
) -> PrintedNumber:
    """Read a figure as printed: "$3.1M", "1.6x to 1.7x", "15-20%", "tenfold", "~2k"; "512 [thousand]" of a scaled table.

    A stated unit must fit the printed one. A range is read as ``shape`` interval unless another is stated.
    """
    wanted = table.get(unit) if unit else None
    # The words in brackets are read as if they were printed.
    body, printed_hedge = split_hedge(INSERTED.sub(r" \g<scale>", text.strip()))
    if hedge is not None and printed_hedge is not None and hedge != printed_hedge:
        raise UnreadableNumber(f"already says {printed_hedge}.", given=text, field="hedge", expected=printed_hedge)
    amounts = _read_amounts(without_grouping(body), wanted, table, text)
    found = {amount.unit.id for amount in amounts if amount.unit}
    if len(found) > 1:
        raise UnreadableNumber("has two units; it is two figures, not a range.", given=text)
    unit_id = wanted.id if wanted else next(iter(found), None)
    return _assemble(text, amounts, unit=unit_id, hedge=hedge or printed_hedge, exact=exact, shape=shape)


def _read_amounts(body: str, wanted: Unit | None, table: UnitTable, text: str) -> list[ReadAmount]:
    """The one amount of a figure, or the two ends of a range."""
    if (tolerance := split_tolerance(body, wanted.id if wanted else None)) is not None:
        amount = read_amount(with_factor(tolerance.figure), wanted, table, text)
        return [replace(amount, reach=tolerance.reach(amount.value))]
    return _same_scale([read_amount(part, wanted, table, text) for part in _split_range(with_factor(body))], text)


def _same_scale(amounts: list[ReadAmount], text: str) -> list[ReadAmount]:
    """Both ends of a range in one scale: "2 to 3 million" means millions twice, "2 million to 3" could mean either."""
    if len(amounts) != 2:
        return amounts
    low, high = amounts
    if high.scale and not low.scale:
        scaled = low.times(high.scale)
        # "fifty to one hundred", "$800 to $1.2k": hundreds of hundreds are said by nobody.
        return amounts if scaled.value > high.value and high.scale <= _THOUSAND else [scaled, high]
    if low.scale and not high.scale:
        raise UnreadableNumber("has a scale on its first number only.", given=text, next_step="Give the value.")
    return amounts


def printed_with_value(
    text: str,
    value: Exact | tuple[Exact, Exact],
    *,
    unit: str | None = None,
    hedge: str | None = None,
    exact: bool = False,
    shape: Shape | None = None,
    table: UnitTable | None = None,
) -> PrintedNumber:
    """A figure whose value is stated, because its text does not parse to it; its digits still say how precise it is.

    >>> number = printed_with_value("4.8T", "4.8", unit="TB/s")
    >>> number.interval, number.place
    (Interval('4.75', '4.85'), Fraction(1, 10))
    >>> printed_with_value("500k", 500000).interval
    Interval('499500', '500500')
    >>> printed_with_value("millions", (10**6, 10**9), shape="magnitude").interval
    Interval('1000000', '1000000000')
    """
    if unit and table is not None:
        unit = table.get(unit).id
    values = [_exact(v, text) for v in (value if isinstance(value, tuple) else (value,))]
    amounts = stated_amounts(text, values, unit)
    # A span may be printed from high to low: each end keeps its own digits.
    if shape == "span":
        amounts.sort(key=lambda amount: amount.value)
    return _assemble(text, amounts, unit=unit, hedge=hedge, exact=exact or shape == "magnitude", shape=shape)


def _assemble(
    text: str, amounts: list[ReadAmount], *, unit: str | None, hedge: str | None, exact: bool, shape: Shape | None
) -> PrintedNumber:
    """Join the amounts of a figure, one or two, and let hedge and exactness set the bounds."""
    low, high = amounts[0], amounts[-1]
    is_pair = len(amounts) == 2
    if is_pair:
        _check_order(low.value, high.value, text)
    if hedge is not None and hedge not in HEDGES:
        raise ModelError("is not a known hedge.", given=hedge, field="hedge", expected=", ".join(sorted(HEDGES)))
    half_low, half_high = _halves((low, low.place), (high, high.place), exact=exact)
    lower, upper = _bounds(low, high, half_low=half_low, half_high=half_high, hedge=hedge)
    wide_lower, wide_upper = lower, upper
    if low.wide_place is not low.place or high.wide_place is not high.place:  # it ends in zeros
        half_low, half_high = _halves((low, low.wide_place), (high, high.wide_place), exact=exact)
        wide_lower, wide_upper = _bounds(low, high, half_low=half_low, half_high=half_high, hedge=hedge)
    return PrintedNumber(
        text=text,
        value=(low.value, high.value) if is_pair else low.value,
        lower=lower,
        upper=upper,
        wide_lower=wide_lower,
        wide_upper=wide_upper,
        exact=exact and shape != "magnitude",
        unit=unit,
        shape=shape or ("interval" if is_pair else None),
        place=max((amount.place for amount in amounts if amount.place is not None), default=None),
        digits=min(amount.digits for amount in amounts),
        hedge=hedge,
        scale=high.scale or Fraction(1),
    )


def _check_order(low: Fraction, high: Fraction, text: str) -> None:
    if low > high:
        raise UnreadableNumber("is a range from high to low.", given=text, next_step="Give the value as a pair.")
    if low == high:
        raise UnreadableNumber("is a range with equal ends.", given=text)


def _bounds(
    low: ReadAmount, high: ReadAmount, *, half_low: Fraction, half_high: Fraction, hedge: str | None
) -> tuple[Fraction | None, Fraction | None]:
    """Half a unit below the low amount and above the high one, unless the hedge says otherwise."""
    if hedge in FROM_BELOW and high.value < 0:  # nearly minus ten is nearer to zero than minus ten
        return low.value, max(high.value * _NEARLY, high.value + half_high)
    if hedge in FROM_BELOW:
        return min(low.value * _NEARLY, low.value - half_low), high.value
    lower = low.value if hedge in STRICT_LOWER else low.value - half_low
    upper = high.value if hedge in STRICT_UPPER else high.value + half_high
    return None if hedge in _OPEN_BELOW else lower, None if hedge in _OPEN_ABOVE else upper


def _halves(
    low: tuple[ReadAmount, Fraction | None], high: tuple[ReadAmount, Fraction | None], *, exact: bool
) -> tuple[Fraction, Fraction]:
    """How far the two ends of a figure may lie from their print; of one amount both are one."""
    half = _half(low[1], low[0].reach, exact=exact)
    return half, half if low[0] is high[0] else _half(high[1], high[0].reach, exact=exact)


def _half(place: Fraction | None, reach: Fraction | None, *, exact: bool) -> Fraction:
    """How far the value may lie from the print: its tolerance, else half of the last place, nothing where it is exact."""
    if reach is not None:
        return reach
    return Fraction(0) if exact or place is None else place / 2


def _split_range(body: str) -> list[str]:
    # "between 15 and 20" is a range whose first word is none of its ends.
    body = re.sub(r"^(between|from)\s+", "", body)
    match = AMOUNT.fullmatch(body)
    if match is None:
        return re.split(r"\s+(?:to|and)\s+|\s*[–—]\s*", body, maxsplit=1)
    rest = _RANGE_REST.fullmatch(match["rest"])
    return [body] if rest is None else [body[: match.start("rest")] + rest["unit"], rest["right"]]


def _exact(value: Exact, text: str) -> Fraction:
    if isinstance(value, float):  # a caller without types; a float has already lost digits
        raise ModelError("is a binary float.", field="value", given=text, next_step="Give a string or a Decimal.")
    try:
        return value if isinstance(value, Fraction) else exact_number(str(value))
    except ValueError as error:
        raise UnreadableNumber("is not a number.", field="value", given=str(value)) from error


def _positive(printed: Interval) -> Interval:
    """A factor is above zero even where only its upper bound is stated; raises UnreadableNumber for one that cannot be."""
    if printed.upper is not None and printed.upper < 0:
        raise UnreadableNumber("is below zero, so nothing can be that many times less.", given=str(printed))
    lower = Fraction(0) if printed.lower is None or printed.lower < 0 else printed.lower
    return Interval(lower, printed.upper)
