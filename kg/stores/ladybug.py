"""The embedded property graph: Ladybug in a folder, read-only while it answers, built in generations.

A generation is loaded in bulk inside one transaction from temporary files that only this module reads: one a table, with
quoted texts, nothing between two commas for null, and lists as one text that is split while loading.
"""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Any, Final, TextIO

from kg.errors import QueryError, StoreError
from kg.model.view_stamp import ViewStamp
from kg.projection.graph_rows import NamedOnly
from kg.projection.graph_schema import GraphSchema, NodeTable, Property, Relationship, graph_schema
from kg.projection.rows import EdgeRow, NodeRow, Row
from kg.stores.forks import leave_in_forks, never_end
from kg.stores.generations import READ_AT_OPENING, GenerationFolder, Switch, file_digest
from kg.stores.patience import PATIENCE
from kg.stores.protocol import Answer, Cell, DeadlinePassed, JsonText, Language, LimitReached

FILE: Final = "graph.lbug"
READING_MEMORY: Final = 1 << 30
"""How much a reader may use; the engine refuses a query that needs more."""
_TYPES: Final = {"string": "STRING", "double": "DOUBLE", "integer": "INT64", "boolean": "BOOL"}
_PLACE: Final = re.compile(r"Invalid input <(.*?)>.*?\(line: (\d+), offset: (\d+)\)", re.DOTALL)
_NO_ROOM: Final = re.compile(r"Mmap|mmap|Buffer manager exception|bad_alloc|[Cc]annot allocate")
"""How the engine says that the system gives it no memory or no addresses: it maps far more than it will use."""
_LONGEST: Final = 200
_INTERNAL: Final = frozenset({"_ID", "_SRC", "_DST", "_id", "_src", "_dst"})
_BETWEEN: Final = "\x1f\x1e\x1f"
"""Stands between the items of a list in a load file; a text that holds it would be cut there."""


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


class GraphDamaged(StoreError):
    """What was loaded is not what was written."""

    code = "store.damaged"


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
        try:
            return self._select(text, parameters, limit, seconds, started)
        except OutOfMemory:
            self._open_again()
        try:
            return self._select(text, parameters, limit, seconds, started)
        except OutOfMemory:
            self._open_again()
            raise

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
        self.connection.set_query_timeout(max(1, int(left * 1000)))
        try:
            result = self.connection.execute(text, dict(parameters or {}))
        except RuntimeError as cause:
            raise _refusal(str(cause), seconds) from cause
        if isinstance(result, list):
            raise EmbeddedCypherRefused(given=f"{len(result)} queries", expected="one query")
        columns = tuple(result.get_column_names())
        rows: list[tuple[Cell, ...]] = []
        while result.has_next():
            if limit is not None and len(rows) >= limit:
                result.close()
                return Answer(columns, tuple(rows), complete=False)
            rows.append(tuple(cell(one) for one in result.get_next()))
        result.close()
        return Answer(columns, tuple(rows))

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

    def close(self) -> None:
        """Let go of the files."""
        if self.connection is not None:
            self.connection.close()
            self.database.close()


def _opened(folder: Path) -> tuple[Any, Any]:
    """The database of a generation, and a connection to it."""
    import ladybug

    try:
        if not (folder / FILE).exists():
            raise RuntimeError("no such file")
        database = ladybug.Database(folder / FILE, read_only=True, buffer_pool_size=READING_MEMORY)
        return database, ladybug.Connection(database)
    except (RuntimeError, OSError, MemoryError) as cause:
        said = (str(cause) or "no memory").splitlines()[0]
        if isinstance(cause, MemoryError) or _NO_ROOM.search(said):
            raise no_room(folder) from cause
        raise GraphMissing(
            path=str(folder),
            given=said,
            expected="a complete generation of the property graph",
            next_step="run kg build",
        ) from cause


def no_room(folder: Path) -> LimitReached:
    """The engine of the property graph cannot start here: what to change, or to use instead."""
    return LimitReached(
        path=str(folder),
        given=_allowed_addresses(),
        expected="a process that may map terabytes, though it uses little of them (ulimit -v unlimited)",
        next_step="lift the limit, or ask in SPARQL, which needs less",
    )


def _allowed_addresses() -> str:
    """How much this process may map, in words."""
    try:
        import resource
    except ImportError:
        return "too little memory"
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return "too little memory" if soft == resource.RLIM_INFINITY else f"a process that may map {soft >> 20:,} MB"


def _refusal(message: str, timeout_seconds: float) -> QueryError:
    """What the engine says, as an error with a code."""
    first = message.strip().splitlines()[0] if message.strip() else "the engine gave no reason"
    if first.startswith("Interrupted"):
        return DeadlinePassed.after(timeout_seconds)
    if first.startswith("Buffer manager exception"):
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
    return EmbeddedCypherRefused(
        given=_shown(message.partition(": ")[2] or message), expected="a Cypher query that reads"
    )


_UNKNOWN_NAME: Final = re.compile(r"Table (?P<table>\S+) does not exist|Cannot find property (?P<property>\S+) for ")


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

    files = re.compile(r"graph\.lbug(\.[a-z.]+)?|load/[A-Za-z_]+(\.[A-Za-z_]+)*\.csv")

    def build(self, rows: Iterable[Row], stamp: ViewStamp, *, switch: Switch) -> Path:
        """Make a new generation out of rows and make it live. The caller holds the lock."""
        path = self.begin()
        with self.unless_it_fails(path):
            load = path / "load"
            load.mkdir()
            schema = graph_schema()
            files = write_load_files(rows, load, schema)
            _load(path / FILE, load, schema, files)
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
    if "digest" not in stamp:
        return True
    return size == stamp.get("bytes") and (
        not (whole or size <= READ_AT_OPENING) or file_digest(path / FILE) == stamp["digest"]
    )


class LoadFiles:
    """The temporary files of a bulk load: one for each table, one for each pair of tables a relationship joins."""

    def __init__(self, folder: Path, schema: GraphSchema) -> None:
        self._folder = folder
        self._open: dict[tuple[str, ...], TextIO] = {}
        self._columns = {one.name: {name: n for n, name in enumerate(one.names)} for one in schema.nodes}
        self._edge_properties = {one.type: tuple(each.name for each in one.properties) for one in schema.relationships}
        self.written: dict[tuple[str, ...], int] = {}
        self.broken: set[tuple[str, ...]] = set()
        """Files with a line break inside a text: they are read in one piece."""

    def node(self, row: NodeRow) -> None:
        """Write one node."""
        columns = self._columns[row.table]
        cells = [""] * len(columns)
        cells[0] = _quoted(row.uid)
        for name, value in row.properties.items():
            cells[columns[name]] = _field(value)
        self._write((row.table,), cells)

    def edge(self, row: EdgeRow) -> None:
        """Write one relationship."""
        cells = [_quoted(row.from_uid), _quoted(row.to_uid)]
        cells.extend(_field(row.properties[name]) for name in self._edge_properties[row.type])
        self._write((row.type, row.from_table, row.to_table), cells)

    def _write(self, key: tuple[str, ...], cells: list[str]) -> None:
        file = self._open.get(key)
        if file is None:
            file = self._open[key] = self.path(key).open("w", encoding="utf-8", newline="", buffering=1 << 18)
            self.written[key] = 0
        line = ",".join(cells)
        if "\n" in line or "\r" in line:
            self.broken.add(key)
        file.write(line + "\n")
        self.written[key] += 1

    def path(self, key: tuple[str, ...]) -> Path:
        """Where the file of a table, or of a relationship between two tables, lies."""
        return self._folder / f"{'.'.join(key)}.csv"

    def counts(self) -> tuple[int, int]:
        """How many nodes and relationships were written."""
        nodes = sum(count for key, count in self.written.items() if len(key) == 1)
        return nodes, sum(self.written.values()) - nodes

    def close(self) -> None:
        """Finish the files."""
        for file in self._open.values():
            file.close()


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text else '"' + text.replace('"', '""') + '"'


def _field(value: object) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return _quoted(_BETWEEN.join(one if isinstance(one, str) else repr(one) for one in value))
    return repr(value)


def write_load_files(rows: Iterable[Row], folder: Path, schema: GraphSchema) -> LoadFiles:
    """Write rows to load files; nodes that are only named come last."""
    files, named = LoadFiles(folder, schema), NamedOnly()
    try:
        for row in named.watch(rows):
            if isinstance(row, NodeRow):
                files.node(row)
            else:
                files.edge(row)
        for node in named.rows():
            files.node(node)
    finally:
        files.close()
    return files


def table_statements(schema: GraphSchema) -> Iterator[str]:
    """The statements that make the tables."""
    for table in schema.nodes:
        columns = ", ".join(f"`{one.name}` {_type(one)}" for one in table.properties)
        yield f"CREATE NODE TABLE `{table.name}`(uid STRING PRIMARY KEY, {columns})"
    for link in schema.relationships:
        pairs = ", ".join(f"FROM `{source}` TO `{target}`" for source, target in link.pairs)
        further = "".join(f", `{one.name}` {_type(one)}" for one in link.properties)
        yield f"CREATE REL TABLE `{link.type}`({pairs}{further})"


def _type(one: Property) -> str:
    return _TYPES[one.kind] + ("[]" if one.many else "")


def _load(database: Path, folder: Path, schema: GraphSchema, files: LoadFiles) -> None:
    """Everything in one transaction; then the engine writes its pages and lets go."""
    import ladybug

    try:
        store = ladybug.Database(database, compression=False)  # compressed, it reads some figures as 0 (decision 13)
        connection = ladybug.Connection(store)
    except (RuntimeError, MemoryError) as cause:
        raise no_room(database.parent) from cause
    try:
        connection.execute("BEGIN TRANSACTION")
        for statement in table_statements(schema):
            connection.execute(statement)
        for table in schema.nodes:
            if (table.name,) in files.written:
                connection.execute(_copy_nodes(table, files))
        for link in schema.relationships:
            for pair in link.pairs:
                if (link.type, *pair) in files.written:
                    connection.execute(_copy_edges(link, pair, files))
        connection.execute("COMMIT")
        _check(connection, schema, files)
        connection.execute("CHECKPOINT")
    except RuntimeError as cause:
        said = str(cause).splitlines()[0]
        if _NO_ROOM.search(said):
            raise no_room(folder) from cause
        raise GraphDamaged(
            path=str(folder),
            given=said,
            expected="rows that load",
            next_step="report this",
        ) from cause
    finally:
        with suppress(RuntimeError):
            connection.close()
            store.close()


def _options(files: LoadFiles, key: tuple[str, ...]) -> str:
    parallel = "false" if key in files.broken else "true"
    return f"header=false, auto_detect=false, parallel={parallel}, delim=',', quote='\"', escape='\"'"


def _copy_nodes(table: NodeTable, files: LoadFiles) -> str:
    key = (table.name,)
    path = _literal(files.path(key))
    if not any(one.many for one in table.properties):
        return f"COPY `{table.name}` FROM {path} ({_options(files, key)})"
    read = ", ".join(f"`{one.name}` {'STRING' if one.many else _type(one)}" for one in table.properties)
    made = ", ".join(_read_back(one) for one in table.properties)
    source = f"LOAD WITH HEADERS (uid STRING, {read}) FROM {path} ({_options(files, key)})"
    return f"COPY `{table.name}` FROM ({source} RETURN uid, {made})"


def _read_back(one: Property) -> str:
    if not one.many:
        return f"`{one.name}`"
    split = f"string_split(`{one.name}`, '{_BETWEEN}')"
    return split if one.kind == "string" else f"CAST({split} AS {_type(one)})"


def _copy_edges(link: Relationship, pair: tuple[str, str], files: LoadFiles) -> str:
    key = (link.type, *pair)
    ends = f", from='{pair[0]}', to='{pair[1]}'" if len(link.pairs) > 1 else ""
    return f"COPY `{link.type}` FROM {_literal(files.path(key))} ({_options(files, key)}{ends})"


def _literal(path: Path) -> str:
    return "'" + path.as_posix().replace("\\", "\\\\").replace("'", "\\'") + "'"


def _check(connection: object, schema: GraphSchema, files: LoadFiles) -> None:
    """Every row that was written is there."""
    for table in schema.nodes:
        _same(connection, f"MATCH (n:`{table.name}`) RETURN count(*)", files.written.get((table.name,), 0), table.name)
    for link in schema.relationships:
        wanted = sum(files.written.get((link.type, *pair), 0) for pair in link.pairs)
        _same(connection, f"MATCH ()-[r:`{link.type}`]->() RETURN count(*)", wanted, link.type)


def _same(connection: Any, query: str, wanted: int, name: str) -> None:
    found = connection.execute(query).get_next()[0]
    if found != wanted:
        raise GraphDamaged(given=f"{found} {name}", expected=f"{wanted} as written", next_step="run kg build again")
