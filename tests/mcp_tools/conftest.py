"""A store of the shipped content on which the tools are asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg


@pytest.fixture(scope="session")
def store(shipped_store: Path) -> Path:
    return shipped_store


@pytest.fixture(scope="session")
def graph(store: Path) -> Iterator["kg.Graph"]:
    opened = kg.open(store)
    yield opened
    opened.close()
