"""From a number or a claim to its origins, on the small graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from markdown_it import MarkdownIt

from kg.answers.asking import Asker
from kg.answers.claim import read_cards
from kg.answers.joint_verdict import joint_verdict
from kg.answers.referent import claims_stating
from kg.answers.siblings import read_siblings
from kg.answers.trace import (
    MOST_BESIDE,
    Trace,
    UnknownClaim,
    trace,
    trace_claim,
    trace_number,
    with_equal_prints,
)
from kg.errors import KgError
from kg.render.trace_text import trace_text
from kg.session import open_graph
from kg.stores.protocol import Answer
from tests.ask.harness import ask_small, questions, units


def by_number(text: str) -> Trace:
    return trace_number(ask_small, text, units())


def test_a_number_that_does_not_recompute_is_refused_with_the_value_to_use() -> None:
    found = by_number("72428")
    assert (found.verdict, found.value) == ("wrong", "4,023.78 token/s")
    assert "divided by 4" in found.reason
    (traced,) = found.claims
    assert traced.claim.id == "100/row.each" and traced.match is not None and traced.match.kind == "exact"
    assert (traced.claim.place.document, traced.claim.place.start, traced.claim.place.end) == ("100.txt", 210, 216)
    assert traced.claim.asserted_by.label == "Lab"


def test_a_derivation_comes_with_its_inputs_findings_and_explanations() -> None:
    (derivation,) = by_number("72,428").claims[0].derivations
    assert (derivation.expression, derivation.stated_by_text) == ("total / accelerators", True)
    given = {one.name: (one.claim, one.printed, one.constant, one.why) for one in derivation.inputs}
    assert given == {
        "total": ("100/row.total", "289,712", None, None),
        "accelerators": (None, None, 72.0, "printed beside it"),
    }
    (finding,) = derivation.findings
    assert (finding.verdict, finding.severity, finding.role) == ("inconsistent", "violation", "about")
    assert finding.computed_value == pytest.approx(4023.7777777)
    assert [(one.rank, one.code) for one in finding.explanations] == [(1, "divisor.per-node"), (2, "unit-slip")]


def test_what_rests_on_a_claim_is_listed_with_its_distance() -> None:
    traced = trace_claim(ask_small, "100/row.total").claims[0]
    assert [(one.claim, one.via, one.hop) for one in traced.dependents] == [
        ("100/row.each", "derived-from", 1),
        ("200/conclusion", "derived-from", 2),
    ]
    assert traced.findings == ()  # its result does not recompute, which says nothing against it


def test_a_near_number_takes_over_the_verdict_of_the_claim_it_is_near() -> None:
    exact = by_number("72428")
    for text in ("72400", "72.4k", "72428.01", "72,500"):
        near = by_number(text)
        assert (near.verdict, near.value) == (exact.verdict, exact.value), text
        assert near.reason.startswith("no claim states it; the nearest, ") and exact.reason in near.reason
        # the verdict is said of the claim that states it, not of a number that nobody states
        assert near.sentence.startswith(f"{text}: no claim states it; the nearest, 72,428 token/s [")
        assert f"is wrong: {exact.reason}" in near.sentence
    usable = by_number("4810 GB/s")
    assert usable.verdict == "caution" and usable.value is None  # what is merely near is no value to use


@pytest.mark.parametrize(("number", "text"), [(72428, "72428"), (72428.0, "72428"), (2.5, "2.5")])
def test_a_number_of_a_program_is_one_that_is_typed(number: float, text: str) -> None:
    assert trace(ask_small, number, units()) == trace(ask_small, text, units())
    assert trace(ask_small, number, units()).claims


def test_the_id_of_an_entry_is_no_range() -> None:
    with pytest.raises(KgError, match=r"kg ask benchmarks/measured --only 5\.1-0071"):
        trace(ask_small, "5.1-0071", units())
    assert trace(ask_small, "5.1-7.1", units()).kind == "number"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), True, 10**400, -(10**400)])
def test_what_is_no_number_to_ask_for_is_refused(number: float) -> None:
    with pytest.raises(KgError):
        trace(ask_small, number, units())


def test_a_value_is_found_in_other_units_after_the_exact_ones() -> None:
    found = by_number("4.8 TB/s")
    assert [(one.claim.id, one.match and one.match.kind) for one in found.claims] == [
        ("100/bandwidth.mid", "exact"),
        ("200/bandwidth.mid", "same-value"),
    ]
    assert [(one.claim.id, one.match and one.match.kind) for one in by_number("4800 GB/s").claims] == [
        ("200/bandwidth.mid", "exact"),
        ("100/bandwidth.mid", "same-value"),
    ]
    assert found.verdict == "caution" and found.value is None
    assert found.reason.startswith("Needs caution for Mid SXM (1 claim)") and "Confirmed for Mid SXM" in found.reason
    beside = found.claims[0]
    assert {one.claim for one in beside.same_statement} == {"200/bandwidth.mid", "200/bandwidth.mid.other"}
    assert beside.same_statement == (*beside.same_thing, *beside.related)
    assert [len(one.differs) for one in beside.same_statement] == sorted(
        len(one.differs) for one in beside.same_statement
    )


def test_of_thousands_of_claims_beside_another_one_json_names_some_and_says_how_many_there_are() -> None:
    found = by_number("4.8 TB/s")
    first, second = found.claims
    crowded = found._replace(claims=(first._replace(same_statement=first.same_statement * 2_000), second)).to_json()
    assert [len(one["same_statement"]) for one in crowded["claims"]] == [MOST_BESIDE, len(second.same_statement)]
    assert [one.get("same_statement_found") for one in crowded["claims"]] == [4_000, None]
    assert all(list(one) == sorted(one) for one in (crowded, *crowded["claims"]))


def test_all_claims_that_state_a_number_are_meant_by_it_though_a_trace_shows_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kg.answers.trace.MOST_CLAIMS", 1)
    assert len(by_number("4.8 TB/s").claims) == 1
    assert claims_stating(ask_small, "4.8 TB/s", units()) == ("100/bandwidth.mid", "200/bandwidth.mid")
    about = claims_stating(ask_small, "4.8 TB/s Mid SXM", units())
    assert about == ("100/bandwidth.mid", "200/bandwidth.mid")


def test_a_relayed_number_shows_its_chain_to_the_end() -> None:
    found = by_number("2.5x")
    assert [one.claim.id for one in found.claims] == ["100/faster.mid", "200/faster.mid"]
    relayed = found.claims[1]
    assert [(hop.hop, hop.via, hop.reached, hop.fidelity) for hop in relayed.chain] == [
        (1, "restates", "100/faster.mid", "condition-dropped")
    ]
    assert relayed.end_states == ("primary",)
    assert [one.id for one in relayed.claim.path] == ["source/200", "source/100"]
    assert trace_claim(ask_small, "200/from.post").claims[0].end_states == ("unopened",)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("$3.1M", ["100/rack.price"]),
        ("57%", ["100/unnamed"]),
        ("70B", ["100/solid.size"]),
        ("2.6x", ["100/range.mid"]),
        ("0.7 kW", ["100/mid.power"]),
        ("72", ["100/rack.gpus"]),
        ("72 GPUs", ["100/rack.gpus"]),
        ("70 GB of memory", []),
        ("72.3", ["100/rack.gpus"]),
        ("123456789", []),
    ],
)
def test_numbers_are_found_as_people_write_them(text: str, claims: list[str]) -> None:
    assert [one.claim.id for one in by_number(text).claims] == claims


def test_a_number_nobody_states_names_the_same_digits_in_another_unit() -> None:
    found = by_number("700 kW")
    assert (found.verdict, found.value) == ("unknown", None)
    assert found.reason == "no claim states it; 1 claim states the same digits in another unit, 700 W [100/mid.power]"
    assert [(one.claim, one.printed, one.unit) for one in found.near] == [("100/mid.power", "700 W", "W")]


def test_digits_that_are_only_near_are_not_called_the_same() -> None:
    found = by_number("702 kW")
    assert (
        found.reason
        == "no claim states it; 1 claim states nearly the same digits in another unit, 700 W [100/mid.power]"
    )


def test_the_same_digits_come_before_those_that_are_near() -> None:
    assert {one.claim for one in by_number("72 GB").near} == {"100/rack.gpus"}
    assert "the same digits" in by_number("72 GB").reason and "nearly" not in by_number("72 GB").reason


def test_a_claim_is_traced_by_its_id() -> None:
    found = trace(ask_small, "100/range.mid", units())
    assert (found.kind, found.verdict, found.reason) == ("claim", "unverified", "the audit has not judged it")
    claim = found.claims[0].claim
    assert claim.normaliser == "per-chip, per-dollar" and claim.figure.values == (2.2, 2.6)
    assert trace(ask_small, "4.8TB/s", units()).kind == "number"


@pytest.mark.parametrize("text", ["100/nobody", "fast", "", "999/x", "} DROP ALL"])
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(KgError):
        trace(ask_small, text, units())
    with pytest.raises(UnknownClaim):
        trace_claim(ask_small, text)


@pytest.mark.parametrize("text", ["72428", "2.5x", "4.8 TB/s", "123456789"])
def test_the_json_is_complete_stable_and_names_its_questions(text: str) -> None:
    first, again = (json.dumps(by_number(text).to_json()) for _ in range(2))
    assert first == again == json.dumps(json.loads(first), sort_keys=True)
    whole = json.loads(first)
    assert set(whole) == set(Trace._fields) | {"complete"}
    assert whole["questions"][0] == "trace/number" and set(whole["questions"]) <= set(questions())


@pytest.mark.parametrize(
    ("claim", "document", "digit", "inside"),
    [
        ("100/row.each", "100.txt", "1", "code points 210-216"),
        ("100/memory.empty", "100.txt", "1", "code points 95-96; table 1, row new, column memory"),
        ("100/run.new.solid", "runs.csv", "3", "row 12, column Result"),
        ("100/run.mid.solid", "runs.json", "4", "JSON pointer /1/Result"),
        ("100/run.mid.watts", "runs.xlsx", "5", "sheet Runs, cell D7"),
    ],
)
def test_a_place_is_told_in_words_whatever_kind_of_file_it_lies_in(
    claim: str, document: str, digit: str, inside: str
) -> None:
    card = trace_claim(ask_small, claim).claims[0].claim
    assert (card.place.document, card.place.sha256, card.place.inside) == (document, digit * 64, inside)
    text = trace_text(trace_claim(ask_small, claim), lambda *_: None, most=1)
    named = inside.rpartition("; ")[2]
    # where the document has no words for the place, the position stands in the forms for programs only
    shown = "" if named.startswith("code points") else f"{named}; "
    assert f"[{card.source.id}]; {shown}" in " ".join(text.split())
    assert "code points" not in text
    verbose = " ".join(trace_text(trace_claim(ask_small, claim), lambda *_: None, most=1, positions=True).split())
    position = inside.partition(";")[0].replace("-", " to ") + " of " if "code points" in inside else ""
    assert f"Position {position}{document} (SHA-256 {digit * 12}…)" in verbose


def test_a_short_trace_says_how_to_see_a_place_that_is_a_position_only() -> None:
    for claim, is_said in (("100/row.each", True), ("100/memory.empty", False)):
        text = trace_text(trace_claim(ask_small, claim), lambda *_: None, most=1, brief=True)
        assert ("With --verbose its position in 100.txt" in " ".join(text.split())) == is_said


def test_a_locator_needs_no_file() -> None:
    place = trace_claim(ask_small, "100/run.new.server").claims[0].claim.place
    assert (place.document, place.inside) == (None, "entry 1-01, server")


def test_official_results_stand_beside_a_claim_about_the_same_thing_best_first() -> None:
    official = trace_claim(ask_small, "100/row.each").claims[0].official
    assert [(one.claim, one.value, one.unit, one.entry, one.accelerators) for one in official] == [
        ("100/run.new.solid.v2", 5000.0, "token/s", "2-01", 72.0),
        ("100/run.new.solid", 4000.0, "token/s", "1-01", 72.0),
    ]
    assert {(one.submitter.label, one.round) for one in official if one.submitter} == {
        ("Maker", "round/bench-v1"),
        ("Maker", "round/bench-v2"),
    }


def test_official_results_of_the_rounds_a_claim_names_come_first() -> None:
    official = trace_claim(ask_small, "200/family.each").claims[0].official
    assert [(one.claim, one.is_round_stated) for one in official] == [
        ("100/run.new.solid", True),
        ("100/run.new.solid.v2", False),
    ]


def test_an_official_result_has_none_beside_it_and_other_kinds_of_claims_are_not_asked_for() -> None:
    assert trace_claim(ask_small, "100/run.new.solid").claims[0].official == ()
    found = trace_claim(ask_small, "100/bandwidth.mid")
    assert found.claims[0].official == () and "benchmarks/official" not in found.questions


def test_the_text_names_value_id_round_entry_size_and_what_differs() -> None:
    text = trace_text(trace_claim(ask_small, "200/family.each"), lambda *_: None, most=1)
    told = " ".join(text.split())
    assert (
        "Published 4,000 token/s per accelerator [100/run.new.solid], round v1, entry 1-01, 72 accelerators, New GPU, by Maker "
        "5,000 token/s per accelerator [100/run.new.solid.v2], round v2, entry 2-01, 72 accelerators, New GPU, by Maker"
    ) in told


def test_more_official_results_than_fit_are_counted() -> None:
    found = trace_claim(ask_small, "200/family.each")
    (traced,) = found.claims
    many = found._replace(claims=(traced._replace(official=traced.official * 3),))
    text = " ".join(trace_text(many, lambda *_: None, most=1).split())
    assert text.count("token/s per accelerator") == 3
    assert "and 3 more (kg ask benchmarks/official --claim 200/family.each)" in text


def test_what_a_trace_quotes_does_not_end_its_block_of_markdown() -> None:
    found = trace_claim(ask_small, "200/family.each")._replace(reason=f"{'a' * 150} ``` {'b' * 150} <img src=x>")
    text = trace_text(found, lambda *_: None, most=1, markdown=True)
    assert "<img" not in MarkdownIt("commonmark", {"html": True}).render(text).replace("&lt;img", "")
    assert text.startswith("````text\n") and text.endswith("\n````\n")


def test_the_claims_of_one_statement_are_read_once_however_many_of_them_are_traced() -> None:
    names = ("100/bandwidth.mid", "200/bandwidth.mid", "200/bandwidth.mid.other")
    cards = read_cards(Asker(ask_small), names)
    asked: list[str] = []

    def counting(name: str, /, **values: object) -> Answer:
        if name == "claims/same-statement":
            asked.extend(cast("tuple[str, ...]", values["claim"]))
        return ask_small(name, **values)

    together = read_siblings(Asker(counting), cards)
    assert len(asked) == 1
    assert together == {one: read_siblings(Asker(ask_small), {one: cards[one]})[one] for one in names}
    assert all(len(one) == 2 for one in together.values())


def test_claims_that_look_alike_and_are_of_no_statement_have_nothing_beside_them() -> None:
    cards = read_cards(Asker(ask_small), ["100/bandwidth.mid"])
    card = cards["100/bandwidth.mid"]
    alike = {name: card._replace(id=name) for name in ("900/a", "900/b", card.id, "900/c")}
    together = read_siblings(Asker(ask_small), alike)
    assert together == {name: read_siblings(Asker(ask_small), {name: one})[name] for name, one in alike.items()}


def test_a_claim_of_a_near_figure_is_not_counted_among_those_that_state_it(shipped_store: Path) -> None:
    with open_graph(shipped_store) as graph:
        found = graph.trace("989")
        kinds = [one.match.kind for one in found.claims if one.match is not None]
        near = kinds.count("near")
        assert 0 < near == found.near_found < found.found == len(kinds)
        assert found.how_many == f"{found.found - near} claims state it, 1 is within 0.5 %"
        assert f"\n{found.how_many}\n" in trace_text(found, graph.document, most=100)
        # names narrow both counts
        about = [one.claim.subject.id for one in found.claims if one.match is not None and one.match.kind == "near"]
        narrowed = graph.trace("989", about=about[:1])
        assert narrowed.near_found == sum(one.match.kind == "near" for one in narrowed.claims if one.match is not None)


def test_one_value_to_use_that_is_printed_in_two_ways_is_offered() -> None:
    (traced,) = by_number("72428").claims
    prints = ("4,023.78 token/s", "4023.780 token/s")
    twice = [traced._replace(claim=traced.claim._replace(value_to_use=one)) for one in prints]
    assert joint_verdict(twice, "72428")[2] is None
    assert joint_verdict(with_equal_prints(twice, units()), "72428")[2] == prints[0]
    other = [twice[0], traced._replace(claim=traced.claim._replace(value_to_use="4,023.78 sample/s"))]
    assert joint_verdict(with_equal_prints(other, units()), "72428")[2] is None
