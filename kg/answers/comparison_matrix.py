"""What is specified of two things, metric by metric: the value of each, and their ratio where both may be used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from kg.answers.asking import Ask, plain
from kg.answers.sheet import Sheet, UnknownThing, specs
from kg.answers.sheet_rows import SheetRow
from kg.model.columns import columns, table_of
from kg.model.result import Table, brief
from kg.model.verdict import NOT_TO_USE, Verdict, joint_verdict

_COLUMNS: Final = columns(
    "metric facets level_a=level level_b=other_level a=a.value verdict_a=a.verdict b=b.value verdict_b=b.verdict ratio"
)


class MatrixRow(NamedTuple):
    """One metric under the same facets; `ratio` is A over B, of the values to go by, None where one must not be used."""

    metric: str
    facets: str | None
    level: str
    other_level: str
    a: SheetRow
    b: SheetRow
    ratio: float | None
    verdict: Verdict

    @property
    def is_like(self) -> bool:
        """Whether both values are of one level: a rack over a chip is no ratio of a chip."""
        return self.level == self.other_level


@brief
class ComparisonMatrix(NamedTuple):
    """The metrics that both have, like levels first and in the order of a data sheet, and how many only one of them has."""

    a: str
    b: str
    rows: tuple[MatrixRow, ...]
    only_a: int
    only_b: int
    questions: tuple[str, ...]

    def alike(self, metrics: Collection[str] = ()) -> tuple[MatrixRow, ...]:
        """The rows whose values are of one level, of these metrics or of all."""
        return tuple(one for one in self.rows if one.is_like and (not metrics or one.metric in metrics))

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        return dict(plain(self))

    def table(self) -> Table:
        """One row a metric."""
        return table_of(_COLUMNS, self.rows)


def comparison_matrix(ask: Ask, a: str, b: str) -> ComparisonMatrix:
    """The specifications of A next to those of B; a name that means no single thing has none."""
    first, second = _sheet(ask, a), _sheet(ask, b)
    mine, theirs = (() if one is None else one.rows for one in (first, second))
    rows = sorted(_pairs(mine, theirs), key=lambda one: not one.is_like)
    met = {(one.metric, one.facets) for one in rows}
    only = [len({(one.metric, one.facets) for one in side} - met) for side in (mine, theirs)]
    used = tuple(dict.fromkeys(name for one in (first, second) if one is not None for name in one.questions))
    return ComparisonMatrix(a, b, tuple(rows), only[0], only[1], used)


def _sheet(ask: Ask, name: str) -> Sheet | None:
    try:
        found = specs(ask, name)
    except UnknownThing:
        return None
    return found if found.kind == "entity" else None


def _pairs(mine: Sequence[SheetRow], theirs: Sequence[SheetRow]) -> Iterator[MatrixRow]:
    """Rows of the same metric and facets at one level; where no level is common, the first of each."""
    keys = dict.fromkeys((one.metric, one.facets) for one in mine)
    for metric, facets in keys:
        # read from the end, so that of several rows of one level the first stays in the dictionary
        of_a = {one.level: one for one in reversed(mine) if (one.metric, one.facets) == (metric, facets)}
        of_b = {one.level: one for one in reversed(theirs) if (one.metric, one.facets) == (metric, facets)}
        common = [level for level in of_a if level in of_b]
        pairs = [(of_a[level], of_b[level]) for level in common]
        if not pairs and of_a and of_b:
            # filled from the end, a dictionary has the first row of the sheet as its last value
            pairs = [(list(of_a.values())[-1], list(of_b.values())[-1])]
        for one, other in pairs:
            yield MatrixRow(
                metric,
                facets,
                one.level,
                other.level,
                one,
                other,
                _ratio(one, other),
                joint_verdict((one.verdict, other.verdict)),
            )


def _ratio(one: SheetRow, other: SheetRow) -> float | None:
    """A over B where each has one value that may be used, in one unit, at one level."""
    if {one.verdict, other.verdict} & NOT_TO_USE or one.level != other.level or one.unit != other.unit:
        return None
    if one.low is None or one.low != one.high or other.low is None or other.low != other.high or not other.low:
        return None
    return one.low / other.low
