"""Which files a mapping takes, and which of its shapes fits the columns of each."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kg.content.located import YamlError
from kg.errors import KgError, Mistakes
from kg.ingest.compiled_mapping import key_columns
from kg.ingest.decode import Watch
from kg.ingest.errors import (
    FileDamaged,
    FileMissing,
    LimitExceeded,
    NoShape,
    WrongColumns,
)
from kg.ingest.mapping import Shape, SourceMapping
from kg.ingest.mapping_reader import Detect
from kg.ingest.readers import open_table
from kg.ingest.table import Row, SourceTable
from kg.model.special_file import is_special

_MOST_BROKEN: Final = 1000
"""Rows looked at for one that is sound, which shows the keys of a file without a header."""


def files_of(paths: list[Path], mapping: SourceMapping) -> tuple[list[Path], list[Path]]:
    """The files that paths name, and those of folders that no shape takes by name."""
    found: list[Path] = []
    passed: list[Path] = []
    for path in paths:
        if path.is_dir():
            for one in sorted(path.rglob("*")):
                if one.is_file() and not one.name.startswith("."):
                    (found if any(is_named(one, shape.detect) for shape in mapping.shapes.values()) else passed).append(
                        one
                    )
        elif (special := is_special(path)) or not path.is_file():
            given = "a pipe or a device" if special else "no such file or folder"
            raise FileMissing(path=str(path), given=given, expected="a file to load")
        else:
            found.append(path)
    return found, passed


def is_named(path: Path, detect: Detect) -> bool:
    """Whether a shape takes a file by its name."""
    globs = [detect.file] if isinstance(detect.file, str) else detect.file
    return any(
        fnmatch(path.name.lower(), one.lower()) or fnmatch(path.as_posix().lower(), f"*/{one.lower()}") for one in globs
    )


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file with the shape that fits it, its table, and its columns."""

    shape: str
    table: SourceTable
    columns: tuple[str, ...]
    rows: Iterator[Row]
    first: Any


def open_shape(path: Path, mapping: SourceMapping, stack: ExitStack, watch: Watch | None = None) -> OpenedFile:
    """Open a file with the first shape that fits; shapes whose file name fits go first."""
    order = sorted(mapping.shapes, key=lambda name: not is_named(path, mapping.shapes[name].detect))
    failed: list[tuple[str, KgError]] = []
    looked: list[str] = []
    opened_named = False
    for name in order:
        shape = mapping.shapes[name]
        # a shape that only its file name tells is not tried on a file of another name
        if not is_named(path, shape.detect) and len(mapping.shapes) > 1 and not shape.detect.has:
            continue
        with ExitStack() as trial:
            try:
                opened = _opened(name, trial.enter_context(open_table(path, shape.reader, watch)))
            except (FileDamaged, LimitExceeded, WrongColumns, YamlError, Mistakes) as error:
                failed.append((name, error))
                continue
            unfit = _unfit(opened.columns, shape)
            if unfit is None:
                # the file stays open: closing it is now for the caller's stack
                stack.push(trial.pop_all())
                return opened
            opened_named = opened_named or is_named(path, shape.detect)
            looked.append(f"{name} {unfit}")
    named = [error for name, error in failed if is_named(path, mapping.shapes[name].detect)]
    if named and not opened_named:
        # the file has the name of this shape: what is wrong inside says more than that no shape fits
        raise named[0]
    raise NoShape(
        path=str(path),
        given="; ".join(looked)[:300] or str(failed[0][1].given if failed else "no shape by this name"),
        expected=", ".join(f"{name} ({shape.about})" for name, shape in mapping.shapes.items())[:500],
        next_step="kg load --list shows the shapes of every source",
    )


def _opened(name: str, table: SourceTable) -> OpenedFile:
    """A table with its columns, which a table without a header shows in its first sound row only."""
    begun: list[Row] = []
    sound = None
    while sound is None and len(begun) < _MOST_BROKEN and (row := next(table.rows, None)) is not None:
        begun.append(row)
        sound = row if row.fault is None else None
    columns = key_columns(table, sound.cells if sound is not None else {})
    rows = chain(begun, table.rows)
    return OpenedFile(name, table, columns, rows, sound.cells if sound is not None else None)


def _unfit(columns: Collection[str], shape: Shape) -> str | None:
    """Why a table is not of a shape, or nothing."""
    lacking = [one for one in shape.detect.has if not any(name in columns for name in _also(one, shape))]
    if lacking:
        return f"lacks {', '.join(lacking[:4])}"
    return "has what it should not" if any(one in columns for one in shape.detect.lacks) else None


def _also(column: str, shape: Shape) -> tuple[str, ...]:
    """A column with its other names."""
    spec = shape.columns.get(column)
    return (column, *([] if spec is None or isinstance(spec, str) else spec.aliases))
