"""Records in order of a key without holding them all: sorted runs on disk, merged when they are read back."""

import heapq
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import TracebackType
from typing import IO, Any, Self

import orjson

RUN_BYTES = 8 << 20
"""Lines are sorted in memory up to this size."""


class Sorter:
    """Takes records with a key, gives them back sorted by key; temporary files go with `close`.

    Keys hold no control characters. Records of one key come back in the order of their JSON text.

    >>> with Sorter() as sorter:
    ...     for name in ("b", "a.x", "a"):
    ...         sorter.add(name, {"id": name})
    ...     [record["id"] for record in sorter]
    ['a', 'a.x', 'b']
    """

    def __init__(self, *, run_bytes: int = RUN_BYTES) -> None:
        self._run_bytes = run_bytes
        self._lines: list[bytes] = []
        self._size = 0
        self._runs: list[IO[bytes]] = []
        self._ends: list[tuple[bytes, bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def add(self, key: str, record: Mapping[str, object]) -> None:
        """One more record."""
        # A tab is below every sign that a key may have, so that lines compare as keys do: `a` before `a!`.
        line = key.encode() + b"\t" + orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
        self._lines.append(line)
        self._size += len(line)
        if self._size >= self._run_bytes:
            self._spill()

    def _spill(self) -> None:
        self._lines.sort()
        # Without a name, so that a killed process leaves nothing behind.
        run = tempfile.TemporaryFile(prefix="accelkg-")  # noqa: SIM115  # closed by close()
        run.writelines(self._lines)
        self._runs.append(run)
        self._ends.append((self._lines[0], self._lines[-1]))
        self._lines, self._size = [], 0

    def lines(self) -> Iterator[bytes]:
        """All lines in order: key, a tab, JSON text."""
        self._lines.sort()
        for run in self._runs:
            run.seek(0)
        parts: list[Iterable[bytes]] = [*self._runs, self._lines]
        ends = [*self._ends, *([(self._lines[0], self._lines[-1])] if self._lines else [])]
        if all(before[1] <= after[0] for before, after in pairwise(ends)):
            for part in parts:  # what came sorted needs no merging
                yield from part
        else:
            yield from heapq.merge(*parts)

    def items(self) -> Iterator[tuple[str, Any]]:
        """All keys with their records, in order."""
        for line in self.lines():
            key, _, text = line.partition(b"\t")
            yield key.decode(), orjson.loads(text)

    def __iter__(self) -> Iterator[Any]:
        for line in self.lines():
            yield orjson.loads(line[line.index(b"\t") + 1 :])

    def close(self) -> None:
        """Drop the temporary files."""
        for run in self._runs:
            run.close()
        self._runs, self._lines, self._ends, self._size = [], [], [], 0
