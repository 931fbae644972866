"""Dots and ranges on one scale, as SVG that keeps the size of its letters at any width: a row each, its label next to the mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from math import ceil, floor, log10
from typing import Final, Literal, NamedTuple

from kg.render import hypertext

# Drawn by hand and not by matplotlib, which is an extra and whose text neither wraps nor follows a dark
# page (decision 28). Heights and letters are in pixels, places across in per cent: a row keeps the size of
# its letters at any width.
_ROW: Final = 30
_LEFT, _RIGHT = 4.0, 96.0
_TURN: Final = 68.0
"""Per cent of the width from which on a label stands left of its mark."""
_NARROWEST: Final = 330
"""The width of a plot on a phone: words must fit there too."""
_LETTER: Final = 8.2
_BESIDE: Final = 16
"""From the middle of a mark to its words, and a little behind them."""
_MOST: Final = 1e300
"""The largest value of a scale of logarithms, and over 1 the smallest: beyond it the powers of ten at the axis are no doubles."""
MarkForm = Literal["dot", "diamond"]


class PlotMark(NamedTuple):
    """A value with its range where it has one; `look` is the class that colours it, `tooltip` what is shown over it."""

    value: float
    low: float
    high: float
    shown: str
    look: str
    tooltip: str
    form: MarkForm = "dot"
    is_told: bool = True
    """Whether words stand next to it."""
    words: str | None = None
    """What stands next to one mark of the row, where the words of its marks would run into each other."""


class PlotRow(NamedTuple):
    """A row: what it is of, where it leads, and its marks."""

    label: str
    address: str | None
    marks: tuple[PlotMark, ...]


class PlottedRow(NamedTuple):
    """A row with its drawing."""

    label: str
    address: str | None
    svg: str


class DotPlot(NamedTuple):
    """The rows of a plot and the axis below them; the drawings are finished SVG."""

    title: str
    rows: tuple[PlottedRow, ...]
    axis: str


class _Scale(NamedTuple):
    """From a value to per cent of the width, by logarithms or as it is; the ends are logarithms in the first case."""

    low: float
    high: float
    is_log: bool = True

    def at(self, value: float) -> float:
        share = ((log10(value) if self.is_log else value) - self.low) / (self.high - self.low)
        return round(_LEFT + (_RIGHT - _LEFT) * min(max(share, 0.0), 1.0), 2)


def dot_plot(title: str, rows: Sequence[PlotRow], *, through: float | None = 1.0, unit: str = "×") -> DotPlot:
    """A plot on a logarithmic scale of positive values; `through` is a value that a line goes through, such as 1 of a ratio."""
    kept = [row._replace(marks=tuple(filter(_has_a_place, row.marks))) for row in rows]
    values = [bound for row in kept for one in row.marks for bound in (one.low, one.high)]
    values += [] if through is None else [through]
    if not values:
        return DotPlot(title, (), "")
    low, high = log10(min(values)), log10(max(values))
    # At least a fiftieth of a decade, so that equal values are in the middle and not on the edge.
    gap = max((high - low) * 0.08, 0.02)
    scale = _Scale(low - gap, high + gap)
    drawn = tuple(PlottedRow(row.label, row.address, _row(row, scale, through)) for row in kept if row.marks)
    return DotPlot(title, drawn, _axis(scale, unit))


def _has_a_place(mark: PlotMark) -> bool:
    """Whether a mark can be drawn on a scale of logarithms: a range that reaches zero or below cannot."""
    return all(1 / _MOST <= one <= _MOST for one in (mark.value, mark.low, mark.high))


def line_plot(title: str, rows: Sequence[PlotRow], *, unit: str = "", dates: bool = False) -> DotPlot:
    """A plot on a plain scale; with `dates` the values are days since 1970 and the axis names months or years."""
    # Beyond it the width of the scale is no double.
    rows = [row._replace(marks=tuple(one for one in row.marks if max(map(abs, one[:3])) <= _MOST)) for row in rows]
    values = [bound for row in rows for one in row.marks for bound in (one.low, one.high)]
    if not values:
        return DotPlot(title, (), "")
    gap = (max(values) - min(values)) * 0.06 or max(abs(values[0]) * 0.05, 1.0)
    scale = _Scale(min(values) - gap, max(values) + gap, is_log=False)
    drawn = tuple(PlottedRow(row.label, row.address, _row(row, scale, None)) for row in rows if row.marks)
    if dates:
        return DotPlot(title, drawn, _axis_of(scale, day_ticks(scale.low, scale.high)))
    return DotPlot(title, drawn, _numbers(scale, plain_ticks(scale.low, scale.high), unit))


def plain_ticks(low: float, high: float) -> list[float]:
    """Round values between two, four to eight of them.

    >>> plain_ticks(0.2, 5.1), plain_ticks(3800, 8700)
    ([1.0, 2.0, 3.0, 4.0, 5.0], [4000.0, 5000.0, 6000.0, 7000.0, 8000.0])
    """
    power = 10.0 ** floor(log10((high - low) / 4))
    step = next(one * power for one in (1, 2, 2.5, 5, 10) if (high - low) / (one * power) <= 8)
    first = ceil(low / step)
    # Twelve digits of each, not twelve places: a step may be smaller than a millionth of a millionth.
    return [float(f"{number * step:.12g}") for number in range(first, floor(high / step) + 1)]


def day_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """The beginnings of years, or of months where the span is short, at most eight.

    >>> [words for _, words in day_ticks(18262.0, 19800.0)]
    ['2020', '2021', '2022', '2023', '2024']
    """
    epoch = date(1970, 1, 1).toordinal()
    # The scale reaches beyond its first and last date, which may be those of the calendar.
    start = date.fromordinal(max(epoch + floor(low), date.min.toordinal()))
    end = date.fromordinal(min(epoch + ceil(high), date.max.toordinal()))
    months = [(year, month) for year in range(start.year, end.year + 1) for month in range(1, 13)]
    is_long = high - low > 700
    kept = [
        (float(date(year, month, 1).toordinal() - epoch), str(year) if is_long else f"{year}-{month:02}")
        for year, month in months
        if (month == 1 or not is_long) and low <= date(year, month, 1).toordinal() - epoch <= high
    ]
    return kept[:: max(1, ceil(len(kept) / 8))]


def ticks(low: float, high: float) -> list[float]:
    """Round values between two powers of ten: 1, 2 and 5 of each, fewer where there are many.

    >>> ticks(-0.05, 1.05), ticks(0.3, 0.75)
    ([1, 2, 5, 10], [2, 3, 4, 5])
    """
    steps: tuple[float, ...] = (1, 2, 5) if high - low > 0.5 else (1, 1.5, 2, 3, 4, 5, 6, 7, 8)
    # Over three decades only the powers of ten have room.
    if high - low > 3:
        steps = (1,)
    # The ends of the scale lie beyond what is drawn, and may lie beyond the powers that are doubles.
    last = round(log10(_MOST))
    powers = range(max(floor(low), -last), min(ceil(high), last) + 1)
    found = [step * 10**power for power in powers for step in steps]
    return [one for one in found if low <= log10(one) <= high]


def _row(row: PlotRow, scale: _Scale, through: float | None) -> str:
    tooltip = "; ".join(f"{one.tooltip}: {one.shown}" for one in row.marks)
    parts = [] if through is None else [_vertical(scale.at(through), "base")]
    parts += [_mark(one, scale, is_turned=turned) for one, turned in _placed(row.marks, scale)]
    return f'<svg class="plot" width="100%" height="{_ROW}" role="img" aria-label="{hypertext.text(tooltip)}">{"".join(parts)}</svg>'


def _placed(marks: Sequence[PlotMark], scale: _Scale) -> list[tuple[PlotMark, bool]]:
    """Each mark with whether its words stand left of it.

    Words stand next to their own marks. Where not all fit, one text for the row stands where most room is, and on no mark.
    """
    told = [one for one in marks if one.is_told]
    if len(marks) == 1 or not told:
        return [(one, _is_turned(one, scale)) for one in marks]
    if len(told) > 1:
        each = _each_placed(marks, scale)
        if told[-1].words is None or sum(one.is_told for one, _ in each) == len(told):
            return each
    room, turned, best = _widest_room(marks, scale)
    words = told[-1].words or told[-1].shown
    if room < _needed(words):
        return _each_placed(marks, scale)
    return [(one._replace(is_told=one is best, words=words), turned and one is best) for one in marks]


def _widest_room(marks: Sequence[PlotMark], scale: _Scale) -> tuple[float, bool, PlotMark]:
    """Where most room for words is, in per cent of the row: left of a mark (turned), or behind the last one, which comes
    first as long as that begins early enough.
    """
    reached, rooms = 0.0, []
    for one in sorted(marks, key=lambda one: (one.low, one.high)):
        rooms.append((scale.at(one.low) - reached, True, one))
        reached = max(reached, scale.at(one.high))
    last = next(one for one in marks if scale.at(one.high) == reached)
    after = (100.0 - reached, False, last)
    return after if reached <= _TURN else max(after, *rooms, key=lambda room: room[0])


def _is_turned(one: PlotMark, scale: _Scale) -> bool:
    """Whether the words of a mark stand left of it: behind most of the width, or where only that side has room."""
    end = scale.at(one.high)
    return end > _TURN or 100 - end < _needed(one.words or one.shown) <= scale.at(one.low)


def _needed(words: str) -> float:
    """The room of words next to a mark, in per cent of the narrowest plot."""
    return 100 * (len(words) * _LETTER + _BESIDE) / _NARROWEST


def _each_placed(marks: Sequence[PlotMark], scale: _Scale) -> list[tuple[PlotMark, bool]]:
    """Each mark with words of its own on the side that has room; with none on either side it has its tooltip alone."""
    ordered = sorted(marks, key=lambda one: (one.low, one.high))
    placed, end = [], 100.0
    # From the right: what stands there first decides how much room is left of it.
    for number, one in reversed(list(enumerate(ordered))):
        before = max((scale.at(other.high) for other in ordered[:number]), default=0.0)
        low, high, needed = scale.at(one.low), scale.at(one.high), _needed(one.shown)
        turned = end - high < needed
        is_told = one.is_told and (not turned or low - before >= needed)
        placed.append((one._replace(is_told=is_told, words=one.shown), turned))
        end = low - needed if turned and is_told else low
    return placed[::-1]


def _mark(one: PlotMark, scale: _Scale, *, is_turned: bool) -> str:
    middle, y = scale.at(one.value), _ROW // 2
    low, high = scale.at(one.low), scale.at(one.high)
    line = f'<line class="range" x1="{low}%" x2="{high}%" y1="{y}" y2="{y}"/>' if one.high > one.low else ""
    form = (
        f'<circle cx="{middle}%" cy="{y}" r="6"/>'
        if one.form == "dot"
        else f'<svg x="{middle}%" y="{y}" overflow="visible"><path d="M0,-7L7,0L0,7L-7,0Z"/></svg>'
    )
    anchor, side, shift = ("end", low, -11) if is_turned else ("start", high, 11)
    words = (
        ""
        if not one.is_told
        else f'<text x="{side}%" dx="{shift}" y="{y + 4}" text-anchor="{anchor}">{hypertext.text(one.words or one.shown)}</text>'
    )
    return (
        f'<g class="{one.look}"><title>{hypertext.text(f"{one.tooltip}: {one.shown}")}</title>{line}{form}{words}</g>'
    )


def _vertical(at: float, look: str) -> str:
    return f'<line class="{look}" x1="{at}%" x2="{at}%" y1="0" y2="{_ROW}"/>'


def _axis(scale: _Scale, unit: str) -> str:
    found = ticks(scale.low, scale.high)
    # Less than a decade may hold none or one of the steps: then round values between the ends.
    if len(found) < 2:
        found = plain_ticks(10**scale.low, 10**scale.high)
    return _numbers(scale, found, unit)


def _numbers(scale: _Scale, values: Sequence[float], unit: str) -> str:
    """An axis of numbers; where their units would run into each other, they stand above the rows alone."""
    steps = [(value, f"{value:,.15g}{unit}") for value in values]
    bare = [(value, f"{value:,.15g}") for value in values]
    return _axis_of(scale, steps if len(_readable(scale, steps)) == len(steps) else bare)


def _readable(scale: _Scale, steps: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """The steps whose words stand apart on the narrowest plot; of two that touch, the first."""
    kept, reached = [], -100.0
    for value, words in steps:
        half = 50 * len(words) * _LETTER / _NARROWEST
        if scale.at(value) - half > reached:
            kept.append((value, words))
            reached = scale.at(value) + half
    return kept


def _axis_of(scale: _Scale, steps: Sequence[tuple[float, str]]) -> str:
    marks: Iterable[str] = (
        f'<line x1="{at}%" x2="{at}%" y1="0" y2="5"/><text x="{at}%" y="19" text-anchor="middle">{words}</text>'
        for value, words in _readable(scale, steps)
        for at in (scale.at(value),)
    )
    return f'<svg class="plot axis" width="100%" height="24" aria-hidden="true">{"".join(marks)}</svg>'
