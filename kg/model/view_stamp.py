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
    bytes: int
    digest: str
    """Size and digest of the one file of an embedded property graph."""
    nodes: int
    relationships: int
    state: str
    """Of a server: whether a push is under way."""


def made_from(stamp: ViewStamp) -> ViewStamp:
    """The part of a stamp that says what a view was made from."""
    return {
        "head": stamp["head"],
        "fingerprint": stamp["fingerprint"],
        "content": stamp["content"],
        "version": stamp["version"],
        "rules": stamp["rules"],
    }
