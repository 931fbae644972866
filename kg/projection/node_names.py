"""What nodes and relationships are called, the same in triples and in the property graph."""

from collections.abc import Mapping
from typing import Any

from kg.model.kinds import NodeKind
from kg.model.terms import Inner


def each(value: object) -> list[Any] | tuple[Any, ...]:
    """The values of a field, of which there may be one or several."""
    return value if isinstance(value, list | tuple) else (value,)


def relationship_of(inner: Inner) -> str:
    """The relationship to an inner node; without a name of its own it is `HAS_` and the class."""
    return inner.relationship or "HAS_" + inner.cls.removeprefix("k:").upper()


def inner_name(inner: Inner, position: int) -> str:
    """What stands behind the id of the record in the id of a node below it."""
    return f"#{inner.cls.removeprefix('k:').lower()}-{position}"


def finer_kind(kind: NodeKind, record: Mapping[str, object]) -> str:
    """The finer class of a record as a word: `conflict` for k:ConflictFinding."""
    assert kind.finer is not None
    return kind.finer(record).removeprefix("k:").removesuffix(kind.label).lower()
