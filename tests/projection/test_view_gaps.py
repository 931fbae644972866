"""What a store does not say and an export does: known by the declarations, and whole on the shipped content."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from kg.ask.schema_terms import short, unsaid_terms
from kg.export.exported_store import exported_store
from kg.model.kinds import KINDS
from kg.model.terms import declarations
from kg.projection.declared_terms import terms_of
from kg.projection.view_gaps import left_out
from kg.session import open_graph

_TYPE = pyoxigraph.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def shared_terms() -> set[str]:
    """The terms of nodes that a store has once for all records that say the same."""
    of_shared = {term for kind in KINDS if kind.is_shared("view") for term, _ in terms_of(kind.record)}
    elsewhere = {
        term
        for kind in KINDS
        for name, _, item in declarations(kind.record)
        if name in kind.said_elsewhere
        for term in [getattr(item, "term", None)]
        if term
    }
    return of_shared | elsewhere


@pytest.fixture(scope="module")
def counts(shipped_store: Path) -> tuple[Counter[str], Counter[str]]:
    """How often each property and class is said in the store, and in an export."""
    graph: Any = open_graph(shipped_store)
    found = []
    for store in (graph.store.store, exported_store(graph).store):
        said: Counter[str] = Counter()
        for quad in store.quads_for_pattern(None, None, None, None):
            said[short(quad.predicate.value)] += 1
            if quad.predicate == _TYPE and isinstance(quad.object, pyoxigraph.NamedNode):
                said[short(quad.object.value)] += 1
        found.append(said)
    graph.close()
    return found[0], found[1]


def test_a_class_or_property_that_a_store_never_says_is_known(counts: tuple[Counter[str], Counter[str]]) -> None:
    view, export = counts
    never = {term for term in export if not view[term] and term.startswith("k:") and not term.endswith("Status")}
    assert never - left_out().keys() - shared_terms() == set()


def test_what_is_known_as_left_out_is_said_less_often(counts: tuple[Counter[str], Counter[str]]) -> None:
    view, export = counts
    assert {term for term in left_out() if export[term] and view[term] >= export[term]} == set()


def test_a_query_is_told_what_a_store_leaves_out() -> None:
    told = unsaid_terms("SELECT ?c { ?c a k:Claim ; rdfs:label ?l ; k:polarity 'affirmed' }")
    assert told == [
        "rdfs:label is not said in a store",
        "k:polarity is not said in a store where it is 'affirmed'",
    ]
    assert unsaid_terms("SELECT ?c { ?c a k:Claim ; k:verdict ?v ; skos:prefLabel ?l }") == []
