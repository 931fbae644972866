"""Several processes on one port: each opens the graph and answers by itself, and the system hands connections to whoever takes them.

Nothing is shared but the socket: each follows the generations of the store as a single one does (`kg.web.current`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Final

import uvicorn

from kg.errors import KgError, StoreError
from kg.web.connection import bounded_config

if TYPE_CHECKING:
    import socket
    from multiprocessing.process import BaseProcess

    from starlette.types import ASGIApp

_SECONDS_TO_STAY: Final = 5.0
"""A process that ends sooner than this after its start is counted as one that could not serve."""
_MOST_ENDS: Final = 3
"""Times that a process may end sooner than that after its start: after this many the next one would as well."""
_SECONDS_TO_END: Final = 8.0
"""Longer than a server waits for its open requests when it is asked to stop (3 s, `bounded_config`); then it is killed."""


class WorkerEnded(StoreError):
    """A process of the server ended as soon as it was started."""

    code = "serve.worker"


def serve_in_processes(make: Callable[[], ASGIApp], listening: socket.socket, count: int) -> None:
    """Serve what `make` makes in this many processes, until this one is asked to end; one that ends is started again.

    `make` is sent to them, so that it holds values only, nothing that is open. They are started anew and not forked: an
    engine does not survive that. Raises WorkerEnded.
    """
    # Not uvicorn's own supervisor: its signature changed twice within the versions we accept, and it
    # starts a worker that cannot start for ever (decision 43).
    context = get_context("spawn")
    running: dict[BaseProcess, float] = {}
    too_soon = 0

    def start() -> None:
        process = context.Process(target=_serve, args=(make, listening), daemon=False)
        process.start()
        running[process] = time.monotonic()

    with _ended_by_signals():
        try:
            for _ in range(count):
                start()
            while True:
                wait([one.sentinel for one in running])
                for process in [one for one in running if not one.is_alive()]:
                    is_early = time.monotonic() - running.pop(process) < _SECONDS_TO_STAY
                    # Counted in a row: one that ended after days of work says nothing of whether
                    # the next will stay.
                    too_soon = too_soon + 1 if is_early else 0
                    if too_soon > _MOST_ENDS:
                        raise WorkerEnded(
                            given=f"exit status {process.exitcode}",
                            expected="processes that stay",
                            next_step="the lines above say why; kg serve without --workers says it in one",
                        )
                    start()
        finally:
            _end(list(running))


def _serve(make: Callable[[], ASGIApp], listening: socket.socket) -> None:
    """The life of one process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        uvicorn.Server(bounded_config(make())).run(sockets=[listening])
    except KgError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:  # Ctrl-C reaches all processes of a terminal
        sys.exit(0)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        # Also when the parent was killed and could not end its processes.
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _end(processes: list[BaseProcess]) -> None:
    for one in processes:
        one.terminate()
    until = time.monotonic() + _SECONDS_TO_END
    for one in processes:
        one.join(max(0.0, until - time.monotonic()))
        if one.is_alive():
            one.kill()
            one.join()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGINT leave the block, and the program with status 0."""
    before = {one: signal.signal(one, lambda *_: sys.exit(0)) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
