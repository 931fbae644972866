"""Answers of the small graph and on texts, whole and word for word: `tests/cases/whole`, where each was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kg.answers.asking import Asker
from kg.answers.audit import SEVERITIES, audit
from kg.answers.claim import Thing
from kg.answers.column_sums import column_sums
from kg.answers.compare import compare
from kg.answers.comparison_matrix import comparison_matrix
from kg.answers.conflicts import find_conflicts
from kg.answers.find import find
from kg.answers.findings import find_findings
from kg.answers.joint_verdict import joint_verdict
from kg.answers.origins import find_origins
from kg.answers.referent import read_referent, scope_of
from kg.answers.sentence_arithmetic import sentence_arithmetic
from kg.answers.sheet import specs
from kg.answers.show import show
from kg.answers.text_arithmetic import recompute
from kg.answers.trace import trace
from kg.model.verdict import Verdict
from kg.session import Graph, open_graph
from tests.answers.operands import UNITS, read_operands
from tests.ask.harness import ask_small, questions, units
from tests.whole import assert_each_read, assert_one_read, assert_read, kept_answers, plain

WHOLE = Path(__file__).parents[1] / "cases" / "whole"
SOUND = ("confirmed", "unverified")
_ASKED = ("questions", "complete")
"""What an answer says of how it was asked."""


def said(answer: Any) -> Any:
    """An answer without what it says of how it was asked."""
    found = plain(answer.to_json() if hasattr(answer, "to_json") else answer)
    return {name: one for name, one in found.items() if name not in _ASKED} if isinstance(found, Mapping) else found


def _pair(text: str) -> tuple[str, str]:
    one, _, other = text.partition(" against ")
    return one, other


ANSWERS: dict[str, Callable[[str], Any]] = {
    "trace": lambda text: trace(ask_small, text, units()),
    "compare": lambda text: compare(ask_small, *_pair(text)),
    "matrix": lambda text: comparison_matrix(ask_small, *_pair(text)),
    "show": lambda text: show(ask_small, text),
    "sheet": lambda text: specs(ask_small, text),
    "find": lambda text: find(ask_small, text, questions()),
    "conflicts": lambda text: find_conflicts(ask_small, None if text == "all" else text),
    "origins": lambda text: find_origins(ask_small, text),
    "findings": lambda text: find_findings(Asker(ask_small), finding=[text]),
    "referent": lambda text: scope_of(ask_small, read_referent(ask_small, text.split(), units()), units()),
    "audit": lambda text: audit(ask_small, severities=SEVERITIES if text == "all" else (text,)),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_of_the_small_graph(answer: str, request: pytest.FixtureRequest) -> None:
    assert_each_read(WHOLE / f"answers-{answer}.yaml", lambda text: said(ANSWERS[answer](text)), request)


def recomputed(text: str) -> Any:
    """What is recomputed in a text, by each of the three that do."""
    report, operands = read_operands(text)
    found = {
        "told": sentence_arithmetic(report.text, operands, UNITS),
        "spelled": recompute(report.text, operands, UNITS),
        "columns": column_sums(report, operands, UNITS),
    }
    return {
        name: {report.text[start : start + 20].split("\n")[0]: one for start, one in some.items()}
        for name, some in found.items()
    }


def test_arithmetic_of_texts(request: pytest.FixtureRequest) -> None:
    assert_each_read(WHOLE / "arithmetic.yaml", recomputed, request)


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.mark.parametrize("text", kept_answers(WHOLE / "check.yaml"))
def test_checks_of_texts(text: str, graph: Graph, request: pytest.FixtureRequest) -> None:
    found = [
        {
            "figure": f"{one.figure.printed} {one.figure.unit or ''}".strip(),
            "verdict": one.verdict,
            "reason": one.reason,
            "use": one.value_to_use,
            "same": [known.claim for known in one.same],
            "others": [known.claim for known in one.others],
            "arithmetic": one.arithmetic and one.arithmetic.formula,
            "otherwise": one.is_stated_otherwise,
        }
        for one in graph.check(text).figures
    ]
    assert_one_read(text, found, WHOLE / "check.yaml", request)


@pytest.mark.parametrize(
    ("claims", "value"),
    [
        ([("wrong", "A", "5")], "5"),
        ([("wrong", "A", "5"), ("wrong", "A", "5")], "5"),
        ([("wrong", "A", "5"), ("wrong", "A", "6")], None),
        ([("wrong", "A", "5"), ("unverified", "B", None)], "5 for A"),
        ([("wrong", "A", "5"), ("wrong", "A", None)], "5"),
        ([("wrong", "A", "5"), ("unverified", "A", None)], "5 for a/0"),
        ([("wrong", "A", "5"), ("caution", "A", "5"), ("unverified", "A", None)], "5 where it is wrong"),
        ([("caution", "A", "5"), ("caution", "B", "5"), ("unverified", "A", None)], "5 where it is doubtful"),
    ],
)
def test_a_value_to_use_says_of_which_of_several_claims_it_is(
    claims: list[tuple[Verdict, str, str | None]], value: str | None, graph: Graph
) -> None:
    (traced, *_) = graph.trace("72428").claims
    given = []
    for number, (verdict, name, better) in enumerate(claims):
        of = (Thing(name, name),)
        card = traced.claim._replace(id=f"a/{number}", verdict=verdict, subjects=of, value_to_use=better)
        given.append(traced._replace(claim=card))
    assert joint_verdict(given, "72428")[2] == value


def test_verdicts_on_what_is_shipped(graph: Graph, request: pytest.FixtureRequest) -> None:
    """Why a claim is no figure to use as it is, and which one is."""
    claims = [one for one in graph.records() if one["record"] == "claim"]
    counted = Counter(f"{one['verdict']}: {one['verdict_reason']}" for one in claims if one["verdict"] in SOUND)
    told = {
        one["id"]: f"{one['verdict']}: {one['verdict_reason']}"
        + (f" ({one['value_to_use']})" if one["value_to_use"] else "")
        for one in claims
        if one["verdict"] not in SOUND
    }
    found = {"sound": dict(sorted(counted.items())), "others": told}
    assert_read(found, WHOLE / "shipped-verdicts.yaml", request, in_lines=True)


def test_problems_of_what_is_shipped(graph: Graph, request: pytest.FixtureRequest) -> None:
    problems = graph.problems().problems
    assert_read([one.to_json() for one in problems], WHOLE / "shipped-problems.yaml", request)
