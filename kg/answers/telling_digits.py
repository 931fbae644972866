"""How telling a figure is by its digits: "72,428" means one thing, "4" could mean anything.

Apart from the matching of figures, since a question in words needs no more of it.
"""

from typing import Final

_TELLING_IN_ANY_UNIT: Final = 4
"""Significant digits from which a print is hardly chance, be its unit another one."""


def significant_digits(printed: str) -> int:
    """Significant digits of a print; zeros at the end of a whole number are not counted.

    >>> significant_digits("72,428"), significant_digits("800 W"), significant_digits("4.80"), significant_digits("0.5")
    (5, 1, 3, 1)
    """
    digits = "".join(sign for sign in printed if sign.isdigit() or sign == ".")
    plain = digits.replace(".", "").lstrip("0")
    return len(plain if "." in digits else plain.rstrip("0"))


def is_telling(printed: str) -> bool:
    """Whether a print is hardly chance, be its unit another one.

    >>> is_telling("4,023"), is_telling("402"), is_telling("40,200")
    (True, False, False)
    """
    return significant_digits(printed) >= _TELLING_IN_ANY_UNIT
