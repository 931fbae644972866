"""Names where ids are asked for: what they become, and what is said of names nobody knows."""

from typing import Any

import pytest

from kg.ask.id_names import metric_called, with_ids, with_metrics
from kg.ask.question import Column, Parameter, Question, ValueRefused
from tests.ask.harness import ask_small


def question(*parameters: Parameter) -> Question:
    return Question("t/q", "", "", parameters, (Column("a", "text"),), (), {}, "")


def given(name: str, value: object, **more: Any) -> object:
    parameter = Parameter(name, more.pop("type", "id"), **more)
    return with_ids(ask_small, question(parameter), {name: value})[name]


def test_ids_stay_and_names_become_ids() -> None:
    assert given("thing", "org/lab") == "org/lab"
    assert given("org", "Lab") == "org/lab"
    assert given("org", ["Lab", "org/lab"], type="list-of-id") == ("org/lab",)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("memory-bandwidth", "memory-bandwidth"),
        ("metric/memory-bandwidth", "memory-bandwidth"),
        ("Memory Bandwidth", "memory-bandwidth"),
        ("TTFT", "latency"),
        ("time-to-first-token", "latency"),
        ("no such metric", None),
        ("", None),
    ],
)
def test_a_metric_is_known_by_its_id_its_label_and_its_synonyms(name: str, metric: str | None) -> None:
    assert metric_called(ask_small, name) == metric


def test_a_metric_may_be_given_by_a_synonym_wherever_a_question_takes_one() -> None:
    asked = question(Parameter("metric", "list-of-metric"), Parameter("text", "text"))
    values = {"metric": ("ttft", "memory bandwidth", "nothing"), "text": "ttft"}
    assert with_metrics(ask_small, asked, values) == {
        "metric": ("latency", "memory-bandwidth", "nothing"),
        "text": "ttft",
    }


def test_a_name_of_another_kind_or_of_nothing_is_refused_with_names_of_the_right_kind() -> None:
    with pytest.raises(ValueRefused, match="is no name of a model"):
        given("model", "Lab")
    with pytest.raises(ValueRefused, match="Did you mean org/lab"):
        given("org", "Labb")
