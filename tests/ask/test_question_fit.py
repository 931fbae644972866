"""The factors of the score by which plain words are matched to questions."""

from __future__ import annotations

from kg.ask.mentions import NameMention
from kg.ask.question_fit import AskedWords, QuestionFit, fit_of
from tests.ask.harness import questions


def fit(question: str, *mentions: NameMention, words: str = "") -> QuestionFit:
    found = fit_of(questions()[question], AskedWords(list(mentions), words.split(), words))
    assert found is not None
    return found


def hardware(key: str) -> NameMention:
    return NameMention(key, frozenset({"accelerator"}), (f"accelerator/{key}",))


def test_a_claim_counts_for_its_parameter_whatever_the_order_of_its_kinds() -> None:
    # the order of a frozenset of words differs between processes, so one id would be right by luck
    ids = [f"{number:03}/a-claim" for number in range(40)]
    fits = [fit("claims/derivations", NameMention(one, frozenset({"claim", one[:3]}), (one,))) for one in ids]
    assert {round(one.needs_bonus, 6) for one in fits} == {0.06}


def test_rows_are_narrowed_to_a_name_that_no_parameter_takes() -> None:
    found = fit("energy/claims", hardware("new3"))
    assert [one.key for one in found.narrowing] == ["new3"] and found.ignored == []
    assert found.names_factor == 0.8


def test_rows_about_one_chip_are_not_narrowed_to_another() -> None:
    found = fit("comparisons/compare", hardware("a"), hardware("b"), hardware("c"))
    assert found.values == {"a": "a", "b": "b"} and [one.key for one in found.ignored] == ["c"]
    assert found.names_factor == 0.6


def test_a_question_that_lacks_a_value_it_needs_does_not_fit() -> None:
    assert fit_of(questions()["comparisons/compare"], AskedWords([hardware("a")], [], "")) is None
