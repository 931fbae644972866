"""Charts of rows: on a page as wide as it is, as one SVG, and out of that as PNG. The same rows give the same bytes.

They are drawn by the plots of the pages of `kg serve` (`kg.render.dot_plot`); only PNG needs an extra.
"""

from __future__ import annotations

import csv
import textwrap
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from kg.errors import UsageError
from kg.export.spreadsheet_cells import neutral
from kg.model.verdict import VERDICTS, Verdict
from kg.render.dot_plot import DotPlot, MarkForm, PlotMark, PlotRow, PlottedRow, dot_plot, line_plot
from kg.render.page import asset
from kg.render.plain_style import without_variables
from kg.render.png_file import png_file
from kg.render.scene import Fact, SceneTable
from kg.render.templating import piece as template_piece
from kg.render.templating import rendered

Form = Literal["svg", "png", "html"]
FORMS: Final = ("svg", "png", "html")


class NothingToChart(UsageError):
    """There is no row with a value for the chart that was asked for."""

    code = "view.nothing-to-chart"


@dataclass(frozen=True, slots=True)
class Mark:
    """One value in a row of a chart: where it lies, between which ends, and how it is drawn."""

    value: float
    low: float | None = None
    high: float | None = None
    series: str = ""
    words: str = ""
    verdict: str | None = None


@dataclass(frozen=True, slots=True)
class Lane:
    """A row of a chart with its values; lanes whose values differ too much are joined by a line in warning colour."""

    name: str
    marks: tuple[Mark, ...]
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Lanes over one axis."""

    title: str
    axis: str
    lanes: tuple[Lane, ...]
    is_log: bool = False
    line: float | None = None
    """A value that everything is held against."""
    unit: str = ""
    """What the numbers at the axis are in, as it is printed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A chart before it is drawn, with the table of the same rows."""

    title: str
    about: str
    panels: tuple[Panel, ...]
    table: SceneTable
    series: tuple[str, ...] = ()
    """What the shapes of the marks mean, in order."""
    dates: bool = False
    notes: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    made_from: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Chart:
    """A drawn chart."""

    plan: Plan
    form: Form
    file: bytes

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        return self.plan.notes

    @property
    def questions(self) -> tuple[str, ...]:
        """The saved questions that gave the rows."""
        return self.plan.questions

    def __repr__(self) -> str:
        """The title and the form."""
        return f"<Chart {self.plan.title} ({self.form}, {len(self.file):,} bytes)>"

    def _repr_svg_(self) -> str | None:
        """For notebooks."""
        return self.file.decode("utf-8") if self.form == "svg" else None


def draw(plan: Plan, form: str = "svg") -> Chart:
    """Draw a chart as SVG, PNG or a page."""
    if form == "html":
        made = page(plan).encode("utf-8")
    elif form == "png":
        made = png_file(chart_svg(plan))
    elif form == "svg":
        made = chart_svg(plan).encode("utf-8")
    else:
        raise UsageError(field="-o", given=form, expected=", ".join(FORMS))
    return Chart(plan, form, made)  # type: ignore[arg-type]


MOST_LANES: Final = 40
"""Lanes of a chart that can still be read; more are counted in a note."""
JUDGED: Final[tuple[Verdict, ...]] = tuple(one for one in VERDICTS if one != "unknown")
"""The keys of a chart whose marks are drawn by verdict."""


class Key(NamedTuple):
    """What a mark with a meaning looks like: its words, its class, its form."""

    words: str
    look: str
    form: MarkForm


class SvgRow(NamedTuple):
    """A row of a drawing: where its plot begins, and the lines of its label with where each stands; the whole is its tooltip."""

    row: PlottedRow
    top: int
    lines: list[tuple[int, str]]


def keys(plan: Plan) -> list[Key]:
    """The looks that occur; one alone needs no key."""
    there = {_look(one, plan.series) for panel in plan.panels for lane in panel.lanes for one in lane.marks}
    named = [Key(one, *_look(_example(one), plan.series)) for one in plan.series]
    return [one for one in named if (one.look, one.form) in there] if len(there) > 1 else []


def _example(name: str) -> Mark:
    return Mark(0, verdict=name) if name in JUDGED else Mark(0, series=name)


def _look(mark: Mark, series: Sequence[str]) -> tuple[str, MarkForm]:
    """Class and form of a mark: refuted ones by their verdict, then by series, else by verdict."""
    if mark.verdict == "wrong" or mark.series not in series:
        return mark.verdict or "unverified", "diamond" if mark.verdict == "wrong" else "dot"
    number = series.index(mark.series)
    return f"series-{number % 3 + 1}", "dot" if number % 2 == 0 else "diamond"


def plots(plan: Plan) -> list[DotPlot]:
    """The panels of a chart as rows of marks on one scale each."""
    made = []
    for panel in plan.panels:
        rows = [PlotRow(lane.name, None, _marks(lane, plan)) for lane in panel.lanes]
        unit = f" {panel.unit}" if panel.unit else ""
        title = (
            f"{panel.title}, {panel.axis}" if panel.title and panel.axis == panel.unit else panel.title or panel.axis
        )
        if panel.is_log or panel.line is not None:
            made.append(dot_plot(title, rows, through=panel.line, unit=unit))
        else:
            made.append(line_plot(title, rows, unit=unit, dates=plan.dates))
    return made


def _marks(lane: Lane, plan: Plan) -> tuple[PlotMark, ...]:
    """The marks of a lane with their words, and the words of all from left to right for where they would run into each other.

    On a timeline a list of counts would say nothing: a count that has no room there is in its tooltip.
    """
    ordered = sorted(lane.marks, key=lambda one: one.value)
    words = ", ".join(dict.fromkeys(one.words for one in ordered if one.words))
    made = []
    for one in lane.marks:
        look, form = _look(one, plan.series)
        tooltip = " ".join(filter(None, (one.series if one.series in plan.series else one.verdict, lane.name)))
        low, high = one.low if one.low is not None else one.value, one.high if one.high is not None else one.value
        # On a timeline each mark has its own count: all counts in one text would say nothing of the
        # days.
        together = None if plan.dates else words
        shown = one.words or words
        made.append(PlotMark(one.value, low, high, shown, look, tooltip, form, bool(one.words), together))
    return tuple(made)


# --- into pages ------------------------------------------------------------------------------------------------------


def piece(plan: Plan) -> str:
    """A chart as a piece of a page: as wide as the page is, in letters of one size, with a tooltip a mark."""
    return template_piece("chart", plan, plots(plan), keys(plan))


def chart_svg(plan: Plan) -> str:
    """A chart as one drawing that needs nothing else."""
    return plots_svg(plan.title, plots(plan), explained=keys(plan), made_from=plan.made_from)


def plots_svg(
    title: str, drawn: Iterable[DotPlot], *, explained: Sequence[Key] = (), made_from: Sequence[Fact] = ()
) -> str:
    """Plots below each other as one drawing that needs nothing else."""
    lines = textwrap.wrap(title, _TITLE) or [""]
    below = 24 * (len(lines) - 1)
    panels, top = [], below + (92 if explained else 64)
    for one in drawn:
        rows, end = _svg_rows(one, top + 20)
        panels.append({"title": one.title, "top": top, "plot": one, "rows": rows, "end": end})
        top = end + 44
    return rendered(
        "chart.svg",
        title=title,
        lines=lines,
        below=below,
        made_from=made_from,
        panels=panels,
        keys=_side_by_side(explained),
        high=top + 30,
        style=without_variables(asset("common.css") + asset("chart.css")),
    )


def _svg_rows(plot: DotPlot, top: int) -> tuple[list[SvgRow], int]:
    """The rows of a plot from above, and where they end; a row is as high as its label."""
    rows = []
    for row in plot.rows:
        lines = textwrap.wrap(row.label, _LABEL, max_lines=3, placeholder=" …") or [""]
        high = max(30, 17 * len(lines) + 6)
        first = top + high // 2 + 5 - 17 * (len(lines) - 1) // 2
        rows.append(SvgRow(row, top + high // 2 - 15, [(first + 17 * n, line) for n, line in enumerate(lines)]))
        top += high
    return rows, top


def _side_by_side(explained: Sequence[Key]) -> list[tuple[int, Key]]:
    """The keys with where each begins: behind the words of the one before."""
    # Pixels: 44 for the mark and the gap behind the words, 8 for a letter.
    starts = accumulate((44 + 8 * len(one.words) for one in explained), initial=30)
    return list(zip(starts, explained, strict=False))


_LABEL: Final = 38
"""Letters of a line of the label of a row."""
_TITLE: Final = 78
"""Letters of a line of the title: this many fit the width."""


def page(plan: Plan) -> str:
    """A chart as a page with the table of its rows, and its files to download."""
    from kg.render.paper import paper

    files = {"chart.svg": ("image/svg+xml", chart_svg(plan)), "chart.csv": ("text/csv", table_csv(plan.table))}
    # Files in the page itself, as `data:` addresses: the page is one file that loads nothing.
    links = [
        (name, f"data:{kind};charset=utf-8;base64,{b64encode(text.encode()).decode('ascii')}")
        for name, (kind, text) in files.items()
    ]
    blocks = [piece(plan), template_piece("downloads", links), template_piece("table", plan.table)]
    return paper(plan.title, blocks, plan.questions, plan.made_from, scripts=(asset("chart.js"),))


def table_csv(table: SceneTable) -> str:
    """The rows of a table as CSV that no spreadsheet runs as formulas."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([neutral(cell) for cell in row] for row in (table.columns, *(cells for _, cells in table.rows)))
    return out.getvalue()
