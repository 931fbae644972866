"""The things themselves: an id answers with its page, or with what is stated of it (303); the data set as DCAT says.

Behind a redirect from https://w3id.org/accelkg the IRIs of claims, things and sources lead here, those of the vocabulary too.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import pyoxigraph
from pyoxigraph import Literal, NamedNode, Triple
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kg.answers.cite import ADDRESS, TITLE
from kg.export.nanopub import LICENCE
from kg.model.identifiers import ENTITY_KINDS
from kg.model.vocabulary import ONTOLOGY, PREFIXES, THINGS, expand, thing_id, thing_iri
from kg.web.door import FrontDoor
from kg.web.endpoint import PATH, refusal
from kg.web.negotiation import GRAPHS, preferred
from kg.web.refusal import NOT_ACCEPTABLE, NOT_FOUND, RequestRefused
from kg.web.service_description import VOID, written
from kg.web.vocabulary_files import is_described, vocabulary_description, vocabulary_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from starlette.requests import Request

    from kg.session import Graph
    from kg.web.site import Site

_FORMS: Final = {
    "ttl": "text/turtle",
    "jsonld": "application/ld+json",
    "nt": "application/n-triples",
    "rdf": "application/rdf+xml",
}
_SUFFIXES: Final = {media: suffix for suffix, media in _FORMS.items()}
# Signs that a path of an address may hold as they are (RFC 3986), and the slash of ids.
_SAFE: Final = "/:.,=~@!$&'()*+;-_"
_WITH_PAGE: Final = frozenset({*ENTITY_KINDS, "claim", "metric"})
"""What the ids begin with of all that has a page; the figures, places and findings on them have none of their own."""
_DESCRIPTION: Final = (
    "Who states which figure of AI accelerators, systems and models, where it is printed, under which conditions, how it was "
    "computed, and what an audit says of it."
)
_LONGEST: Final = 2_000
_HEADERS: Final = {"Vary": "Accept, Origin", "Cache-Control": "no-cache"}


def linked_data_door(site: Site) -> FrontDoor:
    """The routes of ids, of their descriptions, and of the data set."""

    async def thing(request: Request) -> Response:
        name = _name(request.path_params["name"])
        if not await site.read(lambda graph: is_described(graph.content, name) or _is_known(graph, name)):
            raise _unknown(name)
        offered = ("text/html", *_SUFFIXES)
        chosen = preferred(_accept(request), offered)
        if chosen is None:
            raise _nothing_to_send(request, offered)
        return RedirectResponse(_about(name, chosen, _accept(request)), 303, _HEADERS)

    async def data(request: Request) -> Response:
        whole, _, suffix = request.path_params["name"].rpartition(".")
        if suffix not in _FORMS or not whole:
            raise _unknown(request.path_params["name"])
        name = _name(whole)

        def described(graph: Graph) -> Response:
            if is_described(graph.content, name):
                return Response(
                    vocabulary_description(graph.content, name, _FORMS[suffix]),
                    headers=_HEADERS,
                    media_type=_FORMS[suffix],
                )
            if not _is_known(graph, name):
                raise _unknown(name)
            # The id of the IRI: its percent escapes undone, and that of a claim without `claim/`.
            turtle = graph.describe(thing_id(THINGS + name))
            return Response(_converted(turtle, _FORMS[suffix]), headers=_HEADERS, media_type=_FORMS[suffix])

        return await site.kept(request, described)

    routes = [
        Route("/id/{name:path}", _refusing(thing), name="id"),
        Route("/data/{name:path}", _refusing(data), name="data"),
        *_whole_routes(site),
    ]
    return FrontDoor(routes, nullcontext())


def _whole_routes(site: Site) -> list[Route]:
    """The routes of the data set and of the vocabulary."""

    async def catalogue(request: Request) -> Response:
        chosen = preferred(_accept(request), GRAPHS)
        if chosen is None:
            raise _nothing_to_send(request, GRAPHS)
        endpoint = str(request.url.replace(path=PATH, query=""))
        triples = await site.read(lambda graph: data_set_description(graph, endpoint))
        return Response(written(triples, chosen), headers=_HEADERS, media_type=chosen)

    async def vocabulary(request: Request) -> Response:
        chosen = preferred(_accept(request), _SUFFIXES)
        if chosen is None:
            raise _nothing_to_send(request, _SUFFIXES)
        version = request.path_params.get("version")
        found = await site.read(lambda graph: vocabulary_text(graph.content, chosen, version=version))
        if found is None:
            raise RequestRefused(
                NOT_FOUND, "is no version that is here.", given=str(version)[:100], expected="/ontology"
            )
        return Response(found, headers=_HEADERS, media_type=chosen)

    async def void(_: Request) -> Response:
        return RedirectResponse("/dcat", 302, _HEADERS)

    return [
        Route("/dcat", _refusing(catalogue), name="dcat"),
        Route("/ontology", _refusing(vocabulary), name="ontology"),
        Route("/ontology/{version}", _refusing(vocabulary), name="ontology-version"),
        # https://www.w3.org/TR/void/#well-known
        Route("/.well-known/void", void, name="void"),
    ]


def data_set_description(graph: Graph, endpoint: str) -> list[Triple]:
    """The data set in DCAT and VoID, with the endpoint that serves it."""
    stamp = graph.stamp
    data, service, distribution = (NamedNode(f"{ADDRESS}{part}") for part in ("", "#service", "#sparql"))
    kind = NamedNode(expand("rdf:type"))

    def term(name: str) -> NamedNode:
        return NamedNode(expand(name))

    description = [
        Triple(data, kind, term("dcat:Dataset")),
        Triple(data, kind, NamedNode(f"{VOID}Dataset")),
        Triple(data, term("dcterms:title"), Literal(TITLE, language="en")),
        Triple(data, term("dcterms:description"), Literal(_DESCRIPTION, language="en")),
        Triple(data, term("dcterms:identifier"), Literal(ADDRESS)),
        Triple(data, term("dcterms:license"), NamedNode(LICENCE)),
        Triple(data, term("dcat:landingPage"), NamedNode(endpoint.removesuffix(PATH) + "/")),
        Triple(data, term("dcat:distribution"), distribution),
        Triple(data, NamedNode(f"{VOID}sparqlEndpoint"), NamedNode(endpoint)),
        Triple(data, NamedNode(f"{VOID}uriSpace"), Literal(THINGS)),
        Triple(data, NamedNode(f"{VOID}vocabulary"), NamedNode(ONTOLOGY)),
        Triple(distribution, kind, term("dcat:Distribution")),
        Triple(distribution, term("dcat:accessURL"), NamedNode(endpoint)),
        Triple(distribution, term("dcat:accessService"), service),
        Triple(service, kind, term("dcat:DataService")),
        Triple(service, term("dcterms:title"), Literal("SPARQL 1.1 endpoint", language="en")),
        Triple(service, term("dcat:endpointURL"), NamedNode(endpoint)),
        Triple(service, term("dcat:servesDataset"), data),
        Triple(service, term("dcterms:conformsTo"), NamedNode("http://www.w3.org/TR/sparql11-protocol/")),
    ]
    if stamp.get("version"):
        version = f"{stamp['version']}+content.{str(stamp.get('content', ''))[:16]}"
        description.append(Triple(data, term("dcat:version"), Literal(version)))
    if stamp.get("triples") is not None:
        count = Literal(str(stamp["triples"]), datatype=term("xsd:integer"))
        description.append(Triple(data, NamedNode(f"{VOID}triples"), count))
    return description


def _refusing(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """The same with refusals as text."""

    async def refusing(request: Request) -> Response:
        try:
            return await answer(request)
        except RequestRefused as refused:
            return refusal(refused.status, refused.words)

    return refusing


def _accept(request: Request) -> str:
    return ",".join(request.headers.getlist("accept"))


def _name(given: str) -> str:
    """What stands behind `/id/`. Raises RequestRefused where nothing of ours can be called so."""
    if not given or len(given) > _LONGEST or not given.isprintable():
        raise _unknown(given)
    return given


def _is_known(graph: Graph, name: str) -> bool:
    answer = graph.query(f"ASK {{ <{thing_iri(name)}> ?p ?o }}", timeout_seconds=None)
    return not isinstance(answer, bytes) and answer.rows[0][0] is True


def _about(name: str, media_type: str, accept: str) -> str:
    """The document about a thing, in a form that is accepted; what has no page is described.

    303 See Other leads there: an id names a thing, which no document is (Cool URIs for the Semantic Web, section 4).
    """
    if media_type == "text/html":
        if name.partition("/")[0] in _WITH_PAGE:
            return _page(name)
        media_type = preferred(accept, _SUFFIXES) or "text/turtle"
    return f"/data/{quote(name, safe=_SAFE)}.{_SUFFIXES[media_type]}"


def _page(name: str) -> str:
    """The page of a thing."""
    kind, _, rest = name.partition("/")
    words = quote(rest if kind == "claim" else name, safe=_SAFE)
    return f"/claim/{words}" if kind == "claim" else f"/source/{words}" if kind == "source" else f"/thing/{words}"


def _unknown(name: str) -> RequestRefused:
    return RequestRefused(
        NOT_FOUND, "is the id of nothing here.", given=ascii(name[:100])[1:-1], next_step="search on the first page"
    )


def _nothing_to_send(request: Request, offered: Iterable[str]) -> RequestRefused:
    return RequestRefused(NOT_ACCEPTABLE, field="Accept", given=_accept(request)[:200], expected=", ".join(offered))


def _converted(turtle: str, media_type: str) -> str | bytes:
    if media_type == "text/turtle":
        return turtle
    form = pyoxigraph.RdfFormat.from_media_type(media_type)
    triples = (quad.triple for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE))
    return pyoxigraph.serialize(triples, format=form, prefixes=dict(PREFIXES)) or b""
