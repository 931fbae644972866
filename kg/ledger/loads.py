"""Where the records of a ledger come from, read without the models of records, which take a tenth of a second to import."""

from pathlib import Path

from kg.model.state_file import StateFile, read_state


class _Segment(StateFile):
    origin: str


class _Listed(StateFile):
    segments: tuple[_Segment, ...]


def listed_origins(ledger: Path) -> frozenset[str]:
    """The origins of the segments that are listed; none where there is no list. Raises StateDamaged."""
    listed = read_state(ledger / "manifest.json", _Listed)
    return frozenset() if listed is None else frozenset(one.origin for one in listed.segments)
