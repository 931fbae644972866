"""Commands under a limit of memory: an engine that gets none ends its process, so that another one has to say why."""

import os
import re
import signal
import sys
from collections.abc import Callable
from typing import Final

from kg.cli.shown import moved, say
from kg.stores.memory_limit import ALLOW_MORE, memory_limit

_FOR_WANT_OF_MEMORY = tuple(
    getattr(signal, name) for name in ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGKILL") if hasattr(signal, name)
)
_NO_THREAD_MEMORY = 127
"""The exit code with which the C library ends a process that has no memory for what a thread keeps; no command of ours has it."""
# Meets the line "memory allocation of 64 bytes failed", not the same words further on in a line.
_LAST_WORDS: Final = re.compile(
    rb"terminate called |  what\(\): |memory allocation of \d+ bytes failed|Anonymous mmap "
)


def survived(command: Callable[[], int]) -> int:
    """The exit code of a command; where memory is limited it runs in a process whose end we live to tell.

    Without a limit the engines do not end for want of memory, and nothing is forked.
    """
    allowed = memory_limit()
    if allowed is None:
        return command()
    # What is still in a buffer would be written by both processes.
    sys.stdout.flush()
    sys.stderr.flush()
    engines = os.memfd_create("kg") if hasattr(os, "memfd_create") else None
    child = os.fork()
    if child == 0:
        if engines is not None:
            # Our own messages go where they went; what engines write to descriptor 2 is kept for
            # the parent.
            sys.stderr = moved(sys.stderr, os.dup(2))
            os.dup2(engines, 2)
        return command()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda caught, _: os.kill(child, caught))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if engines is not None:
        _pass_on(engines)
    if -code in _FOR_WANT_OF_MEMORY or code == _NO_THREAD_MEMORY:
        from kg.stores.protocol import LimitReached

        error = LimitReached(
            given=f"at most {allowed >> 20} MB of memory",
            expected="as much as the engine needs to start, 1 GB for a build and for Cypher",
            next_step=f"{ALLOW_MORE}, or ask for less",
        )
        say(str(error))
        return error.exit_code
    # As shells say it of a process that a signal ended.
    return code if code >= 0 else 128 - code


def _pass_on(engines: int) -> None:
    """Write what engines said past us, but for the lines with which they end for want of memory: those we say ourselves."""
    with open(engines, "rb") as said:
        said.seek(0)
        for line in said:
            if os.environ.get("KG_DEBUG") or not _LAST_WORDS.match(line):
                sys.stderr.write(line.decode(errors="backslashreplace"))
