"""SQL over the tables of a store, with DuckDB: read-only, in one process, ended at its deadline.

The database is opened for reading, cannot reach files or the network, and its settings are locked: a query reads the
tables and nothing else.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Final

from kg.errors import QueryError, StoreError, UsageError
from kg.stores.protocol import Answer, Cell, DeadlinePassed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MEMORY: Final = "2GB"
_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": _MEMORY,
    # nothing goes to the disk for want of memory: without an end it would fill it, and who is stopped would leave it there
    "temp_directory": "",
    "lock_configuration": "true",
}
_READING: Final = frozenset({"SELECT", "EXPLAIN", "PRAGMA", "MULTI"})
"""The kinds of statement that read, as the engine calls them; a PIVOT is several to it."""
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
        try:
            import duckdb
        except ModuleNotFoundError as cause:
            raise UsageError(
                "needs duckdb.",
                given="language sql",
                expected="the extra tables",
                next_step="pip install 'accelkg[tables]'",
            ) from cause
        try:
            connection = duckdb.connect(str(path), read_only=True, config=_SETTINGS)
        except duckdb.Error as cause:
            raise TablesDamaged.found(path, cause) from cause
        return cls(connection, path)

    def select(self, text: str, *, limit: int | None = None, timeout_seconds: float | None = None) -> Answer:
        """Rows of one statement that reads; at most `limit` of them."""
        with self._deadline(timeout_seconds):
            kinds = [one.type.name for one in self.connection.extract_statements(text)]
            if len(kinds) != 1 or kinds[0] not in _READING:
                raise QueryError(
                    code="query.refused", given=", ".join(kinds) or "no statement", expected="one statement that reads"
                )
            result = self.connection.execute(text)
            if result.description is None:
                raise QueryError(code="query.refused", given="a statement without rows", expected="a SELECT")
            columns = tuple(str(column[0]) for column in result.description)
            rows = result.fetchall() if limit is None else result.fetchmany(limit + 1)
        complete = limit is None or len(rows) <= limit
        return Answer(columns, tuple(tuple(map(_cell, row)) for row in rows[:limit]), complete=complete)

    @contextmanager
    def _deadline(self, seconds: float | None) -> "Iterator[None]":
        import duckdb

        timer = Timer(seconds, self.connection.interrupt) if seconds is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield
        except duckdb.InterruptException as cause:
            raise DeadlinePassed(
                f"no answer after {seconds:g} s.",
                expected="a query that ends within its deadline",
                next_step="Ask for less, or give more time with --timeout",
            ) from cause
        except duckdb.Error as cause:
            if _DAMAGE.search(str(cause)):
                raise TablesDamaged.found(self.path, cause) from cause
            raise QueryError(
                code="query.refused",
                given=str(cause).splitlines()[0],
                expected="SQL of DuckDB that reads the tables of the store",
                next_step="SHOW TABLES lists them, DESCRIBE claims the columns of one",
            ) from cause
        finally:
            if timer is not None:
                timer.cancel()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


def _cell(value: object) -> Cell:
    """Plain values as they are; a list, a structure or a date as text."""
    if value is None or isinstance(value, str | float | int | bool):
        return value
    return str(value)
