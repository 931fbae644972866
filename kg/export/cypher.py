"""A Cypher script that makes the property graph: a constraint, then nodes, then relationships, in batches.

It merges by `uid` below the label that all our nodes have, so that it may run twice and touches nothing else. The rows of
a batch are one text that the server takes apart: texts are read at once, where maps are planned value by value. Records
in it end with U+001E, fields with U+001F and list items with U+001D, which no value holds.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from json.encoder import encode_basestring
from typing import Any, Final

from kg.projection.graph_schema import NODE_LABEL, Property, further_labels, graph_schema
from kg.projection.rows import EdgeRow, NodeRow, Row

_BATCH: Final = 1000
_OPEN: Final = 256 << 10
"""A batch is written at this many characters at the latest."""
_ROW, _FIELD, _ITEM = "\x1e\n", "\x1f", "\x1d"
_SEPARATORS: Final = {"\\u001e\\n": _ROW, "\\u001f": _FIELD, "\\u001d": _ITEM}
# Meets `\\` and `\\u` of the text and the separators `\u001e\n`, `\u001f`, `\u001d` as escapes.
# Backslashes come first and are met in pairs: in `\\u001f`, a backslash of the text with `u001f`
# behind it, no separator is found.
_ESCAPED: Final = re.compile("|".join((r"\\\\(u?)", *map(re.escape, _SEPARATORS))))
# A value that holds a separator would be cut in two: the sign becomes U+FFFD.
_TAKEN: Final = str.maketrans({"\x1d": "\ufffd", "\x1e": "\ufffd", "\x1f": "\ufffd"})
_READ: Final = {"double": "toFloat({})", "integer": "toInteger({})", "boolean": "toBoolean({})", "string": "{}"}


def literal(text: str) -> str:
    r"""A text in Cypher; separators and line ends between records stay as they are.

    A backslash never stands before a `u` of the text: some readers would take it for an escape.

    >>> literal("a\"b\n"), literal("\\u0041")
    ('"a\\"b\\n"', '"\\\\" + "u0041"')
    """
    shown = encode_basestring(text)
    if "\\\\" in shown:  # what looks like a separator may be a backslash of the text and what follows it
        return _ESCAPED.sub(_unescaped, shown)
    for escaped, separator in _SEPARATORS.items():
        shown = shown.replace(escaped, separator)
    return shown


def _unescaped(found: re.Match[str]) -> str:
    """A separator as it is; a backslash of the text stays escaped, apart from a `u` behind it."""
    return _SEPARATORS.get(found[0]) or ('\\\\" + "u' if found[1] else found[0])


def cypher(rows: Iterable[Row]) -> Iterator[bytes]:
    """The script; relationships wait in a temporary file until all nodes are written."""
    yield f"CREATE CONSTRAINT kg_uid IF NOT EXISTS FOR (n:{NODE_LABEL}) REQUIRE n.uid IS UNIQUE;\n".encode()
    schema = graph_schema()
    columns = {one.name: tuple(each.name for each in one.properties) for one in schema.nodes}
    with tempfile.TemporaryFile(prefix="accelkg-") as spool:
        nodes, edges = _Batches(), _Batches()
        for row in rows:
            if isinstance(row, NodeRow):
                labels = (row.table, *further_labels(row.table, row.properties))
                cells = (row.uid, *map(row.properties.get, columns[row.table]))
                for text in nodes.add(_node_statement(labels), cells):
                    yield text.encode()
            else:
                for text in edges.add(_edge_statement(row.type), _edge_cells(row)):
                    spool.write(text.encode())
        for text in nodes.rest():
            yield text.encode()
        for text in edges.rest():
            spool.write(text.encode())
        spool.seek(0)
        while block := spool.read(1 << 20):
            yield block


@cache
def _node_statement(labels: tuple[str, ...]) -> str:
    read = ", ".join(
        f"`{one.name}`: {_reading(one, n)}" for n, one in enumerate(graph_schema().node(labels[0]).properties, 1)
    )
    return f"MERGE (n:{NODE_LABEL} {{uid: c[0]}}) SET n:{':'.join(labels)}, n += {{{read}}}"


@cache
def _edge_statement(kind: str) -> str:
    schema = graph_schema().relationship(kind)
    keys = ", ".join(
        f"`{one.name}`: {_reading(one, n)}" for n, one in enumerate(schema.properties, 2) if one.name in schema.key
    )
    read = ", ".join(
        f"`{one.name}`: {_reading(one, n)}" for n, one in enumerate(schema.properties, 2) if one.name not in schema.key
    )
    statement = f"MATCH (a:{NODE_LABEL} {{uid: c[0]}}) MATCH (b:{NODE_LABEL} {{uid: c[1]}}) MERGE (a)-[r:{kind}"
    return statement + (f" {{{keys}}}" if keys else "") + "]->(b)" + (f" SET r += {{{read}}}" if read else "")


def _reading(one: Property, at: int) -> str:
    """How a field becomes a value again; an empty one says nothing."""
    # `split` and the like of a text give texts, and an empty field is "": null says that the
    # property is not there.
    cell = f"c[{at}]"
    if one.many:
        item = _READ[one.kind].format("x")
        items = f'split({cell}, "\\u001d")'
        return f'CASE {cell} WHEN "" THEN null ELSE {items if one.kind == "string" else f"[x IN {items} | {item}]"} END'
    return f'CASE {cell} WHEN "" THEN null ELSE {_READ[one.kind].format(cell)} END'


@cache
def _edge_columns(kind: str) -> tuple[str, ...]:
    return tuple(one.name for one in graph_schema().relationship(kind).properties)


def _edge_cells(row: EdgeRow) -> tuple[Any, ...]:
    return row.from_uid, row.to_uid, *map(row.properties.get, _edge_columns(row.type))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.translate(_TAKEN) if "\x1d" in value or "\x1e" in value or "\x1f" in value else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return _ITEM.join(map(_cell, value))
    return repr(value)


class _Batches:
    """Collects the rows of each statement, and gives the whole statement when a batch is full."""

    def __init__(self) -> None:
        self._rows: dict[str, list[str]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, statement: str, cells: Iterable[object]) -> Iterator[str]:
        """One more row."""
        row = _FIELD.join(["" if one is None else _cell(one) for one in cells])
        rows = self._rows.setdefault(statement, [])
        rows.append(row)
        size = self._sizes[statement] = self._sizes.get(statement, 0) + len(row)
        if len(rows) >= _BATCH or size >= _OPEN:
            yield self._whole(statement)

    def _whole(self, statement: str) -> str:
        rows = literal(_ROW.join(self._rows.pop(statement)))
        del self._sizes[statement]
        return f'UNWIND split({rows}, "\\u001e\\n") AS line WITH split(line, "\\u001f") AS c\n{statement};\n'

    def rest(self) -> Iterator[str]:
        """What is left, statement by statement."""
        for statement in sorted(self._rows):
            yield self._whole(statement)
