"""Records in their exchange form, read with the JSON-LD context, give the triples that the writer gives.

The parts that the context cannot say are listed in `kg/projection/jsonld.py`; they are left out on both sides here.
"""

import json
from typing import cast

import pytest
from rdflib import RDF, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kg.model.record import RECORD_TYPES, AnyRecord, default_values, recorded_form
from kg.model.vocabulary import claim_iri, expand, thing_iri
from tests.ontology.cases import CASES, ROOT, Json, read_case, unvalidated

OTHERWISE = {
    expand(term)
    for term in (
        "dcterms:identifier",
        "dcterms:hasPart",
        "rdfs:label",
        "dcterms:license",  # the licence of k:licence once more, where SPDX has a short name for it
        "prov:wasQuotedFrom",
        "prov:wasDerivedFrom",
        "k:underConditions",
        "k:baselineConditions",
        "k:conditionsJson",
        "k:baselineConditionsJson",
        "k:pathText",
        "k:alternativesText",
        "k:normaliserText",
    )
}
PASSAGE = expand("k:anchoredAt")
DATES = {expand(f"xsd:{name}") for name in ("date", "gYearMonth", "gYear")}
Fact = tuple[object, ...]


@pytest.fixture(scope="module")
def context() -> Json:
    made: Json = json.loads((ROOT / "ontology" / "context.jsonld").read_text(encoding="utf-8"))
    return made


def expanded(record: Json, context: Json) -> Graph:
    return Graph().parse(data=json.dumps({**context, **record}), format="json-ld")


def facts(graph: Graph, node: Node, *, record: str | None = None) -> set[Fact]:
    """What is said of a node; nodes below it by what is said of them, without their names and types."""
    found: set[Fact] = set()
    for term, value in graph.predicate_objects(node):
        if str(term) in OTHERWISE or str(term) == PASSAGE or (term == RDF.type and str(value) != record):
            continue
        if isinstance(value, BNode) or (isinstance(value, URIRef) and "#" in value and value.startswith(thing_iri(""))):
            found.add((str(term), frozenset(facts(graph, value))))
        else:
            found.add((str(term), plain(value)))
    return found


def plain(value: Node) -> object:
    """A value as Python has it; a date as its text, of which a context cannot know the precision."""
    is_date = isinstance(value, Literal) and str(value.datatype) in DATES
    return value.toPython() if isinstance(value, Literal) and not is_date else str(value)


def defaults(record: Json) -> set[Fact]:
    cls = RECORD_TYPES[record["record"]]
    return {(expand(prop.term), value) for name, prop, value in default_values(cls) if name not in record}


@pytest.mark.parametrize("name", ["claim", "located", "entity", "source"])
def test_context_gives_the_triples_of_the_writer(name: str, context: Json) -> None:
    given = read_case(CASES / "shapes" / "base.yaml")[name]
    record = recorded_form(cast(AnyRecord, RECORD_TYPES[given["record"]].model_validate(given)))
    iri = URIRef(claim_iri(record["id"]) if record["record"] == "claim" else thing_iri(record["id"]))
    cls = expand(f"k:{record['record'].capitalize()}")
    read = facts(expanded(record, context), iri, record=cls)
    written = unvalidated(record)
    if record["record"] == "source":  # the publisher once more, for tools that know PROV only
        written.remove((iri, URIRef(expand("prov:wasAttributedTo")), None))
    assert read == facts(written, iri, record=cls) - defaults(record)
    assert len(read) > 5


def test_passage_keeps_position_and_cell(context: Json) -> None:
    record = read_case(CASES / "shapes" / "base.yaml")["claim"]
    graph = expanded(record, context)
    passage = graph.value(URIRef(claim_iri(record["id"])), URIRef(expand("k:anchoredAt")))
    said = {
        str(term): value.toPython() for term, value in graph.predicate_objects(passage) if isinstance(value, Literal)
    }
    assert said == {
        expand("oa:start"): 10,
        expand("oa:end"): 14,
        expand("k:page"): 3,
        expand("k:box"): "72,96.5,20.4,9",
        expand("k:table"): "Table 1",
        expand("k:row"): "Rack A",
        expand("k:column"): "speed",
        expand("k:documentName"): "report.txt",
        expand("k:sha256"): "a" * 64,
    }


def test_conditions_are_kept_whole(context: Json) -> None:
    record = read_case(CASES / "shapes" / "base.yaml")["claim"]
    value = expanded(record, context).value(URIRef(claim_iri(record["id"])), URIRef(expand("k:conditionsJson")))
    assert json.loads(str(value)) == record["conditions"]


@pytest.mark.parametrize("unit", ["%", "1", "TB/s", "mm2", "count:gpu"])
def test_units_become_the_iris_of_the_unit_table(unit: str, context: Json) -> None:
    record = read_case(CASES / "shapes" / "base.yaml")["claim"]
    record["quantity"] = {"printed": "3", "value": 3, "unit": unit}
    graph = expanded(record, context)
    assert [str(one) for one in graph.objects(None, URIRef(expand("qudt:hasUnit")))] == [thing_iri(f"unit/{unit}")]
