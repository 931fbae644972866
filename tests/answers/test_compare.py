"""Comparing two names, on the small graph."""

from __future__ import annotations

import json
from dataclasses import replace

from kg.answers.compare import compare, values_by_direction
from tests.ask.harness import ask_small


def test_both_directions_are_found_with_level_and_match() -> None:
    found = compare(ask_small, "NEW3", "MID2")
    assert [(one.id, one.orientation, one.level, one.ratio, one.subject_match) for one in found.claims] == [
        ("100/range.mid", "a-against-b", "family", 2.2, "named"),
        ("100/wait.mid", "a-against-b", "accelerator", 0.2, "family"),
        ("100/faster.mid", "a-against-b", "rack", 2.5, "family"),
        ("200/faster.mid", "a-against-b", "family", 2.5, "named"),
        ("100/share.mid", "b-against-a", "accelerator", 0.26, "family"),
    ]
    turned = compare(ask_small, "MID2", "NEW3")
    assert {(one.id, one.orientation == "a-against-b") for one in found.claims} == {
        (one.id, one.orientation == "b-against-a") for one in turned.claims
    }


def test_a_claim_carries_conditions_path_chain_and_reading() -> None:
    by_id = {one.id: one for one in compare(ask_small, "NEW3", "MID2").claims}
    first = by_id["100/faster.mid"]
    assert (first.conditions, first.baseline_conditions) == ("accelerators=72; phase=training", "accelerators=unstated")
    assert (first.reading, first.alternatives, first.path) == ("as-ratio", ("as-increase",), ("source/100",))
    assert (first.document, first.start, first.end, first.asserted_by.label) == ("100.txt", 10, 14, "Lab")
    assert by_id["200/faster.mid"].end_states == ("primary",)


def test_exact_leaves_the_family_out() -> None:
    found = compare(ask_small, "NEW3", "MID2", exact=True)
    assert [one.id for one in found.claims] == ["100/range.mid", "200/faster.mid"]
    assert found.a.exact and [one.id for one in found.a.covers] == ["family/new"]


def test_advice_opens_the_answer() -> None:
    mixed = compare(ask_small, "NEW3", "MID2")
    assert mixed.verdict == "caution" and "5 claims give a ratio, for 4 different measures" in mixed.reason
    assert mixed.value is not None and "training speed 2.5x (ratio)" in mixed.value
    single = compare(ask_small, "system/new-rack", "family/mid")
    assert (single.verdict, single.value) == (
        "confirmed",
        "system/new-rack against family/mid: training speed 2.5x (ratio)",
    )
    nothing = compare(ask_small, "MID2", "OLD1")
    assert (nothing.verdict, nothing.reason, nothing.claims) == ("unknown", "no claim compares them", ())


def test_an_unknown_name_gives_names_like_it() -> None:
    found = compare(ask_small, "NEW33", "MID2")
    assert (found.verdict, found.reason) == ("unknown", "no curated name is NEW33")
    assert "new3" in found.a.near and found.b.near == ()


def test_the_json_is_stable_and_sorted() -> None:
    first, again = (json.dumps(compare(ask_small, "NEW3", "MID2").to_json()) for _ in range(2))
    assert first == again == json.dumps(json.loads(first), sort_keys=True)
    assert json.loads(first)["questions"][0] == "comparisons/compare"


def test_a_compared_claim_in_a_file_of_data_names_its_cell() -> None:
    by_id = {one.id: one for one in compare(ask_small, "NEW3", "MID2").claims}
    waits = by_id["100/wait.mid"]
    assert (waits.document, waits.sha256, waits.start, waits.pointer) == ("waits.json", "7" * 64, None, "/waits/0")
    assert (waits.place.inside, by_id["100/faster.mid"].place.inside) == ("JSON pointer /waits/0", "code points 10-14")


def test_a_figure_keeps_what_its_author_puts_around_it() -> None:
    limited = compare(ask_small, "NEW3", "OLD1")
    assert {one.id: one.says for one in limited.claims} == {
        "100/faster.old": "up to 4x (ratio)",
        "100/watt": "at least 1.8x [required] (ratio)",
        "200/from.post": "the new chips lead",
        "200/words.down": "the new chips do not lead",
    }
    assert limited.value is None
    ratios = {one.id: replace(one, verdict="confirmed").usable_value for one in limited.claims if one.ratio is not None}
    assert ratios == {"100/faster.old": "up to 4x (ratio)", "100/watt": "at least 1.8x [required] (ratio)"}


def test_the_values_say_of_which_side_and_in_which_relation() -> None:
    claims = [replace(one, verdict="confirmed") for one in compare(ask_small, "NEW3", "MID2").claims]
    ours, theirs = values_by_direction(claims, "NEW3", "MID2")
    assert ours.startswith("NEW3 against MID2: ") and "time per output token 5x (times-less)" in ours
    assert theirs.startswith("MID2 against NEW3: ") and "throughput 26% (share-of)" in theirs


def test_only_what_is_confirmed_or_put_right_is_a_value_to_use() -> None:
    found = compare(ask_small, "NEW3", "MID2")
    usable = {one.id: one.usable_value for one in found.claims if one.usable_value}
    right = {one.id for one in found.claims if one.verdict == "confirmed" or one.value_to_use}
    assert usable.keys() == right and any(one.verdict == "unverified" for one in found.claims)


def test_a_claim_without_a_figure_says_its_statement() -> None:
    claim = compare(ask_small, "NEW3", "MID2").claims[0]
    assert replace(claim, ratio=None, printed="far ahead", statement="the new chips lead").says == "the new chips lead"
