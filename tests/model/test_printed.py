"""Printed figures: values, bounds, units, hedges, and what they say as ratios."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import ModelError
from kg.model.amount import UnreadableNumber
from kg.model.hedges import HEDGES
from kg.model.interval import Interval
from kg.model.printed import PrintedNumber, Relation, printed_with_value, read_printed
from kg.model.units import UnitMismatch, UnitTable

# text, options, value, lower, upper, unit
READINGS: list[tuple[str, dict[str, Any], Any, str | None, str | None, str | None]] = [
    ("2.3", {}, "2.3", "2.25", "2.35", None),
    ("1,960", {}, "1960", "1959.5", "1960.5", None),
    ("$29.1M", {}, "29100000", "29050000", "29150000", "USD"),
    ("$3.1M", {"unit": "USD"}, "3100000", "3050000", "3150000", "USD"),
    ("1.6x to 1.7x", {}, ("1.6", "1.7"), "1.55", "1.75", "1"),
    ("70%-87.5%", {}, ("70", "87.5"), "69.5", "87.55", "%"),
    ("15-20%", {}, ("15", "20"), "14.5", "20.5", "%"),
    ("15 to 20 %", {}, ("15", "20"), "14.5", "20.5", "%"),
    ("between 15 and 20%", {}, ("15", "20"), "14.5", "20.5", "%"),
    ("$1.5-2M", {}, ("1500000", "2000000"), "1450000", "2500000", "USD"),
    ("$20-30k", {}, ("20000", "30000"), "19500", "30500", "USD"),
    ("four to five times", {}, ("4", "5"), "3.5", "5.5", "1"),
    ("34%", {}, "34", "33.5", "34.5", "%"),
    ("4.8TB/s", {}, "4.8", "4.75", "4.85", "TB/s"),
    ("10,791kWh", {}, "10791", "10790.5", "10791.5", "kWh"),
    ("38,847,600,000", {"unit": "J"}, "38847600000", "38847599999.5", "38847600000.5", "J"),
    ("72 cents", {"unit": "cent/Mtoken"}, "72", "71.5", "72.5", "cent/Mtoken"),
    ("15T", {"unit": "token"}, "15e12", "14.5e12", "15.5e12", "token"),
    ("15T", {"unit": "token", "exact": True}, "15e12", "15e12", "15e12", "token"),
    ("500k", {}, "500000", "499500", "500500", None),
    ("16k", {"unit": "count:gpu"}, "16000", "15500", "16500", "count:gpu"),
    ("405B", {"unit": "parameter"}, "405e9", "404.5e9", "405.5e9", "parameter"),
    ("405B", {"unit": "byte"}, "405", "404.5", "405.5", "byte"),
    ("5M", {"unit": "byte"}, "5e6", "4.5e6", "5.5e6", "byte"),
    ("5k", {"unit": "W"}, "5e3", "4.5e3", "5.5e3", "W"),
    ("12k", {"unit": "token/s"}, "12e3", "11.5e3", "12.5e3", "token/s"),
    ("8 x H100", {"unit": "count:gpu"}, "8", "7.5", "8.5", "count:gpu"),
    ("6 billion", {"unit": "parameter"}, "6e9", "5.5e9", "6.5e9", "parameter"),
    ("27-trillion", {"unit": "parameter"}, "27e12", "26.5e12", "27.5e12", "parameter"),
    ("tenfold", {}, "10", "9.5", "10.5", "1"),
    ("nearly tenfold", {}, "10", "9", "10", "1"),
    ("nearly 3.5x", {}, "3.5", "3.15", "3.5", "1"),
    ("nearly 0.5x", {}, "0.5", "0.45", "0.5", "1"),
    ("nearly -3.5%", {}, "-3.5", "-3.5", "-3.15", "%"),
    ("nearly -3.5% to 2.0%", {}, ("-3.5", "2"), "-3.55", "2", "%"),
    ("10-fold", {}, "10", "9.5", "10.5", "1"),
    ("twice", {"unit": "1"}, "2", "1.75", "2.25", "1"),
    ("double", {}, "2", "1.75", "2.25", "1"),
    ("half", {}, "0.5", "0.45", "0.55", "1"),
    ("a factor of nine", {}, "9", "8.5", "9.5", "1"),
    ("two", {}, "2", "1.5", "2.5", None),
    ("twenty-five", {}, "25", "24.5", "25.5", None),
    ("three million", {}, "3e6", "2.5e6", "3.5e6", None),
    ("a million", {}, "1e6", "5e5", "1.5e6", None),
    ("two to three million", {}, ("2e6", "3e6"), "1.5e6", "3.5e6", None),
    ("two million to three million", {}, ("2e6", "3e6"), "1.5e6", "3.5e6", None),
    ("fifty to one hundred", {}, ("50", "100"), "49.5", "150", None),
    ("$800 to $1.2k", {}, ("800", "1200"), "799.5", "1250", "USD"),
    ("a third", {}, "1/3", "17/60", "23/60", "1"),
    ("two thirds", {}, "2/3", "37/60", "43/60", "1"),
    ("three-quarters", {}, "0.75", "0.7", "0.8", "1"),
    ("-10 to -5%", {}, ("-10", "-5"), "-10.5", "-4.5", "%"),
    ("−3.5%–−2.0%", {}, ("-3.5", "-2"), "-3.55", "-1.95", "%"),
    (">=5", {}, "5", "4.5", None, None),
    ("<= 5 W", {}, "5", None, "5.5", "W"),
    ("$ 8000/month", {}, "8000", "7999.5", "8000.5", "USD/month"),
    ("US$2", {"unit": "USD/h"}, "2", "1.5", "2.5", "USD/h"),
    ("4.1 million RMB", {}, "4.1e6", "4.05e6", "4.15e6", "CNY"),
    ("8*H100", {"unit": "count:gpu"}, "8", "7.5", "8.5", "count:gpu"),
    ("8*H100", {}, "8", "7.5", "8.5", None),
    ("8-GPU", {"unit": "count:gpu", "exact": True}, "8", "8", "8", "count:gpu"),
    ("-3.2%", {}, "-3.2", "-3.25", "-3.15", "%"),
    ("−5%", {}, "-5", "-5.5", "-4.5", "%"),
    ("+57%", {}, "57", "56.5", "57.5", "%"),
    ("~2k", {}, "2000", "1500", "2500", None),
    ("over 30%", {}, "30", "30", None, "%"),
    ("90%+", {}, "90", "89.5", None, "%"),
    ("up to 2.5x", {}, "2.5", None, "2.55", "1"),
    ("<50ms", {}, "50", None, "50", "ms"),
    ("50%", {"unit": "%/year"}, "50", "49.5", "50.5", "%/year"),
    ("20%", {"unit": "pp"}, "20", "19.5", "20.5", "pp"),
    ("64-bit", {}, "64", "63.5", "64.5", "bit"),
    ("5.3e24", {"unit": "FLOP"}, "5.3e24", "5.25e24", "5.35e24", "FLOP"),
    ("3.8×10^25 FLOP", {}, "3.8e25", "3.75e25", "3.85e25", "FLOP"),
    ("10^25 FLOP", {}, "1e25", "5e24", "1.5e25", "FLOP"),
    ("10^24 to 10^25 FLOP", {}, ("1e24", "1e25"), "5e23", "1.5e25", "FLOP"),
    ("2e-5", {}, "2e-5", "1.5e-5", "2.5e-5", None),
    (".5", {}, "0.5", "0.45", "0.55", None),
    ("72,428.00", {}, "72428", "72427.995", "72428.005", None),
    ("10\u202f000 W", {}, "10000", "9999.5", "10000.5", "W"),
    ("10\u2009000 W", {}, "10000", "9999.5", "10000.5", "W"),
    ("1 200 W", {}, "1200", "1199.5", "1200.5", "W"),
    ("$1 200", {}, "1200", "1199.5", "1200.5", "USD"),
    ("1 200 to 2 400 W", {}, ("1200", "2400"), "1199.5", "2400.5", "W"),
    ("2 300 000", {"unit": "count:gpu"}, "2300000", "2299999.5", "2300000.5", "count:gpu"),
    ("700 ± 10 W", {}, "700", "690", "710", "W"),
    ("700±10", {"unit": "W"}, "700", "690", "710", "W"),
    ("700 W +/- 10 W", {}, "700", "690", "710", "W"),
    ("700 W ±10", {}, "700", "690", "710", "W"),
    ("1 200 ± 100 W", {}, "1200", "1100", "1300", "W"),
    ("(700 ± 10) W", {}, "700", "690", "710", "W"),
    ("700 W ± 5%", {}, "700", "665", "735", "W"),
    ("700 ± 5%", {"unit": "W"}, "700", "665", "735", "W"),
    ("98.5 ± 0.3%", {}, "98.5", "98.2", "98.8", "%"),
    ("3.2 ± 0.2 million", {"unit": "count:gpu"}, "3.2e6", "3e6", "3.4e6", "count:gpu"),
    ("up to 700 ± 10 W", {}, "700", None, "710", "W"),
    ("$3.1M +- 0.2M", {}, "3.1e6", "2.9e6", "3.3e6", "USD"),
    ("-5 ± 2 °C", {}, "-5", "-7", "-3", "degC"),
    ("700 ± 0 W", {}, "700", "700", "700", "W"),
]

UNREADABLE: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("$", {}),
    ("abc", {}),
    ("millions", {}),
    ("0,5", {}),
    ("0,060", {}),
    ("00,060", {}),
    ("five five", {}),
    ("twenty ten", {}),
    ("twenty-thirty", {}),
    ("two-three times", {}),
    ("800 to 1.2 million", {}),
    ("two million to three", {}),
    ("five thirds", {}),
    ("1,9605", {}),
    ("8 x 4", {}),
    ("500-", {}),
    ("20-15%", {}),
    ("15-15%", {}),
    ("3 months to 2 weeks", {}),
    ("1M-2", {}),
    ("4.8T", {"unit": "TB/s"}),
    ("5K", {"unit": "kW"}),
    ("70B", {"unit": "GB"}),
    ("5 B", {"unit": "GB/s"}),
    ("2T", {"unit": "GB"}),
    ("5M", {"unit": "kW"}),
    ("1.5M", {"unit": "GHz"}),
    ("2x4", {"unit": "count:gpu"}),
    ("8 x 4", {"unit": "count:gpu"}),
    ("8×4 H100", {"unit": "count:gpu"}),
    ("12 parsecs", {}),
    ("about 5", {"hedge": "over"}),
    ("1e9999", {}),
    ("2024 200 W", {}),
    ("8 192 80", {}),
    ("1.2k ± 50", {}),
    ("1.2 kW ± 50 J", {}),
    ("700 ± W", {}),
    ("± 10 W", {}),
    ("700 ± 10 ± 5 W", {}),
    ("1 to 2 ± 1 W", {}),
]


def exact(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


@pytest.mark.parametrize(("text", "options", "value", "lower", "upper", "unit"), READINGS)
def test_a_figure_reads_as_value_bounds_and_unit(
    text: str,
    options: dict[str, Any],
    value: Any,
    lower: str | None,
    upper: str | None,
    unit: str | None,
    table: UnitTable,
) -> None:
    number = read_printed(text, table=table, **options)
    assert number.value == (tuple(map(Fraction, value)) if isinstance(value, tuple) else Fraction(value))
    assert (number.lower, number.upper) == (exact(lower), exact(upper))
    assert number.unit == unit
    assert number.text == text
    assert number.shape == ("interval" if isinstance(value, tuple) else None)


@pytest.mark.parametrize(("text", "options"), UNREADABLE)
def test_what_does_not_read_is_refused(text: str, options: dict[str, Any], table: UnitTable) -> None:
    with pytest.raises(UnreadableNumber):
        read_printed(text, table=table, **options)


@pytest.mark.parametrize(
    "text", ["1e309", "-1e309", "1e-400", "9" * 400, "9" * 5000, "0." + "0" * 400 + "1", "1x10^200 W", "1 to 1e309"]
)
def test_a_figure_that_no_store_could_hold_is_out_of_range(text: str, table: UnitTable) -> None:
    with pytest.raises(UnreadableNumber, match="out of range") as told:
        read_printed(text, table=table)
    assert len(str(told.value)) < 200
    assert "1e100" in str(told.value)


@pytest.mark.parametrize(
    ("text", "unit"), [("141GB", "TB"), ("$5", "CNY"), ("34%", "1"), ("4.8TB/s", "GB/s"), ("twice", "%"), ("5W", "J")]
)
def test_a_stated_unit_must_fit_the_printed_one(text: str, unit: str, table: UnitTable) -> None:
    with pytest.raises(UnitMismatch):
        read_printed(text, unit=unit, table=table)


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("1,200 W", ("1150", "1250")),
        ("500k", ("450000", "550000")),
        ("2.50", ("2.495", "2.505")),
        ("10,791", ("10790.5", "10791.5")),
        ("0", ("-0.5", "0.5")),
        ("10-20", ("5", "25")),
    ],
)
def test_trailing_zeros_of_a_whole_number_have_a_wide_reading(
    text: str, wide: tuple[str, str], table: UnitTable
) -> None:
    number = read_printed(text, table=table)
    assert number.wide == Interval(Fraction(wide[0]), Fraction(wide[1]))
    assert number.wide.includes(number.interval)


@pytest.mark.parametrize("hedge", sorted(HEDGES))
def test_a_hedge_drops_an_end_or_none(hedge: str, table: UnitTable) -> None:
    number = read_printed("30%", hedge=hedge, table=table)
    spoken = read_printed(f"{hedge.replace('-', ' ')} 30%", table=table)
    assert (spoken.hedge, spoken.interval) == (number.hedge, number.interval)
    expected: tuple[Fraction | None, Fraction | None]
    if hedge in ("over", "more-than"):
        expected = (Fraction(30), None)
    elif hedge in ("at-least", "as-low-as"):
        expected = (Fraction("29.5"), None)
    elif hedge in ("less-than", "below"):
        expected = (None, Fraction(30))
    elif hedge in ("up-to", "as-high-as"):
        expected = (None, Fraction("30.5"))
    elif hedge == "nearly":
        expected = (Fraction(27), Fraction(30))
    else:
        expected = (Fraction("29.5"), Fraction("30.5"))
    assert (number.lower, number.upper) == expected


def test_an_unknown_hedge_is_refused(table: UnitTable) -> None:
    with pytest.raises(ModelError, match="not a known hedge"):
        read_printed("30", hedge="perhaps", table=table)


def test_a_stated_value_takes_its_precision_from_the_digits_of_the_text(table: UnitTable) -> None:
    number = printed_with_value("4.8T", "4.8", unit="TBps", table=table)
    assert (number.unit, number.interval) == ("TB/s", Interval(Fraction("4.75"), Fraction("4.85")))
    assert printed_with_value("72 cents", Decimal("0.72"), unit="USD").place == Fraction(1, 100)
    assert printed_with_value("twice", 2).interval == Interval(Fraction("1.75"), Fraction("2.25"))
    assert printed_with_value("tenfold", 10).interval == Interval(Fraction("9.5"), Fraction("10.5"))
    pair = printed_with_value("4.8-5T", ("4.8", 5), shape="span")
    assert (pair.shape, pair.lower, pair.upper) == ("span", Fraction("4.75"), Fraction("5.5"))
    third = printed_with_value("its part", Fraction(1, 3))
    assert (third.value, third.place, third.lower) == (Fraction(1, 3), None, Fraction(1, 3))
    magnitude = printed_with_value("millions", (10**6, 10**9), shape="magnitude")
    assert (magnitude.lower, magnitude.exact) == (Fraction(10**6), False)


# Text, stated value, lower, upper, wide lower, wide upper.
STATED: list[tuple[str, Any, str, str, str, str]] = [
    ("3,5", "3.5", "3.45", "3.55", "3.45", "3.55"),
    ("1.234,5 W", "1234.5", "1234.45", "1234.55", "1234.45", "1234.55"),
    ("3,060", "3.06", "3.0595", "3.0605", "3.0595", "3.0605"),
    ("0,060", "0.06", "0.0595", "0.0605", "0.0595", "0.0605"),
    ("1.024", "1024", "1023.5", "1024.5", "1023.5", "1024.5"),
    ("1 200 W", "1200", "1199.5", "1200.5", "1150", "1250"),
    ("1'234.5", "1234.5", "1234.45", "1234.55", "1234.45", "1234.55"),
    ("0.00", "0", "-0.005", "0.005", "-0.005", "0.005"),
    ("0 W", "5", "4.5", "5.5", "4.5", "5.5"),
    ("five million tokens", "5000000", "4500000", "5500000", "4500000", "5500000"),
    ("a million", "1000000", "500000", "1500000", "500000", "1500000"),
    ("one third", "0.3333333333333333", "17/60", "23/60", "17/60", "23/60"),
    ("two to three million", (2 * 10**6, 3 * 10**6), "1500000", "3500000", "1500000", "3500000"),
    ("two weeks", "336", "252", "420", "252", "420"),
]


@pytest.mark.parametrize(("text", "value", "lower", "upper", "wide_lower", "wide_upper"), STATED)
def test_the_print_says_how_precise_a_stated_value_is(
    text: str, value: Any, lower: str, upper: str, wide_lower: str, wide_upper: str
) -> None:
    number = printed_with_value(text, value)
    tolerance = Fraction(1, 10**12)
    for found, wanted in zip(
        (number.lower, number.upper, number.wide_lower, number.wide_upper),
        (lower, upper, wide_lower, wide_upper),
        strict=True,
    ):
        assert found is not None
        assert abs(found - Fraction(wanted)) < tolerance


@pytest.mark.parametrize(("text", "options"), [row[:2] for row in READINGS])
def test_a_figure_that_reads_has_the_same_bounds_when_its_value_is_stated(
    text: str, options: dict[str, Any], table: UnitTable
) -> None:
    read = read_printed(text, table=table, **options)
    stated = printed_with_value(
        text, read.value, unit=read.unit, hedge=read.hedge, exact=read.exact, shape=read.shape, table=table
    )
    assert (stated.interval, stated.wide, stated.digits) == (read.interval, read.wide, read.digits)


def test_a_span_that_falls_keeps_the_digits_of_each_end() -> None:
    number = printed_with_value("72 to 54.2 cents", (Fraction(72), Fraction("54.2")), shape="span")
    assert number.value == (Fraction("54.2"), Fraction(72))
    assert number.interval == Interval(Fraction("54.15"), Fraction("72.5"))


def test_binary_floats_are_refused() -> None:
    value: Any = 4.8
    with pytest.raises(ModelError, match="binary float"):
        printed_with_value("4.8T", value)


@pytest.mark.parametrize(
    ("text", "relation", "value", "lower", "upper"),
    [
        ("57%", "increase", "1.57", "1.565", "1.575"),
        ("51.7%", "decrease", "0.483", "0.4825", "0.4835"),
        ("5x", "times-less", "0.2", "2/11", "2/9"),
        ("26%", "share-of", "0.26", "0.255", "0.265"),
        ("2.5x", "ratio", "2.5", "2.45", "2.55"),
        ("0.5x", "increase", "1.5", "1.45", "1.55"),
        ("over 50%", "decrease", "0.5", None, "0.5"),
        ("up to 5x", "times-less", "0.2", "2/11", None),
        ("70%-87.5%", "decrease", ("0.125", "0.3"), "0.1245", "0.305"),
    ],
)
def test_a_relation_becomes_subject_over_baseline(
    text: str, relation: Any, value: Any, lower: str | None, upper: str | None, table: UnitTable
) -> None:
    ratio = read_printed(text, table=table).canonical_ratio(relation)
    assert ratio.value == (tuple(map(Fraction, value)) if isinstance(value, tuple) else Fraction(value))
    assert (ratio.lower, ratio.upper, ratio.unit) == (exact(lower), exact(upper), "1")


def test_what_is_no_ratio_has_no_ratio(table: UnitTable) -> None:
    relations: tuple[Relation, ...] = ("difference", "points", "order", "absolute")
    for relation in relations:
        with pytest.raises(ModelError, match="how often"):
            read_printed("5", table=table).canonical_ratio(relation)
    with pytest.raises(UnreadableNumber, match="above zero"):
        read_printed("0x", table=table).canonical_ratio("times-less")
    with pytest.raises(UnreadableNumber, match="below zero"):
        read_printed("-5x", table=table).canonical_ratio("times-less")


def test_canonical_converts_value_and_bounds(table: UnitTable) -> None:
    canonical = read_printed("1,200GB", table=table).canonical(table)
    assert (canonical.value, canonical.unit) == (Fraction(1200 * 10**9), "byte")
    assert (canonical.lower, canonical.wide_lower) == (Fraction("1199.5e9"), Fraction("1150e9"))
    assert read_printed("8", unit="count:gpu", table=table).canonical(table).unit == "count"
    assert read_printed("8", table=table).canonical(table).unit is None


def check(number: PrintedNumber, value: Fraction) -> None:
    assert number.value == value
    assert number.interval.contains(value)
    assert number.wide.includes(number.interval)
    assert number.place is not None
    assert number.interval.width == number.place


@given(st.decimals(min_value=0, max_value=10**9, places=3), st.sampled_from(["", "$"]), st.sampled_from(["", "k", "M"]))
def test_what_was_printed_is_read_back(table: UnitTable, value: Decimal, sign: str, scale: str) -> None:
    factor = {"": 1, "k": 1000, "M": 1_000_000}[scale]
    check(read_printed(f"{sign}{value:,f}{scale}", table=table), Fraction(value) * factor)


@given(st.integers(-(10**12), 10**12))
def test_whole_numbers_with_separators_are_read_back(table: UnitTable, value: int) -> None:
    check(read_printed(f"{value:,}", table=table), Fraction(value))


@given(st.text(alphabet="0123456789.,-+%$xkMBT ~abfot×/", max_size=12))
def test_any_text_is_read_or_refused(table: UnitTable, text: str) -> None:
    try:
        number = read_printed(text, table=table)
    except (UnreadableNumber, UnitMismatch):
        return
    assert number.wide.includes(number.interval)
