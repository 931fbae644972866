"""Every shape accepts a sound record and refuses a bad one; the cases are files, see tests/cases/shapes/base.yaml."""

from pathlib import Path

import pyshacl
import pytest
from rdflib import RDF, Graph, URIRef

from kg.model.record import RECORD_TYPES
from kg.projection.shapes import SHAPES
from tests.ontology.cases import CASES, SH, Json, changed, edited, read_case, shapes_graph, unvalidated

FOLDER = CASES / "shapes"
CASE_FILES = sorted(FOLDER.glob("*/*.yaml"))


@pytest.fixture(scope="module")
def shapes() -> Graph:
    return shapes_graph()


@pytest.fixture(scope="module")
def base() -> Json:
    return read_case(FOLDER / "base.yaml")


def violated(data: Graph, shapes: Graph) -> dict[URIRef, str]:
    """The shapes that a graph violates, with their messages."""
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes)
    assert isinstance(report, Graph)
    return {
        URIRef(str(report.value(result, SH.sourceShape))): str(report.value(result, SH.resultMessage))
        for result in report.subjects(RDF.type, SH.ValidationResult)
    }


def test_base_records_satisfy_model_and_shapes(base: Json, shapes: Graph) -> None:
    for record in base.values():
        RECORD_TYPES[record["record"]].model_validate(record)
        assert violated(unvalidated(record), shapes) == {}


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_case(path: Path, base: Json, shapes: Graph) -> None:
    case = read_case(path)
    data = edited(unvalidated(changed(base[case["of"]], case)), case)
    shape = URIRef(SHAPES + path.parent.name)
    found = violated(data, shapes)
    if path.stem.startswith("pass-"):
        assert found == {}
        target = shapes.value(shape, SH.targetClass) or shapes.value(
            shapes.value(None, SH.property, shape), SH.targetClass
        )
        assert (None, RDF.type, target) in data, "no node of this case is looked at by the shape"
        value = shapes.value(shape, SH.path)
        assert not isinstance(value, URIRef) or (None, value, None) in data, "the case does not give the property"
    else:
        owned = {shape, *shapes.objects(shape, SH.property)}
        assert owned & set(found), f"violated instead: {sorted(map(str, found))}"
        assert all(message.strip() for message in found.values())


def test_every_shape_has_a_passing_and_a_failing_case(shapes: Graph) -> None:
    named = {
        str(one).removeprefix(SHAPES)
        for cls in (SH.NodeShape, SH.PropertyShape)
        for one in shapes.subjects(RDF.type, cls)
        if isinstance(one, URIRef)
    }
    cases = {(path.parent.name, path.stem.partition("-")[0]) for path in CASE_FILES}
    wanted = {(name, outcome) for name in named for outcome in ("pass", "fail")}
    assert wanted - cases == set(), "shapes without a case: add tests/cases/shapes/<shape>/pass-….yaml and fail-….yaml"
    assert {name for name, _ in cases} - named == set(), "cases of shapes that are not there"


def test_every_shape_that_can_fail_says_how_to_fix_it(shapes: Graph) -> None:
    silent = [
        str(one)
        for cls in (SH.NodeShape, SH.PropertyShape)
        for one in shapes.subjects(RDF.type, cls)
        if isinstance(one, URIRef)
        and (one, SH.message, None) not in shapes
        and set(shapes.predicates(one)) - {RDF.type, SH.targetClass, SH.property}
    ]
    assert silent == []


def test_shapes_are_shacl_core_and_well_formed(shapes: Graph) -> None:
    conforms, _, text = pyshacl.validate(Graph(), shacl_graph=shapes, meta_shacl=True)
    assert conforms, text
    assert (None, SH.sparql, None) not in shapes and (None, SH.js, None) not in shapes
