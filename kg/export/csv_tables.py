"""The tables as CSV files, with cells that no spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kg.export.table_rows import rows_of
from kg.export.tables import TABLES, Cell

_AT_ONCE: Final = 64
"""Rows of a table that are written together."""
# What spreadsheets take for the start of a formula (OWASP, "CSV injection"), and the apostrophe
# itself, so that taking one away is always right.
_STEERING: Final = frozenset("=+-@\t\r\n'")


def neutral(text: str) -> str:
    r"""A text cell that no spreadsheet takes for a formula: an apostrophe goes before the signs that start one.

    An apostrophe at the start gets another one, so that taking one away always gives the text back.

    >>> neutral("=1+1"), neutral("-3 %"), neutral("'a"), neutral("a=b")
    ("'=1+1", "'-3 %", "''a", 'a=b')
    """
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return "'" + text if text[:1] in _STEERING and text else text


def original(text: str) -> str:
    """What a text cell was before it was made neutral.

    >>> original(neutral("=1+1")), original(neutral("'a")), original("b")
    ('=1+1', "'a", 'b')
    """
    return text.removeprefix("'")


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

    Most cells are empty, numbers, or start with a letter, which every sign of a formula sorts before.
    """
    return [
        one if one is None or type(one) is str and one >= "A" and "\x00" not in one else _one_shown(one)
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
