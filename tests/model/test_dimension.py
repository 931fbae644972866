"""Dimensions and factors against pint, an independent implementation with definitions of its own."""

import random
from fractions import Fraction

import pint
import pytest

from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.dimension import Dimensions, WrongDimension, dimension_of
from kg.model.expression import Expression
from kg.model.units import UnitTable
from tests.small_content import ROOT

PINT = {
    "byte": "octet",
    "W": "watt",
    "J": "joule",
    "s": "second",
    "m": "meter",
    "m2": "meter ** 2",
    "h": "hour",
    "Hz": "hertz",
    "month": "gregorian_month",
    "year": "gregorian_year",
    "bit": "our_bit",
    "1": "",
    "%": "one_hundredth",
    "pp": "one_hundredth",
    "count": "",
    "parameter": "",
}
"""What the canonical units of ours are in pint; a name of its own is a dimension of its own there."""
NAMED = ("token", "sample", "query", "result", "FLOP", "USD", "CNY")


@pytest.fixture(scope="module")
def table() -> UnitTable:
    return read_vocabulary(find_content(ROOT)).units


@pytest.fixture(scope="module")
def registry() -> "pint.UnitRegistry[float]":
    made: pint.UnitRegistry[float] = pint.UnitRegistry()
    for line in (
        "octet = [data]",
        "our_bit = octet / 8",
        "one_hundredth = 0.01",
        "gregorian_year = 31556952 * second",
        "gregorian_month = gregorian_year / 12",
        *(f"named_{name} = [{name}]" for name in NAMED),
    ):
        made.define(line)
    return made


def in_pint(canonical: str) -> str:
    """A canonical unit of ours as a text that pint reads."""
    above, *below = (f"({PINT.get(part, f'named_{part}') or 1})" for part in canonical.split("/"))
    return " / ".join([above, *below])


def generated(seed: int, units: list[str]) -> tuple[str, dict[str, str]]:
    """An expression of products, quotients and sums over up to six units, and the unit of each name."""
    chosen = random.Random(seed)
    names = {f"x{position}": chosen.choice(units) for position in range(chosen.randint(1, 6))}
    parts = [f"({name} + {name})" if chosen.random() < 0.2 else name for name in names]
    text = parts[0]
    for part in parts[1:]:
        text = (
            f"({text}) {chosen.choice('*/')} {part}"
            if chosen.random() < 0.5
            else f"{text} {chosen.choice('*/')} {part}"
        )
    return text, names


@pytest.mark.parametrize("seed", range(200))
def test_a_generated_expression_has_the_dimension_and_the_factor_of_pint(
    seed: int, table: UnitTable, registry: "pint.UnitRegistry[float]"
) -> None:
    dimensions = Dimensions(table)
    units = sorted({table.canonical(one.id).id for one in table.units if dimensions.of(one.id) is not None})
    text, names = generated(seed, units)
    ours = dimension_of(
        Expression.parse(text), {name: one for name, unit in names.items() if (one := dimensions.of(unit))}
    )
    values = {name: 2 + position for position, name in enumerate(names)}
    theirs = eval(  # the text was generated three lines above
        text, {name: registry.Quantity(values[name], in_pint(unit)) for name, unit in names.items()}
    ).to_base_units()
    plain = Expression.parse(text).evaluate({name: Fraction(value) for name, value in values.items()})
    expected: dict[str, int] = {}
    for name, power in ours.exponents:
        for base, exponent in _dimension(registry, name).items():
            expected[base] = expected.get(base, 0) + exponent * power
    found = {str(name): int(float(str(power))) for name, power in theirs.dimensionality.items()}
    assert {k: v for k, v in expected.items() if v} == {k: v for k, v in found.items() if v}
    assert float(plain * ours.factor) == pytest.approx(theirs.magnitude, rel=1e-9)


def _dimension(registry: "pint.UnitRegistry[float]", name: str) -> dict[str, int]:
    text = {"s": "second", "J": "joule", "byte": "octet", "m": "meter"}.get(name, f"named_{name}")
    given = registry.Quantity(1.0, text).dimensionality
    return {str(base): int(float(str(power))) for base, power in given.items()}


@pytest.mark.parametrize(
    ("left", "right"), [("USD", "CNY"), ("token/s", "query/s"), ("USD/h", "USD/month"), ("W", "J")]
)
def test_what_cannot_be_added_is_refused(left: str, right: str, table: UnitTable) -> None:
    dimensions = Dimensions(table)
    inputs = {name: one for name, unit in (("a", left), ("b", right)) if (one := dimensions.of(unit)) is not None}
    with pytest.raises(WrongDimension):
        dimension_of(Expression.parse("a + b"), inputs)


def test_a_date_and_a_temperature_have_no_dimension(table: UnitTable) -> None:
    assert Dimensions(table).of("date") is None
    assert Dimensions(table).of("degC") is None
