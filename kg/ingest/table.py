"""What every reader gives: rows as dictionaries or lists, each with where it stands."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from kg.ingest.errors import RowFault

Cells = Sequence[Any] | dict[str, Any]
Locus = Any
"""Where a row stands; `SourceTable.place` turns it and a column into the fields of an anchor."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number as shown to people, its cells, and where it stands. A broken row carries its fault."""

    number: int | str
    cells: Cells
    locus: Locus
    fault: RowFault | None = None


@dataclass(frozen=True, slots=True)
class SourceTable:
    """An opened file. With `columns`, cells are lists in that order; without, they are dictionaries."""

    columns: tuple[str, ...] | None
    rows: Iterator[Row]
    place: Callable[[Locus, str], dict[str, Any]]


Opener = AbstractContextManager[SourceTable]
