"""The embedded property graph: Ladybug in a folder, read-only while it answers, built in generations."""

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from json import dumps
from pathlib import Path
from threading import TIMEOUT_MAX, RLock
from time import monotonic
from typing import Any, Final

from kg.errors import QueryError, StoreError
from kg.model.view_stamp import ViewStamp
from kg.model.vocabulary import CLAIM_CLASS, ENTITY_CLASS, FINDING_CLASS
from kg.projection.graph_schema import NODE_LABEL, graph_schema
from kg.projection.rows import Row
from kg.stores.forks import leave_in_forks, never_end
from kg.stores.generations import READ_AT_OPENING, GenerationFolder, Switch, file_digest
from kg.stores.ladybug_load import load_database, write_load_files
from kg.stores.ladybug_memory import NO_ROOM, no_room
from kg.stores.patience import PATIENCE
from kg.stores.protocol import Answer, Cell, DeadlinePassed, JsonText, Language

FILE: Final = "graph.lbug"
READING_MEMORY: Final = 1 << 30
"""How much a reader may use; the engine refuses a query that needs more."""
# Meets "Parser exception: Invalid input <MATCH (n) RETRUN>: expected rule … (line: 1, offset: 12)".
_PLACE: Final = re.compile(r"Invalid input <(.*?)>.*?\(line: (\d+), offset: (\d+)\)", re.DOTALL)
_LONGEST: Final = 200
# Ids that the engine gives: they differ from generation to generation and lead nowhere.
_INTERNAL: Final = frozenset({"_ID", "_SRC", "_DST", "_id", "_src", "_dst"})


class EmbeddedCypherRefused(QueryError):
    """A query that does not parse, or that the engine cannot run."""

    code = "query.refused"


class OutOfMemory(QueryError):
    """A query that needs more memory than readers have."""

    code = "query.memory"
    exit_code = 3


class GraphMissing(StoreError):
    """The store folder names no complete generation of the property graph."""

    code = "store.missing"


def cell(value: object) -> Cell:
    """A value as one cell: nodes, relationships, lists and maps as JSON text.

    >>> cell(2), cell(None), cell(["a", 1]), cell({"_ID": {"offset": 0}, "_LABEL": "Unit", "uid": "x"})
    (2, None, '["a", 1]', '{"_LABEL": "Unit", "uid": "x"}')
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple | dict):
        return JsonText(dumps(_plain(value), ensure_ascii=False, default=str))
    return str(value)


def _plain(value: object) -> Any:
    """Without internal ids and what is not known."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if one is not None and key not in _INTERNAL}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


@dataclass(slots=True, eq=False, weakref_slot=True)
class LadybugStore:
    """One opened generation."""

    folder: Path
    database: Any
    connection: Any
    # One query at a time: the engine answers no two of one connection at once, its time-out is the
    # connection's, and to open it again is to end what another thread is asking.
    alone: RLock = field(default_factory=RLock)

    @classmethod
    def open(cls, folder: Path) -> "LadybugStore":
        """Open a generation for reading; writers may make the next one meanwhile."""
        store = cls(folder, *_opened(folder))
        leave_in_forks(store)
        return store

    @property
    def language(self) -> Language:
        """It answers Cypher."""
        return "cypher"

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        """Rows of a reading query; at most `limit` of them.

        The engine does not give back what queries took from its pool of memory, and when that is full no query is answered
        any more. So a query that found no memory is asked once more with an empty pool, within the same deadline, and
        leaves an empty one.
        """
        started = monotonic()
        seconds = PATIENCE if timeout_seconds is None else timeout_seconds
        if not self.alone.acquire(timeout=min(max(0, seconds), TIMEOUT_MAX)):
            raise DeadlinePassed.after(seconds)
        try:
            try:
                return self._select(text, parameters, limit, seconds, started)
            except OutOfMemory:
                self._open_again()
            try:
                return self._select(text, parameters, limit, seconds, started)
            except OutOfMemory:
                self._open_again()
                raise
        finally:
            self.alone.release()

    def _select(
        self,
        text: str,
        parameters: Mapping[str, object] | None,
        limit: int | None,
        seconds: float,
        started: float,
    ) -> Answer:
        if self.connection is None:  # this process was forked from the one that opened it
            self.database, self.connection = _opened(self.folder)
        left = seconds - (monotonic() - started)
        # The engine counts whole milliseconds and takes 0 for no end at all.
        self.connection.set_query_timeout(max(1, int(left * 1000)))
        try:
            result = self.connection.execute(text, dict(parameters or {}))
        except RuntimeError as cause:
            raise _refusal(str(cause), seconds) from cause
        # Several statements with `;` between them come back as a list of results.
        if isinstance(result, list):
            raise EmbeddedCypherRefused(given=f"{len(result)} queries", expected="one query")
        try:
            return _read(result, limit)
        except (RuntimeError, OverflowError, ValueError, SystemError) as cause:
            # the engine counts further than Python does, such as intervals of a million years; inside of a list it goes on
            # without the value, which Python then misses
            raise EmbeddedCypherRefused(
                given="a value too far from zero" if isinstance(cause, SystemError) else _shown(str(cause)),
                expected="values that can be shown, such as dates from year 1 to 9999",
                next_step="return it as text, string(...)",
            ) from cause
        finally:
            result.close()

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:  # noqa: ARG002 - refused anyway
        """Cypher gives rows, no graph."""
        raise EmbeddedCypherRefused(given="a query that makes a graph", expected="a query that gives rows")

    def _open_again(self) -> None:
        self.close()
        self.database, self.connection = _opened(self.folder)

    def leave(self) -> None:
        """In a forked process: forget the engine, whose threads are not there."""
        for engine in (self.connection, self.database):
            never_end(engine)
        self.connection = self.database = None
        self.alone = RLock()  # the thread that had the other one is not here

    def close(self) -> None:
        """Let go of the files."""
        with self.alone:
            if self.connection is not None:
                self.connection.close()
                self.database.close()


def _read(result: Any, limit: int | None) -> Answer:
    """The rows of a result, up to the limit."""
    columns = tuple(result.get_column_names())
    rows: list[tuple[Cell, ...]] = []
    while result.has_next():
        if limit is not None and len(rows) >= limit:
            return Answer(columns, tuple(rows), complete=False)
        rows.append(tuple(cell(one) for one in result.get_next()))
    return Answer(columns, tuple(rows))


def _opened(folder: Path) -> tuple[Any, Any]:
    """The database of a generation, and a connection to it."""
    import ladybug

    try:
        if not (folder / FILE).exists():
            # The engine says of a missing file that it cannot create one read-only, which tells a
            # reader nothing.
            raise RuntimeError("no such file")
        database = ladybug.Database(folder / FILE, read_only=True, buffer_pool_size=READING_MEMORY)
        return database, ladybug.Connection(database)
    except (RuntimeError, OSError, MemoryError) as cause:
        said = (str(cause) or "no memory").splitlines()[0]
        if isinstance(cause, MemoryError) or NO_ROOM.search(said):
            raise no_room(folder) from cause
        raise GraphMissing(
            path=str(folder),
            given=said,
            expected="a complete generation of the property graph",
            next_step="run kg build",
        ) from cause


def _refusal(message: str, timeout_seconds: float) -> QueryError:
    """What the engine says, as an error with a code."""
    first = message.strip().splitlines()[0] if message.strip() else "the engine gave no reason"
    if first.startswith("Interrupted"):
        return DeadlinePassed.after(timeout_seconds)
    if first.startswith(("Buffer manager exception", "std::bad_alloc")):
        return OutOfMemory(
            given=f"more than {READING_MEMORY >> 20} MB",
            expected="a query that fits in memory",
            next_step="ask for less: name a claim, a thing or a metric to start from",
        )
    if found := _PLACE.search(message):
        line, column = int(found[2]), int(found[3]) + 1
        return EmbeddedCypherRefused(
            f"does not parse (error at {line}:{column}).",
            line=line,
            given=_shown(found[1]),
            expected="Cypher that the engine knows",
        )
    if found := _UNKNOWN_NAME.search(message):
        return _unknown_name(found["table"], found["property"])
    if found := _UNKNOWN_FUNCTION.search(message):
        instead = _INSTEAD.get(found[1].upper())
        return EmbeddedCypherRefused(
            "is no function of this engine.",
            given=found[1],
            expected="its own functions",
            next_step=None if instead is None else f"write {instead}",
        )
    return EmbeddedCypherRefused(
        given=_shown(message.partition(": ")[2] or message), expected="a Cypher query that reads"
    )


# Meets "Table Nope does not exist" and "Cannot find property nope for n." of the binder.
_UNKNOWN_NAME: Final = re.compile(r"Table (?P<table>\S+) does not exist|Cannot find property (?P<property>\S+) for ")


_UNKNOWN_FUNCTION: Final = re.compile(r"function (\w+) does not exist", re.IGNORECASE)
_INSTEAD: Final[Mapping[str, str]] = {
    "TYPE": "label(r), which is type(r) on a server",
    "TOINTEGER": "cast(x, 'INT64')",
    "TOFLOAT": "cast(x, 'DOUBLE')",
    "TOSTRING": "cast(x, 'STRING')",
    "SPLIT": "string_split(x, ',')",
    "HEAD": "list_extract(xs, 1)",
    "LAST": "list_extract(xs, -1)",
    "REDUCE": "list_reduce(xs, (a, b) -> a + b)",
    "ELEMENTID": "n.uid",
}
"""Functions of Neo4j that people write, and what there is of them here."""


def _of_a_class(label: str) -> str | None:
    """How the nodes are found that have a label of their class on a server, for people who browse there."""
    if label == NODE_LABEL:
        return "every node here is one: leave the label out"
    classes = {
        **{name.removeprefix("k:"): ("Claim", kind) for kind, name in CLAIM_CLASS.items()},
        **{name.removeprefix("k:"): ("Entity", kind) for kind, name in ENTITY_CLASS.items()},
        **{
            name.removeprefix("k:"): ("Finding", kind)
            for kind, name in FINDING_CLASS.items()
            if name[2:] == f"{kind.capitalize()}Finding"
        },
    }
    if label not in classes:
        return None
    table, kind = classes[label]
    return f"nodes have one label here: (:{'Source' if kind.endswith('source') else table} {{kind: '{kind}'}})"


def _unknown_name(table: str | None, name: str | None) -> QueryError:
    """A label, relationship or property that the graph does not have, with those like it."""
    from kg.model.similar_names import similar_names

    schema = graph_schema()
    if table is not None:
        known = {one.name for one in schema.nodes} | {one.type for one in schema.relationships}
        kind, listed = "label or relationship", "kg schema labels and kg schema relationships list them"
    else:
        known = {column for one in schema.nodes for column in one.names}
        known |= {one.name for relationship in schema.relationships for one in relationship.properties}
        kind, listed = "property here", "kg schema Claim lists those of a label; what tells a node from others is uid"
    given = table or name or ""
    if table is not None and (way := _of_a_class(table)) is not None:
        return EmbeddedCypherRefused(f"is no {kind}.", given=given, next_step=way)
    near = similar_names(given, sorted(known))
    like = f"Did you mean {', '.join(near)}? " if near else ""
    return EmbeddedCypherRefused(f"is no {kind}.", given=given, next_step=f"{like}{listed}")


def _shown(text: str) -> str:
    """One line, not too long."""
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


@dataclass(frozen=True, slots=True)
class LadybugGenerations(GenerationFolder):
    """The generations of the embedded property graph."""

    # Meets `graph.lbug`, `graph.lbug.wal` and `load/SUBJECT.Claim.Entity.csv`, not a file of
    # somebody else such as `notes.csv`.
    files = re.compile(r"graph\.lbug(\.[a-z.]+)?|load/[A-Za-z_]+(\.[A-Za-z_]+)*\.csv")

    def build(self, rows: Iterable[Row], stamp: ViewStamp, *, switch: Switch) -> Path:
        """Make a new generation out of rows and make it live. The caller holds the lock."""
        path = self.begin()
        with self.unless_it_fails(path):
            load = path / "load"
            load.mkdir()
            schema = graph_schema()
            files = write_load_files(rows, load, schema)
            load_database(path / FILE, load, schema, files)
            shutil.rmtree(load)
            nodes, edges = files.counts()
            size, digest = (path / FILE).stat().st_size, file_digest(path / FILE)
            written: ViewStamp = {**stamp, "nodes": nodes, "relationships": edges, "bytes": size, "digest": digest}
            self.make_live(path, written, switch)
        return path


def is_intact(path: Path, stamp: ViewStamp, *, whole: bool = False) -> bool:
    """Whether the file of a generation is the one that was written; a large one is read only when `whole` is asked for.

    The engine checks little of what it reads, and ends the process at some damage.
    """
    try:
        size = (path / FILE).stat().st_size
    except OSError:
        return False
    # A generation of a version that kept no digest.
    if "digest" not in stamp:
        return True
    return size == stamp.get("bytes") and (
        not (whole or size <= READ_AT_OPENING) or file_digest(path / FILE) == stamp["digest"]
    )
