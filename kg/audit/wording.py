"""How the findings word a figure."""

from fractions import Fraction


def text_of(value: Fraction) -> str:
    """A figure to four significant digits.

    >>> text_of(Fraction(20_000_000_000_000_000)), text_of(Fraction(289712, 72)), text_of(Fraction(1, 3))
    ('2e+16', '4,024', '0.3333')
    """
    number = float(value)
    return f"{number:,.4g}" if abs(number) < 1000 or abs(number) >= 1e9 else f"{number:,.0f}"
