"""What a whole store says, exported with all its triples, uses every class and property as the vocabulary declares it."""

from collections import Counter
from pathlib import Path

import pyoxigraph
import pytest
from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

import kg
from kg.build.build import StorePlace
from kg.export.triples_out import triple_pieces
from kg.model.vocabulary import ONTOLOGY, expand
from tests.ontology.cases import ROOT
from tests.ontology.unshared import only_in_view

TEXT = expand("xsd:string")
HINT = "correct what is written, or the declaration in ontology/accelkg.ttl"


@pytest.fixture(scope="module")
def store(shipped_store: Path) -> StorePlace:
    return StorePlace(shipped_store)


Uses = dict[URIRef, list[tuple[URIRef, pyoxigraph.NamedNode | pyoxigraph.Literal]]]
"""Subject and value of each triple, by its property: a graph of rdflib takes thirty seconds to be filled."""


@pytest.fixture(scope="module")
def exported(store: StorePlace) -> pyoxigraph.Store:
    graph, said = kg.open(store.folder), pyoxigraph.Store()
    try:
        text = "".join(text for _, text in triple_pieces(graph))
    finally:
        graph.close()
    said.bulk_load(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return said


@pytest.fixture(scope="module")
def view(exported: pyoxigraph.Store) -> Uses:
    found: Uses = {}
    for subject, term, value, _ in exported:
        assert isinstance(subject, pyoxigraph.NamedNode) and isinstance(
            value, pyoxigraph.NamedNode | pyoxigraph.Literal
        ), "a view has no other terms"
        found.setdefault(URIRef(term.value), []).append((URIRef(subject.value), value))
    return found


@pytest.fixture(scope="module")
def vocabulary() -> Graph:
    return Graph().parse(ROOT / "ontology" / "accelkg.ttl")


def covered(vocabulary: Graph, cls: Node) -> set[Node]:
    """A class, or the classes of a union, with all that lie below."""
    union = vocabulary.value(cls, OWL.unionOf)
    members = set(Collection(vocabulary, union)) if union is not None else {cls}
    for one in tuple(members):
        members |= {below for below in vocabulary.transitive_subjects(RDFS.subClassOf, one) if below is not None}
    return members


def test_every_class_and_property_is_declared(view: Uses, vocabulary: Graph) -> None:
    standard = {RDF.type, OWL.imports, OWL.Ontology}
    given = {URIRef(one.value) for _, one in view[RDF.type]}
    classes = {one for one in given if (one, RDF.type, OWL.Class) not in vocabulary}
    properties = {one for one in view if (one, RDF.type, None) not in vocabulary}
    classes, properties = classes - standard, properties - standard
    assert (classes, properties) == (set(), set()), HINT


def datatypes(vocabulary: Graph, wanted: Node) -> set[Node]:
    """A datatype, or those of a union."""
    made_of = vocabulary.value(vocabulary.value(wanted, OWL.equivalentClass), OWL.unionOf)
    return {wanted} if made_of is None else set(Collection(vocabulary, made_of))


def test_values_are_of_the_declared_sort(view: Uses, vocabulary: Graph) -> None:
    wrong: Counter[str] = Counter()
    for term, uses in view.items():
        kinds = set(vocabulary.objects(term, RDF.type))
        wanted = vocabulary.value(term, RDFS.range)
        allowed = None if wanted in (None, RDFS.Literal) else {str(one) for one in datatypes(vocabulary, wanted)}
        for _, value in uses:
            if OWL.ObjectProperty in kinds and isinstance(value, pyoxigraph.Literal):
                wrong[f"text where a thing is declared: {term}"] += 1
            if OWL.DatatypeProperty in kinds:
                if not isinstance(value, pyoxigraph.Literal):
                    wrong[f"thing where a literal is declared: {term}"] += 1
                elif allowed is not None and (given := TEXT if value.language else value.datatype.value) not in allowed:
                    wrong[f"{given} where {wanted} is declared: {term}"] += 1
    assert wrong == Counter(), HINT


def test_functional_properties_have_one_value(view: Uses, vocabulary: Graph) -> None:
    several = {
        str(term): sorted(
            str(node) for node, number in Counter(node for node, _ in view.get(term, ())).items() if number > 1
        )[:3]
        for term in vocabulary.subjects(RDF.type, OWL.FunctionalProperty)
        if isinstance(term, URIRef)
    }
    assert {term: nodes for term, nodes in several.items() if nodes} == {}, HINT


UNWRITTEN = {"k:nameKey": "k:Name", "k:hop": "k:TraceStep", "k:claimInvolved": "k:Role"}
"""The classes that are no triples: what has the property is of the class, and nothing of it lacks the property."""


def types_of(view: Uses) -> dict[Node, set[Node]]:
    """The classes of each node, written or given by the property that all nodes of a class have."""
    types: dict[Node, set[Node]] = {}
    for node, cls in view[RDF.type]:
        types.setdefault(node, set()).add(URIRef(cls.value))
    for name, base in UNWRITTEN.items():
        for node, _ in view[URIRef(expand(name))]:
            types.setdefault(node, set()).add(URIRef(expand(base)))
    return types


def test_domains_and_ranges_of_ours_hold(view: Uses, vocabulary: Graph) -> None:
    types = types_of(view)
    wrong: Counter[str] = Counter()
    for term, cls in vocabulary.subject_objects(RDFS.domain):
        allowed = covered(vocabulary, cls)
        uses = view.get(URIRef(str(term)), [])
        wrong.update(f"domain of {term}" for one, _ in uses if not types.get(one, set()) & allowed)
    for term, cls in vocabulary.subject_objects(RDFS.range):
        if str(cls).startswith(ONTOLOGY) and (cls, RDF.type, RDFS.Datatype) not in vocabulary:
            allowed = covered(vocabulary, cls)
            values = (URIRef(one.value) for _, one in view.get(URIRef(str(term)), []))
            wrong.update(f"range of {term}" for one in values if not types.get(one, set()) & allowed)
    assert wrong == Counter(), HINT


def test_nothing_is_of_two_classes_that_exclude_each_other(view: Uses, vocabulary: Graph) -> None:
    apart = [list(Collection(vocabulary, members)) for members in vocabulary.objects(None, OWL.members)]
    apart += [[one, other] for one, other in vocabulary.subject_objects(OWL.disjointWith)]
    groups = [[covered(vocabulary, cls) for cls in classes] for classes in apart]
    types = types_of(view)
    torn = [
        str(node) for node, given in types.items() for group in groups if sum(bool(given & one) for one in group) > 1
    ]
    assert torn == []


def test_a_view_holds_part_of_what_is_exported(store: StorePlace, exported: pyoxigraph.Store) -> None:
    live = store.rdf.current()
    assert live is not None
    held = pyoxigraph.Store.read_only(str(live[0]))
    assert only_in_view(held, exported) == [] and len(held) < 0.6 * len(exported)
