"""What the isolated process of the endpoint does with a request: check the query, choose a format, write the result.

A result is written to memory up to a size and to a file beyond it, so that a slow client holds no process and a large
result no memory.
"""

from __future__ import annotations

import io
import os
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from kg.ask.guard import MOST_CHARACTERS, check_read_only
from kg.ask.parse_error import in_the_text
from kg.errors import QueryError
from kg.model.vocabulary import PREFIXES
from kg.stores.oxigraph import OxigraphStore, QueryRefused
from kg.stores.serialised import QueriedGraphs, write_result
from kg.stores.worker import Send, limit_resources, serve, set_alarm, silence
from kg.web.negotiation import GRAPHS, ROWS, preferred
from kg.web.refusal import NOT_ACCEPTABLE, REFUSED, TOO_LARGE, RequestRefused

_IN_MEMORY: Final = 1 << 20
"""Bytes of a result that go through the pipe; more go into a file."""
_MOST_BYTES: Final = 1 << 30
"""Bytes of a result on disk; what is longer is refused with the words to ask for less."""
_MOST_GROWTH: Final = 256 << 20
"""Bytes that a process may have taken at its peak since the store was opened, before another takes its place."""


class ResultTooLarge(QueryError):
    """A result that is longer than the endpoint sends."""

    code = "query.result-size"


class ProcessRequest(NamedTuple):
    """A query with all that its process needs to know."""

    generation: str
    memory: int
    text: str
    accept: str
    default_graphs: list[str]
    named_graphs: list[str]
    base: str
    spool: str
    """The file for a result that is large."""
    seconds: float | None


class Spool(io.RawIOBase):
    """Takes the bytes of a result: in memory first, in a file when they get many. Raises ResultTooLarge."""

    def __init__(self, path: Path, *, in_memory: int = _IN_MEMORY, most: int = _MOST_BYTES) -> None:
        self._path, self._in_memory, self._most = path, in_memory, most
        self._held = bytearray()
        self._file: BinaryIO | None = None
        self.size = 0

    def write(self, data: Any, /) -> int:
        self.size += len(data)
        if self.size > self._most:
            raise ResultTooLarge(
                given=f"a result of more than {self._most >> 20} MB",
                expected="less at once",
                next_step="ask for part of it with LIMIT and OFFSET, or take the whole graph with kg export",
            )
        if self._file is None and self.size > self._in_memory:
            self._file = self._path.open("wb")
            self._file.write(self._held)
            self._held = bytearray()
        if self._file is None:
            self._held += data
        else:
            self._file.write(data)
        return len(data)

    def finish(self) -> bytes | None:
        """The result; None where it is in the file."""
        if self._file is None:
            return bytes(self._held)
        self._file.close()
        return None


def answer_request(store: OxigraphStore, request: ProcessRequest) -> tuple[Any, ...]:
    """The message for a query: `result` with media type, size and bytes (none where they are in the file), or `refused` with
    status and a sentence.
    """
    try:
        media_type, format_name = _checked(request)
        # Whole before its first byte is sent: a stream that a deadline cuts looks like a whole answer to
        # some clients, and a status cannot be taken back (decision 29).
        spool = Spool(Path(request.spool))
        write_result(
            store,
            request.text,
            spool,
            media_type=format_name,
            graphs=QueriedGraphs(request.default_graphs, request.named_graphs),
            base=request.base,
            prefixes=PREFIXES,
        )
    except RequestRefused as refused:
        return "refused", refused.status, refused.words
    except QueryRefused as refused:
        refusal = in_the_text(refused, request.text, 0)
        return "refused", REFUSED, refusal.words
    return "result", media_type, spool.size, spool.finish()


def _checked(request: ProcessRequest) -> tuple[str, str]:
    """The media type that is sent, and that of its format. Raises QueryRefused, RequestRefused."""
    if len(request.text) > MOST_CHARACTERS:
        raise RequestRefused(
            TOO_LARGE,
            field="query",
            given=f"{len(request.text)} characters",
            expected=f"at most {MOST_CHARACTERS:,} characters",
        )
    form = check_read_only(request.text, may_choose_graphs=True)
    offered = ROWS if form in ("SELECT", "ASK") else GRAPHS
    chosen = preferred(request.accept, offered)
    if chosen is None:
        raise RequestRefused(
            NOT_ACCEPTABLE,
            f"has no form in which a result of {form} is sent.",
            field="Accept",
            given=request.accept[:200],
            expected=", ".join(dict.fromkeys(offered.values())),
        )
    return chosen, offered[chosen]


def _peak() -> int:
    """The most memory that this process had, in bytes; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


@cache
def _peak_at_opening() -> int:
    return _peak()


def _has_grown() -> bool:
    """Whether this process is better replaced: what a large query took may never go back to the system."""
    return _peak() - _peak_at_opening() > _MOST_GROWTH


@cache
def _opened(generation: str, memory: int) -> OxigraphStore:
    """The store of this process, which may take so much memory from now on."""
    # `write_result` asks the engine in this thread: the time is kept by who kills this process, not
    # by the store.
    store = OxigraphStore.open(Path(generation))
    limit_resources(memory)
    # Remembered now: what the opened store takes is no growth.
    silence()
    _peak_at_opening()
    return store


def _work(request: list[Any], _: Send) -> tuple[Any, ...]:
    """A request with a generation and a limit alone only opens the store."""
    generation, memory, *rest = request
    store = _opened(generation, memory)
    if not rest:
        return ("opened",)
    asked = ProcessRequest(*request)
    set_alarm(asked.seconds)
    try:
        return *answer_request(store, asked), _has_grown()
    finally:
        set_alarm(None)


if __name__ == "__main__":
    os._exit(serve(_work))
