"""The isolated process for untrusted work: queries, foreign files, an engine that builds. One protocol for all of them.

Engines and parsers cannot be stopped from inside, so that they run in a process that can be killed. It takes requests as
lines of JSON on its standard input and says messages, each a tuple, through what was its standard output; an error is a
message too. `Worker` is the side that asks, `serve` the side that works.
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
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from kg.errors import KgError, QueryError, StoreError, out_of_reach
from kg.stores.memory_limit import ALLOW_MORE, memory_limit
from kg.stores.protocol import Answer, DeadlinePassed, JsonText, Language, Row

MEMORY: Final = 2 << 30
"""What a query may take on top of what the opened store takes, in bytes."""
MOST_ROWS: Final = 1_000_000
"""Rows that are read where no limit was asked for."""
_FIELDS: Final = ("message", "code", "path", "line", "field", "given", "expected", "next_step")
_LENGTH: Final = struct.Struct(">Q")
# A small message goes out in one piece, so that who waits is woken once; a large one is not copied
# for its head.
_IN_ONE_WRITE: Final = 1 << 14
# The most that Linux allows to anyone who is not root.
_PIPE: Final = 1 << 20
# EX_SOFTWARE of sysexits: no exit status of Python or of a signal.
_NO_MEMORY: Final = 70
_NOT_LOADED: Final = 127
"""How a program ends whose libraries found no room under a limit."""
_GRACE: Final = 5
"""Seconds after its deadline at which a process ends itself."""
_STATM: Final = "/proc/self/statm"
_ADDRESSES: Final = 1 << 48
"""More than a process can map."""
WAITS: Final = 10
"""How many times its limit of processor time a process is waited for by the clock: others may be using the machine."""

SEE_WHERE: Final = "run again with KG_DEBUG=1 to see where it is, and report it"
"""What to do about an error of a process that has no code of its own."""

Send = Callable[..., None]


class QueryEnded(QueryError):
    """The engine ended while it ran a query."""

    code = "query.ended"
    exit_code = 3


def with_our_path() -> dict[str, str]:
    """The environment of a process that imports what this one imports."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


class Messages:
    """What a process says, until its time is over."""

    def __init__(self, reader: int) -> None:
        self.reader = reader
        self._seconds = 0.0
        self._until: float | None = None

    def fileno(self) -> int:
        """What a process that waits for several listens to."""
        return self.reader

    def run(self, seconds: float | None) -> None:
        """From here on the time runs; None for no end."""
        self._until = None if seconds is None else time.monotonic() + seconds
        self._seconds = seconds or 0.0

    def next(self) -> tuple[Any, ...] | None:
        """The next message; None when the process ended without one."""
        head = self._read(_LENGTH.size)
        body = None if head is None else self._read(_LENGTH.unpack(head)[0])
        return None if body is None else tuple(marshal.loads(body))  # noqa: S302 - written by our own process

    def _read(self, size: int) -> bytes | None:
        parts: list[bytes] = []
        while size:
            if self._until is not None and not self._in_time():
                raise DeadlinePassed.after(self._seconds)
            part = os.read(self.reader, min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _in_time(self) -> bool:
        if os.name == "nt":  # pipes cannot be waited for there; the engine's own time-out remains
            return True
        assert self._until is not None
        return bool(readable([self.reader], max(0.0, self._until - time.monotonic())))


def readable(readers: Iterable[int], seconds: float | None = None) -> list[int]:
    """Those of some pipes that have something to say, or have ended; waits until one has, or `seconds`."""
    poll = select.poll()  # select() takes no file whose number is above 1,023
    for one in readers:
        poll.register(one, select.POLLIN)
    return [one for one, _ in poll.poll(None if seconds is None else min(seconds, _LONGEST) * 1000)]


_LONGEST: Final = 1e6
"""Seconds, eleven days: the system counts what it waits in milliseconds of 31 bits."""


class Worker:
    """A module of this package that serves in a process of its own."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=with_our_path()
        )
        assert self._process.stdout is not None
        self.messages = Messages(self._process.stdout.fileno())
        _widen(self.messages.reader)

    def ask(self, *request: Any) -> None:
        """One request; where the process has ended, the lack of messages tells."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def is_alive(self) -> bool:
        """Whether it takes requests."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once, in the middle of anything."""
        self._process.kill()

    def leave(self) -> None:
        """In a fork of the process that asks: let go of the pipes without a word, since the other side goes on with them."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                os.dup2(nowhere, stream.fileno(), inheritable=False)
        os.close(nowhere)

    def end(self) -> int:
        """Its exit status, negative for a signal. One that goes on without its pipes is killed."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        try:
            return self._process.wait(0.1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def serve(work: Callable[[list[Any], "Send"], tuple[Any, ...]]) -> int:
    """The whole life of a process: do the work of each request and send its last message; the exit status."""
    # Ctrl-C reaches all processes of a terminal; the one that asks has the words for it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    writer = os.dup(1)
    os.dup2(2, 1)  # what an engine may print must not get among the messages
    send = sender(writer)
    status = 0
    while not status and (line := sys.stdin.buffer.readline()):
        status = say(send, partial(work, json.loads(line), send))
    return status


def _widen(pipe: int) -> None:
    """Let a pipe hold a whole result, where the system can: its writer is else stopped and woken at every 64 kB."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def silence() -> None:
    """Say nothing more at a terminal: an engine without memory says so at length before it aborts."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def sender(writer: int) -> Send:
    """Sends messages through a pipe, each whole."""

    def send(*message: Any) -> None:
        body = marshal.dumps(message)
        head = _LENGTH.pack(len(body))
        for part in (head, body) if len(body) > _IN_ONE_WRITE else (head + body,):
            rest = memoryview(part)
            while rest:
                rest = rest[os.write(writer, rest) :]

    return send


def say(send: Send, work: Callable[[], tuple[object, ...]]) -> int:
    """Do something and send the message it gives, or what went wrong; the exit status when there is no going on."""
    try:
        send(*work())
    except KgError as error:
        with contextlib.suppress(OSError):  # nobody listens any more
            send(*_error_message(error))
    except MemoryError:
        return _NO_MEMORY
    except OSError as error:
        with contextlib.suppress(OSError):
            send(*_error_message(out_of_reach(error)))
    except BaseException:  # noqa: BLE001 - any error goes to the one who asked, and its place to who looks for mistakes
        if os.environ.get("KG_DEBUG"):
            traceback.print_exc()
        with contextlib.suppress(OSError):
            send(*_error_message(KgError("A mistake of the program.", next_step=SEE_WHERE)))
    return 0


def _error_message(error: KgError) -> tuple[object, ...]:
    return "error", {name: getattr(error, name) for name in _FIELDS}, error.exit_code


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


def limit_resources(memory: int, processor_seconds: int | None = None) -> None:
    """Let the process grow by so much and no more, and work for so long, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    # No file of the memory after an abort: it may be gigabytes of somebody's disk.
    limits = {resource.RLIMIT_AS: _address_space() + memory, resource.RLIMIT_CORE: 0}
    if processor_seconds is not None:
        limits[resource.RLIMIT_CPU] = processor_seconds
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        # at the soft limit on time a signal says what happened, after the hard one the system kills without a word
        allowed, kill_at = most, most + _GRACE if kind == resource.RLIMIT_CPU else most
        if hard != resource.RLIM_INFINITY:
            allowed, kill_at = min(allowed, hard), min(kill_at, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (allowed, kill_at))


def _address_space() -> int:
    """What this process has mapped, in bytes."""
    import resource

    try:
        with open(_STATM, encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return _tried_address_space()


def _tried_address_space() -> int:
    """The same where the system does not tell: the lowest limit under which another page can be had, to 16 MB.

    What is resident (`ru_maxrss`) would not do: an engine maps terabytes that it does not use.
    """
    import mmap
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, _ADDRESSES if before[0] == resource.RLIM_INFINITY else before[0]
    try:
        while high - low > 16 << 20:
            middle = (low + high) // 2
            try:
                resource.setrlimit(resource.RLIMIT_AS, (middle, before[1]))
                mmap.mmap(-1, mmap.PAGESIZE).close()
                high = middle
            except (OSError, MemoryError):
                low = middle
    except ValueError:  # no such limit may be set: it will not hold either
        high = low
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    return high


def is_out_of_processor_time(status: int) -> bool:
    """Whether a process ended with this status because its processor time was used up."""
    return -status in (getattr(signal, "SIGXCPU", 0), getattr(signal, "SIGPROF", 0)) and status < 0


def answer_of(message: tuple[Any, ...], language: Language = "sparql") -> Answer | bytes:
    """The last message about a query: its rows or triples; an error is raised."""
    kind, *rest = message
    if kind == "error":
        raise error_of(rest[0], rest[1])
    if kind == "bytes":
        return bytes(rest[0])
    return Answer(tuple(rest[0]), received_rows(rest[1], language), bool(rest[2]))


def error_of(fields: dict[str, Any], exit_code: int) -> KgError:
    """An error of the process as one of this process."""
    message = fields.pop("message") or ""
    kind = StoreError if exit_code == StoreError.exit_code else QueryError
    return kind(message, **fields)


def process_ended(status: int, memory: int, language: Language = "sparql") -> KgError:
    """Why there was no answer."""
    # SIGABRT is an engine that got no memory, SIGKILL the system that took back what there was.
    allowed = memory_limit()
    no_memory = [-signal.SIGABRT, -getattr(signal, "SIGKILL", signal.SIGABRT), _NO_MEMORY]
    if status in no_memory or (status == _NOT_LOADED and allowed is not None):
        is_less = allowed is not None and allowed < memory
        return QueryEnded(
            code="query.memory",
            given=f"more than {(allowed if is_less and allowed else memory) >> 20} MB",
            expected="a query that fits in memory",
            next_step="ask for less: name a claim, a thing or a metric to start from"
            + (f"; or {ALLOW_MORE}, 1 GB for Cypher" if is_less else ""),
        )
    return QueryEnded(
        "the engine ended while it ran the query.",
        given=f"signal {-status}" if status < 0 else f"status {status}",
        expected="a query that the engine can run",
        next_step="write it another way"
        + (
            "; an answer with a date before year 1 or after year 9999 ends it: return it as text, string(...)"
            if language == "cypher" and status == -signal.SIGSEGV
            else ""
        ),
    )
