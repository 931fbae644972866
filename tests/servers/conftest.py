"""Small stores to push from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kg.build.writing import load_files
from kg.session import open_graph, push
from kg.sync.push import Pushed
from tests.servers.content import wipe
from tests.servers.fixtures import Servers, reserved
from tests.servers.running import Server
from tests.small_content import claim, write_lines, write_small_content


@dataclass(frozen=True, slots=True)
class Local:
    """A local store of the small content."""

    store: Path
    content: Path

    def push(self, server: Server, *, anew: bool = False, timeout_seconds: float | None = None) -> Pushed:
        return push(server.address, store=self.store, content=self.content, anew=anew, timeout_seconds=timeout_seconds)

    def load(self, folder: Path, *names: str, edition: str = "2026-01-02") -> None:
        """Load a few claims more."""
        path = write_lines(folder / f"{'-'.join(names)}.jsonl", *(claim(f"900/{name}") for name in names))
        load_files([path], store=self.store, content=self.content, edition=edition, dry_run=False, wait_seconds=5)

    def head(self) -> str:
        graph = open_graph(self.store, content=self.content)
        graph.close()
        return str(graph.stamp["head"])


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Local:
    """A store of the small content, and nothing of this machine's user."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("KG_STORE", raising=False)
    content = write_small_content(tmp_path / "content").root
    open_graph(tmp_path / "store", content=content).close()
    return Local(tmp_path / "store", content)


@pytest.fixture
def logged_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[Server], Server]:
    """Puts the login of a server into the environment."""

    def put(server: Server) -> Server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        return server

    return put


@pytest.fixture(params=["neo4j", "fuseki"])
def asked_server(
    request: pytest.FixtureRequest, servers: Servers, logged_in: Callable[[Server], Server]
) -> Iterator[Server]:
    """Each server that answers questions in turn, with nothing of ours on it."""
    with reserved(servers, request.param) as server:
        wipe(logged_in(server))
        yield server


@pytest.fixture(params=["neo4j", "fuseki", "virtuoso"])
def empty_server(
    request: pytest.FixtureRequest, servers: Servers, logged_in: Callable[[Server], Server]
) -> Iterator[Server]:
    """Each server in turn, with nothing of ours on it."""
    with reserved(servers, request.param) as server:
        wipe(logged_in(server))
        yield server
