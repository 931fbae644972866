"""The values of one thing, or of two next to each other, for the metrics that a question names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Final

from kg.answers.asking import Ask
from kg.answers.comparison_matrix import MatrixRow, comparison_matrix
from kg.answers.sheet import specs
from kg.answers.sheet_rows import SheetRow, SheetValue
from kg.ask.row_filters import RowFilter
from kg.errors import KgError
from kg.model.verdict import NOT_TO_USE

_PRICES: Final = ("purchase-price", "capital-cost", "rental-price")
MAIN_METRICS: Final = ("memory-capacity", "memory-bandwidth", "power", "purchase-price")
"""What data sheets begin with."""
_OF_ONE_THING: Final[Mapping[str, tuple[str, ...]]] = {
    "prices/claims": _PRICES,
    "energy/claims": ("power",),
    "specifications/by-metric": (),
}
"""Questions of all things whose rows are narrowed to one, with the metrics that are meant where none is named."""
_MOST_THINGS: Final = 6
_MONEY: Final = "USD"
"""What canonical units of prices begin with; a share of a price is none."""
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


def values_asked(
    ask: Ask, question: str, values: Mapping[str, object], filters: Sequence[RowFilter] = ()
) -> tuple[SheetRow, ...]:
    """What to use of the thing or the few things that a question is about, for the metrics that are asked for; nothing for any other question."""
    if question == "comparisons/of-thing":
        return tuple(_of_compared(ask, str(values["thing"]), filters))
    metrics = _plain(values.get("metric")) or tuple(one.name for one in filters if one.kinds == {"metric"})
    if question == "claims/of-metric":
        return values_of(ask, str(values["thing"]), metrics, filters)
    named = [one for one in filters if one.is_thing]
    if question not in _OF_ONE_THING or not 0 < len(named) <= _MOST_THINGS:
        return ()
    others = [one for one in filters if one not in named]
    return tuple(_of_named(ask, question, [one.name for one in named], metrics or _OF_ONE_THING[question], others))


def _of_compared(ask: Ask, thing: str, filters: Sequence[RowFilter]) -> Iterator[SheetRow]:
    """What data sheets begin with, metric by metric, of several things that are compared; nothing of fewer."""
    others = [one.name for one in filters if one.is_thing]
    if not 1 < len(others) < _MOST_THINGS or len(others) < len(filters):
        return
    for metric in MAIN_METRICS:
        for name in (thing, *others):
            yield from values_of(ask, name, (metric,))


def _of_named(
    ask: Ask, question: str, names: Sequence[str], metrics: Sequence[str], filters: Sequence[RowFilter]
) -> Iterator[SheetRow]:
    """The values of each; of prices those in money."""
    for name in names:
        for row in values_of(ask, name, metrics, filters):
            if question != "prices/claims" or (row.unit or "").startswith(_MONEY):
                yield row


def _plain(value: object) -> tuple[str, ...]:
    given = value if isinstance(value, list | tuple) else (value,)
    return tuple(str(one).removeprefix("metric/") for one in given if one)


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
        if row.metric in metrics and _has_figure(row) and _is_of_precisions(row.facets, filters)
    ]
    own = [row for row in rows if sheet is not None and row.level == sheet.level]
    return tuple(own or map(_of_whom_it_is, rows))


def _of_whom_it_is(row: SheetRow) -> SheetRow:
    """A row of another level under the name of what it is stated of: what a cluster has is no value of its chips."""
    subjects = {subject for one in row.values[: row.told] for subject in one.subjects}
    return row._replace(of=subjects.pop()) if len(subjects) == 1 else row


def _can_narrow(filters: Sequence[RowFilter]) -> bool:
    """Whether values can be narrowed to what rows are narrowed to: an order of rows chooses none."""
    return all(one.kinds in ({"metric"}, {"precision"}) or one.order is not None for one in filters)


def _is_of_precisions(facets: str | None, filters: Sequence[RowFilter]) -> bool:
    """Whether a value is of the precisions that were named, or none was."""
    wanted = {one.name for one in filters if one.kinds == {"precision"}}
    return wanted <= set(re.split(r"[/, ]+", facets or ""))


def _has_figure(row: SheetRow) -> bool:
    return row.value is not None and row.low is not None


def _has_one_figure(row: SheetRow) -> bool:
    """Whether what a row tells is all that is stated of whom it tells it of, up to rounding; variants may have other figures."""
    return _has_figure(row) and not other_figures(row)


def other_figures(row: SheetRow) -> tuple[SheetValue, ...]:
    """The other figures that are stated of whom a row tells its value of, and are no rounding of it, as far as they may be used."""
    told = row.values[: row.told]
    of_them = {subject for one in told for subject in one.subject_ids}
    values = [(one.value, one.unit) for one in told if one.value is not None]
    return tuple(
        other
        for other in row.others
        if other.value is not None
        and other.verdict not in NOT_TO_USE
        and not other.shown.endswith("]")  # what is only expected
        and not of_them.isdisjoint(other.subject_ids)
        and not any(unit == other.unit and isclose(value, other.value, rel_tol=_ROUNDING) for value, unit in values)
    )
