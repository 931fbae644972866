"""What is stated of things, as Turtle: their triples, and those of the parts that have no id of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from kg.export.rdf import turtle
from kg.model.vocabulary import claim_iri, thing_iri
from kg.stores.protocol import Answer

# A part has the IRI of its whole with `#` and a name: a blank node could not be asked for by
# itself.
_QUERY = """CONSTRUCT {{ ?s ?p ?o }} WHERE {{
  {{ VALUES ?s {{ {iris} }} ?s ?p ?o }}
  UNION {{ VALUES ?of {{ {iris} }} ?of ?link ?s . FILTER(STRSTARTS(STR(?s), CONCAT(STR(?of), "#"))) ?s ?p ?o }}
}}"""


class QueriesGraph(Protocol):
    """Runs a reading query."""

    def __call__(self, text: str, *, timeout_seconds: float | None = None) -> Answer | bytes:
        """Rows, or N-Triples of a query that makes a graph."""
        ...


def description(query: QueriesGraph, ids: Sequence[str]) -> Iterable[bytes]:
    """The Turtle of claims, entities, sources and other things of ours, by id."""
    iris = " ".join(f"<{claim_iri(one)}> <{thing_iri(one)}>" for one in dict.fromkeys(ids))
    made = query(_QUERY.format(iris=iris), timeout_seconds=None)
    assert isinstance(made, bytes)
    return turtle([(None, made.decode("utf-8"))])
