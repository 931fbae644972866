"""The closed list of explanations, the bound of chance, and what the search does with its budget."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.explanation import BUDGET, chance_of, explain
from kg.audit.hypotheses import CODES, whole_numbers
from kg.audit.surroundings import Surroundings
from kg.model.expression import Expression
from kg.model.interval import Interval
from kg.model.printed import read_printed
from kg.model.units import UnitTable

QUOTIENT = Expression.parse("a / b")


def figure(text: str, table: UnitTable, unit: str | None = None) -> ExplainedQuantity:
    return ExplainedQuantity.from_printed(text, read_printed(text, unit=unit, table=table), table=table)


def test_the_list_of_explanations_is_closed() -> None:
    assert len(CODES) == len(set(CODES)) == 20


@given(st.integers(100, 999), st.integers(100, 999), st.integers(0, 60))
def test_the_bound_of_chance_is_not_below_the_share_of_figures_that_fit(drawn: int, start: int, length: int) -> None:
    interval = Interval(Fraction(start), Fraction(start + length))
    fitting = sum(interval.overlaps(Interval.around(Fraction(n), Fraction(1, 2))) for n in range(100, 1000))
    bound = chance_of(interval, Fraction(drawn), Fraction(1))
    assert bound >= Fraction(fitting, 900) - Fraction(1, 900)


@pytest.mark.parametrize(("interval", "figure"), [((5, 6), 50), ((-60, -50), 50), ((5, 6), -5)])
def test_what_lies_in_another_decade_or_sign_costs_nothing(interval: tuple[int, int], figure: int) -> None:
    low, high = interval
    assert chance_of(Interval(Fraction(low), Fraction(high)), Fraction(figure), Fraction(1, 10)) == 0


def test_an_interval_without_ends_costs_everything() -> None:
    assert chance_of(Interval(None, None), Fraction(50), Fraction(1)) == 1


def test_explanations_that_are_given_cost_less_than_the_budget(table: UnitTable) -> None:
    inputs = {"a": figure("794.56", table), "b": ExplainedQuantity.constant("b", 16, "count:gpu")}
    found = explain(QUOTIENT, figure("99.32", table), inputs)
    assert [explanation.code for explanation in found] == ["divisor.per-node", "divisor.per-superchip"]
    assert sum(explanation.chance for explanation in found) < BUDGET
    assert [explanation.rank for explanation in found] == [1, 2]
    assert found[0].corrected == Fraction("49.66")
    assert found[0].reproduced == Fraction("99.32")
    assert found[0].exact_fit
    assert found[0].approximate


def test_a_single_digit_proves_nothing(table: UnitTable) -> None:
    inputs = {"a": figure("8", table), "b": figure("2", table)}
    assert explain(QUOTIENT, figure("2", table), inputs) == ()


def test_the_known_size_of_a_node_replaces_the_usual_ones(table: UnitTable) -> None:
    inputs = {"a": figure("794.56", table), "b": ExplainedQuantity.constant("b", 48, "count:gpu")}
    around = Surroundings(accelerators_per_node=6, nodes=8)
    found = explain(QUOTIENT, figure("132.43", table), inputs, surroundings=around)
    assert (found[0].code, found[0].text) == (
        "divisor.per-node",
        "794.56 was divided by 6, the accelerators of one node, but the system has 48 accelerators",
    )
    found = explain(QUOTIENT, figure("99.32", table), inputs, surroundings=around)
    assert found[0].code == "divisor.nodes"
    inputs["b"] = ExplainedQuantity.constant("b", 50, "count:gpu")
    assert explain(QUOTIENT, figure("113.51", table), inputs, surroundings=around)[0].code == "divisor.other"


def test_an_input_taken_from_the_next_row_is_named(table: UnitTable) -> None:
    inputs = {"a": figure("440.00", table), "b": figure("280.00", table)}
    around = Surroundings(input_neighbours=(("b", figure("311.00", table)),))
    found = explain(QUOTIENT, figure("1.4148", table), inputs, surroundings=around)
    assert (found[0].code, found[0].text) == ("neighbour.value", "computed with 311.00 as b")


def test_the_figure_of_another_subject_is_named(table: UnitTable) -> None:
    inputs = {"a": figure("440.00", table), "b": figure("280.00", table)}
    around = Surroundings(other_subjects=(figure("2.7183", table),))
    found = explain(QUOTIENT, figure("2.7183", table), inputs, surroundings=around)
    assert [explanation.code for explanation in found] == ["other.subject"]


def test_what_fits_as_printed_comes_before_what_fits_with_rounding(table: UnitTable) -> None:
    inputs = {"a": figure("440.00", table), "b": figure("280.00", table)}
    around = Surroundings(may_be_sparse=True, neighbours=(figure("3.1428", table),))
    found = explain(QUOTIENT, figure("3.1428", table), inputs, surroundings=around)
    assert [(e.code, e.exact_fit) for e in found] == [("neighbour.value", True), ("sparse.dense", False)]


def test_zeros_in_place_of_digits_are_truncation(table: UnitTable) -> None:
    inputs = {"a": figure("24719", table), "b": ExplainedQuantity.constant("b", 2)}
    assert explain(QUOTIENT, figure("12,300", table), inputs)[0].code == "truncation"
    inputs["a"] = figure("24819", table)
    assert explain(QUOTIENT, figure("12,300", table), inputs) == ()


def test_units_of_1024_are_tried_for_data_only(table: UnitTable) -> None:
    inputs = {"a": figure("5000.0", table), "b": figure("4000.0", table)}
    assert explain(QUOTIENT, figure("1.3422GB", table), {"a": figure("5000.0GB", table), "b": inputs["b"]})[0].code == (
        "factor.1024"
    )
    assert explain(QUOTIENT, figure("1.3422W", table), {"a": figure("5000.0W", table), "b": inputs["b"]}) == ()


def test_nothing_explains_a_result_without_a_number(table: UnitTable) -> None:
    inputs = {"a": figure("5000.0", table), "b": figure("4000.0", table)}
    assert explain(QUOTIENT, ExplainedQuantity("range", None, Fraction(2), Fraction(3)), inputs) == ()
    zero = {"a": figure("5000.0", table), "b": figure("0", table)}
    assert explain(QUOTIENT, figure("7.123", table), zero) == ()


def test_whole_numbers_of_a_long_interval_are_not_listed() -> None:
    assert whole_numbers(Interval(Fraction(1), Fraction(100))) == ()
    assert whole_numbers(Interval(Fraction("0.5"), Fraction(3))) == (1, 2, 3)
