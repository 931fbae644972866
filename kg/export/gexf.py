"""GEXF 1.2: a network in the form of Gephi and sigma.js."""

from collections.abc import Iterable, Iterator
from typing import Final

from kg.export.markup import escaped, written
from kg.export.network import EDGE_PROPERTIES, Edge, Node, node_properties

_BATCH: Final = 512
_TYPE: Final = {"string": "string", "double": "double", "integer": "long", "boolean": "boolean"}
_ROLE, _COUNT = "1", "2"


def gexf(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[bytes]:
    """The file, piece by piece. The label of a node is its own, that of an edge its type.

    >>> text = b"".join(gexf([Node("a", {"label": "A"})], [])).decode()
    >>> [line for line in text.splitlines() if line.startswith("<node ")]
    ['<node id="a" label="A"></node>']
    """
    properties = {name: kind for name, kind in node_properties().items() if name != "label"}
    numbers = {name: number for number, name in enumerate(properties)}
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n',
        "<meta><creator>accelkg</creator><description>claims, entities and sources</description></meta>\n",
        '<graph mode="static" defaultedgetype="directed" idtype="string">\n<attributes class="node" mode="static">\n',
    ]
    head.extend(
        f'<attribute id="{numbers[name]}" title="{name}" type="{_TYPE[kind]}"/>\n' for name, kind in properties.items()
    )
    head.append('</attributes>\n<attributes class="edge" mode="static">\n')
    head.extend(
        f'<attribute id="{number}" title="{name}" type="{_TYPE[kind]}"/>\n'
        for number, (name, kind) in enumerate(EDGE_PROPERTIES.items())
    )
    head.append("</attributes>\n<nodes>\n")
    yield "".join(head).encode()
    yield from _batched(_node(node, numbers) for node in nodes)
    yield b"</nodes>\n<edges>\n"
    yield from _batched(_edge(number, edge) for number, edge in enumerate(edges))
    yield b"</edges>\n</graph>\n</gexf>\n"


def _batched(lines: Iterable[str]) -> Iterator[bytes]:
    kept: list[str] = []
    for line in lines:
        kept.append(line)
        if len(kept) >= _BATCH:
            yield "".join(kept).encode()
            kept.clear()
    yield "".join(kept).encode()


def _token(text: str) -> str:
    """A label: one line, single spaces, as the schema has it."""
    return escaped(" ".join(text.split()))


def _node(node: Node, numbers: dict[str, int]) -> str:
    values = "".join(
        f'<attvalue for="{numbers[name]}" value="{written(value)}"/>'
        for name, value in node.properties.items()
        if name != "label"
    )
    inner = f"<attvalues>{values}</attvalues>" if values else ""
    return (
        f'<node id="{written(node.id)}" label="{_token(str(node.properties.get("label", node.id)))}">{inner}</node>\n'
    )


def _edge(number: int, edge: Edge) -> str:
    values = f'<attvalue for="0" value="{edge.type}"/>'
    if edge.role is not None:
        values += f'<attvalue for="{_ROLE}" value="{written(edge.role)}"/>'
    if edge.amount is not None:
        values += f'<attvalue for="{_COUNT}" value="{edge.amount}"/>'
    ends = f'source="{written(edge.source)}" target="{written(edge.target)}"'
    return f'<edge id="{number}" {ends} type="directed" label="{edge.type}"><attvalues>{values}</attvalues></edge>\n'
