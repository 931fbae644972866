"""The triples of an export in an engine in memory, for queries of the graph as its ontology describes it."""

from typing import TYPE_CHECKING, Final

from kg.export.rdf import nquads
from kg.export.triples_out import triple_pieces

if TYPE_CHECKING:
    from kg.ask.opened import Opened
    from kg.stores.oxigraph import OxigraphStore

_BATCH: Final = 1 << 20
"""Bytes that are handed to the engine at once."""


def exported_store(graph: "Opened") -> "OxigraphStore":
    """What `kg export nquads` writes: every class, default and label. A query that names no graph sees all of them."""
    import pyoxigraph  # a process that has loaded the engine cannot be forked

    from kg.stores.oxigraph import OxigraphStore

    store = pyoxigraph.Store()
    waiting = bytearray()
    for piece in nquads(triple_pieces(graph)):
        waiting += piece
        if len(waiting) > _BATCH:
            store.load(bytes(waiting), format=pyoxigraph.RdfFormat.N_QUADS)
            waiting.clear()
    store.load(bytes(waiting), format=pyoxigraph.RdfFormat.N_QUADS)
    return OxigraphStore(store, sees_all_graphs=True)
