"""The values of one thing, or of two next to each other, for the metrics that a question names."""

from collections.abc import Iterator, Sequence
from typing import Final

from kg.answers.asking import Ask
from kg.answers.comparison_matrix import MatrixRow, comparison_matrix
from kg.answers.sheet import SheetRow, SheetValue, specs
from kg.errors import KgError
from kg.model.verdict import NOT_TO_USE

_ROUNDING: Final = 0.02


def side_by_side(ask: Ask, a: str, b: str, metrics: Sequence[str]) -> Iterator[MatrixRow]:
    """The figures of both for these metrics, those alike in level and facets; nothing where either has none."""
    for row in comparison_matrix(ask, a, b).rows:
        if row.metric in metrics and row.is_like and _has_one_figure(row.a) and _has_one_figure(row.b):
            yield row


def values_of(ask: Ask, name: str, metrics: Sequence[str]) -> tuple[SheetRow, ...]:
    """What to use of one thing for these metrics, at its own level where it has values there; nothing where the name has none."""
    try:
        sheet = specs(ask, name)
    except KgError:  # a name of several things has no one value
        return ()
    rows = [row for row in sheet.rows if row.metric in metrics and _has_one_figure(row)]
    return tuple([row for row in rows if row.level == sheet.level] or rows)


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
