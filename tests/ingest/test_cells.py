"""Cells are read as the type of their column, or their row is rejected."""

import pytest

from kg.ingest.cells import Unread, as_integer, as_number, as_quantity, reading_of


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


@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        ("number", "0" * 5000 + "80", 80),
        ("integer", "0" * 5000 + "80", 80),
        ("number", "9007199254740993000", 9007199254740993000),
        ("date", "٢٠٢٥-٠٣-١٨", "2025-03-18"),
        ("any", 10**20, 1e20),
        ("any", [10**20, "a"], [1e20, "a"]),
        ("list", [10**20, " a "], [1e20, "a"]),
        ("any", 8.5, 8.5),
        ("any", True, True),
    ],
)
def test_a_cell_of_any_length_or_script_is_read(kind: str, text: object, read: object) -> None:
    assert reading_of(kind)(text) == read


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 10**400, [float("inf")]])
@pytest.mark.parametrize("kind", ["any", "list"])
def test_a_figure_that_no_record_holds_is_not_read(kind: str, value: object) -> None:
    with pytest.raises(Unread):
        reading_of(kind)(value if isinstance(value, list) or kind == "any" else [value])


@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        ("number", "3,06", 3.06),
        ("number", "3,060", 3.06),
        ("number", "1.024,5", 1024.5),
        ("number", "12\u202f345,5", 12345.5),
        ("integer", "1.024", 1024),
        ("quantity", "4,8 TB/s", (4.8, "TB/s")),
        ("quantity", "1.024 GB, net", (1024, "GB, net")),
        ("number", 3.06, 3.06),
    ],
)
def test_a_column_with_a_decimal_comma_is_read_with_it(kind: str, text: object, read: object) -> None:
    assert reading_of(kind, decimal=",")(text) == read


def test_with_a_decimal_comma_a_point_groups_thousands_only() -> None:
    with pytest.raises(Unread):
        reading_of("number", decimal=",")("3.06")


@pytest.mark.parametrize("text", ["0,060", "007,123", "3,06", "-0,5"])
def test_what_can_only_be_a_decimal_comma_is_refused_where_none_is_stated(text: str) -> None:
    with pytest.raises(Unread, match="decimal"):
        as_number(text)
