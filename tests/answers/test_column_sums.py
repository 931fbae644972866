"""Totals of table columns are added up again where every row has its figure, and left alone otherwise."""

from dataclasses import replace

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
        table("A | 1 | 2", "B | 3 | 4", "Total | 7 | 9", header="Chip | TFLOPS per W | Price per hour ($)"),
        table("GPU | 700 | 80", "CPU | 0.3 kW | 1 TB", "NIC | 25 | 16", "Total | 1125 | 900"),
    ],
    ids=["gap", "average", "nested", "one row", "quotients", "mixed units"],
)
def test_what_nobody_can_add_up_is_left_alone(text: str) -> None:
    assert summed(text) == []


def test_rounded_cells_may_miss_their_total_by_the_rounding() -> None:
    power, memory = summed(table("GPU | 33.3 | 1", "CPU | 33.3 | 2", "NIC | 33.3 | 3", "Total | 100 | 6"))
    assert power.fits and memory.fits


def test_a_column_of_quotients_is_held_against_its_two_columns() -> None:
    header = "Chip | BF16 dense (TFLOPS) | TDP (W) | TFLOPS per W"
    rows = ("A | 989 | 700 | 1.41", "B | 2250 | 1000 | 2.5", "C | 1307 | 750 | 1.47")
    found = summed(f"| {header} |\n|---|--:|--:|--:|\n" + "".join(f"| {row} |\n" for row in rows))
    assert [(one.fits, one.value_to_use) for one in found] == [(True, None), (False, "2.25"), (False, "1.743")]


def test_a_quotient_of_which_two_columns_could_be_meant_is_left_alone() -> None:
    header = "Chip | FP16 (TFLOPS) | FP8 (TFLOPS) | TDP (W) | TFLOPS per W"
    assert summed(f"| {header} |\n|---|--:|--:|--:|--:|\n| A | 989 | 1979 | 700 | 3.5 |\n") == []


def test_a_column_per_device_is_the_whole_over_the_devices_of_its_row() -> None:
    header = "Node | Accelerators | Throughput (tokens/s) | Per accelerator (tokens/s)"
    rows = ("A | 8 | 34,864 | 4,358", "B | 8 | 24,600 | 3,575")
    found = summed(f"| {header} |\n|---|--:|--:|--:|\n" + "".join(f"| {row} |\n" for row in rows))
    assert [(one.fits, one.value_to_use) for one in found] == [(True, None), (False, "3,075 token/s")]


NOT_DIVIDED = [
    ("Node | Offline (tokens/s) | Server (tokens/s) | GPUs | tokens/s per GPU", "A | 100 | 90 | 8 | 30"),
    ("Node | Throughput (tokens/s) | GPUs | CPUs | tokens/s per CPU", "A | 100 | 8 | 2 | 30"),
    ("Node | Throughput (tokens/s) | tokens/s per GPU", "A | 100 | 30"),
    ("Node | GPUs | Average throughput (tokens/s) | tokens/s per GPU", "A | 8 | 100 | 30"),
]


@pytest.mark.parametrize(("header", "row"), NOT_DIVIDED, ids=["two wholes", "not a device", "no count", "an average"])
def test_a_share_per_device_of_what_is_not_clear_is_left_alone(header: str, row: str) -> None:
    rule = "|".join("---" for _ in header.split("|"))
    assert summed(f"| {header} |\n|{rule}|\n| {row} |\n") == []


class _Compared(str):
    """A unit that counts how often it is compared."""

    seen = 0
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        _Compared.seen += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("header", ["Part", "TFLOPS per W", "Power per GPU (W)"])
def test_a_row_of_twice_the_cells_is_compared_about_twice_as_often(header: str) -> None:
    def compared(columns: int) -> int:
        names = [header for _ in range(columns)]
        report, operands = read_operands(
            "\n".join((f"| # GPUs | {' | '.join(names)} |", "|---" * (columns + 1) + "|", "| 8 " * (columns + 1) + "|"))
        )
        _Compared.seen = 0
        column_sums(report, [replace(one, unit=_Compared(one.unit or "W")) for one in operands], UNITS)
        return _Compared.seen

    assert compared(100) <= 3 * compared(50) + 10
