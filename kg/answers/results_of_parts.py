"""Published results asked of a system: they are of the accelerators in it, and of how many of them a rack has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.answers.asking import Asker, text
from kg.ask.row_filters import RowFilter, accelerators_filter

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.ask.question_fit import WordReading

_OF_RESULTS: Final = "benchmarks"
"""The topic of the questions whose rows are results of accelerators."""


class _Inside(NamedTuple):
    """The one kind of accelerator in a system, and how many there are."""

    accelerator: str
    label: str
    count: int


def of_accelerators_inside(ask: Ask, reading: WordReading) -> Iterator[WordReading]:
    """A reading with each system that it names replaced by the accelerators in it, first by the number that the system has of
    them, then by any; each says what it was taken for. None where no system is named, or one of which that is not known.
    """
    if reading.question.topic != _OF_RESULTS:
        return
    names = {one.name for one in reading.filters if one.is_thing}
    names |= {str(reading.values[one.name]) for one in reading.question.parameters if _is_name(reading, one.name)}
    inside = {name: found for name in sorted(names) if (found := _inside(Asker(ask), name)) is not None}
    if not inside:
        return
    values = {name: _replaced(value, inside) for name, value in reading.values.items()}
    filters = tuple(_of_accelerator(one, inside) for one in reading.filters)
    taken = replace(reading, values=values, filters=filters)
    counts = {one.count for one in inside.values()}
    numbered = accelerators_filter(str(counts.pop())) if len(counts) == 1 else None
    if numbered is not None and numbered.columns(reading.question):
        of_number = tuple(f"{name}: results of {one.count:,} {one.label}" for name, one in inside.items())
        yield replace(taken, filters=(*filters, numbered), instead=of_number)
    of_any = "results are of its accelerators"
    yield replace(
        taken,
        instead=tuple(f"{name}: {of_any}, of which it has {one.count:,}: {one.label}" for name, one in inside.items()),
    )


def _is_name(reading: WordReading, parameter: str) -> bool:
    known = {one.name: one.base_type for one in reading.question.parameters}
    return known[parameter] == "name" and isinstance(reading.values.get(parameter), str)


def _replaced(value: object, inside: Mapping[str, _Inside]) -> object:
    return inside[value].accelerator if isinstance(value, str) and value in inside else value


def _of_accelerator(wanted: RowFilter, inside: Mapping[str, _Inside]) -> RowFilter:
    if not wanted.is_thing or wanted.name not in inside:
        return wanted
    return RowFilter(inside[wanted.name].accelerator, frozenset({"accelerator"}))


def _inside(asker: Asker, name: str) -> _Inside | None:
    """The accelerators of the system of a name; None of anything else, or of one of several kinds or numbers of them."""
    named = {text(row, "entity") for row in asker.rows("names/resolve", thing=[name]) if row["match"] == "named"}
    found = {
        _Inside(part, text(row, "part_label").partition(" (")[0], int(str(row["count"])))
        for row in asker.rows("systems/parts", thing=name)
        if row["count"] is not None
        and text(row, "whole") in named
        and (part := text(row, "part")).startswith("accelerator/")
    }
    return found.pop() if len(found) == 1 else None
