"""A figure in a view of a text, and the value of its digits."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class FigureInView:
    """A figure in a view: the stretch that is printed as one, its value, and what was read next to it.

    One that `is_tolerant` has its tolerance in its print ("700 ± 10"), which says its bounds. ``currency`` is
    one that is no unit of the table: then there is no unit.
    """

    start: int
    end: int
    digits: str
    value: Fraction
    unit: str | None = None
    unit_end: int = 0
    low: Fraction | None = None
    hedge: str | None = None
    letter: str = ""
    is_tolerant: bool = False
    currency: str | None = None


_DECIMAL_COMMA: Final = re.compile(r"[\d.]+,\d{1,2}")


def plain_value(digits: str) -> Fraction:
    """What digits say, with a comma or a space between thousands, or with a decimal comma."""
    if _DECIMAL_COMMA.fullmatch(digits):
        return Fraction(Decimal(digits.replace(".", "").replace(",", ".")))
    return Fraction(Decimal(re.sub(r"[,\u202f\u00a0 ]", "", digits)))
