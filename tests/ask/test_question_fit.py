"""How plain words fit a question: what it takes as values, what narrows its rows, and what it would pass over."""

from __future__ import annotations

from kg.ask.mentions import NameMention
from kg.ask.question_fit import IGNORED, TAKEN, AskedWords, QuestionFit, fit_of
from kg.ask.row_filters import RowFilter, filtered, named_filter
from kg.stores.protocol import Answer
from tests.ask.harness import ask_small, questions


def fit(question: str, *mentions: NameMention, words: str = "") -> QuestionFit:
    found = fit_of(questions()[question], AskedWords(list(mentions), words.split(), words.split()))
    assert found is not None
    return found


def hardware(key: str) -> NameMention:
    return NameMention(key, frozenset({"accelerator"}), (f"accelerator/{key}",))


def test_a_claim_is_a_claim_whatever_the_order_of_its_kinds() -> None:
    # the order of a frozenset of words differs between processes, so one id would be right by luck
    claims = [NameMention(f"{n:03}/a", frozenset({"claim", f"{n:03}"}), (f"{n:03}/a",)) for n in range(40)]
    assert {one.slot for one in claims} == {"CLAIM"}
    assert {round(fit("claims/derivations", one).score, 6) for one in claims} == {TAKEN}


def test_rows_are_narrowed_to_a_name_that_no_parameter_takes() -> None:
    found = fit("energy/claims", hardware("new3"))
    assert [one.key for one in found.narrowing] == ["new3"] and found.ignored == []
    assert IGNORED < found.score < 0


def test_rows_about_one_chip_are_not_narrowed_to_another() -> None:
    found = fit("comparisons/compare", hardware("a"), hardware("b"), hardware("c"))
    assert found.values == {"a": "a", "b": "b"} and [one.key for one in found.ignored] == ["c"]
    assert found.score == 2 * TAKEN + IGNORED


def test_two_rounds_are_no_value_but_keep_the_rows_of_both() -> None:
    one, other = (NameMention(f"bench v{n}", frozenset({"round"}), (f"round/bench-v{n}",)) for n in (1, 2))
    assert fit("benchmarks/best", one).values == {"round": "round/bench-v1"}
    found = fit("benchmarks/best", one, other)
    assert (found.values, [word.key for word in found.words]) == ({}, ["bench v1", "bench v2"])
    question = questions()["benchmarks/best"]
    rounds = [RowFilter(word.key, word.kinds) for word in found.words]
    rows = filtered(ask_small, question, ask_small("benchmarks/best"), rounds).dicts()
    assert {row["round"] for row in rows} == {"round/bench-v1", "round/bench-v2"}
    with_chip = [*rounds, RowFilter("NEW3", hardware("").kinds)]
    kept = filtered(ask_small, question, ask_small("benchmarks/best"), with_chip).dicts()
    assert {row["accelerator"] for row in kept} == {"accelerator/new-gpu"}, "other names are met together"


def test_an_entry_is_a_name_and_no_figure() -> None:
    assert named_filter(ask_small, "v5.1-0071").kinds == {"entry"}
    question = questions()["benchmarks/measured"]
    rows = ask_small("benchmarks/measured")
    entry = filtered(ask_small, question, rows, [RowFilter("v1-01", frozenset({"entry"}))]).dicts()
    assert {row["entry"] for row in entry} == {"1-01"}, "some rounds print a v before it"


def test_a_name_of_one_thing_is_its_id_where_a_question_takes_ids() -> None:
    assert fit("entities/card", hardware("a")).values == {"thing": "accelerator/a"}
    of_two = NameMention("h200", frozenset({"accelerator"}), ("accelerator/a", "accelerator/b"))
    assert fit_of(questions()["entities/card"], AskedWords([of_two], [], [])) is None


def test_a_question_that_lacks_a_value_it_needs_does_not_fit() -> None:
    assert fit_of(questions()["comparisons/compare"], AskedWords([hardware("a")], [], [])) is None


def test_a_span_of_dates_keeps_the_claims_that_state_a_day_of_their_own() -> None:
    question = questions()["claims/of-metric"]
    row = dict.fromkeys(question.column_names)
    rows = [
        {**row, "claim": "1", "conditions": "date=2024-12 (inferred)", "said_on": "2025-08-20"},
        {**row, "claim": "2", "conditions": "phase=training", "said_on": "2025-08-20"},
        {**row, "claim": "3", "conditions": None, "said_on": "2024-05"},
    ]
    answer = Answer(tuple(row), tuple(tuple(one.values()) for one in rows))
    kept = filtered(ask_small, question, answer, [RowFilter(since="2024", until="2024")])
    assert [one["claim"] for one in kept.dicts()] == ["1", "3"]
