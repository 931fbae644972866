"""Bounds on figures: what is said and given, and which rows they keep."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kg.ask.bounds import ValueBound, bounds_said, get_bound, read_bound
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.errors import UsageError

UNITS = read_vocabulary(find_content()).units
WITHIN = {">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b}


@pytest.mark.parametrize(
    ("said", "operator", "value", "unit"),
    [
        ("more than 100 GB", ">", 100 * 10**9, "byte"),
        ("at most 1.2 kW", "<=", 1200, "W"),
        ("less than $2 per hour", "<", 2, "USD/h"),
        ("below 2 dollars per hour", "<", 2, "USD/h"),
        ("below 2 USD an hour", "<", 2, "USD/h"),
        ("at most 8000 dollars per month", "<=", 8000, "USD/month"),
        ("under $3 per million tokens", "<", Fraction(3, 10**6), "USD/token"),
        ("over 3 million dollars", ">", 3 * 10**6, "USD"),
        ("more than $3M", ">", 3 * 10**6, "USD"),
        ("cheaper than $1.5 per GPU hour", "<", Fraction(3, 2), "USD/h"),
        ("over 3 TB per second", ">", 3 * 10**12, "byte/s"),
        ("less than 30 kW per rack", "<", 30000, "W"),
        ("over 500 billion parameters", ">", 500 * 10**9, "parameter"),
        ("no less than 4.8 TB/s", ">=", 48 * 10**11, "byte/s"),
    ],
)
def test_a_bound_in_words_is_one_in_the_canonical_unit(said: str, operator: str, value: int, unit: str) -> None:
    ((_, option),) = bounds_said(f"chips with {said}")
    assert read_bound(option, UNITS) == ValueBound(operator, Fraction(value), unit)


@given(some.sampled_from(sorted(WITHIN)), some.integers(1, 2000), some.integers(1, 2000))
def test_a_bound_keeps_what_its_sign_says(sign: str, bound: int, value: int) -> None:
    found = get_bound(f"{sign}{bound} W", UNITS)
    assert found.keeps(float(value), "W") == WITHIN[sign](value, bound)
    assert not found.keeps(float(value), "byte")


@pytest.mark.parametrize(
    "given", ["100 GB", ">", "> many", ">100 furlongs", "", ">" * 5000, "<1,,2 ", "<2 dollars per furlong"]
)
def test_what_is_no_bound_is_refused_in_words(given: str) -> None:
    assert read_bound(given, UNITS) is None
    with pytest.raises(UsageError, match="such as '>100 GB'"):
        get_bound(given, UNITS)
