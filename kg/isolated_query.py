"""Free queries run in a process of their own, with a limit of memory and of time: engines cannot be stopped from inside.

The process opens the store itself and is limited from then on; rows come back over a pipe. It is forked where no engine
has been loaded yet, as on the command line; elsewhere it is started anew, since an engine does not survive a fork.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kg.stores.protocol import Answer, Language, Store
from kg.stores.worker import (
    MEMORY,
    MOST_ROWS,
    Messages,
    Send,
    Worker,
    answer_of,
    limit_resources,
    process_ended,
    say,
    sender,
    sent_rows,
    serve,
    set_alarm,
    silence,
)

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_ENGINES: Final = ("pyoxigraph", "ladybug")

Tell = Callable[[str], None]
Progress = Callable[[str, int, int], None]


def _nothing(*_: Any) -> None:
    """Show nothing."""


class Request(NamedTuple):
    """A query with all that its process needs to know."""

    text: str
    language: Language
    store: str | None = None
    content: str | None = None
    limit: int = MOST_ROWS
    timeout_seconds: float = 60.0
    memory: int = MEMORY
    exported: bool = False
    """Whether the triples of an export are asked, and not those of the store."""
    may_build: bool = True
    """Whether a store that is not there or older than its content is built first; a server reads what there is."""


def answer_apart(
    request: Request, *, tell: Tell, progress: Progress = _nothing, opened: Callable[[], None] = _nothing
) -> Answer | bytes:
    """Open the store and ask it in a process of its own; the time runs from the moment the store is `opened`."""
    process = _forked(request) if _may_fork() else _started(request)
    messages = process.messages
    try:
        while (message := messages.next()) is not None:
            kind, *rest = message
            if kind == "tell":
                tell(rest[0])
            elif kind == "progress":
                progress(*rest)
            elif kind == "opened":
                opened()
                messages.run(request.timeout_seconds)
            else:
                return answer_of(message, request.language)
    finally:
        status = process.end()
    raise process_ended(status, request.memory, request.language)


def _may_fork() -> bool:
    return hasattr(os, "fork") and not any(name in sys.modules for name in _ENGINES)


class _Forked(NamedTuple):
    """A process that was forked."""

    reader: int
    child: int

    @property
    def messages(self) -> Messages:
        """What it says."""
        return Messages(self.reader)

    def end(self) -> int:
        """Its exit status, negative for a signal. One that still runs is killed: with its pipe closed it has only to exit."""
        os.close(self.reader)
        # A tenth of a second.
        for _ in range(50):
            found, status = os.waitpid(self.child, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def _forked(request: Request) -> _Forked:
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        send = sender(writer)
        os._exit(say(send, lambda: _run(request, send)))
    os.close(writer)
    return _Forked(reader, child)


def _started(request: Request) -> Worker:
    worker = Worker(__name__)
    worker.ask(*request)
    return worker


def _exported(graph: "Opened") -> Store:
    from kg.export.exported_store import exported_store  # few queries ask for it

    return exported_store(graph)


def _run(request: Request, send: Send) -> tuple[Any, ...]:
    from kg.ask.free_query import free_query
    from kg.session import open_graph, open_what_there_is

    def tell(text: str) -> None:
        send("tell", text)

    def progress(what: str, done: int, total: int) -> None:
        send("progress", what, done, total)

    if request.may_build:
        graph = open_graph(request.store, content=request.content, tell=tell, progress=progress)
    else:
        graph = open_what_there_is(request.store, tell=tell)
    graph.ends_with_its_process()
    store = _exported(graph) if request.exported else graph.in_language(request.language)
    limit_resources(request.memory)
    silence()
    send("opened")
    set_alarm(request.timeout_seconds)
    answer = free_query(store, request.text, limit=request.limit, timeout_seconds=request.timeout_seconds)
    if isinstance(answer, bytes):
        return "bytes", answer
    return "rows", answer.columns, sent_rows(answer.rows, request.language), answer.complete


if __name__ == "__main__":
    status = serve(lambda request, send: _run(Request(*request), send))
    sys.stderr.flush()
    os._exit(status)
