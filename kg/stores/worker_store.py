"""Queries of a long-lived graph run in a process of their own, which is killed when their time is over.

The embedded RDF engine cannot be stopped from inside. The process is started with the first query, opens the very
generation that the graph was opened on, and serves one query after another; one that was killed is started anew.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

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


class WorkerStore:
    """The store of one generation, asked through a process of its own."""

    def __init__(self, generation: Path, *, memory: int = MEMORY) -> None:
        self._generation, self._memory = generation, memory
        self._worker: Worker | None = None
        self._alone = threading.Lock()

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

    def close(self) -> None:
        """End the process, if there is one."""
        with self._alone:
            self._end()

    def _ask(
        self, what: str, text: str, parameters: Mapping[str, object], limit: int, seconds: float | None
    ) -> Answer | bytes:
        with self._alone:
            worker = self._started()
            worker.messages.run(seconds)
            message = None
            try:
                worker.ask(str(self._generation), self._memory, what, text, parameters, limit, seconds)
                message = worker.messages.next()
            finally:
                # A process without an answer is of no more use: it is killed, and the next query
                # starts another.
                status = 0 if message is not None else self._end()
            if message is None:
                raise process_ended(status, self._memory)
            if message[0] == "error" and not self._generation.is_dir():
                raise self._replaced()  # it went while the process opened it, and the engine names a file of its own
            return answer_of(message)

    def _started(self) -> Worker:
        if self._worker is None or not self._worker.is_alive():
            self._end()
            if not self._generation.is_dir():
                raise self._replaced()
            self._worker = Worker(__name__)
        return self._worker

    def _replaced(self) -> GenerationMissing:
        return GenerationMissing(
            path=str(self._generation),
            given="a state that loads have replaced since",
            expected="the live state",
            next_step="open the graph again",
        )

    def _end(self) -> int:
        """Kill the process; its exit status, which is that of its own end where it had ended already."""
        worker, self._worker = self._worker, None
        return 0 if worker is None else worker.end()


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
