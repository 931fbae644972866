"""The ids that are made, not given: hashes of content, and what tells the id of a thing from a word."""

import re
from functools import lru_cache
from hashlib import sha256
from json import JSONEncoder
from typing import Final, TypeGuard

from kg.model.recorded import AnchorRecord, ConditionsRecord

ENTITY_KINDS: Final = (
    *(
        "accelerator",
        "superchip",
        "system",
        "cluster",
        "config",
        "family",
        "cpu",
        "interconnect",
        "model",
        "model-class",
    ),
    *("benchmark", "round", "task", "scenario", "division", "precision", "org", "person", "group", "software"),
    *("technology", "market", "programme", "offer", "reference", "source", "unresolved", "gap", "figure"),
)
"""What the id of a thing begins with."""
_SOURCES: Final = ("source/", "unresolved/")
RECORD_KINDS: Final = (
    "claim",
    "conditions",
    "echo",
    "finding",
    "judgement",
    "metric",
    "name",
    "passage",
    "quantity-kind",
    "step",
    "unit",
)
"""What the ids begin with that we make."""
NOT_IN_IDS: Final = r"\s<>\"{}|\\^`"
"""The signs that no id holds, as a class of a regular expression: spaces, and what no IRI may have."""
ANY_ID: Final = rf"[a-z][a-z-]*/[^{NOT_IN_IDS}]+"
"""The id of a thing or of a record that we make."""
CLAIM_ID: Final = rf"[A-Za-z0-9][^{NOT_IN_IDS}/]*/[^{NOT_IN_IDS}]+"
"""The id of a claim: its source, and its name in it."""
# Meets `accelerator/nvidia-h200`; neither `and/or` nor `002/r1.a`, the id of a claim.
_ENTITY_ID = re.compile(rf"(?:{'|'.join(ENTITY_KINDS)})/[^{NOT_IN_IDS}]+")


def is_source_id(identifier: str) -> bool:
    """Whether an id is that of a source, be it one that nobody found.

    >>> is_source_id("source/002"), is_source_id("unresolved/mlperf-results"), is_source_id("org/nvidia")
    (True, True, False)
    """
    return identifier.startswith(_SOURCES)


def is_entity_id(value: object) -> TypeGuard[str]:
    """Whether a condition value is the id of a thing rather than words or a figure."""
    return isinstance(value, str) and _is_entity_id(value)


@lru_cache(maxsize=1 << 13)
def _is_entity_id(value: str) -> bool:
    return _ENTITY_ID.fullmatch(value) is not None


_APART = re.compile(rf"[{NOT_IN_IDS}]+")


def id_part(words: str) -> str:
    """Words as a part of an id; the name of a thing may have signs that no id holds.

    >>> id_part("dgx h100"), id_part('the "big" <box>')
    ('dgx-h100', 'the-big-box-')
    """
    return _APART.sub("-", words)


_SORTED = JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def short_hash(value: object) -> str:
    """Sixteen hex digits of the SHA-256 of the sorted JSON text."""
    return sha256(_SORTED.encode(value).encode()).hexdigest()[:16]


def conditions_id(conditions: ConditionsRecord) -> str:
    """The id of a conditions node: the hash of its sorted content."""
    return f"conditions/{short_hash(conditions)}"


def content_hash(text: str) -> str:
    """Sixteen hex digits of the SHA-256 of a text: the name of a node that is nothing but what is said of it."""
    return sha256(text.encode()).hexdigest()[:16]


def snapshot_id(sha256_hex: str, document: str | None) -> str:
    """The id of the bytes of a source under the name of their file; the same bytes may lie under several.

    >>> snapshot_id("ab", "results 1.csv"), snapshot_id("ab", None)
    ('snapshot/ab/results 1.csv', 'snapshot/ab')
    """
    return f"snapshot/{sha256_hex}/{document}" if document else f"snapshot/{sha256_hex}"


def passage_id(source: str, anchor: AnchorRecord) -> str:
    """The id of the place a claim is anchored at; claims on the same figure share it."""
    where = source.split("/", 1)[1]
    if "start" in anchor:
        return f"passage/{where}/{anchor['start']}-{anchor['end']}"
    return f"passage/{where}/{short_hash(anchor)}"
