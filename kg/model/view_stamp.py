"""What says from which ledger, content and rules a view was made; the index and the pointer of a generation carry it too."""

from typing import Any, TypedDict


class ViewStamp(TypedDict, total=False):
    """The stamp of a view: its making first, then what the view and the index turned out to hold."""

    head: str
    fingerprint: str
    """Of names, sizes and times of the content: cheap, and enough on one machine."""
    content: str
    """The digest of every byte of the content."""
    version: str
    rules: int
    triples: int
    claims: int
    findings: int
    form: int
    segments: list[dict[str, Any]]
    generation: str
    previous: str | None
