"""Files for the offline importer of Neo4j: a header and a data file for each node table and relationship type.

Lists are divided by U+001F, which no text holds: the importer is told so in the command that comes with the files.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kg.projection.graph_schema import NODE_LABEL, Property, further_labels, graph_schema
from kg.projection.rows import NodeRow, Row

BETWEEN: Final = "\x1f"
_TYPES: Final = {"string": "string", "double": "double", "integer": "long", "boolean": "boolean"}
_BATCH: Final = 1 << 16
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
    texts: dict[str, io.StringIO] = {}
    writers: dict[str, Any] = {}
    for row in rows:
        if isinstance(row, NodeRow):
            name = f"node-{row.table}"
            labels = BETWEEN.join((NODE_LABEL, row.table, *further_labels(row.table, row.properties)))
            cells = [row.uid, *(_cell(row.properties.get(each)) for each in nodes[row.table]), labels]
        else:
            name = f"edge-{row.type}"
            cells = [row.from_uid, *(_cell(row.properties.get(each)) for each in edges[row.type]), row.to_uid]
        text = texts.get(name)
        if text is None:
            text = texts[name] = io.StringIO(newline="")
            writers[name] = csv.writer(text).writerow  # CRLF: only so are both line ends quoted inside a cell
            yield f"{name}-header.csv", _header(name)
        writers[name](cells)
        if text.tell() > _BATCH:
            yield f"{name}.csv", text.getvalue().encode()
            text.seek(0)
            text.truncate()
    for name, text in texts.items():
        yield f"{name}.csv", text.getvalue().encode()
    yield COMMAND_FILE, _command(sorted(texts)).encode()


def _header(name: str) -> bytes:
    kind, _, of = name.partition("-")
    if kind == "node":
        cells = ["uid:ID", *(header_cell(one) for one in graph_schema().node(of).properties), ":LABEL"]
    else:
        cells = [":START_ID", *(header_cell(one) for one in graph_schema().relationship(of).properties), ":END_ID"]
    return (",".join(cells) + "\n").encode()


def _cell(value: object) -> Any:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return BETWEEN.join(_one(one) for one in value)
    return _one(value) if isinstance(value, str) else value


def _one(value: object) -> str:
    text = "true" if value is True else "false" if value is False else str(value)
    return text.replace(BETWEEN, "\ufffd").replace("\x00", "\ufffd")


def _command(names: list[str]) -> str:
    lines = [
        "#!/bin/sh",
        "# Imports these files into a new, empty database of Neo4j 5 (the server stopped, or the database not there):",
        "#   sh import.sh [DATABASE]    with neo4j-admin on the PATH, in the folder of the files",
        "# Afterwards, in Cypher: CREATE CONSTRAINT kg_uid IF NOT EXISTS FOR (n:KgNode) REQUIRE n.uid IS UNIQUE;",
        # Texts may hold line ends, and lists are divided by U+001F; the importer takes neither
        # without an option for it.
        'exec neo4j-admin database import full "${1:-neo4j}" --multiline-fields=true --array-delimiter=U+001F \\',
    ]
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
