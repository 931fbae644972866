"""Queries of a long-lived graph run in a process beside it, which is killed when their time is over.

The embedded RDF engine cannot be stopped from inside. The process is started with the first query, opens the very
generation that the graph was opened on, and serves one query after another; one that was killed is started anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.stores.oxigraph import GenerationMissing, OxigraphStore
from kg.stores.protocol import Answer, Language
from kg.stores.worker import (
    MEMORY,
    MOST_ROWS,
    error_of,
    limit_memory,
    messages_of,
    process_ended,
    say,
    set_alarm,
    with_our_path,
)


class WorkerStore:
    """The store of one generation, asked through a process of its own."""

    def __init__(self, generation: Path, *, memory: int = MEMORY) -> None:
        self._generation, self._memory = generation, memory
        self._process: subprocess.Popen[bytes] | None = None
        self._alone = threading.Lock()

    @property
    def language(self) -> Language:
        """It answers SPARQL."""
        return "sparql"

    def select(
        self, text: str, *, parameters: Mapping[str, object] | None = None, limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:  # fmt: skip
        """Rows of a SELECT or ASK query; what is not done in time is killed."""
        answer = self._ask("select", text, dict(parameters or {}), limit or MOST_ROWS, timeout_seconds)
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
            process = self._started()
            assert process.stdin is not None and process.stdout is not None
            done = False
            try:
                messages = messages_of(process.stdout.fileno(), seconds)
                try:
                    process.stdin.write(json.dumps([what, text, dict(parameters), limit, seconds]).encode() + b"\n")
                    process.stdin.flush()
                    message = messages.next()
                except BrokenPipeError:
                    message = None
                if message is not None:
                    done = True
                    return _answer(message)
            finally:
                status = 0 if done else self._end()
            raise process_ended(status, self._memory)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            if not self._generation.is_dir():
                raise GenerationMissing(
                    path=str(self._generation), given="a state that loads have replaced since", expected="the live state",
                    next_step="open the graph again",
                )  # fmt: skip
            environment = with_our_path()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kg.stores.worker_store"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
            )
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps([str(self._generation), self._memory]).encode() + b"\n")
        return self._process

    def _end(self) -> int:
        """Kill the process; its exit status, which is that of its own end where it had ended already."""
        process, self._process = self._process, None
        if process is None:
            return 0
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        try:
            return process.wait(0.1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _answer(message: tuple[Any, ...]) -> Answer | bytes:
    kind, *rest = message
    if kind == "error":
        raise error_of(rest[0], rest[1])
    if kind == "bytes":
        return bytes(rest[0])
    return Answer(tuple(rest[0]), tuple(rest[1]), bool(rest[2]))


def main() -> int:
    """What the process does: lines of JSON come, first where the store lies, then requests; answers go to what was standard output."""
    writer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)  # an engine without memory says so at length before it aborts
    generation, memory = json.loads(sys.stdin.buffer.readline())
    store = OxigraphStore.open(Path(generation))
    limit_memory(memory)
    for line in sys.stdin.buffer:
        what, text, parameters, limit, seconds = json.loads(line)
        set_alarm(seconds)

        def answer(
            what: str = what, text: str = text, parameters: dict[str, Any] = parameters, limit: int = limit
        ) -> tuple[Any, ...]:
            if what == "graph":
                return "bytes", store.graph(text)
            found = store.select(text, parameters=parameters, limit=limit)
            return "rows", found.columns, found.rows, found.complete

        status = say(writer, answer)
        if status:
            return status
        set_alarm(None)
    return 0


if __name__ == "__main__":
    os._exit(main())
