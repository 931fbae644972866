"""The RDF forms, read by three independent readers, say all that is to be said: what a store holds, and more for other tools,
with one recorded form a record."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rdflib

import kg
from kg.export.formats import export
from kg.export.jsonld import jsonld, shortened
from kg.export.rdf import graph_iri, nquads, trig, turtle
from kg.export.triples_out import recorded_form_line, triple_pieces
from kg.ledger.ledger import Ledger
from kg.model.vocabulary import claim_iri, expand, thing_iri
from kg.session import Graph
from kg.stores.oxigraph import Generations
from tests.ontology.unshared import only_in_view
from tests.servers.artifacts import SHORT_LIVED, Artifact, Unavailable, java

FORMS = {
    "turtle": pyoxigraph.RdfFormat.TURTLE,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "nquads": pyoxigraph.RdfFormat.N_QUADS,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
}
RDFLIB = {"turtle": "turtle", "trig": "trig", "nquads": "nquads", "jsonld": "json-ld"}
FORM = expand("k:recordedForm")
Triples = set[tuple[str, str, str]]


def normal(store: pyoxigraph.Store) -> Triples:
    """The triples of all graphs; the engine writes numbers of one value in one way."""
    return {(str(q.subject), str(q.predicate), str(q.object)) for q in store}


def said(graph: Graph) -> Triples:
    return _said(graph.folder)


@cache
def _said(folder: Path) -> Triples:
    """What is written as N-Triples, without recorded forms; the triples of the store are among it."""
    graph = kg.open(folder)
    written = pyoxigraph.Store()
    for _, text in triple_pieces(graph):
        written.load(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    graph.close()
    live = Generations(folder / "rdf").current()
    assert live is not None
    assert only_in_view(pyoxigraph.Store.read_only(str(live[0])), written) == []
    return {one for one in normal(written) if one[1] != f"<{FORM}>"}


def loaded(path: Path, form: str) -> tuple[Triples, dict[str, str]]:
    """What a fresh engine holds after reading a file: triples, and the recorded form of each record."""
    store = pyoxigraph.Store()
    store.load(path=str(path), format=FORMS[form])
    term = f"<{FORM}>"
    forms = {str(q.subject): q.object.value for q in store if str(q.predicate) == term}
    return {one for one in normal(store) if one[1] != term}, forms


@pytest.mark.parametrize(
    ("graph", "form"),
    [  # every form of what is hostile; what is shipped is read by Jena in `tests/outside`
        *(("hostile", form) for form in FORMS),
        *(pytest.param("shipped", form, marks=pytest.mark.long) for form in FORMS),
    ],
    indirect=["graph"],
)
def test_a_fresh_engine_reads_all_that_is_said(form: str, graph: Graph, out: Path) -> None:
    path = out / f"x.{form}"
    export(graph, form, path)
    triples, forms = loaded(path, form)
    assert triples == said(graph)
    records = {one["id"]: one for one in Ledger(graph.folder / "ledger").current()}
    assert len(forms) == len(records)
    for one in records.values():
        iri = claim_iri(one["id"]) if one["record"] == "claim" else thing_iri(one["id"])
        assert json.loads(forms[f"<{iri}>"]) == {
            key: value for key, value in one.items() if key not in ("revision", "supersedes")
        }


def rdflib_triples(path: Path, form: str) -> set[tuple[object, ...]]:
    """As rdflib reads them, numbers by value."""
    data = rdflib.Dataset(default_union=True)
    data.parse(path, format=RDFLIB[form])
    return {(s, p, (o.toPython(), o.datatype) if isinstance(o, rdflib.Literal) else o) for s, p, o, _ in data.quads()}


def test_rdflib_reads_the_same_triples_from_every_form(hostile: Graph, out: Path) -> None:
    read = {}
    for form in FORMS:
        export(hostile, form, out / f"x.{form}")
        read[form] = rdflib_triples(out / f"x.{form}", form)
    assert len(read["turtle"]) == len(said(hostile)) + sum(1 for _ in Ledger(hostile.folder / "ledger").current())
    assert read["jsonld"] == read["trig"] == read["nquads"] == read["turtle"]


@pytest.mark.long  # as rdflib does above in every run
def test_jena_reads_the_same_triples(hostile: Graph, out: Path) -> None:
    try:
        jars = Artifact("fuseki").jars()
        program = java()
    except Unavailable as why:
        pytest.skip(f"Apache Jena is not here: {why}")
    endings = {"turtle": "ttl", "trig": "trig", "nquads": "nq", "jsonld": "jsonld"}
    paths = [out / f"x.{ending}" for ending in endings.values()]
    for form, path in zip(endings, paths, strict=True):
        export(hostile, form, path)

    command = [program, *SHORT_LIVED, "-cp", str(jars / "*"), "riotcmd.riot", "--output=nquads", *map(str, paths)]
    ran = subprocess.run(command, capture_output=True, timeout=120)
    assert ran.returncode == 0, ran.stderr.decode()
    assert b"ERROR" not in ran.stderr + ran.stdout
    _, *parts = re.split(rb"^[^<\n].*File: .*$", ran.stdout, flags=re.MULTILINE)  # it names each file before its quads
    assert len(parts) == len(paths)
    for form, part in zip(endings, parts, strict=True):
        (out / "again.nq").write_bytes(part)
        triples, forms = loaded(out / "again.nq", "nquads")
        assert triples == said(hostile), form
        assert len(forms) == sum(1 for _ in Ledger(hostile.folder / "ledger").current())


def test_named_graphs_hold_what_their_names_say(hostile: Graph, out: Path) -> None:
    export(hostile, "nquads", out / "x.nq")
    store = pyoxigraph.Store()
    store.load(path=str(out / "x.nq"), format=pyoxigraph.RdfFormat.N_QUADS)
    names = {one.value for one in store.named_graphs()}
    assert names == {graph_iri(one) for one in ("claims/900", "registry", "derived", "vocabulary")}
    of = {}
    for quad in store:
        if quad.predicate.value == expand("dcterms:identifier"):
            of[quad.object.value] = getattr(quad.graph_name, "value", None)
    assert of["900/pair"] == graph_iri("claims/900")
    assert of["accelerator/hostile-00"] == graph_iri("registry")
    assert of["power"] == graph_iri("vocabulary")
    assert {value for name, value in of.items() if name.startswith("finding/")} <= {graph_iri("derived")}
    default = {str(q.subject) for q in store.quads_for_pattern(None, None, None, pyoxigraph.DefaultGraph())}
    assert default == {f"<{thing_iri('meta')}>"}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_state_gives_the_same_bytes(form: str, hostile: Graph, out: Path) -> None:
    for name in ("a", "b"):
        export(hostile, form, out / name)
    assert (out / "a").read_bytes() == (out / "b").read_bytes()


def test_every_unit_that_a_figure_has_is_described(shipped: Graph) -> None:
    text = "".join(text for _, text in triple_pieces(shipped))
    predicate, units = expand("qudt:hasUnit"), thing_iri("unit/")
    used = set(re.findall(rf"<{re.escape(predicate)}> <({re.escape(units)}[^>]*)>", text))
    described = set(re.findall(rf"<({re.escape(units)}[^>]*)> <{re.escape(expand('rdf:type'))}>", text))
    assert f"{units}count:gpu" in used and used - described == set()


def test_batches_do_not_change_what_is_written(hostile: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = list(triple_pieces(hostile))
    plain = list(triple_pieces(hostile, grouped=False))
    whole = {"trig": b"".join(trig(pieces)), "ttl": b"".join(turtle(plain)), "jsonld": b"".join(jsonld(plain))}
    monkeypatch.setattr("kg.export.rdf.BATCH", 2000)
    monkeypatch.setattr("kg.export.jsonld.BATCH", 2000)
    for name, form, written in (
        ("trig", "trig", b"".join(trig(pieces))),
        ("ttl", "turtle", b"".join(turtle(plain))),
        ("jsonld", "jsonld", b"".join(jsonld(plain))),
    ):
        one, other = pyoxigraph.Store(), pyoxigraph.Store()
        one.load(input=whole[name], format=FORMS[form])
        other.load(input=written, format=FORMS[form])
        assert set(one) == set(other)
        assert len(one) > 100


def test_recorded_form_survives_quotes_and_control_characters() -> None:
    record: Any = {"record": "entity", "id": "org/x", "kind": "vendor", "label": 'a "b" \\ \x7f \n', "revision": "0"}
    (quad,) = pyoxigraph.parse(recorded_form_line(record).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert json.loads(quad.object.value) == {key: one for key, one in record.items() if key != "revision"}


def test_a_literal_that_looks_like_the_end_of_a_statement_stays_whole() -> None:
    text = '<http://x/s> <http://x/p> "a .\\n<b> " .\n'
    (quad,) = pyoxigraph.parse(b"".join(nquads([("g", text)])), format=pyoxigraph.RdfFormat.N_QUADS)
    assert (quad.object.value, quad.graph_name.value) == ("a .\n<b> ", graph_iri("g"))


def test_iris_are_shortened_only_where_they_expand_again() -> None:
    assert shortened(thing_iri("a/b")) == "a/b"
    assert shortened("https://w3id.org/accelkg/id///x") == "https://w3id.org/accelkg/id///x"


def test_rdflib_gets_the_quads_of_the_export(hostile: Graph, out: Path) -> None:
    graph = hostile
    export(graph, "nquads", out / "x.nq")
    dataset = graph.to_rdflib()
    written = pyoxigraph.parse(path=str(out / "x.nq"), format=pyoxigraph.RdfFormat.N_QUADS)
    names = {quad.graph_name.value for quad in written if isinstance(quad.graph_name, pyoxigraph.NamedNode)}
    lines = set((out / "x.nq").read_bytes().removesuffix(b"\n").split(b"\n"))
    assert len(set(dataset.quads())) == len(lines)
    assert names == {str(one.identifier) for one in dataset.graphs()} - {"urn:x-rdflib:default"}
    asked = "SELECT ?c ?s WHERE { ?c a k:Claim ; k:subject ?s }"
    declared = f"PREFIX k: <{expand('k:')}> {asked}"
    answer = graph.query(declared)
    assert not isinstance(answer, bytes) and answer.rows
    assert len(list(dataset.query(asked))) == len(answer.rows), "our prefixes are bound, and all graphs are seen"
