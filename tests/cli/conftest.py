"""The command line as a process, on one store made from the shipped content."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forked_program import run_forked_text

ROOT = Path(__file__).resolve().parents[2]
Kg = Callable[..., subprocess.CompletedProcess[str]]
PROGRAM = [sys.executable, "-c", "from kg.cli import main; main()"]


@pytest.fixture(scope="session")
def store(shipped_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy for the tests of commands, which may write into it."""
    return Path(shutil.copytree(shipped_store, tmp_path_factory.mktemp("cli") / "store"))


@pytest.fixture(scope="session")
def environment(store: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return {**kept, "KG_STORE": str(store), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "FORCE_COLOR": ""}


@pytest.fixture
def kg(environment: dict[str, str], tmp_path: Path) -> Kg:
    """Runs `kg` in an empty folder; its output is text."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_forked_text(*arguments, folder=tmp_path, environment=environment)

    return run
