"""How names are compared, and what a name means: a thing, or a family with everything below it.

Resolution is by curated alias only, exact after normalisation. Similarity never decides.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kg.model.recorded import ThingRecord

# What joins words: spaces, underscores, every kind of dash, and the slash.
_JOINERS = re.compile(r"[\s_\-‐‑–—/]+")
# Signs that a name is printed with or without: ®, ™, ©, quotes and apostrophes.
_MARKS = re.compile(r"[®™©\"'“”‘’]")


def name_key(text: str) -> str:
    """The form in which two spellings of a name are one.

    >>> name_key("NVIDIA  H200-SXM-141GB"), name_key("GB200 NVL-72"), name_key("MLCommons®")
    ('nvidia h200 sxm 141gb', 'gb200 nvl 72', 'mlcommons')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _JOINERS.sub(" ", _MARKS.sub("", plain)).strip()


MODEL_KINDS: Final = frozenset({"dense-model", "moe-model", "diffusion-model", "unknown-architecture-model"})
KIND_OF_NAME: Final[dict[str, frozenset[str]]] = {
    "accelerator": frozenset({"accelerator", "superchip", "chip-family", "architecture"}),
    "system": frozenset({"node", "rack", "pod", "cluster", "configuration"}),
    "cluster": frozenset({"pod", "cluster"}),
    **{
        kind: frozenset({kind})
        for kind in ("cpu", "interconnect", "software", "technology", "precision", "scenario", "division")
    },
    "suite": frozenset({"benchmark-suite"}),
    "round": frozenset({"benchmark-round"}),
    "task": frozenset({"benchmark-task"}),
    "model": MODEL_KINDS,
    "organisation": frozenset({"vendor", "organisation"}),
    "offer": frozenset({"offer"}),
}
"""What a column can name, and the kinds of things such a name may mean. An accelerator is what a count counts."""

ID_OF_NAME: Final = {**{kind: kind for kind in KIND_OF_NAME}, "suite": "benchmark", "organisation": "org"}
"""How the id of a thing of each of these begins, where one is made."""


@dataclass(frozen=True, slots=True)
class Name:
    """One key: the things it names, and the things a question about it covers."""

    key: str
    names: tuple[str, ...]
    covers: tuple[str, ...]


def descendants(records: Mapping[str, ThingRecord]) -> dict[str, tuple[str, ...]]:
    """For every thing, itself and all below it: members, variants and configurations, to any depth."""
    below: dict[str, set[str]] = defaultdict(set)
    for name, record in records.items():
        if record["record"] == "entity" and record["kind"] != "person":
            for parent in (record.get("member_of"), record.get("of")):
                if parent is not None and parent in records:
                    below[parent].add(name)
    found: dict[str, tuple[str, ...]] = {}
    for name in records:
        reached, todo = {name}, [name]
        while todo:
            for child in below.get(todo.pop(), ()):
                if child not in reached:
                    reached.add(child)
                    todo.append(child)
        found[name] = tuple(sorted(reached))
    return found


def _own_keys(record: ThingRecord) -> set[str]:
    return {name_key(text) for text in (record["label"], *record.get("aliases", ()))}


def _keys_without_maker(record: ThingRecord, records: Mapping[str, ThingRecord]) -> set[str]:
    maker = records.get(record.get("maker", ""))
    if maker is None:
        return set()
    makers = tuple(f"{key} " for key in _own_keys(maker))
    left = {key[len(one) :] for key in _own_keys(record) for one in makers if key.startswith(one)}
    return {key for key in left if any(sign.isdigit() for sign in key)}


def all_names(records: Mapping[str, ThingRecord]) -> Iterator[Name]:
    """Every key of the registry: names with what they cover; ids, those given up too, and `=name` cover only what they name.

    A name with a number that begins with that of its maker is one without it too, where nothing else has that name; what
    is left of others is mostly a word of the language ("Inference", "Large").
    """
    named: dict[str, set[str]] = defaultdict(set)
    for identifier, record in records.items():
        for key in _own_keys(record):
            named[key].add(identifier)
    without_maker: dict[str, set[str]] = defaultdict(set)
    for identifier, record in records.items():
        for key in _keys_without_maker(record, records):
            without_maker[key].add(identifier)
    named |= {key: things for key, things in without_maker.items() if key not in named}
    covered = descendants(records)
    for key, identifiers in sorted(named.items()):
        if not key:
            continue
        direct = tuple(sorted(identifiers))
        wide = tuple(sorted({one for identifier in identifiers for one in covered[identifier]}))
        yield Name(key, direct, wide)
        yield Name("=" + key, direct, direct)
    known_as: dict[str, list[str]] = defaultdict(list)
    for identifier in sorted(records):
        for one in (identifier, *records[identifier].get("formerly", ())):
            known_as[one].append(identifier)
    for one, things in known_as.items():  # an id that two things gave up names both: each key is one node
        yield Name(one, tuple(things), tuple(things))
