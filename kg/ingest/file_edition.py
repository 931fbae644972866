"""Which edition of its source a file is: from its name or folder, from a column, or as given with the load."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from kg.ingest.cells import as_text
from kg.ingest.compiled_mapping import CompiledEdition
from kg.ingest.compute import Compute, filled
from kg.ingest.errors import (
    NoEdition,
)
from kg.ingest.mapping import Edition as EditionSpec
from kg.ingest.mapping import EditionRule, Shape, SourceMapping
from kg.ingest.opened_file import OpenedFile


def edition_of(
    path: Path, mapping: SourceMapping, shape: Shape, opened: OpenedFile, given: str | None
) -> tuple[CompiledEdition, Callable[[Any], str | None] | None]:
    """The edition of a file, and where a column gives it, the function that reads it from every row."""
    spec = shape.edition or mapping.edition
    if given is not None and spec.kind == "snapshot":
        return CompiledEdition(given, given), None
    write = filled(spec.name)
    for rule in spec.tell:
        reader: Callable[[Any], str | None] | None = None
        if rule.how == "column":
            in_row = _edition_in_row(rule, opened)
            text = in_row(opened.first) if opened.first is not None else None
            reader = partial(_written, in_row, write)
        else:
            text = _edition_of_file(rule, path)
        if text:
            name = str(write({"edition": text}))
            # a round that is known has its own day, also where another is given for the snapshots loaded with it
            day = spec.dates.get(name) or given or (name if re.fullmatch(r"\d{4}-\d{2}-\d{2}", name) else None)
            return CompiledEdition(name, day), reader
    if given is not None:
        return CompiledEdition(given, given), None
    raise _no_edition(path, spec)


def _edition_of_file(rule: EditionRule, path: Path) -> str | None:
    """What one rule reads from the file as a whole."""
    match rule.how:
        case "constant":
            return rule.value
        case "file":
            return _found(rule.pattern, path.name)
        case "modified":
            return datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat() if path.is_file() else None
        case "path":
            return _found(rule.pattern, path.resolve().as_posix())
    return None


def _edition_in_row(rule: EditionRule, opened: OpenedFile) -> Callable[[Any], str | None]:
    """The function that reads the edition from the cells of a row."""
    cell = _cell(opened, " ".join(str(rule.column).split()))

    def read(cells: object) -> str | None:
        value = cell(cells)
        return _found(rule.pattern, as_text(value)) if value is not None else None

    return read


def _written(read: Callable[[object], str | None], write: Compute, cells: object) -> str | None:
    found = read(cells)
    return None if found is None else write({"edition": found})


_PLACES = {"file": "the name of the file", "path": "the name of the file or of a folder above it", "column": "column"}


def _no_edition(path: Path, spec: EditionSpec) -> NoEdition:
    """Says what to type: a snapshot is known by its day, a round by its name."""
    places = [f"{_PLACES[one.how]} {one.column or ''}".rstrip() for one in spec.tell if one.how in _PLACES]
    where = " or ".join(dict.fromkeys(places)) or "the mapping"
    if spec.kind == "round":
        return NoEdition(
            path=str(path),
            given="no round",
            expected=f"the round, such as {next(iter(sorted(spec.dates)), filled(spec.name)({'edition': '5.1'}))}, in {where}",
            next_step="name the file or its folder as it was published",
        )
    day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat() if path.is_file() else "2025-12-24"
    return NoEdition(
        path=str(path),
        given="no date",
        expected=f"the day of the snapshot, such as {day}, in {where}",
        next_step=f"If the file was fetched on {day}, the day it was last written here, add this to the command: --edition {day}",
    )


def _found(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text)
    if found is None:
        return None
    return found.group("edition") if "edition" in found.re.groupindex else found.group()


def _cell(opened: OpenedFile, column: str) -> Callable[[Any], Any]:
    if opened.table.columns is not None:
        at = opened.columns.index(column) if column in opened.columns else None
        return lambda cells: None if at is None else cells[at]
    return lambda cells: cells.get(column)
