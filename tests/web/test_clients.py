"""Clients of others, used as they are: curl, SPARQLWrapper, rdflib, Jena's command line, Comunica."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from tests.outside.programs import command_of
from tests.web.serving import Served, served, whole_app

QUERY = "SELECT ?c { ?c a <https://w3id.org/accelkg/ontology#Claim> } ORDER BY ?c LIMIT 3"
DESCRIBE = "DESCRIBE <https://w3id.org/accelkg/id/claim/002/r1.gb200.offline.per-accelerator>"
JENA = sorted((Path.home() / ".cache" / "accelkg" / "servers").glob("fuseki-*/*.jar"))


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Served]:
    with served(whole_app(store)) as running:
        yield running


@pytest.fixture(scope="module")
def expected(server: Served) -> list[str]:
    reply = server.request("POST", "/sparql", QUERY.encode(), {"Content-Type": "application/sparql-query"})
    found = [row["c"]["value"] for row in json.loads(reply.body)["results"]["bindings"]]
    assert len(found) == 3
    return found


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_sparqlwrapper_reads_rows_and_graphs(server: Served, expected: list[str]) -> None:
    import SPARQLWrapper

    for method in (SPARQLWrapper.GET, SPARQLWrapper.POST):
        for request in (SPARQLWrapper.URLENCODED, SPARQLWrapper.POSTDIRECTLY):
            if (method, request) == (SPARQLWrapper.GET, SPARQLWrapper.POSTDIRECTLY):
                continue
            client = SPARQLWrapper.SPARQLWrapper(f"{server.url}/sparql")
            client.setMethod(method)
            client.setRequestMethod(request)
            client.setReturnFormat(SPARQLWrapper.JSON)
            client.setQuery(QUERY)
            rows: Any = client.query().convert()
            assert [row["c"]["value"] for row in rows["results"]["bindings"]] == expected
            client.setReturnFormat(SPARQLWrapper.TURTLE)
            client.setQuery(DESCRIBE)
            described: Any = client.query().convert()
            assert len(rdflib.Graph().parse(data=described, format="turtle")) > 10


def test_sparqlwrapper_hears_of_a_mistake(server: Served) -> None:
    import SPARQLWrapper
    from SPARQLWrapper.SPARQLExceptions import QueryBadFormed

    client = SPARQLWrapper.SPARQLWrapper(f"{server.url}/sparql", returnFormat=SPARQLWrapper.JSON)
    client.setQuery("SELECT ?c { ?c a }")
    with pytest.raises(QueryBadFormed, match="does not parse"):
        client.query()


@pytest.mark.parametrize("form", ["json", "xml", "csv", "tsv"])
def test_the_store_of_rdflib_asks(server: Served, expected: list[str], form: str) -> None:
    graph = rdflib.Graph(SPARQLStore(f"{server.url}/sparql", returnFormat=form))
    rows: Any = graph.query(QUERY)
    assert [str(row[0]) for row in rows] == expected
    if form in ("json", "xml"):  # the forms of rows have no yes and no
        assert bool(graph.query("ASK { ?c a <https://w3id.org/accelkg/ontology#Claim> }"))
        assert (rdflib.URIRef(expected[0]), rdflib.RDF.type, None) in graph


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_asks_in_the_three_ways(server: Served, expected: list[str]) -> None:
    address = f"{server.url}/sparql"
    csv = ("-sS", "--fail", "-H", "Accept: text/csv")
    ways = (
        ("-G", "--data-urlencode", f"query={QUERY}"),
        ("--data-urlencode", f"query={QUERY}"),
        ("-H", "Content-Type: application/sparql-query", "--data-binary", QUERY),
    )
    for way in ways:
        assert _run("curl", *csv, *way, address).split() == ["c", *expected]


@pytest.mark.long  # two starts of Java; rdflib, SPARQLWrapper and curl ask in every form and way above
@pytest.mark.skipif(
    not JENA or shutil.which("java") is None,
    reason="no Jena: python -m tests.servers.prepare fetches Fuseki, which holds its command line",
)
def test_jena_asks_from_its_command_line(server: Served, expected: list[str]) -> None:
    told = _run(
        "java", "-cp", str(JENA[-1]), "arq.rsparql", "--service", f"{server.url}/sparql", "--results", "csv", QUERY
    )
    assert told.split() == ["c", *expected]
    graph = _run("java", "-cp", str(JENA[-1]), "arq.rsparql", "--service", f"{server.url}/sparql", DESCRIBE)
    assert len(rdflib.Graph().parse(data=graph, format="turtle")) > 10


@pytest.mark.long  # three starts of Node
def test_comunica_asks(server: Served, expected: list[str]) -> None:
    """Told that it is an endpoint, and finding it out from the service description."""
    for source in (f"sparql@{server.url}/sparql", f"{server.url}/sparql"):
        told = _run(command_of("comunica-sparql"), source, QUERY, "-t", "application/sparql-results+json")
        assert [row["c"]["value"] for row in json.loads(told)["results"]["bindings"]] == expected
    graph = _run(command_of("comunica-sparql"), f"sparql@{server.url}/sparql", DESCRIBE, "-t", "text/turtle")
    assert len(rdflib.Graph().parse(data=graph, format="turtle")) > 10
