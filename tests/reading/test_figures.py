"""Figures of a text: each case of `figures.txt`, and the laws that hold for every text."""

import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import strategies as st

from kg.content.coverage import REASONS
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.units import UnitTable
from kg.reading import limits
from kg.reading.deadline import ReadingDeadline
from kg.reading.errors import ReportTooLarge
from kg.reading.figure import ReportFigure
from kg.reading.figures import find_figures
from kg.reading.report_process import read_bytes
from kg.reading.text import Block, Cell, MarkedSpan, ReportText
from tests.sampling import generated

CASES = [
    tuple(line.split(" => "))
    for line in (Path(__file__).parent / "figures.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture(scope="module")
def units() -> UnitTable:
    return read_vocabulary(find_content()).units


def report_of(text: str, form: str = "text") -> ReportText:
    """A report read in this process."""
    _, kind, digest, whole, blocks, marks, title = read_bytes(text.encode(), None, form)
    made = tuple(
        Block(block[0], block[1], block[2], tuple(block[3]), Cell(*block[4]) if block[4] else None) for block in blocks
    )
    return ReportText(whole, digest, digest, kind, made, title, tuple(MarkedSpan(*mark) for mark in marks))


def shown(figure: ReportFigure) -> str:
    """A figure as the file of cases writes it."""
    if figure.reason is not None:
        return f"{figure.printed}!{figure.reason}"
    value = figure.number.value if figure.number is not None else None
    ends = value if isinstance(value, tuple) else () if value is None else (value,)
    relation = "" if figure.relation == "absolute" else figure.relation
    written = "..".join(f"{float(end):g}" if end.denominator != 1 else str(end.numerator) for end in ends)
    parts = [figure.printed, written, figure.unit or "", relation, figure.hedge or ""]
    return "|".join(parts)


def expected(case: str) -> list[str]:
    """The figures of a case, all five parts of a claim written out."""
    found = []
    for one in case.split("; "):
        found.append(one if "!" in one else "|".join((one.split("|") + [""] * 5)[:5]))
    return found


@pytest.mark.parametrize(("text", "found"), CASES, ids=[text[:40] for text, _ in CASES])
def test_a_text_holds_these_figures(text: str, found: str, units: UnitTable) -> None:
    assert [shown(one) for one in find_figures(report_of(text), units)] == expected(found)


@generated(
    text=st.lists(
        st.sampled_from(
            [
                *"0123456789.,-–~%x×$€*|`#[]()<>/\\ \n\tabGBkMWs",
                "\u200b",
                "\u202e",
                "\u00a0",
                "万",
                "三",
                "倍",
                "１",
                "&nbsp;",
                "two ",
                "GPUs ",
            ]
        ),
        max_size=120,
    ).map("".join),
    form=st.sampled_from(["text", "markdown"]),
    few=25,
    many=150,
)
def test_the_text_at_a_position_is_what_is_printed(text: str, form: str, units: UnitTable) -> None:
    report = report_of(text, form)
    assert report.text == text
    figures = find_figures(report, units)
    for figure in figures:
        assert text[figure.start : figure.end] == figure.printed != ""
        assert figure.reason is None or figure.reason in REASONS
    spans = [(figure.start, figure.end) for figure in figures]
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


@generated(number=st.integers(1, 10**9), unit=st.sampled_from(["GB", "W", "TFLOPS", "tokens/s", "%"]), few=25)
def test_a_number_with_a_unit_is_read_as_it_was_written(number: int, unit: str, units: UnitTable) -> None:
    (figure,) = find_figures(report_of(f"It is {number:,} {unit}."), units)
    assert figure.number is not None
    assert figure.number.value == Fraction(number)
    assert figure.unit is not None


def test_a_header_gives_its_column_the_unit(units: UnitTable) -> None:
    text = "| Chip | HBM (GB) | TDP, W | GPUs | Year |\n|---|---|---|---|---|\n| A1 | 80 | 700 | 8 | 2022 |\n"
    figures = [one for one in find_figures(report_of(text, "markdown"), units) if one.block.cell and one.block.cell.row]
    assert [(one.printed, one.unit, one.reason) for one in figures] == [
        ("1", None, "product-name"),
        ("80", "GB", None),
        ("700", "W", None),
        ("8", "count:gpu", None),
        ("2022", None, "date"),
    ]


def test_a_header_gives_no_dollars_to_another_currency(units: UnitTable) -> None:
    text = (
        "Prices, USD per hour\n\n| Provider | Price ($/hr) |\n|---|---|\n| X | A$5.00 |\n| Y | €4.00 |\n| Z | 3.00 |\n"
    )
    found = [(one.printed, one.unit, one.currency) for one in find_figures(report_of(text, "markdown"), units)]
    assert found == [("A$5.00", None, "A$"), ("€4.00", None, "€"), ("3.00", "USD/h", None)]


@pytest.mark.parametrize("header", ["Price, AU$ per hour", "A$/hr", "Price (EUR)", "Cost in HK$"])
def test_a_column_in_another_currency_has_no_unit(header: str, units: UnitTable) -> None:
    text = f"Prices, USD per hour\n\n| Provider | {header} |\n|---|---|\n| X | 5.00 |\n"
    (figure,) = find_figures(report_of(text, "markdown"), units)
    assert figure.unit is None


def test_a_column_per_thing_has_the_unit_of_the_results_beside_it(units: UnitTable) -> None:
    text = "| System | Offline (tokens/s) | Per GPU, offline | Per GPU-hour |\n|---|---|---|---|\n| A | 297.9 | 37.2 | 1.1 |\n"
    found = {one.printed: one.unit for one in find_figures(report_of(text, "markdown"), units)}
    assert (found["297.9"], found["37.2"], found["1.1"]) == ("token/s", "token/s", None)


@pytest.mark.parametrize(
    ("lead", "columns", "found"),
    [
        ("Table 2. Prices of rented GPUs ($ per GPU-hour).", ("H100", "H200"), ["USD/h", "USD/h"]),
        ("All prices are in US$ per GPU hour:", ("H100", "H200"), ["USD/h", "USD/h"]),
        ("Peak values are given in TFLOPS.", ("FP8", "Rank"), ["TFLOP/s", None]),
        ("List prices, USD per instance and hour", ("On demand", "1 year"), ["USD/h", "USD/h"]),
        ("List prices, USD per hour", ("3-year reserved", "CPUs"), ["USD/h", "count:cpu"]),
        ("List prices, USD per hour", ("On demand", "vCPUs"), ["USD/h", "count:vcpu"]),
        ("Two makers, Alpha and Beta", ("H100", "1 year"), [None, None]),
        ("The two chips (in 2024):", ("H100", "H200"), [None, None]),
        ("Prices ($ per GPU-hour)", ("H100", "Memory (GB)"), [None, "GB"]),
        ("We list them in tokens. Then rented GPUs follow.", ("H100", "H200"), [None, None]),
    ],
)
def test_the_line_above_a_table_gives_its_amounts_the_unit(
    lead: str, columns: tuple[str, str], found: list[str | None], units: UnitTable
) -> None:
    text = f"{lead}\n\n| Provider | {' | '.join(columns)} |\n|--|--|--|\n| Alpha 8x | 2.99 | 3.79 |\n"
    figures = [one for one in find_figures(report_of(text, "markdown"), units) if one.printed in ("2.99", "3.79")]
    assert [one.unit for one in figures] == found


@pytest.mark.parametrize(
    ("text", "form", "found"),
    [
        ("The MI300X has a bandwidth of 5.3\nTB/s and a capacity of about 192\nGB.", "markdown", ["TB/s", "GB"]),
        (
            "The bandwidth of the one that was made last is 5.3\nTB/s and it has 192 GB of memory.",
            "text",
            ["TB/s", "GB"],
        ),
        ("Bandwidth 5.3\nTB of it\nMemory 192\nGB of it", "text", [None, None]),
    ],
)
def test_a_unit_in_the_next_line_of_a_paragraph_is_that_of_the_figure(
    text: str, form: str, found: list[str | None], units: UnitTable
) -> None:
    figures = [one for one in find_figures(report_of(text, form), units) if one.printed in ("5.3", "192")]
    assert [one.unit for one in figures] == found


def test_a_year_like_value_in_a_column_of_values_is_a_value(units: UnitTable) -> None:
    text = "| Chip | TFLOPS |\n|---|---|\n| A1 | 1979 |\n| B2 | 2000 |\n"
    claims = [one for one in find_figures(report_of(text, "markdown"), units) if one.is_claim]
    assert [(one.printed, one.unit) for one in claims] == [("1979", "TFLOP/s"), ("2000", "TFLOP/s")]


def test_code_and_addresses_claim_nothing(units: UnitTable) -> None:
    text = "Use `n = 12` and [the 5 GB file](http://a.b/c/77) now.\n\n```\nx = 99\n```\n"
    found = {one.printed: one.reason for one in find_figures(report_of(text, "markdown"), units)}
    assert found == {"12": "code", "5": None, "77": "link", "99": "code"}


def test_the_corner_of_a_table_speaks_for_its_columns(units: UnitTable) -> None:
    text = "| Chip \\ TFLOPS | fp16 | Notes |\n|---|---|---|\n| Alpha | 1979 | 3 |\n"
    figures = [one for one in find_figures(report_of(text, "markdown"), units) if one.block.cell and one.block.cell.row]
    assert [(one.printed, one.unit, one.reason) for one in figures] == [
        ("1979", "TFLOP/s", None),
        ("3", None, "reference-mark"),
    ]


@pytest.mark.parametrize(
    ("header", "unit"),
    [("Power W", "W"), ("Energy per request J", "J"), ("Decode time s", "s"), ("Power class W", "W"), ("Type J", None)],
)
def test_a_unit_of_one_letter_ends_a_header_that_names_its_quantity(
    header: str, unit: str | None, units: UnitTable
) -> None:
    text = f"| Chip | {header} |\n|---|---|\n| Alpha | 700 |\n"
    (found,) = [one for one in find_figures(report_of(text, "markdown"), units) if one.printed == "700"]
    assert found.unit == unit


@pytest.mark.parametrize("sign", ["a-", "1.", "1", "a.", "v1.1-a", "a1b2"])
def test_a_run_without_end_is_code_and_takes_no_time(sign: str, units: UnitTable) -> None:
    text = f"It has 5 GB. {sign * 20_000} It has 6 GB."
    figures = find_figures(report_of(text), units)
    assert [one.printed for one in figures if one.is_claim] == ["5", "6"]
    assert {one.reason for one in figures if not one.is_claim} <= {"code"}


HOSTILE: dict[str, tuple[str, Callable[[int], str]]] = {
    "percentages": ("text", lambda n: "5% " * n),
    "ranges": ("text", lambda n: "5 - " * n),
    "labels": ("text", lambda n: "_label " * 4 * n),
    "years of one cell": ("markdown", lambda n: f"| Chip | HBM |\n|---|---|\n| {'2020 and ' * n} | a |\n"),
    "numbers of notes in one cell": ("markdown", lambda n: f"| Chip | Notes |\n|---|---|\n| A | {'1 2.2.2 ' * n} |\n"),
    "a cell of versions": ("markdown", lambda n: f"| Chip | Version |\n|---|---|\n| A | {'v1.2 in 2020 ' * n} |\n"),
    "rows under a long header": ("text", lambda n: f"{'Word ' * 59}Word\n" + "Row 1 2 3\n" * (n // 4)),
    "a line of spaces": ("text", lambda n: f"A 5 GB\n{' ' * 10 * n}\n6 GB"),
}


def _processor_time(form: str, text: str, units: UnitTable) -> float:
    """The least of three, so that a pause of something else does not count."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        find_figures(report_of(text, form), units)
        spent.append(time.process_time() - start)
    return min(spent)


@pytest.mark.long
@pytest.mark.parametrize(("form", "made"), HOSTILE.values(), ids=list(HOSTILE))
def test_four_times_the_text_takes_about_four_times_as_long(
    form: str, made: Callable[[int], str], units: UnitTable
) -> None:
    """Ten is far from the sixteen of a pattern that starts anew at every place; below a twentieth of a second is noise."""
    size = 1_000
    short = max(_processor_time(form, made(size), units), 0.05)
    assert _processor_time(form, made(4 * size), units) < 10 * short


def test_a_report_whose_figures_take_too_long_is_refused(units: UnitTable) -> None:
    with pytest.raises(ReportTooLarge) as refused:
        find_figures(report_of("5% " * 20_000), units, deadline=ReadingDeadline(0.05))
    assert refused.value.code == "report.limit"
    assert "0.05 s" in str(refused.value)
    assert "Read it in parts" in str(refused.value)


def test_a_report_of_too_many_figures_is_refused_before_they_are_ranked(
    units: UnitTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FIGURES", 50)
    assert len(find_figures(report_of("5% " * 50), units)) == 50
    with pytest.raises(ReportTooLarge, match="more than 50 figures") as refused:
        find_figures(report_of("5% " * 51), units)
    assert refused.value.code == "report.limit"


def test_bare_numbers_by_the_hundred_claim_nothing_and_take_no_time(units: UnitTable) -> None:
    report = report_of(
        "Three chips have 80, 141 and 192 of them, and more:\n\n" + " ".join(map(str, range(1000, 1400)))
    )
    figures = find_figures(report, units)
    assert [one.printed for one in figures if one.is_claim] == ["Three", "80", "141", "192"]
    assert {one.reason for one in figures if not one.is_claim} == {"code"}


def test_a_number_word_in_a_heading_claims_nothing_but_a_comparison_does(units: UnitTable) -> None:
    figures = find_figures(report_of("# Two years of three chips, and half the power", "markdown"), units)
    assert [shown(one) for one in figures] == ["Two!heading", "three!heading", *expected("half|0.5|1|ratio|")]


def test_a_long_block_is_read_whole(units: UnitTable) -> None:
    text = "It has 5 GB. " * 4_000
    figures = find_figures(report_of(text), units)
    assert [(one.start, one.printed, one.unit) for one in figures] == [(13 * n + 7, "5", "GB") for n in range(4_000)]


def test_numbers_of_notes_before_words_in_a_column_of_notes_claim_nothing(units: UnitTable) -> None:
    table = (
        "| Chip | Power (W) | Notes |\n|---|--:|---|\n| Acme | 700 | 3; peak |\n| Zork | 600 | 6,10; up to 450 W |\n"
    )
    figures = find_figures(report_of(table, "markdown"), units)
    assert [(one.printed, one.unit) for one in figures if one.is_claim] == [("700", "W"), ("600", "W"), ("450", "W")]
    assert {one.reason for one in figures if not one.is_claim} == {"reference-mark"}


def test_with_and_without_are_no_watts(units: UnitTable) -> None:
    table = "| Type \\ TFLOPS | w/o Sparsity | w/ Sparsity |\n|---|--:|--:|\n| half | 312 | 624 |\n"
    figures = find_figures(report_of(f"{table}\nIt reads 4 w/ both, 5 w/o one and draws 600 w/GPU.", "markdown"), units)
    assert [(one.printed, one.unit) for one in figures if one.unit][:2] == [("312", "TFLOP/s"), ("624", "TFLOP/s")]
    assert [one.printed for one in figures if one.unit and one.unit.startswith("W")] == ["600"]


@pytest.mark.parametrize("counted", ["1 shared expert", "32 redundant routed experts", "4 spare experts"])
def test_what_is_shared_or_redundant_is_counted_too(units: UnitTable, counted: str) -> None:
    (figure,) = find_figures(report_of(f"Each of them handles {counted} of the layer."), units)
    assert figure.unit == "count:expert"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<table><tr><th>Chip<th>Old<th>Memory<tr><td>A<td hidden>99 GB</td><td>141 GB</td></tr></table>", "141 GB"),
        ('<table><tr style="display:none"><td>77 GB</td><td>76 GB</td></tr><tr><td>78 GB</td></tr></table>', "78 GB"),
        ('See <span hidden>55 <b>56</b> GB</span> <i style="display: none">54 GB</i> 57 GB.', "57 GB"),
        ("<div hidden><div>66 GB</div><!-- 5 --> 65 GB</div><p>67 GB</p>", "67 GB"),
        ("<p>68 GB</p><p aria-hidden=true>69 GB", "68 GB"),
        ("A line <br hidden> of 70 GB.", "70 GB"),
    ],
)
def test_what_a_page_hides_inside_of_markdown_claims_nothing(text: str, found: str, units: UnitTable) -> None:
    figures = find_figures(report_of(f"A memory.\n\n{text}\n", "markdown"), units)
    assert [f"{one.printed} {one.unit}" for one in figures if one.reason is None] == [found]
    assert {one.reason for one in figures if one.reason is not None} <= {"code"}
