"""What a store holds next to its files does not survive a fork: the threads of an engine stay behind, and whoever waits for them
waits for ever; a pipe or a connection is one for both sides, and the answer to one may be read by the other.

In the child each opened store leaves all of it where it is, neither asked nor ended, and opens its own when it is asked. So
a graph that was opened before a fork answers on both sides of it.
"""

import ctypes
import os
from typing import Final, Protocol
from weakref import WeakSet


class Forkable(Protocol):
    """What has an engine, a process or a connection that stays behind in a fork."""

    def leave(self) -> None:
        """Forget it without ending it."""
        ...


_opened: Final[WeakSet[Forkable]] = WeakSet()


def leave_in_forks(store: Forkable) -> None:
    """From here on the store leaves what it holds in every process that is forked from this one."""
    _opened.add(store)


def never_end(engine: object) -> None:
    """Keep an object to the end of the process and beyond: what ends it would wait for threads that are not there."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))


def _leave_all() -> None:
    for store in list(_opened):
        store.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)
