"""One graph of the shipped content."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.session import Graph, open_graph


@pytest.fixture(scope="session")
def graph(shipped_store: Path) -> Iterator[Graph]:
    graph = open_graph(shipped_store)
    yield graph
    graph.close()
