"""Processes that answer free queries: several, so that a query that runs to its deadline stops nobody else.

Each has one generation open and serves one query after another; one that passed its deadline, whose client went away or
that has grown is killed and another is started when it is needed.
"""

from __future__ import annotations

import shutil
import tempfile
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
from kg.stores.worker import Worker, error_of, process_ended
from kg.web.refusal import BUSY, RequestRefused

_MODULE: Final = "kg.web.query_process"
_SECONDS_TO_OPEN: Final = 60.0
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

    processes: int = 4
    waiting: int = 64
    seconds_to_wait: float = 10.0
    seconds: float = 30.0
    memory: int = 1 << 30


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
        self._threads = anyio.CapacityLimiter(2 * self.limits.processes)
        self._asking = 0
        self._spool = Path(tempfile.mkdtemp(prefix="accelkg-results-"))
        self._numbers = count()

    async def answer(self, query: ProtocolQuery, disconnected: Callable[[], Awaitable[None]]) -> SentResult:
        """The result of a query. `disconnected` returns when the client has gone, which ends the query.

        Raises RequestRefused where the request is at fault or the pool is full, KgError where the query fails.
        """
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
        shutil.rmtree(self._spool, ignore_errors=True)

    async def _watched(self, query: ProtocolQuery, disconnected: Callable[[], Awaitable[None]]) -> SentResult:
        running = _Running()
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
                        self._run, query, running, limiter=self._threads, abandon_on_cancel=True
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

    def _run(self, query: ProtocolQuery, running: _Running) -> SentResult:
        """The result of a query, in the thread that waits for its process."""
        path = self._spool / str(next(self._numbers))
        generation, worker = self._ready()
        running.start(worker)
        is_sound = False
        try:
            message = self._asked(worker, generation, query, path)
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

    def _asked(self, worker: Worker, generation: Path, query: ProtocolQuery, path: Path) -> tuple[object, ...]:
        limits = self.limits
        seconds = min(limits.seconds, query.seconds or limits.seconds)
        asked = (query.text, query.accept, query.default_graphs, query.named_graphs, query.base, str(path), seconds)
        worker.messages.run(seconds)
        worker.ask(str(generation), limits.memory, *asked)
        message = worker.messages.next()
        if message is None:
            worker.kill()
            raise process_ended(worker.end(), limits.memory)
        return message

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
