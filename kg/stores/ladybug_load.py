"""The bulk load of a new generation of the embedded property graph, from temporary files that only this module reads: one a
table, with quoted texts, nothing between two commas for null, and lists as one text that is split while loading.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TextIO

from kg.errors import StoreError
from kg.projection.graph_rows import NamedOnly
from kg.projection.graph_schema import GraphSchema, NodeTable, Property, Relationship
from kg.projection.rows import EdgeRow, NodeRow, Row
from kg.stores.ladybug_memory import NO_ROOM, no_room

_TYPES: Final = {"string": "STRING", "double": "DOUBLE", "integer": "INT64", "boolean": "BOOL"}

_BETWEEN: Final = "\x1f\x1e\x1f"
"""Stands between the items of a list in a load file; a text that holds it would be cut there."""


class GraphDamaged(StoreError):
    """What was loaded is not what was written."""

    code = "store.damaged"


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


def load_database(database: Path, folder: Path, schema: GraphSchema, files: LoadFiles) -> None:
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
        # Without it the rows lie in the write-ahead log `graph.lbug.wal` next to a file that is all
        # but empty.
        connection.execute("CHECKPOINT")
    except RuntimeError as cause:
        said = str(cause).splitlines()[0]
        if NO_ROOM.search(said):
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
    # "Quoted newlines are not supported in parallel CSV reader", says the engine.
    parallel = "false" if key in files.broken else "true"
    return f"header=false, auto_detect=false, parallel={parallel}, delim=',', quote='\"', escape='\"'"


def _copy_nodes(table: NodeTable, files: LoadFiles) -> str:
    key = (table.name,)
    path = _literal(files.path(key))
    # A column with lists is read as one text and split here: a text may hold any sign but the one
    # between items.
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
    # A relationship between several pairs of tables has a table for each, and the engine asks which
    # one is meant.
    ends = f", from='{pair[0]}', to='{pair[1]}'" if len(link.pairs) > 1 else ""
    return f"COPY `{link.type}` FROM {_literal(files.path(key))} ({_options(files, key)}{ends})"


_PATTERN_SIGN: Final = re.compile(r"[\[*?]")


def _literal(path: Path) -> str:
    # the engine takes every path for a pattern of file names, in which a class of one sign is that sign
    path = Path(_PATTERN_SIGN.sub(r"[\g<0>]", path.as_posix()))
    return "'" + path.as_posix().replace("\\", "\\\\").replace("'", "\\'") + "'"


def _check(connection: Any, schema: GraphSchema, files: LoadFiles) -> None:
    """Every row that was written is there: counted by table in two queries, since planning one a table took longer."""
    wanted: Counter[str] = Counter()
    for key, written in files.written.items():
        wanted[key[0]] += written
    found = {**_counted(connection, "(n)", "n"), **_counted(connection, "()-[r]->()", "r")}
    for name in (*(table.name for table in schema.nodes), *(link.type for link in schema.relationships)):
        if found.get(name, 0) != wanted[name]:
            given, expected = f"{found.get(name, 0)} {name}", f"{wanted[name]} as written"
            raise GraphDamaged(given=given, expected=expected, next_step="run kg build again")


def _counted(connection: Any, pattern: str, one: str) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(f"MATCH {pattern} RETURN label({one}), count(*)").get_all()}
