"""The file `current` of a view."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec

from kg.model.state_file import StateDamaged, read_state

__all__ = ["Pointer", "StateDamaged", "read_pointer"]

_Generation = Annotated[str, msgspec.Meta(pattern=r"^gen-[0-9]{6,12}$")]


@dataclass(frozen=True, slots=True)
class Pointer:
    """The live generation, the one before it, and what it was made from and holds."""

    generation: _Generation
    previous: _Generation | None = None
    head: str = ""
    fingerprint: str = ""
    content: str = ""
    version: str = ""
    rules: int = 0
    unnamed: dict[str, Any] = field(default_factory=dict)
    """What a stamp says as well, such as the counts and the digest of one engine."""


def read_pointer(path: Path) -> Pointer | None:
    """What the file says; None where there is none. Raises StateDamaged."""
    return read_state(path, Pointer)
