"""`graph.load`: the same loads from Python, and the graph that was open answers from what is there afterwards."""

import shutil
from pathlib import Path

import pytest

from kg.ask.question import ValueRefused
from kg.build.published import PublishedLoad
from kg.session import open_graph
from tests.cli.conftest import ROOT, Kg
from tests.cli.test_draft_mapping import drafted

CARDS = 'GPU,Memory (GB),Memory Bandwidth (GB/s),TDP (W)\nAcme One,80,3350,700\nAcme Two,192,"5,300",750\n'


@pytest.fixture
def own(store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(store, tmp_path / "own"))


def test_a_table_is_loaded_and_the_open_graph_answers_with_it(kg: Kg, root: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "queries", root / "queries", dirs_exist_ok=True)
    store = tmp_path / "store"
    open_graph(store, content=root).close()  # a command makes none where it is told
    table, text = drafted(kg, tmp_path, CARDS, "--content", str(root), "--store", str(store))
    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    with open_graph(store, content=root) as graph:
        tried = graph.load("table", table, mapping=tmp_path / "m.yaml", dry_run=True)
        assert isinstance(tried, PublishedLoad) and tried.dry_run
        with pytest.raises(ValueRefused, match="cards"):  # nothing was loaded yet
            graph.claims(source="cards")
        loaded = graph.load("table", table, mapping=tmp_path / "m.yaml")
        assert isinstance(loaded, PublishedLoad) and loaded.files[0].loaded == 2
        claims = graph.claims(source="cards")
        assert len(claims.rows) == 6 and "cards" in str(graph.trace("5,300 GB/s").claims[0].claim.id)


def test_claims_are_loaded_whole(own: Path, tmp_path: Path) -> None:
    with open_graph(own) as graph:
        graph.export("jsonl", tmp_path / "all.jsonl")
        (loaded,) = graph.load("claims", tmp_path / "all.jsonl")  # type: ignore[misc]
        assert graph.trace("72428").verdict == "wrong" and loaded
