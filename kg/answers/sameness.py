"""Whether claims are about the same thing: same subject, metric, normaliser and conditions. All else is related, and ranked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kg.model.condition_line import stated_conditions


def differing(one: str | None, other: str | None) -> tuple[str, ...]:
    """The names of the conditions in which two lines differ; none where both are of the same thing.

    >>> differing("round=v5.1; scenario=offline", "precision=fp8; scenario=offline")
    ('precision', 'round')
    """
    mine, theirs = stated_conditions(one), stated_conditions(other)
    return tuple(sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)))


class Matter(NamedTuple):
    """What a claim is about."""

    subjects: frozenset[str]
    baseline: str | None
    metric: str | None
    statistic: str | None
    normaliser: str
    conditions: str | None

    def differences(self, other: Matter) -> tuple[str, ...]:
        """In what two claims differ, by name; none where they are about the same thing.

        >>> rack = Matter(frozenset({"system/a"}), None, "power", None, "unstated", "phase=training")
        >>> rack.differences(rack._replace(normaliser="per-chip", conditions=None))
        ('normaliser', 'phase')
        """
        names = ("subjects", "baseline", "metric", "statistic", "normaliser")
        parts = [name.removesuffix("s") for name in names if getattr(self, name) != getattr(other, name)]
        return (*parts, *differing(self.conditions, other.conditions))


def are_same_thing(matters: Iterable[Matter]) -> bool:
    """Whether all of some claims are about the same thing."""
    first, *rest = matters
    return not any(first.differences(one) for one in rest)
