"""Reads foreign binary files through an isolated process, and gives what it says as a stream of bytes."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kg.errors import KgError
from kg.ingest import limits
from kg.ingest.errors import FileDamaged, LimitExceeded, MissingExtra
from kg.stores.worker import Worker

_READER: Final = "kg.ingest.foreign_reader"
_ERRORS: Final[dict[str, type[KgError]]] = {one.code: one for one in (FileDamaged, LimitExceeded, MissingExtra)}


@contextmanager
def foreign_bytes(path: Path, what: str, *arguments: str | None) -> Iterator[io.RawIOBase]:
    """What the process says of a file; leaving early ends it, and its refusal is raised at the end of the stream."""
    worker = Worker(_READER)
    worker.ask(what, str(path), *arguments)
    try:
        yield _Stream(worker, path)
    finally:
        worker.end()


class _Stream(io.RawIOBase):
    """The pieces a process sends, as one file; at its end the way the process ended is looked at."""

    def __init__(self, worker: Worker, path: Path) -> None:
        self._worker, self._path = worker, path
        self._left = memoryview(b"")
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        if not self._left and not self._ended:
            self._left = self._next()
            self._ended = not self._left
        count = min(len(target), len(self._left))
        target[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def _next(self) -> memoryview:
        message = self._worker.messages.next()
        if message is None:
            status = self._worker.end()
            raise (LimitExceeded if status else FileDamaged)(
                path=str(self._path),
                given=f"the reader ended with {status}",
                expected=f"a file that can be read in {limits.CHILD_MEMORY >> 20} MB and {limits.CHILD_CPU_SECONDS} s",
            )
        kind, *rest = message
        if kind == "error":
            fields = dict(rest[0])
            raise _ERRORS.get(fields["code"], FileDamaged)(
                fields.pop("message") or "", **{**fields, "path": str(self._path)}
            )
        return memoryview(rest[0] if kind == "bytes" else b"")


def foreign_lines(stream: io.RawIOBase) -> Iterator[bytes]:
    """The lines of what the process says."""
    yield from io.BufferedReader(stream, buffer_size=1 << 20)
