"""What a segment holds: claims, entities and sources, and the rows that a load refused."""

from typing import Any, Literal, TypedDict

from kg.model.recorded import ClaimRecord, ThingRecord


class RejectedRecord(TypedDict, total=False):
    """A row of a published file that was refused: where it is, why, and its cells; `closed` once a later load took it."""

    record: Literal["rejected"]
    id: str
    source: str
    dataset: str
    edition: str
    file: str
    sha256: str
    line: int | str
    """Of a text; in a JSON file the pointer of the row."""
    code: str
    field: str
    kind: str
    given: str
    expected: str
    candidates: list[str]
    row: dict[str, str | int | float | bool | None]
    kept: dict[str, Any]
    """The cells that were mapped, where a row was refused for its names alone, so that it can be read again."""
    number: int
    closed: bool
    revision: str
    supersedes: str


CurrentRecord = ClaimRecord | ThingRecord
"""What is stated; a rejected row is no statement."""
LedgerRecord = CurrentRecord | RejectedRecord
