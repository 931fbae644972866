"""The application: routes of all modules, headers of every answer, errors as pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from kg.errors import KgError
from kg.web import downloads, failures, page_routes, text_check
from kg.web.current import current_graph
from kg.web.door import FrontDoor
from kg.web.headers import PageHeaders
from kg.web.site import Site

if TYPE_CHECKING:
    from kg.session import Graph

_STATIC: Final = Path(__file__).parent / "static"


def make_app(
    graph: Graph, *, doors: Sequence[Callable[[Site], FrontDoor]] = (), middleware: Sequence[Middleware] = ()
) -> Starlette:
    """The server of an opened graph, which it follows from generation to generation and closes at its end.

    The routes of other front doors come before the pages.
    """
    site = Site(current_graph(graph))
    opened = [door(site) for door in doors]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(site.current.close)
            for door in opened:
                await stack.enter_async_context(door.running)
            yield

    app = Starlette(
        routes=[
            *(route for door in opened for route in door.routes),
            *page_routes.routes(),
            *text_check.routes(),
            *downloads.routes(),
            Mount("/static", StaticFiles(directory=_STATIC), name="static"),
        ],
        middleware=[*middleware, Middleware(PageHeaders)],
        exception_handlers={
            KgError: failures.refused,
            HTTPException: failures.not_served,
            Exception: failures.broken,
        },
        lifespan=lifespan,
    )
    app.state.site = site
    return app
