"""All claims and all things as tables, short representations, and `with` around a graph."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from kg.answers.compare import compare
from kg.answers.sheet import UnknownThing, specs
from kg.errors import KgError, UsageError
from kg.session import Graph, open_graph
from tests.ask.harness import ask_small


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Graph:
    return open_graph(shipped_store)


def test_all_claims_are_a_table_with_labels_and_verdicts(graph: Graph) -> None:
    rows = {str(row["claim"]): row for row in graph.claims().dicts()}
    assert len(rows) > 1500
    row = rows["002/r1.gb200.offline.per-accelerator"]
    assert row["subject_label"] == "NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"
    assert (row["printed"], row["canonical_value"], row["verdict"]) == ("72428.00", 72428.0, "wrong")
    assert row["value_to_use"] == "4,023.78 token/s"


def test_claims_narrow_by_thing_with_its_family_metric_source_and_verdict(graph: Graph) -> None:
    rows = list(graph.claims("H200", metric="memory bandwidth", source="002", wide=True).dicts())
    assert {row["metric"] for row in rows} == {"memory-bandwidth"} and {row["source"] for row in rows} == {"source/002"}
    assert {row["subject"] for row in rows} >= {"family/nvidia-h200", "accelerator/nvidia-h200-sxm-141gb"}
    wrong = graph.claims("H200", metric="memory bandwidth", source="002", verdict="wrong").rows
    assert 0 < len(wrong) < len(rows)


def test_an_unknown_thing_or_metric_raises(graph: Graph) -> None:
    with pytest.raises(UnknownThing):
        graph.claims("H2000")
    with pytest.raises(UnknownThing):
        graph.claims(metric="bandwith")


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (lambda graph: graph.claims(source="999"), "999"),
        (lambda graph: graph.claims(kind="benchmark"), "measurement"),
        (lambda graph: graph.claims(verdict="wrnog"), "wrong"),
        (lambda graph: graph.audit(severities=["error"]), "violation, warning, info"),
        (lambda graph: graph.conflicts(verdicts=["wrong"]), "possible-conflict"),
        (lambda graph: graph.to_networkx(types=("RESTATE",)), "RESTATES"),
        (lambda graph: graph.problems(most=-1), "a whole number from 0"),
        (lambda graph: graph.ask("meta/store", language="sql"), "sparql, cypher"),
        (lambda graph: graph.query("RETURN 1", timeout_seconds=0), '"0" is not a time-out'),
    ],
)
def test_a_word_that_there_is_none_of_raises(graph: Graph, asked: Callable[[Graph], object], named: str) -> None:
    with pytest.raises(KgError) as refused:
        asked(graph)
    assert named in str(refused.value)


def test_one_text_where_several_may_stand_is_one_of_them_and_not_its_letters(graph: Graph) -> None:
    assert graph.audit(sources="002", severities="violation") == graph.audit(sources=["002"], severities=["violation"])
    assert graph.conflicts("H200", verdicts="conflict") == graph.conflicts("H200", verdicts=["conflict"])
    assert graph.trace("72428", about="GB200").about == ("GB200",)
    assert graph.restriction(metrics="power") == graph.restriction(metrics=["power"])
    assert graph.impact(sources="002") == graph.impact(sources=["002"])


@pytest.mark.parametrize("number", [np.int64(72428), np.float64(72428), np.float32(72428), Decimal(72428)])
def test_numbers_of_numpy_are_numbers(graph: Graph, number: float) -> None:
    assert graph.trace(number).verdict == "wrong"
    assert len(graph.ask("sources/all", limit=cast(int, np.int64(2))).rows) == 2


@pytest.mark.parametrize("given", ["https://w3id.org/accelkg/id/claim/{}", "claim/{}"])
def test_a_claim_is_known_by_its_iri(graph: Graph, given: str) -> None:
    claim = "002/r1.gb200.offline.total"
    pasted = given.format(claim)
    assert graph.show(pasted).kind == "claim" and graph.trace(pasted).claims[0].claim.id == claim
    assert graph.cite(pasted) == graph.cite(claim)
    assert graph.origins(pasted).claim.id == claim and graph.impact(pasted).to_json()["changes"][0]["claim"] == claim
    assert graph.show("https://w3id.org/accelkg/id/org/nvidia").id == "org/nvidia"


def test_a_source_is_marked_by_its_digits(graph: Graph) -> None:
    assert graph.marked_source("002") == graph.marked_source("source/002")


def test_a_store_of_a_relative_path_stays_where_it_is(
    shipped_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipped_store.parent)
    with open_graph(shipped_store.name) as graph:
        monkeypatch.chdir(tmp_path)
        assert graph.is_whole() and graph.query("ASK { ?c a k:Claim }") and graph.claims("H200").rows


def test_a_tilde_is_the_home_of_the_user(shipped_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(shipped_store.parent))
    with open_graph(f"~/{shipped_store.name}") as graph:
        assert graph.folder == shipped_store
        assert graph.export("specs", "~/specs.csv").files == (shipped_store.parent / "specs.csv",)


def test_a_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"claims\.csv.*a folder"):
        open_graph(tmp_path / "claims.csv")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_graph_is_not_copied(graph: Graph, copied: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=r"kg\.open\(\)"):
        copied(graph)


def test_a_frame_of_claims_has_a_dozen_columns_and_the_others_where_they_are_asked_for(graph: Graph) -> None:
    few, all_columns = graph.claims("H200"), graph.claims("H200", wide=True)
    assert len(few.columns) == 12 and all_columns.columns[:12] == few.columns
    assert {"verdict_reason", "kind", "subject", "unit"} <= set(all_columns.columns)


@pytest.mark.parametrize(
    ("name", "near"), [("memory bandwith", "memory bandwidth"), ("H20O", "h20"), ("nonsense", "a name or an id")]
)
def test_what_is_suggested_for_an_unknown_name_has_specifications(graph: Graph, name: str, near: str) -> None:
    with pytest.raises(UnknownThing) as refused:
        graph.specs(name)
    assert str(refused.value.expected).split(", ")[0] == near


def test_a_kind_and_a_metric_that_are_not_known_raise_with_those_like_them(graph: Graph) -> None:
    with pytest.raises(UnknownThing, match="accelerator"):
        graph.entities("acelerator")
    with pytest.raises(UnknownThing, match="memory bandwidth"):
        graph.claims(metric="memory bandwith")


def test_entities_of_a_kind(graph: Graph) -> None:
    rows = list(graph.entities("accelerator").dicts())
    assert {row["kind"] for row in rows} == {"accelerator"} and len(rows) > 50
    assert len(graph.entities().rows) > len(rows)


def test_frames_of_both_kinds_have_the_same_cells(graph: Graph) -> None:
    answer = graph.claims("H200")
    frame = answer.to_polars()
    assert frame.columns == list(answer.to_pandas().columns) and frame.height == len(answer.rows)
    assert frame["canonical_value"].drop_nulls().to_list() == answer.to_pandas()["canonical_value"].dropna().to_list()


def test_a_graph_is_closed_at_the_end_of_with(shipped_store: Path) -> None:
    with open_graph(shipped_store) as graph:
        assert str(shipped_store) in repr(graph) and len(repr(graph)) < 200
        assert graph.trace(72428).verdict == "wrong"


def test_nothing_changes_between_a_store_and_itself(graph: Graph) -> None:
    assert not graph.diff(graph.folder).new


@pytest.mark.parametrize("answer", [lambda: compare(ask_small, "NEW3", "MID2"), lambda: specs(ask_small, "MID2")])
def test_a_result_is_one_line(answer: Callable[[], object]) -> None:
    result = answer()
    text = repr(result)
    assert text.startswith(f"<{type(result).__name__} ") and len(text) < 200 and "\n" not in text


def test_a_source_is_shown_by_its_digits_and_named_in_the_line_of_a_result(shipped_store: Path) -> None:
    """As in the terminal, where 002 is the source."""
    with open_graph(shipped_store) as graph:
        assert graph.show("002").id == "source/002"
        assert "NVIDIA H200 series [family/nvidia-h200]" in repr(graph.show("H200"))


def test_the_line_of_a_comparison_names_figures_and_no_ids(shipped_store: Path) -> None:
    with open_graph(shipped_store) as graph:
        line = graph.compare("GB200", "H200").reason
    assert "3x inference speed: " in line and "004/" not in line
