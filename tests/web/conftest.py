"""One built store and one running application for all tests of pages."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kg.session import open_graph
from kg.web.app import make_app
from tests.opened_program import OpenedOnce
from tests.small_content import ROOT, write_small_content


@pytest.fixture(scope="session")
def store(shipped_store: Path) -> Path:
    """A store of the shipped content; tests only read it."""
    return shipped_store


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small `content`, which has every question that a page asks, and a `store` of it; tests only read it."""
    folder = tmp_path_factory.mktemp("small")
    shutil.copytree(ROOT / "queries", folder / "content" / "queries")
    open_graph(folder / "store", content=write_small_content(folder / "content").root).close()
    return folder


@pytest.fixture
def own_content(small: Path) -> Path:
    """The content of `own_store`."""
    return small / "content"


@pytest.fixture
def own_store(small: Path, tmp_path: Path) -> Path:
    """A copy of the small store, which a test may change and build again in a moment."""
    return Path(shutil.copytree(small / "store", tmp_path / "store"))


@pytest.fixture(scope="session")
def opened_store(store: Path) -> Iterator[OpenedOnce]:
    """Opens the store once for commands in this process."""
    opened = OpenedOnce(store)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def client(store: Path) -> Iterator[TestClient]:
    with TestClient(make_app(open_graph(store)), raise_server_exceptions=False, follow_redirects=False) as made:
        yield made
