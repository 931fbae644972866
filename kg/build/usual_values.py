"""Defaults for a claim that a person adds or accepts: the level of its subject, the kind that its metric usually has, its id."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from itertools import count
from typing import Final

from kg.content.entities import Registry
from kg.model.json_types import Json
from kg.model.recorded import ClaimRecord
from kg.reading.known_names import NameScanner, Withheld
from kg.reading.proposals_file import is_ratio

_SLUG: Final = re.compile(r"[^a-z0-9]+")
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


KINDS: Final = {
    "accelerator": "accelerator",
    "org": "organisation",
    "model": "unknown-architecture-model",
    "software": "software",
    "system": "configuration",
    "config": "configuration",
    "cpu": "cpu",
    "technology": "technology",
    "family": "chip-family",
}
"""The kind of a thing that a reviewer makes, by how its id begins."""
NEW_KINDS: Final = {
    "superchip": ("superchip", "superchip"),
    "node": ("system", "node"),
    "rack": ("system", "rack"),
    "pod": ("system", "pod"),
    "cluster": ("cluster", "cluster"),
    "family": ("family", "chip-family"),
    "model": ("model", "unknown-architecture-model"),
    "software": ("software", "software"),
    "organisation": ("org", "organisation"),
    "technology": ("technology", "technology"),
}
"""How the id of a thing of a level begins, and its kind; an accelerator where the level is none of these."""

_BUILT_OF_CHIPS: Final = frozenset({"node", "rack", "pod", "cluster", "configuration"})
_CHIPS: Final = frozenset({"accelerator", "family"})


def level_of(registry: Registry, thing: str | None) -> str | None:
    """The level of a thing: that of its entry, else the one of its kind; None where neither says it."""
    record = registry.records.get(thing or "", {})
    level: str | None = record.get("level")
    return level if level is not None else _LEVELS.get(record.get("kind", ""))


def new_thing(registry: Registry, identifier: str, kind: str, label: str) -> Json:
    """The entry of a thing of which a person says only its name, below the chip that the name holds.

    "B200 node" is of the family B200, so that a question about B200 finds it, and an MI300X server has MI300X inside. A name
    with two chips or none is below nothing, and nobody is its maker: who builds servers of a chip seldom makes the chip.
    """
    thing: Json = {"id": identifier, "kind": kind, "label": label}
    if kind not in _BUILT_OF_CHIPS:
        return thing
    scanner = NameScanner(registry, Withheld(ids=frozenset({identifier})))
    chips = {one for mention in scanner.scan(label) for one in mention.ids if scanner.class_of(one) in _CHIPS}
    if len(chips) != 1:
        return thing
    chip = chips.pop()
    if scanner.class_of(chip) == "family":
        return thing | {"member_of": chip}
    family = registry.records[chip].get("member_of")
    return thing | ({"member_of": family} if family else {}) | {"accelerator_inside": chip}


def usual_kinds(claims: Iterable[ClaimRecord]) -> dict[tuple[str, bool], str]:
    """For every metric, alone and compared, the kind that curated claims of it mostly have."""
    counted: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for one in claims:
        if one.get("metric") and one.get("quantity"):
            compares = "baseline" in one or is_ratio(one.get("relation"))
            counted[(one["metric"], compares)][one["kind"]] += 1
    return {key: min(found, key=lambda kind: (-found[kind], kind)) for key, found in counted.items()}


def slug(words: str) -> str:
    """Words as a part of an id.

    >>> slug("Acme Nine (80 GB)")
    'acme-nine-80-gb'
    """
    return _SLUG.sub("-", words.lower()).strip("-")


def free_name(stem: str, taken: Container[str], *, prefix: str = "") -> str:
    """A name that nothing has behind the prefix: the stem, else with the first number that is free.

    >>> free_name("power.h200", {"002/power.h200", "002/power.h200-2"}, prefix="002/")
    'power.h200-3'
    """
    names = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
    return next(one for one in names if f"{prefix}{one}" not in taken)
