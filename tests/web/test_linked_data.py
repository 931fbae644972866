"""Ids answer with page or description by Accept, and the data set is described."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib

from kg.model.vocabulary import THINGS
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
