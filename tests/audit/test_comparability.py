"""The published rules on pairs of results: one case a file, and the laws."""

from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.comparability import Comparable, ComparableResult, Verdict, judge
from kg.content.comparability import read_comparability
from kg.content.folders import Content
from kg.model.comparability import Comparability

Json = dict[str, Any]
CHECKOUT = Path(__file__).resolve().parents[2]
CASES = sorted((CHECKOUT / "tests" / "cases" / "comparability").glob("*.yaml"))


@cache
def rules() -> Comparability:
    return read_comparability(Content(CHECKOUT))


def ids(found: Comparable, effect: str) -> list[str]:
    return sorted(reason.rule for reason in found.reasons if reason.effect == effect)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_verdict_both_ways(path: Path) -> None:
    case: Json = yaml.safe_load(path.read_text(encoding="utf-8"))
    one, other = (ComparableResult(**{**case["both"], **case[side]}) for side in ("one", "other"))
    expect, found = case["expect"], judge(one, other, rules())
    assert found.verdict == expect["verdict"], found
    assert ids(found, "forbids") == sorted(expect["forbids"]), found
    if found.verdict != "not-comparable":
        assert ids(found, "named") == sorted(expect["named"]), found
    assert judge(other, one, rules()).verdict == found.verdict


def test_every_verdict_and_every_rule_on_results_has_a_case() -> None:
    cases = [yaml.safe_load(path.read_text(encoding="utf-8"))["expect"] for path in CASES]
    assert {case["verdict"] for case in cases} == set(get_args(Verdict))
    told = {rule for case in cases for effect in ("forbids", "named") for rule in case[effect]}
    looked_at = {
        "suite",
        "benchmark",
        "target",
        "round",
        "scenario",
        "division",
        "category",
        "availability",
        "accelerators",
        "power",
        "unit",
        "mixed",
        "limited",
        "scale",
    }
    assert told == {rule.id for rule in rules().rules if rule.compares in looked_at}


results = st.builds(
    ComparableResult,
    suite=st.sampled_from([None, "benchmark/mlperf-inference", "benchmark/mlperf-training"]),
    task=st.sampled_from([None, "task/mlperf-deepseek-r1", "task/mlperf-llama2-70b-99", "task/mlperf-llama2-70b-99.9"]),
    round=st.sampled_from(
        [None, "round/mlperf-inference-v5.0", "round/mlperf-inference-v5.1", "round/mlperf-inference-v6.0"]
    ),
    scenario=st.sampled_from([None, "scenario/offline", "scenario/server"]),
    division=st.sampled_from([None, "closed", "open"]),
    category=st.sampled_from([None, "datacenter", "edge"]),
    availability=st.sampled_from([None, "available", "preview"]),
    unit=st.sampled_from([None, "token/s", "sample/s"]),
    accelerators=st.sampled_from([None, 8, 72]),
    power=st.sampled_from([None, False, True]),
    mixed=st.booleans(),
    limited=st.booleans(),
)


@given(one=results, other=results)
def test_the_verdict_is_symmetric_and_the_reasons_mirror(one: ComparableResult, other: ComparableResult) -> None:
    assert sorted(judge(other, one, rules()).swapped().reasons) == sorted(judge(one, other, rules()).reasons)


@given(one=results)
def test_a_result_is_comparable_with_itself_unless_it_is_mixed(one: ComparableResult) -> None:
    assert judge(one, one, rules()).allowed is not one.mixed


@given(
    one=results,
    other=results,
    name=st.sampled_from([field.name for field in fields(ComparableResult) if field.name not in ("mixed", "limited")]),
)
def test_forgetting_a_condition_never_forbids_a_pair_that_was_allowed(
    one: ComparableResult, other: ComparableResult, name: str
) -> None:
    silent = replace(one, **{name: None})  # type: ignore[arg-type]
    if judge(one, other, rules()).allowed and name != "category":
        assert judge(silent, other, rules()).allowed


def test_reasons_read_as_sentences() -> None:
    one, other = (
        ComparableResult(scenario="scenario/offline", accelerators=72),
        ComparableResult(scenario="scenario/server", accelerators=8),
    )
    told = [reason.text for reason in judge(one, other, rules()).reasons]
    assert told[0] == "another scenario: offline and server"
    assert "another number of accelerators: 72 and 8" in told
    assert "round unstated" in told
