"""A client for libraries that bring their own requests: the size of an answer is bounded, its connections can be timed."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from kg.errors import UsageError
from kg.stores.http_client import AnswerTooLong
from kg.stores.timed_connections import TimedConnections

if TYPE_CHECKING:
    import httpx


def bounded_client(address: str, connections: TimedConnections, most_bytes: int) -> "httpx.Client":
    """A client for one address, by the proxy of the environment if it names one.

    A longer answer raises AnswerTooLong. What comes packed is not unpacked: a small answer could become a large one.
    """
    import httpx

    class Bounded(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            request.extensions["trace"] = connections.note
            request.headers["Accept-Encoding"] = "identity"
            answer = super().handle_request(request)
            try:
                body = _body(answer, most_bytes)
            finally:
                answer.close()
            headers = [(name, value) for name, value in answer.headers.multi_items() if name not in _OF_THE_WIRE]
            return httpx.Response(answer.status_code, headers=headers, content=body, request=request)

    proxy = _proxy(address)
    try:
        return httpx.Client(transport=Bounded(proxy=proxy), follow_redirects=True)
    except (ValueError, httpx.InvalidURL, ImportError):
        raise UsageError(
            field="the proxy of the environment",
            given=(proxy or "").rpartition("@")[2],
            expected="the address of one, such as http://host:3128",
            next_step="set or unset http_proxy, https_proxy and all_proxy; one of SOCKS needs: pip install 'httpx[socks]'",
        ) from None  # it may quote the login


_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def _body(answer: "httpx.Response", most_bytes: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    for piece in answer.iter_raw():
        size += len(piece)
        if size > most_bytes:
            raise AnswerTooLong(given=f"an answer of more than {most_bytes:,} bytes", expected="less at once")
        pieces.append(piece)
    return b"".join(pieces)


def _proxy(address: str) -> str | None:
    parts = urlsplit(address)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    known = getproxies()
    return known.get(parts.scheme) or known.get("all")
