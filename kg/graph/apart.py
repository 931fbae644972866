"""Free queries run in a process of their own, with a limit of memory and of time: engines cannot be stopped from inside.

The process opens the store itself and is limited from then on; rows come back over a pipe. It is forked where no engine
has been loaded yet, as on the command line; elsewhere it is started anew, since an engine does not survive a fork.
"""

import contextlib
import json
import marshal
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from kg.errors import KgError, QueryError, StoreError
from kg.stores.protocol import Answer, DeadlinePassed, JsonText, Language, Row

MEMORY: Final = 2 << 30
"""What a query may take beside what the opened store takes, in bytes."""
MOST_ROWS: Final = 1_000_000
"""Rows that are read where no limit was asked for."""
_ENGINES: Final = ("pyoxigraph", "ladybug")
_FIELDS: Final = ("message", "code", "path", "line", "field", "given", "expected", "next_step")
_LENGTH: Final = struct.Struct(">Q")
_NO_MEMORY: Final = 70
_GRACE: Final = 5
"""Seconds after its deadline at which a process ends itself."""

Tell = Callable[[str], None]
Progress = Callable[[str, int, int], None]
Send = Callable[..., None]


def _nothing(*_: Any) -> None:
    """Show nothing."""


class QueryEnded(QueryError):
    """The engine ended while it ran a query."""

    code = "query.ended"
    exit_code = 3


class Request(NamedTuple):
    """A query with all that its process needs to know."""

    text: str
    language: Language
    store: str | None = None
    content: str | None = None
    limit: int = MOST_ROWS
    timeout_seconds: float = 60.0
    memory: int = MEMORY


def answer_apart(
    request: Request, *, tell: Tell, progress: Progress = _nothing, opened: Callable[[], None] = _nothing
) -> Answer | bytes:
    """Open the store and ask it in a process of its own; the time runs from the moment the store is `opened`."""
    process = _forked(request) if _may_fork() else _started(request)
    messages = _Messages(process.reader, request.timeout_seconds)
    try:
        while (message := messages.next()) is not None:
            kind, *rest = message
            if kind == "tell":
                tell(rest[0])
            elif kind == "progress":
                progress(*rest)
            elif kind == "opened":
                opened()
                messages.run()
            elif kind == "error":
                raise error_of(rest[0], rest[1])
            elif kind == "bytes":
                return bytes(rest[0])
            else:
                return Answer(tuple(rest[0]), received_rows(rest[1], request.language), bool(rest[2]))
    finally:
        status = process.end()
    raise process_ended(status, request.memory)


def _may_fork() -> bool:
    return hasattr(os, "fork") and not any(name in sys.modules for name in _ENGINES)


class _Forked(NamedTuple):
    """A process that was forked."""

    reader: int
    child: int

    def end(self) -> int:
        """Its exit status, negative for a signal. One that still runs is killed: with its pipe closed it has only to exit."""
        os.close(self.reader)
        for _ in range(50):
            found, status = os.waitpid(self.child, os.WNOHANG)
            if found:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


class _Started(NamedTuple):
    """A process that was started anew."""

    reader: int
    process: "subprocess.Popen[bytes]"

    def end(self) -> int:
        """Its exit status, negative for a signal."""
        if self.process.stdout is not None:
            self.process.stdout.close()
        try:
            return self.process.wait(0.1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def _forked(request: Request) -> _Forked:
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os._exit(_serve(request, writer))
    os.close(writer)
    return _Forked(reader, child)


def with_our_path() -> dict[str, str]:
    """The environment of a process that imports what this one imports."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _started(request: Request) -> _Started:
    environment = with_our_path()
    process = subprocess.Popen(
        [sys.executable, "-m", "kg.graph.apart"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdin is not None and process.stdout is not None
    with process.stdin as told:
        told.write(json.dumps(request._asdict()).encode())
    return _Started(process.stdout.fileno(), process)


def messages_of(reader: int, seconds: float | None) -> "_Messages":
    """What a process says from now on, within so many seconds."""
    messages = _Messages(reader, seconds)
    messages.run()
    return messages


class _Messages:
    """What the process says, until its time is over."""

    def __init__(self, reader: int, seconds: float | None) -> None:
        self._reader, self._seconds = reader, seconds
        self._until: float | None = None

    def run(self) -> None:
        """From here on the time runs."""
        self._until = None if self._seconds is None else time.monotonic() + self._seconds

    def next(self) -> tuple[Any, ...] | None:
        """The next message; None when the process ended without one."""
        head = self._read(_LENGTH.size)
        body = None if head is None else self._read(_LENGTH.unpack(head)[0])
        return None if body is None else tuple(marshal.loads(body))  # noqa: S302 - written by our own process

    def _read(self, size: int) -> bytes | None:
        parts: list[bytes] = []
        while size:
            if self._until is not None and not self._in_time():
                raise DeadlinePassed(
                    f"no answer after {self._seconds:g} s.", expected="a query that ends within its deadline",
                    next_step="Ask for less, or give more time with --timeout",
                )  # fmt: skip
            part = os.read(self._reader, min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _in_time(self) -> bool:
        if os.name == "nt":  # pipes cannot be waited for there; the engine's own time-out remains
            return True
        assert self._until is not None
        return bool(select.select([self._reader], [], [], max(0.0, self._until - time.monotonic()))[0])


def _serve(request: Request, writer: int) -> int:
    """The whole life of the process; its exit status."""
    return say(writer, lambda: _run(request, _sender(writer)))


def _sender(writer: int) -> Send:
    def send(*message: Any) -> None:
        body = marshal.dumps(message)
        whole = memoryview(_LENGTH.pack(len(body)) + body)
        while whole:
            whole = whole[os.write(writer, whole) :]

    return send


def say(writer: int, work: Callable[[], tuple[Any, ...]]) -> int:
    """Do something and send the message it gives, or what went wrong; the exit status when there is no going on."""
    send = _sender(writer)
    try:
        send(*work())
    except KgError as error:
        send("error", {name: getattr(error, name) for name in _FIELDS}, error.exit_code)
    except MemoryError:
        return _NO_MEMORY
    except BaseException as error:  # noqa: BLE001 - whatever it is, the one who asked must hear of it
        with contextlib.suppress(OSError):
            send("error", {"message": f"{type(error).__name__}: {error}", "code": "kg"}, 2)
    return 0


def _run(request: Request, send: Send) -> tuple[Any, ...]:
    from kg.graph.graph import free_query, open_graph

    def tell(text: str) -> None:
        send("tell", text)

    def progress(what: str, done: int, total: int) -> None:
        send("progress", what, done, total)

    graph = open_graph(request.store, content=request.content, tell=tell, progress=progress)
    graph.in_language(request.language)
    limit_memory(request.memory)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # an engine without memory says so at length before it aborts
    send("opened")
    set_alarm(request.timeout_seconds)
    answer = free_query(
        graph.in_language(request.language), request.text, limit=request.limit, timeout_seconds=request.timeout_seconds
    )
    if isinstance(answer, bytes):
        return "bytes", answer
    return "rows", answer.columns, sent_rows(answer.rows, request.language), answer.complete


def sent_rows(rows: tuple[Row, ...], language: Language) -> tuple[tuple[Any, ...], ...]:
    """Rows as the pipe takes them: it knows no kinds of text, so that a cell of JSON goes as a text in a tuple."""
    if language == "sparql":
        return rows
    return tuple(tuple((str(cell),) if isinstance(cell, JsonText) else cell for cell in row) for row in rows)


def received_rows(rows: Iterable[tuple[Any, ...]], language: Language) -> tuple[Row, ...]:
    """Rows as they were sent.

    >>> received_rows(sent_rows(((JsonText("[1]"), "[1]", 2),), "cypher"), "cypher")[0][0].__class__.__name__
    'JsonText'
    """
    if language == "sparql":
        return tuple(rows)
    return tuple(tuple(JsonText(cell[0]) if isinstance(cell, tuple) else cell for cell in row) for row in rows)


def set_alarm(seconds: float | None) -> None:
    """Let the system end this process some time after its deadline, should nobody be left to kill it; None ends the wait."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + _GRACE)


def limit_memory(memory: int) -> None:
    """Let the process grow by so much and no more, where the system can do that."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            taken = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + memory, taken + memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return


def _allowed(memory: int) -> int:
    """What a query may take, or all that the system lets this process have where that is less."""
    try:
        import resource
    except ImportError:
        return memory
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return memory if soft == resource.RLIM_INFINITY else min(memory, soft)


def error_of(fields: dict[str, Any], exit_code: int) -> KgError:
    """An error of the process as one of this process."""
    message = fields.pop("message") or ""
    kind = StoreError if exit_code == StoreError.exit_code else QueryError
    return kind(message, **fields)


def process_ended(status: int, memory: int) -> KgError:
    """Why there was no answer."""
    if status in (-signal.SIGABRT, -getattr(signal, "SIGKILL", signal.SIGABRT), _NO_MEMORY):
        return QueryEnded(
            code="query.memory", given=f"more than {_allowed(memory) >> 20} MB", expected="a query that fits in memory",
            next_step="ask for less: name a claim, a thing or a metric to start from",
        )  # fmt: skip
    return QueryEnded(
        "the engine ended while it ran the query.", given=f"signal {-status}" if status < 0 else f"status {status}",
        expected="a query that the engine can run", next_step="write it another way",
    )  # fmt: skip


def main() -> int:
    """What a process does that was started anew: the request comes on standard input, messages go to standard output."""
    writer = os.dup(1)
    os.dup2(2, 1)  # what an engine may print must not get among the messages
    return _serve(Request(**json.loads(sys.stdin.buffer.read())), writer)


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)
