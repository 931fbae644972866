"""Everything that the seeds say, as one graph, satisfies every shape."""

import pyshacl
import pytest
from rdflib import RDF, Graph

from kg.content.claims import read_claims
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.projection.triples import TripleWriter
from tests.ontology.cases import ROOT, SH, Json, shapes_graph


@pytest.fixture(scope="module")
def records() -> list[Json]:
    content = find_content(ROOT)
    registry = read_registry(content)
    return [*registry.records.values(), *read_claims(content, registry, read_vocabulary(content))]


def test_seed_graph_satisfies_every_shape(records: list[Json]) -> None:
    writer = TripleWriter()
    data = Graph().parse(data="".join(writer.record(one) for one in records), format="nt")
    data.parse(ROOT / "ontology" / "measures.nt", format="nt")
    _, report, text = pyshacl.validate(data, shacl_graph=shapes_graph())
    assert isinstance(report, Graph)
    assert len(list(report.subjects(RDF.type, SH.ValidationResult))) == 0, text[:4000]
    assert {one["record"] for one in records} == {"claim", "entity", "source"}


def test_triples_do_not_depend_on_the_order_of_records(records: list[Json]) -> None:
    forward, backward = TripleWriter(), TripleWriter()
    one = {line for record in records for line in forward.record(record).splitlines()}
    other = {line for record in reversed(records) for line in backward.record(record).splitlines()}
    assert one == other
