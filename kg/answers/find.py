"""Things, claims, metrics and questions that match a text, best first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from kg.answers.asking import Ask, Asker, near_names, plain, said, text
from kg.answers.claim import bare
from kg.model.names import name_key
from kg.model.result import presenter

if TYPE_CHECKING:
    from kg.model.result import Net, Table

FoundKind = Literal["entity", "source", "claim", "metric", "question"]
_ORDER: tuple[FoundKind, ...] = ("entity", "source", "metric", "question", "claim")


class Named(Protocol):
    """What is needed of a saved question."""

    @property
    def title(self) -> str: ...

    @property
    def question(self) -> str: ...


class FoundItem(NamedTuple):
    """One match; a higher score is better, 100 is the text itself."""

    kind: FoundKind
    id: str
    label: str
    matched: str
    score: int


class Found(NamedTuple):
    """All matches, best first; names like it when there are none."""

    asked: str
    items: tuple[FoundItem, ...]
    near: tuple[str, ...]
    questions: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        result: dict[str, Any] = plain(self)
        return result

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return (
            self.asked,
            None,
            f"{len(self.items):,} matches"
            if self.items
            else f"nothing found; near: {', '.join(self.near) or 'nothing'}",
        )

    def tables(self) -> Mapping[str, Table]:
        """Its rows by name."""
        return presenter().tables(self)

    def net(self) -> Net:
        """Its rows as nodes and what joins them."""
        return presenter().net(self)

    def to_pandas(self, table: str | None = None) -> Any:
        """The first table, or the one that is named, as a pandas frame (extra `pandas`)."""
        return presenter().frame(self, table)

    def to_networkx(self) -> Any:
        """Its rows as a NetworkX graph with directed edges."""
        return presenter().network(self)

    def _repr_html_(self) -> str:
        return presenter().html(self)


def find(ask: Ask, asked: str, questions: Mapping[str, Named] | None = None) -> Found:
    """Everything that holds all words of the text."""
    asker, key = Asker(ask), name_key(asked)
    words = key.split()
    if not words:
        return Found(asked, (), (), ())
    longest = max(words, key=len)
    items = [
        *_things(asker, key, words, longest),
        *_metrics(asker, key, words, longest),
        *_questions(key, words, questions or {}),
        *_claims(asker, key, words, longest),
    ]
    best: dict[tuple[str, str], FoundItem] = {}
    for item in items:
        known = best.get((item.kind, item.id))
        if known is None or (item.score, known.matched) > (known.score, item.matched):
            best[item.kind, item.id] = item
    ranked = sorted(best.values(), key=lambda one: (-one.score, _ORDER.index(one.kind), one.id))
    return Found(asked, tuple(ranked), () if ranked else near_names(asker, asked), asker.used)


def score(asked: str, words: Iterable[str], candidate: str) -> int:
    """How well a text fits: itself, its start, a run of whole words, all words, all words as parts.

    >>> [score("gb200", ["gb200"], one) for one in ("gb200", "gb200 nvl72", "nvidia gb200 rack", "agb2001", "h200")]
    [100, 80, 60, 20, 0]
    """
    text_key = name_key(candidate)
    if text_key == asked:
        return 100
    if text_key.startswith(asked + " "):
        return 80
    if f" {asked} " in f" {text_key} ":
        return 60
    own = set(text_key.split())
    if all(word in own for word in words):
        return 40
    return 20 if all(word in text_key for word in words) else 0


def _things(asker: Asker, key: str, words: list[str], longest: str) -> Iterable[FoundItem]:
    for row in asker.rows("find/names", text=longest):
        points = max(score(key, words, text(row, "key")), score(key, words, text(row, "label")) - 1)
        if points > 0:
            kind: FoundKind = "source" if text(row, "kind") in ("source", "unresolved-source") else "entity"
            yield FoundItem(kind, text(row, "entity"), text(row, "label"), text(row, "key"), points)


def _metrics(asker: Asker, key: str, words: list[str], longest: str) -> Iterable[FoundItem]:
    for row in asker.rows("find/metrics", text=longest):
        points = max(score(key, words, text(row, "label")), score(key, words, text(row, "definition")) // 2)
        if points > 0:
            yield FoundItem("metric", text(row, "metric"), text(row, "label"), text(row, "definition"), points)


def _questions(key: str, words: list[str], questions: Mapping[str, Named]) -> Iterable[FoundItem]:
    for name, one in questions.items():
        points = max(score(key, words, name), score(key, words, one.title), score(key, words, one.question) // 2)
        if points > 0:
            yield FoundItem("question", name, one.title, one.question, points)


def _claims(asker: Asker, key: str, words: list[str], longest: str) -> Iterable[FoundItem]:
    for row in asker.rows("find/claims", text=longest):
        said_text = said(row, "statement") or ""
        points = max(
            score(key, words, text(row, "text_found")),
            score(key, words, f"{said_text} {text(row, 'printed')} {row['subject']}") - 1,
        )
        if points > 0:
            label = said_text or said(row, "printed") or f"{bare(said(row, 'metric'))} of {row['subject']}"
            yield FoundItem(
                "claim",
                text(row, "claim"),
                label,
                f"{row['found_in']}: {row['text_found']}",
                max(1, points // (4 if row["secondary"] else 2)),
            )
