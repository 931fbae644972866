"""Defaults for a claim that a person adds or accepts: the level of its subject, and the kind that its metric usually has."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from kg.content.entities import Registry
from kg.model.recorded import ClaimRecord
from kg.reading.proposals_file import is_ratio

_LEVELS: Final = {
    "chip-family": "accelerator",
    "architecture": "accelerator",
    "dense-model": "model",
    "moe-model": "model",
    "diffusion-model": "model",
    "unknown-architecture-model": "model",
    "software": "software",
    "vendor": "organisation",
    "organisation": "organisation",
    "technology": "technology",
    "offer": "offer",
    "group": "group",
    "cpu": "other",
    "interconnect": "other",
}
"""The level of a thing whose entry names none, by its kind."""


def level_of(registry: Registry, thing: str | None) -> str | None:
    """The level of a thing: that of its entry, else the one of its kind; None where neither says it."""
    record = registry.records.get(thing or "", {})
    level: str | None = record.get("level")
    return level if level is not None else _LEVELS.get(record.get("kind", ""))


def usual_kinds(claims: Iterable[ClaimRecord]) -> dict[tuple[str, bool], str]:
    """For every metric, alone and compared, the kind that curated claims of it mostly have."""
    counted: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for one in claims:
        if one.get("metric") and one.get("quantity"):
            compares = "baseline" in one or is_ratio(one.get("relation"))
            counted[(one["metric"], compares)][one["kind"]] += 1
    return {key: min(found, key=lambda kind: (-found[kind], kind)) for key, found in counted.items()}
