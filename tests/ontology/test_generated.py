"""The generated files of `ontology/` are up to date, and say what the tables say."""

import shutil
from pathlib import Path

import pytest
from rdflib import RDF, Graph, Literal, URIRef

from kg.content.codes import read_codes
from kg.content.folders import Content, find_content
from kg.content.generated import COMMAND, stale_generated, write_generated
from kg.content.vocabulary import read_vocabulary
from kg.errors import ContentError
from kg.model.vocabulary import expand, thing_iri
from kg.projection.shapes import MessageMismatch, shapes_turtle
from tests.ontology.cases import ROOT


def test_generated_files_are_up_to_date() -> None:
    stale = [path.name for path in stale_generated(find_content(ROOT))]
    assert stale == [], f"run: {COMMAND}"


def test_writing_makes_a_stale_file_right_and_touches_nothing_else(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "ontology", tmp_path / "ontology")
    content = Content(tmp_path)
    write_generated(content)
    (tmp_path / "ontology" / "shapes.ttl").write_text("# old\n", encoding="utf-8")
    (tmp_path / "ontology" / "measures.nt").unlink()
    assert [path.name for path in stale_generated(content)] == ["measures.nt", "shapes.ttl"]
    assert [path.name for path in write_generated(content)] == ["measures.nt", "shapes.ttl"]
    assert write_generated(content) == []


def test_a_field_without_message_is_refused() -> None:
    with pytest.raises(MessageMismatch, match=r"claim\.id"):
        shapes_turtle({"conditions": "x", "no.such": "x"})


def test_measures_hold_every_metric_and_unit() -> None:
    graph = Graph().parse(ROOT / "ontology" / "measures.nt", format="nt")
    vocabulary = read_vocabulary(find_content(ROOT))
    metrics = {str(one) for one in graph.subjects(RDF.type, URIRef(expand("k:Metric")))}
    units = {str(one) for one in graph.subjects(RDF.type, URIRef(expand("k:Unit")))}
    assert metrics == {thing_iri(f"metric/{name}") for name in vocabulary.metrics}
    assert units == {thing_iri(f"unit/{one.id}") for one in vocabulary.units.units}


def test_every_unit_points_to_qudt_or_is_a_calendar_date() -> None:
    graph = Graph().parse(ROOT / "ontology" / "measures.nt", format="nt")
    anchors = (URIRef(expand("k:qudtUnit")), URIRef(expand("k:builtFrom")))
    loose = [
        str(one)
        for one in graph.subjects(RDF.type, URIRef(expand("k:Unit")))
        if not any((one, term, None) in graph for term in anchors)
    ]
    assert loose == [thing_iri("unit/date")]


def test_tokens_and_parameters_are_not_made_the_same_by_qudt() -> None:
    graph = Graph().parse(ROOT / "ontology" / "measures.nt", format="nt")
    kinds = {
        str(graph.value(URIRef(thing_iri(f"unit/{name}")), URIRef(expand("qudt:hasQuantityKind"))))
        for name in ("token", "parameter", "count", "FLOP")
    }
    assert len(kinds) == 4
    half = graph.value(URIRef(thing_iri("unit/bit/s")), URIRef(expand("k:factor")))
    assert half == Literal("1/8"), "factors stay exact text"


def test_every_code_is_a_heading_of_the_page_and_nothing_else_is() -> None:
    page = (ROOT / "docs" / "codes.md").read_text(encoding="utf-8")
    headings = [line.removeprefix("### ") for line in page.splitlines() if line.startswith("### ")]
    assert sorted(headings) == sorted(read_codes(find_content(ROOT)))


@pytest.mark.parametrize("line", ["source.id: {a: 1}", "true: words", "source.id: 1.5"])
def test_a_message_that_is_no_text_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    shutil.copytree(ROOT / "ontology", tmp_path / "ontology")
    content = Content(tmp_path)
    (content.ontology / "shape-messages.yaml").write_text(f"# messages\n{line}\n")
    with pytest.raises(ContentError) as refused:
        stale_generated(content)
    assert (refused.value.path, refused.value.line) == ("ontology/shape-messages.yaml", 2)


def test_a_metric_whose_name_is_no_text_is_named_with_its_line(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "ontology", tmp_path / "ontology")
    metrics = tmp_path / "ontology" / "metrics.yaml"
    metrics.write_text(metrics.read_text() + "7: {label: Seven}\n")
    with pytest.raises(ContentError, match=r"metrics.yaml:\d\d+: \"7\""):
        read_vocabulary(Content(tmp_path))
