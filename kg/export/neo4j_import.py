"""Files for the offline importer of Neo4j: a header and a data file for each node table and relationship type.

Lists are divided by U+001F, which no text holds: the importer is told so in the command that comes with the files.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kg.model.graph_rows import NodeRow, Row
from kg.model.graph_schema import NODE_LABEL, Property, further_labels, graph_schema

BETWEEN: Final = "\x1f"
_TYPES: Final = {"string": "string", "double": "double", "integer": "long", "boolean": "boolean"}
_AT_ONCE: Final = 256
"""Rows of a file that are written together."""
COMMAND_FILE: Final = "import.sh"


def header_cell(one: Property) -> str:
    """The name of a column with its type.

    >>> header_cell(Property("aliases", many=True)), header_cell(Property("count", "integer"))
    ('aliases:string[]', 'count:long')
    """
    return f"{one.name}:{_TYPES[one.kind]}{'[]' if one.many else ''}"


def neo4j_import(rows: Iterable[Row]) -> Iterator[tuple[str, bytes]]:
    """Pairs of a file name and a piece of it; at the end the command that imports what was written."""
    schema = graph_schema()
    nodes = {one.name: tuple(each.name for each in one.properties) for one in schema.nodes}
    edges = {one.type: tuple(each.name for each in one.properties) for one in schema.relationships}
    waiting: dict[str, list[list[Any]]] = {}
    for row in rows:
        if isinstance(row, NodeRow):
            name = f"node-{row.table}"
            labels = BETWEEN.join((NODE_LABEL, row.table, *further_labels(row.table, row.properties)))
            cells = [row.uid, *_cells(row.properties, nodes[row.table]), labels]
        else:
            name = f"edge-{row.type}"
            cells = [row.from_uid, *_cells(row.properties, edges[row.type]), row.to_uid]
        lines = waiting.get(name)
        if lines is None:
            lines = waiting[name] = []
            yield f"{name}-header.csv", _header(name)
        lines.append(cells)
        if len(lines) >= _AT_ONCE:
            yield f"{name}.csv", _written(lines)
            lines.clear()
    for name, lines in waiting.items():
        yield f"{name}.csv", _written(lines)
    yield COMMAND_FILE, _command(sorted(waiting)).encode()


def _written(lines: list[list[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(lines)  # CRLF: only so are both line ends quoted inside a cell
    return text.getvalue().encode()


def _header(name: str) -> bytes:
    kind, _, of = name.partition("-")
    if kind == "node":
        cells = ["uid:ID", *(header_cell(one) for one in graph_schema().node(of).properties), ":LABEL"]
    else:
        cells = [":START_ID", *(header_cell(one) for one in graph_schema().relationship(of).properties), ":END_ID"]
    return (",".join(cells) + "\n").encode()


def _cells(properties: Mapping[str, Any], names: Iterable[str]) -> list[Any]:
    """The cells of a row; most are empty."""
    return [
        value if value is None or type(value) is str and BETWEEN not in value and "\x00" not in value else _cell(value)
        for value in map(properties.get, names)
    ]


def _cell(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return BETWEEN.join(_one(one) for one in value)
    return _one(value) if isinstance(value, str) else value


def _one(value: Any) -> str:
    text = value if type(value) is str else "true" if value is True else "false" if value is False else str(value)
    if BETWEEN in text or "\x00" in text:
        return text.replace(BETWEEN, "\ufffd").replace("\x00", "\ufffd")
    return text


def _command(names: list[str]) -> str:
    lines = [
        "#!/bin/sh", "# Imports these files into a new, empty database of Neo4j 5 (the server stopped, or the database not there):",
        "#   sh import.sh [DATABASE]    with neo4j-admin on the PATH, in the folder of the files",
        "# Afterwards, in Cypher: CREATE CONSTRAINT kg_uid IF NOT EXISTS FOR (n:KgNode) REQUIRE n.uid IS UNIQUE;",
        'exec neo4j-admin database import full "${1:-neo4j}" --multiline-fields=true --array-delimiter=U+001F \\',
    ]  # fmt: skip
    for name in names:
        kind, _, of = name.partition("-")
        option = (
            f"--nodes={name}-header.csv,{name}.csv"
            if kind == "node"
            else f"--relationships={of}={name}-header.csv,{name}.csv"
        )
        lines.append(f"  {option} \\")
    lines.append("  --id-type=string")
    return "\n".join(lines) + "\n"
