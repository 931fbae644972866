"""A number or a claim: its verdict, where it is printed, what it was computed from, who disagrees, what rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from kg.answers.claim import shown_figure
from kg.model.verdict import WORDS
from kg.render.amounts import amount
from kg.render.claim_words import claim_words
from kg.render.results import tables_of
from kg.render.trace_text import END_STATES
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from kg.answers.claim import PrintedPlace, Thing
    from kg.answers.trace import Trace
    from kg.answers.traced_claim import TracedClaim
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN: Final = 10


class QuotedFigure(NamedTuple):
    """The printed figure between what stands around it."""

    before: str
    figure: str
    behind: str


class ShownTrace(NamedTuple):
    """A claim of a trace with its passage, where the text is attached."""

    traced: TracedClaim
    passage: QuotedFigure | None


def show_number(graph: Graph, asked: Asked) -> View:
    """Every claim that states a number; each `about` leaves those about a name."""
    # A number that was pasted may be broken over two lines.
    return _view(graph, graph.trace(asked.word("number").replace("\n", " "), about=asked.many("about")), asked)


def show_claim(graph: Graph, asked: Asked) -> View:
    """One claim. Raises UnknownClaim."""
    from kg.answers.trace import trace_claim

    return _view(graph, trace_claim(graph.ask, asked.word("claim")), asked)


def _view(graph: Graph, found: Trace, asked: Asked) -> View:
    claims = found.claims if asked.wants_all else found.claims[:_SHOWN]
    shown = [ShownTrace(one, _passage(graph, one.claim.place)) for one in claims]
    picture = f"/picture.svg?of={quote(found.asked)}"
    ids = tuple(one.claim.id for one in found.claims)
    return View(
        "trace.html",
        _title(found),
        {
            "found": found,
            "official": graph.official_ratio(found),
            "sentence": found.judgement,
            "shown": shown,
            "words": claim_words,
            "amount": amount,
            "ends": END_STATES,
            "picture": picture if found.claims else None,
            "narrower": _narrower(found),
            "about": asked.many("about"),
            "figure": shown_figure,
        },
        data=found.to_json,
        rows=lambda: tables_of(found)["claims"],
        about=ids,
        cut=Cut(len(shown), found.found, "claims"),
        twin_cut=Cut(len(found.claims), found.found, "claims"),
        status=200 if found.claims or found.near else 404,
        cites=ids[0] if found.kind == "claim" else None,
        picture=picture if found.claims else None,
    )


def _narrower(found: Trace) -> list[Thing]:
    """What a number is stated of, where that is more than one thing."""
    if found.kind != "number" or found.about:
        return []
    stated_of = dict.fromkeys(thing for one in found.claims for thing in one.claim.subjects)
    return list(stated_of)[:_SHOWN] if len(stated_of) > 1 else []


def _title(found: Trace) -> str:
    if found.is_only_near:
        return f"{found.asked_of} is stated by no claim"
    if found.kind == "number":
        return found.judged
    said = claim_words(found.claims[0].claim)
    return f"{said.figure or found.asked} {WORDS[found.verdict].sentence}: {said.of}"


def _passage(graph: Graph, place: PrintedPlace) -> QuotedFigure | None:
    """The words around a figure, where the text is attached and is the one that was read."""
    if place.start is None or place.end is None:
        return None
    text = graph.document(place.document, place.sha256)
    return None if text is None else QuotedFigure(*text.passage(place.start, place.end))
