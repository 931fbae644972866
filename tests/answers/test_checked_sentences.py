"""Sentences of people, each with what `kg check` has to say of a figure in it; a new one needs no Python."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kg.session import Graph, open_graph

CASES: Final[list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parents[1] / "cases" / "checked-sentences.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['text']} {case.get('figure', '')}".strip())
def test_a_sentence_is_judged(graph: Graph, case: dict[str, Any]) -> None:
    found = graph.check(case["text"]).figures
    (checked,) = [one for one in found if one.figure.printed == case.get("figure", one.figure.printed)]
    assert (checked.verdict, checked.value_to_use) == (case["verdict"], case.get("use")), checked.reason
    assert case.get("reason", "") in checked.reason


def test_every_verdict_has_a_sentence_of_its_own() -> None:
    assert {case["verdict"] for case in CASES} >= {"wrong", "caution", "unknown", "unverified", "confirmed"}
    assert len({(case["text"], case.get("figure")) for case in CASES}) == len(CASES)
