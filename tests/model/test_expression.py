"""Reading expressions, and evaluating them on numbers and on intervals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from kg.model.expression import MAX_DEPTH, MAX_LENGTH, DivisionByZero, Expression, ExpressionError
from kg.model.interval import Interval
from tests.sampling import generated

positive = st.fractions(Fraction(1, 10), 1000, max_denominator=100)
SHAPES = ["a / b", "a * b - a", "(a - b) / b", "a / (a + b)", "a * (b - a) / b", "(a + b) * (a - b)", "a / b + b / a"]


@st.composite
def boxes(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(positive), draw(positive)))
    return Interval(low, high)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("8 - 3 - 2", 3),
        ("8 / 4 / 2", 1),
        ("-2 * -3", 6),
        ("2 - -3", 5),
        ("0.1 + 0.2", Fraction("0.3")),
        (".5 * 4", 2),
    ],
)
def test_numbers_follow_the_usual_precedence(text: str, value: Fraction) -> None:
    assert Expression.parse(text).evaluate({}) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends too early"),
        ("a +", "ends too early"),
        ("a b", "position 3"),
        ("(a", "closing parenthesis"),
        ("a)", "position 2"),
        ("a $ b", "position 3"),
        ("a ** 2", "position 4"),
        ("a // b", "position 4"),
        ("2x", "position 1"),
        ("1.2.3", "position 1"),
        ("f(a)", "position 2"),
        ("a.b", "position 2"),
        ("__import__('os')", "position 11"),
        ("(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1), "deeper"),
        ("-" * (MAX_DEPTH + 1) + "a", "deeper"),
        ("a" * (MAX_LENGTH + 1), "longer"),
    ],
)
def test_a_mistake_names_its_place(text: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        Expression.parse(text)


def test_a_long_sum_is_read_and_evaluated() -> None:
    assert Expression.parse("+".join(["1"] * 250)).evaluate({}) == 250


def test_names_come_once_in_order() -> None:
    assert Expression.parse("(after - before) / before").names == ("after", "before")


def test_missing_inputs_and_zero_divisors_are_errors() -> None:
    quotient = Expression.parse("a / b")
    with pytest.raises(ExpressionError, match='"b" has no value'):
        quotient.evaluate({"a": Fraction(1)})
    with pytest.raises(ExpressionError, match='"b" has no value'):
        quotient.evaluate_intervals({"a": Interval.exactly(1)})
    with pytest.raises(DivisionByZero):
        quotient.evaluate({"a": Fraction(1), "b": Fraction(0)})


@pytest.mark.parametrize("text", [f"a * {'9' * 450}", "a * a * a", f"a / (1 / {'9' * 450})", f"a - {'9' * 450}"])
def test_what_no_double_holds_is_no_value(text: str) -> None:
    parsed, large = Expression.parse(text), Fraction(10) ** 100
    with pytest.raises(ExpressionError, match="1e200"):
        parsed.evaluate({"a": large})
    with pytest.raises(ExpressionError, match="1e200"):
        parsed.evaluate_intervals({"a": Interval.exactly(large)})


@pytest.mark.parametrize("text", SHAPES)
@generated(boxes(), boxes(), st.data(), few=10)
def test_the_interval_holds_the_value_of_every_choice_of_inputs(
    text: str, a: Interval, b: Interval, data: st.DataObject
) -> None:
    expression = Expression.parse(text)
    assert a.lower is not None
    assert a.upper is not None
    assert b.lower is not None
    assert b.upper is not None
    x, y = data.draw(st.fractions(a.lower, a.upper)), data.draw(st.fractions(b.lower, b.upper))
    assume(b.lower > 0)
    assert expression.evaluate_intervals({"a": a, "b": b}).contains(expression.evaluate({"a": x, "b": y}))


@pytest.mark.parametrize("text", ["a / b", "(a - b) / b", "a / (a + b)", "1 - b / a", "a / b + 2 / b", "a - a * b"])
@generated(boxes(), boxes(), few=10)
def test_a_quotient_of_linear_terms_is_as_tight_as_its_corners(text: str, a: Interval, b: Interval) -> None:
    expression = Expression.parse(text)
    corners = [
        expression.evaluate({"a": x, "b": y})
        for x, y in product((a.lower, a.upper), (b.lower, b.upper))
        if x is not None and y is not None
    ]
    assert expression.evaluate_intervals({"a": a, "b": b}) == Interval(min(corners), max(corners))


def test_what_turns_inside_the_box_falls_back_to_plain_arithmetic() -> None:
    parabola = Expression.parse("a * (2 - a)")
    found = parabola.evaluate_intervals({"a": Interval(Fraction(0), Fraction(2))})
    assert found == Interval(Fraction(0), Fraction(4))
    assert found.contains(parabola.evaluate({"a": Fraction(1)}))


def test_large_products_and_many_names_fall_back_to_plain_arithmetic() -> None:
    box = {name: Interval(Fraction(1), Fraction(2)) for name in "abcdefghijklmnop"}
    many = Expression.parse(" * ".join(f"({name} + 1)" for name in "abcdefgh") + " * 1 / a")
    assert many.evaluate_intervals(box).upper == 2 * Fraction(3) ** 7 * Fraction(3, 2)
    wide = Expression.parse("+".join("abcdefghijklmnop") + "- a")
    assert wide.evaluate_intervals(box) == Interval(Fraction(14), Fraction(31))


def test_a_divisor_that_may_vanish_leaves_no_ends() -> None:
    box = {"a": Interval(Fraction(1), Fraction(3)), "b": Interval(Fraction(2), Fraction(4))}
    assert Expression.parse("a / (a - b)").evaluate_intervals(box) == Interval(None, None)


def test_inputs_without_ends_are_evaluated_plainly() -> None:
    box = {"a": Interval(Fraction(3), None), "b": Interval.exactly(2)}
    assert Expression.parse("(a - b) / b").evaluate_intervals(box) == Interval(Fraction("0.5"), None)
    assert Expression.parse("a / a").evaluate_intervals({"a": box["a"]}) == Interval(Fraction(0), None)
    assert Expression.parse("a / a").evaluate_intervals({"a": Interval(Fraction(-1), Fraction(1))}) == Interval(
        None, None
    )


def test_the_outermost_division_gives_its_sides() -> None:
    assert Expression.parse("(a + b) / c").as_quotient() is not None
    assert Expression.parse("a / b + c").as_quotient() is None
    assert str(Expression.parse("a / b")) == "a / b"
