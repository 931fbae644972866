"""A source: its text with every figure marked, where the text is attached; its figures by what is wrong with them; who repeats whom."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from kg.model.columns import columns, table_of
from kg.model.identifiers import is_source_id
from kg.model.verdict import VERDICTS
from kg.render.claim_words import claim_words
from kg.render.marked_lines import marked_lines
from kg.web.kept import KEPT
from kg.web.pages.front import overview_kept, problems_kept
from kg.web.pages.problems import is_of
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.answers.claim import ClaimCard
    from kg.answers.marked_text import MarkedSource
    from kg.model.verdict import Verdict
    from kg.session import Graph
    from kg.web.view import Asked

_DOUBTS: Final[tuple[tuple[Verdict, str], ...]] = (
    ("wrong", "wrong"),
    ("disputed", "disputed"),
    ("caution", "need caution"),
)
_COLUMNS: Final = columns("source=id label form published claims machine_written")
_WORST: Final = 12
_LISTED: Final = 200
"""Claims of a source without its text that are listed at first."""


class WorstFigure(NamedTuple):
    """What is said of a figure in doubt, and the numbers of the marks where it is printed."""

    card: ClaimCard
    numbers: tuple[int, ...]


def source_kept(graph: Graph, source: str) -> MarkedSource:
    """The figures of a source."""

    def make() -> MarkedSource:
        # Figures in the order of the ranking by damage, the same as on the page of problems.
        ranked = [claim for one in problems_kept(graph).problems for claim in one.claims]
        return graph.marked_source(source, ranked=ranked)

    return KEPT.get(graph, f"source {source}", make)


def show_source(graph: Graph, asked: Asked) -> View:
    """One source."""
    name = asked.word("source")
    marked = source_kept(graph, name if is_source_id(name) else f"source/{name}")
    document = graph.document(*(_text(marked.facts.get(key)) for key in ("document", "sha256")))
    problems = [one for one in problems_kept(graph).problems if is_of(one, marked.id)]
    # Without the text there is no order of reading: what is worst comes first, and in the text's order what is alike.
    claims = (
        marked.claims if document is not None else sorted(marked.claims, key=lambda one: -VERDICTS.index(one.verdict))
    )
    listed = claims if document is not None or asked.wants_all else claims[:_LISTED]
    return View(
        "source.html",
        _title(marked),
        {
            "marked": marked,
            "lines": None if document is None else list(marked_lines(document.text, marked.figures)),
            "length": 0 if document is None else len(document.text),
            "worst": list(islice(_worst(marked), _WORST)),
            "listed": () if document is not None else listed,
            "problems": problems,
            "words": claim_words,
        },
        data=marked.to_json,
        rows=marked.table,
        about=(marked.id,),
        cut=Cut(len(listed), len(claims), "claims"),
        cites=marked.id,
        picture=f"/picture.svg?of={quote(marked.id)}" if claims else None,
    )


def _worst(marked: MarkedSource) -> Iterator[WorstFigure]:
    """What is in doubt, the worst first; figures of which the same is said are one, with all their places."""
    by_number = {one.number: one for one in marked.figures}
    places: dict[tuple[str, str | None, str], list[int]] = {}
    cards: dict[tuple[str, str | None, str], ClaimCard] = {}
    for number in marked.worst:
        figure = by_number[number]
        card = next(one for one in figure.claims if one.verdict == figure.verdict)
        key = (claim_words(card).figure, card.value_to_use, card.verdict_reason)
        cards.setdefault(key, card)
        places.setdefault(key, []).append(number)
    for key, numbers in places.items():
        yield WorstFigure(cards[key], tuple(numbers))


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _title(marked: MarkedSource) -> str:
    """What was found, then what it is."""
    counts = marked.counts
    total = sum(counts.values())
    if not total:
        return f"No claims are recorded of “{marked.label}”"
    doubts = [f"{counts[verdict]} {word}" for verdict, word in _DOUBTS if verdict in counts]
    said = f"{', '.join(doubts)} of {total:,} figures" if doubts else f"Nothing speaks against the {total:,} figures"
    return f"{said} in “{marked.label}”"


def show_sources(graph: Graph, _: Asked) -> View:
    """All sources that have claims."""
    held = overview_kept(graph)
    data: Any = held.to_json
    return View(
        "sources.html",
        f"{len(held.sources)} sources with {held.claims:,} claims",
        {"sources": held.sources},
        data=data,
        rows=lambda: table_of(_COLUMNS, held.sources),
        picture="/picture.svg",
    )
