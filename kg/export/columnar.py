"""The tables of the records for columnar engines: Parquet files and a DuckDB database, sorted by their keys.

Records come sorted and go to DuckDB in small batches; it writes both forms, and needs little memory however large the
store. Beside the tables of the CSV export there are `chains`, one row a hop of the way from a claim to where its figure
was first stated, and `specs`, one row a thing and one column a metric.
"""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kg.errors import UsageError
from kg.export.exchange import Progress, Records, silent
from kg.export.part import EVERYTHING, Selection
from kg.export.specs import SpecTable
from kg.export.table_rows import Row, rows_of
from kg.export.tables import TABLES, Cell, ExportTable, TableColumn
from kg.stores.temporary import temporary_folder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from kg.ask.opened import Opened

_AT_ONCE: Final = 1024
"""Rows of a table that go over together."""
_GROUP: Final = 8 * _AT_ONCE
"""Rows of a group of a Parquet file, which is held while it is written."""
_MEGABYTES: Final = 64
"""What the engine may hold, besides an eighth of a megabyte for each column of `specs`, of which every one takes a block."""
_PIECE: Final = 1 << 20
_TYPES: Final = {"string": "VARCHAR", "number": "DOUBLE", "integer": "BIGINT", "boolean": "BOOLEAN"}
_SMALL_BLOCK: Final = 1 << 14
"""Bytes of a block of a part: with the usual 256 KiB each small table takes one, and every part is as large as any other."""
SPECS: Final = "specs"
_CHAINS: Final = ExportTable(
    "chains",
    "the way of a claim from source to source, one hop a row",
    (
        TableColumn("claim", refers=("claims", "id")),
        TableColumn("hop", "integer", "from 1"),
        TableColumn("reaches", about="a claim or a source"),
        TableColumn("is_claim", "boolean"),
        TableColumn("via", about="what joins the hop: a restatement, a citation, a computation"),
        TableColumn("fidelity"),
        TableColumn("end_state", about="how the way ends; on its last hop only"),
    ),
    ("claim", "hop", "reaches"),
)


def duckdb_tables() -> dict[str, ExportTable]:
    """The tables by name whose columns are known beforehand; those of `specs` follow from the claims."""
    return {**TABLES, _CHAINS.name: _CHAINS}


@contextmanager
def database(path: Path | None = None, *, block: int | None = None) -> "Iterator[DuckDBPyConnection]":
    """A DuckDB database to write, in memory where no file is named; with blocks of `block` bytes."""
    try:
        import duckdb
        import pyarrow  # noqa: F401 - rows go over as columns
    except ModuleNotFoundError as cause:
        raise UsageError(
            given=f"no {cause.name}",
            expected="the tables extra",
            next_step="pip install 'accelkg[tables]'",
        ) from cause
    if path is not None and "?" in str(path):  # the engine takes what is behind it for options of its own
        raise UsageError(
            path=str(path), given="a ? in the path", expected="a path without one for the tables of DuckDB"
        )
    try:
        # One thread: each would hold blocks of its own out of the same memory.
        given: dict[str, str | bool | int | float | list[str]] = {"memory_limit": f"{_MEGABYTES}MB", "threads": 1}
        if block is not None:
            given["default_block_size"] = str(block)
        connection = duckdb.connect(str(path) if path else ":memory:", config=given)
        try:
            yield connection
            connection.execute("CHECKPOINT")  # closing does the same, and keeps to itself what goes wrong
        finally:
            connection.close()
    except duckdb.Error as cause:
        # The error of the engine has no number: a full disk is recognised by the words of the system in
        # it.
        if os.strerror(errno.ENOSPC) not in str(cause):
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), None if path is None else str(path)) from cause


def write_tables(
    connection: "DuckDBPyConnection", graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING
) -> None:
    """Make all tables and fill them, each sorted by its key."""
    for table in duckdb_tables().values():
        columns = ", ".join(f'"{column.name}" {_TYPES[column.type]}' for column in table.columns)
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
    specs = SpecTable()
    with Records(graph, progress, part) as records:
        _fill(connection, _rows(records, specs))
    write_specs(connection, specs)


def _rows(records: Records, specs: SpecTable) -> Iterator[Row]:
    """All rows, those of each table in order of its key: records come by id, so the rows of one or of few are sorted."""
    for record in chain(records.exchange_claims(), records.findings()):
        if record["record"] == "claim":
            specs.add(record)
        yield from sorted(rows_of(record), key=_in_order)
    yield from sorted(chain.from_iterable(map(rows_of, records.things())), key=_in_order)
    # Steps of one claim lie together but the key begins with the claim, so sorting the hops of each
    # is enough.
    with records.sorted_derived("step") as steps:
        for _, hops in groupby(steps, key=itemgetter("claim")):
            rows = (tuple(step.get(column.name) for column in _CHAINS.columns) for step in hops)
            yield from sorted(((_CHAINS.name, row) for row in rows), key=_in_order)


def _in_order(row: Row) -> tuple[str, tuple[Cell, ...]]:
    name, cells = row
    return name, tuple(cells[at] for at in _key_places()[name])


@cache
def _key_places() -> dict[str, tuple[int, ...]]:
    """Where the cells of the key are in a row of each table."""
    return {
        name: tuple([column.name for column in table.columns].index(part) for part in table.key)
        for name, table in duckdb_tables().items()
    }


def _fill(connection: "DuckDBPyConnection", rows: Iterable[Row]) -> None:
    waiting: dict[str, list[tuple[Any, ...]]] = {name: [] for name in duckdb_tables()}
    for name, cells in rows:
        waiting[name].append(cells)
        if len(waiting[name]) >= _AT_ONCE:
            _append(connection, duckdb_tables()[name], waiting[name])
    for name, left in waiting.items():
        if left:
            _append(connection, duckdb_tables()[name], left)


def _append(connection: "DuckDBPyConnection", table: ExportTable, rows: list[tuple[Any, ...]]) -> None:
    import pyarrow

    kinds = {
        "string": pyarrow.string(),
        "number": pyarrow.float64(),
        "integer": pyarrow.int64(),
        "boolean": pyarrow.bool_(),
    }
    columns = table.columns
    arrays = [
        pyarrow.array([_typed(cell, column.type) for cell in cells], type=kinds[column.type])
        for column, cells in zip(columns, zip(*rows, strict=True), strict=True)
    ]
    connection.register("batch", pyarrow.table(arrays, names=[column.name for column in columns]))
    connection.execute(f'INSERT INTO "{table.name}" SELECT * FROM batch')  # noqa: S608
    connection.unregister("batch")
    rows.clear()


def _typed(cell: object, kind: str) -> Any:
    """A cell as its column holds it: a list of words of several types is text, a number a double."""
    if kind == "number" and isinstance(cell, int):  # beyond 2**53 the column takes no whole number
        return float(cell)
    if cell is None or kind != "string" or isinstance(cell, str):
        return cell
    return ("true" if cell else "false") if isinstance(cell, bool) else str(cell)


def write_specs(connection: "DuckDBPyConnection", specs: SpecTable) -> None:
    """One row a thing, for each metric its value in the canonical unit, its verdict and the claim it comes from."""
    columns, rows = specs.columns(), list(specs.rows())
    connection.execute(f"SET memory_limit = '{_MEGABYTES + len(columns) // 8}MB'")
    declared = ", ".join(f"{_name(one.name)} {_TYPES[one.type]}" for one in columns)
    connection.execute(f"CREATE TABLE {SPECS} ({declared})")
    if rows:
        _append(connection, ExportTable(SPECS, "", tuple(columns), ("subject",)), rows)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _name(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def parquet_files(
    graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING
) -> Iterator[tuple[str, bytes]]:
    """Every table as a Parquet file (zstd), sorted by its key: pairs of a file name and a piece of it."""
    with temporary_folder("tables") as folder:
        with database(folder / "tables.duckdb") as connection:
            write_tables(connection, graph, progress, part)
            for name in (*duckdb_tables(), SPECS):
                path = folder / f"{name}.parquet"
                connection.execute(
                    f'COPY "{name}" TO {_text(str(path))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_GROUP})'
                )
        for name in (*duckdb_tables(), SPECS):
            for piece in _pieces(folder / f"{name}.parquet"):
                yield f"{name}.parquet", piece


def duckdb_file(graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING) -> Iterator[bytes]:
    """Every table in one DuckDB database, as pieces of its file."""
    with temporary_folder("tables") as folder:
        with database(folder / "tables.duckdb", block=None if part.is_all else _SMALL_BLOCK) as connection:
            write_tables(connection, graph, progress, part)
        yield from _pieces(folder / "tables.duckdb")


def _pieces(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece
