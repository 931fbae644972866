"""Questions in plain words: a hundred needs in three wordings each, others that were not looked at when words were chosen, and what is no question."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml

from kg.ask.wording import UnsureQuestion, Wordings, is_sure, stems, understood
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.model.names import all_names, name_key
from tests.ask.harness import CHECKOUT, ask_small, metrics, questions

FILE = CHECKOUT / "tests" / "cases" / "wordings.yaml"


@cache
def wordings() -> Wordings:
    names = {one.key: one.names for one in all_names(read_registry(Content(CHECKOUT)).records)}
    keys: dict[str, str] = {}
    for name, one in metrics().items():
        keys |= {name_key(word): name for word in (name, one["label"])}
    for name, one in metrics().items():
        for word in map(name_key, one.get("synonyms", ())):
            if " " in word:
                keys.setdefault(word, name)
    return Wordings(questions().values(), names, keys)


@cache
def cases() -> dict[str, Any]:
    given: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return given


def told(kind: str) -> list[tuple[str, str | None, dict[str, str]]]:
    return [(text, one.get("question"), one.get("values", {})) for one in cases()[kind] for text in one["asked"]]


def answered(kind: str) -> tuple[int, int, list[str]]:
    """How many are ranked first, how many are answered rightly, and those answered with a wrong question or wrong values."""
    first = right = 0
    wrong = []
    for text, name, values in told(kind):
        readings = wordings().readings(text)
        best = readings[0]
        fits = best.question.name == name and {(k, str(v)) for k, v in best.values.items()} <= set(values.items())
        first += fits
        right += fits and is_sure(readings)
        if is_sure(readings) and not fits:
            wrong.append(f"{text}: {best.command}")
    return first, right, wrong


def test_a_hundred_needs_in_three_wordings_are_understood() -> None:
    assert len(cases()["needs"]) == 100 and all(len(one["asked"]) == 3 for one in cases()["needs"])
    first, right, wrong = answered("needs")
    assert (first >= 270, right >= 270, len(wrong) <= 6) == (True, True, True), (first, right, wrong)


def test_wordings_that_no_header_was_written_for_are_seldom_answered_wrongly() -> None:
    first, right, wrong = answered("unseen")
    assert first >= 0.8 * len(told("unseen")) and right >= 0.7 * len(told("unseen"))
    assert wrong == []


def test_what_is_no_question_of_ours_is_not_answered() -> None:
    assert [text for text, _, _ in told("strange") if is_sure(wordings().readings(text))] == []


def test_every_word_of_a_header_leads_to_its_question() -> None:
    for one in questions().values():
        assert all(list(stems(words)) or " " in words for words in one.words), one.name


def test_names_fill_the_parameters_in_the_order_they_are_said() -> None:
    taken, *others = understood(ask_small, questions().values(), "which claims compare NEW3 against MID2?")
    assert (taken.question.name, taken.values) == ("comparisons/compare", {"a": "new3", "b": "mid2"})
    assert taken.command == "kg ask comparisons/compare --a new3 --b mid2" and len(others) == 2


@pytest.mark.parametrize("text", ["best restaurants nearby", "", "?", "NEW3 or MID2?", "\u202e \x00", "a " * 5000])
def test_unsure_words_are_refused_and_not_answered(text: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert "kg ask" in str(caught.value)


def test_what_a_question_of_all_things_cannot_answer_of_one_a_command_can() -> None:
    with pytest.raises(UnsureQuestion, match="kg conflicts mid2"):
        understood(ask_small, questions().values(), "who disagrees about the MID2")


def test_another_name_of_a_metric_fills_it_and_is_no_other_word() -> None:
    readings = wordings().readings("memory size of every GPU")
    assert not (is_sure(readings) and readings[0].question.name == "models/parameters")


def test_a_thing_that_no_question_takes_is_not_passed_over() -> None:
    readings = wordings().readings("how much power does a B200 draw")
    assert readings[0].ignored == ("b200",) and not is_sure(readings)
    with pytest.raises(UnsureQuestion, match="kg show mid2"):
        understood(ask_small, questions().values(), "how much power does the MID2 draw")
