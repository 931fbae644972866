"""Metrics and units as N-Triples."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kg.model.triples import quoted
from kg.model.vocabulary import expand, thing_iri

_P = {name: f" <{expand(name)}> " for name in (
    "rdf:type", "skos:prefLabel", "skos:altLabel", "skos:definition", "skos:example", "k:betterDirection",
    "k:quantityKind", "k:factor", "k:builtFrom", "skos:exactMatch", "dcterms:identifier",
)}  # fmt: skip

MetricRow = tuple[str, str, str, Sequence[str], str, str]


def metric_lines(metrics: Iterable[MetricRow]) -> Iterator[str]:
    """Each metric: id, label, definition, quantity kinds, better direction, example."""
    for name, label, definition, kinds, direction, example in metrics:
        node = f"<{thing_iri('metric/' + name)}>"
        out = [f"{node}{_P['rdf:type']}<{expand(cls)}> .\n" for cls in ("k:Metric", "skos:Concept", "sosa:ObservableProperty")]
        for key, text in (("dcterms:identifier", f"metric/{name}"), ("skos:prefLabel", label), ("skos:definition", definition),
                          ("skos:example", example), ("k:betterDirection", direction)):  # fmt: skip
            out.append(f"{node}{_P[key]}{quoted(text)} .\n")
        out.extend(f"{node}{_P['k:quantityKind']}{quoted(kind)} .\n" for kind in kinds)
        yield "".join(out)


def unit_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """Each unit of the table: symbol, kind, exact factor as text, and the QUDT unit it is or is built from."""
    for name, unit in table["units"].items():
        node = f"<{thing_iri('unit/' + name)}>"
        out = [f"{node}{_P['rdf:type']}<{expand('k:Unit')}> .\n{node}{_P['skos:prefLabel']}{quoted(name)} .\n"]
        out.append(f"{node}{_P['k:quantityKind']}{quoted(unit['kind'])} .\n{node}{_P['k:factor']}{quoted(str(unit['factor']))} .\n")
        out.extend(f"{node}{_P['skos:altLabel']}{quoted(one)} .\n" for one in unit.get("names") or ())
        if unit.get("qudt"):
            out.append(f"{node}{_P['skos:exactMatch']}<{expand('unit:' + unit['qudt'])}> .\n")
        out.extend(f"{node}{_P['k:builtFrom']}<{expand('unit:' + one)}> .\n" for one in unit.get("built_from") or ())
        yield "".join(out)
