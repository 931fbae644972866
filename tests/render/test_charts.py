"""Charts: the same rows give the same bytes, without date or chance; only PNG needs an extra, and says which."""

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from kg.errors import UsageError
from kg.render import png_file
from kg.render.charts import Lane, Mark, Panel, Plan, chart_svg, draw, page, piece, table_csv
from kg.render.dot_plot import PlotMark, PlotRow, dot_plot, line_plot
from kg.render.png_file import ImagesMissing
from kg.render.scene import SceneTable

PLAN = Plan(
    "Title",
    "About",
    (
        Panel(
            "A",
            "GB/s",
            (
                Lane("one <b>", (Mark(4.8, 4.75, 4.85, words="4.8 $x_1$", verdict="confirmed"),)),
                Lane("two", (Mark(5.3, verdict="wrong"),), is_bad=True),
            ),
            is_log=True,
            unit="GB/s",
        ),
    ),
    SceneTable("t", ("a",), (("1/a", ("=x",)),)),
    series=("confirmed", "wrong"),
)


@pytest.mark.parametrize("form", ["svg", "png", "html"])
def test_the_same_rows_give_the_same_bytes(form: str) -> None:
    assert draw(PLAN, form).file == draw(PLAN, form).file


def test_a_drawing_is_whole_without_a_script_or_an_address() -> None:
    text = draw(PLAN, "svg").file.decode()
    root = ElementTree.fromstring(text)
    words = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Title" in words and "one <b>" in words and "4.8 $x_1$" in words
    assert any("GB/s" in one for one in words), "the unit is at the axis, or above the rows"
    assert "<script" not in text and "href" not in text
    assert b"tEXt" not in draw(PLAN, "png").file


def test_a_label_with_what_xml_has_no_form_for_is_drawn_all_the_same() -> None:
    lane = Lane("one \uffff\ufffe", (Mark(4.8, words="4.8\uffff"), Mark(5.3, words="5.3")))
    plan = replace(PLAN, title="T\uffff", panels=(replace(PLAN.panels[0], lanes=(lane,)),))
    ElementTree.fromstring(draw(plan, "svg").file)
    assert draw(plan, "png").file.startswith(b"\x89PNG")


def test_a_piece_has_a_row_a_lane_and_a_tooltip_a_mark() -> None:
    told = piece(PLAN)
    assert told.count("class=dot-row") == 3, "two lanes and the axis"
    assert "<title>confirmed one &lt;b&gt;: 4.8 $x_1$</title>" in told
    assert told.count('class="wrong"') == 2, "the mark and its key"


def _texts(svg: str) -> list[tuple[float, int, str]]:
    """The words next to marks: where each begins or ends, which way, and what it says."""
    found = re.findall(r'<text x="([\d.]+)%" dx="(-?\d+)"[^>]*>([^<]*)<', svg)
    return [(float(at), int(shift), words) for at, shift, words in found]


def _row_of(*values: float) -> str:
    marks = [Mark(value, series="ab"[n % 2], words=f"{value:g}x") for n, value in enumerate(values)]
    panel = Panel("", "s", (Lane("x", tuple(marks)),), is_log=True)
    return chart_svg(Plan("T", "", (panel,), SceneTable("t", (), ()), series=("a", "b")))


def test_each_mark_has_its_own_words_where_all_fit() -> None:
    assert [words for *_, words in _texts(_row_of(1.0, 9.0, 18.0))] == ["1x", "9x", "18x"]


def test_words_that_would_run_into_each_other_are_one_text_that_stands_on_no_mark() -> None:
    text = _row_of(1.0, 9.0, 9.4)
    ((at, shift, words),) = _texts(text)
    places = sorted(float(one) for one in re.findall(r'<(?:circle c|svg )x="([\d.]+)%"', text))
    assert words == "1x, 9x, 9.4x" and at == places[1] and shift < 0  # in the gap between 1 and 9
    assert "<title>a x: 1x</title>" in text


def test_counts_of_near_dates_do_not_run_into_each_other() -> None:
    marks = (Mark(20000.0, words="9"), Mark(20300.0, 20290.0, 20310.0, words="249"), Mark(20311.0, words="3"))
    plan = Plan("T", "", (Panel("", "", (Lane("x", marks),)),), SceneTable("t", (), ()), dates=True)
    assert [(shift > 0, words) for _, shift, words in _texts(chart_svg(plan))] == [
        (True, "9"),
        (False, "249"),
        (True, "3"),
    ]


def test_numbers_at_an_axis_stand_apart_on_a_phone() -> None:
    marks = (Mark(1108.0, words="a"), Mark(72428.0, words="b"))
    panel = Panel("", "sample/s", (Lane("x", marks),), is_log=True, unit="sample/s")
    text = chart_svg(Plan("T", "", (panel,), SceneTable("t", (), ())))
    told = re.findall(r'<text x="([\d.]+)%" y="19" text-anchor="middle">([^<]*)<', text)
    ends = [(float(at) * 3.3 - 4 * len(words), float(at) * 3.3 + 4 * len(words)) for at, words in told]
    assert len(told) > 3 and all(one[1] < other[0] for one, other in pairwise(ends))
    assert ">sample/s</text>" in text, "the unit stands above the rows"


def test_a_long_title_and_its_keys_fit_the_drawing() -> None:
    series = ("per system of the whole rack", "per accelerator, as it is computed")
    marks = tuple(Mark(float(n + 1), series=one, words="w") for n, one in enumerate(series))
    plan = Plan("A finding in words " * 8, "", (Panel("", "s", (Lane("x", marks),)),), SceneTable("t", (), ()), series)
    text = chart_svg(plan)
    lines = re.findall(r'class="title">([^<]*)<', text)
    assert len(lines) > 1 and max(map(len, lines)) <= 80
    starts = [int(one) for one in re.findall(r"translate\((\d+),", text)]
    assert starts[1] - starts[0] > 8 * len(series[0])


def test_dates_are_named_at_the_axis() -> None:
    lanes = (Lane("x", (Mark(18500.0, words="3"), Mark(20100.0, words="4"))),)
    plan = Plan("T", "", (Panel("", "", lanes),), SceneTable("t", (), ()), dates=True)
    text = chart_svg(plan)
    assert all(f">{year}<" in text for year in (2021, 2022, 2023, 2024, 2025))


def test_the_first_and_the_last_day_of_the_calendar_are_drawn() -> None:
    days = [float(one.toordinal() - date(1970, 1, 1).toordinal()) for one in (date.min, date.max)]
    rows = [PlotRow("claims", None, tuple(PlotMark(day, day, day, "1", "published", "") for day in days))]
    assert ">2501</text>" in line_plot("Claims over time", rows, dates=True).axis


@pytest.mark.parametrize(("values", "drawn"), [((0.0, 1.7e308), 1), ((-1e308, 1e308), 0), ((-1e300, 1e300), 2)])
def test_a_plain_scale_has_no_place_for_what_makes_it_wider_than_a_double(
    values: tuple[float, ...], drawn: int
) -> None:
    rows = [PlotRow("a", None, (PlotMark(one, one, one, "x", "unverified", "a"),)) for one in values]
    assert len(line_plot("Answer", rows).rows) == drawn


@pytest.mark.parametrize(
    ("values", "drawn"), [((1e-323, 1e-300), 1), ((1e-310, 3.0, 1e308), 1), ((1e299, 1e300), 2), ((1e-300, 1e300), 2)]
)
def test_values_at_the_ends_of_what_a_number_holds_are_drawn_or_left_out(values: tuple[float, ...], drawn: int) -> None:
    rows = [PlotRow(f"{one:g}", None, (PlotMark(one, one, one, "", "published", ""),)) for one in values]
    plot = dot_plot("Answer", rows, through=None, unit="")
    assert len(plot.rows) == drawn and "<text" in plot.axis


def test_energies_of_less_than_a_picojoule_stand_at_places_of_their_own() -> None:
    values = (1e-13, 5e-13, 2e-12)
    plot = dot_plot(
        "J/bit", [PlotRow("", None, (PlotMark(one, one, one, "", "", ""),)) for one in values], through=None
    )
    places = [float(re.findall(r'cx="([\d.]+)%"', row.svg)[0]) for row in plot.rows]
    assert places == sorted(set(places)) and places[0] < 20 and places[2] > 80


def test_the_table_of_a_page_is_csv_that_no_spreadsheet_runs() -> None:
    assert table_csv(PLAN.table) == "a\r\n'=x\r\n"
    assert "data:text/csv" in page(PLAN) and "data:image/svg+xml" in page(PLAN)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="svg, png, html"):
        draw(PLAN, "pdf")


def test_without_the_renderer_only_png_is_refused_and_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(png_file, "import_module", refuse)
    assert draw(PLAN, "svg").file and draw(PLAN, "html").file
    with pytest.raises(ImagesMissing, match=r"accelkg\[charts\]"):
        draw(PLAN, "png")


def test_words_that_fit_on_no_side_of_a_phone_stand_next_to_their_own_marks() -> None:
    marks = [Mark(value, series="abc"[n], words=f"{value:.3g}×") for n, value in enumerate((2.88, 10.2, 20.4))]
    ends = (Mark(1.0, series="a"), Mark(48.9, series="a"))
    panel = Panel("", "s", (Lane("x", tuple(marks)), Lane("y", ends)), is_log=True)
    text = piece(Plan("T", "", (panel,), SceneTable("t", (), ()), series=("a", "b", "c")))
    told = re.findall(r'<text x="([\d.]+)%" dx="(-?\d+)"[^>]*text-anchor="(\w+)">([\d.×, ]+)</text>', text)
    assert [words for *_, words in told if "×" in words] == ["2.88×", "10.2×", "20.4×"]
    for at, shift, anchor, words in told:
        start = float(at) * 3.3 + int(shift) - (8 * len(words) if anchor == "end" else 0)
        assert start >= 0 and start + 8 * len(words) <= 330, words


def test_a_label_takes_two_lines_and_its_whole_is_a_tooltip() -> None:
    label = "Llama 3.1 405B, interactive: Blog post with a machine-written comparison"
    plan = Plan("T", "", (Panel("", "s", (Lane(label, (Mark(1.0, words="1"), Mark(2.0))),)),), SceneTable("t", (), ()))
    text = chart_svg(plan)
    assert f"<title>{label}</title>" in text
    assert ">Llama 3.1 405B, interactive: Blog post</text>" in text
    assert ">with a machine-written comparison</text>" in text
