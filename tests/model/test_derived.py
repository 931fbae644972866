"""The derived keys of a claim."""

from fractions import Fraction
from typing import Any

import pytest

from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.derived import Deriver, printed_number, statement_key


def bounds(deriver: Deriver, value: object) -> tuple[float | None, float | None]:
    record: Any = {
        "subject": "accelerator/x",
        "level": "accelerator",
        "metric": "power",
        "quantity": {"value": value, "unit": "W"},
    }
    numbers = deriver.keys(record).numbers
    assert (numbers.lower, numbers.upper) == (numbers.canonical_lower, numbers.canonical_upper)
    return numbers.lower, numbers.upper


@pytest.mark.parametrize(
    ("given", "other", "expected"),
    [
        (7, 7.0, (6.5, 7.5)),
        (7.0, 7, (6.95, 7.05)),
        ([7, 9], [7.0, 9.0], (6.5, 9.5)),
        ([7.0, 9.0], [7, 9], (6.95, 9.05)),
    ],
)
def test_the_bounds_of_a_value_do_not_depend_on_which_claim_came_before(
    given: object, other: object, expected: tuple[float, float]
) -> None:
    deriver = Deriver(read_vocabulary(find_content()).units)
    bounds(deriver, other)
    assert bounds(deriver, given) == expected


@pytest.mark.parametrize(
    ("printed", "hedge", "bounds"),
    [
        ("up to 700 W", None, (None, "700.5")),
        ("over 700 W", None, ("700", None)),
        ("700+ W", None, ("699.5", "700.5")),
        ("700 W+", None, ("699.5", None)),
        ("700 W", "below", (None, "700")),
        ("about 700 W", "up-to", (None, "700.5")),
    ],
)
def test_a_hedge_in_the_print_bounds_a_figure_that_states_none(
    printed: str, hedge: Any, bounds: tuple[str | None, str | None]
) -> None:
    number = printed_number({"printed": printed, "value": 700, "unit": "W", **({"hedge": hedge} if hedge else {})})
    assert number is not None
    assert (number.lower, number.upper) == tuple(None if one is None else Fraction(one) for one in bounds)


def test_a_span_that_falls_keeps_the_digits_that_each_end_is_printed_with() -> None:
    falling = printed_number({"printed": "72 to 54.2 cents", "value": [72, 54.2], "shape": "span", "unit": "USD"})
    assert falling is not None
    assert (falling.lower, falling.upper) == (Fraction("54.15"), Fraction("72.5"))


@pytest.mark.parametrize(
    ("quantity", "buckets"),
    [
        ({"printed": "1,960 W", "value": 1960, "unit": "W"}, ("raw:761", "print:1960w", "power:761")),
        ({"printed": "1,960", "value": 1960, "unit": "W"}, ("raw:761", "power:761")),
        ({"printed": "$1.95", "value": 1.95}, ("raw:67", "print:$1.95")),
        ({"value": 1960, "unit": "W"}, ("raw:761", "power:761")),
        ({"printed": "tens of W"}, ("print:tensofw",)),
    ],
)
def test_a_figure_is_found_by_its_value_its_canonical_value_and_a_print_that_says_more(
    quantity: Any, buckets: tuple[str, ...]
) -> None:
    deriver = Deriver(read_vocabulary(find_content()).units)
    record: Any = {"subject": "x/a", "level": "accelerator", "metric": "power", "quantity": quantity}
    assert deriver.keys(record).buckets == buckets


@pytest.mark.parametrize(
    ("further", "normaliser"),
    [
        ({"kind": "specification"}, "per-chip"),
        ({"kind": "measurement"}, "unstated"),
        ({"kind": "specification", "normaliser": "total"}, "total"),
        ({"kind": "specification", "normaliser": ["per-dollar", "per-chip"]}, "per-chip+per-dollar"),
    ],
)
def test_a_specification_without_a_normaliser_is_of_one_unit_of_its_level(further: Any, normaliser: str) -> None:
    record: Any = {"subject": "x/a", "level": "accelerator", "metric": "power", **further}
    assert statement_key(record, "power") == f"x/a|accelerator|power||{normaliser}|power|"
