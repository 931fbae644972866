"""Rows of an answer that a figure keeps: within a bound, of a number of accelerators, the newest; or in the order of their figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from kg.model.dates import DATE, is_date, span
from kg.model.verdict import NOT_TO_USE
from kg.stores.protocol import Answer, Cell

if TYPE_CHECKING:
    from kg.ask.bounds import ValueBound

FigureOrder = Literal["highest", "lowest"]


def bounded(answer: Answer, bound: ValueBound) -> Answer:
    """The rows whose figure is within a bound; a row without a canonical value is not."""
    value, unit_of = answer.columns.index("canonical_value"), _unit_reader(answer)

    def keeps(row: Sequence[Cell]) -> bool:
        unit = unit_of(row)
        return row[value] is not None and unit is not None and bound.keeps(float(str(row[value])), unit)

    return replace(answer, rows=tuple(filter(keeps, answer.rows)))


def counted(answer: Answer, bound: ValueBound, columns: Sequence[str]) -> Answer:
    """The rows whose number of accelerators is within a bound, of two systems that of both; a row that states none is not."""
    places = [answer.columns.index(name) for name in columns]

    def keeps(cell: Cell) -> bool:
        return cell is not None and bound.keeps(float(str(cell)), bound.unit)

    return replace(answer, rows=tuple(row for row in answer.rows if all(keeps(row[place]) for place in places)))


def _unit_reader(answer: Answer) -> Callable[[Sequence[Cell]], str | None]:
    """Gives the unit of the canonical value of a row; a question of figures of one kind has no other than the printed one."""
    places = [answer.columns.index(one) for one in ("canonical_unit", "unit") if one in answer.columns]
    return lambda row: next((str(row[place]).removeprefix("unit/") for place in places if row[place]), None)


def ranked(answer: Answer, order: FigureOrder, column: str) -> Answer:
    """The rows with a figure of the unit that most have, by its size; figures that must not be used come last."""
    value, unit_of = answer.columns.index(column), _unit_reader(answer)
    rows = [row for row in answer.rows if row[value] is not None]
    # figures of different units have no order: those of the unit that most rows have are ranked
    usual = next((unit for unit, _ in Counter(map(unit_of, rows)).most_common(1)), None)
    rows = [row for row in rows if unit_of(row) == usual]
    verdict = answer.columns.index("verdict") if "verdict" in answer.columns else None
    sign = -1 if order == "highest" else 1

    def rank(row: Sequence[Cell]) -> tuple[bool, float]:
        return verdict is not None and str(row[verdict]) in NOT_TO_USE, sign * float(str(row[value]))

    return replace(answer, rows=tuple(sorted(rows, key=rank)))


def newest(answer: Answer, column: str) -> Answer:
    """The rows of the newest round of each benchmark, or of the newest day; those that state neither are no newest."""
    place = answer.columns.index(column)
    editions = [edition_of(str(row[place] or "")) for row in answer.rows]
    newest: dict[str, tuple[int, ...]] = {}
    for series, version in editions:
        newest[series] = max(newest.get(series, ()), version)
    kept = (
        row for row, (series, version) in zip(answer.rows, editions, strict=True) if version == newest[series] != ()
    )
    return replace(answer, rows=tuple(kept))


def edition_of(cell: str) -> tuple[str, tuple[int, ...]]:
    """A round as its benchmark and version, a date as no benchmark and its first day.

    >>> edition_of("round/mlperf-inference-v5.1"), edition_of("2025-04-02") > edition_of("2025-Q2")
    (('round/mlperf-inference-v', (5, 1)), True)
    """
    if re.fullmatch(DATE, cell):
        return "", (span(cell)[0],) if is_date(cell) else ()
    series = cell.rstrip("0123456789.-")
    return series, tuple(int(one) for one in re.findall(r"\d+", cell[len(series) :]))
