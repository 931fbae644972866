"""Exact numbers from text that somebody else wrote."""

import re
from fractions import Fraction
from typing import Final

MOST_POWER: Final = 100
"""Figures lie between 1e-100 and 1e100: their canonical values and products of them still fit into a double."""
_POWER = re.compile(r"[eE]([-+]?[0-9]+)")
_WHOLE = re.compile(r"\d{1,18}")


def whole_number(text: str) -> int | None:
    """A count; None for what is none, and for more digits than 64 bits hold, of which Python refuses to read thousands.

    >>> whole_number("72"), whole_number("-1"), whole_number("\N{SUPERSCRIPT TWO}"), whole_number("9" * 5_000)
    (72, None, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def exact_number(text: str | int) -> Fraction:
    """A number without loss; ValueError for what is none, and for powers of ten that would fill the memory.

    >>> exact_number("1/8"), exact_number("1.5e3")
    (Fraction(1, 8), Fraction(1500, 1))
    """
    power = _POWER.search(str(text))
    if power is not None and abs(int(power[1])) > MOST_POWER:
        raise ValueError(f"{text} is not between 1e-{MOST_POWER} and 1e{MOST_POWER}")
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise ValueError(f"{text} is no number") from error
