"""The endpoint against the suites of the W3C for the SPARQL 1.1 Protocol, service descriptions and result formats.

The endpoint only reads: of the tests that update, every update must be refused and nothing may have changed.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest
import rdflib

from tests.web.serving import Reply, Served, served_endpoint, write_generation
from tests.web.w3c import (
    ABSENT,
    SUITES,
    ManifestRequest,
    ProtocolTest,
    ResultTest,
    described_tests,
    protocol_graphs,
    protocol_tests,
    result_tests,
)

HERE = SUITES.is_dir()
pytestmark = pytest.mark.skipif(not HERE, reason=ABSENT)
PROTOCOL = list(protocol_tests()) if HERE else []
QUERIES = [test for test in PROTOCOL if not test.name.startswith("update_")]
UPDATES = [test for test in PROTOCOL if test.name.startswith("update_")]
RESULTS = [test for suite in ("json-res", "csv-tsv-res") for test in result_tests(suite)] if HERE else []
ROWS = {
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/csv",
    "text/tab-separated-values",
}
MEDIA = {"srj": "application/sparql-results+json", "csv": "text/csv", "tsv": "text/tab-separated-values"}
BY_VALUE = {"-3^^negativeInteger": "-3^^integer"}
"""The engine keeps numbers by value: 1.0E6 comes back as 1000000, and a derived type of whole numbers as xsd:integer."""
XSD = "http://www.w3.org/2001/XMLSchema#"
SD = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")


def _name(test: ProtocolTest | ResultTest) -> str:
    return test.name


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = write_generation(tmp_path_factory.mktemp("protocol") / "store", protocol_graphs())
    with served_endpoint(folder) as server:
        yield server


def _send(endpoint: Served, request: ManifestRequest) -> Reply:
    return endpoint.request(request.method, request.target, request.body, request.headers)


def _status(reply: Reply) -> str:
    return f"{reply.status // 100}xx"


def _boolean(reply: Reply) -> bool:
    assert reply.media_type == "application/sparql-results+json"
    return bool(json.loads(reply.body)["boolean"])


@pytest.mark.parametrize("test", QUERIES, ids=_name)
def test_the_query_side_of_the_protocol(endpoint: Served, test: ProtocolTest) -> None:
    for request in test.requests:
        reply = _send(endpoint, request)
        assert _status(reply) in request.statuses, reply.text
        if request.boolean is not None:
            assert _boolean(reply) is request.boolean
        if request.form == "tabular":
            assert reply.media_type in ROWS
        elif request.form == "boolean":
            assert _boolean(reply) in (True, False)
        elif request.form == "RDF":
            rdflib.Graph().parse(data=reply.body, format=reply.media_type)


@pytest.mark.parametrize("test", UPDATES, ids=_name)
def test_an_update_is_refused_and_changes_nothing(endpoint: Served, test: ProtocolTest) -> None:
    count = "/sparql?query=SELECT%20*%20%7B%7B%3Fs%20%3Fp%20%3Fo%7DUNION%7BGRAPH%20%3Fg%7B%3Fs%20%3Fp%20%3Fo%7D%7D%7D"
    before = endpoint.request("GET", count)
    assert len(json.loads(before.body)["results"]["bindings"]) == len(protocol_graphs())
    update, *questions = test.requests
    reply = _send(endpoint, update)
    assert reply.status in (400, 415), reply.text
    assert "only reads" in reply.text
    for question in questions:  # they ask for what the update would have written
        assert _boolean(_send(endpoint, question)) is not question.boolean
    assert endpoint.request("GET", count).body == before.body


def _json_rows(text: str) -> tuple[set[str], Counter[str]] | bool:
    told = json.loads(text)
    if "boolean" in told:
        return bool(told["boolean"])
    rows = []
    for row in told["results"]["bindings"]:
        cells = {}
        for name, cell in row.items():
            kind = "literal" if cell["type"] == "typed-literal" else cell["type"]
            cells[name] = (
                "blank" if kind == "bnode" else [kind, cell["value"], cell.get("datatype"), cell.get("xml:lang")]
            )
        rows.append(json.dumps(cells, sort_keys=True))
    return set(told["head"]["vars"]), Counter(rows)


def _table(text: str, separator: str) -> tuple[set[str], Counter[tuple[tuple[str, str], ...]]]:
    """Rows by column, numbers by value; the labels of blank nodes say nothing."""
    if separator == "\t":
        head, *lines = (line.split("\t") for line in text.splitlines())
    else:
        head, *lines = csv.reader(io.StringIO(text))
    read = _term if separator == "\t" else _plain
    rows = [tuple(sorted(zip(head, map(read, line), strict=True))) for line in lines]
    return set(head), Counter(rows)


def _plain(cell: str) -> str:
    """A cell of CSV: a number by value, else as it is."""
    try:
        return repr(float(cell))
    except ValueError:
        return "blank" if cell.startswith("_:") else cell


def _term(cell: str) -> str:
    """A term of TSV: a number by value and type, else as it is."""
    if not cell or cell.startswith("_:"):
        return cell and "blank"
    term = next(iter(pyoxigraph.parse(f"<urn:s> <urn:p> {cell} .", format=pyoxigraph.RdfFormat.TURTLE))).object
    if isinstance(term, pyoxigraph.Literal) and term.datatype.value.startswith(XSD):
        kind = term.datatype.value.removeprefix(XSD)
        if kind == "double":
            return f"{float(term.value)}^^double"
        return BY_VALUE.get(f"{term.value}^^{kind}", f"{term.value}^^{kind}")
    return str(term)


@pytest.mark.parametrize("test", RESULTS, ids=_name)
def test_a_result_is_written_as_its_format_says(test: ResultTest, tmp_path: Path) -> None:
    media = MEDIA[test.result.suffix.removeprefix(".")]
    with served_endpoint(write_generation(tmp_path / "store", {test.data: None})) as endpoint:
        reply = endpoint.request(
            "POST",
            "/sparql",
            test.query.read_bytes(),
            {"Content-Type": "application/sparql-query", "Accept": media},
        )
    assert (reply.status, reply.media_type) == (200, media)
    expected = test.result.read_text(encoding="utf-8")
    if media.endswith("json"):
        assert _json_rows(reply.text) == _json_rows(expected)
    else:
        separator = "\t" if "tab" in media else ","
        assert _table(reply.text, separator) == _table(expected, separator)


def test_every_test_of_service_descriptions_is_done_here() -> None:
    assert set(described_tests()) == {"has-endpoint-triple", "returns-rdf", "conforms-to-schema"}


@pytest.mark.parametrize(
    "media", ["text/turtle", "application/rdf+xml", "application/n-triples", "application/ld+json"]
)
def test_returns_rdf_and_has_endpoint_triple(endpoint: Served, media: str) -> None:
    reply = endpoint.request("GET", "/sparql", headers={"Accept": media})
    assert (reply.status, reply.media_type) == (200, media)
    graph = rdflib.Graph().parse(data=reply.body, format=media)
    (service,) = graph.subjects(rdflib.RDF.type, SD.Service)
    assert list(graph.objects(service, SD.endpoint)) == [rdflib.URIRef(f"{endpoint.url}/sparql")]


def test_conforms_to_schema(endpoint: Served) -> None:
    """Each property of the vocabulary stands between the classes that section 3 of the recommendation gives it."""
    graph = rdflib.Graph().parse(data=endpoint.request("GET", "/sparql").body, format="turtle")
    between: dict[rdflib.term.Node, tuple[rdflib.URIRef, rdflib.URIRef | None]] = {
        SD.endpoint: (SD.Service, None),
        SD.supportedLanguage: (SD.Service, None),
        SD.resultFormat: (SD.Service, None),
        SD.defaultDataset: (SD.Service, SD.Dataset),
        SD.defaultGraph: (SD.Dataset, SD.Graph),
    }
    used = {p for p in graph.predicates() if str(p).startswith(str(SD))}
    assert used == set(between)
    for term in used:
        domain, target = between[term]
        for subject, value in graph.subject_objects(term):
            assert (subject, rdflib.RDF.type, domain) in graph
            assert isinstance(value, rdflib.URIRef) if target is None else (value, rdflib.RDF.type, target) in graph
    assert set(graph.objects(None, SD.supportedLanguage)) == {SD.SPARQL11Query}
