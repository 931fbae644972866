"""Reads foreign binary files through an isolated process, and gives what it says as a stream of bytes."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kg.errors import KgError, StoreError
from kg.ingest import limits
from kg.ingest.errors import FileDamaged, LimitExceeded, MissingExtra
from kg.stores.protocol import DeadlinePassed
from kg.stores.worker import SEE_WHERE, WAITS, Worker, error_of, is_out_of_processor_time

_READER: Final = "kg.ingest.foreign_reader"
_IN_LIMITS: Final = (
    f"a file that can be read in {limits.CHILD_MEMORY >> 20} MB and {limits.CHILD_CPU_SECONDS} s of processor time"
)
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
        message = self._message()
        if message is None:
            status = self._worker.end()
            is_late = is_out_of_processor_time(status)
            # without a last word: a process that ended by itself had a broken file, any other was
            # ended by a limit
            raise (LimitExceeded if status else FileDamaged)(
                path=str(self._path),
                given=f"more than {limits.CHILD_CPU_SECONDS} s" if is_late else f"the reader ended with {status}",
                expected=_IN_LIMITS,
            )
        kind, *rest = message
        if kind == "error":
            fields = dict(rest[0])
            if rest[1] == StoreError.exit_code:
                raise error_of(fields, rest[1])
            if fields["code"] not in _ERRORS:
                raise FileDamaged(
                    path=str(self._path),
                    given="a form that the reader fails on",
                    expected="a file as its format describes it",
                    next_step=f"get it again, or save it in another format; or {SEE_WHERE}",
                )
            raise _ERRORS[fields["code"]](fields.pop("message") or "", **{**fields, "path": str(self._path)})
        return memoryview(rest[0] if kind == "bytes" else b"")

    def _message(self) -> tuple[Any, ...] | None:
        seconds = WAITS * limits.CHILD_CPU_SECONDS
        try:
            self._worker.messages.run(seconds)  # its processor time ends a process that works; this one that hangs
            return self._worker.messages.next()
        except DeadlinePassed:
            raise LimitExceeded(
                path=str(self._path), given=f"nothing for {seconds:g} s by the clock", expected=_IN_LIMITS
            ) from None


def foreign_lines(stream: io.RawIOBase) -> Iterator[bytes]:
    """The lines of what the process says."""
    yield from io.BufferedReader(stream, buffer_size=1 << 20)
