"""Fixtures that give running servers: each is started once in a test run, by whoever needs it first, and ended with the run.

The processes of a parallel run share them through a folder of small files; `alone` gives one test the whole database,
`shared` gives it to all who only read one content.
With KG_REQUIRE_SERVERS=1 a server that cannot be had is a failure, else a skip, and the end of the run lists it.
"""

import fcntl
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
from typing import TextIO

import pytest
from filelock import FileLock

from tests.servers.artifacts import Unavailable
from tests.servers.running import Server

_FOLDER = "KG_TEST_SERVERS"
_OWNER = "KG_TEST_SERVERS_OWNER"
_MARK = "no server: "
_ROOM = 1 << 30
"""Bytes that are free for the data of all servers; they take a fifth of it."""


class _UseLock:
    """The lock of a server in this process, for itself alone or shared; taken twice by one process it must not wait for itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None
        self._mode, self._depth = fcntl.LOCK_UN, 0

    @contextmanager
    def held(self, mode: int) -> Iterator[None]:
        """Hold the lock in a mode of flock; what is shared already cannot be had alone."""
        if self._depth and mode == fcntl.LOCK_EX != self._mode:
            raise AssertionError(f"{self._path.name} is read by this process")
        if not self._depth:
            self._file = self._path.open("w")
            self.change(mode)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth and self._file is not None:
                self._file.close()

    def change(self, mode: int) -> None:
        """Wait for another mode; between the two somebody else may hold it."""
        assert self._file is not None
        fcntl.flock(self._file, mode)
        self._mode = mode


_HELD: dict[Path, _UseLock] = {}
"""One lock a server in this process."""
NAMES = ("neo4j", "neo4j-reading", "neo4j-login", "fuseki", "fuseki-login", "virtuoso", "virtuoso-login", "arcadedb")
_OF_FIXTURE = {
    "neo4j_server": "neo4j",
    "neo4j_with_login": "neo4j-login",
    "arcadedb_server": "arcadedb",
    "fuseki_server": "fuseki",
    "virtuoso_server": "virtuoso",
}


def _starter(name: str) -> Callable[[Path, int], Server]:
    from tests.servers import engines

    starters: dict[str, Callable[[Path, int], Server]] = {
        "neo4j": lambda folder, owner: engines.start_neo4j(folder, owner=owner),
        # one process runs all tests of a server: with one Neo4j, half of the run was waiting for that process
        "neo4j-reading": lambda folder, owner: engines.start_neo4j(folder, owner=owner),
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
        with self._lock(name).held(fcntl.LOCK_EX):
            self._content(name).unlink(missing_ok=True)
            yield

    @contextmanager
    def shared(self, name: str, content: str, fill: Callable[[Server], None]) -> Iterator[Server]:
        """A server that holds one content, for all processes that only read it; the first of them fills it.

        With one lock for whoever reads, two halves of one file of tests would wait for each other to its end.
        """
        lock = self._lock(name)
        with lock.held(fcntl.LOCK_EX):
            while True:
                if not self._holds(name, content):
                    fill(need(self, name))
                    self._content(name).write_text(content, encoding="utf-8")
                lock.change(fcntl.LOCK_SH)
                if self._holds(name, content):
                    break
                lock.change(fcntl.LOCK_EX)
            yield need(self, name)

    def _holds(self, name: str, content: str) -> bool:
        known = self._content(name)
        return known.is_file() and known.read_text(encoding="utf-8") == content

    def _lock(self, name: str) -> _UseLock:
        path = self.folder / f"{name}.use"
        return _HELD.setdefault(path, _UseLock(path))

    def _content(self, name: str) -> Path:
        return self.folder / f"{name}.content"

    def stop_all(self) -> None:
        """End every server of the run."""
        for state in self.folder.glob("*.json"):
            known = json.loads(state.read_bytes())
            if "missing" not in known:
                Server(**known).stop()


def server_of(item: pytest.Item) -> str | None:
    """The server that a test uses, by a parameter or a fixture: who uses one is run by one process, so that nobody waits for it."""
    parameters = (
        item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    )
    fixtures = (_OF_FIXTURE.get(name) for name in getattr(item, "fixturenames", ()))
    return next((one for one in (*parameters, *fixtures) if isinstance(one, str) and one in NAMES), None)


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
        os.environ[_FOLDER] = str(_base() / f"accelkg-servers-{os.getpid()}-{secrets.token_hex(4)}")
        os.environ[_OWNER] = str(os.getpid())


def _base() -> Path:
    """In memory where there is room: servers wait for the disk at each commit, and no test cuts the power."""
    memory = Path("/dev/shm")
    has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= _ROOM
    return memory if has_room else Path(tempfile.gettempdir())


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
