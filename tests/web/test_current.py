"""Readers of a running server get the generation that is live, and words where there is none."""

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import anyio
import pytest
from starlette.testclient import TestClient

from kg.build.writing import delete_store, rebuild
from kg.session import open_graph
from kg.sync.push import PushState, Target
from kg.web import site as web_site
from kg.web.app import make_app
from kg.web.current import CurrentGraph, StoreGone, current_graph
from kg.web.refusal import RequestRefused
from kg.web.site import Site


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


def test_names_and_stamp_of_a_server_are_those_of_its_last_push(
    own_store: Path, own_content: Path, tmp_path: Path
) -> None:
    """The content here has a new name when the server is pushed to; the old names were kept for good."""
    content = Path(shutil.copytree(own_content, tmp_path / "content"))
    graph = open_graph(own_store, content=content)
    state = PushState("ready", "a", 1, graph.stamp)
    graph.server = cast(Target, SimpleNamespace(state=lambda: state, close=lambda: None, shown="server"))
    now = [0.0]
    current = CurrentGraph(graph, lambda: None, None, clock=lambda: now[0])

    def subjects() -> list[str]:
        with current.reading() as graph:
            (checked,) = graph.check("Acme Novum draws 700 W.").figures
            return [one.value for one in checked.figure.subjects]

    before = subjects()
    things = content / "seeds" / "entities" / "things.yaml"
    things.write_text(
        things.read_text(encoding="utf-8").replace("label: Acme One,", "label: Acme One, aliases: [Acme Novum],"),
        encoding="utf-8",
    )
    state = PushState("ready", "b", 1, {**graph.stamp, "version": "later"})
    assert subjects() == before, "it is asked every few seconds"
    now[0] = 6.0
    state = replace(state, state="pushing")
    assert subjects() == before
    now[0], state = 12.0, replace(state, state="ready")
    assert subjects()[:1] == ["accelerator/acme-one"] != before[:1]
    assert current.latest.stamp["version"] == "later"
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


def test_a_free_query_waits_some_seconds_for_those_before_it_and_is_then_refused(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_site, "_SECONDS_TO_WAIT", 0.05)
    is_over = threading.Event()

    async def run() -> None:
        site = Site(current_graph(open_graph(store)))
        async with anyio.create_task_group() as group:
            for _ in range(int(site.free_queries.total_tokens)):
                group.start_soon(site.query, lambda _: is_over.wait(30))
            while site.free_queries.available_tokens:
                await anyio.lowlevel.checkpoint()
            with pytest.raises(RequestRefused, match="try again") as refused:
                await site.query(lambda _: None)
            assert refused.value.status == 503
            assert await site.read(lambda graph: graph.stamp["head"]), "pages go on"
            is_over.set()
        assert await site.query(lambda _: "answered") == "answered"
        site.current.close()

    anyio.run(run)
