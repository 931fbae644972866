"""A table with an attribute a row and a thing a column, as data sheets have it, read as one with a thing a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from kg.ingest import limits
from kg.ingest.errors import FileDamaged, LimitExceeded
from kg.ingest.table import Locus, Opener, Row, SourceTable
from kg.ingest.tabular import checked_columns


@contextmanager
def open_turned(path: Path, upright: Opener, *, header_line: int, repeated: str) -> Iterator[SourceTable]:
    """The columns of a table but the first as its rows; the first column gives their heads.

    A row that only has a first cell is a heading between the attributes. The whole table is held, so that it may have no more
    rows than a table has columns.
    """
    with upright as table:
        assert table.columns is not None, "only readers with a header can be turned"
        first, *things = table.columns
        rows_read = (row for row in _sound(path, table.rows) if any(map(_says, list(row.cells)[1:])))
        attributes = list(islice(rows_read, limits.COLUMNS))
        if len(attributes) == limits.COLUMNS:
            given = f"{limits.COLUMNS} rows and more to be turned"
            raise LimitExceeded(path=str(path), given=given, expected=f"fewer than {limits.COLUMNS}")
        cells = [list(row.cells) for row in attributes]
        columns = checked_columns(path, [first, *(row[0] for row in cells)], line=header_line, repeated=repeated)
        loci: dict[str, Locus] = {first: header_line} | {
            name: row.locus for name, row in zip(columns[1:], attributes, strict=True)
        }
        rows = (Row(thing, [thing, *(row[at] for row in cells)], thing) for at, thing in enumerate(things, 1))
        yield SourceTable(columns, rows, lambda locus, column: table.place(loci.get(column, header_line), locus))


def _sound(path: Path, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows as they are; one that cannot be read would be a missing cell of every thing, and ends the reading."""
    for row in rows:
        if row.fault is not None:
            raise FileDamaged(path=str(path), line=int(row.number), given=row.fault.given, expected=row.fault.expected)
        yield row


def _says(cell: object) -> bool:
    return cell is not None and str(cell).strip() != ""
