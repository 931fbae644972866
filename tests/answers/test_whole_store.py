"""Answers that need a whole store, on one of the small graph, word for word: `tests/cases/whole/store-*.yaml`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kg.__about__ import RULES_VERSION
from kg.build.writing import load_files
from kg.ledger.derived import read_derived
from kg.session import Graph, open_graph
from tests.answers.test_whole_answers import WHOLE, said
from tests.ask.harness import CHECKOUT, case_graph, records
from tests.small_content import write_lines, write_small_content
from tests.whole import assert_each_read


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """The graph that the cases of the questions ask, loaded into a store beside the small content."""
    folder = tmp_path_factory.mktemp("world")
    shutil.copytree(CHECKOUT / "queries", folder / "content" / "queries")
    content = write_small_content(folder / "content").root
    claims, things = records(case_graph())
    file = write_lines(folder / "world.jsonl", *things.values(), *claims.values())
    load_files([file], store=folder / "store", content=content, edition="2025-03-01", dry_run=False, wait_seconds=5)
    with open_graph(folder / "store", content=content) as opened:
        yield opened


def derived(graph: Graph, kind: str) -> Any:
    """The derived records of a kind."""
    found = read_derived(graph.ledger_folder() / "derived", graph.stamp["head"], RULES_VERSION)
    kept = (one for one in found if one["record"] == kind)
    return [{name: value for name, value in one.items() if name not in ("record", "rule_version")} for one in kept]


ANSWERS: dict[str, Callable[[Graph, str], Any]] = {
    "derived": derived,
    "impact": lambda graph, text: graph.impact(*text.split()),
    "problems": lambda graph, text: graph.problems(sources=() if text == "all" else [text]),
    "report": lambda graph, text: graph.audit(severities=tuple(text.split())),
    "verify": lambda graph, text: graph.verify(*(() if text == "all" else text.split())),
    "check": lambda graph, text: [one.to_json() for one in graph.check(text).figures],
    "claims": lambda graph, text: [list(row) for row in graph.claims(text, wide=True).rows],
    "overview": lambda graph, _: graph.overview(),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_of_a_store(answer: str, graph: Graph, request: pytest.FixtureRequest) -> None:
    assert_each_read(WHOLE / f"store-{answer}.yaml", lambda text: said(ANSWERS[answer](graph, text)), request)
