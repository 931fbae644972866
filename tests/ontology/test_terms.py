"""Every term in use is declared, and every term of ours says what it is called, what it means and how it is used."""

import ast
import re
from collections.abc import Iterator

import pytest
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef

from kg.model.record import RECORD_TYPES, Part
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement
from kg.model.terms import Inner, Link, Prop, declared
from kg.model.vocabulary import CLAIM_CLASS, CONDITION_NAMES, ENTITY_CLASS, ONTOLOGY, PREFIXES, expand
from kg.projection.triples import condition_term
from tests.ontology.cases import ROOT

BUILT_IN = {"rdf", "rdfs", "owl", "xsd", "sh", "id", "unit", "quantitykind"}
TERM = re.compile(rf"(?<![\w/:-])({'|'.join(sorted(set(PREFIXES) - BUILT_IN))}):([A-Za-z]\w*)")
MENTIONS = re.compile(rf"({'|'.join(set(PREFIXES) - BUILT_IN)}):\w")
"""What a file with a term has, after whatever stands before it: reading all files as syntax trees takes seconds."""
PROJECTED: tuple[type[Record], ...] = (
    *RECORD_TYPES.values(),
    Quantity,
    Anchor,
    Event,
    Restatement,
    Derivation,
    DerivationInput,
    Part,
)
NO_TERMS = {
    "k:condition": "the start of the condition terms",
    "k:service": "made up in an example of kg/ask/guard.py",
    "k:x": "made up in an example of kg/ask/schema_terms.py",
    "k:y": "the same",
}
DECLARED = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, OWL.NamedIndividual)


@pytest.fixture(scope="module")
def vocabulary() -> Graph:
    return Graph().parse(ROOT / "ontology" / "accelkg.ttl")


def declared_terms(vocabulary: Graph) -> set[str]:
    return {str(one) for cls in DECLARED for one in vocabulary.subjects(RDF.type, cls) if isinstance(one, URIRef)}


def projected() -> Iterator[str]:
    """The terms that the records are written with."""
    for cls in PROJECTED:
        for _, projection in declared(cls):
            if isinstance(projection, Prop | Link | Inner):
                yield projection.term
            if isinstance(projection, Inner):
                yield projection.cls
    yield from (*CLAIM_CLASS.values(), *ENTITY_CLASS.values())
    for name in CONDITION_NAMES:
        yield from (condition_term(name), condition_term(name) + "Status")


def in_source() -> Iterator[tuple[str, str]]:
    """Prefixed names in the strings of the program and in the saved questions, with the file."""
    for path in sorted((ROOT / "kg").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if MENTIONS.search(text) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for found in TERM.finditer(node.value):
                    yield found.group(), path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "queries").rglob("*.rq")):
        body = "\n".join(
            line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")
        )
        for found in TERM.finditer(re.sub(r'"[^"]*"|<[^>]*>', "", body)):
            yield found.group(), path.relative_to(ROOT).as_posix()


def test_every_projected_term_is_declared(vocabulary: Graph) -> None:
    known = declared_terms(vocabulary)
    assert sorted({term for term in projected() if expand(term) not in known}) == []


def test_every_term_in_code_and_questions_is_declared(vocabulary: Graph) -> None:
    known = declared_terms(vocabulary)
    unknown = sorted(
        {f"{term} in {path}" for term, path in in_source() if expand(term) not in known and term not in NO_TERMS}
    )
    assert unknown == [], (
        "declare these in ontology/accelkg.ttl with label, definition and example (external ones bare, at its end)"
    )


def test_a_property_is_used_with_one_kind_of_value_only(vocabulary: Graph) -> None:
    expected = {
        Prop: {OWL.DatatypeProperty, OWL.AnnotationProperty},
        Link: {OWL.ObjectProperty},
        Inner: {OWL.ObjectProperty},
    }
    for cls in PROJECTED:
        for name, projection in declared(cls):
            kinds = set(vocabulary.objects(URIRef(expand(projection.term)), RDF.type))  # type: ignore[union-attr]
            assert kinds & expected[type(projection)], f"{cls.__name__}.{name}"
    both = {OWL.DatatypeProperty, OWL.ObjectProperty}
    assert [
        str(one) for one in set(vocabulary.subjects(RDF.type)) if both <= set(vocabulary.objects(one, RDF.type))
    ] == []


def test_every_term_is_of_one_kind(vocabulary: Graph) -> None:
    """OWL 2 DL (structural specification, 5.9): no IRI names properties of two kinds, nor a class and a property of ours."""
    kinds = {one: set(vocabulary.objects(one, RDF.type)) & set(DECLARED) for one in set(vocabulary.subjects(RDF.type))}
    assert sorted(str(one) for one, found in kinds.items() if len(found) > 1) == []


def test_every_term_of_ours_has_one_label_a_definition_and_an_example(vocabulary: Graph) -> None:
    lacking = [
        f"{term}: {predicate}"
        for term in declared_terms(vocabulary)
        if term.startswith(ONTOLOGY)
        for predicate in (RDFS.label, SKOS.definition, SKOS.example)
        if len([one for one in vocabulary.objects(URIRef(term), predicate) if str(one).strip()]) != 1
    ]
    assert lacking == []


def test_no_two_classes_share_a_label(vocabulary: Graph) -> None:
    labels = [
        str(vocabulary.value(one, RDFS.label))
        for one in vocabulary.subjects(RDF.type, OWL.Class)
        if str(one).startswith(ONTOLOGY)
    ]
    assert sorted(labels) == sorted(set(labels))


def test_vocabulary_states_version_and_licence_and_imports_nothing(vocabulary: Graph) -> None:
    ontology = URIRef(ONTOLOGY.removesuffix("#"))
    for predicate in (OWL.versionInfo, OWL.versionIRI, URIRef(expand("dcterms:license"))):
        assert vocabulary.value(ontology, predicate) is not None
    assert (None, OWL.imports, None) not in vocabulary


def test_every_class_of_ours_hangs_below_a_class_of_another_vocabulary(vocabulary: Graph) -> None:
    loose = [
        str(one)
        for one in vocabulary.subjects(RDF.type, OWL.Class)
        if str(one).startswith(ONTOLOGY)
        and all(str(above).startswith(ONTOLOGY) for above in vocabulary.transitive_objects(one, RDFS.subClassOf))
    ]
    assert loose == []
