"""Metrics, units and kinds of quantity as records and as N-Triples, from the parsed `ontology/metrics.yaml` and `units.yaml`."""

from collections.abc import Iterator, Mapping

from kg.model.json_types import JsonMapping
from kg.model.kinds import METRIC, QUANTITY_KIND, UNIT, NodeKind
from kg.model.names import name_key
from kg.model.terms import Form
from kg.projection.record_triples import node_lines


def vocabulary_records(
    metrics: Mapping[str, Mapping[str, object]], units: Mapping[str, Mapping[str, Mapping[str, object]]]
) -> Iterator[tuple[NodeKind, JsonMapping]]:
    """What the two files hold, each as a record of its kind."""
    for name, given in metrics.items():
        called = (name, given.get("label", name), *_words(given.get("synonyms")))
        yield METRIC, {"name": name, **given, "keys": sorted({name_key(str(one)) for one in called})}
    yield from ((QUANTITY_KIND, {"name": name, **given}) for name, given in units["kinds"].items())
    yield from ((UNIT, {"name": name, **given}) for name, given in units["units"].items())


def _words(given: object) -> list[str]:
    return [str(one) for one in given] if isinstance(given, list) else []


def vocabulary_lines(
    metrics: Mapping[str, Mapping[str, object]],
    units: Mapping[str, Mapping[str, Mapping[str, object]]],
    form: Form = "export",
) -> Iterator[str]:
    """The triples of all of them, a text each."""
    return (node_lines(kind, record, form=form) for kind, record in vocabulary_records(metrics, units))


def count_unit_lines(name: str) -> str:
    """The triples of a unit that counts something, of which the table holds only how it begins.

    >>> "ucumCode" in count_unit_lines("count:gpu"), "<https://w3id.org/accelkg/id/unit/count:gpu>" in count_unit_lines("count:gpu")
    (True, True)
    """
    counted = name.removeprefix("count:")
    return node_lines(UNIT, {"name": name, "factor": "1", "kind": "count", "qudt": "NUM", "ucum": f"{{{counted}}}"})


def measures_text(
    metrics: Mapping[str, Mapping[str, object]], units: Mapping[str, Mapping[str, Mapping[str, object]]]
) -> str:
    """The text of `ontology/measures.nt`, sorted."""
    return "".join(sorted("".join(vocabulary_lines(metrics, units)).splitlines(keepends=True)))
