"""Pictures and citations, as files that go with the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from kg.answers.cite import citation_text
from kg.render.svg_file import svg_file
from kg.web.headers import PICTURE_POLICY
from kg.web.kept import KEPT
from kg.web.request_body import read_parameters
from kg.web.site import site_of
from kg.web.view import Asked

if TYPE_CHECKING:
    from starlette.requests import Request

    from kg.session import Graph

_MOST_NODES: Final = 120


def routes() -> list[BaseRoute]:
    """The routes of the files."""
    return [Route("/picture.svg", picture), Route("/cite/{of:path}", citation), Route("/cite", citation)]


def _asked(request: Request) -> Asked:
    words = {name: str(value) for name, value in request.path_params.items()}
    return Asked(words, read_parameters(request), request.url.path)


async def picture(request: Request) -> Response:
    """The picture of what `of` asks for, one word or several, as in `kg view`."""
    words = _asked(request).many("of")

    def drawn(graph: Graph) -> str:
        return svg_file(graph.view(*words, limit=_MOST_NODES))

    def made(graph: Graph) -> Response:
        # that of the whole graph takes longest, and any address may ask for it
        text = drawn(graph) if words else KEPT.get(graph, "the whole picture", lambda: drawn(graph))
        return Response(text, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})

    return await site_of(request).kept(request, made)


async def citation(request: Request) -> Response:
    """How to cite an id, or the graph: BibTeX, or CSL JSON with `.json` at the end."""
    asked = _asked(request)
    of = asked.word("of") if "of" in asked.words else None
    form = "csl" if of is not None and of.endswith(".json") else "bibtex"
    name = None if of is None else of.removesuffix(".json").removesuffix(".bib")
    text = await site_of(request).read(
        lambda graph: citation_text(graph.cite(name), "csl" if form == "csl" else "bibtex")
    )
    if form == "csl":
        return Response(text, media_type="application/vnd.citationstyles.csl+json")
    return PlainTextResponse(text)
