"""The first page: a search, the most damaging problems, what is in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kg.model.columns import columns, table_of
from kg.web.kept import KEPT
from kg.web.view import View

if TYPE_CHECKING:
    from kg.answers.overview import Overview
    from kg.answers.problems import Problems
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN: Final = 10
_COLUMNS: Final = columns("id label form published claims")


def problems_kept(graph: Graph) -> Problems:
    """All problems of the graph."""
    return KEPT.get(graph, "problems", graph.problems)


def overview_kept(graph: Graph) -> Overview:
    """The sources with their claims."""
    return KEPT.get(graph, "overview", graph.overview)


def show_front(graph: Graph, _: Asked) -> View:
    """The first page."""
    problems, held = problems_kept(graph), overview_kept(graph)
    return View(
        "front.html",
        "Can this number be used?",
        {
            "problems": problems.problems[:_SHOWN],
            "found": problems.found,
            "claims": held.claims,
            "sources": held.sources,
        },
        data=lambda: {"overview": held.to_json(), "problems": [one.to_json() for one in problems.problems[:_SHOWN]]},
        rows=lambda: table_of(_COLUMNS, held.sources),
        picture="/picture.svg",
    )
