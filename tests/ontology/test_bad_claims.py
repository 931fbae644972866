"""The Pydantic model and the shapes refuse the same bad claims: each file of tests/cases/bad-claims changes a sound claim."""

from pathlib import Path

import pyshacl
import pytest
from pydantic import ValidationError
from rdflib import RDF, Graph, URIRef

from kg.model.record import Claim
from kg.projection.shapes import SHAPES
from tests.ontology.cases import CASES, SH, Json, changed, read_case, shapes_graph, unvalidated

BAD = sorted((CASES / "bad-claims").glob("*.yaml"))


@pytest.fixture(scope="module")
def shapes() -> Graph:
    return shapes_graph()


@pytest.fixture(scope="module")
def sound() -> Json:
    claim: Json = read_case(CASES / "shapes" / "base.yaml")["claim"]
    return claim


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_model_and_shapes_refuse(path: Path, sound: Json, shapes: Graph) -> None:
    case = read_case(path)
    bad = changed(sound, case)
    with pytest.raises(ValidationError) as refused:
        Claim.model_validate(bad)
    places = [".".join(str(part) for part in error["loc"]) for error in refused.value.errors()]
    assert any(place.startswith(case["field"]) for place in places), f"refused elsewhere: {places}"
    conforms, report, _ = pyshacl.validate(unvalidated(bad), shacl_graph=shapes)
    assert not conforms and isinstance(report, Graph)
    violated = {
        str(report.value(one, SH.sourceShape)).removeprefix(SHAPES)
        for one in report.subjects(RDF.type, SH.ValidationResult)
    }
    assert case["shape"] in violated


def test_the_sound_claim_is_accepted_by_both(sound: Json, shapes: Graph) -> None:
    Claim.model_validate(sound)
    assert pyshacl.validate(unvalidated(sound), shacl_graph=shapes)[0]


def test_every_rule_over_several_fields_has_a_bad_claim() -> None:
    rules = Graph().parse(Path(__file__).parents[2] / "ontology" / "shapes-rules.ttl")
    named = {
        str(one).removeprefix(SHAPES)
        for cls in (SH.NodeShape, SH.PropertyShape)
        for one in rules.subjects(RDF.type, cls)
        if isinstance(one, URIRef)
    }
    covered = {read_case(path)["shape"] for path in BAD}
    of_names = {"name-covers-members", "name-covers-configurations"}  # tests/cases/shapes/rules.yaml has theirs
    assert named - covered - of_names == {"anchor-selector"}, "a claim in JSON cannot have a selector of another class"
    assert len(BAD) >= 25
