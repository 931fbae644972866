"""Published results of which there are none as they were asked for: what is read of the same thing instead, and says so.

Results of a system are of the accelerators in it, and of how many of them a rack has. Those of a model may be open ones, of
another model that was run on its task.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.answers.asking import Asker, text
from kg.answers.show import has_results_of
from kg.ask.row_filters import RowFilter, accelerators_filter

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.ask.question import Question
    from kg.ask.question_fit import WordReading
    from kg.stores.protocol import Answer

    Rows = Callable[[Question, Mapping[str, object], Sequence[RowFilter]], Answer]

_OF_RESULTS: Final = "benchmarks"
"""The topic of the questions whose rows are results of accelerators."""


_MEASURED: Final = "benchmarks/measured"
_RATES: Final = frozenset({_MEASURED, "benchmarks/best"})
_OPEN: Final = RowFilter("division/open", frozenset({"division"}))
_SAME: Final = frozenset({"round", "scenario"})
"""What the results of a task are narrowed to as those of its model were."""
# meets the last word of "gb300 nvl72": a rack is named after the number of its accelerators
_NUMBER_IN_NAME: Final = re.compile(r"\bnvl ?(\d+)$", re.IGNORECASE)


class _Inside(NamedTuple):
    """The one kind of accelerator in a system, and how many there are."""

    accelerator: str
    label: str
    number: int | None


def readings_instead(
    ask: Ask, questions: Mapping[str, Question], reading: WordReading, rows: Rows
) -> Iterator[WordReading]:
    """What a reading of results that has no rows is read as, what is nearest first."""
    yield from of_accelerators_inside(ask, reading)
    yield from of_task(ask, questions, reading, rows)


def of_task(ask: Ask, questions: Mapping[str, Question], reading: WordReading, rows: Rows) -> Iterator[WordReading]:
    """The results of the tasks of a model, which submitters of the open division may run on another model: each is named."""
    given, measured = reading.values.get("model"), questions.get(_MEASURED)
    models = set(given) if isinstance(given, tuple) else {given}
    if reading.question.name not in _RATES or given is None or measured is None:
        return
    tasks = tuple(sorted(str(row["task"]) for row in ask("benchmarks/tasks").dicts() if row["model"] in models))
    if not tasks:
        return
    values = {name: one for name, one in reading.values.items() if name in _SAME} | {"task": tasks}
    filters = (*(one for one in reading.filters if one.columns(measured)), _OPEN)
    found = list(rows(measured, values, filters).dicts())
    if found:
        run = ", ".join(sorted({str(row["model"]) for row in found}))
        asked = ", ".join(sorted(map(str, models)))
        line = f"no such result is of {asked}; of its task there are open ones, run on {run}"
        yield replace(reading, question=measured, values=values, filters=filters, instead=(line,))


def of_accelerators_inside(ask: Ask, reading: WordReading) -> Iterator[WordReading]:
    """A reading with each system that it names replaced by the accelerators in it, first by the number that the system has of
    them, then by any; each says what it was taken for. None where no system is named, or one of which that is not known.
    """
    if reading.question.topic != _OF_RESULTS:
        return
    inside = {name: found for name in _named(reading) if (found := _inside(Asker(ask), name)) is not None}
    if not inside:
        return
    values = {name: _replaced(value, inside) for name, value in reading.values.items()}
    filters = tuple(_of_accelerator(one, inside) for one in reading.filters)
    taken = replace(reading, values=values, filters=filters)
    numbers = {one.number for one in inside.values()}
    number = numbers.pop() if len(numbers) == 1 else None
    if number is not None and (numbered := accelerators_filter(str(number))).columns(reading.question):
        of_number = tuple(f"{name}: results of {number:,} {one.label}" for name, one in inside.items())
        yield replace(taken, filters=(*filters, numbered), instead=of_number)
    of_any = "no result says that it is of one; these are of any number of its accelerators"
    yield replace(taken, instead=tuple(f"{name}: {of_any}, {one.label}" for name, one in inside.items()))


def _named(reading: WordReading) -> list[str]:
    """The things that a reading names, be it as a value or to narrow the rows."""
    parameters = {one.name for one in reading.question.parameters if one.base_type == "name"}
    given = {value for name, value in reading.values.items() if name in parameters and isinstance(value, str)}
    return sorted(given | {one.name for one in reading.filters if one.is_thing})


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
    if found:
        return found.pop() if len(found) == 1 else None
    links = (row for thing in sorted(named) for row in asker.rows("entities/links", thing=thing))
    linked = {
        (part, text(row, "label").partition(" (")[0])
        for row in links
        if has_results_of(text(row, "link"), part := text(row, "other"))
    }
    if len(linked) != 1:
        return None
    printed = _NUMBER_IN_NAME.search(name)
    return _Inside(*linked.pop(), int(printed[1]) if printed else None)
