"""A chart of the rows of an answer, where they have a column of numbers and something to name them by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from kg.render.cells import text_of
from kg.render.dot_plot import DotPlot, PlotMark, PlotRow, dot_plot

if TYPE_CHECKING:
    from kg.stores.protocol import Answer, Cell

_MOST: Final = 24
_IN_FULL: Final = 10_000
"""From which size on a figure is read as a whole number; four digits of it would be written as a power of ten."""
_NO_HEADS: Final[Mapping[str, str]] = MappingProxyType({})
_NAMES: Final = ("label", "subject_label", "thing_label", "accelerator_label", "name", "title")
# Numbers that count places, not amounts of anything.
_NO_MEASURE: Final = ("start", "end", "rank", "hop", "score", "bytes", "code_points", "row")
_MEASURED: Final = ("canonical_value", "value", "per_accelerator", "change")
"""What rows are of, where they have it: how many accelerators each took stands before it, and tells them apart only."""


def row_chart(
    answer: Answer, title: str, *, heads: Mapping[str, str] = _NO_HEADS, ranked: str | None = None
) -> DotPlot | None:
    """The figures of rows, a row each; None where there are none, or where the rows are too many to read.

    They are those of the column that the rows are `ranked` by, else of what they measure, else of the first one of positive
    numbers. Numbers of several units do not stand on one scale.
    """
    if not 2 <= len(answer.rows) <= _MOST:
        return None
    unit = next((n for n, name in enumerate(answer.columns) if name in ("unit", "canonical_unit")), None)
    if unit is not None and len({row[unit] for row in answer.rows}) > 1:
        return None
    values = _measured_column(answer, ranked)
    names = _named_by(answer)
    if values is None or names is None:
        return None
    rows: dict[PlotRow, None] = {}  # each once: a result is in several files of its round
    head = heads.get(answer.columns[values], answer.columns[values].replace("_", " "))
    for row in answer.rows:
        value = row[values]
        assert isinstance(value, int | float)
        shown = f"{value:,.4g}" if isinstance(value, float) and value < _IN_FULL else f"{value:,.0f}"
        mark = PlotMark(value, value, value, shown, "published", head)
        rows[PlotRow(_row_name(answer, row, names)[:60], None, (mark,))] = None
    return dot_plot(f"{title}: {head}", list(rows), through=None, unit="")


def _measured_column(answer: Answer, ranked: str | None) -> int | None:
    """The place of the column of figures: that the rows are ranked by, else what they measure, else the first of positive numbers."""
    wanted = [answer.columns.index(one) for one in (ranked, *_MEASURED) if one in answer.columns]
    return next((n for n in (*wanted, *range(len(answer.columns))) if _is_measure(answer, n)), None)


def _row_name(answer: Answer, row: Sequence[Cell], names: int) -> str:
    """What a row is of; of a published result also how many accelerators it took, and who submitted it."""
    name = text_of(row[names]).partition(" (")[0]
    parts = dict(zip(answer.columns, row, strict=True))
    if parts.get("accelerators") is None or parts.get("submitter_label") is None:
        return text_of(row[names])
    return f"{text_of(parts['accelerators'])}x {name}, {text_of(parts['submitter_label'])}"


def _is_measure(answer: Answer, column: int) -> bool:
    cells = [row[column] for row in answer.rows]
    # The scale is one of logarithms.
    is_positive = all(
        isinstance(cell, int | float) and not isinstance(cell, bool) and 0 < cell < math.inf for cell in cells
    )
    return is_positive and answer.columns[column] not in _NO_MEASURE and len(set(cells)) > 1


def _named_by(answer: Answer) -> int | None:
    named = next((answer.columns.index(name) for name in _NAMES if name in answer.columns), None)
    if named is not None:
        return named
    return next((n for n in range(len(answer.columns)) if all(isinstance(row[n], str) for row in answer.rows)), None)
