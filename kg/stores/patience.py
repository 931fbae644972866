"""Work that cannot be stopped from inside, waited for so long and no longer: it runs in a thread that may be left alone.

Threads are kept for the next piece of work. One that is late goes on until its engine comes back, or the process ends.
"""

import os
import queue
import threading
from collections.abc import Callable
from typing import Final, TypeVar

from kg.stores.protocol import DeadlinePassed

PATIENCE: Final = 600.0
"""Seconds a question may take for which nobody gave a time."""

T = TypeVar("T")
_Work = Callable[[], None]


class _Helper:
    """A thread that does one piece of work after another, until it is given None."""

    def __init__(self) -> None:
        self.given: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="kg question", daemon=True).start()

    def _serve(self) -> None:
        while (work := self.given.get()) is not None:
            work()
            del work  # what it holds must not live until the next


_idle: list[_Helper] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # threads are not forked


def in_time(work: Callable[[], T], seconds: float | None) -> T:
    """The result of the work, or what it raises; `DeadlinePassed` after `seconds`. With None it runs in this thread."""
    if seconds is None:
        return work()
    # A queue of its own for each piece of work: an answer that is late lands where nobody listens.
    done: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
            done.put((None, error))

    try:
        helper = _idle.pop()
    except IndexError:
        helper = _Helper()
    helper.given.put(run)
    try:
        # `get` refuses a longer time with an OverflowError.
        answer, error = done.get(timeout=min(seconds, threading.TIMEOUT_MAX))
    except BaseException as cause:
        # It is not idle: it works on, and ends after that instead of being given more.
        helper.given.put(None)
        if isinstance(cause, queue.Empty):
            raise DeadlinePassed.after(seconds) from None
        raise
    _idle.append(helper)
    if error is not None:
        raise error
    return answer  # type: ignore[return-value]  # there is one where there is no error
