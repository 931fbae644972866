"""Other programs expand our JSON-LD as rdflib and Oxigraph do: PyLD, by the algorithms of the W3C, and Apache Jena."""

import json
from pathlib import Path
from typing import Any

import pyld
import pyoxigraph
import pytest
import rdflib

from kg.export.formats import export
from kg.model.vocabulary import expand, thing_iri
from kg.session import Graph
from tests.ontology.cases import CASES, ROOT, read_case
from tests.outside.programs import run_java

DOUBLE = pyoxigraph.NamedNode(expand("xsd:double"))


def of_text(text: str, form: pyoxigraph.RdfFormat) -> pyoxigraph.Dataset:
    """The quads of a text; doubles by value, since PyLD writes those anew that the standard leaves as they are."""
    dataset = pyoxigraph.Dataset(map(by_value, pyoxigraph.parse(text.encode(), format=form, lenient=True)))
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def by_value(quad: pyoxigraph.Quad) -> pyoxigraph.Quad:
    value = quad.object
    if not isinstance(value, pyoxigraph.Literal) or value.datatype != DOUBLE:
        return quad
    return pyoxigraph.Quad(
        quad.subject, quad.predicate, pyoxigraph.Literal(float(f"{float(value.value):1.15e}")), quad.graph_name
    )


def by_pyld(document: Any) -> pyoxigraph.Dataset:
    """The quads of a document as PyLD gives them; it fetches nothing, since our contexts lie inside."""

    def refused(address: str, _: object) -> Any:
        raise AssertionError(address)

    told = pyld.jsonld.to_rdf(document, {"format": "application/n-quads", "documentLoader": refused})
    return of_text(told, pyoxigraph.RdfFormat.N_QUADS)


@pytest.mark.parametrize("name", ["claim", "located", "entity", "source"])
def test_a_record_with_the_context_is_expanded_alike(name: str) -> None:
    context = json.loads((ROOT / "ontology" / "context.jsonld").read_text(encoding="utf-8"))
    document = {**context, **read_case(CASES / "shapes" / "base.yaml")[name]}
    # Not by Oxigraph: 0.5 forgets the context below a term inside a container of `@index`
    text = rdflib.Graph().parse(data=json.dumps(document), format="json-ld").serialize(format="nt")
    read = of_text(text, pyoxigraph.RdfFormat.N_TRIPLES)
    assert by_pyld(document) == read
    assert len(read) > 10


def test_no_key_of_a_record_is_passed_over() -> None:
    context = json.loads((ROOT / "ontology" / "context.jsonld").read_text(encoding="utf-8"))
    for name in ("claim", "located", "entity", "source"):
        record = read_case(CASES / "shapes" / "base.yaml")[name]
        whole = by_pyld({**context, **record})
        for key in record:
            less = {one: value for one, value in record.items() if one != key}
            assert by_pyld({**context, **less}) != whole, f"{name}: {key}"


@pytest.mark.parametrize("unit", ["%", "1", "TB/s", "count:gpu"])
def test_an_id_is_an_iri_for_a_processor_that_keeps_to_the_standard(unit: str) -> None:
    context = json.loads((ROOT / "ontology" / "context.jsonld").read_text(encoding="utf-8"))
    record = read_case(CASES / "shapes" / "base.yaml")["claim"]
    quads = by_pyld({**context, **record, "quantity": {"printed": "3", "value": 3, "unit": unit}})
    links = {expand(term) for term in ("k:metric", "k:subject", "prov:wasAttributedTo", "qudt:hasUnit")}
    found = {quad.predicate.value: quad.object for quad in quads if quad.predicate.value in links}
    assert set(found) == links
    assert all(isinstance(one, pyoxigraph.NamedNode) for one in found.values()), found
    assert found[expand("qudt:hasUnit")] == pyoxigraph.NamedNode(thing_iri(f"unit/{unit}"))


@pytest.mark.long
def test_the_whole_export_is_expanded_alike(shipped: Graph, out: Path) -> None:
    export(shipped, "jsonld", out / "all.jsonld")
    text = (out / "all.jsonld").read_text(encoding="utf-8")
    read = of_text(text, pyoxigraph.RdfFormat.JSON_LD)
    assert by_pyld(json.loads(text)) == read
    export(shipped, "turtle", out / "all.ttl")
    assert read == of_text((out / "all.ttl").read_text(encoding="utf-8"), pyoxigraph.RdfFormat.TURTLE)


def test_hostile_texts_are_expanded_alike(hostile: Graph, out: Path) -> None:
    export(hostile, "jsonld", out / "all.jsonld")
    text = (out / "all.jsonld").read_text(encoding="utf-8")
    read = of_text(text, pyoxigraph.RdfFormat.JSON_LD)
    assert by_pyld(json.loads(text)) == read
    told = run_java("fuseki", "riotcmd.riot", "--output=nquads", str(out / "all.jsonld"))
    assert of_text(told, pyoxigraph.RdfFormat.N_QUADS) == read
