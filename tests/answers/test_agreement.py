"""Audit, trace, verify and impact say the same of every claim of the shipped content."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.answers.problem_words import ToldProblem
from kg.audit.rules.data_sheets import AGREES
from kg.session import Graph, open_graph
from tests.sampling import some

Advised = dict[str, Any]
Told = tuple[ToldProblem, ...]


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def advised(graph: Graph) -> Advised:
    """The records of all claims, each with its verdict and the value to use."""
    return {one["id"]: one for one in graph.records() if one["record"] == "claim"}


@pytest.fixture(scope="module")
def problems(graph: Graph) -> Told:
    return graph.problems().problems


@pytest.mark.parametrize("step", some(12))
def test_impact_corrects_whatever_trace_has_a_value_for(graph: Graph, advised: Advised, step: int) -> None:
    """Found before: a figure whose unit alone was wrong was withdrawn, and all that rests on it fell."""
    put_right = [name for name, one in advised.items() if one.get("value_to_use") and one["verdict"] != "confirmed"]
    assert len(put_right) > 50
    for name in put_right[::step]:
        found = graph.impact(name)
        assert (found.assumed[name], found.right.get(name)) == ("corrected", advised[name]["value_to_use"]), name


def test_a_wrong_unit_alone_changes_no_figure_that_is_computed(graph: Graph) -> None:
    (change,) = graph.impact("002/r1.gb200.offline.total").impact.changes
    assert change.before is not None and change.after is not None and change.before.contains(change.after)
    affected = graph.impact("002/r1.gb200.offline.total").impact.affected
    assert affected and {one.outcome for one in affected} == {"survives"}


@pytest.mark.parametrize("step", some(5))
def test_what_impact_takes_the_ground_from_is_not_confirmed_by_trace(graph: Graph, advised: Advised, step: int) -> None:
    wrong = [name for name, one in advised.items() if one["verdict"] == "wrong"][::step]
    lost = {
        (name, one.claim) for name in wrong for one in graph.impact(name).impact.affected if one.outcome != "survives"
    }
    assert len(lost) > 50 / step
    assert {pair for pair in lost if advised[pair[1]]["verdict"] in ("confirmed", "unverified")} == set()


def test_nothing_that_is_computed_from_what_is_wrong_is_confirmed(advised: Advised) -> None:
    inputs = {
        (name, used["claim"])
        for name, one in advised.items()
        for derivation in one.get("derivations") or ()
        for used in derivation["inputs"].values()
        if "claim" in used and used.get("role") != "contradicting"
    }
    fallen = {pair for pair in inputs if advised[pair[1]]["verdict"] == "wrong"}
    assert len(fallen) > 30
    assert {pair for pair in fallen if advised[pair[0]]["verdict"] in ("confirmed", "unverified")} == set()


def test_audit_gives_the_value_that_trace_says_to_use_and_accuses_nothing_that_trace_confirms(
    graph: Graph, advised: Advised, problems: Told
) -> None:
    found = (one for one in graph.records() if one["record"] == "finding" and one["code"] == AGREES)
    sheets = {one["claims"][0]["claim"] for one in found}
    offered = [(name, one["value_to_use"]) for name, one in advised.items() if one.get("value_to_use")]
    told = {value.partition(" instead of ")[0] for one in problems for value in one.instead}
    assert told <= {value for _, value in offered}
    for one in problems:
        for name in filter(advised.get, one.claims):  # what is said of a text as a whole is of no claim
            # a source that nobody finds is no reason against what the data sheet of the maker prints as well
            assert advised[name]["verdict"] not in ("confirmed", "unverified") or name in sheets, (name, one.wrong)


def test_trace_shows_no_finding_of_another_claim_under_what_it_was_compared_with(
    graph: Graph, advised: Advised
) -> None:
    """A finding stands under the claims that it speaks against; none of these is free of doubt."""
    sound = [name for name, one in advised.items() if one["verdict"] == "unverified"][::40]
    assert len(sound) > 20
    for name in sound:
        shown = [one for card in graph.trace(name).claims for one in card.findings if one.severity != "info"]
        assert [one.id for one in shown] == [], name


def test_thirty_times_is_not_explained_by_the_work_where_others_measured_two_to_three(
    graph: Graph, problems: Told
) -> None:
    claim = "004/app.nvl72.efficiency-30x"
    assert (graph.trace(claim).verdict, graph.trace(claim).value) == ("disputed", None)
    found = [one for one in graph.records() if one["record"] == "finding" and one["severity"] == "warning"]
    accusing = {one["code"] for one in found if claim in {each["claim"] for each in one["claims"]}}
    assert {"gains.above-measured", "conflict.possible"} <= accusing
    assert graph.verify(claim).claims[0].verdict == "no-comparable"
    assert any("30x" in one.wrong for one in problems)


@pytest.mark.parametrize(
    ("printed", "given"), [("10% lower", "6.82 % lower"), ("about 2.3x", "2.44x"), ("$29.1M", "$29.25M")]
)
def test_a_result_without_a_likely_cause_is_told_with_what_its_inputs_give(
    problems: Told, printed: str, given: str
) -> None:
    (wrong,) = (one.wrong for one in problems if one.wrong.startswith(f"{printed} ("))
    assert f"the figures it is computed from give {given}" in wrong


def test_a_problem_opens_with_the_figure_it_is_about_or_with_the_words_where_there_is_none(
    problems: Told,
) -> None:
    openings = {one.wrong.partition(" (")[0] for one in problems}
    assert openings >= {"72428.00 sample/s", "20 PFLOPS/W", "4.8 GB/s", "about 2.3x", '"low-power"'}
    assert not any("None" in one for one in openings)


def test_how_far_a_figure_is_off_is_told_by_every_rule_that_computes_it(problems: Told) -> None:
    """A bound that is missed 28 times and a saving that is none stood below figures that are a third off."""
    order = [one.claims[0] for one in problems]
    weeks, saving = order.index("003/training.weeks"), order.index("004/edge.b200.power-75")
    assert weeks < order.index("001/price.gb200-nvl72-rack") and saving < order.index("004/bandwidth.h200.5-3")
    assert order.index("004/app.nvl72.efficiency-30x") < 10


def test_a_statement_that_holds_for_systems_takes_no_conclusion_with_it_when_it_is_read_per_accelerator(
    graph: Graph,
) -> None:
    """The audit calls the ground partly refuted; the impact of the same correction said that the conclusion falls."""
    both = ("002/author.nvl72-dgx-b200.r1", "002/author.nvl72-dgx-b200.l405")
    (affected,) = (one for one in graph.impact(*both).impact.affected if one.claim.endswith("too-high"))
    assert affected.outcome == "weakens" and set(affected.because) == set(both)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("2.3x", "2.44x for 001/llama3-405b.energy-against-gpt3"),
        ("1000 W", "2,700 W for NVIDIA GB200 Superchip (two Blackwell GPUs and one Grace CPU)"),
        ("26%", "58 %"),
    ],
)
def test_a_number_that_is_wrong_in_one_place_has_the_value_that_is_right_there(
    graph: Graph, number: str, value: str
) -> None:
    """Found before: "no better value is known", although the claim that is wrong has one."""
    assert graph.trace(number).value == value


def test_impact_names_what_else_is_wrong_below_a_figure(graph: Graph, advised: Advised) -> None:
    """Of two totals of eight cards one put right alone makes a multiple of 18; both make what trace says."""
    h200, b200, ratio = "004/compute.h200.fp8.32", "004/compute.b200.fp8", "004/compute.b200-over-h200.fp8"
    assert graph.impact(h200).also_wrong == {ratio: (b200,)}
    together = graph.impact(h200, b200)
    assert ratio not in together.also_wrong
    (touched,) = next(one for one in together.impact.affected if one.claim == ratio).touched
    assert touched.after is not None and touched.after.lower is not None
    assert f"{(float(touched.after.lower) - 1) * 100:.0f} % higher" == advised[ratio]["value_to_use"]
