"""One graph of the shipped content."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from kg.render.scene import Scene
from kg.session import Graph
from tests.opened_program import OpenedOnce


@pytest.fixture(scope="session")
def opened_store(shipped_store: Path) -> Iterator[OpenedOnce]:
    opened = OpenedOnce(shipped_store)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def graph(opened_store: OpenedOnce) -> Graph:
    return opened_store(opened_store.folder)


@pytest.fixture(scope="session")
def view(graph: Graph) -> Callable[..., Scene]:
    """`graph.view`, which reads each picture once: several tests look at one, and none can change it."""
    return cache(graph.view)
