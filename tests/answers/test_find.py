"""Finding by text, on the small graph."""

from __future__ import annotations

import json

import pytest

from kg.answers.find import find
from kg.answers.search_words import read_terms
from kg.content.folders import shipped_content
from kg.content.vocabulary import read_vocabulary
from kg.model.names import name_key
from kg.render.find_text import find_lines
from tests.ask.harness import ask_small, questions

METRICS = tuple(read_vocabulary(shipped_content()).metrics.values())
WORDS = [[name_key(one.label), *map(name_key, one.synonyms)] for one in METRICS]


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


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("tdp", "metric/power"),
        ("bandwidths memory", "metric/memory-bandwidth"),
        ("bandwith", "metric/memory-bandwidth"),
        ("throughputt", "metric/throughput"),
        ("rack NEW3", "system/new-rack"),
        ("the memory of mid", "100/memory.kind"),
        ("mid bandwidth", "200/bandwidth.mid.other"),
    ],
)
def test_other_words_plurals_other_orders_and_slips_find_it(text: str, identifier: str) -> None:
    assert identifier in {one.id for one in find(ask_small, text, questions(), metric_words=WORDS).items}


@pytest.mark.parametrize("word", ["tdp", "waiting time", "data rate", "lithography", "hourly rate"])
def test_the_words_for_a_metric_are_those_of_the_vocabulary(word: str) -> None:
    metric = next(one for one in METRICS if word in map(name_key, (one.label, *one.synonyms)))
    (term,) = read_terms(word, (), WORDS)
    assert term.word == word and (word == name_key(metric.label) or name_key(metric.label) in term.same)
    assert read_terms(word, ())[0].same == ()  # nothing of it stands in the module


@pytest.mark.parametrize("text", ["NEW4", "OLD2", "h100x"])
def test_other_digits_are_another_thing_not_a_slip(text: str) -> None:
    assert find(ask_small, text, questions()).items == ()


def test_a_claim_shows_its_figure_its_subject_and_the_verdict() -> None:
    row = next(one for one in find(ask_small, "72,428").items if one.id == "100/row.each")
    assert (row.value, row.unit, row.verdict) == ("72,428 token/s", "token/s", "wrong")
    assert row.subject is not None and row.subject.id == "accelerator/new-gpu"
    assert row.label == "throughput of New GPU"


def test_lines_fit_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = list(find_lines(find(ask_small, "new", questions())))
    assert max(map(len, lines)) <= 80 and len(lines) <= 40
    assert lines[-1].startswith("Next: kg ")
