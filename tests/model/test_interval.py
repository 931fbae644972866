"""Laws of interval arithmetic."""

from __future__ import annotations

from fractions import Fraction
from operator import add, mul, sub, truediv
from typing import Any

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from kg.model.interval import Interval
from tests.sampling import generated

numbers = st.fractions(-1000, 1000, max_denominator=100)
ends = st.none() | numbers


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = draw(ends), draw(ends)
    return Interval(high, low) if low is not None and high is not None and low > high else Interval(low, high)


@st.composite
def members(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    interval = draw(intervals())
    value = draw(numbers)
    assume(interval.contains(value))
    return interval, value


@pytest.mark.parametrize("operation", [add, sub, mul, truediv])
@generated(members(), members(), few=25)
def test_the_result_holds_every_result_of_members(
    operation: Any, a: tuple[Interval, Fraction], b: tuple[Interval, Fraction]
) -> None:
    assume(operation is not truediv or b[1] != 0)
    assert operation(a[0], b[0]).contains(operation(a[1], b[1]))


@pytest.mark.parametrize(
    ("a", "b", "product"),
    [
        ((2, 3), (4, 5), (8, 15)),
        ((-3, -1), (1, 2), (-6, -1)),
        ((1, 2), (-3, -1), (-6, -1)),
        ((-2, 3), (-5, 4), (-15, 12)),
    ],
)
def test_each_end_of_a_product_may_be_of_any_two_ends(
    a: tuple[int, int], b: tuple[int, int], product: tuple[int, int]
) -> None:
    first, second, both = (Interval(Fraction(low), Fraction(high)) for low, high in (a, b, product))
    assert first * second == both


@generated(numbers, numbers, few=25)
def test_exact_numbers_stay_exact(a: Fraction, b: Fraction) -> None:
    assert Interval.exactly(a) * Interval.exactly(b) == Interval.exactly(a * b)
    assert Interval.exactly(a) - Interval.exactly(b) == Interval.exactly(a - b)


@generated(intervals(), intervals(), few=25)
def test_disjoint_is_the_opposite_of_overlaps_and_symmetric(a: Interval, b: Interval) -> None:
    assert a.disjoint(b) is not a.overlaps(b)
    assert a.overlaps(b) is b.overlaps(a)
    assert a.touches(b) is b.touches(a)
    assert not a.touches(b) or a.overlaps(b)


@generated(intervals(), intervals(), few=25)
def test_the_hull_includes_both(a: Interval, b: Interval) -> None:
    hull = Interval.hull([a, b])
    assert hull.includes(a)
    assert hull.includes(b)


@generated(intervals(), numbers, few=25)
def test_scaling_is_multiplication_with_an_exact_number(a: Interval, factor: Fraction) -> None:
    assert a.scaled(factor) == a * Interval.exactly(factor)
    assert factor == 0 or a.scaled(factor).scaled(1 / factor) == a


@pytest.mark.parametrize(
    ("divisor", "expected"),
    [
        ((-1, 2), (None, None)),
        ((0, 0), (None, None)),
        ((0, 2), (Fraction(3), None)),
        ((-2, 0), (None, Fraction(-3))),
        ((2, None), (Fraction(0), Fraction(3))),
        ((None, -2), (Fraction(-3), Fraction(0))),
        ((0, None), (Fraction(0), None)),
        ((None, None), (None, None)),
    ],
)
def test_division_by_an_interval_with_zero_loses_ends(divisor: Any, expected: Any) -> None:
    low, high = (None if end is None else Fraction(end) for end in divisor)
    assert Interval.exactly(6) / Interval(low, high) == Interval(*expected)


def test_ends_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="wrong order"):
        Interval(Fraction(2), Fraction(1))


def test_touching_shares_one_end_only() -> None:
    low, high, far = (Interval(Fraction(a), Fraction(b)) for a, b in ((1, 2), (2, 3), (4, 5)))
    assert low.touches(high)
    assert not low.touches(far)
    assert not low.touches(Interval(Fraction(1), Fraction(3)))
    assert low.width == 1
    assert Interval(None, Fraction(1)).width is None
    assert low.is_bounded
    assert not Interval(Fraction(1), None).is_bounded
