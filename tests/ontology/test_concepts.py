"""The concept schemes hold exactly the words that the records accept."""

from typing import Any, get_args

import pytest
from rdflib import RDF, SKOS, Graph, URIRef

from kg.audit.derivation import VerdictCode
from kg.model import vocabulary as words
from kg.model.record import Source
from kg.model.record_parts import DerivationInput, Event
from kg.model.vocabulary import THINGS
from tests.ontology.cases import ROOT


def literals(annotation: Any) -> set[str]:
    """All words of the Literal types in an annotation."""
    found = {one for one in get_args(annotation) if isinstance(one, str)}
    return found.union(*(literals(one) for one in get_args(annotation) if not isinstance(one, str)))


LISTS: dict[str, Any] = {
    "claim-kind": words.Kind,
    "modality": words.Modality,
    "polarity": words.Polarity,
    "level": words.Level,
    "relation": words.Relation,
    "reading": words.Reading,
    "normaliser": words.Normaliser,
    "hedge": words.Hedge,
    "shape": words.Shape,
    "direction": words.Direction,
    "baseline-status": words.BaselineStatus,
    "fidelity": words.Fidelity,
    "condition-status": words.ConditionStatus,
    "source-kind": words.SourceKind,
    "source-form": words.SourceForm,
    "event-type": Event.model_fields["type"].annotation,
    "input-role": DerivationInput.model_fields["role"].annotation,
    "machine-written": Source.model_fields["machine_written"].annotation,
    "derivation-verdict": VerdictCode,
}


@pytest.fixture(scope="module")
def concepts() -> Graph:
    return Graph().parse(ROOT / "ontology" / "concepts.ttl")


@pytest.mark.parametrize("name", sorted(LISTS))
def test_scheme_holds_the_words_of_its_list(name: str, concepts: Graph) -> None:
    scheme = URIRef(f"{THINGS}scheme/{name}")
    held = {str(concepts.value(one, SKOS.notation)) for one in concepts.subjects(SKOS.inScheme, scheme)}
    assert held == literals(LISTS[name]), "ontology/concepts.ttl and the list in kg/model differ"


def test_every_concept_and_scheme_is_described(concepts: Graph) -> None:
    needed = (SKOS.prefLabel, SKOS.definition, SKOS.example, SKOS.notation, SKOS.inScheme)
    lacking = [
        f"{one}: {term}"
        for one in concepts.subjects(RDF.type, SKOS.Concept)
        for term in needed
        if concepts.value(one, term) is None
    ]
    lacking += [
        f"{one}: {term}"
        for one in concepts.subjects(RDF.type, SKOS.ConceptScheme)
        for term in (SKOS.prefLabel, SKOS.definition)
        if concepts.value(one, term) is None
    ]
    assert lacking == []


def test_the_iri_of_a_concept_ends_in_its_word(concepts: Graph) -> None:
    wrong = [
        str(one)
        for one in concepts.subjects(RDF.type, SKOS.Concept)
        if str(one).rsplit("/", 1)[1] != str(concepts.value(one, SKOS.notation))
    ]
    assert wrong == []
