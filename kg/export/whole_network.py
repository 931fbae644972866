"""The whole graph as one network: claims, entities and sources, and what joins them.

The graph files (GraphML, GEXF) and `kg.to_networkx` are made of the same nodes and edges.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from kg.ask.bind import each_of
from kg.export.exchange import Groups, Progress, Records, silent
from kg.export.network import Edge, KnownIds, Node, claim_node, edge_types, known_edges, thing_node
from kg.export.part import EVERYTHING, Selection
from kg.model.ledger_records import CurrentRecord

if TYPE_CHECKING:
    from networkx import MultiDiGraph

    from kg.ask.opened import Opened


class Network:
    """The nodes and edges of a store, read one by one and as often as needed."""

    def __init__(self, graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING) -> None:
        self._records = Records(graph, progress, part)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._records.close()

    def nodes(self) -> Iterator[Node]:
        """Claims with canonical values and advice, then entities and sources."""
        with self._records.sorted_derived("advice") as sorter:
            advice = Groups(sorter.items())
            for record, keys in self._records.keyed():
                given = advice.of(record["id"])
                yield claim_node(record, keys, given[0]["verdict"] if given else None)
        yield from map(thing_node, self._records.things())

    def edges(self) -> Iterator[Edge]:
        """What joins them; edges to what is not there are left out."""
        known = KnownIds([*(one["id"] for one in self._records.claims()), *self._records.registry])
        yield from known_edges(self._all(), known)

    def _all(self) -> Iterator[CurrentRecord]:
        yield from self._records.claims()
        yield from self._records.things()


def to_networkx(graph: "Opened", *, types: "tuple[str, ...] | None" = None) -> "MultiDiGraph":
    """A NetworkX graph with directed edges of the whole store, or of edges of some types and the nodes they join.

    The key of an edge is its type, and its role where it has one.
    """
    import networkx

    if types is not None:
        types = each_of(types, edge_types(), "types")
    made = networkx.MultiDiGraph()
    with Network(graph) as network:
        for node in network.nodes():
            made.add_node(node.id, **node.properties)
        for edge in network.edges():
            if types is not None and edge.type not in types:
                continue
            further = {name: one for name, one in (("role", edge.role), ("count", edge.amount)) if one is not None}
            made.add_edge(
                edge.source,
                edge.target,
                edge.type if edge.role is None else f"{edge.type} {edge.role}",
                type=edge.type,
                **further,
            )
    if types is not None:
        made.remove_nodes_from([one for one, degree in list(made.degree()) if degree == 0])
    return made
