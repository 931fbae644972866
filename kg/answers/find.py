"""Things, claims, metrics and questions that match a text, best first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, near_names, said, text
from kg.answers.claim import Thing, bare, shown_figure, worded_figure
from kg.answers.published import PublishedSummary, Restriction, summarise_published, texts_and_files
from kg.answers.search_words import Term, read_terms, score, words_of
from kg.model.names import name_key
from kg.model.verdict import VERDICTS, Verdict, read_verdict

FoundKind = Literal["entity", "source", "claim", "metric", "question"]
_ORDER: tuple[FoundKind, ...] = ("entity", "source", "metric", "question", "claim")


class Named(Protocol):
    """What is needed of a saved question."""

    @property
    def title(self) -> str: ...

    @property
    def question(self) -> str: ...


class FoundItem(NamedTuple):
    """One match; a higher score is better, 100 is the text itself. A claim has its figure, its subject and the verdict."""

    kind: FoundKind
    id: str
    label: str
    matched: str
    score: int
    value: str | None = None
    unit: str | None = None
    subject: Thing | None = None
    verdict: Verdict | None = None


class _FoundFields(NamedTuple):
    asked: str
    items: tuple[FoundItem, ...]
    near: tuple[str, ...]
    questions: tuple[str, ...]
    published: tuple[PublishedSummary, ...] = ()
    """Published rows of the thing that is named, by metric."""
    left_out: bool = False
    """Whether there are published rows that were not looked through."""


class Found(JsonAnswer, _FoundFields):
    """All matches, best first; names like it when there are none."""

    __slots__ = ()

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return (
            self.asked,
            None,
            f"{len(self.items):,} matches"
            if self.items
            else f"nothing found; near: {', '.join(self.near) or 'nothing'}",
        )


def find(
    ask: Ask,
    asked: str,
    questions: Mapping[str, Named] | None = None,
    *,
    metric_words: Sequence[Sequence[str]] = (),
    within: Restriction | None = None,
    published: bool = False,
) -> Found:
    """Everything that fits all words of the text, in any order, in the plural, in other words, or mistyped.

    `metric_words` are the label of every metric and the other words for it, as keys of names.

    Claims are those of texts; published rows of the thing that is named are summed up, and listed only with `published`.
    """
    asker, key = Asker(ask), name_key(asked)
    if not key:
        return Found(asked, (), (), ())
    metrics = [(text(row, "label"), row) for row in asker.rows("find/metrics", text="")]
    keys = {text(row, "key") for row in asker.rows("names/keys")}
    # the words of names and metrics too: only what is none of them can be a typing error
    terms = read_terms(asked, words_of((*sorted(keys), *(label for label, _ in metrics))), metric_words)
    if not terms:
        return Found(asked, (), near_names(asker, asked, metrics=True), asker.used)
    searched, left_out = _searched(asker, within, published=published)
    items = [
        *_things(asker, key, terms),
        *_metrics(metrics, key, terms),
        *_questions(key, terms, questions or {}),
        *_claims(asker, key, terms, within, searched),
    ]
    things = {text(row, "entity") for row in asker.rows("names/resolve", thing=[asked])}
    best: dict[tuple[str, str], FoundItem] = {}
    for item in items:
        known = best.get((item.kind, item.id))
        if known is None or (item.score, known.matched) > (known.score, item.matched):
            best[item.kind, item.id] = item
    ranked = sorted(best.values(), key=lambda one: (-one.score, _ORDER.index(one.kind), _rank(one), one.id))
    near = () if ranked else near_names(asker, asked, metrics=True)
    return Found(asked, tuple(ranked), near, asker.used, summarise_published(asker, things, within), left_out)


def _searched(asker: Asker, within: Restriction | None, *, published: bool) -> tuple[list[str], bool]:
    """The sources whose claims are looked through (none: all), and whether published files are left out."""
    if within is not None and within.sources:
        return sorted(within.sources), False
    if published:
        return [], False
    # without published files all sources are texts, and naming every one of them would only cost time
    texts, files = texts_and_files(asker)
    return (texts, True) if files else ([], False)


def _rank(item: FoundItem) -> tuple[bool, int]:
    """Figures before words, the better verdict first."""
    return item.value is None, 0 if item.verdict is None else VERDICTS.index(item.verdict)


def _parts(terms: Sequence[Term]) -> list[str]:
    """What every match holds one of: the forms of the word that is likely to occur least."""
    # the store looks for one word, the rarest: what fits the others is decided row by row
    return list(max(terms, key=lambda term: (len(term.same) == 0, len(term.word))).forms)


def _things(asker: Asker, key: str, terms: Sequence[Term]) -> Iterable[FoundItem]:
    for row in asker.rows("find/names", text=_parts(terms)):
        # a point less for the label, so that a thing whose very name is typed comes first
        points = max(score(key, terms, text(row, "key")), score(key, terms, text(row, "label")) - 1)
        if points > 0:
            kind: FoundKind = "source" if text(row, "kind") in ("source", "unresolved-source") else "entity"
            yield FoundItem(kind, text(row, "entity"), text(row, "label"), text(row, "key"), points)


def _metrics(metrics: Iterable[tuple[str, Row]], key: str, terms: Sequence[Term]) -> Iterable[FoundItem]:
    for label, row in metrics:
        points = max(score(key, terms, label), score(key, terms, text(row, "definition")) // 2)
        if points > 0:
            yield FoundItem("metric", text(row, "metric"), label, text(row, "definition"), points)


def _questions(key: str, terms: Sequence[Term], questions: Mapping[str, Named]) -> Iterable[FoundItem]:
    for name, one in questions.items():
        points = max(score(key, terms, name), score(key, terms, one.title), score(key, terms, one.question) // 2)
        if points > 0:
            yield FoundItem("question", name, one.title, one.question, points)


def _claims(
    asker: Asker, key: str, terms: Sequence[Term], within: Restriction | None, sources: Sequence[str]
) -> Iterable[FoundItem]:
    wanted: dict[str, object] = {"source": tuple(sources)} if sources else {}
    for row in asker.rows("find/claims", text=_parts(terms), **wanted):
        if within is not None and not within.fits_row(row):
            continue
        metric, subject = (bare(said(row, "metric")) or "").replace("-", " "), said(row, "subject_label")
        statement, printed = said(row, "statement") or "", said(row, "printed")
        counted = (bare(said(row, "unit")) or "").removeprefix("count:")
        points = max(
            score(key, terms, text(row, "text_found")),
            score(key, terms, f"{statement} {printed} {counted} {row['subject']} {subject} {metric} {row['claim']}")
            - 1,
        )
        if points > 0:
            figure = printed if said(row, "unit") is not None else None
            unit = bare(said(row, "unit"))
            yield FoundItem(
                kind="claim",
                id=text(row, "claim"),
                label=statement or " of ".join(filter(None, (metric, subject))),
                matched=f"{row['found_in']}: {row['text_found']}",
                # a claim stands behind the thing it is about, and one that answers no question of
                # an analyst behind others
                score=max(1, points // (4 if row["secondary"] else 2) - (said(row, "kind") == "comparison")),
                value=worded_figure(shown_figure(figure, unit), said(row, "hedge"), text(row, "modality", "stated")),
                unit=unit,
                subject=Thing(text(row, "subject"), subject),
                verdict=read_verdict(said(row, "verdict")),
            )
