"""Cytoscape JSON (CX is another thing): the network in the form of Cytoscape desktop and cytoscape.js."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson

from kg.export.network import Edge, Node

_BATCH: Final = 512
_HEAD: Final = b'{"format_version":"1.0","generated_by":"accelkg","target_cytoscapejs_version":"~3.30",\n'


def cytoscape(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[bytes]:
    """The file, piece by piece. `name` is what Cytoscape writes on a node, `interaction` what it writes on an edge.

    >>> print(b"".join(cytoscape([Node("a", {"label": "A"})], [Edge("a", "a", "CITES")])).decode().splitlines()[3])
    {"data":{"id":"a","label":"A","name":"A"}}
    """
    yield _HEAD + b'"data":{"name":"accelkg"},\n"elements":{"nodes":[\n'
    yield from _listed(
        {"data": {"id": one.id, "name": one.properties.get("label", one.id), **one.properties}} for one in nodes
    )
    yield b'],\n"edges":[\n'
    yield from _listed(_edge(number, one) for number, one in enumerate(edges))
    yield b"]}}\n"


def _edge(number: int, one: Edge) -> dict[str, Any]:
    data: dict[str, Any] = {"id": f"e{number}", "source": one.source, "target": one.target, "interaction": one.type}
    if one.role is not None:
        data["role"] = one.role
    if one.amount is not None:
        data["count"] = one.amount
    return {"data": data}


def _listed(elements: Iterable[dict[str, object]]) -> Iterator[bytes]:
    kept: list[bytes] = []
    first = True
    for one in elements:
        kept.append((b"" if first else b",\n") + orjson.dumps(one, option=orjson.OPT_SORT_KEYS))
        first = False
        if len(kept) >= _BATCH:
            yield b"".join(kept)
            kept.clear()
    yield b"".join(kept) + (b"" if first else b"\n")
