"""The W3C suites for endpoints, read from their manifests: requests with what they must give, and queries with results."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rdflib
from rdflib.collection import Collection
from rdflib.namespace import RDF, RDFS

SUITES = Path(__file__).resolve().parents[3] / "shared" / "data" / "w3c-sparql11" / "sparql" / "sparql11"
ABSENT = "the W3C suites do not lie beside the checkout, in ../shared/data/w3c-sparql11"
_MF = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
_QT = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
_UT = rdflib.Namespace("http://www.w3.org/2009/sparql/tests/test-update#")
_HT = rdflib.Namespace("http://www.w3.org/2011/http#")
_CNT = rdflib.Namespace("http://www.w3.org/2011/content#")


@dataclass(frozen=True)
class ManifestRequest:
    """A request, and the statuses (as `4xx`), the kind of result and the answer that it must have."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None
    statuses: tuple[str, ...]
    form: str | None
    boolean: bool | None


@dataclass(frozen=True)
class ProtocolTest:
    """A test of the protocol suite."""

    name: str
    requests: tuple[ManifestRequest, ...]


@dataclass(frozen=True)
class ResultTest:
    """A query on data, with its result in a format."""

    name: str
    query: Path
    data: Path
    result: Path


def _manifest(suite: str) -> rdflib.Graph:
    path = SUITES / suite / "manifest.ttl"
    return rdflib.Graph().parse(path, publicID=path.as_uri())


def _entries(graph: rdflib.Graph) -> list[Any]:
    (manifest,) = graph.subjects(RDF.type, _MF.Manifest)
    return _items(graph, manifest, _MF.entries)


def _items(graph: rdflib.Graph, node: Any, term: Any) -> list[Any]:
    found = graph.value(node, term)
    return [] if found is None else list(Collection(graph, found))


def _path(node: Any) -> Path:
    return Path(str(node).removeprefix("file://"))


def protocol_graphs() -> dict[Path, str | None]:
    """The files of the protocol suite with the names that its requests give to their graphs."""
    graph = _manifest("protocol")
    found: dict[Path, str | None] = {}
    for node in graph.objects(None, _UT.graphData):
        found[_path(graph.value(node, _UT.graph))] = str(graph.value(node, RDFS.label))
    return found


def protocol_tests() -> Iterator[ProtocolTest]:
    """The tests of the protocol suite in their order."""
    graph = _manifest("protocol")
    for test in _entries(graph):
        action = graph.value(test, _MF.action)
        requests = tuple(_request(graph, node) for node in _items(graph, action, _HT.requests))
        yield ProtocolTest(str(test).partition("#")[2], requests)


def _request(graph: rdflib.Graph, node: Any) -> ManifestRequest:
    body, answer = graph.value(node, _HT.body), graph.value(node, _HT.resp)
    headers = tuple(
        (str(graph.value(header, _HT.fieldName)), str(graph.value(header, _HT.fieldValue)))
        for header in _items(graph, node, _HT.headers)
    )
    sent = None
    if body is not None:
        sent = str(graph.value(body, _CNT.chars)).encode(str(graph.value(body, _CNT.characterEncoding)))
    boolean, form = graph.value(answer, _MF.expectedBoolean), graph.value(answer, _MF.expectedFormat)
    return ManifestRequest(
        str(graph.value(node, _HT.methodName)),
        str(graph.value(node, _HT.absolutePath)).replace("/sparql/", "/sparql", 1),
        headers,
        sent,
        tuple(str(status)[-3:] for status in graph.objects(answer, _MF.expectedStatus)),
        None if form is None else str(form),
        None if boolean is None else bool(boolean.toPython()),
    )


def result_tests(suite: str) -> Iterator[ResultTest]:
    """The tests of a suite of result formats in their order."""
    graph = _manifest(suite)
    for test in _entries(graph):
        action = graph.value(test, _MF.action)
        yield ResultTest(
            str(test).partition("#")[2],
            _path(graph.value(action, _QT.query)),
            _path(graph.value(action, _QT.data)),
            _path(graph.value(test, _MF.result)),
        )


def described_tests() -> list[str]:
    """The names of the tests of the suite of service descriptions."""
    return [str(test).partition("#")[2] for test in _entries(_manifest("service-description"))]
