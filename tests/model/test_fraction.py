"""Fractions of `kg.model.fraction` are those of the standard library, in compiled code where that is installed."""

import fractions
import pickle
from numbers import Rational

import pytest

from kg.model.fraction import Fraction

TEXTS = ["3", "-7/21", "0.1", "1e3", " 2.50 ", "1_000", ".5"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_fraction_is_that_of_the_standard_library(text: str) -> None:
    ours, theirs = Fraction(text), fractions.Fraction(text)
    assert isinstance(ours, Rational)
    assert (ours, hash(ours), repr(ours), str(ours)) == (theirs, hash(theirs), repr(theirs), str(theirs))
    assert ours.as_integer_ratio() == theirs.as_integer_ratio()
    assert (float(ours), int(ours), round(ours, 2)) == (float(theirs), int(theirs), round(theirs, 2))
    assert pickle.loads(pickle.dumps(ours)) == ours


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "nan", "1,5"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Invalid literal"):
        Fraction(text)


def test_both_kinds_compute_with_one_another() -> None:
    ours, theirs = Fraction(1, 3), fractions.Fraction(1, 6)
    assert ours + theirs == theirs + ours == Fraction(1, 2)
    assert theirs < ours
    assert max(theirs, ours) is ours
    assert {ours: "one"}[fractions.Fraction(1, 3)] == "one"
