"""Applications served on a port of the loopback address, as a browser or a client would meet them."""

import http.client
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp

from kg.mcp.over_http import http_tools
from kg.session import open_graph
from kg.web.app import make_app
from kg.web.connection import bounded_config
from kg.web.door import FrontDoor
from kg.web.endpoint import endpoint_door, endpoint_routes
from kg.web.linked_data import linked_data_door
from kg.web.query_pool import PoolLimits, QueryPool
from kg.web.safety import AccessRules, RequestGuard


@dataclass(frozen=True)
class Reply:
    """An answer as it came over the wire; the names of headers are small."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(
        self,
        method: str,
        target: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        timeout: float = 60.0,
    ) -> Reply:
        """One request as it is given: no header is added but Host and the length."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        given = list(headers.items() if isinstance(headers, Mapping) else headers)
        try:
            has_host = any(name.lower() == "host" for name, _ in given)
            connection.putrequest(method, target, skip_accept_encoding=True, skip_host=has_host)
            for name, value in given:
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Reply(answer.status, {n.lower(): v for n, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()


@contextmanager
def served(app: ASGIApp) -> Iterator[Served]:
    """Serve an application in a thread until the block ends."""
    server = uvicorn.Server(bounded_config(app))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        time.sleep(0.01)
    try:
        yield Served(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(30)


@contextmanager
def served_endpoint(generation: Path, limits: PoolLimits | None = None) -> Iterator[Served]:
    """An endpoint on a folder of the engine."""
    pool = QueryPool(lambda: generation, limits)
    try:
        with served(Starlette(routes=endpoint_routes(pool, lambda: None))) as server:
            yield server
    finally:
        pool.close()


def whole_app(
    store: Path, *, rules: AccessRules | None = None, limits: PoolLimits | None = None, content: str | None = None
) -> Starlette:
    """All that `kg serve` serves of a store."""
    graph = open_graph(store, content=content)
    return make_app(
        graph,
        doors=[
            lambda site: endpoint_door(graph, limits, site.current.state),
            linked_data_door,
            lambda site: FrontDoor(*http_tools(site.read, site.query)),
        ],
        middleware=[Middleware(RequestGuard, rules=rules or AccessRules())],
    )


def write_generation(folder: Path, files: Mapping[Path, str | None]) -> Path:
    """A folder of the engine with the triples of files, each in the graph of a name or in the default graph."""
    store = pyoxigraph.Store(str(folder))
    for path, graph in files.items():
        form = pyoxigraph.RdfFormat.from_extension(path.suffix.removeprefix("."))
        store.load(path=str(path), format=form, to_graph=pyoxigraph.NamedNode(graph) if graph else None)
    store.flush()
    del store
    return folder
