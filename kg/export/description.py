"""What is stated of things, as Turtle: their triples, and those of the parts that nobody asks for by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from kg.export.rdf import claim_prefix, kind_prefixes, turtle
from kg.model.vocabulary import claim_iri, thing_iri
from kg.stores.protocol import Answer

# A part has the IRI of its whole with `#` and a name: a blank node could not be asked for by itself. What records share
# in a store (figures, inputs, places; decision 34) has an IRI of its own; without it a claim would have no figure.
_QUERY: Final = """CONSTRUCT {{ ?s ?p ?o }} WHERE {{
  {{ VALUES ?s {{ {iris} }} ?s ?p ?o }}
  UNION {{ VALUES ?of {{ {iris} }} ?of ?link ?s . FILTER(STRSTARTS(STR(?s), CONCAT(STR(?of), "#"))) ?s ?p ?o }}
  UNION {{ VALUES ?of {{ {iris} }} ?of ?link ?s . FILTER(REGEX(STR(?s), "/id/(quantity|conditions|passage|restatement|role|judgement|setting|result)/")) ?s ?p ?o }}
  UNION {{
    VALUES ?of {{ {iris} }} ?of ?link ?part . FILTER(STRSTARTS(STR(?part), CONCAT(STR(?of), "#")))
    ?part <http://www.w3.org/ns/prov#qualifiedUsage> ?s . ?s ?p ?o
  }}
}}"""
_CLAIM_OF: Final = re.compile(re.escape(f"<{claim_iri('')}") + "([^/>]+)/")
"""The source in the IRI of a claim."""


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
    # Several branches may meet one triple, and an engine sends each of them.
    text = "".join(f"{line}\n" for line in dict.fromkeys(made.decode("utf-8").split("\n")) if line)
    return turtle([(None, text)], _used_prefixes(text))


def _used_prefixes(text: str) -> dict[str, str]:
    """The prefixes under which ids of a text need no escapes; the others would be most of a short file."""
    known = kind_prefixes()
    for name in dict.fromkeys(_CLAIM_OF.findall(text)):
        known.update(claim_prefix(name))
    return {name: iri for name, iri in known.items() if f"<{iri}" in text}
