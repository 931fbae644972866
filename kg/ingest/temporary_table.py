"""A map from texts to numbers that stays small in memory, however many there are: a table of a temporary SQLite database."""

import errno
import sqlite3
from types import TracebackType
from typing import Final, Self

MEMORY_KIBIBYTES: Final = 32_000
"""What the table keeps in memory; SQLite moves the rest to a file without a name."""


class TemporaryTable:
    """`put` and `get` of whole numbers; 64 bits of a hash are taken as the key of a text."""

    def __init__(self, *, memory_kibibytes: int = MEMORY_KIBIBYTES) -> None:
        self._table = sqlite3.connect(
            "", isolation_level=None
        )  # no name: on disk where it must be, gone when it is closed
        # nothing is ever rolled back: what a killed load kept here is of no use to another
        self._table.execute("PRAGMA journal_mode = OFF")
        self._table.execute(f"PRAGMA cache_size = -{memory_kibibytes:d}")
        self._table.execute("CREATE TABLE numbers (key INTEGER PRIMARY KEY, value INTEGER)")
        # in one transaction: otherwise each insert would be written out by itself
        self._table.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.close()

    def get(self, text: str) -> int | None:
        """The number of a text, or None."""
        row = self._table.execute("SELECT value FROM numbers WHERE key = ?", (hash(text),)).fetchone()
        return None if row is None else int(row[0])

    def put(self, text: str, value: int) -> None:
        """Set the number of a text."""
        try:
            self._table.execute("INSERT OR REPLACE INTO numbers VALUES (?, ?)", (hash(text), value))
        except sqlite3.OperationalError as cause:  # the folder of temporary files is full
            raise OSError(errno.ENOSPC, str(cause)) from cause
