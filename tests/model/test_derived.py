"""The derived keys of a claim."""

from fractions import Fraction
from typing import Any

import pytest

from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.derived import Deriver, printed_number


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


def test_a_span_that_falls_keeps_the_digits_that_each_end_is_printed_with() -> None:
    falling = printed_number({"printed": "72 to 54.2 cents", "value": [72, 54.2], "shape": "span", "unit": "USD"})
    assert falling is not None
    assert (falling.lower, falling.upper) == (Fraction("54.15"), Fraction("72.5"))
