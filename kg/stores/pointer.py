"""The file `current` of a view: read only where a store is opened, since models take a moment to import."""

from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field

from kg.model.state_file import StateDamaged, StateFile, read_state

__all__ = ["Pointer", "StateDamaged", "read_pointer"]

_Generation = Annotated[str, Field(pattern=r"^gen-[0-9]{6,12}$")]


class Pointer(StateFile):
    """The live generation, the one before it, and what it was made from and holds."""

    # A stamp says more, such as the counts and the digest of one engine.
    model_config = ConfigDict(extra="allow")

    generation: _Generation
    previous: _Generation | None = None
    head: str = ""
    fingerprint: str = ""
    content: str = ""
    version: str = ""
    rules: int = 0


def read_pointer(path: Path) -> Pointer | None:
    """What the file says; None where there is none. Raises StateDamaged."""
    return read_state(path, Pointer)
