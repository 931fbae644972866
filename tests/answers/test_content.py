"""The shipped content answers the questions that the project was made for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.ask.run import ask
from kg.session import Graph, open_graph


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


def test_gb200_against_h200_finds_the_three_documents_and_no_h100(graph: Graph) -> None:
    found = graph.compare("GB200", "H200")
    figures = {(one.source.id, one.metric, one.printed) for one in found.claims if one.ratio is not None}
    assert ("source/000", "training-speed", "2.5x") in figures
    assert ("source/004", "time-per-output-token", "5x") in figures
    assert any(source == "source/004" and printed == "3x" for source, _, printed in figures)
    assert any(source == "source/002" and printed == "3x" for source, _, printed in figures)
    assert not any("h100" in one.baseline.id or "h100" in one.subject.id for one in found.claims)
    waiting = next(one for one in found.claims if one.metric == "time-per-output-token")
    assert waiting.ratio == pytest.approx(0.2)


@pytest.mark.parametrize(("a", "b"), [("GB200", "GB200"), ("GB200", "GB200 NVL72"), ("H200", "H200")])
def test_a_claim_within_one_family_is_there_once(graph: Graph, a: str, b: str) -> None:
    found = graph.compare(a, b)
    sides = [(one.id, one.subject.id, one.baseline.id) for one in found.claims]
    assert sides and len(sides) == len(set(sides))


def test_claims_that_answer_a_question_stand_before_secondary_ones(graph: Graph) -> None:
    marks = [one.secondary for one in graph.compare("B200", "H200").claims if one.ratio is None]
    assert len(set(marks)) == 2 and marks == sorted(marks)


def test_required_and_limited_ratios_stay_what_they_are_wherever_they_are_printed(graph: Graph) -> None:
    said = {one.id: one.says for pair in (("GB200", "H100"), ("B200", "H200")) for one in graph.compare(*pair).claims}
    assert said["001/speed-needed.ratio"] == "at least 1.6x [required] (ratio)"
    assert "performance less than 2x (ratio)" in (graph.compare("B200", "H200").value or "")
    assert graph.trace("001/speed-needed.ratio").claims[0].claim.worded == "at least 1.6x [required]"
    titles = [one.worded for one in graph.verify("002/author.nvl72-dgx-b200.r1").claims]
    assert titles == ["nearly tenfold"]


def test_a_near_number_is_not_the_value_to_use(graph: Graph) -> None:
    found = graph.trace("1.8 TB/s")
    assert found.claims and found.value is None
    assert "the nearest, 1792 GB/s [" in found.reason


def test_what_an_input_repeats_is_not_repeated_by_the_claim(graph: Graph) -> None:
    chain = graph.trace("001/gpt3.cost.total.2024-12").claims[0].chain
    cited = [(hop.hop, hop.through) for hop in chain if hop.reached == "unresolved/gpt-3-paper"]
    assert cited == [(2, ("001/gpt3.training-tokens",))]
    assert all(not hop.through for hop in graph.trace("000/mistral.heading").claims[0].chain)


def test_origins_show_every_hop_to_what_an_input_repeats(graph: Graph) -> None:
    found = graph.origins("001/gpt3.cost.total.2024-12")
    own = next(one for one in found.members if one.claim == found.asked)
    assert [(hop.hop, hop.via, hop.reached) for hop in own.chain] == [
        (1, "derived-from", "001/gpt3.training-tokens"),
        (2, "restates", "unresolved/gpt-3-paper"),
    ]
    assert own.end_states == ()


def test_a_computed_number_counts_by_what_it_is_computed_from(graph: Graph) -> None:
    found = graph.origins("002/r1.gb200.offline.per-accelerator")
    assert (found.mentions, found.origins, found.end_states) == (1, 1, ())


def test_the_network_of_a_trace_ties_a_citation_to_the_input_that_makes_it(graph: Graph) -> None:
    ties = {(tie.source, tie.target) for tie in graph.trace("001/gpt3.cost.total.2024-12").net().ties}
    assert ("001/gpt3.training-tokens", "unresolved/gpt-3-paper") in ties
    assert ("001/gpt3.cost.total.2024-12", "unresolved/gpt-3-paper") not in ties


def test_72428_is_traced_to_the_wrong_divisor(graph: Graph) -> None:
    found = graph.trace("72,428")
    assert found.verdict == "wrong" and (found.value or "").startswith("4,023.78")
    assert found.claims[0].claim.id == "002/r1.gb200.offline.per-accelerator"
    assert found.claims[0].dependents and found.claims[0].derivations[0].findings


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("1,960 TFLOPS", "source/000"),
        ("2.5x", "source/000"),
        ("4800 GB/s", "source/004"),
        ("$3.1M", "source/001"),
        ("57%", "source/001"),
    ],
)
def test_known_numbers_are_found_in_their_document(graph: Graph, text: str, source: str) -> None:
    assert source in {one.claim.source.id for one in graph.trace(text).claims}


GOOD_EMPTY = ["audit/no-canonical", "benchmarks/measured-times"]
"""What the shipped claims give no cause for; the small graph of tests/cases has rows for them."""


def test_every_example_answers_on_the_shipped_content(graph: Graph) -> None:
    empty = [
        name
        for name, question in graph.questions().items()
        if not ask(graph.store, question, question.example, limit=5).rows
    ]
    assert empty == GOOD_EMPTY


def test_what_a_text_repeats_is_told_of_both(graph: Graph) -> None:
    texts = {f"source/00{number}" for number in range(5)}
    marked = {name: graph.marked_source(name) for name in texts}
    repeats = {(name, one.other.id) for name, each in marked.items() for one in each.repeats}
    assert repeats and {other.partition("/")[0] for _, other in repeats} <= {"source", "unresolved", "figure"}
    assert all(other != name for name, other in repeats)
    back = {(one.other.id, name) for name, each in marked.items() for one in each.repeated_by}
    assert back and {(name, other) for name, other in repeats if other in texts} <= back
