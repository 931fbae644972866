"""Findings of arithmetic: where an input or another computation shows that the result is not to blame, none is corrected."""

from fractions import Fraction
from typing import Any

import pytest

from kg.audit.dimensions import unit_factor
from kg.audit.finding import Finding
from kg.audit.recompute import DerivationAudit
from kg.audit.surroundings import surroundings
from kg.model.dimension import WrongDimension
from kg.model.expression import Expression
from kg.model.units import UnitTable
from tests.audit.seeds import claim, seeds


def amount(name: str, printed: str, value: float, unit: str, **fields: Any) -> Any:
    return claim(name, quantity={"printed": printed, "value": value, "unit": unit}, **fields)


def derived(expression: str, **inputs: str) -> Any:
    return {"expression": expression, "inputs": {name: {"claim": one} for name, one in inputs.items()}}


COMPUTE = amount("x/compute", "20 PFLOPS", 20, "PFLOPS")
POWER = amount("x/power", "1000 W", 1000, "W")
OLDER = amount("x/older", "5.65 TFLOPS/W", 5.65, "TFLOPS/W")
SLIPPED = amount("x/newer", "20 PFLOPS/W", 20, "PFLOPS/W", derivations=[derived("c / p", c="x/compute", p="x/power")])


def ratio(printed: str, value: float, *derivations: Any) -> Any:
    return amount("x/ratio", printed, value, "1", relation="ratio", derivations=list(derivations))


def judged(table: UnitTable, record: Any) -> list[Finding]:
    claims = {one["id"]: one for one in (COMPUTE, POWER, OLDER, SLIPPED, record)}
    return list(DerivationAudit(table, claims.get).findings([record]))


def test_a_result_that_fits_once_an_input_is_put_right_is_noted_and_keeps_its_value(table: UnitTable) -> None:
    (found,) = judged(table, ratio("3.5x", 3.5, derived("n / o", n="x/newer", o="x/older")))
    assert (found.code, found.severity, found.corrected) == ("arithmetic.input-refuted", "info", None)
    assert [(one.code, one.text, one.corrected) for one in found.reasons] == [
        (
            "input.refuted",
            "its input 20 PFLOPS/W [x/newer] does not recompute; with that put right the result fits",
            None,
        )
    ]
    assert "10^3" not in found.message


def test_a_result_that_falls_with_its_input_has_the_value_of_the_chain_put_right(table: UnitTable) -> None:
    (found,) = judged(table, ratio("9x", 9, derived("n / o", n="x/newer", o="x/older")))
    assert (found.code, found.severity, found.corrected) == ("arithmetic.input-refuted", "warning", Fraction(2000, 565))
    assert "as printed the inputs give 3,540, put right 3.54" in found.message


def test_a_result_that_fits_a_refuted_input_does_not_hold(table: UnitTable) -> None:
    (found,) = judged(table, ratio("3,540x", 3540, derived("n / o", n="x/newer", o="x/older")))
    assert (found.code, found.corrected) == ("arithmetic.input-refuted", Fraction(2000, 565))


def test_a_result_that_another_computation_gives_has_no_corrected_value(table: UnitTable) -> None:
    wrong, right = (
        derived("c / p / (o + o)", c="x/compute", p="x/power", o="x/older"),
        derived("c / p / o", c="x/compute", p="x/power", o="x/older"),
    )
    found, fits = judged(table, ratio("3.5x", 3.5, wrong, right))
    assert (found.code, fits.code) == ("arithmetic.inconsistent", "arithmetic.consistent")
    assert [one.code for one in found.reasons] == ["derivation.fits"] and found.corrected is None


def test_a_result_of_inputs_that_hold_is_still_corrected(table: UnitTable) -> None:
    (found,) = judged(table, SLIPPED)
    assert found.corrected == 20_000_000_000_000 and not found.is_excused


PRICE_PER_HOUR = amount("x/price", "$1.42 per hour", 1.42, "USD/h")
SPEED = amount("x/speed", "548 tokens/s", 548, "token/s")


def per_token(printed: str, value: float, expression: str = "p / r") -> Any:
    return amount("x/cost", printed, value, "USD/token", derivations=[derived(expression, p="x/price", r="x/speed")])


@pytest.mark.parametrize(
    ("printed", "value", "expression", "says"),
    [
        ("$0.00259", 0.00259, "p / r", "the factor 3,600 between the units is left out"),
        ("$0.00259", 0.00259, "p / r / 3600", "the factor 3,600 between the units is left out"),
        ("$0.00259", 0.00259, "p / (r * 3600)", "the factor 3,600 between the units is left out"),
        ("$9.33", 9.3285, "p / r", "multiplied by 3,600, the factor between the units, instead of divided"),
    ],
)
def test_a_forgotten_factor_of_units_is_no_division_left_out(
    table: UnitTable, printed: str, value: float, expression: str, says: str
) -> None:
    record = per_token(printed, value, expression)
    claims = {one["id"]: one for one in (PRICE_PER_HOUR, SPEED, record)}
    (found,) = DerivationAudit(table, claims.get).findings([record])
    assert found.code == "arithmetic.inconsistent"
    assert [one.code for one in found.reasons] == ["factor.unit"]
    assert says in found.reasons[0].text
    assert "accelerators" not in found.message


def test_a_quotient_in_another_unit_than_its_numerator_is_no_division_left_out(table: UnitTable) -> None:
    record = amount("x/e", "20.5 TFLOPS/W", 20.5, "TFLOPS/W", derivations=[derived("c / p", c="x/c", p="x/p")])
    claims = {
        one["id"]: one
        for one in (amount("x/c", "20.5 TFLOPS", 20.5, "TFLOPS"), amount("x/p", "7.31 W", 7.31, "W"), record)
    }
    (found,) = DerivationAudit(table, claims.get).findings([record])
    assert (found.code, [one.code for one in found.reasons]) == ("arithmetic.inconsistent", [])


def test_a_formula_that_cannot_be_read_is_a_finding_and_no_end_of_the_audit(table: UnitTable) -> None:
    """Stores of earlier versions may hold one: it was met before any error was caught, and no view could be made."""
    rows = [
        amount(name, "10", 10, "token/s", metric="throughput", normaliser="total", conditions={"accelerators": count})
        for name, count in (("x/a", 4), ("x/b", 8))
    ]
    record = amount("x/r", "1x", 1, "1", relation="ratio", derivations=[derived("a / b)", a="x/a", b="x/b")])
    claims = {one["id"]: one for one in (*rows, record)}
    (found,) = DerivationAudit(table, claims.get).findings([record])
    assert found.code == "arithmetic.not-checkable" and "does not belong there" in found.message


def test_arithmetic_that_gives_what_a_text_denies_is_no_word_for_it(table: UnitTable) -> None:
    """It was consistent, and the denial confirmed by it."""
    denial = derived("c / p", c="x/c", p="x/p")
    record = amount("x/e", "20 TFLOPS/W", 20, "TFLOPS/W", polarity="negated", derivations=[denial])
    rows = (amount("x/c", "20 PFLOPS", 20, "PFLOPS"), amount("x/p", "1000 W", 1000, "W"), record)
    (found,) = DerivationAudit(table, {one["id"]: one for one in rows}.get).findings([record])
    assert (found.code, found.severity) == ("arithmetic.not-checkable", "info")


def found_in_seeds(name: str) -> dict[str, Finding]:
    """The findings on the derivations of a seed claim by variant."""
    audit = DerivationAudit(seeds().vocabulary.units, seeds().claims.get)
    claim = seeds().claims[name]
    shown = {n: one.get("variant", str(n)) for n, one in enumerate(claim["derivations"], 1)}
    return {shown[found.derivation or 0]: found for found in audit.findings([claim])}


def test_in_the_seeds_the_efficiency_slipped_and_the_ratio_made_of_it_does_not_reach_what_is_said() -> None:
    found, fits = found_in_seeds("004/efficiency.b200-over-h200").values()
    assert found.code == "arithmetic.input-refuted" and fits.code == "arithmetic.within-rounding"
    assert found.corrected == Fraction(2000, 565) and "004/efficiency.b200.fp4" in found.message


def test_only_rows_of_averages_are_ambiguous_averages() -> None:
    audit = DerivationAudit(seeds().vocabulary.units, seeds().claims.get)
    found = [one for one in audit.findings(seeds().claims.values()) if one.code == "arithmetic.aggregation-ambiguous"]
    assert len(found) == 17
    assert all((seeds().claims[one.claim].get("conditions") or {}).get("aggregation") for one in found)


def test_nearly_tenfold_is_that_of_whole_systems_and_little_per_accelerator() -> None:
    found = found_in_seeds("002/author.nvl72-dgx-b200.r1")
    assert found["r1-b200-offline-total"].code == "arithmetic.consistent"  # 9.2 is nearly ten, 10.9 is not
    assert found["r1-b200-server-total"].code == "arithmetic.not-supported"
    per_card = found["r1-b200-offline-per-accelerator"]
    assert (per_card.code, round(per_card.corrected or 0, 2)) == ("arithmetic.input-refuted", Fraction("1.02"))
    assert "divided by" not in per_card.message and "exchanged" not in found["r1-b200-server-total"].message


def test_totals_of_unlike_numbers_of_accelerators_give_no_ratio_per_accelerator() -> None:
    found = found_in_seeds("002/report.llama2.gb200-h200")
    totals = {one.code for name, one in found.items() if name.endswith("-total")}
    assert totals == {"arithmetic.not-checkable"}
    assert found["llama2-h200-sxm-141gb-offline-per-accelerator"].code == "arithmetic.consistent"
    assert "4 and 8.1 accelerators" in found["llama2-h200-sxm-141gb-offline-total"].message


def test_a_ratio_of_a_column_divided_by_the_wrong_count_is_put_right() -> None:
    found = found_in_seeds("002/report.l405.b200-h100")
    codes = {name: one.code for name, one in found.items() if name.endswith("per-accelerator")}
    assert set(codes.values()) == {"arithmetic.input-refuted"}
    right = sorted(round(one.corrected, 2) for one in found.values() if one.corrected)
    assert right == [Fraction("4.06"), Fraction("4.23")]
    assert found["l405-h100-sxm-80gb-offline-total-over-count"].code == "arithmetic.not-supported"


def test_what_another_computation_gives_is_a_warning_only_where_most_miss_it() -> None:
    half = found_in_seeds("002/author.b200-hopper-die.theoretical")
    assert {one.severity for one in half.values()} == {"info"}
    most = found_in_seeds("002/author.h200-h100.single-card")
    missed = {one.severity for one in most.values() if one.code == "arithmetic.not-supported"}
    assert missed == {"warning"}
    assert any("1.168, not the printed result; another computation does" in one.message for one in most.values())


def test_a_whole_run_is_not_divided_by_its_accelerators() -> None:
    found = found_in_seeds("001/llama3-70b.energy.fp8-increase")
    assert "arithmetic.not-checkable" not in {one.code for one in found.values()}


def test_only_a_series_that_has_superchips_or_is_unknown_may_be_divided_by_them() -> None:
    around = surroundings(seeds().registry.records)
    assert around["accelerator/nvidia-h100-sxm-80gb"].accelerators_per_superchip == 0
    assert around["family/nvidia-h100"].accelerators_per_superchip == 0
    assert around["accelerator/nvidia-gb200-gpu"].accelerators_per_superchip == 2
    assert "accelerator/unheard-of" not in around


def test_an_h100_is_not_said_to_be_divided_by_superchips() -> None:
    audit = DerivationAudit(seeds().vocabulary.units, seeds().claims.get, surroundings(seeds().registry.records))
    (found,) = audit.findings([seeds().claims["002/l405.h100-sxm-80gb.offline.per-accelerator"]])
    assert [one.code for one in found.reasons] == ["divisor.per-node"]


RENT = amount("x/rent", "$1.80/h", 1.8, "USD/h")
RATE = amount("x/rate", "500 tokens/s", 500, "token/s")


def recomputed(table: UnitTable, record: Any) -> Finding:
    claims = {one["id"]: one for one in (RENT, RATE, COMPUTE, POWER, record)}
    (found,) = DerivationAudit(table, claims.get).findings([record])
    return found


def test_a_formula_over_hours_and_seconds_is_converted_by_3600(table: UnitTable) -> None:
    cost = amount("x/cost", "$1.00", 1.0, "USD/Mtoken", derivations=[derived("c / r", c="x/rent", r="x/rate")])
    found = recomputed(table, cost)
    assert (found.code, found.computed) == ("arithmetic.consistent", Fraction(18, 10) / 500 / 3600)


def test_a_formula_that_writes_its_factor_out_is_not_converted_again(table: UnitTable) -> None:
    cost = amount("x/cost", "$1.00", 1.0, "USD/Mtoken", derivations=[derived("c / (r * 3600)", c="x/rent", r="x/rate")])
    assert recomputed(table, cost).code == "arithmetic.consistent"


def test_a_converted_formula_that_does_not_hold_is_found_with_the_right_value(table: UnitTable) -> None:
    cost = amount("x/cost", "$3.60", 3.6, "USD/Mtoken", derivations=[derived("c / r", c="x/rent", r="x/rate")])
    found = recomputed(table, cost)
    assert (found.code, found.corrected) == ("arithmetic.inconsistent", Fraction(1, 10**6))


def test_a_cost_per_million_tokens_said_by_its_normaliser_is_the_same(table: UnitTable) -> None:
    cost = amount(
        "x/cost",
        "$1.00",
        1.0,
        "USD",
        normaliser="per-million-tokens",
        derivations=[derived("c / r", c="x/rent", r="x/rate")],
    )
    assert recomputed(table, cost).code == "arithmetic.consistent"


def test_a_share_in_per_cent_of_two_equal_units_is_a_hundred_times_their_quotient(table: UnitTable) -> None:
    peak = amount("x/peak", "40 PFLOPS", 40, "PFLOPS")
    share = amount("x/share", "50 %", 50, "%", derivations=[derived("c / p", c="x/compute", p="x/peak")])
    claims = {one["id"]: one for one in (COMPUTE, peak, share)}
    (found,) = DerivationAudit(table, claims.get).findings([share])
    assert found.code == "arithmetic.consistent"


def test_a_formula_whose_dimensions_do_not_fit_is_refused_with_its_reason(table: UnitTable) -> None:
    for expression in ("c * p", "c + p"):
        record = amount(
            "x/result", "5 TFLOPS/W", 5, "TFLOPS/W", derivations=[derived(expression, c="x/compute", p="x/power")]
        )
        found = recomputed(table, record)
        assert (found.code, found.severity, found.corrected) == ("arithmetic.not-checkable", "info", None)
        assert "the dimensions do not fit" in found.message
    added = recomputed(
        table, amount("x/result", "5 W", 5, "W", derivations=[derived("c + p", c="x/compute", p="x/power")])
    )
    assert "FLOP/s" in added.message and "J/s" in added.message


@pytest.mark.parametrize(
    ("expression", "inputs", "result", "factor"),
    [
        ("rate * time", {"rate": "USD/h", "time": "s"}, "USD", Fraction(1, 3600)),
        ("rate * time / 3600", {"rate": "USD/h", "time": "s"}, "USD", Fraction(1)),
        ("c / p", {"c": "FLOP/s", "p": "W"}, "FLOP/s/W", Fraction(1)),
        ("rate * time", {"rate": "USD/h", "time": None}, "USD", Fraction(1)),
        ("rate * time", {"rate": "USD/h", "time": "s"}, None, Fraction(1)),
    ],
    ids=["the units make a factor", "the formula has it", "none", "an input of no unit", "a result of no unit"],
)
def test_a_formula_is_multiplied_by_what_lies_between_the_units_and_by_nothing_where_one_is_open(
    table: UnitTable, expression: str, inputs: dict[str, str | None], result: str | None, factor: Fraction
) -> None:
    assert unit_factor(Expression.parse(expression), inputs, result, table) == factor


def test_no_factor_makes_units_of_other_dimensions_fit(table: UnitTable) -> None:
    with pytest.raises(WrongDimension):
        unit_factor(Expression.parse("rate * power"), {"rate": "USD/h", "power": "W"}, "USD", table)


@pytest.mark.parametrize("text", [f"n / o * {'9' * 450}", f"n / (o / {'9' * 450})"])
def test_a_formula_that_gives_more_than_a_double_holds_cannot_be_checked(table: UnitTable, text: str) -> None:
    (found,) = judged(table, ratio("9x", 9, derived(text, n="x/newer", o="x/older")))
    assert found.code == "arithmetic.not-checkable" and found.to_json()["computed"] is None


@pytest.mark.parametrize(
    ("corrections", "value"),
    [
        ({"x/compute": Fraction(10**16)}, Fraction(10**13)),
        ({"x/compute": Fraction(10**16), "x/power": Fraction(500)}, Fraction(2 * 10**13)),
        ({"x/compute": None}, None),
        ({"x/older": Fraction(1)}, None),
        ({}, None),
    ],
)
def test_what_is_put_right_is_what_is_computed_from_a_corrected_input(
    table: UnitTable, corrections: dict[str, Fraction | None], value: Fraction | None
) -> None:
    claims = {one["id"]: one for one in (COMPUTE, POWER, OLDER, SLIPPED)}
    assert DerivationAudit(table, claims.get).put_right(SLIPPED, corrections) == (
        value,
        None if value is None else "FLOP/s/W",
    )
