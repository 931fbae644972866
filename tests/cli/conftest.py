"""The command line as a process, on one store made from the shipped content."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.forked_program import run_forked_text
from tests.opened_program import OpenedOnce, run_opened_text

ROOT = Path(__file__).resolve().parents[2]
Kg = Callable[..., subprocess.CompletedProcess[str]]
_ANSWERS = (
    *("ask", "audit", "check", "cite", "compare", "conflicts", "explain", "find", "impact"),
    *("origins", "query", "report", "schema", "show", "trace", "verify", "view"),
)
_OWN_STORE = frozenset({"--store", "--content", "--timeout"})
"""With one of these a command is not about the store of all tests, or may end its process."""
PROGRAM = [sys.executable, "-c", "from kg.cli import main; main()"]


@pytest.fixture(scope="session")
def store(shipped_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy for the tests of commands, which may write into it."""
    return Path(shutil.copytree(shipped_store, tmp_path_factory.mktemp("cli") / "store"))


@pytest.fixture(scope="session")
def environment(store: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return {**kept, "KG_STORE": str(store), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "FORCE_COLOR": ""}


@pytest.fixture(scope="session")
def opened_store(store: Path) -> Iterator[OpenedOnce]:
    """Opens the store of all tests once, for commands in this process."""
    opened = OpenedOnce(store)
    yield opened
    opened.close()


@pytest.fixture
def kg(environment: dict[str, str], tmp_path: Path, opened_store: OpenedOnce) -> Kg:
    """Runs `kg` in an empty folder, with changes of the environment by name; its output is text.

    What only answers from the store of all tests shares one graph; what writes or has a deadline is a process.
    """

    def run(*arguments: str, **changed: str) -> subprocess.CompletedProcess[str]:
        here = {**environment, **changed}
        if arguments[:1] and arguments[0] in _ANSWERS and not _OWN_STORE.intersection(arguments):
            return run_opened_text(*arguments, folder=tmp_path, environment=here, opened=opened_store)
        return run_forked_text(*arguments, folder=tmp_path, environment=here)

    return run


@pytest.fixture
def opened_once(opened_store: OpenedOnce, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that run the command line in this process themselves share the graph too."""
    monkeypatch.setattr("kg.session.open_graph", opened_store)
    monkeypatch.setattr("kg.isolated_query.answer_apart", opened_store.answer)


@pytest.fixture
def kg_apart(environment: dict[str, str], tmp_path: Path) -> Kg:
    """Runs every `kg` in a process of its own, where that is what is tested."""
    return lambda *arguments: run_forked_text(*arguments, folder=tmp_path, environment=environment)
