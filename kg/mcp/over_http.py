"""The tools over HTTP, as routes of another application: each request stands alone, so that no session is kept."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute, Route

from kg.mcp.server import ReadGraph, make_server

PATH = "/mcp"


class HttpTools(NamedTuple):
    """The routes, and what must run around them."""

    routes: list[BaseRoute]
    running: AbstractAsyncContextManager[None]


def http_tools(read: ReadGraph, read_long: ReadGraph) -> HttpTools:
    """The streamable HTTP transport at /mcp. Host and Origin are checked by the application that has the routes."""
    server: MCPServer[Any] = make_server(read, read_long=read_long)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        # A JSON document for each answer in place of a stream of events: no tool says anything
        # before its end.
        json_response=True,
        stateless_http=True,
        max_request_body_size=1 << 20,
        # Its own check of hosts would take only the names that are listed here.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    # GET would open a stream of messages that a server without sessions never sends: it takes a place until the client goes
    (transport,) = (one for one in app.routes if isinstance(one, Route))
    return HttpTools([Route(PATH, transport.endpoint, methods=["POST"])], server.session_manager.run())
