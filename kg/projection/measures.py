"""Metrics, units and quantity kinds as N-Triples, from the parsed `ontology/metrics.yaml` and `ontology/units.yaml`."""

from collections.abc import Iterator, Mapping
from typing import Any

from kg.model.vocabulary import expand, thing_iri
from kg.projection.literals import quoted

Json = Mapping[str, Any]


def _typed(node: str, *classes: str) -> Iterator[str]:
    for cls in classes:
        yield f"{node} <{expand('rdf:type')}> <{expand(cls)}> .\n"


def _said(node: str, term: str, text: object) -> str:
    return f"{node} <{expand(term)}> {quoted(str(text))} .\n"


def _linked(node: str, term: str, iri: str) -> str:
    return f"{node} <{expand(term)}> <{iri}> .\n"


def metric_lines(metrics: Mapping[str, Json]) -> Iterator[str]:
    """The triples of the metrics, each a concept and an observable property."""
    for name, given in metrics.items():
        node = f"<{thing_iri('metric/' + name)}>"
        yield from _typed(node, "k:Metric", "skos:Concept", "sosa:ObservableProperty")
        yield _said(node, "dcterms:identifier", name)
        for key, term in (("label", "skos:prefLabel"), ("definition", "skos:definition"), ("example", "skos:example")):
            yield _said(node, term, given[key])
        yield _said(node, "k:betterDirection", given["direction"])
        for kind in given["kinds"]:
            yield _linked(node, "qudt:hasQuantityKind", thing_iri(f"quantity-kind/{kind}"))


def unit_lines(units: Mapping[str, Mapping[str, Json]]) -> Iterator[str]:
    """The triples of the quantity kinds and units; a unit points to its QUDT twin, or to what it is built from."""
    for name, given in units["kinds"].items():
        node = f"<{thing_iri('quantity-kind/' + name)}>"
        yield from _typed(node, "k:QuantityKind")
        yield _said(node, "dcterms:identifier", name)
        yield _said(node, "skos:prefLabel", given["label"])
        yield _linked(node, "k:kindUnit", thing_iri(f"unit/{given['canonical']}"))
        if "qudt" in given:
            yield _linked(node, "k:qudtKind", expand("quantitykind:") + given["qudt"])
    for name, given in units["units"].items():
        node = f"<{thing_iri('unit/' + name)}>"
        yield from _typed(node, "k:Unit")
        yield _said(node, "dcterms:identifier", name)
        yield _said(node, "qudt:symbol", name)
        yield _said(node, "k:factor", given["factor"])
        yield _linked(node, "qudt:hasQuantityKind", thing_iri(f"quantity-kind/{given['kind']}"))
        for printed in given.get("names", ()):
            yield _said(node, "skos:altLabel", printed)
        if "qudt" in given:
            yield _linked(node, "k:qudtUnit", expand("unit:") + given["qudt"])
        for part in given.get("built_from", ()):
            yield _linked(node, "k:builtFrom", expand("unit:") + part)
        if "note" in given:
            yield _said(node, "skos:note", given["note"])


def measures_text(metrics: Mapping[str, Json], units: Mapping[str, Mapping[str, Json]]) -> str:
    """The text of `ontology/measures.nt`, sorted."""
    return "".join(sorted({*metric_lines(metrics), *unit_lines(units)}))
