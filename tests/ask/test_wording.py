"""Questions in plain words: a hundred needs in three wordings each, others that were not looked at when words were chosen, and what is no question."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml

from kg.ask.plain_words import stems
from kg.ask.wording import UnsureQuestion, Wordings, is_sure, understood
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.model.names import all_names, name_key
from tests.ask.harness import CHECKOUT, ask_small, metrics, questions

HELD_OUT = CHECKOUT / "tests" / "cases" / "wordings-held-out.txt"
FILE = CHECKOUT / "tests" / "cases" / "wordings.yaml"


@cache
def wordings() -> Wordings:
    names = {one.key: one.names for one in all_names(read_registry(Content(CHECKOUT)).records)}
    keys: dict[str, str] = {}
    for name, one in metrics().items():
        keys |= {name_key(word): name for word in (name, one["label"])}
    words = [[name_key(one["label"]), *map(name_key, one.get("synonyms", ()))] for one in metrics().values()]
    return Wordings(questions().values(), names, keys, words)


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


def test_wordings_written_before_they_were_measured_are_ranked_first_and_seldom_answered_wrongly() -> None:
    lines = [line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if "|" in line and line[0] != "#"]
    first = 0
    wrong = []
    for line in lines:
        text, wanted, values = (part.strip() for part in line.split("|"))
        readings, taken = wordings().understood(text)
        best = taken or readings[0]
        given = name_key(f"{best.values} {best.filters}").replace(" ", "-")
        fits = best.question.name in wanted.split(", ") and all(one in given for one in values.split(", "))
        first += fits
        wrong += [] if fits or taken is None else [f"{text}: {taken.command}"]
    assert len(lines) == 463 and first >= 0.9 * len(lines)
    assert len(wrong) <= 0.02 * len(lines), wrong


def test_what_is_no_question_of_ours_is_not_answered() -> None:
    assert [text for text, _, _ in told("strange") if is_sure(wordings().readings(text))] == []


def test_every_word_of_a_header_leads_to_its_question() -> None:
    for one in questions().values():
        assert all(list(stems(words)) or " " in words for words in one.words), one.name


def test_names_fill_the_parameters_in_the_order_they_are_said() -> None:
    taken, *others = understood(ask_small, questions().values(), "which claims compare NEW3 against MID2?")
    assert (taken.question.name, taken.values) == ("comparisons/compare", {"a": "new3", "b": "mid2"})
    assert taken.command == "kg ask comparisons/compare --a new3 --b mid2" and len(others) == 2


@pytest.mark.parametrize(
    "text", ["what does Mistral say about GB200", "is the MI300X compared to Intel chips anywhere"]
)
def test_an_organisation_is_no_side_of_a_comparison(text: str) -> None:
    readings, taken = wordings().understood(text)
    assert (taken or readings[0]).question.name != "comparisons/compare"


@pytest.mark.parametrize("text", ["best restaurants nearby", "", "?", "\u202e \x00", "a " * 5000])
def test_unsure_words_are_refused_and_not_answered(text: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert "kg ask" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("what do the texts say about Llama 2 70B", "models/claims-of-model"),
        ("what do we know about the Gaudi 3", "specifications/all-claims"),
        ("H200", "specifications/all-claims"),
    ],
)
def test_a_thing_that_is_named_alone_is_asked_for_with_all_its_claims(text: str, question: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is not None and taken.question.name == question


@pytest.mark.parametrize(
    "text", ["what did MLPerf measure for the B200", "gaps in the published results of the MI355X"]
)
def test_what_is_there_and_what_is_not_there_are_not_mistaken(text: str) -> None:
    _, taken = wordings().understood(text)
    denies = taken is not None and taken.question.name in ("benchmarks/never-measured", "coverage/absent-cells")
    assert taken is None or denies == text.startswith("gaps")


def test_a_figure_in_words_that_mean_no_question_leads_to_trace() -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), "who said 4.8 TB/s first")
    assert "kg trace '4.8 TB/s'" in str(caught.value)


def test_two_things_alone_are_compared() -> None:
    taken, *_ = understood(ask_small, questions().values(), "NEW3 or MID2?")
    assert (taken.question.name, taken.values) == ("comparisons/compare", {"a": "new3", "b": "mid2"})


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("purchase prices of the MID2", "kg ask prices/claims --metric purchase-price --only mid2"),
        ("who disagrees about the MID2", "kg ask disputes/same-key --only mid2"),
        ("rental prices since 2024", "kg ask prices/claims --metric rental-price --since 2024"),
        ("rental prices in 2024-05", "kg ask prices/claims --metric rental-price --since 2024-05 --until 2024-05"),
        ("rental prices before 2025", "kg ask prices/claims --metric rental-price --until 2024"),
    ],
)
def test_what_no_parameter_takes_narrows_the_rows(text: str, command: str) -> None:
    assert understood(ask_small, questions().values(), text)[0].command == command


def test_another_name_of_a_metric_fills_it_and_is_no_other_word() -> None:
    readings = wordings().readings("memory size of every GPU")
    assert not (is_sure(readings) and readings[0].question.name == "models/parameters")


def test_a_thing_that_no_parameter_takes_is_not_passed_over() -> None:
    taken = wordings().readings("how much power does a B200 draw")[0]
    assert (taken.question.name, [one.options for one in taken.filters]) == ("energy/claims", [("--only", "b200")])
