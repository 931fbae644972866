"""What a graph holds: how many claims, from which sources."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from kg.answers.asking import Ask, Asker, plain, said, text, whole
from kg.model.result import brief


class SourceCount(NamedTuple):
    """A source that claims appear in, with how many."""

    id: str
    label: str
    form: str | None
    published: str | None
    claims: int
    document: str | None
    machine_written: str | None


@brief
class Overview(NamedTuple):
    """The claims of a graph, and the sources they appear in, in the order of the saved question."""

    claims: int
    sources: tuple[SourceCount, ...]
    questions: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        return dict(plain(self))


def overview(ask: Ask) -> Overview:
    """Every source that has claims, and how many claims there are."""
    asker = Asker(ask)
    counts: Counter[str] = Counter()
    for row in asker.rows("coverage/claims-per-source"):
        counts[text(row, "source")] += whole(row, "claims") or 0
    sources = tuple(
        SourceCount(
            text(row, "source"),
            text(row, "label"),
            said(row, "form"),
            said(row, "published"),
            counts[text(row, "source")],
            said(row, "document"),
            said(row, "machine_written"),
        )
        for row in asker.rows("sources/all")
        if counts[text(row, "source")]
    )
    return Overview(sum(counts.values()), sources, asker.used)
