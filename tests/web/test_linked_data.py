"""Ids answer with page or description by Accept, and the data set is described."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib

from kg.model.vocabulary import ONTOLOGY, THINGS
from tests.web.serving import Served, served, whole_app

CLAIM = "claim/002/r1.gb200.offline.per-accelerator"
DCAT = rdflib.Namespace("http://www.w3.org/ns/dcat#")


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Served]:
    with served(whole_app(store)) as running:
        yield running


@pytest.mark.parametrize("name", [CLAIM, "source/002", "family/nvidia-h200", "metric/memory-bandwidth"])
def test_an_id_leads_to_its_page_and_to_its_description(server: Served, name: str) -> None:
    page = server.request("GET", f"/id/{name}", headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.status == 303
    shown = server.request("GET", page.headers["location"])
    assert (shown.status, shown.media_type) == (200, "text/html")
    sizes = set()
    for media in ("text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml"):
        found = server.request("GET", f"/id/{name}", headers={"Accept": media})
        assert (found.status, found.headers["vary"]) == (303, "Accept, Origin")
        data = server.request("GET", found.headers["location"])
        assert (data.status, data.media_type) == (200, media)
        graph = rdflib.Graph().parse(data=data.body, format=media)
        assert (rdflib.URIRef(THINGS + name), None, None) in graph
        sizes.add(len(graph))
    assert len(sizes) == 1


def test_a_claim_is_described_with_its_figure_its_place_and_its_inputs(server: Served) -> None:
    text = server.request("GET", f"/data/{CLAIM}.ttl").text
    graph = rdflib.Graph().parse(data=text, format="turtle")
    about = rdflib.URIRef(THINGS + CLAIM)
    k = rdflib.Namespace(ONTOLOGY)
    assert str(graph.value(graph.value(about, k.quantity), k.printed)) == "72428.00"
    assert graph.value(graph.value(about, k.anchoredAt), k.column) is not None
    assert graph.value(graph.value(about, k.underConditions), k.conditionsText) is not None
    inputs = list(graph.objects(None, rdflib.PROV.entity))
    assert len(inputs) == 2 and len(list(graph.objects(None, rdflib.PROV.qualifiedUsage))) == 2
    assert "claim-002:r1.gb200.offline.per-accelerator k:" in text and "@prefix sosa:" not in text


@pytest.mark.parametrize("name", ["unit/TB/s", "quantity-kind/power", "passage/002/12427-12435"])
def test_what_has_no_page_leads_a_browser_to_its_description(server: Served, name: str) -> None:
    found = server.request("GET", f"/id/{name}", headers={"Accept": "text/html"})
    assert (found.status, found.headers["location"]) == (303, f"/data/{name}.ttl")
    assert server.request("GET", found.headers["location"]).status == 200


@pytest.mark.parametrize(
    "media", ["text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml"]
)
def test_the_vocabulary_is_where_its_iris_lead(server: Served, media: str) -> None:
    for target in ("/ontology", "/ontology/1.0.0"):
        found = server.request("GET", target, headers={"Accept": media})
        assert (found.status, found.media_type, found.headers["vary"]) == (200, media, "Accept, Origin")
        graph = rdflib.Graph().parse(data=found.body, format=media)
        assert (rdflib.URIRef(f"{ONTOLOGY}Claim"), rdflib.RDF.type, rdflib.OWL.Class) in graph
    assert server.request("GET", "/ontology/0.0.1").status == 404
    assert server.request("GET", "/ontology", headers={"Accept": "image/png"}).status == 406


def test_the_words_of_closed_lists_are_described(server: Served) -> None:
    found = server.request("GET", "/id/concept/severity/violation", headers={"Accept": "text/turtle"})
    graph = rdflib.Graph().parse(data=server.request("GET", found.headers["location"]).body, format="turtle")
    assert graph.value(rdflib.URIRef(f"{THINGS}concept/severity/violation"), rdflib.SKOS.prefLabel) is not None
    listed = rdflib.Graph().parse(data=server.request("GET", "/data/scheme/severity.nt").body, format="nt")
    assert len(list(listed.subjects(rdflib.SKOS.inScheme))) == 3
    assert server.request("GET", "/id/concept/severity/no-such").status == 404


def test_programs_find_the_description_of_the_data_set(server: Served) -> None:
    found = server.request("GET", "/.well-known/void")
    assert (found.status, found.headers["location"]) == (302, "/dcat")
    graph = rdflib.Graph().parse(data=server.request("GET", "/dcat").body, format="turtle")
    assert list(graph.objects(None, rdflib.DCTERMS.description))


@pytest.mark.parametrize(
    ("target", "allowed"), [("/sparql", "GET, HEAD, OPTIONS, POST"), ("/ontology", "GET, HEAD, OPTIONS")]
)
def test_the_methods_of_an_address_can_be_asked_for(server: Served, target: str, allowed: str) -> None:
    found = server.request("OPTIONS", target)
    assert (found.status, found.headers["allow"]) == (204, allowed)


@pytest.mark.parametrize(
    "target",
    [
        "/id/",
        "/id/no/such",
        "/id/claim/002/no-such",
        "/data/no/such.ttl",
        f"/data/{CLAIM}.exe",
        f"/data/{CLAIM}",
        "/data/.ttl",
        "/id/%3E%20%3Fp%20%3Fo%20%7D%20%23",
        "/id/%00",
        "/id/../../etc/passwd",
        "/id/" + "x" * 3000,
        "/id/%E2%80%AE",
    ],
)
def test_what_is_not_there_is_not_found(server: Served, target: str) -> None:
    reply = server.request("GET", target)
    assert reply.status == 404
    assert "Traceback" not in reply.text


def test_a_form_that_is_not_sent_is_not_acceptable(server: Served) -> None:
    assert server.request("GET", f"/id/{CLAIM}", headers={"Accept": "image/png"}).status == 406
    assert server.request("GET", "/dcat", headers={"Accept": "image/png"}).status == 406


def test_the_data_set_names_its_endpoint(server: Served) -> None:
    graph = rdflib.Graph().parse(data=server.request("GET", "/dcat").body, format="turtle")
    (data,) = graph.subjects(rdflib.RDF.type, DCAT.Dataset)
    (service,) = graph.subjects(DCAT.servesDataset, data)
    assert graph.value(service, DCAT.endpointURL) == rdflib.URIRef(f"{server.url}/sparql")
    count = server.request(
        "GET",
        "/sparql?query=SELECT%20(COUNT(*)%20AS%20%3Fn)%20%7B%3Fs%20%3Fp%20%3Fo%7D",
        headers={"Accept": "text/csv"},
    )
    triples = graph.value(data, rdflib.URIRef("http://rdfs.org/ns/void#triples"))
    assert str(triples) == count.text.split()[1]
