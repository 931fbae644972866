"""Closed intervals of exact rationals, possibly without a lower or an upper end.

A printed number is an interval; arithmetic on intervals says what a result computed from printed numbers can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

# An end of an interval that may be infinite: (-1, 0) and (1, 0) are the infinities, (0, x) is the number x, so that
# tuples compare as the ends do.
_End = tuple[int, Fraction]
_ZERO = Fraction(0)
_MINUS: _End = (-1, _ZERO)
_PLUS: _End = (1, _ZERO)


def _times(a: _End, b: _End) -> _End:
    """Multiply two ends; zero times infinity is zero, as an end of a product of sets is."""
    if a == (0, _ZERO) or b == (0, _ZERO):
        return (0, _ZERO)
    if a[0] or b[0]:
        sign_a = a[0] or (1 if a[1] > 0 else -1)
        sign_b = b[0] or (1 if b[1] > 0 else -1)
        return (sign_a * sign_b, _ZERO)
    return (0, a[1] * b[1])


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between two ends, both included; ``None`` is an end that is not there.

    >>> Interval.around(Fraction("2.3"), Fraction("0.05"))
    Interval('2.25', '2.35')
    >>> Interval.exactly(6) / Interval(Fraction(2), Fraction(3))
    Interval('2', '3')
    """

    lower: Fraction | None
    upper: Fraction | None

    def __post_init__(self) -> None:
        # An interval of one number has one object at both ends: there is nothing to compare.
        if self.lower is not self.upper and _below(self.upper, self.lower):
            raise ValueError(f"interval ends are in the wrong order: {self.lower} > {self.upper}")

    @classmethod
    def exactly(cls, value: Fraction | int) -> Interval:
        """The interval that holds one number.

        >>> Interval.exactly(72)
        Interval('72', '72')
        """
        exact = value if type(value) is Fraction else Fraction(value)
        return _between(exact, exact)

    @classmethod
    def around(cls, value: Fraction, radius: Fraction) -> Interval:
        """All numbers at most ``radius`` away from ``value``."""
        return cls(value - radius, value + radius)

    @classmethod
    def hull(cls, intervals: Iterable[Interval]) -> Interval:
        """The smallest interval that holds all of them.

        >>> Interval.hull([Interval.exactly(1), Interval.exactly(4)])
        Interval('1', '4')
        """
        ends = [*map(cls._ends, intervals)]
        return cls._from_ends(min(low for low, _ in ends), max(high for _, high in ends))

    def _ends(self) -> tuple[_End, _End]:
        low = _MINUS if self.lower is None else (0, self.lower)
        high = _PLUS if self.upper is None else (0, self.upper)
        return low, high

    @classmethod
    def _from_ends(cls, low: _End, high: _End) -> Interval:
        return cls(None if low[0] else low[1], None if high[0] else high[1])

    def __repr__(self) -> str:
        return f"Interval({_show(self.lower)}, {_show(self.upper)})"

    def __neg__(self) -> Interval:
        return Interval(None if self.upper is None else -self.upper, None if self.lower is None else -self.lower)

    def __add__(self, other: Interval) -> Interval:
        return Interval(
            None if self.lower is None or other.lower is None else self.lower + other.lower,
            None if self.upper is None or other.upper is None else self.upper + other.upper,
        )

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        a, b, c, d = self.lower, self.upper, other.lower, other.upper
        if a is not None and b is not None and c is not None and d is not None:
            # Of two intervals above zero the products of the lower and of the upper ends are the
            # ends.
            if a.numerator >= 0 and c.numerator >= 0:
                low = a * c
                return _between(low, low if a is b and c is d else b * d)
            four = (a * c, a * d, b * c, b * d)
            return _between(min(four), max(four))
        products = [_times(a, b) for a in self._ends() for b in other._ends()]
        return Interval._from_ends(min(products), max(products))

    def __truediv__(self, other: Interval) -> Interval:
        """Divide; a divisor with zero inside leaves the result without ends, with zero at an end without one end.

        >>> Interval.exactly(1) / Interval(Fraction(0), Fraction(2))
        Interval('0.5', None)
        >>> Interval.exactly(1) / Interval(Fraction(-1), Fraction(2))
        Interval(None, None)
        """
        a, b, c, d = self.lower, self.upper, other.lower, other.upper
        if a is not None and b is not None and c is not None and d is not None and c.numerator > 0 <= a.numerator:
            low = a / d
            return _between(low, low if a is b and c is d else b / c)
        return self * other._reciprocal()

    def _reciprocal(self) -> Interval:
        low, high = self.lower, self.upper
        if low is not None and high is not None and low.numerator > 0:
            most = 1 / low
            return _between(most if low is high else 1 / high, most)
        # With zero inside, or as its only number, nothing bounds the quotients; with zero at one
        # end one side is open.
        if self.contains(_ZERO) and not (low == 0) ^ (high == 0):
            return Interval(None, None)
        return Interval(
            _ZERO if high is None else None if high == 0 else 1 / high,
            _ZERO if low is None else None if low == 0 else 1 / low,
        )

    def contains(self, value: Fraction | int) -> bool:
        """Whether a number lies inside, ends included."""
        number = value if isinstance(value, Fraction) else Fraction(value)
        return not _below(number, self.lower) and not _below(self.upper, number)

    def includes(self, other: Interval) -> bool:
        """Whether all of another interval lies inside."""
        (low, high), (other_low, other_high) = self._ends(), other._ends()
        return low <= other_low and other_high <= high

    def overlaps(self, other: Interval) -> bool:
        """Whether some number lies in both; a shared end is enough."""
        return not self.disjoint(other)

    def touches(self, other: Interval) -> bool:
        """Whether the two share exactly one number, an end of each.

        >>> Interval.exactly(3).touches(Interval(Fraction(3), Fraction(4)))
        True
        """
        return (_same(self.upper, other.lower) or _same(self.lower, other.upper)) and not self.disjoint(other)

    def disjoint(self, other: Interval) -> bool:
        """Whether no number lies in both."""
        return _below(self.upper, other.lower) or _below(other.upper, self.lower)

    @property
    def width(self) -> Fraction | None:
        """Upper end minus lower end, or None where an end is missing."""
        return None if self.lower is None or self.upper is None else self.upper - self.lower

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are there."""
        return self.lower is not None and self.upper is not None

    def scaled(self, factor: Fraction | int) -> Interval:
        """Every number times a factor.

        >>> Interval(Fraction(1), None).scaled(-2)
        Interval(None, '-2')
        """
        if factor == 1:  # as most factors between units are
            return self
        low, high = self.lower, self.upper
        if factor.numerator > 0 and low is not None and high is not None:
            scaled = low * factor
            return _between(scaled, scaled if low is high else high * factor)
        return self * Interval.exactly(factor)


def _between(lower: Fraction, upper: Fraction) -> Interval:
    """An interval whose ends are known to be in order."""
    made = object.__new__(Interval)
    object.__setattr__(made, "lower", lower)
    object.__setattr__(made, "upper", upper)
    return made


def is_at_most(one: Fraction, other: Fraction) -> bool:
    """Whether one number is no larger than another; quicker than to compare fractions as any numbers.

    >>> is_at_most(Fraction(1, 3), Fraction(1, 2)), is_at_most(Fraction(1, 2), Fraction(1, 3))
    (True, False)
    """
    (a, b), (c, d) = one.as_integer_ratio(), other.as_integer_ratio()
    return a * d <= c * b


def _below(one: Fraction | None, other: Fraction | None) -> bool:
    """Whether both are numbers, and the first the smaller one; quicker than to compare fractions as any numbers."""
    if one is None or other is None:
        return False
    (a, b), (c, d) = one.as_integer_ratio(), other.as_integer_ratio()
    return a * d < c * b


def _same(one: Fraction | None, other: Fraction | None) -> bool:
    """Whether both are one number."""
    if one is None or other is None:
        return False
    return one is other or one.as_integer_ratio() == other.as_integer_ratio()


def _show(end: Fraction | None) -> str:
    """An end as a decimal where it has one, else as a fraction."""
    if end is None:
        return "None"
    rest = end.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    # Only twos and fives below the line end as a decimal.
    if rest != 1 or end.denominator == 1:
        return f"'{end}'"
    places = next(n for n in count(1) if 10**n % end.denominator == 0)
    digits = f"{abs(end.numerator) * 10**places // end.denominator:0{places + 1}d}"
    return f"'{'-' if end < 0 else ''}{digits[:-places]}.{digits[-places:]}'"
