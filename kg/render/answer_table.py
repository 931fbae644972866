"""The rows of a saved question as people read them: labels, names without what ids of a kind begin with, figures with units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from kg.answers.claim import bare, shown_figure, shown_value
from kg.ask.bind import is_entity_id
from kg.render.cells import text_of
from kg.render.claim_words import condition_words, hedged, subject_cell
from kg.stores.protocol import Answer, Cell

_UNITS: Final = {
    "printed": "unit",
    "value": "unit",
    "previous_value": "unit",
    "result": "canonical_unit",
    "canonical_value": "canonical_unit",
    "computed_value": "computed_unit",
    "corrected_value": "corrected_unit",
    "constant": "constant_unit",
}
"""Columns of figures, each with the column of its unit."""
_SOURCES: Final = frozenset({"source", "input_source", "other_source", "reached_source"})
"""Columns of sources: each is typed by its digits, and its name is shown once below the table."""
_SHORT: Final = frozenset({"unit", "canonical_unit", *_SOURCES})
"""Columns of ids that are read without what ids of their kind begin with: 002 is source/002."""
_NAMED: Final = frozenset(
    {
        "accelerator",
        "against",
        "asserted_by",
        "baseline",
        "benchmark",
        "division",
        "maker",
        "member_of",
        "model",
        "operator",
        "other",
        "part",
        "publisher",
        "round",
        "scenario",
        "subject",
        "submitter",
        "suite",
        "system",
        "task",
        "whole",
        "written_by",
    }
)
"""Columns of things, which people read by name."""
_RATIOS: Final = frozenset({"change", "per_accelerator", "per_system"})
"""Columns of one figure over another."""
_USUAL: Final = frozenset({("modality", "stated"), ("polarity", "affirmed")})
"""What is not shown where it is so in all rows."""
_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})
_ROOM: Final = 32
"""Characters of a label; what stands behind it in brackets is left out of a longer one."""
_FIRST_TO_GO: Final = (
    "conditions",
    "baseline_conditions",
    "said_on",
    "normaliser",
    "level",
    "task_label",
    "model_kind",
)
_KEPT: Final = frozenset({"printed", "verdict", "message", "statement", "count", *_RATIOS, *_UNITS})
_OF_RESULT: Final = frozenset({"scenario", "round", "previous_round", "division", "accelerators", "unlike"})
"""What no narrow screen leaves out, where it differs: results of two of them are no results of one benchmark, and a figure of
one accelerator reads as that of a system where their number is left out."""
_MANY: Final = 3
_ENTRY: Final = "entry"
_WORD: Final = re.compile(r"\w+")


class AnswerTable(NamedTuple):
    """Columns with their names for people, rows, what is alike in all rows, and the columns that may be left out, first to go first.

    `sources` are the sources of the rows as they are typed, each with its name; `repeated` is how many rows of other files say
    what a row says already.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    alike: tuple[tuple[str, str], ...]
    spare: tuple[str, ...]
    sources: tuple[tuple[str, str], ...] = ()
    repeated: int = 0


def ids_to_name(answer: Answer, shown: Sequence[str]) -> tuple[str, ...]:
    """The ids in a table of these columns, or of all where none are named, of which a person reads the name."""
    names = [one for one in shown or answer.columns if one in _SOURCES | _NAMED]
    places = [answer.columns.index(name) for name in names]
    cells = {str(row[place]) for row in answer.rows for place in places}
    return tuple(sorted(filter(is_entity_id, cells)))


def answer_table(
    answer: Answer,
    shown: Sequence[str],
    labels: Mapping[str, str] = _NO_NAMES,
    *,
    heads: Mapping[str, str] = _NO_NAMES,
    whole: Answer | None = None,
) -> AnswerTable:
    """A table of the columns `shown` for people, or of all where none are named; `labels` are the names of ids.

    An id gives way to the label next to it or to its name, a unit stands with its figure, and a column that says the same in
    many rows is told once. A list that gives names next to ids keeps both. Of an answer that was cut the `whole` tells what is
    alike: the first rows of a list of many submitters may be of one.
    """
    wanted = shown or answer.columns
    things = _NO_NAMES if "label" in wanted else labels
    names = [name for name in wanted if not _told_elsewhere(name, wanted, answer)]
    cells = {name: _cells(answer, name, things) for name in names}
    alike = _alike(names, cells, whole)
    kept = [name for name in names if name not in alike]
    over = {name: heads.get(name) or _head(name, kept) for name in kept}
    rows = tuple(zip(*map(cells.__getitem__, kept), strict=True))
    distinct = _distinct(rows) if _ENTRY in answer.columns else rows
    return AnswerTable(
        tuple(over[name] for name in kept),
        distinct,
        tuple(_told_once(alike, cells)),
        tuple(over[name] for name in _spare(kept)),
        () if "label" in wanted else tuple(_sources(answer, names, labels)),
        len(rows) - len(distinct),
    )


def _distinct(rows: Sequence[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    """Each row once: a result is in several files of one round, which write the name of its system with other signs."""
    found: dict[tuple[str, ...], tuple[Cell, ...]] = {}
    for row in rows:
        found.setdefault(tuple(" ".join(_WORD.findall(text_of(cell))).casefold() for cell in row), row)
    return tuple(found.values())


def _alike(names: Sequence[str], cells: Mapping[str, Sequence[Cell]], whole: Answer | None) -> list[str]:
    """The columns that are said once; never the first one: a row needs something to begin with."""
    return [name for name in names[1:] if _is_alike(name, cells[name]) and (whole is None or _is_one(name, whole))]


def _is_one(name: str, whole: Answer) -> bool:
    """Whether a column holds one thing in all rows, also in those that were cut off."""
    place = whole.columns.index(name)
    return len({row[place] for row in whole.rows}) == 1


def _head(name: str, names: Sequence[str]) -> str:
    """A column as people read it: of a figure in two forms the canonical one says so."""
    if name == "canonical_value" and not {"printed", "value"} & set(names):
        return "value"
    return name.removesuffix("_label")


def _told_once(alike: Sequence[str], cells: Mapping[str, Sequence[Cell]]) -> Iterator[tuple[str, str]]:
    """What all rows say, without what is usual."""
    for name in alike:
        value = text_of(cells[name][0])
        if (name, value) not in _USUAL:
            yield name.removesuffix("_label").replace("_", " "), value


def _sources(answer: Answer, names: Sequence[str], labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The sources of the rows by how they are typed, each once, with their names."""
    places = [answer.columns.index(name) for name in names if name in _SOURCES]
    for one in sorted({str(row[place]) for row in answer.rows for place in places if row[place] is not None}):
        if one in labels:
            yield one.partition("/")[2], labels[one]


def _told_elsewhere(name: str, names: Sequence[str], answer: Answer) -> bool:
    """Whether another column says it: a label for an id, a figure for its unit."""
    if f"{name}_label" in names:
        return True
    return any(unit == name and figure in names and figure in answer.columns for figure, unit in _UNITS.items())


def _cells(answer: Answer, name: str, labels: Mapping[str, str]) -> list[Cell]:
    place = answer.columns.index(name)
    unit = _UNITS.get(name)
    at = answer.columns.index(unit) if unit in answer.columns else None
    read = _reader(name, labels)
    if name == "subject_label":
        return [subject_cell(answer.columns, row, read(row[place])) for row in answer.rows]
    # What nobody printed is computed by a loader, and says so in place of its print.
    if name == "printed":
        computed = _printed(answer, place, at) if "canonical_value" in answer.columns else None
        figures = computed or (_with_unit(row[place], None if at is None else row[at]) for row in answer.rows)
        return [_hedged(answer, row, cell) for row, cell in zip(answer.rows, figures, strict=True)]
    if at is None:
        return [None if row[place] in (None, "unstated") else read(row[place]) for row in answer.rows]
    return [_with_unit(row[place], row[at]) for row in answer.rows]


def _hedged(answer: Answer, row: Sequence[Cell], cell: Cell) -> Cell:
    return hedged(answer.columns, row, cell) if isinstance(cell, str) else cell


def _printed(answer: Answer, place: int, unit: int | None) -> Iterator[Cell]:
    """Figures as printed; of a claim that nobody printed, since a loader computed it, the value, and that it is computed."""
    value, canonical = answer.columns.index("canonical_value"), None
    if "canonical_unit" in answer.columns:
        canonical = answer.columns.index("canonical_unit")
    for row in answer.rows:
        if row[place] is None and row[value] is not None:
            computed = _with_unit(row[value], None if canonical is None else row[canonical])
            yield f"{computed} (computed)"
        else:
            yield _with_unit(row[place], None if unit is None else row[unit])


def _reader(name: str, labels: Mapping[str, str]) -> Callable[[Cell], Cell]:
    if name.removeprefix("group_") == "metric":  # in words, which fold where a screen ends; a name would not
        return lambda cell: (bare(str(cell)) or "").replace("-", " ")
    if name.endswith("conditions"):
        return lambda cell: condition_words(str(cell)) or None
    if name in _SHORT:
        return lambda cell: str(cell).partition("/")[2] or cell
    if name == "previous_round":  # next to the round, which names the suite
        return lambda cell: str(cell).rpartition("-")[2]
    if name in _NAMED:
        return lambda cell: _shortened(labels.get(str(cell), cell))
    if name.endswith("label"):
        return _shortened
    if name in _RATIOS:
        return lambda cell: f"{cell:,.3g}x" if isinstance(cell, int | float) else cell
    return lambda cell: _with_unit(cell, None) if name in _UNITS else cell


def _shortened(cell: Cell) -> Cell:
    label = str(cell)
    return label.partition(" (")[0] if len(label) > _ROOM else cell


def _with_unit(cell: Cell, unit: Cell) -> Cell:
    """A figure as it is read: a printed one with its unit, a computed one with digits grouped."""
    if cell is None:
        return None
    name = bare(str(unit)) if unit is not None else None
    if isinstance(cell, str):
        return shown_figure(cell, name) or cell
    return shown_value(float(cell), name)


def _is_alike(name: str, cells: Sequence[Cell]) -> bool:
    """Whether a column of many rows says one thing, and is none that is read row by row."""
    if len(cells) < _MANY or name in _KEPT or name.endswith("claim"):
        return False
    return cells[0] is not None and len(set(map(str, cells))) == 1


def _spare(names: Sequence[str]) -> list[str]:
    """What a narrow screen leaves out: conditions first, then from the right; never the first two, a figure, what says of which
    benchmark it is, or the claim."""
    never = _KEPT | _OF_RESULT
    rest = [name for name in names[2:] if name not in never and name not in _FIRST_TO_GO and name != "claim"]
    last = ["claim"] if "claim" in names[1:] else []  # not left out, but put on a line of its own
    return [name for name in _FIRST_TO_GO if name in names[1:]] + rest[::-1] + last
