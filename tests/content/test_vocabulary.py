"""What is said of a metric that nobody knows."""

import pytest

from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary


@pytest.mark.parametrize(
    ("name", "unit", "step"),
    [
        ("memory-capacty", None, 'Did you mean "memory-capacity"?'),
        ("tdp", "W", 'Did you mean "power"?'),
        ("cost-per-token", "USD/Mtoken", 'Did you mean "inference-cost"?'),
        ("xyzzy", "J/token", "Counted in J/token: energy-per-token"),
        ("xyzzy", "no such unit", None),
    ],
)
def test_an_unknown_metric_leads_to_one_of_its_name_or_of_its_unit(
    name: str, unit: str | None, step: str | None
) -> None:
    found = read_vocabulary(find_content()).unknown_metric(name, unit)
    assert found.next_step == step
