"""Finding by text, on the small graph."""

from __future__ import annotations

import json

import pytest

from kg.answers.find import find
from tests.ask.harness import ask_small, questions


@pytest.mark.parametrize(
    ("text", "kind", "first"),
    [
        ("NEW3", "entity", "family/new"),
        ("new3 rack", "entity", "system/new-rack"),
        ("Digest", "source", "source/200"),
        ("memory bandwidth", "metric", "metric/memory-bandwidth"),
        ("the new chips lead", "claim", "200/from.post"),
        ("prices and costs", "question", "prices/claims"),
        ("72,428", "claim", "100/row.each"),
        ("lead chips", "claim", "200/from.post"),
    ],
)
def test_the_best_match_comes_first(text: str, kind: str, first: str) -> None:
    found = find(ask_small, text, questions())
    assert (found.items[0].kind, found.items[0].id) == (kind, first)
    assert [one.score for one in found.items] == sorted((one.score for one in found.items), reverse=True)
    assert len({(one.kind, one.id) for one in found.items}) == len(found.items)


def test_nothing_found_gives_names_like_it() -> None:
    found = find(ask_small, "new9", questions())
    assert found.items == () and "new3" in found.near
    assert find(ask_small, "  ").items == ()


def test_the_json_is_sorted() -> None:
    text = json.dumps(find(ask_small, "new", questions()).to_json())
    assert text == json.dumps(json.loads(text), sort_keys=True)
