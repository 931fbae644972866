"""What is checked of every request before anything is done with it: who is asked, from which page, how much, how many.

A page of another site cannot read what a server on this machine holds: a name that points here by a trick of DNS is not
one of the server's (`Host`), and a script of another site says where it comes from (`Origin`).
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from kg.web.refusal import (
    ADDRESS_TOO_LONG,
    BUSY,
    FORBIDDEN,
    HEADERS_TOO_LARGE,
    REFUSED,
    TOO_LARGE,
    WRONG_HOST,
    RequestRefused,
)
from kg.web.request_body import MOST_FIELDS

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_READ: Final = ("/sparql", "/id/", "/data/", "/dcat", "/ontology", "/.well-known/void")
_SHARED: Final = (*_READ, "/mcp")
"""Paths that scripts of allowed origins may read; pages are for their own site only."""
_MOST_HEADERS: Final = 100
_MOST_HEADER_BYTES: Final = 32_768
_MOST_ADDRESS: Final = 16_384
_PREFLIGHT: Final = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name",
    "Access-Control-Max-Age": "600",
}


@dataclass(frozen=True, slots=True)
class AccessRules:
    """Which names the server answers to, which other origins may read it, and how much it takes on."""

    hosts: tuple[str, ...] = ()
    """Names in addition to those of the loopback address and the address that is listened on."""
    origins: tuple[str, ...] = ()
    """Origins such as `https://example.org`; `*` for all."""
    most_requests: int = 256
    most_body: int = 32 << 20

    def knows_host(self, host: str, listening: str | None) -> bool:
        """Whether a Host header names this server.

        >>> rules = AccessRules(hosts=("graph.example",))
        >>> [rules.knows_host(one, "127.0.0.1") for one in ("localhost:8000", "[::1]", "Graph.Example:80", "evil.example")]
        [True, True, True, False]
        """
        name = _host_name(host)
        return name is not None and (_is_loopback(name) or name == listening or name in self._names())

    def knows_origin(self, origin: str, host: str, path: str) -> bool:
        """Whether a page of an origin may ask: the server's own, else one that is allowed to read what is shared."""
        parts = _split(origin)
        if parts is None:
            return "*" in self.origins and path.startswith(_SHARED)
        if parts[1].lower() == host.lower():
            return True
        if not path.startswith(_SHARED):
            return False
        name = _host_name(parts[1])
        # Another port of this machine, such as a page under development, may ask a server of this
        # machine.
        from_here = name is not None and _is_loopback(name) and _is_loopback(_host_name(host) or "")
        # Not every origin by default: any page in the browser could read claims that were loaded for oneself
        # (decision 29).
        return from_here or "*" in self.origins or origin.lower().rstrip("/") in self._allowed()

    def _names(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self.hosts)

    def _allowed(self) -> frozenset[str]:
        return frozenset(origin.lower().rstrip("/") for origin in self.origins)


def _split(origin: str) -> tuple[str, str] | None:
    """Scheme and host with port of an origin; None where it is none, as `null` is."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return (parts.scheme, parts.netloc) if parts.scheme in ("http", "https") and parts.netloc else None


def _host_name(host: str) -> str | None:
    """The name of a Host header without its port; None where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        name = parts.hostname
        # Read for its error: a port that is no number.
        _ = parts.port
    except ValueError:
        return None
    if name is None or parts.path or parts.query or parts.fragment or parts.username is not None:
        return None
    return name.lower().rstrip(".")


def _is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


class RequestGuard:
    """Turns away what breaks a rule, answers preflights, and says to allowed origins that they may read."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self._app, self._rules = app, rules
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            origin = self._checked(scope)
            # Counted in this process alone; the connections are limited before, by
            # `kg.web.connection`.
            if self._running >= self._rules.most_requests:
                raise RequestRefused(BUSY, expected="fewer requests at once", next_step="try again in a few seconds")
        except RequestRefused as refused:
            await _refusal(refused)(scope, receive, send)
            return
        if origin is not None and scope["method"] == "OPTIONS":
            answer = Response(None, 204, {**_PREFLIGHT, **self._shared_with(origin)})
            await answer(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and scope["path"].startswith(_READ):
            allowed = "GET, HEAD, OPTIONS, POST" if scope["path"] == "/sparql" else "GET, HEAD, OPTIONS"
            await Response(None, 204, {"Allow": allowed, "Vary": "Origin"})(scope, receive, send)
            return
        self._running += 1
        try:
            await self._app(scope, receive, self._marked(origin, send))
        finally:
            self._running -= 1

    def _checked(self, scope: Scope) -> str | None:
        """The origin that may read the answer, if one asks. Raises RequestRefused."""
        headers, path = Headers(scope=scope), scope["path"]
        _check_sizes(scope, headers, self._rules.most_body)
        hosts = headers.getlist("host")
        listening = (scope.get("server") or (None,))[0]
        if len(hosts) != 1 or not self._rules.knows_host(hosts[0], listening):
            raise RequestRefused(
                WRONG_HOST,
                field="Host",
                given=", ".join(hosts)[:100] or "nothing",
                expected="a name of this server",
                next_step="start kg serve with --allow-host NAME where it has another name",
            )
        origins = headers.getlist("origin")
        if not origins:
            return None
        if len(origins) > 1 or not self._rules.knows_origin(origins[0], hosts[0], path):
            raise RequestRefused(
                FORBIDDEN,
                field="Origin",
                given=", ".join(origins)[:100],
                expected="a page of this server",
                next_step="start kg serve with --allow-origin ORIGIN to let pages of another site read the endpoint",
            )
        return origins[0] if path.startswith(_SHARED) else None

    def _shared_with(self, origin: str) -> dict[str, str]:
        return {"Access-Control-Allow-Origin": "*" if "*" in self._rules.origins else origin, "Vary": "Origin"}

    def _marked(self, origin: str | None, send: Send) -> Send:
        """Sends with the headers that let a script of the origin read the answer."""
        if origin is None:
            return send
        shared = self._shared_with(origin)

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Access-Control-Allow-Origin"] = shared["Access-Control-Allow-Origin"]
                headers["Access-Control-Expose-Headers"] = "Content-Length, ETag, Retry-After, X-Rows-Shown"
                # The header of every page says `same-origin`, which would keep the answer from the
                # script that may read it.
                headers["Cross-Origin-Resource-Policy"] = "cross-origin"
                if "origin" not in headers.get("vary", "").lower():
                    headers.add_vary_header("Origin")
            await send(message)

        return marked


def _check_sizes(scope: Scope, headers: Headers, most_body: int) -> None:
    if len(scope.get("raw_path") or b"") > _MOST_ADDRESS:
        raise RequestRefused(ADDRESS_TOO_LONG, field="address", expected=f"a path of at most {_MOST_ADDRESS:,} bytes")
    if (scope.get("query_string") or b"").count(b"&") >= MOST_FIELDS:
        raise RequestRefused(REFUSED, field="address", expected=f"at most {MOST_FIELDS:,} parameters")
    if len(headers) > _MOST_HEADERS:
        raise RequestRefused(HEADERS_TOO_LARGE, given=f"{len(headers)} headers", expected=f"at most {_MOST_HEADERS}")
    if sum(len(name) + len(value) for name, value in headers.raw) > _MOST_HEADER_BYTES:
        raise RequestRefused(HEADERS_TOO_LARGE, field="headers", expected=f"at most {_MOST_HEADER_BYTES:,} bytes")
    if "content-length" in headers and "transfer-encoding" in headers:
        # A proxy before us may go by the other of the two, and take the rest of this request for the next one: RFC 9112,
        # 6.1, demands that the connection ends.
        raise RequestRefused(REFUSED, field="Content-Length", given="with Transfer-Encoding", expected="one of the two")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise RequestRefused(REFUSED, field="Content-Length", given=length[:40], expected="a number of bytes")
    # Eighteen digits before `int`: thousands of them would take time, or be refused by Python.
    if len(length) > 18 or int(length) > most_body:
        raise RequestRefused(TOO_LARGE, field="body", given=f"{length[:20]} bytes", expected=f"at most {most_body:,}")


def _refusal(refused: RequestRefused) -> Response:
    headers = {"Connection": "close", "Vary": "Origin", "X-Content-Type-Options": "nosniff"}
    if refused.status == BUSY:
        headers["Retry-After"] = "5"
    return Response(f"{refused.words}\n", refused.status, headers, media_type="text/plain")
