"""One built store and one running application for all tests of pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kg.session import open_graph
from kg.web.app import make_app


@pytest.fixture(scope="session")
def store(shipped_store: Path) -> Path:
    """A store of the shipped content; tests only read it."""
    return shipped_store


@pytest.fixture(scope="session")
def client(store: Path) -> Iterator[TestClient]:
    with TestClient(make_app(open_graph(store)), raise_server_exceptions=False, follow_redirects=False) as made:
        yield made
