"""What every first page needs, made while the server waits for its first reader."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from kg.errors import KgError
from kg.web.door import FrontDoor
from kg.web.pages.front import overview_kept, problems_kept
from kg.web.templating import environment

if TYPE_CHECKING:
    from kg.session import Graph
    from kg.web.site import Site


def warm_door(site: Site) -> FrontDoor:
    """No routes: the ranking of the problems and the templates, made from the start of the server on."""

    async def warm() -> None:
        try:
            await site.read(_made)
        except KgError:  # the page itself reports it
            return

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(warm)
            yield

    return FrontDoor([], running())


def _made(graph: Graph) -> None:
    for name in ("front.html", "trace.html", "compare.html", "source.html", "thing.html"):
        environment().get_template(name)
    problems_kept(graph)
    overview_kept(graph)
