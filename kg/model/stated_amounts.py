"""How precise a value is that is stated next to its print: from the digits, or the words, that it is printed with."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from kg.model.amount import (
    NUMBER_WORDS,
    NUMERAL,
    ReadAmount,
    UnreadableNumber,
    read_numeral,
    read_words,
    with_factor,
    with_own_digits,
)
from kg.model.tolerance import Tolerance, split_tolerance

# Meets the signs that group thousands in "1 200" and "1'200".
_GROUPING: Final = re.compile(r"(?<=\d)[ '’](?=\d{3}(?!\d))")
_GROUPED: Final = re.compile(r"(?<![\d.,])(?<!\d )(?!0)\d{1,3}(?: \d{3})+(?![\d,]|\s\d)")
# Meet the signs of "1.024,5", where a comma begins the decimals.
_POINT: Final = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")


def stated_amounts(text: str, values: Sequence[Fraction], unit: str | None = None) -> list[ReadAmount]:
    """The values, each as precise as its print; where that has no number for each of them, as its own digits say.

    A tolerance of the print says how far the value reaches; the unit decides what "± 5%" is of.

    >>> [amount.place for amount in stated_amounts("3,5", [Fraction("3.5")])]
    [Fraction(1, 10)]
    >>> [amount.place for amount in stated_amounts("two weeks", [Fraction(336)])]
    [Fraction(168, 1)]
    """
    if len(values) == 1 and (tolerance := _tolerance(text, unit)) is not None:
        (amount,) = stated_amounts(tolerance.figure, values)
        return [replace(amount, reach=tolerance.reach(values[0]))]
    readings = []
    for reading in _readings(text):
        if len(reading) == len(values) and all(map(_is_value, reading, values)):
            return reading
        readings.append(reading)
    found = _nearest_reading(readings, values)
    return [with_own_digits(value) for value in values] if found is None else [*map(_with_value, found, values)]


def _nearest_reading(readings: list[list[ReadAmount]], values: Sequence[Fraction]) -> list[ReadAmount] | None:
    """The reading that gives the values in another scale, else one with as many numbers: their digits say how precise they are."""
    if len(values) == 1:
        readings = [*readings, *([amount] for reading in readings for amount in reading)]
    scaled = (one for one in readings if len(one) == len(values) and all(map(_is_scaled, one, values)))
    enough = (one for one in readings if len(one) >= len(values))
    return next(scaled, None) or next(enough, None)


def _tolerance(text: str, unit: str | None) -> Tolerance | None:
    """The tolerance of a print, whichever sign begins its decimals; None where it has none that reads."""
    if "±" not in text and "+" not in text:  # as in most prints
        return None
    for one in dict.fromkeys((without_grouping(text), with_decimal_point(text))):
        try:
            return split_tolerance(one, unit)
        except UnreadableNumber:
            continue
    return None


def without_grouping(text: str) -> str:
    """A print whose blanks between thousands are gone: all of it is known to be one figure, or a range.

    >>> without_grouping("1 200 to 2 300 000 W"), without_grouping("2024 200"), without_grouping("8 192 80")
    ('1200 to 2300000 W', '2024 200', '8 192 80')
    """
    return _GROUPED.sub(lambda match: match[0].replace(" ", ""), text)


def without_thousands(text: str) -> str:
    """A print without the blanks and marks between its thousands.

    >>> without_thousands("1 200 W"), without_thousands("1'200 W")
    ('1200 W', '1200 W')
    """
    return _GROUPING.sub("", text)


def with_decimal_point(text: str) -> str:
    """A print in which a comma begins the decimals, as it would be printed with a point.

    >>> with_decimal_point("1.024,5 W"), with_decimal_point("3,060")
    ('1024.5 W', '3.060')
    """
    return _COMMA.sub(".", _POINT.sub("", _GROUPING.sub("", text)))


def _readings(text: str) -> Iterator[list[ReadAmount]]:
    """The numbers of a print: in digits with a decimal point, grouped by spaces, with a decimal comma, and in words."""
    tried = set[str]()
    # one by one, since the first reading gives the value of most prints
    for written in (str, without_thousands, with_decimal_point):
        one = written(text)
        if one not in tried:
            tried.add(one)
            yield [read_numeral(match) for match in NUMERAL.finditer(with_factor(one))]
    yield list(_in_words(text.lower()))


def _in_words(text: str) -> Iterator[ReadAmount]:
    for match in NUMBER_WORDS.finditer(text):
        try:
            yield read_words(match.group(), text)
        except UnreadableNumber:
            continue


def _is_value(amount: ReadAmount, value: Fraction) -> bool:
    """Whether a value is the number that is printed, or the double next to it: a third is recorded as one."""
    return amount.value == value or (amount.value.denominator % 3 == 0 and float(amount.value) == float(value))


def _is_scaled(amount: ReadAmount, value: Fraction) -> bool:
    """Whether a value is a power of ten of the number that is printed."""
    if not amount.value or not value:
        return False
    factor = abs(value / amount.value)
    return str(factor.numerator).rstrip("0") == "1" == str(factor.denominator).rstrip("0")


def _with_value(amount: ReadAmount, value: Fraction) -> ReadAmount:
    return amount.times(value / amount.value) if amount.value and value else with_own_digits(value)
