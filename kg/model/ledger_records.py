"""What a segment holds: claims, entities and sources, and the rows that a load refused."""

from typing import Literal, TypedDict

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
    line: int
    code: str
    field: str
    kind: str
    given: str
    expected: str
    candidates: list[str]
    row: dict[str, str]
    number: int
    closed: bool
    revision: str
    supersedes: str


CurrentRecord = ClaimRecord | ThingRecord
"""What is stated; a rejected row is no statement."""
LedgerRecord = CurrentRecord | RejectedRecord
