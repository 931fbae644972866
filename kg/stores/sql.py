"""SQL over the tables of a store, with DuckDB, which only reads them.

The database is opened for reading, cannot reach files or the network, and its settings are locked: a query reads the
tables and nothing else. The engine stops some functions neither at a deadline nor at its limit of memory, so that what
somebody asks runs in a process that can be killed (`kg.stores.sql_process`).
"""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kg.errors import QueryError, StoreError
from kg.stores.protocol import Answer, Cell
from kg.stores.worker import MEMORY

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": f"{MEMORY >> 20}MiB",  # as its process: one of the two ends a query, in the same words
    # nothing goes to the disk for want of memory: without an end it would fill it, and who is stopped would leave it there
    "temp_directory": "",
    "lock_configuration": "true",
}
# A SHOW or DESCRIBE is a SELECT to the engine; COPY, ATTACH and SET have kinds of their own and are
# refused.
_READING: Final = frozenset({"SELECT", "EXPLAIN", "PRAGMA", "MULTI"})
"""The kinds of statement that read, as the engine calls them; a PIVOT is several to it."""
# those of columns with a time zone are recognized by their text
_ENDS_OF_TIME: Final = (date.min, date.max, datetime.min, datetime.max)  # noqa: DTZ901
_DAMAGE: Final = re.compile(r"Corrupt database file|Could not read enough bytes|not a valid DuckDB database")
"""How the engine says that it cannot read what it wrote."""


class TablesDamaged(StoreError):
    """The file of the tables does not hold what its engine wrote."""

    code = "store.view"

    @classmethod
    def found(cls, path: Path, cause: Exception) -> "TablesDamaged":
        """The error for what the engine says of a file."""
        return cls(
            path=str(path),
            given=str(cause).splitlines()[0],
            expected="the tables that the engine wrote",
            next_step="delete it: the next question in SQL makes it again",
        )


@dataclass(slots=True)
class SqlStore:
    """An opened database of tables."""

    connection: "DuckDBPyConnection"
    path: Path

    @classmethod
    def open(cls, path: Path) -> "SqlStore":
        """Open a database for reading. Raises TablesDamaged."""
        import duckdb

        try:
            connection = duckdb.connect(str(path), read_only=True, config=_SETTINGS)
        except duckdb.Error as cause:
            raise TablesDamaged.found(path, cause) from cause
        return cls(connection, path)

    def select(self, text: str, *, limit: int) -> Answer:
        """Rows of one statement that reads; at most `limit` of them. Raises MemoryError where it needs too much."""
        with self._refusals():
            kinds = [one.type.name for one in self.connection.extract_statements(text)]
            if len(kinds) != 1 or kinds[0] not in _READING:
                raise QueryError(
                    code="query.refused", given=", ".join(kinds) or "no statement", expected="one statement that reads"
                )
            result = self.connection.execute(text)
            if result.description is None:
                raise QueryError(code="query.refused", given="a statement without rows", expected="a SELECT")
            columns = distinct(str(column[0]) for column in result.description)
            try:
                # One more than asked for shows whether there are more.
                rows = result.fetchmany(limit + 1)
                as_text = {place for row in rows for place, cell in enumerate(row) if _is_text(cell)}
                if as_text and kinds == ["SELECT"]:
                    rows = self.connection.execute(_as_text(text, len(columns), as_text)).fetchmany(limit + 1)
            except OverflowError as cause:  # an interval of more days than Python counts
                raise QueryError(
                    code="query.refused",
                    given=str(cause),
                    expected="values that can be held here",
                    next_step="return it as text: CAST(… AS VARCHAR)",
                ) from cause
        return Answer(columns, tuple(tuple(map(_cell, row)) for row in rows[:limit]), complete=len(rows) <= limit)

    @contextmanager
    def _refusals(self) -> "Iterator[None]":
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException as cause:
            raise MemoryError(str(cause)) from cause
        except duckdb.Error as cause:
            if _DAMAGE.search(str(cause)):
                raise TablesDamaged.found(self.path, cause) from cause
            raise QueryError(
                code="query.refused",
                given=str(cause).splitlines()[0],
                expected="SQL of DuckDB that reads the tables of the store",
                next_step="SHOW TABLES lists them, DESCRIBE claims the columns of one",
            ) from cause

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once: a second column of a name gets a number, or an object with the columns as keys would lose one.

    >>> distinct(["id", "id", "id_1", "id"])
    ('id', 'id_2', 'id_1', 'id_3')
    """
    given = list(names)
    taken, numbers = set(given), {name: count(2) for name in given}
    made: dict[str, None] = {}
    for name in given:
        other = name
        while other in made or (other != name and other in taken):
            other = f"{name}_{next(numbers[name])}"
        made[other] = None
    return tuple(made)


def _is_text(cell: object) -> bool:
    """Whether only the engine says a value rightly: the ends of time, and days in lists and structures, which Python writes its way."""
    return cell in _ENDS_OF_TIME or (not isinstance(cell, date) and _holds_day(cell))


def _holds_day(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_day, (*value, *value.values())))
    return any(map(_holds_day, value)) if isinstance(value, list | tuple) else isinstance(value, date)


def _as_text(text: str, columns: int, places: Collection[int]) -> str:
    """The statement with the days and times of some columns as text: in Python `infinity` is the last day that there is.

    >>> print(_as_text("SELECT a, b FROM c;", 2, {1}))
    SELECT c0, c1::VARCHAR FROM (
    SELECT a, b FROM c
    ) AS asked(c0, c1)
    """
    names = [f"c{place}" for place in range(columns)]
    shown = (f"{name}::VARCHAR" if place in places else name for place, name in enumerate(names))
    import duckdb

    given = text.encode()
    end = next((at for at, _ in duckdb.tokenize(text) if given[at : at + 1] == b";"), len(given))
    # a line of its own: the text may end in a comment
    asked = given[:end].decode().strip()
    return f"SELECT {', '.join(shown)} FROM (\n{asked}\n) AS asked({', '.join(names)})"  # noqa: S608 - it ran as it is


def _cell(value: object) -> Cell:
    """Plain values as they are; a list, a structure or a date as text."""
    if value is None or isinstance(value, str | float | int | bool):
        return value
    return str(value)
