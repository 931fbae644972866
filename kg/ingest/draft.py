"""A mapping to correct, drafted from a table: which column names the chip, which columns are figures, of which metric and unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from json import dumps
from pathlib import Path
from typing import Final, NamedTuple

from kg.content.vocabulary import Vocabulary
from kg.errors import UsageError
from kg.ingest.draft_columns import DraftColumn, IdsNamed, draft_column, names_hardware
from kg.ingest.mapping_reader import CsvReader, Reader, XlsxReader
from kg.ingest.readers import open_table, reader_for

_ROWS: Final = 50
"""Rows looked at: enough to tell a column of figures from one of words."""
_COUNT: Final = "accelerators-used"
_CONDITIONS: Final = ("model", "precision")
_HOST_MEMORY: Final = re.compile(r"\b(?:ram|host memory|system memory)\b", re.IGNORECASE)
_KINDS: Final = ("specification", "measurement", "price")
_MEASURED: Final = frozenset(
    {
        "throughput",
        "training-throughput",
        "training-speed",
        "training-time",
        "latency",
        "time-per-output-token",
        "mfu",
        "utilisation",
        "energy-per-token",
    }
)
"""Metrics of what was run; the others are of data sheets."""
_GUESSED: Final = "  # CORRECT: the head names no unit, this one is the usual"


class _Draft(NamedTuple):
    """What each column of a table is taken for."""

    columns: Sequence[DraftColumn]
    name: DraftColumn
    figures: Sequence[DraftColumn]
    conditions: Sequence[DraftColumn]
    """Columns that name the model or the precision of a measurement."""
    chips: DraftColumn | None
    """The column of how many accelerators a row is about: its figures are then of all of them."""

    @property
    def key(self) -> str:
        """The fields that tell rows apart."""
        return ", ".join(one.field for one in (self.name, *self.conditions))


def draft_mapping(path: Path, vocabulary: Vocabulary, ids_named: IdsNamed) -> str:
    """The draft as YAML; a table without a column of names that are known is refused, since claims need a subject."""
    reader = reader_for(path)
    columns = _columns(path, reader, vocabulary, ids_named)
    name = _name(columns)
    may_turn = (name is None or not name.hardware) and isinstance(reader, CsvReader | XlsxReader)
    # a chip a column: only then is the whole table read
    if may_turn and any(names_hardware(one.head, ids_named) for one in columns):
        reader = reader.model_copy(update={"turned": True})
        columns = _columns(path, reader, vocabulary, ids_named)
        name = _name(columns)
    if name is None or not name.names:
        raise UsageError(
            "has no column whose cells name a thing that is known.",
            given=path.name,
            expected="a column, or heads, with names such as H100 SXM or MI300X",
            next_step="kg find NAME shows which names are known; loaders/README.md describes a mapping by hand",
        )
    return "\n".join(_lines(path, reader, _drafted(columns, name))) + "\n"


def _name(columns: Sequence[DraftColumn]) -> DraftColumn | None:
    """The column that most likely names what the rows are about: makers are known names too, and more often so than new chips."""
    return max(columns, key=lambda one: (one.hardware, one.names), default=None)


def _drafted(columns: Sequence[DraftColumn], name: DraftColumn) -> _Draft:
    """What each column is taken for."""
    chips = next((one for one in columns if one.metric == _COUNT), None)
    # of an instance with processors the memory without more words is theirs
    has_host = any("cpu" in one.head.casefold() for one in columns)
    host = [one for one in columns if has_host and _HOST_MEMORY.search(one.head.replace("_", " "))]
    figures = [one for one in columns if one.metric is not None and one not in (name, chips, *host)]
    conditions = [one for one in columns if one.kind in _CONDITIONS and one is not name]
    return _Draft(columns, name, figures, conditions, chips)


def _columns(path: Path, reader: Reader, vocabulary: Vocabulary, ids_named: IdsNamed) -> list[DraftColumn]:
    with open_table(path, reader) as table:
        rows = [row.cells for row in islice(table.rows, _ROWS) if row.fault is None]
        heads = list(table.columns or dict.fromkeys(key for row in rows if isinstance(row, dict) for key in row))
    taken: set[str] = set()
    found = []
    for number, head in enumerate(heads):
        cells = [row.get(head) if isinstance(row, dict) else row[number] for row in rows]
        texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
        found.append(draft_column(head, _field(head, taken), texts, vocabulary, ids_named))
    return found


def _field(head: str, taken: set[str]) -> str:
    """The name of the field of a column, which no other has."""
    field = re.sub(r"[^a-z0-9]+", "_", head.lower()).strip("_") or "column"
    field = f"c_{field}" if field[0].isdigit() else field
    while field in taken:
        field += "_2"
    taken.add(field)
    return field


def _lines(path: Path, reader: Reader, draft: _Draft) -> Iterator[str]:
    name = draft.name
    slug = re.sub(r"[^a-z0-9]+", "-", path.name.lower().split(".")[0]).strip("-") or "table"
    yield f"# Drafted from {path.name}: correct what is marked with CORRECT, then try it with"
    yield f"# kg load table {path.name} --mapping THIS-FILE --dry-run; loaders/README.md says what each key may hold."
    yield f"title: {dumps(f'Table {path.name}')}  # CORRECT: what it is"
    yield f"publisher: {{id: org/{slug}-publisher, label: {dumps(f'publisher of {path.name}')}}}  # CORRECT: who published it"
    yield "licence: unknown  # CORRECT"
    yield f"citation: {dumps(f'{path.name}, {{edition}}')}  # CORRECT"
    yield "url: unknown  # CORRECT: where it lies, without https://"
    yield "edition: {kind: snapshot, from: [{how: modified}]}  # CORRECT: from a date in the file name or a column, where there is one"
    yield f"source: {slug}"
    yield f"source_label: {dumps(path.name)}"
    yield "shapes:"
    yield "  table:"
    yield "    about: one row a thing"
    yield f"    detect: {{file: '*', has: [{dumps(name.head)}]}}"
    yield f"    reader: {{format: {reader.format}{', turned: true' if getattr(reader, 'turned', False) else ''}}}"
    yield "    columns:"
    for column in draft.columns:
        yield f"      {dumps(column.head)}: {_column_text(column, draft)}"
    yield "    unknown_columns: list"
    if priced := [column for column in draft.figures if column.period is not None]:
        yield "fields:"
        for column in priced:
            yield f"  {column.field}_rate: {{how: text, text: {dumps(f'{{{column.field}_unit}}/{column.period}')}}}"
    yield f"key: [{draft.key}]  # CORRECT: what makes a row unique, where one thing has several"
    yield "entities:"
    yield f"  {_entity(name)}: {{how: resolve, of: {name.field}, kind: {name.kind}, context: {{column: {dumps(name.head)}}}}}  # CORRECT: accelerator or system"
    for column in draft.conditions:
        yield f"  {column.field}_id: {{how: resolve, of: {column.field}, kind: {column.kind}}}"
    yield (
        "claims:"
        if draft.figures
        else "claims: {}  # CORRECT: no column has a figure with a unit and a metric that are known"
    )
    for column in draft.figures:
        yield from _claim(column, draft)


def _column_text(column: DraftColumn, draft: _Draft) -> str:
    if column is draft.name:
        return f"{{as: {column.field}, needed: true}}"
    if column is draft.chips:
        return f"{{as: {column.field}, type: integer}}"
    if column in draft.conditions:
        return f"{{as: {column.field}}}"
    if column in draft.figures and column.has_units:
        return f"{{as: {column.field}, type: quantity}}"
    if column in draft.figures:
        marked = _GUESSED if column.is_guessed else ""
        return f"{{as: {column.field}, type: number, unit: {dumps(column.unit)}}}{marked}"
    if column.is_number:
        missing = "its head names no unit"
        if column.unit is not None:
            missing = "no metric is like its head" if column.metric is None else "probably that of the host"
        return f"{{why: {dumps(f'not read: {missing}')}}}  # CORRECT"
    if column.unread is not None:
        return f"{{why: {dumps(f'not read: {column.unread[:40]} is no figure with a unit alone')}}}  # CORRECT: a rule of `fields` can cut the figure out"
    return "{why: not read}  # CORRECT: or a condition"


def _claim(column: DraftColumn, draft: _Draft) -> Iterator[str]:
    name, kind = draft.name, _kind(column)
    # what is measured or paid is so for all accelerators of the row; what is specified is so for each
    of_all = draft.chips is not None and kind != "specification"
    others = ", ".join(one for one in _KINDS if one != kind)
    yield f"  {column.field.replace('_', '-')}:"
    yield f"    about: {dumps(column.head)}"
    yield f"    kind: {kind}  # CORRECT: or {others}"
    yield f"    subject: ${_entity(name)}"
    yield f"    subject_printed: ${name.field}"
    yield f"    metric: {column.metric}"
    yield f"    normaliser: {'total' if of_all or name.kind == 'system' else 'per-chip'}  # CORRECT: per-chip, total or per-node"
    yield f"    value: ${column.field}"
    yield f"    unit: {_unit_text(column)}"
    stated = list(column.conditions)
    if kind == "measurement":
        stated += [(one.kind, f"${one.field}_id") for one in draft.conditions]
    if of_all and draft.chips is not None:
        stated.append(("accelerators", f"${draft.chips.field}"))
    if stated:
        yield f"    conditions: {{{', '.join(f'{key}: {value}' for key, value in dict(stated).items())}}}"


def _kind(column: DraftColumn) -> str:
    """The kind of claim that a figure of this metric most often is."""
    metric = column.metric or ""
    if metric.endswith("-price"):
        return "price"
    return "measurement" if metric in _MEASURED else "specification"


def _entity(name: DraftColumn) -> str:
    """The name of what the cells are resolved to, which the field of the cells may bear already."""
    return "chip" if name.field != "chip" else "chip_id"


def _unit_text(column: DraftColumn) -> str:
    """The unit of a claim: that of the cell, where cells have one each."""
    if column.has_units:
        return f"${column.field}_{'unit' if column.period is None else 'rate'}"
    return f"{dumps(column.unit)}{_GUESSED if column.is_guessed else ''}"
