"""Figures that are counts, and so exact: 64 nodes are not 63.5 to 64.5 of them."""

from dataclasses import replace

from kg.model.printed import PrintedNumber


def is_in_full(number: PrintedNumber | None) -> bool:
    """Whether a whole number is printed in full and without a hedge; "1.2 million" and "about 64" are rounded.

    >>> is_in_full(None)
    False
    """
    if number is None or isinstance(number.value, tuple):
        return False
    return number.value.denominator == 1 and number.scale == 1 and number.hedge is None


def as_count(number: PrintedNumber | None) -> PrintedNumber | None:
    """The same without room for rounding, where it is a whole number that is printed in full."""
    if number is None or not is_in_full(number) or isinstance(number.value, tuple):
        return number
    value = number.value
    return replace(number, lower=value, upper=value, wide_lower=value, wide_upper=value)
