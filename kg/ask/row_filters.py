"""Filters of rows that words name and no parameter takes: one thing with what its name covers, a span of dates.

They apply to the rows of an answer, so that every saved question with such a column has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.ask.id_names import AskIds, ids_named, metric_called
from kg.ask.question import Question
from kg.stores.protocol import Answer, Cell

_THINGS: Final = ("subject", "accelerator", "thing", "system", "baseline", "other", "part", "whole", "against")
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "model": ("model", "subject", "baseline"),
    "org": ("asserted_by", "submitter", "publisher", "operator", "subject"),
    "source": ("source",),
    "metric": ("metric",),
    "scenario": ("scenario",),
    "round": ("round",),
    "task": ("task",),
    "benchmark": ("benchmark",),
    "precision": ("precision",),
}
"""By the kind of a thing the columns that may hold it; hardware is in those of `_THINGS`."""
_DATES: Final = ("said_on", "published")


@dataclass(frozen=True, slots=True)
class RowFilter:
    """What rows are kept: those about a thing, or of a span of dates."""

    name: str = ""
    """The thing, as it is named."""
    kinds: frozenset[str] = frozenset()
    since: str = ""
    until: str = ""
    """Dates as they are written, whole or a part: "2024" until means to its end."""

    @property
    def options(self) -> tuple[str, ...]:
        """The options that ask for it."""
        given = (("--only", self.name), ("--since", self.since), ("--until", self.until))
        return tuple(word for option, value in given if value for word in (option, value))

    def columns(self, question: Question) -> tuple[str, ...]:
        """The columns of a question that it looks at; none where the question cannot be narrowed by it."""
        wanted = _DATES if not self.name else tuple(dict.fromkeys(one for kind in self.kinds for one in _of_kind(kind)))
        return tuple(one for one in wanted if one in question.column_names)


def _of_kind(kind: str) -> tuple[str, ...]:
    return _COLUMNS.get(kind, _THINGS)


def named_filter(ask: AskIds, name: str) -> RowFilter:
    """The filter of a name or id; raises `ValueRefused` with names like it where nothing has it."""
    if (metric := metric_called(ask, name)) is not None:
        return RowFilter(metric, frozenset({"metric"}))
    rows = list(ask("names/resolve", thing=[name]).dicts())
    ids = [str(row["entity"]) for row in rows] or list(ids_named(ask, name, kind="", field="--only"))
    return RowFilter(name, frozenset(one.partition("/")[0] for one in ids))


def filtered(ask: AskIds, question: Question, answer: Answer, filters: Sequence[RowFilter]) -> Answer:
    """The rows that all filters keep."""
    for one in filters:
        keeps = _test(ask, one)
        places = [answer.columns.index(name) for name in one.columns(question)]
        rows = tuple(row for row in answer.rows if any(keeps(row[place]) for place in places))
        answer = replace(answer, rows=rows)
    return answer


def _test(ask: AskIds, wanted: RowFilter) -> Callable[[Cell], bool]:
    """Whether a cell is what a filter keeps."""
    if wanted.kinds == {"metric"}:
        return lambda cell: str(cell).removeprefix("metric/") == wanted.name
    if wanted.name:
        ids = {str(row["entity"]) for row in ask("names/resolve", thing=[wanted.name]).dicts()} | {wanted.name}
        return lambda cell: str(cell) in ids
    since, until = wanted.since, wanted.until
    return lambda cell: (
        cell is not None and str(cell)[: len(since)] >= since and (not until or str(cell)[: len(until)] <= until)
    )
