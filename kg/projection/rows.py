"""Rows of nodes and relationships: what this room yields for the property graph, and stores, servers and exports take."""

from typing import Any, NamedTuple

Properties = dict[str, Any]


class NodeRow(NamedTuple):
    """A node: its table, its `uid`, and the properties that are known; what is left out is not known."""

    table: str
    uid: str
    properties: Properties


class EdgeRow(NamedTuple):
    """A relationship with the tables and ids of its ends."""

    type: str
    from_table: str
    from_uid: str
    to_table: str
    to_uid: str
    properties: Properties


Row = NodeRow | EdgeRow
