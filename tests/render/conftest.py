"""One graph of the shipped content."""

from collections.abc import Iterator

import pytest

from kg.session import Graph, open_graph


@pytest.fixture(scope="session")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    graph = open_graph(tmp_path_factory.mktemp("view") / "store")
    yield graph
    graph.close()
