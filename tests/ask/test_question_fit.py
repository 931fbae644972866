"""How plain words fit a question: what it takes as values, what narrows its rows, and what it would pass over."""

from __future__ import annotations

from kg.ask.mentions import NameMention
from kg.ask.question_fit import IGNORED, TAKEN, AskedWords, QuestionFit, fit_of
from tests.ask.harness import questions


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


def test_a_name_of_one_thing_is_its_id_where_a_question_takes_ids() -> None:
    assert fit("entities/card", hardware("a")).values == {"thing": "accelerator/a"}
    of_two = NameMention("h200", frozenset({"accelerator"}), ("accelerator/a", "accelerator/b"))
    assert fit_of(questions()["entities/card"], AskedWords([of_two], [], [])) is None


def test_a_question_that_lacks_a_value_it_needs_does_not_fit() -> None:
    assert fit_of(questions()["comparisons/compare"], AskedWords([hardware("a")], [], [])) is None
