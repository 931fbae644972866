"""Engines with threads of their own do not survive a fork: the threads stay behind, and whoever waits for them waits for ever.

In the child each opened store leaves its engine where it is, neither asked nor ended, and opens its files anew when it is
asked. So a graph that was opened before a fork answers on both sides of it.
"""

import ctypes
import os
from typing import Final, Protocol
from weakref import WeakSet


class Forkable(Protocol):
    """A store whose engine stays behind in a fork."""

    def leave(self) -> None:
        """Forget the engine without ending it."""
        ...


_opened: Final[WeakSet[Forkable]] = WeakSet()


def leave_in_forks(store: Forkable) -> None:
    """From here on the store leaves its engine in every process that is forked from this one."""
    _opened.add(store)


def never_end(engine: object) -> None:
    """Keep an object to the end of the process and beyond: what ends it would wait for threads that are not there."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))


def _leave_all() -> None:
    for store in list(_opened):
        store.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)
