"""Queries of a long-lived graph run in processes of their own, which are killed when their time is over.

The embedded RDF engine cannot be stopped from inside. A process opens the very generation that the graph was opened on and
serves one query after another. A further one is started only while those that are there are at work, so that a program of
one thread has one, and a small query does not wait for a slow one.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from kg.errors import StoreError
from kg.stores.forks import leave_in_forks
from kg.stores.oxigraph import GenerationMissing, OxigraphStore
from kg.stores.protocol import Answer, Language
from kg.stores.worker import (
    MEMORY,
    MOST_ROWS,
    Send,
    Worker,
    answer_of,
    limit_resources,
    process_ended,
    serve,
    set_alarm,
    silence,
)

_MOST: Final = 4
"""Processes at once; who comes later waits for one of them."""
_REMOVED: Final = 1.0
"""Seconds in which the files of a generation are deleted, once the first is."""
_KEPT: Final = 2
"""Processes that wait for a query, of some 60 MB each."""


class WorkerStore:
    """The store of one generation, asked through processes of its own, by several threads at once."""

    def __init__(self, generation: Path, *, memory: int = MEMORY) -> None:
        self._generation, self._memory = generation, memory
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._places = threading.Semaphore(_MOST)
        self._is_closed = False
        leave_in_forks(self)

    @property
    def language(self) -> Language:
        """It answers SPARQL."""
        return "sparql"

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        """Rows of a SELECT or ASK query; what is not done in time is killed."""
        most = MOST_ROWS if limit is None else limit
        answer = self._ask("select", text, dict(parameters or {}), most, timeout_seconds)
        assert isinstance(answer, Answer)
        return answer

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:
        """N-Triples of a CONSTRUCT or DESCRIBE query."""
        answer = self._ask("graph", text, {}, MOST_ROWS, timeout_seconds)
        assert isinstance(answer, bytes)
        return answer

    def leave(self) -> None:
        """In a forked process: forget the processes of the one it was forked from, and locks that its threads may hold."""
        idle, self._idle = self._idle, []
        self._lock, self._places = threading.Lock(), threading.Semaphore(_MOST)
        for worker in idle:
            worker.leave()

    def close(self) -> None:
        """End the processes that have nothing to do; one that is at work ends with its query."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()

    def _ask(
        self, what: str, text: str, parameters: Mapping[str, object], limit: int, seconds: float | None
    ) -> Answer | bytes:
        with self._places:
            worker = self._taken()
            worker.messages.run(seconds)
            message = None
            try:
                worker.ask(str(self._generation), self._memory, what, text, parameters, limit, seconds)
                message = worker.messages.next()
            finally:
                # A process without an answer is of no more use: it is killed, and the next query
                # starts another.
                status = self._put_back(worker) if message is not None else worker.end()
            if message is None:
                raise process_ended(status, self._memory)
            # it went while the process opened it, and the engine names a file of its own
            if message[0] == "error" and message[2] == StoreError.exit_code and self._goes():
                raise self._replaced()
            return answer_of(message)

    def _taken(self) -> Worker:
        """A process that has nothing to do, or a new one."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                break
            if worker.is_alive():
                return worker
            worker.end()
        if not self._generation.is_dir():
            raise self._replaced()
        return Worker(__name__)

    def _put_back(self, worker: Worker) -> int:
        """Keep a process for the next query, or end it; 0, since it answered."""
        with self._lock:
            is_kept = not self._is_closed and len(self._idle) < _KEPT
            if is_kept:
                self._idle.append(worker)
        if not is_kept:
            worker.end()
        return 0

    def _goes(self) -> bool:
        """Whether the generation is gone, or is being removed: its files go one by one, and its folder last."""
        until = monotonic() + _REMOVED
        while self._generation.is_dir():
            if monotonic() > until:
                return False
            sleep(0.02)
        return True

    def _replaced(self) -> GenerationMissing:
        return GenerationMissing(
            path=str(self._generation),
            given="a state that loads have replaced since",
            expected="the live state",
            next_step="open the graph again",
        )


@cache
def _opened(generation: str, memory: int) -> OxigraphStore:
    """The store of this process, which may take so much memory from now on."""
    store = OxigraphStore.open(Path(generation))
    store.timeout_seconds = None
    limit_resources(memory)
    silence()
    return store


def _answered(request: list[Any], _: Send) -> tuple[Any, ...]:
    """What the process does with a request."""
    generation, memory, what, text, parameters, limit, seconds = request
    store = _opened(generation, memory)
    set_alarm(seconds)
    try:
        if what == "graph":
            return "bytes", store.graph(text)
        answer = store.select(text, parameters=parameters, limit=limit)
        return "rows", answer.columns, answer.rows, answer.complete
    finally:
        set_alarm(None)


if __name__ == "__main__":
    # The engine does not survive the clearing up at the end of Python (docs/python.md): the process
    # ends without it.
    os._exit(serve(_answered))
