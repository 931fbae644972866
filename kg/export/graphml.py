"""GraphML: a network in the form that NetworkX, igraph, yEd and Gephi read."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kg.export.markup import written
from kg.export.network import EDGE_PROPERTIES, Edge, Node, node_properties

_BATCH: Final = 512
_TYPE: Final = {"string": "string", "double": "double", "integer": "long", "boolean": "boolean"}
# The slash of an id is written as a colon, so that a colon of the id itself is written by its number; and so is what looks like
# such a number already.
_NO_TOKEN: Final = re.compile(r"[^A-Za-z0-9._-]|_(?=x[0-9a-f]+_)")


def token(name: str) -> str:
    """An id in the letters that the schema of GraphML allows for one (xs:NMTOKEN); the id itself is the property `uid`.

    >>> token("accelerator/nvidia-h200"), token("a:b/c d"), token("a_x3a_b")
    ('accelerator:nvidia-h200', 'a_x3a_b:c_x20_d', 'a_x5f_x3a_b')
    """
    return _NO_TOKEN.sub(lambda found: ":" if found[0] == "/" else f"_x{ord(found[0]):x}_", name)


def graphml(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[bytes]:
    """The file, piece by piece: keys, nodes, edges.

    >>> text = b"".join(graphml([Node("a", {"label": "A"}), Node("b", {})], [Edge("a", "b", "CITES")])).decode()
    >>> text.splitlines()[-4]
    '<node id="b"><data key="n0">b</data></node>'
    """
    head = ['<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n']
    keys: dict[str, dict[str, str]] = {"node": {}, "edge": {}}
    for of, properties in (("node", {"uid": "string", **node_properties()}), ("edge", EDGE_PROPERTIES)):
        for name, kind in properties.items():
            key = keys[of][name] = f"{of[0]}{len(keys[of])}"
            head.append(f'<key id="{key}" for="{of}" attr.name="{name}" attr.type="{_TYPE[kind]}"/>\n')
    head.append('<graph id="accelkg" edgedefault="directed">\n')
    yield "".join(head).encode()
    lines: list[str] = []
    data = {name: f'<data key="{key}">' for name, key in keys["node"].items()}
    for node in nodes:
        stated = {"uid": node.id, **node.properties}.items()
        inner = "".join(f"{data[name]}{written(value)}</data>" for name, value in stated)
        lines.append(f'<node id="{token(node.id)}">{inner}</node>\n')
        if len(lines) >= _BATCH:
            yield "".join(lines).encode()
            lines.clear()
    data = {name: f'<data key="{key}">' for name, key in keys["edge"].items()}
    for number, edge in enumerate(edges):
        inner = f"{data['type']}{edge.type}</data>"
        if edge.role is not None:
            inner += f"{data['role']}{written(edge.role)}</data>"
        if edge.amount is not None:
            inner += f"{data['count']}{edge.amount}</data>"
        ends = f'source="{token(edge.source)}" target="{token(edge.target)}"'
        lines.append(f'<edge id="e{number}" {ends}>{inner}</edge>\n')
        if len(lines) >= _BATCH:
            yield "".join(lines).encode()
            lines.clear()
    yield ("".join(lines) + "</graph>\n</graphml>\n").encode()
