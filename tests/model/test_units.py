"""The unit table: names, kinds, exact conversion, and what it refuses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from kg.errors import ContentError, Mistakes
from kg.model.units import UnitMismatch, UnitTable, UnknownUnit

KINDS: dict[str, dict[str, object]] = {"power": {"canonical": "W"}}
WATT: dict[str, object] = {"kind": "power", "factor": "1", "names": ["watt"]}


def test_every_unit_of_the_shipped_table_converts_to_its_canonical_unit(table: UnitTable) -> None:
    for unit in table.units:
        assert table.convert(Fraction(1), unit.id, table.canonical(unit.id).id) == unit.factor
        assert all(table.get(name) == unit for name in (unit.id, *unit.names))


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        ("1", "kWh", "J", "3600000"),
        ("1", "TWh", "GWh", "1000"),
        ("1", "GWh", "MWh", "1000"),
        ("1", "EB", "PB", "1000"),
        ("1", "KiB", "byte", "1024"),
        ("1", "PiB", "TiB", "1024"),
        ("1", "EiB", "PiB", "1024"),
        ("1", "TiB/s", "GiB/s", "1024"),
        ("4.8", "TB/s", "GB/s", "4800"),
        ("8", "Gbit/s", "GB/s", "1"),
        ("1", "token/day", "token/s", "1/86400"),
        ("72", "cent/Mtoken", "USD/Mtoken", "0.72"),
        ("1", "GiB", "byte", "1073741824"),
        ("3", "count:gpu", "count", "3"),
    ],
)
def test_conversion_is_exact(value: str, source: str, target: str, expected: str, table: UnitTable) -> None:
    assert table.convert(Fraction(value), source, target) == Fraction(expected)
    assert table.convert(Fraction(expected), target, source) == Fraction(value)


@pytest.mark.parametrize(
    ("source", "target"), [("W", "J"), ("USD", "CNY"), ("FLOP/s", "Hz"), ("count:gpu", "count:node"), ("%", "pp")]
)
def test_units_of_different_kinds_do_not_convert(source: str, target: str, table: UnitTable) -> None:
    with pytest.raises(UnitMismatch):
        table.convert(Fraction(1), source, target)


def test_an_unknown_unit_gets_the_nearest_name(table: UnitTable) -> None:
    with pytest.raises(UnknownUnit, match=r'"GB/S" is not a known unit\. Did you mean "GB/s"\?'):
        table.get("GB/S")
    with pytest.raises(UnknownUnit, match="Accepted"):
        table.get("§§§§")
    assert table.find("count:") is None
    assert table.find("gb/s") is None


def test_a_count_names_its_thing(table: UnitTable) -> None:
    assert table.get("count:gpu").thing == "gpu"
    assert table.kind("count:gpu") == "count"
    assert table.get("W").thing is None


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ({"kind": "mass", "factor": "1"}, "not a kind"),
        ({"kind": "power", "factor": 1.5}, "not exact"),
        ({"kind": "power", "factor": "much"}, "not a number"),
        ({"kind": "power", "factor": "1/0"}, "not a number"),
        ({"kind": "power", "factor": "1e-999999999"}, "not a number"),
        ({"kind": "power", "factor": "-1"}, "not above zero"),
        ({"kind": "power", "factor": "10", "names": ["watt"]}, "is a name of W too"),
        ({"kind": "power", "factor": "10", "names": "x"}, "not a list"),
    ],
)
def test_a_wrong_table_is_refused(unit: dict[str, Any], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        UnitTable.from_mapping({"kinds": KINDS, "units": {"W": WATT, "dW": unit}})


def test_all_mistakes_are_reported_together() -> None:
    with pytest.raises(Mistakes) as caught:
        UnitTable.from_mapping(
            {"kinds": {"power": {"canonical": "J"}}, "units": {"W": {"kind": "mass", "factor": "1"}}}
        )
    assert len(caught.value.errors) == 2


def test_tables_compare_by_content(table: UnitTable) -> None:
    first, second = (UnitTable.from_mapping({"kinds": KINDS, "units": {"W": WATT}}) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != table


def test_a_value_has_one_in_the_canonical_unit(table: UnitTable) -> None:
    assert table.to_canonical(Fraction("1.2"), "kW") == table.convert(Fraction("1.2"), "kW", "W") == 1200
    assert table.to_canonical(Fraction(8), "bit/s") == 1
