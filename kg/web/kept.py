"""Results that many pages show and that take long to make, kept for as long as the data they were made from is live."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from kg.session import Graph

Result = TypeVar("Result")


class _Making:
    """A result, or the lock of who makes it."""

    __slots__ = ("lock", "result")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.result: list[Any] = []


class KeptResults:
    """Results of one state of a graph by name; those of an earlier state are dropped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: tuple[str, str, str] | None = None
        self._results: dict[str, _Making] = {}

    def __len__(self) -> int:
        """How many names are kept."""
        return len(self._results)

    def get(self, graph: Graph, name: str, make: Callable[[], Result]) -> Result:
        """The result of this name, made where it is not kept; who asks for it meanwhile waits for the one who makes it."""
        state = _state(graph)
        if state is None:
            return make()
        with self._lock:
            if self._state != state:
                self._state, self._results = state, {}
            making = self._results.setdefault(name, _Making())
        # Not the lock of all: what takes long to make keeps nobody from what is made already.
        with making.lock:
            if not making.result:
                try:
                    making.result.append(make())
                except BaseException:
                    self._forget(name, making)
                    raise
            return cast(Result, making.result[0])

    def _forget(self, name: str, making: _Making) -> None:
        """Keep nothing of what could not be made: names of things that are not there have no end."""
        with self._lock:
            if self._results.get(name) is making:
                del self._results[name]


def _state(graph: Graph) -> tuple[str, str, str] | None:
    """What tells one state of the data from the next; None where it may change from one moment to the next."""
    if graph.server is not None:
        # The graph of a server stays open while others push to it: what was pushed last is asked for each time.
        pushed = graph.server.state()
        return None if pushed is None or pushed.state != "ready" else (graph.server.shown, "", pushed.run)
    # The head of the ledger too: a generation that was deleted and built anew may get the
    # number of one before.
    return str(graph.folder), str(graph.stamp.get("generation")), str(graph.stamp.get("head"))


KEPT: Final = KeptResults()
