"""The tables as CSV files, with cells that no spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kg.export.spreadsheet_cells import neutral
from kg.export.table_rows import rows_of
from kg.export.tables import TABLES, Cell

_AT_ONCE: Final = 64
"""Rows of a table that are written together."""


def csv_files(records: Iterable[Mapping[str, object]]) -> Iterator[tuple[str, bytes]]:
    """All tables as CSV files (RFC 4180, UTF-8): pairs of a file name and a piece of it, headers first."""
    waiting: dict[str, list[Sequence[Cell]]] = {}
    for name, table in TABLES.items():
        yield f"{name}.csv", _written([[one.name for one in table.columns]])
        waiting[name] = []
    for record in records:
        for name, cells in rows_of(record):
            rows = waiting[name]
            rows.append(_shown(cells))
            if len(rows) >= _AT_ONCE:
                yield f"{name}.csv", _written(rows)
                rows.clear()
    for name, rows in waiting.items():
        if rows:
            yield f"{name}.csv", _written(rows)


def _shown(cells: Sequence[Cell]) -> list[Cell]:
    """Texts are made neutral; numbers and truth values cannot start a formula.

    Most cells are empty, numbers, or start with a letter of English, and then with no sign of a formula.
    """
    return [
        one if one is None or type(one) is str and "A" <= one < "{" and "\x00" not in one else _one_shown(one)
        for one in cells
    ]


def _one_shown(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return neutral(cell)
    return ("true" if cell else "false") if isinstance(cell, bool) else cell


def _written(rows: Sequence[Sequence[Cell]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
