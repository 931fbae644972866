"""Results that many pages show and that take long to make, kept for as long as the data they were made from is live."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from kg.session import Graph

Result = TypeVar("Result")


class KeptResults:
    """Results of one state of a graph by name; those of an earlier state are dropped. One is made at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: tuple[str, str, str] | None = None
        self._results: dict[str, Any] = {}

    def get(self, graph: Graph, name: str, make: Callable[[], Result]) -> Result:
        """The result of this name, made where it is not kept."""
        state = (str(graph.folder), str(graph.stamp.get("generation")), str(graph.stamp.get("head")))
        with self._lock:
            if self._state != state:
                self._state, self._results = state, {}
            if name not in self._results:
                self._results[name] = make()
            return cast(Result, self._results[name])


KEPT: Final = KeptResults()
