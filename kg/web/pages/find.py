"""The search box: a number, an id, two names, a name, a question in plain words, or words to look for."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from kg.answers.search import read_search
from kg.answers.source_record import source_records
from kg.answers.worded_question import QuestionRows, traced_figure
from kg.ask.unsure_question import UnsureQuestion
from kg.render.results import tables_of
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN: Final = 60
_QUESTION: Final = 4
"""From how many words on a text may be a question; fewer are looked for."""


def show_find(graph: Graph, asked: Asked) -> View:
    """Where the words lead: straight to a page where they mean one thing, else the list of what matches."""
    given = asked.one("q")
    if given is None:
        return _to("/")
    # `words` is the way back from a page that a question led to: then the text is looked for.
    may_ask, words = asked.one("words") is None, len(given.split())
    is_question = words >= _QUESTION or given.rstrip().endswith("?")
    if may_ask and is_question and (meant := _meant(graph, given)) is not None:
        return _to(meant)
    search = read_search(graph.ask, given)
    if search.kind == "pair":
        return _to(f"/compare/{_part(search.words[0])}/{_part(search.words[1])}")
    if search.kind != "words":
        return _to(f"/{search.kind}/{_part(search.words[0])}")
    found = graph.find(given)
    # of three words that nothing matches the question is meant: "who cites Gartner"
    short = may_ask and not is_question and words > 1 and not found.items
    if short and (meant := _meant(graph, given)) is not None:
        return _to(meant)
    items = found.items if asked.wants_all else found.items[:_SHOWN]
    return View(
        "find.html",
        f"{len(found.items):,} matches for “{given}”" if found.items else f"Nothing matches “{given}”",
        {"found": found, "items": items, "searched": given},
        data=found.to_json,
        rows=lambda: tables_of(found)["matches"],
        cut=Cut(len(items), len(found.items), "matches"),
    )


def _meant(graph: Graph, text: str) -> str | None:
    """The page that answers plain words: that of a saved question with its values, or of a figure; None where neither is meant."""
    try:
        taken = graph.readings(text, QuestionRows(graph.ask, limit=1))[0]
    except UnsureQuestion as unsure:
        figure = traced_figure(unsure, lambda given: bool(graph.trace(given).claims))
        about = urlencode([("about", one) for one in unsure.traced_about])
        if figure is not None:
            return f"/number/{_part(figure)}" + (f"?{about}" if about else "")
        return _page_of_command(graph, unsure.command)
    if taken.question.name == "comparisons/compare" and not taken.filters:
        return f"/compare/{_part(str(taken.values['a']))}/{_part(str(taken.values['b']))}"
    given = [
        (name, ",".join(value) if isinstance(value, tuple) else str(value)) for name, value in taken.values.items()
    ]
    kept = [(name, word or "1") for one in taken.filters for name, word in one.given]
    return f"/questions/{taken.question.name}?" + urlencode([("ask", "1"), *given, *kept, ("said", text)])


def _page_of_command(graph: Graph, command: str | None) -> str | None:
    """The page that says what another command does: the problems, of all sources, of one, or of what somebody published."""
    words = shlex.split(command or "")
    if words == ["kg", "audit"]:
        return "/problems"
    if words[:3] == ["kg", "audit", "--source"]:
        return "/problems?" + urlencode({"source": words[3]})
    if words[:2] in (["kg", "audit"], ["kg", "conflicts"]):
        texts = graph.scope(graph.referent(*words[2:])).texts
        first = next((one.source for one in source_records(graph.ask, texts)), None)
        at = "#conflicts" if words[1] == "conflicts" else ""
        return f"/problems?{urlencode({'source': first})}{at}" if first else None
    return None


def _part(word: str) -> str:
    return quote(word, safe="/")


def _to(address: str) -> View:
    return View("", "", {"to": address}, data=dict, status=303)
