"""What every route of the server shares: the live graph, and threads in which the session is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar, cast

from anyio import CapacityLimiter, move_on_after, to_thread

from kg.errors import KgError
from kg.web.page_cache import PageCache
from kg.web.refusal import BUSY, RequestRefused
from kg.web.told import without_folders

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from kg.session import Graph
    from kg.web.current import CurrentGraph

Result = TypeVar("Result")
_READERS: Final = 8
"""Questions of pages that run at once: the engine reads in parallel, Python does not."""
_FREE_QUERIES: Final = 4
"""Free queries that wait for their process at once; they have threads of their own, so that no page waits for them."""
_SECONDS_TO_WAIT: Final = 10.0
"""As at the endpoint (`kg.web.query_pool`): without it a queue of slow queries kept everybody waiting for hours."""


@dataclass(frozen=True, slots=True)
class Site:
    """The live graph, asked from threads so that the server goes on answering."""

    current: CurrentGraph
    readers: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_READERS))
    pages: PageCache = field(default_factory=PageCache)
    free_queries: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_FREE_QUERIES))

    async def read(self, work: Callable[[Graph], Result]) -> Result:
        """What the work gives on the live graph, in a thread of its own."""
        return await self._in_thread(work, self.readers)

    async def kept(self, request: Request, make: Callable[[Graph], Response]) -> Response:
        """An answer that depends on the live data and the address alone: made once, and sent as long as it holds."""
        return await self.pages.answer(request, self.current.state(), lambda: self.read(make))

    async def query(self, work: Callable[[Graph], Result]) -> Result:
        """The same for free queries, which may take long. Raises RequestRefused where those before it do."""
        place = object()
        with move_on_after(_SECONDS_TO_WAIT) as waited:
            await self.free_queries.acquire_on_behalf_of(place)
        if waited.cancelled_caught:
            raise RequestRefused(
                BUSY,
                given=f"{_FREE_QUERIES} queries or texts that take long already",
                expected=f"at most {_FREE_QUERIES} at once",
                next_step="try again in a few seconds",
            )
        try:
            return await self._in_thread(work, CapacityLimiter(1))
        finally:
            self.free_queries.release_on_behalf_of(place)

    async def _in_thread(self, work: Callable[[Graph], Result], limiter: CapacityLimiter) -> Result:
        def done() -> Result:
            try:
                with self.current.reading() as graph:
                    return work(graph)
            except KgError as error:
                without_folders(error, self.current.latest)
                raise

        return await to_thread.run_sync(done, limiter=limiter)


def site_of(request: Request) -> Site:
    """The site of a request."""
    return cast(Site, request.app.state.site)
