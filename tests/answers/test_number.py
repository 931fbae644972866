"""Reading an asked number, and how a printed figure fits it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.answers.number import TOLERANCE, AskedNumber, as_count, is_number, match_figure, read_asked
from kg.errors import KgError
from kg.model.buckets import bucket
from tests.ask.harness import units


@pytest.mark.parametrize(
    ("text", "values", "unit", "kind", "canonical"),
    [
        ("72428", (72428,), None, None, ()),
        ("72,428", (72428,), None, None, ()),
        ("1,960 TFLOPS", (1960,), "TFLOP/s", "compute", (1.96e15,)),
        ("2.5x", (2.5,), "1", "ratio", (2.5,)),
        ("4.8 TB/s", (4.8,), "TB/s", "data-rate", (4.8e12,)),
        ("4,8 TB/s", (4.8,), "TB/s", "data-rate", (4.8e12,)),
        ("1 200 W", (1200,), "W", "power", (1200,)),
        ("1.024,5", (1024.5,), None, None, ()),
        ("4800 GB/s", (4800,), "GB/s", "data-rate", (4.8e12,)),
        ("$3.1M", (3.1e6,), "USD", "money-usd", (3.1e6,)),
        ("57%", (57,), "%", "utilisation", (57,)),
        (" 700 W ", (700,), "W", "power", (700,)),
        ("405B", (405e9,), None, None, ()),
        ("2.2x to 2.6x", (2.2, 2.6), "1", "ratio", (2.2, 2.6)),
        ("2.5x faster than the H200", (2.5,), "1", "ratio", (2.5,)),
        ("141GB of memory", (141,), "GB", "data-size", (141e9,)),
        ("4.8 TB/s of bandwidth", (4.8,), "TB/s", "data-rate", (4.8e12,)),
    ],
)
def test_an_asked_number_is_read(
    text: str, values: tuple[float, ...], unit: str | None, kind: str | None, canonical: tuple[float, ...]
) -> None:
    asked = read_asked(text, units())
    assert (asked.unit, asked.quantity_kind) == (unit, kind)
    assert asked.values == pytest.approx(values)
    assert asked.canonical_values == pytest.approx(canonical)


@pytest.mark.parametrize(
    "text", ["", "GB200", "fast", "4.8 parsecs", "002/r1.gb200", "1e309", "-1e400", "1e-400", "9" * 5000, "nan", "inf"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    assert not is_number(text, units())
    with pytest.raises(KgError):
        read_asked(text, units())


def test_another_unit_of_the_kind_is_the_same_value_and_another_kind_is_none() -> None:
    asked = read_asked("4.8 TB/s", units())

    def fit(value: float, unit: str, canonical: float, kind: str) -> str | None:
        match = match_figure(asked, value=value, unit=unit, canonical_value=canonical, quantity_kind=kind)
        return match.kind if match else None

    assert fit(4.8, "TB/s", 4.8e12, "data-rate") == "exact"
    assert fit(4800, "GB/s", 4.8e12, "data-rate") == "same-value"
    assert fit(4.82, "TB/s", 4.82e12, "data-rate") == "near"
    assert fit(4.9, "TB/s", 4.9e12, "data-rate") is None
    assert fit(4.8, "x", 4.8, "ratio") is None


def test_a_computed_figure_is_found_by_the_digits_that_it_is_shown_with() -> None:
    asked = read_asked("4,023.78", units())
    match = match_figure(asked, value=289712 / 72, unit="token/s", canonical_value=None, quantity_kind=None)
    assert match is not None and match.kind == "exact"


@settings(deadline=None)
@given(st.floats(1e-9, 1e18), st.floats(-TOLERANCE, TOLERANCE))
def test_whatever_fits_lies_in_a_bucket_that_is_searched(value: float, difference: float) -> None:
    asked = AskedNumber("?", (value,), None, None, (), None)
    found = value * (1 + difference)
    match = match_figure(asked, value=found, unit="W", canonical_value=None, quantity_kind=None)
    assert match is None or f"raw:{bucket(found)}" in asked.buckets()
    assert match is not None or abs(difference) > TOLERANCE * 0.999


def test_zero_fits_zero_only() -> None:
    asked = read_asked("0", units())
    assert asked.buckets() == ("print:0", "raw:zero")
    assert match_figure(asked, value=0.0, unit="W", canonical_value=0.0, quantity_kind="power") is not None
    assert match_figure(asked, value=0.001, unit="W", canonical_value=0.001, quantity_kind="power") is None


@pytest.mark.parametrize(
    ("text", "unit"),
    [("72 GPUs", "count:gpu"), ("eight experts", "count:expert"), ("1 rack-unit", "count:rack-unit")],
)
def test_a_count_is_read_with_what_it_counts(text: str, unit: str) -> None:
    counted = as_count(text, units())
    assert counted is not None
    assert (counted.unit, counted.text, counted.canonical_values) == (unit, text, ())


@pytest.mark.parametrize("text", ["GPUs", "many GPUs", "2.5x GPUs", "72"])
def test_what_is_no_number_before_a_word_is_no_count(text: str) -> None:
    assert as_count(text, units()) is None
