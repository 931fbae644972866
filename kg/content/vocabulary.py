"""Reads the metrics and units of `ontology/`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt, ValidationError

from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes
from kg.model.names import name_key
from kg.model.similar_names import similar_names
from kg.model.units import UnitTable

_MOST_FITTING: Final = 6


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
    synonyms: tuple[str, ...] = ()
    """Words of the field by which a text names it, in any case; one may stand at several metrics."""
    data_sheet: int | None = None
    """Its place on a data sheet, from 1; None where makers do not print it there."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all words that name it."""
        return frozenset(name_key(one) for one in (self.id, self.label, *self.synonyms))


class _VocabularyEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str
    definition: str
    kinds: tuple[str, ...]
    direction: Literal["higher", "lower", "neither"]
    example: str
    synonyms: tuple[str, ...] = ()
    data_sheet: PositiveInt | None = None


class _UnitsFile(BaseModel):
    """The outer shape of the unit table; what its entries mean is checked by `UnitTable`."""

    model_config = ConfigDict(extra="forbid")

    kinds: dict[str, dict[str, Any]]
    units: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Metrics and units together."""

    metrics: Mapping[str, Metric]
    units: UnitTable
    metric_mapping: Mapping[str, Any]
    unit_mapping: Mapping[str, Any]

    def unknown_metric(self, name: str, unit: object) -> UnknownMetric:
        """What to say of a metric nobody knows: the one of a like spelling or name, or else those counted in its unit."""
        known = self.units.find(str(unit or ""))
        fitting = {one.id: one for one in self.metrics.values() if known is None or known.kind in one.kinds}
        called = {key: one.id for one in fitting.values() for key in one.keys}
        near = called.get(name_key(name)) or next(iter(similar_names(name, fitting, most=1)), None)
        step = f'Did you mean "{near}"?' if near else None
        if step is None and known is not None and fitting:
            step = f"Counted in {known.id}: {', '.join(list(fitting)[:_MOST_FITTING])}"
        return UnknownMetric(field="metric", given=name, expected="a metric of ontology/metrics.yaml", next_step=step)


def read_vocabulary(content: Content) -> Vocabulary:
    """Read `ontology/metrics.yaml` and `ontology/units.yaml`."""
    measured, table = (_read_mapping(content, name) for name in ("metrics.yaml", "units.yaml"))
    mistakes: list[KgError] = []
    metrics: dict[str, Metric] = {}
    for name, given in measured.value.items():
        try:
            metrics[name] = Metric(str(name), **_VocabularyEntry.model_validate(given).model_dump())
        except ValidationError as cause:
            mistakes.extend(
                from_pydantic(cause, path="ontology/metrics.yaml", located=measured, key=(name,), prefix=f"{name}.")
            )
    Mistakes.raise_any(mistakes)
    try:
        _UnitsFile.model_validate(table.value)
    except ValidationError as cause:
        Mistakes.raise_any(from_pydantic(cause, path="ontology/units.yaml", located=table))
    try:
        units = UnitTable.from_mapping(table.value)
    except KgError as cause:
        for one in cause.errors if isinstance(cause, Mistakes) else [cause]:
            # A field of the unit table is its key path, so that the line is known.
            one.at(path="ontology/units.yaml", line=table.line(*(one.field or "").split(".")))
        raise
    return Vocabulary(metrics, units, measured.value, table.value)


def _read_mapping(content: Content, name: str) -> Located:
    located = read_located(content.ontology / name, shown=f"ontology/{name}")
    if not isinstance(located.value, dict):
        raise ContentError(path=f"ontology/{name}", line=1, given=type(located.value).__name__, expected="a mapping")
    Mistakes.raise_any(
        ContentError(path=f"ontology/{name}", line=located.line(str(key)), given=str(key), expected="a name in words")
        for key in located.value
        if not isinstance(key, str)
    )
    return located
