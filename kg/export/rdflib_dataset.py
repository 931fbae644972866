"""The whole graph as an rdflib `Dataset`, for those whose own program speaks rdflib."""

import tempfile
from typing import TYPE_CHECKING

from kg.export.rdf import nquads
from kg.export.triples_out import triple_pieces
from kg.model.vocabulary import PREFIXES

if TYPE_CHECKING:
    from rdflib import Dataset

    from kg.ask.opened import Opened


def to_rdflib(graph: "Opened") -> "Dataset":
    """What `kg export nquads` writes, loaded: claims by source, registry, derived and vocabulary are named graphs.

    Where no graph is named, a query sees all of them. It lies in memory, one to two kilobytes a triple.
    """
    from rdflib import Dataset

    dataset = Dataset(default_union=True)
    for prefix, address in PREFIXES.items():
        dataset.bind(prefix, address, replace=True)
    # By way of a file: the text of all quads next to the data set would double what lies in memory.
    with tempfile.TemporaryFile(prefix="accelkg-") as quads:
        quads.writelines(nquads(triple_pieces(graph)))
        quads.seek(0)
        dataset.parse(quads, format="nquads")
    return dataset
