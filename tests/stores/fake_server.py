"""An HTTP server on loopback that answers what a test tells it to, and remembers what it was asked."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    port: int
    """Of the client: each connection has its own."""

    def form(self) -> dict[str, str]:
        """The fields of a form."""
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}


@dataclass(slots=True)
class Reply:
    """What to answer."""

    status: int = 200
    body: bytes = b'{"head": {}, "boolean": true}'
    headers: dict[str, str] = field(default_factory=dict)
    before: Callable[[], object] | None = None
    """Done before anything is sent."""
    echo: Callable[[Mapping[str, str]], bytes] | None = None
    """Makes the body from the headers of the request."""
    hangs_up: bool = False
    """Whether the connection ends afterwards, without a word about it."""


@dataclass(slots=True)
class FakeServer:
    """The server: its port, the replies to come, the requests that came."""

    port: int
    replies: list[Reply]
    asked: list[Asked]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/kg"


@contextmanager
def fake_server(*replies: Reply) -> Iterator[FakeServer]:
    """Give each reply once, and the last one from then on."""
    known: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            fake: FakeServer = known["fake"]
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            fake.asked.append(Asked(self.command, self.path, headers, body, self.client_address[1]))
            reply = fake.replies.pop(0) if len(fake.replies) > 1 else fake.replies[0]
            if reply.before is not None:
                reply.before()
            sent = reply.body if reply.echo is None else reply.echo(headers)
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/sparql-results+json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)
            self.close_connection = reply.hangs_up

        do_GET = do_POST = _serve  # noqa: N815 - the names the base class looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named like this there
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    known["fake"] = FakeServer(server.server_address[1], list(replies) or [Reply()], [])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield known["fake"]
    finally:
        server.shutdown()
        server.server_close()
