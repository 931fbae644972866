"""The embedded RDF store: Oxigraph in a folder, read-only while it answers, built in generations.

`rdf/gen-000007/` is one complete store; `rdf/current` names the live one. A live generation is never written: a change
copies it (Oxigraph hard-links its files), changes the copy, and moves the name.
"""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import Any, Final, cast

import pyoxigraph

from kg.errors import QueryError, StoreError
from kg.model.chunks import in_pieces
from kg.model.view_stamp import ViewStamp
from kg.model.vocabulary import thing_id
from kg.stores.cells import literal_cell
from kg.stores.generations import GenerationFolder, Switch
from kg.stores.patience import PATIENCE, in_time
from kg.stores.protocol import Answer, Cell, Language, LimitReached

_PIECE: Final = 1 << 20
"""Characters that are handed over at once: waking another thread has its price."""
# Meets "The custom function <http://x/f> is not supported", with or without "aggregate".
_UNKNOWN_FUNCTION: Final = re.compile(r"custom (?:aggregate )?function <([^>]*)> is not supported")
_LEAST_FILES: Final = 128
"""Open files below which the engine does not start, with those of this program."""
# The soft limit that most systems set.
_WANTED_FILES: Final = 1024
_WAITING: Final = 4
"""This many pieces of text wait for the engine."""


class QueryRefused(QueryError):
    """A query that does not parse, or that does more than read."""

    code = "query.refused"


class GenerationMissing(StoreError):
    """The store folder names no complete generation."""

    code = "store.missing"


class ViewDamaged(StoreError):
    """The files of a view do not hold what their engine wrote."""

    code = "store.view"


# Words of RocksDB about a broken block, and of the decoder above it; a query that does not parse is
# a SyntaxError.
_DAMAGE: Final = re.compile(r"Corruption|IO error|checksum|Invalid|corrupt|decod", re.IGNORECASE)
"""What the engine says where it cannot read what it wrote."""


def _cell(term: object) -> Cell:
    if term is None:
        return None
    if isinstance(term, pyoxigraph.NamedNode):
        return thing_id(term.value)
    if isinstance(term, pyoxigraph.Literal):
        return literal_cell(term.value, term.datatype.value)
    return str(term)


@dataclass(slots=True)
class OxigraphStore:
    """One opened generation. The engine cannot be stopped from inside: who waited long enough leaves it, or kills its process."""

    store: pyoxigraph.Store
    timeout_seconds: float | None = PATIENCE
    """How long a question is waited for that is given no time. None where the process itself is ended from outside: a
    thread takes memory of its own, and where that is short the engine may go round in a block without an end."""

    sees_all_graphs: bool = False
    """Whether a query that names no graph is asked of all named ones; a view has none."""

    @property
    def language(self) -> Language:
        """It answers SPARQL."""
        return "sparql"

    @classmethod
    def open(cls, folder: Path) -> "OxigraphStore":
        """Open a generation for reading; writers may make the next one meanwhile."""
        allow_files()
        try:
            if damage := Generations(folder.parent).damage_at_opening(folder):
                raise OSError(damage)
            return cls(pyoxigraph.Store.read_only(str(folder)))
        except (OSError, RuntimeError) as cause:
            raise GenerationMissing(
                path=str(folder),
                given=str(cause).splitlines()[0],
                expected="a complete generation",
                next_step="run kg build",
            ) from cause

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        """Rows of a SELECT or ASK query; ids are shortened, numbers are numbers."""
        if parameters:
            raise QueryRefused(given="parameters", expected="values in the text: SPARQL has no parameters")
        return in_time(partial(self._select, text, limit), self._seconds(timeout_seconds))

    def _seconds(self, given: float | None) -> float | None:
        return self.timeout_seconds if given is None or self.timeout_seconds is None else given

    def _select(self, text: str, limit: int | None) -> Answer:
        with refusals():
            result = self.store.query(text, use_default_graph_as_union=self.sees_all_graphs)
            if isinstance(result, pyoxigraph.QueryBoolean):
                return Answer(("answer",), ((bool(result),),))
            if not isinstance(result, pyoxigraph.QuerySolutions):
                raise QueryRefused(given="a query that makes a graph", expected="SELECT or ASK")
            columns = tuple(variable.value for variable in result.variables)
            rows: list[tuple[Cell, ...]] = []
            for solution in result:
                if limit is not None and len(rows) >= limit:
                    return Answer(columns, tuple(rows), complete=False)
                rows.append(tuple(_cell(term) for term in solution))
            return Answer(columns, tuple(rows))

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:
        """N-Triples of a CONSTRUCT or DESCRIBE query."""
        return in_time(partial(self._graph, text), self._seconds(timeout_seconds))

    def _graph(self, text: str) -> bytes:
        with refusals():
            result = self.store.query(text, use_default_graph_as_union=self.sees_all_graphs)
            if not isinstance(result, pyoxigraph.QueryTriples):
                raise QueryRefused(given="a query that gives rows", expected="CONSTRUCT or DESCRIBE")
            return cast(bytes, result.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES))

    def triples(self) -> int:
        """How many triples the generation holds, every one of them read."""
        with refusals():
            return sum(1 for _ in self.store)

    def close(self) -> None:
        """Nothing to do: files are released with the object."""


@contextmanager
def refusals() -> Iterator[None]:
    """What the engine says of a query, as errors with a code: it parses first, and misses a function when it gets there."""
    try:
        yield
    except SyntaxError as cause:
        raise QueryRefused(given=str(cause), expected="a SPARQL 1.1 query that reads") from cause
    except OSError as cause:
        raise _damaged(cause) from cause
    except BaseException as cause:
        # The panic of the engine derives from BaseException and has no type that could be imported.
        if type(cause).__name__ == "PanicException":  # the engine gave up on what it read
            raise _damaged(cause) from cause
        if not isinstance(cause, RuntimeError):
            raise
        if _DAMAGE.search(str(cause)):
            raise _damaged(cause) from cause
        unknown = _UNKNOWN_FUNCTION.search(str(cause))
        raise QueryRefused(
            "is not a function of this engine." if unknown else "",
            given=unknown[1] if unknown else str(cause),
            expected="the functions of SPARQL 1.1 and the casts of XML Schema"
            if unknown
            else "a query that the engine can run",
            next_step=None if unknown else "write it another way",
        ) from cause


def _damaged(cause: BaseException) -> ViewDamaged:
    return ViewDamaged(
        given=(str(cause) or "the engine gave up").splitlines()[0],
        expected="the files that the engine wrote",
        next_step="run kg build",
    )


def allow_files() -> None:
    """See that the engine may open as many files as it needs, by raising what the system lets us raise."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= _WANTED_FILES:
        return
    allowed = _WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, _WANTED_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < _LEAST_FILES:
        raise LimitReached(
            given=f"at most {soft} open files",
            expected=f"{_LEAST_FILES} or more",
            next_step=f"allow them with ulimit -n {_WANTED_FILES}, or the setting of the service or container",
        )


class _Passed(io.RawIOBase):
    """A readable stream of text that another thread puts in piece by piece; few pieces wait, so that nothing is held whole."""

    def __init__(self) -> None:
        self._pieces: SimpleQueue[str | None] = SimpleQueue()
        self._free = Semaphore(_WAITING)
        self._left = memoryview(b"")

    def put(self, piece: str) -> None:
        """One more piece; waits while there are enough."""
        self._free.acquire()
        self._pieces.put(piece)

    def end(self) -> None:
        """No more pieces."""
        self._pieces.put(None)

    def give_up(self) -> None:
        """Nothing is read any more: nobody need wait."""
        # As many as can wait: whoever makes the text is never stopped by a reader that is gone.
        for _ in range(_WAITING):
            self._free.release()

    def readable(self) -> bool:
        # Put back: a stream may be read at its end again.
        return True

    def readinto(self, target: Any) -> int:
        while not self._left:
            piece = self._pieces.get()
            if piece is None:
                self._pieces.put(None)
                return 0
            self._free.release()
            self._left = memoryview(piece.encode("utf-8"))
        size = min(len(target), len(self._left))
        target[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def _bulk_load(store: pyoxigraph.Store, chunks: Iterable[str]) -> None:
    """Load N-Triples text while it is made: the engine reads in a thread of its own and needs the interpreter only to read."""
    passed = _Passed()
    failed: list[BaseException] = []

    def load(into: pyoxigraph.Store) -> None:
        try:
            stream = io.BufferedReader(passed, buffer_size=1 << 20)
            into.bulk_load(input=stream, format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
        except BaseException as error:  # noqa: BLE001 - raised again where the text is made
            failed.append(error)
            passed.give_up()

    reader = Thread(target=load, args=(store,), name="bulk load")
    reader.start()
    try:
        for piece in in_pieces(chunks, _PIECE):
            if failed:
                break
            passed.put(piece)
    finally:
        passed.end()
        reader.join()
        del store  # an error keeps what its frames hold
    if failed:
        raise failed.pop()


def _loaded(path: Path, chunks: Iterable[str]) -> int:
    """Load an empty folder, and say how many triples it holds now."""
    store = pyoxigraph.Store(str(path))
    try:
        _bulk_load(store, chunks)
        store.flush()
        store.optimize()  # else each lookup searches one sorted file for every million triples
        return len(store)
    finally:
        del store  # an error keeps what its frames hold, and the engine its lock


@dataclass(frozen=True, slots=True)
class Generations(GenerationFolder):
    """The generations of the RDF view."""

    files = re.compile(
        r"CURRENT|IDENTITY|LOCK|LOG(\.old\.[0-9]+)?|MANIFEST-[0-9]+|OPTIONS-[0-9]+(\.dbtmp)?|(bulk-)?[0-9]+\.(sst|log|blob|dbtmp)|digests\.json"
    )
    sealed = re.compile(r"(bulk-)?[0-9]+\.(sst|blob)")

    def build(self, chunks: Iterable[str], stamp: ViewStamp, *, switch: Switch) -> Path:
        """Make a new generation from nothing out of N-Triples text and make it live. The caller holds the lock."""
        allow_files()
        path = self.begin()
        with self.unless_it_fails(path):
            count = _loaded(path, chunks)
            self.make_live(path, {**stamp, "triples": count}, switch)
        return path

    def follow(self, change: Callable[[Path, Path], int], stamp: ViewStamp, *, switch: Switch) -> Path:
        """Make a new generation out of the live one and make it live. The caller holds the lock.

        `change` is given the live generation and an empty folder, fills the folder, and says how many triples it holds.
        """
        live = self.current()
        if live is None:
            raise GenerationMissing(path=str(self.folder), expected="a live generation", next_step="run kg build")
        path = self.begin()
        with self.unless_it_fails(path):
            count = change(live[0], path)
            self.make_live(path, {**stamp, "triples": count}, switch)
        return path
