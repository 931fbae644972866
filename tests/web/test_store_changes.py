"""The store is built again, reset and deleted under a running server: readers get an answer, or 503 while there is none."""

import shutil
import threading
from collections import Counter
from pathlib import Path
from typing import Self

import pytest

from kg.build.writing import delete_store, rebuild
from kg.errors import KgError
from kg.session import open_graph
from kg.web.pages.query import run_query
from tests.sampling import first
from tests.web.serving import Served, served, whole_app

PATHS = (
    "/sparql?query=ASK%20%7B%3Fc%20a%20k%3AClaim%7D",
    "/claim/900/power.one",
    "/dcat",
)


def _statuses(server: Served) -> list[int]:
    return [server.request("GET", path).status for path in PATHS]


class _Readers:
    """Read all paths again and again in threads while the block runs."""

    def __init__(self, server: Served) -> None:
        self._server, self._is_over = server, threading.Event()
        self.statuses: Counter[int] = Counter()
        self._threads = [threading.Thread(target=self._read) for _ in range(3)]

    def _read(self) -> None:
        while not self._is_over.is_set():
            self.statuses.update(_statuses(self._server))

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join(60)


def test_readers_notice_nothing_of_a_build(own_store: Path, own_content: Path) -> None:
    with served(whole_app(own_store, content=str(own_content))) as server, _Readers(server) as readers:
        while sum(readers.statuses.values()) <= 10:
            rebuild(own_store, content=own_content)
    assert set(readers.statuses) == {200}, readers.statuses
    assert sum(readers.statuses.values()) > 10


@pytest.mark.parametrize("how", first(1, ["delete", "reset"]))
def test_a_store_that_went_away_is_503_until_it_is_back(own_store: Path, own_content: Path, how: str) -> None:
    with served(whole_app(own_store, content=str(own_content))) as server:
        assert _statuses(server) == [200, 200, 200]
        with _Readers(server) as readers:
            if how == "reset":
                delete_store(own_store, content=None, wait_seconds=10)
            else:
                shutil.rmtree(own_store)
            assert _statuses(server) == [503, 503, 503]
            rebuild(own_store, content=own_content)
            assert _statuses(server) == [200, 200, 200]
    assert set(readers.statuses) <= {200, 503}, readers.statuses


def test_a_query_in_cypher_makes_no_store_that_was_deleted_under_the_server(own_store: Path, own_content: Path) -> None:
    with open_graph(own_store, content=own_content) as graph:
        shutil.rmtree(own_store)
        with pytest.raises(KgError) as refused:
            run_query(graph, "MATCH (c:Claim) RETURN count(c)", "cypher")
    assert refused.value.code == "store.missing"
    assert not own_store.exists()


def test_a_property_graph_that_is_made_late_makes_no_store_that_was_deleted(own_store: Path, own_content: Path) -> None:
    with open_graph(own_store, content=own_content) as graph:
        shutil.rmtree(own_store)
        with pytest.raises(KgError):
            graph.query("MATCH (c:Claim) RETURN count(c)", language="cypher")
    assert not own_store.exists()


@pytest.mark.parametrize("damaged", ["ledger/segments", "ledger/derived", "ledger/manifest.json", "rdf/current"])
def test_a_damaged_store_is_503_and_no_folder_is_told(own_store: Path, own_content: Path, damaged: str) -> None:
    path = own_store / damaged
    with served(whole_app(own_store, content=str(own_content))) as server:
        for file in path.iterdir() if path.is_dir() else [path]:
            file.write_bytes(b"")
        replies = [server.request("GET", one) for one in ("/", "/index.json", "/problems", "/sources.json", *PATHS)]
    assert {one.status for one in replies} <= {200, 503}
    assert not [one.text for one in replies if str(own_store) in one.text]
