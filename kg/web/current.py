"""The graph that readers of a running server get: the generation that is live now, opened again when it moved on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.content.attached import attached_folders
from kg.content.attached import pointer as text_note
from kg.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from kg.session import Graph


_FOLLOWED_AFTER: Final = 5.0
"""Seconds for which what a server said of its last push is taken as true."""


class FileState(NamedTuple):
    """What tells one state of a file or folder from the next."""

    # A pointer is replaced by another file, so the inode changes even where two builds end in one
    # tick of the clock.
    changed_ns: int
    inode: int
    size: int


class DataState(NamedTuple):
    """What answers are made from: while it is the same, so is the answer to the same request."""

    generation: FileState
    texts: tuple[FileState | None, ...]
    """The note of the attached texts and the folders that they lie in."""


class StoreGone(StoreError):
    """The store was deleted, or nothing that can be read is live in it, while the server ran."""

    code = "store.missing"


@dataclass(slots=True)
class _Opened:
    """A graph with the number of requests that read it."""

    graph: Graph
    mark: FileState | None
    readers: int = 0
    is_replaced: bool = False


class CurrentGraph:
    """Lends the graph of the live generation; one that was replaced is closed when its last reader is done.

    `reopen` gives the live graph or None; `pointer` is the file that changes with it, None for a server, which has none.
    Thread-safe: readers of many threads share one opened graph.
    """

    def __init__(
        self,
        graph: Graph,
        reopen: Callable[[], Graph | None],
        pointer: Path | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock, self._following = threading.Lock(), threading.Lock()
        self._clock, self._followed = clock, clock()
        self._reopen, self._pointer = reopen, pointer
        self._opened = _Opened(graph, file_state(pointer))
        self._noted: FileState | None = None
        self._texts: tuple[Path, ...] = ()

    @contextmanager
    def reading(self) -> Iterator[Graph]:
        """The live graph for as long as one request needs it. Raises StoreGone where there is none."""
        self._follow()
        with self._lock:
            opened = self._live()
            opened.readers += 1
        try:
            yield opened.graph
        finally:
            with self._lock:
                opened.readers -= 1
                self._close_unread(opened)

    @property
    def latest(self) -> Graph:
        """The graph that was opened last, for what it was opened on."""
        return self._opened.graph

    def close(self) -> None:
        """Let go of the graph; whoever reads it still is the last."""
        with self._lock:
            self._opened.is_replaced = True
            self._close_unread(self._opened)

    def _follow(self) -> None:
        """Ask a server now and then whether it was pushed to; who comes while another one asks takes what is known."""
        if self._pointer is not None or not self._following.acquire(blocking=False):
            return
        try:
            if self._clock() - self._followed >= _FOLLOWED_AFTER:
                self._followed = self._clock()
                self._opened.graph.follow_server()
        finally:
            self._following.release()

    def _live(self) -> _Opened:
        mark = file_state(self._pointer)
        if self._pointer is None or mark == self._opened.mark:
            return self._opened
        graph = None if mark is None else self._reopen()
        if graph is None:
            raise StoreGone(
                path=str(self._pointer.parent.parent),
                given="no data that this version can read",
                expected="a store that kg build made",
                next_step="run kg build; this page works again when it is done",
            )
        before, self._opened = self._opened, _Opened(graph, mark)
        before.is_replaced = True
        self._close_unread(before)
        return self._opened

    def state(self) -> DataState | None:
        """What is live; None where nothing is, or where a server is read, which does not say when it changes."""
        generation = file_state(self._pointer)
        if self._pointer is None or generation is None:
            return None
        note, own = text_note(self._pointer.parent.parent), self._opened.graph.content.own
        noted = file_state(note)
        if noted != self._noted:
            self._noted, self._texts = noted, attached_folders(self._pointer.parent.parent)
        # The folder `documents` of own content belongs to the attached texts without a note of it.
        folders = (*self._texts, None if own is None else own / "documents")
        return DataState(generation, (noted, *(file_state(one) for one in folders)))

    @staticmethod
    def _close_unread(opened: _Opened) -> None:
        if opened.is_replaced and not opened.readers:
            opened.graph.close()


def file_state(path: Path | None) -> FileState | None:
    """The state of a file or folder; None where it is not there."""
    if path is None:
        return None
    try:
        stat = path.stat()
    except OSError:
        return None
    return FileState(stat.st_mtime_ns, stat.st_ino, stat.st_size)


def current_graph(graph: Graph) -> CurrentGraph:
    """What follows the generations of the store that a graph was opened on."""
    from kg.session import open_as_it_is

    if graph.server is not None:
        return CurrentGraph(graph, lambda: None, None)
    # As it is: the server never builds, and where the store is gone its pages say so (decision 28).
    return CurrentGraph(graph, lambda: open_as_it_is(graph.folder, graph.content), graph.folder / "rdf" / "current")
