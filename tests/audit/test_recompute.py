"""Findings of arithmetic: where an input or another computation shows that the result is not to blame, none is corrected."""

from typing import Any

from kg.audit.finding import Finding
from kg.audit.recompute import DerivationAudit, surroundings
from kg.model.units import UnitTable
from tests.audit.seeds import claim, seeds


def amount(name: str, printed: str, value: float, unit: str, **fields: Any) -> dict[str, Any]:
    return claim(name, quantity={"printed": printed, "value": value, "unit": unit}, **fields)


def derived(expression: str, **inputs: str) -> dict[str, Any]:
    return {"expression": expression, "inputs": {name: {"claim": one} for name, one in inputs.items()}}


COMPUTE = amount("x/compute", "20 PFLOPS", 20, "PFLOPS")
POWER = amount("x/power", "1000 W", 1000, "W")
OLDER = amount("x/older", "5.65 TFLOPS/W", 5.65, "TFLOPS/W")
SLIPPED = amount("x/newer", "20 PFLOPS/W", 20, "PFLOPS/W", derivations=[derived("c / p", c="x/compute", p="x/power")])


def ratio(printed: str, value: float, *derivations: dict[str, Any]) -> dict[str, Any]:
    return amount("x/ratio", printed, value, "1", relation="ratio", derivations=list(derivations))


def judged(table: UnitTable, record: dict[str, Any]) -> list[Finding]:
    claims = {one["id"]: one for one in (COMPUTE, POWER, OLDER, SLIPPED, record)}
    return list(DerivationAudit(table, claims.get).findings([record]))


def test_a_result_that_fits_once_an_input_is_put_right_has_no_corrected_value(table: UnitTable) -> None:
    (found,) = judged(table, ratio("3.5x", 3.5, derived("n / o", n="x/newer", o="x/older")))
    assert (found.code, found.corrected, found.is_excused) == ("arithmetic.inconsistent", None, True)
    assert [(one.code, one.text, one.corrected) for one in found.reasons] == [
        ("input.refuted", "its input x/newer does not recompute; with that put right the result fits", None)
    ]
    assert "10^3" not in found.message


def test_a_result_that_fits_with_no_input_put_right_says_only_which_input_does_not_hold(table: UnitTable) -> None:
    (found,) = judged(table, ratio("9x", 9, derived("n / o", n="x/newer", o="x/older")))
    assert [one.text for one in found.reasons] == ["its input x/newer does not recompute"]
    assert found.corrected is None


def test_a_result_that_another_computation_gives_has_no_corrected_value(table: UnitTable) -> None:
    wrong, right = (
        derived("c / p", c="x/compute", p="x/older"),
        derived("c / p / o", c="x/compute", p="x/power", o="x/older"),
    )
    found, fits = judged(table, ratio("3.5x", 3.5, wrong, right))
    assert (found.code, fits.code) == ("arithmetic.inconsistent", "arithmetic.consistent")
    assert [one.code for one in found.reasons] == ["derivation.fits"] and found.corrected is None


def test_a_result_of_inputs_that_hold_is_still_corrected(table: UnitTable) -> None:
    (found,) = judged(table, SLIPPED)
    assert found.corrected == 20_000_000_000_000 and not found.is_excused


def test_in_the_seeds_the_efficiency_slipped_and_not_the_ratio_made_of_it() -> None:
    audit = DerivationAudit(seeds().vocabulary.units, seeds().claims.get)
    found, fits = audit.findings([seeds().claims["004/efficiency.b200-over-h200"]])
    assert found.is_excused and found.corrected is None and fits.code == "arithmetic.consistent"
    assert "004/efficiency.b200.fp4" in found.message


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
