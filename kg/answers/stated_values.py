"""The values of one thing, or of two next to each other, for the metrics that a question names."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kg.answers.asking import Ask
from kg.answers.comparison_matrix import MatrixRow, comparison_matrix
from kg.answers.sheet import specs
from kg.answers.sheet_rows import SheetRow, SheetValue
from kg.ask.row_filters import RowFilter
from kg.errors import KgError
from kg.model.verdict import NOT_TO_USE

# one value rounded twice, 3.35 TB/s and 3.3 TB/s, is no second value
_ROUNDING: Final = 0.02


def side_by_side(
    ask: Ask, a: str, b: str, metrics: Sequence[str], filters: Sequence[RowFilter] = ()
) -> Iterator[MatrixRow]:
    """The figures of both for these metrics, those alike in level and facets; nothing where either has none."""
    if not metrics or not _can_narrow(filters):
        return
    for row in comparison_matrix(ask, a, b).alike(metrics):
        if _is_of_precisions(row.facets, filters) and _has_one_figure(row.a) and _has_one_figure(row.b):
            yield row


def values_of(ask: Ask, name: str, metrics: Sequence[str], filters: Sequence[RowFilter] = ()) -> tuple[SheetRow, ...]:
    """What to use of one thing for these metrics, at its own level where it has values there; nothing where the name has none.

    Nor is there anything where rows are narrowed to more than a precision, such as a model: the values are not.
    """
    try:
        sheet = specs(ask, name, whole=False) if _can_narrow(filters) else None
    except KgError:  # a name of several things has no one value
        return ()
    rows = [
        row
        for row in (() if sheet is None else sheet.rows)
        if row.metric in metrics and _has_one_figure(row) and _is_of_precisions(row.facets, filters)
    ]
    return tuple([row for row in rows if sheet is not None and row.level == sheet.level] or rows)


def _can_narrow(filters: Sequence[RowFilter]) -> bool:
    """Whether values can be narrowed to what rows are narrowed to: an order of rows chooses none."""
    return all(one.kinds in ({"metric"}, {"precision"}) or one.order is not None for one in filters)


def _is_of_precisions(facets: str | None, filters: Sequence[RowFilter]) -> bool:
    """Whether a value is of the precisions that were named, or none was."""
    wanted = {one.name for one in filters if one.kinds == {"precision"}}
    return wanted <= set(re.split(r"[/, ]+", facets or ""))


def _has_one_figure(row: SheetRow) -> bool:
    """Whether what a row tells is all that is stated of whom it tells it of, up to rounding; variants may have other figures."""
    told = row.values[: row.told]
    if row.value is None or row.low is None:
        return False
    of_them = {subject for one in told for subject in one.subject_ids}
    return all(
        any(_is_close(other, one) for one in told)
        for other in row.others
        if other.value is not None and other.verdict not in NOT_TO_USE and not of_them.isdisjoint(other.subject_ids)
    )


def _is_close(one: SheetValue, other: SheetValue) -> bool:
    if one.value is None or other.value is None or one.unit != other.unit:
        return False
    return abs(one.value - other.value) <= _ROUNDING * max(abs(one.value), abs(other.value))
