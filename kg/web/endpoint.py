"""The SPARQL endpoint: the query side of the SPARQL 1.1 Protocol (https://www.w3.org/TR/sparql11-protocol/).

It only reads: updates, SERVICE and LOAD are refused. Queries run in processes of their own, see query_pool.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from kg.errors import KgError, StoreError
from kg.stores.oxigraph import Generations
from kg.web.current import file_state
from kg.web.door import FrontDoor
from kg.web.negotiation import GRAPHS, preferred
from kg.web.page_cache import AnswerCache
from kg.web.query_pool import ProtocolQuery, QueryPool
from kg.web.refusal import (
    BUSY,
    NOT_ACCEPTABLE,
    NOT_IMPLEMENTED,
    REFUSED,
    WRONG_TYPE,
    RequestRefused,
)
from kg.web.request_body import Fields, read_body, read_fields, read_text
from kg.web.service_description import service_description, written
from kg.web.told import sentence

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from kg.session import Graph
    from kg.web.current import FileState
    from kg.web.query_pool import PoolLimits, SentResult

PATH: Final = "/sparql"
_PIECE: Final = 1 << 18
"""Bytes of a large result that are read from its file at a time."""
_MOST_KEPT: Final = 32 << 20
"""Bytes of all results that are kept to be sent again."""
_MOST_OF_ONE: Final = 1 << 20
"""Bytes of one result that is kept: a larger one would push many small ones out."""
_CHANGING: Final = re.compile(r"\b(?:rand|now|uuid|struuid)\b", re.IGNORECASE)
"""Functions that give something else each time. A comment may stand before their bracket, so that the bracket is not looked
for: that took time by the square of the text, in which nobody else was answered."""
_FORM: Final = "application/x-www-form-urlencoded"
_DIRECT: Final = "application/sparql-query"
_VARY: Final = {"Vary": "Accept, Origin", "Cache-Control": "no-cache"}
_UNAVAILABLE: Final = frozenset({"query.deadline", "query.memory", "query.ended", "query.result-size"})


def endpoint_door(
    graph: Graph, limits: PoolLimits | None = None, state: Callable[[], Hashable | None] = lambda: None
) -> FrontDoor:
    """The endpoint of a graph, which follows its generations. While `state` is the same, results may be sent again."""
    generations = Generations(graph.folder / "rdf")
    is_here = graph.server is None
    looked_up: tuple[FileState | None, Path | None] = (None, None)

    def live_generation() -> Path | None:
        if not is_here:
            raise RequestRefused(
                NOT_IMPLEMENTED,
                given="a store that is a server",
                expected="queries at its own address",
                next_step="ask the server itself, or bring its content here with kg pull and serve the folder",
            )
        # each query asks: the pointer is read again when its file is another one
        nonlocal looked_up
        mark = file_state(graph.folder / "rdf" / "current")
        known, path = looked_up
        if mark is None or mark != known:
            path = (generations.current() or (None,))[0]
            looked_up = (mark, path)
        return path

    pool = QueryPool(live_generation, limits)

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        try:
            yield
        finally:
            pool.close()

    def triples() -> int | None:
        live = generations.current() if is_here else None
        return None if live is None else live[1].get("triples")

    return FrontDoor(endpoint_routes(pool, triples, state, lambda error: sentence(error, graph)), running())


def endpoint_routes(
    pool: QueryPool,
    triples: Callable[[], int | None],
    state: Callable[[], Hashable | None] = lambda: None,
    told: Callable[[KgError], str] = lambda error: error.words,
) -> list[BaseRoute]:
    """The route of the endpoint; `triples` says how many the live generation holds, `state` which one is live."""
    results = AnswerCache(_MOST_KEPT, _MOST_OF_ONE)

    async def sparql(request: Request) -> Response:
        try:
            query = await _asked(request)
            if query is None:
                return _description(request, triples())
            # A deadline decides whether there is a result, not which one.
            live, key = state(), query._replace(seconds=None)
            # Equal queries do not wait for each other as equal pages do: each has a deadline and a client of its
            # own (decision 42).
            kept = results.find(live, key) if live is not None else None
            if kept is not None:
                return kept.sent_to(request)
            answer = await _answer(request, pool, query)
            if live is not None and not _CHANGING.search(query.text):
                kept = results.keep(live, key, answer)
            return answer if kept is None else kept.sent_to(request)
        except RequestRefused as refused:
            return refusal(refused.status, refused.words)
        except KgError as error:
            return refusal(_status(error), told(error))

    return [Route(PATH, sparql, methods=["GET", "HEAD", "POST"], name="sparql")]


def refusal(status: int, message: str) -> Response:
    """An error as text."""
    headers = {**_VARY, **({"Retry-After": "5"} if status == BUSY else {})}
    return Response(f"{message}\n", status, headers, media_type="text/plain")


def _status(error: KgError) -> int:
    if error.code in _UNAVAILABLE or isinstance(error, StoreError):
        return BUSY
    return REFUSED


async def _asked(request: Request) -> ProtocolQuery | None:
    """The query of a request; None where there is none."""
    address = read_fields(request.scope["query_string"], "query string")
    if request.method == "POST":
        return await _posted(request, address)
    return _query(request, address, address) if "query" in address or "update" in address else None


async def _answer(request: Request, pool: QueryPool, query: ProtocolQuery) -> Response:
    async def disconnected() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return result_response(await pool.answer(query, disconnected), request.method)


async def _posted(request: Request, address: Fields) -> ProtocolQuery:
    """The query of a POST: of a form, or the body itself."""
    media_type, charset = _content_type(request.headers.get("content-type", ""))
    if media_type not in (_FORM, _DIRECT):
        raise RequestRefused(
            WRONG_TYPE,
            field="Content-Type",
            given=media_type[:100] or "nothing",
            expected=f"{_DIRECT} or {_FORM}",
            next_step="updates are not taken here: the endpoint only reads" if "update" in media_type else None,
        )
    if charset not in ("", "utf-8"):
        raise RequestRefused(
            WRONG_TYPE, field="Content-Type", given=f"charset={charset[:40]}", expected="charset=utf-8"
        )
    body = await read_body(request)
    if media_type == _FORM:
        return _query(request, read_fields(body, "body"), address)
    return _query(request, {"query": [*address.get("query", ()), read_text(body, "body")]}, address)


def _content_type(header: str) -> tuple[str, str]:
    """Media type and charset, in small letters.

    >>> _content_type('application/sparql-query; charset="UTF-8"')
    ('application/sparql-query', 'utf-8')
    """
    media_type, *parameters = (part.strip().lower() for part in header.split(";"))
    charset = next((part[8:].strip("\"' ") for part in parameters if part.startswith("charset=")), "")
    return media_type, charset


def _query(request: Request, fields: Fields, address: Fields) -> ProtocolQuery:
    """The query of the fields, on the graphs that fields and address name."""
    if "update" in fields or "update" in address:
        raise RequestRefused(
            REFUSED,
            field="update",
            expected="a query: this endpoint only reads",
            next_step="change content with kg load",
        )
    texts = fields.get("query", [])
    if len(texts) != 1:
        raise RequestRefused(REFUSED, field="query", given=f"{len(texts)} queries", expected="one query")
    # The query part of a GET is its form: each graph would be named twice.
    both = (fields,) if fields is address else (fields, address)
    return ProtocolQuery(
        texts[0],
        ",".join(request.headers.getlist("accept")),
        tuple(iri for part in both for iri in part.get("default-graph-uri", ())),
        tuple(iri for part in both for iri in part.get("named-graph-uri", ())),
        str(request.url.replace(query="")),
        # Of a query that is the body itself, the address is the only place for it.
        _seconds([seconds for part in both for seconds in part.get("timeout", ())]),
    )


def _seconds(given: list[str]) -> float | None:
    """The deadline that a request asks for, in seconds; that of the server is never exceeded."""
    if not given:
        return None
    try:
        seconds = float(given[0])
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise RequestRefused(REFUSED, field="timeout", given=given[0][:40], expected="seconds, such as 5")
    return seconds


def _description(request: Request, triples: int | None) -> Response:
    """The service description; who prefers a page is sent to the one with the form."""
    accept = ",".join(request.headers.getlist("accept"))
    # Graphs first: whoever has no preference, as a program does, gets the description; browsers
    # name text/html.
    chosen = preferred(accept, (*GRAPHS, "text/html"))
    if chosen is None:
        raise RequestRefused(NOT_ACCEPTABLE, field="Accept", given=accept[:200], expected=", ".join(GRAPHS))
    if chosen == "text/html":
        return RedirectResponse("/query", 303, _VARY)
    description = service_description(str(request.url.replace(query="")), triples=triples)
    return Response(written(description, chosen), headers=_VARY, media_type=chosen)


def result_response(result: SentResult, method: str) -> Response:
    """A result on its way: a large one piece by piece."""
    headers = {**_VARY, "Content-Length": str(result.size)}
    if result.file is None:
        return Response(result.body, headers=headers, media_type=result.media_type)
    if method == "HEAD":
        result.file.close()
        return Response(None, headers=headers, media_type=result.media_type)
    return _FileResponse(result.file, headers, result.media_type)


class _FileResponse(StreamingResponse):
    """The bytes of a file, which is closed at the end or when the client leaves, and be it before the first of them."""

    def __init__(self, file: BinaryIO, headers: Mapping[str, str], media_type: str) -> None:
        super().__init__(_pieces(file), headers=headers, media_type=media_type)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._file:  # an iterator that is left is closed some time later, one that was not begun never
            await super().__call__(scope, receive, send)


async def _pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    while piece := await to_thread.run_sync(file.read, _PIECE):
        yield piece
