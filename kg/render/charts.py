"""Static charts with matplotlib: the same rows give the same bytes. Needs the extra `charts`.

Each chart is drawn for a light and for a dark page; a file on its own is the light one.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO
from math import ceil
from typing import Any, Final, Literal

from kg.errors import UsageError
from kg.model.verdict import VERDICTS, Verdict
from kg.render import hypertext
from kg.render.scene import Fact, SceneTable

Form = Literal["svg", "png", "html"]
FORMS: Final = ("svg", "png", "html")
_LONG: Final = 50
_RC: Final = {
    "svg.hashsalt": "accelkg",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.unicode_minus": True,
    "path.simplify": False,
    "axes.formatter.useoffset": False,
    "text.usetex": False,
    "text.parse_math": False,
}


class ChartsMissing(UsageError):
    """Charts need matplotlib, which is not a base dependency."""

    code = "view.charts-extra"


class NothingToChart(UsageError):
    """There is no row with a value for the chart that was asked for."""

    code = "view.nothing-to-chart"


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a page."""

    page: str
    text: str
    soft: str
    grid: str
    first: str
    second: str
    third: str
    good: str
    care: str
    bad: str


LIGHT: Final = Inks(
    "#ffffff", "#161b22", "#5b6472", "#dde2e9", "#0072b2", "#d55e00", "#00795a", "#1a7f4b", "#9a6200", "#b3121d"
)
DARK: Final = Inks(
    "#12161d", "#e8ecf2", "#b3bccb", "#303a48", "#56b4e9", "#f28e4b", "#3fd0a6", "#5fd39a", "#f0b64b", "#ff7b80"
)


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


@dataclass(frozen=True, slots=True)
class Plan:
    """A chart before it is drawn, with the table of the same rows."""

    title: str
    about: str
    panels: tuple[Panel, ...]
    table: SceneTable
    series: tuple[str, ...] = ()
    """What the shapes of the marks stand for, in order."""
    dates: bool = False
    notes: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    made_from: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart."""

    plan: Plan
    form: Form
    file: bytes = field(repr=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        return self.plan.notes

    @property
    def questions(self) -> tuple[str, ...]:
        """The saved questions that gave the rows."""
        return self.plan.questions

    def _repr_svg_(self) -> str | None:
        """For notebooks."""
        return self.file.decode("utf-8") if self.form == "svg" else None


def draw(plan: Plan, form: str = "svg") -> Chart:
    """Draw a chart as SVG, PNG or a page."""
    if form not in FORMS:
        raise UsageError(field="-o", given=form, expected=", ".join(FORMS))
    made = page(plan).encode("utf-8") if form == "html" else image(plan, form, LIGHT)
    return Chart(plan, form, made)  # type: ignore[arg-type]


def image(plan: Plan, form: str, inks: Inks) -> bytes:
    """The bytes of one picture; no date, no random name is in it."""
    context, figure_class = _library()
    with context(_RC):
        figure = _figure(plan, inks, figure_class)
        out = BytesIO()
        kept: dict[str, Any] = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        figure.savefig(out, format=form, metadata=kept, facecolor=inks.page, dpi=144)
    return out.getvalue()


def _library() -> tuple[Callable[[dict[str, Any]], AbstractContextManager[Any]], Any]:
    """What is used of matplotlib; its state for interactive use is never touched."""
    try:
        return import_module("matplotlib").rc_context, import_module("matplotlib.figure").Figure
    except ImportError as cause:
        raise ChartsMissing(
            given="matplotlib is not installed", expected="the extra charts", next_step="pip install 'accelkg[charts]'"
        ) from cause


def is_available() -> bool:
    """Whether charts can be drawn here."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


# --- into pages ------------------------------------------------------------------------------------------------------


def piece(plan: Plan) -> str:
    """A chart as a piece of a page: both drawings as data, and words for those who do not see it."""
    told = hypertext.text(f"{plan.title}. {plan.about} The table holds the same values.")
    drawings = "".join(
        f'<img class={name} alt="{told}" src="data:image/svg+xml;base64,{b64encode(image(plan, "svg", inks)).decode("ascii")}">'
        for name, inks in (("light", LIGHT), ("dark", DARK))
    )
    notes = "".join(f"<br>{hypertext.text(one)}" for one in plan.notes)
    sheet = f'<div class=sheet role=group aria-label="Drawing" tabindex=0>{drawings}</div>'
    return f"<figure class=chart>{sheet}<figcaption>{hypertext.text(plan.about)}{notes}</figcaption></figure>"


def page(plan: Plan) -> str:
    """A chart as a page with the table of its rows."""
    from kg.render.paper import paper
    from kg.render.templating import piece as table_piece

    return paper(plan.title, [piece(plan), table_piece("table", plan.table)], plan.questions, plan.made_from)


# --- drawing ---------------------------------------------------------------------------------------------------------


def _figure(plan: Plan, inks: Inks, figure_class: Any) -> Any:
    lane = 0.36 if plan.dates else 0.27
    heights = [0.62 + lane * max(1, len(panel.lanes)) for panel in plan.panels]
    keys = 0.42 * ceil(len(plan.series) / 4) if plan.series else 0.0
    tall = sum(heights) + 0.42 * len(heights) + 0.65 + keys
    figure = figure_class(figsize=(9.4, tall), facecolor=inks.page)
    top = 1 - 0.5 / tall
    figure.text(0.012, 1 - 0.13 / tall, plan.title, color=inks.text, fontsize=12, fontweight="bold", va="top")
    if plan.series:
        _keys(figure, plan.series, inks, 1 - 0.52 / tall)
        top -= keys / tall
    at = top - 0.22 / tall
    for panel, high in zip(plan.panels, heights, strict=True):
        share = (high - 0.5) / tall
        axes = figure.add_axes((0.37, at - share, 0.6, share))
        _panel(axes, panel, plan.series, inks, dates=plan.dates)
        at -= (high + 0.42) / tall
    if any(panel.line is not None for panel in plan.panels):
        ends = [axes.get_xlim() for axes in figure.axes]
        for axes in figure.axes:
            axes.set_xlim(min(low for low, _ in ends), max(high for _, high in ends))
    return figure


_SHAPES: Final = ("o", "D", "s", "^")


def _look(mark: Mark, series: Sequence[str], inks: Inks) -> tuple[str, str]:
    """Shape and colour of a mark: by its series where there is one, by its verdict otherwise."""
    if mark.verdict == "wrong":
        return "X", inks.bad
    if mark.series in series:
        number = series.index(mark.series)
        return _SHAPES[number % len(_SHAPES)], (inks.first, inks.second, inks.third)[number % 3]
    looks = {"confirmed": ("o", inks.good), "caution": ("D", inks.care), "disputed": ("^", inks.care)}
    return looks.get(mark.verdict or "", ("s", inks.soft))


def _keys(figure: Any, series: Sequence[str], inks: Inks, at: float) -> None:
    line = import_module("matplotlib.lines").Line2D
    lines = [
        line([], [], linestyle="none", marker=shape, color=colour, markersize=6, label=name)
        for name in series
        for shape, colour in [
            _look(
                Mark(0, series=name if name not in JUDGED else "", verdict=name if name in JUDGED else None),
                series,
                inks,
            )
        ]
    ]
    legend = figure.legend(
        handles=lines,
        loc="upper left",
        bbox_to_anchor=(0.005, at),
        ncols=4,
        frameon=False,
        fontsize=8.5,
        handletextpad=0.2,
    )
    for words in legend.get_texts():
        words.set_color(inks.text)


JUDGED: Final[tuple[Verdict, ...]] = tuple(one for one in VERDICTS if one != "unknown")
"""The keys of a chart whose marks are drawn by verdict."""


def _panel(axes: Any, panel: Panel, series: Sequence[str], inks: Inks, *, dates: bool) -> None:
    axes.set_facecolor(inks.page)
    axes.set_title(panel.title, color=inks.text, fontsize=9.5, loc="left", pad=4)
    if panel.is_log:
        axes.set_xscale("log")
    if panel.line is not None:
        axes.axvline(panel.line, color=inks.soft, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    values = [mark.value for lane in panel.lanes for mark in lane.marks]
    apart = (max(values) - min(values)) * _CLOSE if dates and values else None
    for row, lane in enumerate(panel.lanes):
        _lane(axes, row, lane, series, inks, apart=apart)
    axes.set_ylim(len(panel.lanes) - 0.45, -0.55)
    axes.set_yticks(range(len(panel.lanes)), [_short(lane.name) for lane in panel.lanes], color=inks.text, fontsize=8.5)
    axes.tick_params(axis="x", colors=inks.soft, labelsize=8)
    axes.tick_params(axis="both", which="both", length=0)
    axes.set_xlabel(panel.axis, color=inks.soft, fontsize=8.5, labelpad=2)
    axes.grid(axis="x", color=inks.grid, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    if dates:
        _dates(axes)
    else:
        _numbers(axes, is_log=panel.is_log)
    low, high = axes.get_xlim()
    if panel.is_log:
        axes.set_xlim(low, high * (high / low) ** 0.24)
    else:
        axes.set_xlim(low, high + (high - low) * 0.2)


def _numbers(axes: Any, *, is_log: bool) -> None:
    ticker = import_module("matplotlib.ticker")
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: number(value)))
    if is_log:
        low, high = axes.get_xlim()
        axes.xaxis.set_major_locator(
            ticker.LogLocator(10, subs=(1.0, 2.0, 5.0) if high / low < 300 else (1.0,), numticks=12)
        )
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())


def number(value: float) -> str:
    """A number at an axis; from a million on with the letter of its power.

    >>> number(0.5), number(20_000.0), number(4.8e12), number(1e7)
    ('0.5', '20,000', '4.8 T', '10 M')
    """
    for power, letter in ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(value) >= power:
            return f"{value / power:,.6g} {letter}"
    return f"{value:,.6g}"


def _dates(axes: Any) -> None:
    dates = import_module("matplotlib.dates")
    locator = dates.AutoDateLocator(minticks=3, maxticks=9)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))


def above(values: Sequence[float], apart: float) -> list[bool]:
    """Whether the words of each mark stand above it: below where the mark before it is too near and has its words above.

    >>> above([1, 5, 5.1, 5.2, 9], 0.5)
    [True, True, False, True, True]
    """
    found: list[bool] = []
    for number, value in enumerate(values):
        found.append(not found or not found[-1] or value - values[number - 1] > apart)
    return found


_CLOSE: Final = 0.03
"""Words of two marks that lie this near, as a part of the axis, would run into each other."""


def _lane(axes: Any, row: int, lane: Lane, series: Sequence[str], inks: Inks, *, apart: float | None) -> None:
    """A row; with `apart` each mark has its words above it, or below where they would run into the last ones."""
    values = [mark.value for mark in lane.marks]
    if lane.is_bad and len(values) > 1:
        axes.plot(
            [min(values), max(values)], [row, row], color=inks.bad, linewidth=1.6, zorder=2, solid_capstyle="round"
        )
    for mark in lane.marks:
        shape, colour = _look(mark, series, inks)
        if mark.low is not None and mark.high is not None and mark.high > mark.low:
            axes.plot(
                [mark.low, mark.high],
                [row, row],
                color=colour,
                linewidth=5,
                alpha=0.32,
                zorder=3,
                solid_capstyle="butt",
            )
        behind = mark.series == "recomputed"  # an equal printed value lies on it and leaves its edge to be seen
        axes.plot(
            [mark.value],
            [row],
            marker=shape,
            color=colour,
            markersize=9 if behind else 6,
            linestyle="none",
            zorder=3.5 if behind else 4,
            markerfacecolor="none" if behind else colour,
            markeredgecolor=colour if behind else inks.page,
            markeredgewidth=1.4 if behind else 0.6,
        )
    told = [mark for mark in lane.marks if mark.words]
    if apart is not None:
        told.sort(key=lambda one: one.value)
        for mark, is_above in zip(told, above([one.value for one in told], apart), strict=True):
            axes.annotate(
                mark.words,
                (mark.value, row),
                xytext=(0, 5 if is_above else -5),
                textcoords="offset points",
                ha="center",
                va="bottom" if is_above else "top",
                fontsize=7.5,
                color=inks.text,
            )
    elif told:
        words = ", ".join(dict.fromkeys(mark.words for mark in told))
        axes.annotate(
            words,
            (max(mark.high or mark.value for mark in lane.marks), row),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=inks.bad if lane.is_bad else inks.soft,
            annotation_clip=False,
        )


def _short(name: str) -> str:
    return name if len(name) <= _LONG else name[: _LONG - 2] + " …"
