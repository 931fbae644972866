"""The values of one thing, or of two next to each other, for the metrics that a question names."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kg.answers.asking import Ask
from kg.answers.sheet import Sheet, SheetRow, specs
from kg.errors import KgError

_ROUNDING: Final = 0.02


class ValuePair(NamedTuple):
    """What to use of two things for one metric, under the same facets."""

    metric: str
    facets: str | None
    a: SheetRow
    b: SheetRow


def side_by_side(ask: Ask, a: str, b: str, metrics: Sequence[str]) -> Iterator[ValuePair]:
    """The values of both for these metrics, those alike in their facets; nothing where either has none."""
    try:
        first, second = (_values(specs(ask, name), metrics) for name in (a, b))
    except KgError:  # a name of several things has no one value
        return
    for key, row in first.items():
        if key in second:
            yield ValuePair(*key, row, second[key])


def values_of(ask: Ask, name: str, metrics: Sequence[str]) -> tuple[SheetRow, ...]:
    """What to use of one thing for these metrics; nothing where it has no one value."""
    try:
        return tuple(_values(specs(ask, name), metrics).values())
    except KgError:  # a name of several things has no one value
        return ()


def _values(sheet: Sheet, metrics: Sequence[str]) -> dict[tuple[str, str | None], SheetRow]:
    """The rows with one figure at the level of the thing itself; variants of a family may differ, and then none is its value."""
    return {
        (row.metric, row.facets): row
        for row in reversed(sheet.rows)
        if row.metric in metrics and row.level == sheet.level and row.value is not None and _is_one(row)
    }


def _is_one(row: SheetRow) -> bool:
    """Whether the values that are not refuted say the same, up to rounding."""
    return row.low is not None and row.high is not None and row.high - row.low <= _ROUNDING * abs(row.high)
