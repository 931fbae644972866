"""The property graph is made at the first Cypher question, follows every change, and is never half there."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from kg.build.property_graph import GraphBuild, build_graph_view, graph_generations, graph_in_use, is_fresh
from kg.build.writing import rebuild
from kg.ledger.ledger import Ledger, ViewBehind, with_revision
from kg.session import Graph, open_graph
from kg.stores.ladybug import LadybugStore
from tests.forked_program import run_forked_text
from tests.small_content import write_small_content

ROOT = Path(__file__).resolve().parents[2]
COUNT = "MATCH (c:Claim) RETURN count(*) AS n"


def opened(tmp_path: Path, root: Path, heard: list[str] | None = None) -> Graph:
    return open_graph(tmp_path / "store", content=root, tell=(lambda _: None) if heard is None else heard.append)


def count(graph: Graph) -> object:
    answer = graph.query(COUNT, language="cypher")
    assert not isinstance(answer, bytes)
    return answer.rows[0][0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small content and its store, both views built."""
    folder = tmp_path_factory.mktemp("made")
    graph = opened(folder, write_small_content(folder / "content").root)
    assert count(graph) == 3
    graph.close()
    return folder


@pytest.fixture
def with_graph(made: Path, tmp_path: Path) -> Path:
    """The content of a store that has both views: copies, with the times of the files, so that nothing is built again."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "content"


def test_it_is_built_at_the_first_cypher_question_and_then_there(tmp_path: Path, root: Path) -> None:
    heard: list[str] = []
    graph = opened(tmp_path, root, heard)
    assert not graph_in_use(tmp_path / "store")
    assert graph.ask("specifications/by-metric", metric="power").rows
    assert not graph_in_use(tmp_path / "store")
    assert graph.ask("specifications/by-metric", metric="power", language="cypher") == graph.ask(
        "specifications/by-metric", metric="power"
    )
    assert heard[-1] == "building the property graph"
    graph.close()
    again: list[str] = []
    graph = opened(tmp_path, root, again)
    assert (count(graph), again) == (3, [])
    graph.close()


def test_it_follows_the_content_together_with_the_rdf_view(tmp_path: Path, with_graph: Path) -> None:
    root = with_graph
    claims = root / "seeds" / "claims" / "900.yaml"
    text = claims.read_text(encoding="utf-8")
    claims.write_text(text.replace("- {id: power.one,", "- {id: power.first,"), encoding="utf-8")
    heard: list[str] = []
    graph = opened(tmp_path, root, heard)
    live = graph_generations(tmp_path / "store").current()
    assert live is not None and is_fresh(live[1], graph.stamp), "built beside the RDF view, before anybody asks"
    answer = graph.query(
        "MATCH (c:Claim) WHERE c.metric = 'metric/power' RETURN c.uid ORDER BY c.uid", language="cypher"
    )
    assert not isinstance(answer, bytes) and answer.rows == (("900/power.first",), ("900/power.two",))
    assert "building the property graph" not in heard
    graph.close()


def test_a_view_that_fell_behind_is_brought_up_to_date(tmp_path: Path, with_graph: Path) -> None:
    pointer = tmp_path / "store" / "graph" / "current"
    stamp = json.loads(pointer.read_text(encoding="utf-8"))
    pointer.write_text(json.dumps({**stamp, "head": "0" * 32}), encoding="utf-8")
    heard: list[str] = []
    graph = opened(tmp_path, with_graph, heard)
    assert (count(graph), heard) == (3, ["bringing the property graph up to date"])
    graph.close()


def test_a_damaged_graph_is_named_and_built_again(tmp_path: Path, with_graph: Path) -> None:
    live = graph_generations(tmp_path / "store").current()
    assert live is not None
    files = [live[0]] if live[0].is_file() else sorted(live[0].iterdir())
    max(files, key=lambda one: one.stat().st_size).write_bytes(b"no graph")
    heard: list[str] = []
    graph = opened(tmp_path, with_graph, heard)
    assert (count(graph), heard) == (3, [f"{live[0]} is damaged; building the property graph again"])
    graph.close()


def test_a_derived_set_of_an_older_version_is_made_again(tmp_path: Path, root: Path) -> None:
    graph = opened(tmp_path, root)
    for path in (tmp_path / "store" / "ledger" / "derived").glob("*.gz"):
        path.unlink()
    assert count(graph) == 3
    answer = graph.query("MATCH (c:Claim) WHERE c.verdict IS NOT NULL RETURN count(*) AS n", language="cypher")
    assert not isinstance(answer, bytes) and answer.rows == ((3,),)
    graph.close()


def test_rebuilding_moves_both_views(tmp_path: Path, with_graph: Path) -> None:
    before = graph_generations(tmp_path / "store").current()
    rebuild(tmp_path / "store", content=with_graph)
    after = graph_generations(tmp_path / "store").current()
    assert before is not None and after is not None and before[0] != after[0]


def test_a_store_that_cannot_be_written_is_read_in_both_languages(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = opened(tmp_path, root)
    heard: list[str] = []
    graph.tell = heard.append
    monkeypatch.setattr("kg.build.opened_property_graph.is_writable", lambda _: False)
    assert count(graph) == 3
    assert "cannot be written" in heard[0]
    assert not graph_in_use(tmp_path / "store")
    graph.close()


def test_the_process_beside_makes_nothing_live_when_its_parent_is_gone(tmp_path: Path, root: Path) -> None:
    graph = opened(tmp_path, root)
    request = [str(tmp_path / "store"), str(root), dict(graph.stamp)]
    graph.close()
    orphan = (
        "import json, os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-m', 'kg.build.property_graph'], stdin=subprocess.PIPE, start_new_session=True)\n"
        f"child.stdin.write(json.dumps({request!r} + [os.getpid()]).encode() + b'\\n[\"audited\"]\\n')\n"
        "child.stdin.flush()\n"
    )
    with subprocess.Popen([sys.executable, "-c", orphan], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.read()  # ends when the orphan does: it holds the pipe
    assert not graph_in_use(tmp_path / "store")
    assert (tmp_path / "store" / "graph" / "gen-000001").is_dir(), "it had been at work"


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_writer_killed_at_any_boundary_leaves_the_live_generation(
    tmp_path: Path, with_graph: Path, every: bool
) -> None:
    with opened(tmp_path, with_graph) as graph:
        stamp = graph.stamp.copy()
    store = tmp_path / "store"

    def run(die_at: int | None) -> subprocess.CompletedProcess[str]:
        given = json.dumps([str(store), str(with_graph), stamp, die_at])
        return run_forked_text(given, folder=tmp_path, environment=os.environ, program="tests.build.dying_writer")

    whole = run(None)
    assert whole.returncode == 0, whole.stderr
    boundaries = int(whole.stdout)
    assert boundaries >= 8
    for die_at in range(boundaries) if every else (0, boundaries // 2, boundaries - 1):
        before = graph_generations(store).current()
        assert before is not None
        assert run(die_at).returncode == -signal.SIGKILL
        after = graph_generations(store).current()
        assert after is not None
        live = LadybugStore.open(after[0])
        assert live.select(COUNT).rows == ((3,),)
        live.close()
    final = build_graph_view(store, write_small_content(tmp_path / "again"), stamp)
    assert len(list(final.parent.glob("gen-*"))) <= 3, "what was cut off is cleared away"


def test_a_graph_whose_audit_never_ends_is_not_made_live(tmp_path: Path, with_graph: Path) -> None:
    graph = opened(tmp_path, with_graph)
    graph.close()
    before = graph_generations(tmp_path / "store").current()
    made = GraphBuild.start(tmp_path / "store", graph.content, graph.stamp)
    assert made.worker._process.stdin is not None
    made.worker._process.stdin.close()  # as when the one who started it is gone
    told = made.finish()
    assert told is not None and "given up" in told
    assert graph_generations(tmp_path / "store").current() == before


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the view is killed with a signal that this system does not have")
def test_a_writer_killed_at_random_moments_leaves_the_live_generation(tmp_path: Path, root: Path) -> None:
    graph = opened(tmp_path, root)
    assert count(graph) == 3
    stamp = graph.stamp.copy()
    graph.close()
    given = json.dumps([str(tmp_path / "store"), str(root), stamp, None])
    rng = Random(5)
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.build.dying_writer", given],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                process.wait(rng.uniform(0.3, 1.5))
            except subprocess.TimeoutExpired:
                process.kill()
        live = graph_generations(tmp_path / "store").current()
        assert live is not None
        store = LadybugStore.open(live[0])
        assert store.select(COUNT).rows == ((3,),)
        store.close()


def test_a_newer_ledger_is_not_given_the_stamp_of_an_older_view(tmp_path: Path, root: Path) -> None:
    graph = opened(tmp_path, root)
    ledger = Ledger(tmp_path / "store" / "ledger")
    thing: dict[str, Any] = dict(next(iter(ledger.things().values())))
    changed = {key: one for key, one in thing.items() if key not in ("revision", "supersedes")}
    changed["label"] += " (corrected)"
    record = with_revision(cast(Any, changed))
    ledger.add([record], origin="claims/x", edition="2026-11-27", scope="partial", registry="r")
    with pytest.raises(ViewBehind, match="kg build"):
        count(graph)
    assert not graph_in_use(tmp_path / "store")
    graph.close()
    graph = opened(tmp_path, root)
    assert count(graph) == 3
    graph.close()
