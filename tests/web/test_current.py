"""Readers of a running server get the generation that is live, and words where there is none."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kg.build.writing import delete_store, rebuild
from kg.session import open_graph
from kg.web.app import make_app
from kg.web.current import StoreGone, current_graph


def test_readers_share_one_graph_until_a_build_makes_a_new_generation(own_store: Path, own_content: Path) -> None:
    current = current_graph(open_graph(own_store, content=own_content))
    with current.reading() as first, current.reading() as second:
        assert first is second
        rebuild(own_store, content=own_content)
        with current.reading() as third:
            assert third is not first
            assert third.stamp["generation"] != first.stamp["generation"]
        assert first.ask("meta/store").rows, "a request that began before goes on with what it has"
    current.close()


def test_a_store_that_is_deleted_while_it_is_served_ends_in_words_and_comes_back(
    own_store: Path, own_content: Path
) -> None:
    current = current_graph(open_graph(own_store, content=own_content))
    delete_store(own_store, content=None, wait_seconds=10)
    with pytest.raises(StoreGone, match="run kg build"), current.reading():
        pass
    rebuild(own_store, content=own_content)
    with current.reading() as graph:
        assert graph.ask("meta/store").rows
    current.close()


def test_a_pointer_that_is_damaged_while_it_is_served_ends_in_words(own_store: Path, own_content: Path) -> None:
    current = current_graph(open_graph(own_store, content=own_content))
    (own_store / "rdf" / "current").write_text("{", encoding="utf-8")
    with pytest.raises(StoreGone), current.reading():
        pass


def test_the_pages_follow_a_rebuild_and_say_when_the_store_is_gone(own_store: Path, own_content: Path) -> None:
    with TestClient(make_app(open_graph(own_store, content=own_content)), raise_server_exceptions=False) as client:
        assert client.get("/").status_code == 200
        rebuild(own_store, content=own_content)
        assert client.get("/").status_code == 200
        delete_store(own_store, content=None, wait_seconds=10)
        gone = client.get("/")
        assert gone.status_code == 503
        assert "run kg build" in gone.text
        assert "Traceback" not in gone.text
        rebuild(own_store, content=own_content)
        assert client.get("/").status_code == 200
