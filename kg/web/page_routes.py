"""The routes of the pages: one path each, with `.json`, `.csv`, `.ttl` and `.svg` next to it."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from kg.errors import KgError
from kg.render.cells import csv_cell, finite
from kg.render.charts import plots_svg
from kg.web.failures import status_of
from kg.web.headers import PICTURE_POLICY
from kg.web.pages import compare, find, front, problems, query, questions, source, thing, trace
from kg.web.request_body import read_parameters
from kg.web.site import site_of
from kg.web.templating import environment
from kg.web.view import Asked, Show, View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from kg.model.result import Table
    from kg.session import Graph

Form = Literal["html", "json", "csv", "ttl", "svg"]
_TWINS: Final[tuple[Form, ...]] = ("json", "csv", "ttl", "svg")
_VERSION: Final = "content"
"""The parameter of a permalink that names a version of the content; the footer of a page says which one it shows."""
# Parameters that change how much of a page is seen, or which version a link was made of, but not
# what is asked.
_OF_THE_VIEW: Final = ("all", _VERSION)
# Meets `{source:path}` and `{pair}` of the paths above, with the name alone as its group.
_PLACE: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
_NOT_THERE: Final = 404
_MEDIA: Final = {"json": "application/json", "csv": "text/csv", "ttl": "text/turtle", "svg": "image/svg+xml"}


class PagePath(NamedTuple):
    """A path of the site with what it shows; `twin` is what stands before `.json`."""

    path: str
    show: Show
    twin: str | None = None
    is_free: bool = False
    """Whether it runs what anybody wrote: such queries have threads of their own."""


PAGES: Final = (
    PagePath("/", front.show_front, "/index"),
    PagePath("/sources", source.show_sources),
    PagePath("/source/{source:path}", source.show_source),
    PagePath("/number/{number:path}", trace.show_number),
    PagePath("/claim/{claim:path}", trace.show_claim),
    PagePath("/compare/{pair:path}", compare.show_compare),
    PagePath("/thing/{thing:path}", thing.show_thing),
    PagePath("/problems", problems.show_problems),
    PagePath("/conflicts", problems.show_conflicts),
    PagePath("/questions", questions.show_questions),
    PagePath("/questions/{question:path}", questions.show_question),
    PagePath("/query", query.show_query, is_free=True),
    PagePath("/find", find.show_find),
)


def routes() -> list[BaseRoute]:
    """All of them."""
    made: list[BaseRoute] = []
    for one in PAGES:
        base = one.twin or one.path
        made.append(Route(one.path, _endpoint(one, base), name=one.show.__name__))
        # Where a path has words, the last of them takes any sign: there the twin is found by its
        # end.
        if "{" not in one.path:
            made.extend(Route(f"{base}.{form}", _endpoint(one, base)) for form in _TWINS)
    return made


def _endpoint(page: PagePath, base: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """The function that answers a path: the last word of the path may end in the form of a twin."""

    async def answer(request: Request) -> Response:
        given = {name: str(value) for name, value in request.path_params.items()}
        parameters = read_parameters(request)
        form, words = _form_of(request.url.path, given)
        site = site_of(request)

        def asked(words: Mapping[str, str]) -> Asked:
            return Asked(words, parameters, _filled(base, words), _filled(page.path, words))

        def make(graph: Graph) -> Response:
            try:
                return _answered(graph, page.show, asked(words), form, request.url.query)
            except (KgError, HTTPException) as absent:
                if words == given or _status(absent) != _NOT_THERE:
                    raise
                # an id may end like the address of a twin
                try:
                    return _answered(graph, page.show, asked(given), "html", request.url.query)
                except KgError:
                    raise absent from None

        return await (site.query(make) if page.is_free else site.kept(request, make))

    return answer


def _status(error: KgError | HTTPException) -> int:
    return status_of(error) if isinstance(error, KgError) else error.status_code


def _filled(path: str, words: Mapping[str, str]) -> str:
    """A path with its words put in, as it is in an address."""
    return quote(_PLACE.sub(lambda found: words[found[1]], path), safe="/:.,=~@!$&'()*+;-_")


def _permalink(asked: Asked, version: str) -> str:
    """The page with what was asked of it, and the version of the content that it shows; not how much of it was shown."""
    kept = [(name, one) for name, values in asked.parameters.items() for one in values if name not in _OF_THE_VIEW]
    return f"{asked.page}?{urlencode([*kept, (_VERSION, version)])}"


def _form_of(path: str, words: dict[str, str]) -> tuple[Form, dict[str, str]]:
    """The form that a path ends in, and its words without it."""
    found = next((one for one in _TWINS if path.endswith(f".{one}")), None)
    if found is None:
        return "html", words
    last = next(reversed(words), None)
    return found, {**words, last: words[last].removesuffix(f".{found}")} if last is not None else words


def _answered(graph: Graph, show: Show, asked: Asked, form: Form, query: str) -> Response:
    view = show(graph, asked)
    cut = view.cut if form == "html" else view.twin_cut
    headers = {} if cut is None or not cut.is_cut else {"X-Rows-Shown": f"{cut.shown} of {cut.of}"}
    if view.status == 303 and (form == "html" or view.rows is None):
        to = str(view.values["to"])
        return RedirectResponse(to if form == "html" else _twin_address(to, form), 303)
    if form == "html":
        return HTMLResponse(_html(graph, view, asked, query), view.status, headers)
    content = _twin(graph, view, form)
    if content is None:
        raise HTTPException(404)
    if form == "svg":
        headers["Content-Security-Policy"] = PICTURE_POLICY
    return Response(content, 200 if view.status == 303 else view.status, headers, media_type=_MEDIA[form])


def _twin_address(page: str, form: Form) -> str:
    """The address of the twin of a page.

    >>> _twin_address("/number/141?about=H200", "json"), _twin_address("/", "csv")
    ('/number/141.json?about=H200', '/index.csv')
    """
    path, mark, query = page.partition("?")
    return f"{'/index' if path == '/' else path}.{form}{mark}{query}"


def _html(graph: Graph, view: View, asked: Asked, query: str) -> str:
    suffix = f"?{query}" if query else ""
    twins = {"json": f"{asked.address}.json{suffix}"}
    if view.rows is not None:
        twins["csv"] = f"{asked.address}.csv{suffix}"
    if view.about:
        twins["ttl"] = f"{asked.address}.ttl{suffix}"
    if any(one.rows for one in view.plots):
        twins["svg"] = f"{asked.address}.svg{suffix}"
    version = str(graph.stamp["content"])[:12]
    template = environment().get_template(view.template)
    return template.render(
        view=view,
        title=view.title,
        twins=twins,
        version_shown=version,
        version_linked=asked.one(_VERSION) or version,
        permalink=_permalink(asked, version),
        stamp=graph.stamp,
        asked=asked,
        **view.values,
    )


def _twin(graph: Graph, view: View, form: Form) -> str | None:
    """The text of a twin; None where the page has none of this form."""
    if form == "json":
        return json.dumps(finite(view.data()), ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"
    if form == "csv":
        return None if view.rows is None else csv_text(view.rows())
    if form == "svg":
        drawn = [one for one in view.plots if one.rows]
        return plots_svg(view.title, drawn) if drawn else None
    return graph.describe(*view.about) if view.about else None


def csv_text(table: Table) -> str:
    """Rows as CSV, with cells that no spreadsheet takes for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_cell(one) for one in table.columns])
    writer.writerows([csv_cell(cell) for cell in row] for row in table.rows)
    return out.getvalue()
