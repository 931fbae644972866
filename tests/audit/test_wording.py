"""How computed figures are worded: in the scale, unit and relation that the claim prints."""

from fractions import Fraction
from typing import Any

import pytest

from kg.audit.wording import printed_form
from kg.model.units import UnitTable


@pytest.mark.parametrize(
    ("value", "canonical", "quantity", "shown"),
    [
        ("29250000", "USD", {"printed": "$29.1M", "unit": "USD"}, "$29.25M"),
        ("2e13", "FLOP/s/W", {"printed": "20 PFLOPS/W", "unit": "PFLOP/s/W"}, "20 TFLOP/s/W"),
        ("4.8e12", "byte/s", {"printed": "4.8 GB/s", "unit": "GB/s"}, "4,800 GB/s"),
        ("2.5e15", "byte", {"printed": "1.5 million GB", "unit": "GB"}, "2.5 million GB"),
        ("524288", "token", {"printed": "500k", "unit": "token"}, "524.288k token"),
        ("5", "W", {"printed": "about", "unit": "nothing known"}, "5 W"),
    ],
)
def test_an_amount_keeps_the_scale_and_takes_the_prefix_that_is_read_with_ease(
    table: UnitTable, value: str, canonical: str, quantity: Any, shown: str
) -> None:
    assert printed_form(Fraction(value), canonical, {"quantity": quantity}, table) == shown


@pytest.mark.parametrize(
    ("relation", "shown"),
    [
        ("ratio", "1.02x"),
        ("increase", "2.23 % higher"),
        ("decrease", "2.23 % higher"),
        ("share-of", "102 %"),
        ("times-less", "0.978 times lower"),
    ],
)
def test_a_ratio_is_printed_as_people_say_it(table: UnitTable, relation: Any, shown: str) -> None:
    assert printed_form(Fraction("1.02235"), "1", {"relation": relation}, table) == shown
