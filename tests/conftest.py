"""The option of all golden tests, a small content, the servers that some tests need, and what makes a run of ten thousand quick."""

import fcntl
import gc
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from kg.content.located import Located
from tests.small_content import write_small_content

# How long an example takes says nothing on a busy machine.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

pytest_plugins = ("tests.servers.fixtures",)

_WITH_OTHER_PROGRAMS = ("browser", "servers", "mcp_tools", "web", "test_container.py")
"""Tests that wait for a server, a browser or a port of this machine: they may run a second time (decision 52)."""

_REMEMBERED = 2_000_000
"""Signs of a text that is shipped, and not of one that is made to be too large."""

_INTEGRATION = ("browser", "servers", "outside")
"""Tests with servers, browsers and programs that `make servers` fetches; so is each that takes the fixture of the servers."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected texts; review the diff")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        room = item.path.relative_to(here).parts[0] if item.path.is_relative_to(here) else ""
        if room in _WITH_OTHER_PROGRAMS:
            item.add_marker(pytest.mark.flaky(reruns=1))
        if room in _INTEGRATION or "servers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.integration)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Nothing that was collected is garbage: looking through it at every collection took a twelfth of a run."""
    gc.collect()
    gc.freeze()


def pytest_configure() -> None:
    """What is shipped is read from YAML once in a process: it was parsed anew for each store that a test makes."""
    from kg.content import located

    located.located_text = _remembered(located.located_text)


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


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a small content."""
    return write_small_content(tmp_path / "content").root


@pytest.fixture(scope="session")
def shipped_store(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A store of the shipped content, built once for all workers of a run: for tests that only read it."""
    from kg.session import open_graph

    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "shipped-store"
    with (folder.parent / "shipped-store.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the first worker builds, the others wait for it
        open_graph(folder).close()
    return folder
