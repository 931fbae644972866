"""Commands under a limit of memory: an engine that gets none ends its process, so that another one has to say why."""

import os
import signal
import sys
from collections.abc import Callable

_FOR_WANT_OF_MEMORY = tuple(
    getattr(signal, name) for name in ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGKILL") if hasattr(signal, name)
)
_NO_THREAD_MEMORY = 127
"""The exit code with which the C library ends a process that has no memory for what a thread keeps; no command of ours has it."""


def survived(command: Callable[[], int]) -> int:
    """The exit code of a command; where memory is limited it runs in a process whose end we live to tell.

    Without a limit the engines do not end for want of memory, and nothing is forked.
    """
    allowed = memory_limit()
    if allowed is None:
        return command()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        return command()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda caught, _: os.kill(child, caught))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if -code in _FOR_WANT_OF_MEMORY or code == _NO_THREAD_MEMORY:
        from kg.stores.protocol import LimitReached

        error = LimitReached(
            given=f"at most {allowed >> 20} MB of memory",
            expected="as much as the engine needs to start, 1 GB for a build",
            next_step="allow more with ulimit -v, or ask for less",
        )
        print(error, file=sys.stderr)
        return error.exit_code
    return code if code >= 0 else 128 - code


def memory_limit() -> int | None:
    """The bytes that this process may map; None without a limit, or where the system knows none."""
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft
