"""Everything that the seeds say, as one graph; that it satisfies every shape is in `tests/outside/test_shacl.py`."""

import pyshacl
import pytest
from rdflib import Graph, URIRef

from kg.content.claims import read_claims
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.names import all_names
from kg.projection.names import name_lines
from kg.projection.shapes import SHAPES
from kg.projection.triples import TripleWriter
from tests.ontology.cases import ROOT, Json, shapes_graph


@pytest.fixture(scope="module")
def records() -> list[Json]:
    content = find_content(ROOT)
    registry = read_registry(content)
    return [*registry.records.values(), *read_claims(content, registry, read_vocabulary(content))]


def test_every_name_of_a_family_covers_it() -> None:
    registry = read_registry(find_content(ROOT)).records
    families = [one for one in all_names(registry) if len(one.covers) > len(one.names)]
    things = {thing for one in families for thing in one.covers}
    writer = TripleWriter()
    lines = [*(writer.record(registry[one]) for one in sorted(things)), *name_lines(families)]
    data = Graph().parse(data="".join(lines), format="nt")
    shapes = shapes_graph()
    rules = [shapes.cbd(URIRef(f"{SHAPES}name-covers-{below}")) for below in ("members", "configurations")]
    conforms, _, text = pyshacl.validate(data, shacl_graph=rules[0] + rules[1])
    assert conforms, text
    assert len(families) > 50


def test_triples_do_not_depend_on_the_order_of_records(records: list[Json]) -> None:
    forward, backward = TripleWriter(), TripleWriter()
    one = {line for record in records for line in forward.record(record).splitlines()}
    other = {line for record in reversed(records) for line in backward.record(record).splitlines()}
    assert one == other
