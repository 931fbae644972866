"""What a person types for a field of a claim, as it is recorded: names of things, metrics and units as their ids."""

from collections.abc import Iterator, Mapping
from typing import Final

from rapidfuzz import process

from kg.content.entities import UnknownEntity
from kg.content.resolution import Resolver
from kg.content.vocabulary import UnknownMetric, Vocabulary
from kg.model.names import KIND_OF_NAME, name_key

_NAMED_IN: Final[Mapping[str, str]] = {
    "model": "model",
    "benchmark": "suite",
    "round": "round",
    "rounds": "round",
    "task": "task",
    "scenario": "scenario",
    "division": "division",
    "precision": "precision",
    "framework": "software",
    "software": "software",
    "provider": "organisation",
    "buyer": "organisation",
    "customer": "organisation",
    "operator": "organisation",
}
"""Conditions whose values are things, and what their names are of."""
_KNOWN_ONLY: Final = frozenset({"model", "benchmark", "round", "rounds", "task", "scenario", "division"})
"""Conditions that are compared by their things: a word instead of one would be like no other claim."""


def condition_value(resolver: Resolver, name: str, text: str) -> str:
    """A value of a condition as it is recorded: a thing by its id, anything else as it was typed."""
    found = resolver.resolve(_NAMED_IN[name], text).id if name in _NAMED_IN else None
    if found is None and name in _KNOWN_ONLY:
        known = [one.partition("=")[2] for one in named_conditions(resolver) if one.startswith(f"{name}=")]
        near = [one for one, _, _ in process.extract(text, known, limit=3)]
        raise UnknownEntity(
            field=f"conditions.{name}",
            given=text,
            expected=f"a known {name}",
            next_step=f"Did you mean {', '.join(near)}?",
        )
    return found or text


def named_conditions(resolver: Resolver) -> Iterator[str]:
    """Conditions with every thing that they can name, as name=label."""
    records = resolver.registry.records.values()
    for name, kind in sorted(_NAMED_IN.items()):
        labels = {one["label"] for one in records if one["kind"] in KIND_OF_NAME[kind]}
        yield from (f"{name}={label}" for label in sorted(labels))


def metric_value(vocabulary: Vocabulary, name: str, given: str) -> str:
    """The metric that an id, a label or a synonym means; raises UnknownMetric where none does, or several."""
    key = name_key(given)
    named = [one.id for one in vocabulary.metrics.values() if key in map(name_key, (one.id, one.label))]
    # Ids and labels first: what is the label of one metric may be a synonym of others.
    named = named or [one.id for one in vocabulary.metrics.values() if key in one.keys]
    if len(named) != 1:
        raise UnknownMetric(
            field=name,
            given=given,
            expected=" or ".join(named) or "a metric of ontology/metrics.yaml",
            next_step=f'kg find "{given}" looks for one',
        )
    return named[0]


def plain_value(vocabulary: Vocabulary, name: str, given: str) -> str:
    """A value of a field that names no thing: metrics and units by their ids, words of lists as they were typed."""
    if name == "metric":
        return metric_value(vocabulary, name, given)
    return vocabulary.units.get(given).id if name == "unit" else given
