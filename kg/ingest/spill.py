"""A map from numbers to numbers that stays small in memory: past a limit it moves to a file of its own."""

import sqlite3
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

MEMORY_ENTRIES = 200_000


class Spilled:
    """`put` and `get` of whole numbers; 64 bits of a hash are taken as the key of a text."""

    def __init__(self, *, memory_entries: int = MEMORY_ENTRIES) -> None:
        self._most = memory_entries
        self._memory: dict[int, int] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._table: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._table is not None:
            self._table.close()
        if self._folder is not None:
            self._folder.cleanup()

    def get(self, text: str) -> int | None:
        """The number of a text, or None."""
        key = hash(text)
        found = self._memory.get(key)
        if found is not None or self._table is None:
            return found
        row = self._table.execute("SELECT value FROM seen WHERE key = ?", (key,)).fetchone()
        return None if row is None else int(row[0])

    def put(self, text: str, value: int) -> None:
        """Set the number of a text."""
        self._memory[hash(text)] = value
        if len(self._memory) >= self._most:
            self._move()

    def _move(self) -> None:
        if self._table is None:
            self._folder = tempfile.TemporaryDirectory(prefix="accelkg-")
            self._table = sqlite3.connect(Path(self._folder.name) / "seen.db", isolation_level=None)
            self._table.execute("PRAGMA journal_mode = OFF")
            self._table.execute("PRAGMA synchronous = OFF")
            self._table.execute("CREATE TABLE seen (key INTEGER PRIMARY KEY, value INTEGER) WITHOUT ROWID")
        self._table.execute("BEGIN")
        self._table.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", sorted(self._memory.items()))
        self._table.execute("COMMIT")
        self._memory.clear()
