"""Records of case files as triples, also when no model would accept them."""

import copy
from pathlib import Path
from typing import Any

import yaml
from rdflib import RDF, Graph, Literal, Namespace, URIRef

from kg.model.record import RECORD_TYPES
from kg.model.vocabulary import CLAIM_CLASS, ENTITY_CLASS, PREFIXES, claim_iri, expand, thing_iri
from kg.projection.triples import TripleWriter

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
SH = Namespace(PREFIXES["sh"])
SHAPE_FILES = (ROOT / "ontology" / "shapes.ttl", ROOT / "ontology" / "shapes-rules.ttl")

Json = Any

_NEEDED: Json = {
    "id": "t/unnamed",
    "kind": "price",
    "level": "rack",
    "metric": "cost",
    "subject": "system/x",
    "label": "unnamed",
    "asserted_by": "org/x",
    "source": "source/x",
    "anchor": {"locator": "nowhere"},
}


def read_case(path: Path) -> Json:
    """A YAML file; dates stay text."""
    value: Json = yaml.load(path.read_text(encoding="utf-8"), Loader=_PlainLoader)
    return value


class _PlainLoader(yaml.SafeLoader):
    """YAML without dates."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def changed(record: Any, case: Json) -> Json:
    """The record with the `set` and `unset` of a case; path parts are keys or list positions."""
    made = copy.deepcopy(dict(record))
    for path, value in (case.get("set") or {}).items():
        *above, last = path.split(".")
        _at(made, above)[int(last) if last.isdigit() else last] = value
    for path in case.get("unset") or ():
        *above, last = path.split(".")
        del _at(made, above)[last]
    return made


def _at(value: Any, path: list[str]) -> Any:
    for part in path:
        value = value[int(part)] if part.isdigit() else value[part]
    return value


def unvalidated(record: Json) -> Graph:
    """The triples of a record that may be wrong: what a writer needs and does not get is put in, and taken out again."""
    cls = RECORD_TYPES[record["record"]]
    kinds = CLAIM_CLASS if record["record"] == "claim" else ENTITY_CLASS
    lacking = [name for name, field in cls.model_fields.items() if field.is_required() and name not in record]
    written: Any = {**record, **{name: _NEEDED[name] for name in lacking}}
    given = written["kind"]
    if given not in kinds:
        written["kind"] = {"claim": "price", "entity": "vendor", "source": "source"}[record["record"]]
    graph = Graph().parse(data=TripleWriter().record(written), format="nt")
    node = URIRef(claim_iri(written["id"]) if record["record"] == "claim" else thing_iri(written["id"]))
    for name in lacking:
        for item in cls.model_fields[name].metadata:
            if hasattr(item, "term"):
                graph.remove((node, URIRef(expand(item.term)), None))
    if given not in kinds:
        graph.set((node, URIRef(expand("k:kind")), Literal(given)))
    return graph


def edited(graph: Graph, case: Json) -> Graph:
    """The graph without the triples of `drop` and with those of `add`."""
    for pattern in case.get("drop") or ():
        terms = [None if part == "*" else RDF.type if part == "a" else _term(part) for part in pattern.split(" ")]
        assert len(terms) == 3 and (terms[0], terms[1], terms[2]) in graph, f"nothing to drop: {pattern}"
        graph.remove((terms[0], terms[1], terms[2]))
    if "add" in case:
        prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
        graph.parse(data=prefixes + case["add"], format="turtle")
    return graph


def _term(text: str) -> URIRef | Literal:
    if text.startswith("'"):
        return Literal(text.strip("'"))
    return URIRef(text[1:-1] if text.startswith("<") else expand(text))


def shapes_graph() -> Graph:
    """All shapes."""
    graph = Graph()
    for path in SHAPE_FILES:
        graph.parse(path)
    return graph
