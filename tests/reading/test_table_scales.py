"""What a table says once of the scale of its figures: in a header, in its caption, in the line that leads to it."""

from typing import Final

import pytest

from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.reading.figure import ReportFigure
from kg.reading.figures import find_figures
from tests.reading.test_figures import report_of

UNITS: Final = read_vocabulary(find_content()).units


def figure_of(column: str, cell: str = "500", *, lead: str = "", row: str = "H100") -> ReportFigure:
    text = f"{lead}\n\n| Chip | {column} |\n|---|---|\n| {row} | {cell} |\n"
    figures = find_figures(report_of(text, "markdown"), UNITS)
    (found,) = [one for one in figures if one.printed.startswith("500") and one.block.cell is not None]
    return found


@pytest.mark.parametrize(
    ("column", "factor"),
    [
        ("GPUs shipped (in thousands)", 10**3),
        ("Units (thousands)", 10**3),
        ("Units (000s)", 10**3),
        ("Units ('000)", 10**3),
        ("Revenue ($ in millions)", 10**6),
        ("Revenue ($ millions)", 10**6),
        ("Revenue (USD, millions)", 10**6),
        ("Revenue, in millions of dollars", 10**6),
        ("Revenue in millions", 10**6),
        ("Revenue ($M)", 10**6),
        ("Revenue ($bn)", 10**9),
        ("Revenue ($000)", 10**3),
        ("Shipments, millions", 10**6),
        ("CapEx, $B", 10**9),
        ("Parameters (B)", 10**9),
        ("Training tokens (T)", 10**12),
        ("Training compute (x10^24)", 10**24),
        ("Training compute (1e24 FLOP)", 10**24),
        ("Training compute (×10²⁴)", 10**24),
        ("Memory (B)", 1),
        ("Temperature (K)", 1),
        ("Power (W)", 1),
        ("Price ($/M tokens)", 1),
        ("Price per million tokens ($)", 1),
        ("Cost ($ per million)", 1),
        ("Tests in thousands of runs", 1),
        ("Memory (MB)", 1),
        ("Mean of thousands of runs", 1),
    ],
)
def test_a_header_scales_its_figures(column: str, factor: int) -> None:
    found = figure_of(column)
    assert found.number is not None and found.number.value == 500 * factor
    assert bool(found.scaled_by) == (factor != 1)


def test_a_scaled_figure_is_as_precise_as_its_print() -> None:
    number = figure_of("GPUs shipped (in thousands)").number
    assert number is not None and [number.lower, number.upper] == [499_500, 500_500]


@pytest.mark.parametrize("cell", ["500K", "500 million", "500 thousand"])
def test_a_figure_with_a_scale_of_its_own_is_not_scaled_again(cell: str) -> None:
    found = figure_of("Units (in thousands)", cell)
    assert found.number is not None and found.scaled_by is None
    assert found.number.value in (500_000, 500_000_000)


@pytest.mark.parametrize(
    ("lead", "factor"),
    [
        ("Amounts in millions of dollars, except per-share figures.", 10**6),
        ("(in thousands)", 10**3),
        ("(In billions)", 10**9),
        ("Table 3: Revenue by vendor ($ in millions)", 10**6),
        ("All figures are in thousands.", 10**3),
        ("USD in millions", 10**6),
        ("We saw this in thousands of tests.", 1),
        ("The results, in millions of runs, are below.", 1),
        ("Sold in millions.", 1),
    ],
)
def test_the_line_above_a_table_scales_its_amounts(lead: str, factor: int) -> None:
    found = figure_of("Revenue", lead=lead)
    assert found.number is not None and found.number.value == 500 * factor


@pytest.mark.parametrize(
    "column", ["Growth (%)", "Earnings per share", "Power (W)", "Year", "Price ($/h)", "Speedup (x)"]
)
def test_the_line_above_a_table_scales_no_rate_and_no_other_quantity(column: str) -> None:
    found = figure_of(column, lead="Amounts in millions of dollars, except per-share figures.")
    assert found.number is None or found.number.value == 500


@pytest.mark.parametrize(
    ("lead", "column", "factor"),
    [
        ("GPU sales (in millions, except prices)", "Price ($)", 1),
        ("GPU sales (in millions, except prices)", "Sales", 10**6),
        ("(in thousands, except for employees and offices)", "Employees", 1),
        ("(in thousands, except for employees and offices)", "Offices", 1),
        ("(in thousands, except for employees and offices)", "Revenue", 10**3),
        ("Amounts in millions of dollars, excluding headcount.", "Headcount", 1),
        ("Amounts in millions of dollars, unless otherwise noted.", "Revenue", 10**6),
        ("(In millions except per share amounts)", "Revenue", 10**6),
        ("(In millions except earnings per share)", "Operating earnings", 10**6),
        ("(In millions, except per-share data)", "Data center", 10**6),
        ("(In millions, except percentages and unit prices)", "Price", 10**6),
    ],
)
def test_what_the_line_above_excepts_is_not_scaled(lead: str, column: str, factor: int) -> None:
    """A price of $500 under "in millions, except prices" had become 500 million."""
    found = figure_of(column, lead=lead)
    assert found.number is not None and found.number.value == 500 * factor


@pytest.mark.parametrize(("column", "factor"), [("Share", 1), ("Year", 1), ("Growth (%)", 1), ("Sold", 10**3)])
def test_the_scale_of_a_row_is_not_that_of_its_rates(column: str, factor: int) -> None:
    found = figure_of(column, row="B200 (thousands)")
    assert found.number is None or found.number.value == 500 * factor


@pytest.mark.parametrize(
    ("lead", "claims"),
    [
        ("All amounts in millions of dollars, except per-share data.", []),
        ("(in thousands)", []),
        ("All figures are in $ millions.", []),
        ("They sold millions of GPUs. Amounts in millions of dollars.", ["millions"]),
        ("It runs on millions of GPUs in thousands of nodes. Amounts in $ millions.", ["millions", "thousands"]),
    ],
)
def test_the_words_of_the_scale_are_no_claim(lead: str, claims: list[str]) -> None:
    text = f"{lead}\n\n| Chip | Revenue |\n|---|---|\n| H100 | 500 |\n"
    figures = find_figures(report_of(text, "markdown"), UNITS)
    assert [one.printed for one in figures if one.block.cell is None and one.is_claim] == claims
    assert figures[-1].number is not None and figures[-1].number.value == 500 * (10**3 if "(" in lead else 10**6)


def test_a_header_counts_before_the_line_above() -> None:
    found = figure_of("Units (in thousands)", lead="(in millions)")
    assert found.number is not None and found.number.value == 500_000


def test_two_headers_that_contradict_each_other_leave_the_value_open() -> None:
    found = figure_of("Revenue ($ in millions)", row="Total (in thousands)")
    assert found.is_claim and found.number is None
    assert found.scaled_by is not None and "against" in found.scaled_by


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        ("Revenue ($ in millions)", "USD"),
        ("Revenue ($M)", "USD"),
        ("CapEx, $B", "USD"),
        ("Parameters (B)", "parameter"),
        ("Training tokens (T)", "token"),
        ("Transistors (billions)", "count:transistor"),
        ("FLOPs (x10^24)", "FLOP"),
        ("Training compute (1e24 FLOP)", "FLOP"),
        ("Tokens (T)", "token"),
        ("GPUs shipped (in thousands)", "count:gpu"),
        ("Power (W)", "W"),
    ],
)
def test_the_words_of_a_scale_are_no_unit(column: str, unit: str) -> None:
    assert figure_of(column).unit == unit
