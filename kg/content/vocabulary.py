"""Reads the metrics and units of `ontology/`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kg.content.folders import Content
from kg.content.located import read_located
from kg.errors import ContentError
from kg.model.units import UnitTable


class UnknownMetric(ContentError):
    """A metric that `ontology/metrics.yaml` does not hold."""

    code = "content.unknown-metric"


@dataclass(frozen=True, slots=True)
class Metric:
    """A base quantity: what is measured, in which kinds of quantity, and which way is better."""

    id: str
    label: str
    definition: str
    kinds: tuple[str, ...]
    direction: Literal["higher", "lower", "neither"]
    example: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Metrics and units together."""

    metrics: Mapping[str, Metric]
    units: UnitTable
    metric_mapping: Mapping[str, Any]
    unit_mapping: Mapping[str, Any]


def read_vocabulary(content: Content) -> Vocabulary:
    """Read `ontology/metrics.yaml` and `ontology/units.yaml`."""
    raw = read_located(content.ontology / "metrics.yaml").value
    metrics = {
        name: Metric(name, one["label"], one["definition"], tuple(one["kinds"]), one["direction"], one["example"])
        for name, one in raw.items()
    }
    units = read_located(content.ontology / "units.yaml").value
    return Vocabulary(metrics, UnitTable.from_mapping(units), raw, units)
