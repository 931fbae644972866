"""Processes that answer free queries: several, so that a query that runs to its deadline stops nobody else.

Each has one generation open and serves one query after another; one that passed its deadline, whose client went away or
that has grown is killed and another is started when it is needed.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import anyio
from anyio import to_thread

from kg.errors import KgError
from kg.stores.oxigraph import GenerationMissing
from kg.stores.temporary import delete_folder, new_folder
from kg.stores.worker import Worker, error_of, process_ended
from kg.web.refusal import BUSY, RequestRefused

_MODULE: Final = "kg.web.query_process"
_SECONDS_TO_OPEN: Final = 60.0
_SECONDS_UNWATCHED: Final = 0.05
"""How long a query runs before it is looked whether its client still waits."""
_MOST_AT_ONCE: Final = 16_384
"""Characters of a text that is written by the event loop: an idle process reads at once. A longer one has a thread."""
_TRIES: Final = 3
"""Times that a generation is looked up anew when it went away between the look and the opening."""


class ProtocolQuery(NamedTuple):
    """A query as a request gives it."""

    text: str
    accept: str
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    base: str
    seconds: float | None = None
    """A deadline shorter than that of the server."""


class SentResult(NamedTuple):
    """A result in its media type: its bytes, or an open file that has no name any more."""

    media_type: str
    size: int
    body: bytes | None
    file: BinaryIO | None = None


class ClientGone(KgError):
    """Whoever asked did not wait for the answer."""

    code = "serve.request"


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How much runs at once, and how long; the memory is that of one process on top of what the opened store takes."""

    # Some 60 MB each, before a query (decision 29).
    processes: int = 4
    waiting: int = 64
    seconds_to_wait: float = 10.0
    seconds: float = 30.0
    memory: int = 1 << 30


class _Begun(NamedTuple):
    """A query that a process works on, with the file for a result that is large."""

    generation: Path
    worker: Worker
    path: Path


class _Running:
    """The process of a query, to be killed when nobody waits for its answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self.is_given_up = False

    def start(self, worker: Worker) -> None:
        """From now on this process works on the query."""
        with self._lock:
            self._worker = worker
            if self.is_given_up:
                worker.kill()

    def end(self) -> None:
        """It does no longer."""
        with self._lock:
            self._worker = None

    def give_up(self) -> None:
        """Nobody waits any more."""
        with self._lock:
            self.is_given_up = True
            if self._worker is not None:
                self._worker.kill()


class QueryPool:
    """Answers queries of any text on the live generation, which `generation` names; None where there is none."""

    def __init__(self, generation: Callable[[], Path | None], limits: PoolLimits | None = None) -> None:
        self._generation = generation
        self.limits = limits or PoolLimits()
        self._idle: list[tuple[Path, Worker]] = []
        self._lock = threading.Lock()
        self._is_closed = False
        self._places = anyio.Semaphore(self.limits.processes)
        # Twice as many threads as processes: one that was given up still waits for its killed
        # process to end.
        self._threads = anyio.CapacityLimiter(2 * self.limits.processes)
        self._asking = 0
        self._spool = new_folder("results")
        self._numbers = count()

    async def answer(self, query: ProtocolQuery, disconnected: Callable[[], Awaitable[None]]) -> SentResult:
        """The result of a query. `disconnected` returns when the client has gone, which ends the query.

        Raises RequestRefused where the request is at fault or the pool is full, KgError where the query fails.
        """
        # Counted before anything is awaited, so that a flood of requests makes no queue without an
        # end.
        if self._asking >= self.limits.processes + self.limits.waiting:
            raise self._full()
        self._asking += 1
        try:
            with anyio.move_on_after(self.limits.seconds_to_wait) as waited:
                await self._places.acquire()
            if waited.cancelled_caught:
                raise self._full()
            try:
                return await self._watched(query, disconnected)
            finally:
                self._places.release()
        finally:
            self._asking -= 1

    def close(self) -> None:
        """End all processes that have nothing to do; those that work end with their request."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for _, worker in idle:
            worker.kill()
            worker.end()
        delete_folder(self._spool)

    async def _watched(self, query: ProtocolQuery, disconnected: Callable[[], Awaitable[None]]) -> SentResult:
        begun = self._begun(query)
        if begun is not None and await self._is_quick(begun):
            return self._finished(begun, _Running())
        running = _Running()
        if begun is not None:
            running.start(begun.worker)
        found: SentResult | KgError = ClientGone()

        async def watch() -> None:
            await disconnected()
            running.give_up()
            group.cancel_scope.cancel()

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                try:
                    found = await to_thread.run_sync(
                        self._run, query, running, begun, limiter=self._threads, abandon_on_cancel=True
                    )
                except KgError as error:
                    found = error
                group.cancel_scope.cancel()
        finally:
            if isinstance(found, ClientGone):
                running.give_up()
        if isinstance(found, KgError):
            raise found
        return found

    def _full(self) -> RequestRefused:
        return RequestRefused(
            BUSY,
            given=f"{self.limits.processes} queries that run already and others that wait",
            expected=f"at most {self.limits.processes} at once",
            next_step="try again in a few seconds",
        )

    def _begun(self, query: ProtocolQuery) -> _Begun | None:
        """The query, asked at once of a process that has nothing to do; None where there is none, or the text is long.

        The thread and the tasks that watch over a long query take longer than a small one does.
        """
        if os.name == "nt" or len(query.text) > _MOST_AT_ONCE:  # pipes cannot be waited for there
            return None
        generation = self._live()
        with self._lock:
            place = next((n for n, (at, one) in enumerate(self._idle) if at == generation and one.is_alive()), None)
            worker = None if place is None else self._idle.pop(place)[1]
        return None if worker is None else self._asked(worker, generation, query)

    async def _is_quick(self, begun: _Begun) -> bool:
        """Whether the answer comes before anybody would give it up."""
        loop = asyncio.get_running_loop()
        came: asyncio.Future[bool] = loop.create_future()

        def settle(is_quick: bool) -> None:
            if not came.done():
                came.set_result(is_quick)

        timer = loop.call_later(_SECONDS_UNWATCHED, settle, False)
        loop.add_reader(begun.worker.messages.reader, settle, True)
        try:
            return await came
        except asyncio.CancelledError:
            begun.worker.kill()
            begun.worker.end()
            raise
        finally:
            timer.cancel()
            loop.remove_reader(begun.worker.messages.reader)

    def _run(self, query: ProtocolQuery, running: _Running, begun: _Begun | None) -> SentResult:
        """The result of a query, in the thread that waits for its process."""
        if begun is None:
            generation, worker = self._ready()
            begun = self._asked(worker, generation, query)
        return self._finished(begun, running)

    def _finished(self, begun: _Begun, running: _Running) -> SentResult:
        """What the process says; it is put back where it can serve again."""
        generation, worker, path = begun
        running.start(worker)
        is_sound = False
        try:
            message = worker.messages.next()
            if message is None:
                worker.kill()
                raise process_ended(worker.end(), self.limits.memory)
            # The last item says whether the process has grown too much to serve again
            # (`kg.web.query_process`).
            is_sound = message[0] == "error" or not message[-1]
            return _result(message, path)
        finally:
            running.end()
            with suppress(OSError):
                path.unlink(missing_ok=True)
            if is_sound and not running.is_given_up:
                self._put_back(generation, worker)
            else:
                worker.kill()
                worker.end()

    def _ready(self) -> tuple[Path, Worker]:
        """The live generation and a process that has it open. Raises GenerationMissing."""
        for _ in range(_TRIES - 1):
            generation = self._live()
            with suppress(GenerationMissing):
                return generation, self._taken(generation)
        generation = self._live()
        return generation, self._taken(generation)

    def _live(self) -> Path:
        generation = self._generation()
        if generation is None:
            raise GenerationMissing(
                given="no data at the moment",
                expected="a store that kg build made",
                next_step="run kg build; the endpoint answers again when it is done",
            )
        return generation

    def _asked(self, worker: Worker, generation: Path, query: ProtocolQuery) -> _Begun:
        limits, path = self.limits, self._spool / str(next(self._numbers))
        seconds = min(limits.seconds, query.seconds or limits.seconds)
        asked = (query.text, query.accept, query.default_graphs, query.named_graphs, query.base, str(path), seconds)
        worker.messages.run(seconds)
        worker.ask(str(generation), limits.memory, *asked)
        return _Begun(generation, worker, path)

    def _taken(self, generation: Path) -> Worker:
        """A process that has the generation open. Raises GenerationMissing."""
        with self._lock:
            idle, self._idle = self._idle, []
            chosen: Worker | None = None
            stale = []
            for place, worker in idle:
                if place != generation or not worker.is_alive():
                    stale.append(worker)
                elif chosen is None:
                    chosen = worker
                else:
                    self._idle.append((place, worker))
        for worker in stale:
            worker.kill()
            worker.end()
        return chosen or self._started(generation)

    def _started(self, generation: Path) -> Worker:
        worker = Worker(_MODULE)
        worker.messages.run(_SECONDS_TO_OPEN)
        worker.ask(str(generation), self.limits.memory)
        try:
            message = worker.messages.next()
        except KgError:
            message = None
        if message is None or message[0] != "opened":
            worker.kill()
            status = worker.end()
            if message is None:
                raise process_ended(status, self.limits.memory)
            error = error_of(message[1], message[2])
            raise GenerationMissing(error.message, path=str(generation), given=error.given, next_step="run kg build")
        return worker

    def _put_back(self, generation: Path, worker: Worker) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append((generation, worker))
                return
        worker.kill()
        worker.end()


def _result(message: tuple[object, ...], path: Path) -> SentResult:
    kind, *rest = message
    if kind == "error":
        fields, exit_code, *_ = rest
        assert isinstance(fields, dict) and isinstance(exit_code, int)
        raise error_of(fields, exit_code)
    if kind == "refused":
        status, sentence, *_ = rest
        assert isinstance(status, int)
        raise RequestRefused(status, str(sentence))
    media_type, size, body, *_ = rest
    assert isinstance(size, int)
    file = path.open("rb") if body is None else None
    return SentResult(str(media_type), size, body if isinstance(body, bytes) else None, file)
