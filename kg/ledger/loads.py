"""Where the records of a ledger come from, read without the models of records, which take a tenth of a second to import."""

from dataclasses import dataclass
from pathlib import Path

from kg.model.state_file import read_state


@dataclass(frozen=True, slots=True)
class _Segment:
    origin: str


@dataclass(frozen=True, slots=True)
class _Listed:
    segments: tuple[_Segment, ...]


def listed_origins(ledger: Path) -> frozenset[str]:
    """The origins of the segments that are listed; none where there is no list. Raises StateDamaged."""
    listed = read_state(ledger / "manifest.json", _Listed)
    return frozenset() if listed is None else frozenset(one.origin for one in listed.segments)
