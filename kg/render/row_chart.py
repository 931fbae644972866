"""A chart of the rows of an answer, where they have a column of numbers and something to name them by."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from kg.render.cells import text_of
from kg.render.dot_plot import DotPlot, PlotMark, PlotRow, dot_plot

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

_MOST: Final = 24
_NAMES: Final = ("label", "subject_label", "thing_label", "accelerator_label", "name", "title")
# Numbers that count places, not amounts of anything.
_NO_MEASURE: Final = ("start", "end", "rank", "hop", "score", "bytes", "code_points", "row")


def row_chart(answer: Answer, title: str) -> DotPlot | None:
    """The first column of positive numbers, a row each; None where there is none, or where the rows are too many to read.

    Numbers of several units do not stand on one scale.
    """
    if not 2 <= len(answer.rows) <= _MOST:
        return None
    unit = next((n for n, name in enumerate(answer.columns) if name in ("unit", "canonical_unit")), None)
    if unit is not None and len({row[unit] for row in answer.rows}) > 1:
        return None
    values = next((n for n in range(len(answer.columns)) if _is_measure(answer, n)), None)
    names = _named_by(answer)
    if values is None or names is None:
        return None
    rows = []
    for row in answer.rows:
        value = row[values]
        assert isinstance(value, int | float)
        shown = f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
        tooltip = answer.columns[values].replace("_", " ")
        rows.append(
            PlotRow(text_of(row[names])[:60], None, (PlotMark(value, value, value, shown, "published", tooltip),))
        )
    return dot_plot(f"{title}: {answer.columns[values].replace('_', ' ')}", rows, through=None, unit="")


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
