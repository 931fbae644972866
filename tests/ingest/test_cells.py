"""Cells are read as the type of their column, or their row is rejected."""

import pytest

from kg.ingest.cells import Unread, as_integer, as_number, as_quantity


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("4.8 TB/s", 4.8, "TB/s"),
        ("0.75 kW", 0.75, "kW"),
        (".5kW", 0.5, "kW"),
        ("1.5GB", 1.5, "GB"),
        ("1,024 GB", 1024, "GB"),
        ("1,024.5 GB", 1024.5, "GB"),
        ("81559 MiB", 81559, "MiB"),
        ("-40 °C", -40, "°C"),
        ("\u221240 °C", -40, "°C"),
        ("3.8e25 FLOP", 3.8e25, "FLOP"),
        ("1e3 GB", 1000, "GB"),
        ("5 eV", 5, "eV"),
        ("5eV", 5, "eV"),
        ("80%", 80, "%"),
        ("2 $/h", 2, "$/h"),
        ("9 kg/m2", 9, "kg/m2"),
    ],
)
def test_a_quantity_is_its_whole_number_and_the_unit_behind_it(text: str, number: float, unit: str) -> None:
    assert as_quantity(text) == (number, unit)


@pytest.mark.parametrize(
    "text",
    ["1,5 GB", "1.024.000 GB", "1,0245 GB", "1e5000 GB", "10-20 GB", "10–20 GB", "141", "GB", "- GB", "2 × 80 GB"],
)
def test_what_is_no_number_with_a_unit_is_no_quantity(text: str) -> None:
    with pytest.raises(Unread):
        as_quantity(text)


@pytest.mark.parametrize("value", ["99999999999999999999", "1e19", 10**20, -(10**20), 1e19, 10**400])
def test_a_whole_number_that_no_record_holds_is_not_read(value: object) -> None:
    with pytest.raises(Unread, match="whole number"):
        as_integer(value)


def test_a_number_that_no_float_holds_is_not_read() -> None:
    assert as_number(10**20) == 1e20
    with pytest.raises(Unread):
        as_number(10**400)
