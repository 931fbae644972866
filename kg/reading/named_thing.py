"""A thing named around a figure, with all that is seen of it."""

from dataclasses import dataclass, field
from typing import Final


@dataclass(slots=True)
class NamedThing:
    """A thing named around a figure, and all that is seen of it."""

    id: str
    printed: str
    zone: str
    features: set[str] = field(default_factory=set)


HERE: Final = frozenset({"inside", "before", "after", "row", "column", "rowcell"})
"""The sentence of a figure, and the row and column of a cell."""


def leave_header(thing: NamedThing, zone: str) -> None:
    """What is only a part of a header's name is not what the header names."""
    thing.features = {one for one in thing.features if zone not in one.split(" ")} | {f"{zone} part"}
