"""The vocabulary is consistent under HermiT, with the things of the seeds in it, and it does forbid something."""

from pathlib import Path

import owlready2
import pytest
from rdflib import XSD, Graph

from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.model.vocabulary import PREFIXES
from kg.projection.triples import TripleWriter
from tests.ontology.cases import CASES, ROOT, read_case, unvalidated
from tests.sampling import FURTHER
from tests.servers.artifacts import SHORT_LIVED

DAYS = (XSD.date, XSD.gYearMonth, XSD.gYear)
"""OWL 2 has none of these in its datatype map, so that no reasoner takes them; the shapes say where they belong."""
VOCABULARY = ROOT / "ontology" / "accelkg.ttl"
PREFIX_LINES = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())


def unsatisfiable(data: Graph, folder: Path) -> list[str]:
    """The classes that can have no member; raises when the whole is inconsistent."""
    path = folder / "ontology.nt"
    whole = Graph().parse(VOCABULARY)
    for triple in data:
        if getattr(triple[2], "datatype", None) not in DAYS:
            whole.add(triple)
    whole.serialize(path, format="nt", encoding="utf-8")
    world = owlready2.World()
    ontology = world.get_ontology(f"file://{path}").load()
    with ontology:
        owlready2.sync_reasoner_hermit(world, debug=0)
    return sorted(str(one) for one in world.inconsistent_classes())


@pytest.fixture(autouse=True)
def quick_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", " ".join(SHORT_LIVED))


@pytest.mark.long  # with more in it, it is found consistent below, and no class becomes possible by that
def test_vocabulary_is_consistent_and_every_class_can_have_members(tmp_path: Path) -> None:
    assert unsatisfiable(Graph(), tmp_path) == []


def test_one_member_of_every_record_is_consistent(tmp_path: Path) -> None:
    base = read_case(CASES / "shapes" / "base.yaml")
    data = Graph()
    for record in base.values():
        data += unvalidated(record)
    assert unsatisfiable(data, tmp_path) == []


def test_things_of_the_seeds_are_consistent(tmp_path: Path) -> None:
    writer = TripleWriter()
    lines = "".join(writer.record(one) for one in read_registry(find_content(ROOT)).records.values())
    assert unsatisfiable(Graph().parse(data=lines, format="nt"), tmp_path) == []


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("id:m a k:DenseModel , k:MoEModel .", id="dense and mixture of experts"),
        pytest.param("id:x a k:Accelerator , k:RackSystem .", id="chip and rack", marks=FURTHER),
        pytest.param("id:f a k:ChipFamily , k:Accelerator .", id="series and variant", marks=FURTHER),
        pytest.param("id:c a k:PriceClaim , k:MarketClaim .", id="claim of two kinds", marks=FURTHER),
        pytest.param('id:c k:kind "price" , "market" .', id="two words for one kind"),
        pytest.param(
            "id:c k:subject id:x . id:x a k:HardwareUnit . id:c a k:HardwareUnit .",
            id="a thing that claims",
            marks=FURTHER,
        ),
        pytest.param("id:c k:anchoredAt id:p . id:p a k:Finding .", id="anchored in a finding", marks=FURTHER),
        pytest.param("id:x k:notToBeConfusedWith id:x .", id="confused with itself"),
        pytest.param('id:q k:exact "maybe" .', id="a word for true or false", marks=FURTHER),
    ],
)
def test_contradictions_are_found(bad: str, tmp_path: Path) -> None:
    with pytest.raises(owlready2.OwlReadyInconsistentOntologyError):
        unsatisfiable(Graph().parse(data=PREFIX_LINES + bad, format="turtle"), tmp_path)
