"""A store of the shipped content on which the tools are asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tools") / "store"
    kg.open(folder).close()
    return folder


@pytest.fixture(scope="session")
def graph(store: Path) -> Iterator["kg.Graph"]:
    opened = kg.open(store)
    yield opened
    opened.close()
