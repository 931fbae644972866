"""Fixtures that give running servers: each is started once in a test run, by whoever needs it first, and ended with the run.

The processes of a parallel run share them through a folder of small files; `alone` gives one test the whole database.
With KG_REQUIRE_SERVERS=1 a server that cannot be had is a failure, else a skip, and the end of the run lists it.
"""

import json
import os
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from tests.servers.artifacts import Unavailable
from tests.servers.running import Server

_FOLDER = "KG_TEST_SERVERS"
_OWNER = "KG_TEST_SERVERS_OWNER"
_MARK = "no server: "
_HELD: dict[str, FileLock] = {}
"""One lock a server in this process: taken twice by one process it must not wait for itself."""
NAMES = ("neo4j", "neo4j-login", "fuseki", "fuseki-login", "virtuoso", "virtuoso-login", "arcadedb")


def _starter(name: str) -> Callable[[Path, int], Server]:
    from tests.servers import engines

    starters: dict[str, Callable[[Path, int], Server]] = {
        "neo4j": lambda folder, owner: engines.start_neo4j(folder, owner=owner),
        "neo4j-login": lambda folder, owner: engines.start_neo4j(folder, owner=owner, auth=True, scheme="bolt"),
        "fuseki": lambda folder, owner: engines.start_fuseki(folder, owner=owner),
        "fuseki-login": lambda folder, owner: engines.start_fuseki(folder, owner=owner, auth=True),
        "virtuoso": lambda folder, owner: engines.start_virtuoso(folder, owner=owner),
        "virtuoso-login": lambda folder, owner: engines.start_virtuoso(folder, owner=owner, auth=True),
        "arcadedb": lambda folder, owner: engines.start_arcadedb(folder, owner=owner),
    }
    return starters[name]


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of this test run."""

    folder: Path
    owner: int

    def get(self, name: str) -> Server:
        """A running server; started if it is not there, or was killed by a test."""
        state = self.folder / f"{name}.json"
        with FileLock(self.folder / f"{name}.lock"):
            if state.exists():
                known = json.loads(state.read_bytes())
                if "missing" in known:
                    raise Unavailable(known["missing"])
                server = Server(**known)
                if server.is_alive():
                    return server
            try:
                server = _starter(name)(self.folder / name, self.owner)
            except Unavailable as why:
                state.write_text(json.dumps({"missing": str(why)}), encoding="utf-8")
                raise
            state.write_text(json.dumps(server.to_json()), encoding="utf-8")
            return server

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Nobody else of this run uses the server meanwhile; a test may take what a fixture of its module holds."""
        path = str(self.folder / f"{name}.use")
        with _HELD.setdefault(path, FileLock(path)):
            yield

    def stop_all(self) -> None:
        """End every server of the run."""
        for state in self.folder.glob("*.json"):
            known = json.loads(state.read_bytes())
            if "missing" not in known:
                Server(**known).stop()


def need(servers: Servers, name: str) -> Server:
    """A server, or a skip that says why; with KG_REQUIRE_SERVERS=1 a failure."""
    try:
        return servers.get(name)
    except Unavailable as why:
        text = f"{_MARK}{name}: {why}"
        if os.environ.get("KG_REQUIRE_SERVERS") == "1":
            pytest.fail(text, pytrace=False)
        pytest.skip(text)


@contextmanager
def reserved(servers: Servers, name: str) -> Iterator[Server]:
    """A server that nobody else of this run uses meanwhile, nor kills and starts again elsewhere."""
    with servers.alone(name):
        yield need(servers, name)


@pytest.fixture(scope="session")
def servers() -> Servers:
    """All servers, started on demand."""
    folder = Path(os.environ[_FOLDER])
    folder.mkdir(mode=0o700, exist_ok=True)
    return Servers(folder, int(os.environ[_OWNER]))


@pytest.fixture
def neo4j_server(servers: Servers) -> Iterator[Server]:
    """Neo4j Community without login, for this test alone."""
    with reserved(servers, "neo4j") as server:
        yield server


@pytest.fixture
def neo4j_with_login(servers: Servers) -> Iterator[Server]:
    """Neo4j Community that asks for user and password."""
    with reserved(servers, "neo4j-login") as server:
        yield server


@pytest.fixture
def arcadedb_server(servers: Servers) -> Iterator[Server]:
    """ArcadeDB over Bolt."""
    with reserved(servers, "arcadedb") as server:
        yield server


@pytest.fixture
def fuseki_server(servers: Servers) -> Iterator[Server]:
    """Apache Jena Fuseki with an empty dataset in memory."""
    with reserved(servers, "fuseki") as server:
        yield server


@pytest.fixture
def virtuoso_server(servers: Servers) -> Iterator[Server]:
    """Virtuoso that anybody may write to."""
    with reserved(servers, "virtuoso") as server:
        yield server


@pytest.fixture(params=["fuseki", "virtuoso"])
def sparql_server(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Server]:
    """Each SPARQL server in turn."""
    with reserved(servers, request.param) as server:
        yield server


@pytest.fixture(params=["fuseki-login", "virtuoso-login"])
def sparql_with_login(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Server]:
    """Each SPARQL server in turn, where one must log in: basic there, digest here."""
    with reserved(servers, request.param) as server:
        yield server


# --- the run as a whole ------------------------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    """The first process of a run names the folder that all share; it is made with the first server."""
    if not hasattr(config, "workerinput"):
        os.environ[_FOLDER] = str(Path(tempfile.gettempdir()) / f"accelkg-servers-{os.getpid()}-{secrets.token_hex(4)}")
        os.environ[_OWNER] = str(os.getpid())


def pytest_unconfigure(config: pytest.Config) -> None:
    """The first process ends what any of them started."""
    if not hasattr(config, "workerinput") and _FOLDER in os.environ:
        folder = Path(os.environ.pop(_FOLDER))
        Servers(folder, 0).stop_all()
        shutil.rmtree(folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Which servers were used, and which tests were skipped for want of one."""
    folder = Path(os.environ.get(_FOLDER, "/nowhere"))
    used = sorted(path.stem for path in folder.glob("*.json") if b'"missing"' not in path.read_bytes())
    missing: Counter[str] = Counter()
    for outcome in ("skipped", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, ()):
            text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            if _MARK in text:
                missing[text.partition(_MARK)[2].strip().splitlines()[0]] += 1
    if not used and not missing:
        return
    terminalreporter.section("servers")
    if used:
        terminalreporter.line(f"tested on: {', '.join(used)}")
    for why, count in sorted(missing.items()):
        terminalreporter.line(f"NOT tested on {why} ({count} tests)")
    if any(why.startswith("neo4j:") for why in missing):
        terminalreporter.line("Nothing of this run may be called tested on Neo4j.")
