"""Totals of table columns are added up again where every row has its figure, and left alone otherwise."""

import pytest

from kg.answers.column_sums import column_sums
from kg.answers.text_arithmetic import Recomputed
from tests.answers.operands import UNITS, read_operands


def summed(text: str) -> list[Recomputed]:
    report, operands = read_operands(text)
    return list(column_sums(report, operands, UNITS).values())


def table(*rows: str, header: str = "Part | Power (W) | Memory (GB)") -> str:
    return "\n".join((f"| {header} |", "|---|---:|---:|", *(f"| {row} |" for row in rows), ""))


def test_a_wrong_total_is_found_with_the_right_one() -> None:
    wrong, right = summed(table("GPU | 700 | 80", "CPU | 300 | 480", "NIC | 25 | 16", "**Total** | 1125 | 576"))
    assert (wrong.fits, wrong.value_to_use) == (False, "1,025 W")
    assert wrong.formula == "sum of the 3 rows above"
    assert right.fits


@pytest.mark.parametrize(
    "text",
    [
        table("GPU | 700 | 80", "CPU | ? | 480", "NIC | 25 | ?", "Total | 1125 | 600"),
        table("GPU | 700 | 80", "CPU | 300 | 480", "NIC | 25 | 16", "Average | 900 | 700"),
        table("GPU | 700 | 80", "Subtotal | 700 | 80", "NIC | 25 | 16", "Total | 900 | 96"),
        table("GPU | 700 | 80", "Total | 900 | 90"),
        table("GPU | 700 | 80", "CPU | 0.3 kW | 1 TB", "NIC | 25 | 16", "Total | 1125 | 900"),
    ],
    ids=["gap", "average", "nested", "one row", "mixed units"],
)
def test_what_nobody_can_add_up_is_left_alone(text: str) -> None:
    assert summed(text) == []


def test_rounded_cells_may_miss_their_total_by_the_rounding() -> None:
    power, memory = summed(table("GPU | 33.3 | 1", "CPU | 33.3 | 2", "NIC | 33.3 | 3", "Total | 100 | 6"))
    assert power.fits and memory.fits
