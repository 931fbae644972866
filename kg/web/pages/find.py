"""The search box: a number, an id, two names, a name, or words."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from kg.answers.search import read_search
from kg.render.results import tables_of
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN = 60


def show_find(graph: Graph, asked: Asked) -> View:
    """Where the words lead: straight to a page where they mean one thing, else the list of what matches."""
    given = asked.one("q")
    if given is None:
        return _to("/")
    search = read_search(graph.ask, given)
    if search.kind == "pair":
        return _to(f"/compare/{_part(search.words[0])}/{_part(search.words[1])}")
    if search.kind != "words":
        return _to(f"/{search.kind}/{_part(search.words[0])}")
    found = graph.find(given)
    items = found.items if asked.wants_all else found.items[:_SHOWN]
    return View(
        "find.html",
        f"{len(found.items):,} matches for “{given}”" if found.items else f"Nothing matches “{given}”",
        {"found": found, "items": items, "searched": given},
        data=found.to_json,
        rows=lambda: tables_of(found)["matches"],
        cut=Cut(len(items), len(found.items), "matches"),
    )


def _part(word: str) -> str:
    return quote(word, safe="/")


def _to(address: str) -> View:
    return View("", "", {"to": address}, data=dict, status=303)
