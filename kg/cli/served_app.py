"""The application of `kg serve` as a value: its settings, from which any process can make it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from kg.session import Graph
    from kg.web.door import FrontDoor
    from kg.web.query_pool import PoolLimits
    from kg.web.safety import AccessRules
    from kg.web.site import Site

Door: TypeAlias = "Callable[[Site], FrontDoor]"
"""Makes the routes of a front door on a site."""


@dataclass(frozen=True, slots=True)
class ServedApp:
    """Which store is served, to whom, and how much runs at once."""

    store: str
    content: str | None
    rules: AccessRules
    limits: PoolLimits

    def __call__(self) -> Starlette:
        """The application of one process among several, on a graph that it opens."""
        from kg.session import open_graph

        return self.on(open_graph(self.store, content=self.content))

    def on(self, graph: Graph, further: Sequence[Door] = ()) -> Starlette:
        """The application on a graph that is open."""
        from starlette.middleware import Middleware

        from kg.web.app import make_app
        from kg.web.endpoint import endpoint_door
        from kg.web.linked_data import linked_data_door
        from kg.web.safety import RequestGuard
        from kg.web.warm_up import warm_door

        doors: list[Door] = [
            lambda site: endpoint_door(graph, self.limits, site.current.state),
            warm_door,
            linked_data_door,
            *_tools(),
            *further,
        ]
        return make_app(graph, doors=doors, middleware=[Middleware(RequestGuard, rules=self.rules)])


def _tools() -> list[Door]:
    """The tools for assistant programs at /mcp, where their package is installed."""
    try:
        from kg.mcp.over_http import http_tools
    except ModuleNotFoundError as cause:
        if (cause.name or "").partition(".")[0] != "mcp":
            raise
        return []
    from kg.web.door import FrontDoor

    return [lambda site: FrontDoor(*http_tools(site.read, site.query))]
