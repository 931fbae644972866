"""The option of all golden tests, a small content, the servers that some tests need, and what makes a run of ten thousand quick."""

import fcntl
import gc
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from kg.content.folders import Content
from kg.content.located import Located
from tests.small_content import write_small_content

# How long an example takes says nothing on a busy machine.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

pytest.register_assert_rewrite("tests.whole")  # or a difference is shown as nothing
pytest_plugins = ("tests.servers.fixtures", "tests.examples")

_WITH_OTHER_PROGRAMS = ("browser", "servers", "mcp_tools", "web", "test_container.py")
"""Tests that wait for a server, a browser or a port of this machine: they may run a second time (decision 52)."""

_REMEMBERED = 2_000_000
"""Signs of a text that is shipped, and not of one that is made to be too large."""

_HERE = Path(__file__).parent
_INTEGRATION = tuple(
    _HERE / place for place in ("browser", "servers", "outside", "stores/test_bolt.py", "export/test_property_graph.py")
)
"""Where tests with servers, browsers and programs that `make servers` fetches are; `--integration` looks nowhere else."""

_LONGEST = (
    "neo4j",
    "fuseki",
    "neo4j-reading",
    "test_pages",
    "test_served_pages",
    "virtuoso",
    "neo4j-login",
    "test_property_graph",
)
"""Groups of tests of one process that take longest, the longest first."""


_LONGEST_NAME = 200


def pytest_make_parametrize_id(val: object) -> str | None:
    """The name of a long text by its begin: the name of a test is in the environment of every process it starts, and sent between workers.

    Bodies of megabytes made names of twenty megabytes in all, and no process starts with a name of 128 KiB.
    """
    if isinstance(val, str | bytes) and len(val) > _LONGEST_NAME:
        begin = val[:40] if isinstance(val, str) else val[:40].decode("latin-1")
        return f"{begin.encode('unicode_escape').decode()} and {len(val) - 40:,} more"
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected texts; review the diff")
    parser.addoption("--integration", action="store_true", help="collect only files with tests of servers and browsers")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Reading ten thousand other tests took longer than a server takes to start."""
    other = collection_path.suffix == ".py" and not _may_need_servers(collection_path)
    return True if other and config.getoption("integration") else None


def _may_need_servers(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _INTEGRATION)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    from tests.servers.fixtures import server_of  # a plugin: pytest imports it first

    rooms = {path: path.relative_to(_HERE).parts[0] if path.is_relative_to(_HERE) else "" for path in _files(items)}
    for item in items:
        room = rooms[item.path]
        if room in _WITH_OTHER_PROGRAMS:
            item.add_marker(pytest.mark.flaky(reruns=1))
        if _HERE / room in _INTEGRATION or "servers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.integration)
        if item.get_closest_marker("integration"):
            if not _may_need_servers(item.path):
                raise pytest.UsageError(f"{item.nodeid}: name its file in _INTEGRATION of tests/conftest.py")
            # one process runs all tests of a server: those of another would wait for it, and fill it anew
            if not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group(server_of(item) or item.path.stem))
    items.sort(key=_rank)


def _files(items: list[pytest.Item]) -> set[Path]:
    """The files of tests: what is worked out for each of them would take seconds for each of their ten thousand tests."""
    return {item.path for item in items}


def _rank(item: pytest.Item) -> int:
    """Which groups come first: pytest-xdist begins with the one of most tests, and one of few long ones came last, alone."""
    mark = item.get_closest_marker("xdist_group")
    group = mark.args[0] if mark else None
    return _LONGEST.index(group) if group in _LONGEST else len(_LONGEST)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Nothing that was collected is garbage: looking through it at every collection took a twelfth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)  # as `kg` does


def pytest_configure() -> None:
    """What is shipped is read once in a process, and no file waits for a disk."""
    from kg.content import claims, located

    # no test cuts the power: all that writes waited ten milliseconds and more for a disk each time
    os.fsync = lambda fd: None
    located.located_text = _remembered(located.located_text)
    claims.read_layered_claims = _read_once(claims.read_layered_claims)


def _remembered(read: Callable[..., Located]) -> Callable[..., Located]:
    """A reader of YAML that gives a copy of its own of what the same text held before; mistakes are found again."""
    known: dict[str, bytes] = {}

    def located_text(text: str, path: Path, *, shown: str) -> Located:
        if text not in known:
            found = read(text, path, shown=shown)
            if len(text) < _REMEMBERED:
                known[text] = pickle.dumps((found.value, found.lines))
            return found
        return Located(path, *pickle.loads(known[text]))

    return located_text


def _read_once(read: Callable[..., Any]) -> Callable[..., Any]:
    """A reader of all claims that gives a copy of its own of what the shipped content held before, read with that registry."""
    known: dict[str, tuple[bytes, bytes]] = {}

    def read_layered_claims(content: Content, registry: Any, vocabulary: Any, documents: Any = None) -> Any:
        if documents or content.root != _HERE.parent or content.own is not None:
            return read(content, registry, vocabulary, documents)
        now = Content(content.root).digest()
        if now in known and pickle.loads(known[now][0]) == registry:
            return pickle.loads(known[now][1])
        found = read(content, registry, vocabulary)
        known.setdefault(now, (pickle.dumps(registry), pickle.dumps(found)))
        return found

    return read_layered_claims


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a small content."""
    return write_small_content(tmp_path / "content").root


@pytest.fixture(scope="session")
def shipped_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the shipped content, built once for all workers of a run: for tests that only read it."""
    from kg.session import open_graph

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shipped-store"
    with (folder.parent / "shipped-store.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the first worker builds, the others wait for it
        open_graph(folder).close()
    return folder
