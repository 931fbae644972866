"""What a reader is told of a server that is empty, half filled, or filled by another version; and what a writer is told."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.build.writing import load_files, rebuild
from kg.session import open_graph
from kg.stores.places import WritingNeedsFolder
from kg.sync.pull import pull
from kg.sync.push import PushState
from kg.sync.servers import CannotAnswer, NothingPushed, open_target
from tests.servers.conftest import Local
from tests.servers.content import wipe
from tests.servers.running import Server


def test_an_asked_server_says_what_to_do(asked_server: Server, local: Local) -> None:
    with pytest.raises(NothingPushed, match="kg push"):
        open_graph(asked_server.address, content=local.content)


def test_virtuoso_takes_pushes_and_gives_the_ledger_but_is_not_asked(
    local: Local, virtuoso_server: Server, tmp_path: Path
) -> None:
    wipe(virtuoso_server)
    assert local.push(virtuoso_server).added > 500
    with pytest.raises(CannotAnswer, match="kg pull") as caught:
        open_graph(virtuoso_server.address, content=local.content)
    assert caught.value.exit_code == 3 and "Virtuoso" in str(caught.value)
    assert pull(virtuoso_server.address, tmp_path / "pulled").head == local.head()


def test_an_unfinished_push_is_said(local: Local, asked_server: Server) -> None:
    local.push(asked_server)
    target = open_target(asked_server.address)
    state = target.state()
    assert state is not None
    target.mark(PushState("pushing", "other", state.parts, state.stamp))
    target.close()
    told: list[str] = []
    graph = open_graph(asked_server.address, content=local.content, tell=told.append)
    assert not graph.is_whole()
    graph.close()
    assert told == [
        "a push to this server is under way or was cut off: answers may be incomplete until kg push is run again"
    ]


def test_other_content_and_other_rules_are_said(local: Local, fuseki_server: Server) -> None:
    wipe(fuseki_server)
    local.push(fuseki_server)
    target = open_target(fuseki_server.address)
    state = target.state()
    assert state is not None
    target.mark(PushState("ready", state.run, state.parts, {**state.stamp, "rules": 0, "version": "0.0.1"}))
    target.close()
    told: list[str] = []
    open_graph(fuseki_server.address, content=local.content, tell=told.append).close()
    assert any("0.0.1" in one for one in told) and any("findings: stale" in one for one in told)


@pytest.mark.parametrize(
    "write",
    [
        lambda address, content: rebuild(address, content=content),
        lambda address, content: load_files(
            [Path("x.jsonl")], store=address, content=content, edition="1", dry_run=False, wait_seconds=1
        ),
    ],
)
def test_writing_commands_say_what_to_do_instead(local: Local, write: Callable[[str, Path], object]) -> None:
    with pytest.raises(WritingNeedsFolder, match=r"kg push.*kg pull") as caught:
        write("neo4j://localhost:7687", local.content)
    assert caught.value.exit_code == 2


def test_a_reader_without_a_writable_home_still_reads(
    local: Local, fuseki_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wipe(fuseki_server)
    local.push(fuseki_server)
    locked = tmp_path / "locked"
    locked.write_text("a file where a folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(locked))
    graph = open_graph(fuseki_server.address, content=local.content)
    claims = [one["id"] for one in graph.records() if one["record"] == "claim"]
    graph.close()
    shutil.rmtree(graph.folder)
    assert claims == ["900/power.one", "900/power.two", "900/speed.two-one"]
