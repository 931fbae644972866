"""What a metric, a unit or a kind of quantity means, and which of them a word names.

A word names a metric by its id, its label or a synonym, in any case; a unit by its id or a printed name, in its own case
first, because MB and Mb differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from kg.content.vocabulary import Metric, Vocabulary
from kg.model.names import name_key
from kg.model.units import Unit

MeaningKind = Literal["metric", "unit", "kind of quantity"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """One entry of the vocabulary in words; `units` are ids, `synonyms` other words for it, `ask` commands to type next."""

    id: str
    kind: MeaningKind
    label: str
    means: str
    measured_in: tuple[str, ...]
    units: tuple[str, ...]
    better: str | None = None
    example: str | None = None
    synonyms: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()


def meanings(vocabulary: Vocabulary, asked: str) -> tuple[Meaning, ...]:
    """Everything of the vocabulary that a word names: metrics, then units, then kinds of quantity; empty where it names none."""
    key = name_key(asked)
    if not key:
        return ()
    metrics = (_metric(vocabulary, one) for one in vocabulary.metrics.values() if key in one.keys)
    units = (_unit(vocabulary, one) for one in _units_named(vocabulary, asked))
    kinds = (
        _kind(vocabulary, name, label) for name, label in _kinds(vocabulary) if key in map(name_key, (name, label))
    )
    return (*metrics, *units, *kinds)


def known_terms(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The words to suggest: ids, labels and synonyms of metrics, ids of units."""
    metrics = (one for metric in vocabulary.metrics.values() for one in (metric.id, metric.label, *metric.synonyms))
    return tuple(dict.fromkeys((*metrics, *(unit.id for unit in vocabulary.units.units))))


def _kinds(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    return ((name, str(spec.get("label", name))) for name, spec in vocabulary.unit_mapping["kinds"].items())


def _units_named(vocabulary: Vocabulary, asked: str) -> list[Unit]:
    """The unit of exactly this spelling, else every unit that is spelled so in another case."""
    exact = vocabulary.units.find(asked)
    if exact is not None:
        return [exact]
    key = asked.casefold()
    return [one for one in vocabulary.units.units if key in {name.casefold() for name in (one.id, *one.names)}]


def _metric(vocabulary: Vocabulary, metric: Metric) -> Meaning:
    labels = dict(_kinds(vocabulary))
    canonical = dict(vocabulary.units.canonical_ids)
    return Meaning(
        id=metric.id,
        kind="metric",
        label=metric.label,
        means=metric.definition,
        measured_in=tuple(labels.get(kind, kind) for kind in metric.kinds),
        units=tuple(canonical[kind] for kind in metric.kinds if kind in canonical),
        better=metric.direction,
        example=metric.example,
        synonyms=tuple(one for one in metric.synonyms if name_key(one) not in map(name_key, (metric.id, metric.label))),
        ask=(f"kg find {metric.id}", f"kg show {metric.id}", f"kg ask specifications/by-metric --metric {metric.id}"),
    )


def _unit(vocabulary: Vocabulary, unit: Unit) -> Meaning:
    canonical = dict(vocabulary.units.canonical_ids).get(unit.kind, unit.id)
    measured = tuple(one.id for one in vocabulary.metrics.values() if unit.kind in one.kinds)
    is_canonical = unit.id == canonical
    return Meaning(
        id=unit.id,
        kind="unit",
        label=unit.id,
        means="The unit that its kind is counted in."
        if is_canonical
        else f"1 {unit.id} is {_amount(unit.factor)} {canonical}.",
        measured_in=(dict(_kinds(vocabulary)).get(unit.kind, unit.kind),),
        units=_units_of(vocabulary, unit.kind),
        synonyms=unit.names,
        ask=tuple(f"kg explain {one}" for one in measured[:_FEW]),
    )


def _kind(vocabulary: Vocabulary, name: str, label: str) -> Meaning:
    measured = tuple(one.id for one in vocabulary.metrics.values() if name in one.kinds)
    return Meaning(
        id=name,
        kind="kind of quantity",
        label=name.replace("-", " "),
        means=f"{label[:1].upper()}{label[1:]}.",
        measured_in=(),
        units=_units_of(vocabulary, name),
        ask=tuple(f"kg explain {one}" for one in measured[:_FEW]),
    )


def _units_of(vocabulary: Vocabulary, kind: str) -> tuple[str, ...]:
    return tuple(one.id for one in vocabulary.units.units if one.kind == kind)


def _amount(factor: Fraction) -> str:
    """A factor as a reader writes it: a whole number in groups, else its fraction.

    >>> _amount(Fraction(1000)), _amount(Fraction(1, 8)), _amount(Fraction("0.01"))
    ('1,000', '1/8', '1/100')
    """
    return f"{factor.numerator:,}" if factor.denominator == 1 else f"{factor.numerator:,}/{factor.denominator:,}"


_FEW = 3
