"""The small graph of tests/cases/questions as a store, and as an rdflib graph that serves as oracle."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph
import rdflib
import yaml

import kg.session  # noqa: F401  a program has it; it registers how results show themselves
from kg.ask.question import Question
from kg.ask.question_files import read_questions
from kg.ask.run import ask
from kg.audit.chains import Texts, citation_steps, derivation_steps, step_record
from kg.audit.measured_rows import MeasuredRows
from kg.model.comparability import Comparability
from kg.model.derived import Deriver
from kg.model.names import all_names
from kg.model.record import Claim, Entity, Source, recorded_form
from kg.model.units import UnitTable
from kg.model.vocabulary import thing_id
from kg.projection.classes import class_lines
from kg.projection.derived import derived_lines
from kg.projection.measures import vocabulary_lines
from kg.projection.names import name_lines
from kg.projection.triples import TripleWriter
from kg.stores.oxigraph import OxigraphStore
from kg.stores.protocol import Answer, Cell

CHECKOUT = Path(__file__).resolve().parents[2]
CASES = CHECKOUT / "tests" / "cases" / "questions"
Json = Any


@cache
def units() -> UnitTable:
    return UnitTable.from_mapping(yaml.safe_load((CHECKOUT / "ontology" / "units.yaml").read_text(encoding="utf-8")))


@cache
def metrics() -> Json:
    given: Json = yaml.safe_load((CHECKOUT / "ontology" / "metrics.yaml").read_text(encoding="utf-8"))
    return given


@cache
def questions() -> dict[str, Question]:
    return read_questions(CHECKOUT / "queries")


def case_graph() -> Json:
    given: Json = yaml.safe_load((CASES / "graph.yaml").read_text(encoding="utf-8"))
    return given


def _claim(given: Json) -> Json:
    """A claim of the case file with its source and anchor, checked and in recorded form."""
    keys = ("document", "sha256", "start", "table", "row", "column", "pointer", "sheet", "cell", "locator")
    place: Json = {key: given.pop(key) for key in keys if key in given}
    source = given["id"].partition("/")[0]
    printed = (given.get("quantity") or {}).get("printed") or given.get("cue") or "?"
    if "start" in place:
        place["end"] = place["start"] + len(printed)
    base: Json = {} if "locator" in place else {"document": f"{source}.txt", "sha256": source[0] * 64}
    anchor: Json = {**base, **place}
    return recorded_form(Claim.model_validate({**given, "source": f"source/{source}", "anchor": anchor}))


def records(graph: Mapping[str, Any]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Claims, and entities with sources, by id."""
    claims = [_claim(dict(one)) for one in graph["claims"]]
    things = [recorded_form(Entity.model_validate(one)) for one in graph["entities"]]
    things += [recorded_form(Source.model_validate(one)) for one in graph["sources"]]
    return {one["id"]: one for one in claims}, {one["id"]: one for one in things}


def view_lines(graph: Mapping[str, Any]) -> Iterator[str]:
    """The view of a graph as N-Triples."""
    claims, things = records(graph)
    writer, deriver = TripleWriter("view"), Deriver(units())
    for claim in claims.values():
        yield writer.claim(claim, deriver.keys(claim))
    for thing in things.values():
        yield writer.record(thing)
    sources = {name: one for name, one in things.items() if one["record"] == "source"}
    texts = Texts(sources, {"org/writer"})
    steps = [
        *(step for one in claims.values() for step in citation_steps(one, claims.get, texts)),
        *(step for one in claims.values() for step in derivation_steps(one, claims.get, texts)),
    ]
    yield from derived_lines(map(step_record, steps), "view")
    rows = MeasuredRows(things, deriver, Comparability((), ()))
    for claim in claims.values():
        rows.add(claim)
    yield from derived_lines(rows.records(), "view")
    yield from name_lines(all_names(things), "view")
    yield from class_lines()
    measured = {name: metrics()[name] for name in sorted({one["metric"] for one in claims.values()})}
    yield from vocabulary_lines(measured, {"kinds": {}, "units": {}}, "view")


@cache
def small_store() -> OxigraphStore:
    graph = case_graph()
    store = pyoxigraph.Store()
    store.load(input="".join(view_lines(graph)).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    store.load(input=graph["derived"].encode(), format=pyoxigraph.RdfFormat.TURTLE)
    return OxigraphStore(store)


@cache
def oracle() -> rdflib.Graph:
    """The same triples in rdflib."""
    graph = rdflib.Graph()
    graph.parse(data=pyoxigraph.serialize(_triples(), format=pyoxigraph.RdfFormat.N_TRIPLES), format="nt")
    return graph


def _triples() -> Iterator[pyoxigraph.Triple]:
    for quad in small_store().store.quads_for_pattern(None, None, None, None):
        yield quad.triple


def oracle_rows(text: str) -> list[tuple[Cell, ...]]:
    """The rows rdflib gives, in the cells of our own stores."""
    result = oracle().query(text)
    names = [str(name) for name in result.vars or ()]
    return [tuple(_cell(binding.get(rdflib.Variable(name))) for name in names) for binding in result.bindings]


def _cell(term: Any) -> Cell:
    if term is None:
        return None
    if isinstance(term, rdflib.URIRef):
        return thing_id(str(term))
    value = term.toPython()
    return value if isinstance(value, bool | int | float) else str(term)


def ask_small(name: str, /, **values: Any) -> Answer:
    """Ask the small graph; the callable that kg.answers gets in tests."""
    return ask(small_store(), questions()[name], values)
