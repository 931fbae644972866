"""Showing one thing, on the small graph."""

from __future__ import annotations

import json

import pytest

from kg.answers.show import show
from tests.ask.harness import ask_small


@pytest.mark.parametrize(
    ("asked", "kind", "identifier"),
    [
        ("system/new-rack", "entity", "system/new-rack"),
        ("NEW3", "entity", "family/new"),
        ("source/200", "source", "source/200"),
        ("digest", "source", "source/200"),
        ("metric/throughput", "metric", "metric/throughput"),
        ("throughput", "metric", "metric/throughput"),
        ("Memory Capacity", "metric", "metric/memory-capacity"),
        ("100/row.each", "claim", "100/row.each"),
        ("nobody", "nothing", None),
        ("accelerator/nobody", "nothing", None),
    ],
)
def test_ids_and_names_lead_to_the_thing(asked: str, kind: str, identifier: str | None) -> None:
    shown = show(ask_small, asked)
    assert (shown.kind, shown.id) == (kind, identifier)
    text = json.dumps(shown.to_json())
    assert text == json.dumps(json.loads(text), sort_keys=True)


def test_a_thing_shows_facts_links_and_counts() -> None:
    shown = show(ask_small, "system/new-rack")
    assert shown.facts == {
        "thing": "system/new-rack",
        "label": "New rack",
        "kind": "rack",
        "maker": "org/maker",
        "member_of": "family/new",
        "accelerator_inside": "accelerator/new-gpu",
    }
    assert ("contains", "accelerator/new-gpu") in {(one.link, one.other.id) for one in shown.links}
    assert ("subject", "comparison", 2) in {(one.role, one.kind, one.claims) for one in shown.counts}


def test_a_claim_is_shown_with_its_trace() -> None:
    shown = show(ask_small, "100/row.each")
    assert shown.trace is not None and shown.trace.verdict == "wrong"


def test_an_unknown_name_gives_names_like_it() -> None:
    assert "new3" in show(ask_small, "new4").near
