"""The tools over standard input and output: a message a line, until the input ends and what was asked is answered.

The transport of the library drops the calls that still run when the input ends, and where nobody reads the answers any
more it waits for the next line.
"""

from __future__ import annotations

import asyncio
import os
import select
import threading
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

import anyio
from anyio import to_thread
from mcp.shared.message import SessionMessage
from mcp.types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from kg.mcp.server import make_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.types import JSONRPCMessage

    from kg.mcp.server import ReadGraph
    from kg.session import Graph

Result = TypeVar("Result")
SECONDS_AFTER_END: Final = 45.0
"""How long the next answer may take after the end of the input; then what is still worked at is given up."""
_MOST_BYTES: Final = 1 << 20
"""Of a line, as of a request over HTTP."""
_REFUSED: Final = f"not a message: a line holds one object of JSON-RPC 2.0, of at most {_MOST_BYTES:,} bytes"


def serve_stdio(read: ReadGraph, source: int, sink: int, *, seconds_after_end: float = SECONDS_AFTER_END) -> int:
    """Answer what comes from one file into the other; how many requests had no answer when it was given up.

    Raises OSError where an answer cannot be written.
    """
    talk = _Conversation(source, sink, seconds_after_end)
    anyio.run(talk.run, read)
    if talk.failure is not None:
        raise talk.failure
    return talk.given_up


class _Conversation:
    """Lines in, lines out, and the requests that have no answer yet."""

    def __init__(self, source: int, sink: int, seconds_after_end: float) -> None:
        self._source, self._sink, self._seconds = source, sink, seconds_after_end
        self._open: Counter[str] = Counter()
        self._answered = anyio.Event()
        self.failure: OSError | None = None
        self.given_up = 0

    async def run(self, read: ReadGraph) -> None:
        async def unhurried(work: Callable[[Graph], Result]) -> Result:
            # A call whose request is given up goes on in its thread, and nobody waits for it.
            return await asyncio.shield(asyncio.ensure_future(read(work)))

        to_server, requests = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        answers, to_client = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read, to_server, answers.clone())
            tasks.start_soon(self._write, to_client, tasks.cancel_scope)
            await make_server(unhurried).serve(requests, answers)

    async def _read(
        self,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        to_client: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        loop, ended = asyncio.get_running_loop(), anyio.Event()

        async def take(line: bytes) -> None:
            message = _message(line)
            if message is None:
                error = ErrorData(code=PARSE_ERROR, message=_REFUSED)
                await to_client.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error)))
                return
            self._note_request(message)
            await to_server.send(SessionMessage(message))

        def read_lines() -> None:
            # RuntimeError: the loop is closed, and nobody takes what comes.
            with (
                suppress(OSError, RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError),
                open(self._source, "rb", closefd=False) as source,
            ):
                while line := _next_line(source):
                    if line.strip():
                        asyncio.run_coroutine_threadsafe(take(line), loop).result()
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(ended.set)

        # Nothing ends a thread that waits for a line: one that the program waited for would keep it until the next.
        threading.Thread(target=read_lines, name="kg input", daemon=True).start()
        async with to_server, to_client:
            await ended.wait()
            await self._all_answered()

    async def _all_answered(self) -> None:
        while self._open and not _is_unread(self._sink):
            self._answered = anyio.Event()
            with anyio.move_on_after(self._seconds) as waited:
                await self._answered.wait()
            if waited.cancelled_caught:
                self.given_up = self._open.total()
                return

    async def _write(self, answers: MemoryObjectReceiveStream[SessionMessage], all_tasks: anyio.CancelScope) -> None:
        async with answers:
            async for answer in answers:
                text = answer.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await to_thread.run_sync(_write_all, self._sink, f"{text}\n".encode(), abandon_on_cancel=True)
                except OSError as error:
                    self.failure = error
                    all_tasks.cancel()
                    return
                if isinstance(answer.message, JSONRPCResponse | JSONRPCError):
                    self._close(answer.message.id)

    def _note_request(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._open[str(message.id)] += 1
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            # The protocol forbids an answer to it.
            self._close((message.params or {}).get("requestId"))

    def _close(self, request: object) -> None:
        # Unary plus drops what came down to nothing.
        self._open = +(self._open - Counter({str(request): 1}))
        self._answered.set()


def _message(line: bytes) -> JSONRPCMessage | None:
    """The message of a line; None where it holds none."""
    if len(line) > _MOST_BYTES:
        return None
    try:
        message: JSONRPCMessage = jsonrpc_message_adapter.validate_json(line.decode(errors="replace"), by_name=False)
    except ValueError:
        return None
    return message


def _next_line(source: BufferedReader) -> bytes:
    """The next line; of one that is too long its beginning, which is too long too."""
    line = source.readline(_MOST_BYTES + 1)
    rest = line
    while len(rest) > _MOST_BYTES and not rest.endswith(b"\n"):
        rest = source.readline(_MOST_BYTES + 1)
    return line


def _is_unread(sink: int) -> bool:
    """Whether nobody is left to read what would be written."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(sink, 0)
    return bool(poll.poll(0))


def _write_all(sink: int, text: bytes) -> None:
    rest = memoryview(text)
    while rest:
        rest = rest[os.write(sink, rest) :]
