"""Plain words are answered by a reading that has rows, and no question is asked twice."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.answers.sheet import specs
from kg.answers.stated_values import values_of
from kg.answers.worded_question import QuestionRows, answered_readings, figures_meant, traced_figure
from kg.ask.question import ValueRefused
from kg.ask.row_filters import RowFilter, filtered
from kg.ask.unsure_question import UnsureQuestion
from kg.ask.wording import understood
from kg.session import Graph, open_graph
from kg.stores.protocol import Answer


@pytest.fixture
def graph(shipped_store: Path) -> Iterator[Graph]:
    with open_graph(shipped_store) as opened:
        yield opened


class Counted:
    """Asks a graph, and keeps what it was asked."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names: list[str] = []

    def __call__(self, name: str, /, **values: Any) -> Answer:
        self.names.append(name)
        return self.graph.ask(name, **values)


def asked(graph: Graph, text: str, **options: Any) -> tuple[str, str, Counted]:
    """What would be taken by likelihood alone, and what is taken, once its rows are read too."""
    counted = Counted(graph)
    likeliest = understood(graph.ask, graph.questions().values(), text, graph.lexicon.metric_words)[0]
    rows = QuestionRows(counted, **options)
    taken = answered_readings(graph.ask, graph.questions(), graph.lexicon.metric_words, text, rows)[0]
    rows.of(taken.question, taken.values, taken.filters)
    return likeliest.question.name, taken.question.name, counted


def test_the_question_that_is_taken_is_asked_once(graph: Graph) -> None:
    for options in ({}, {"limit": 3}, {"sums_published": True}):
        _, taken, counted = asked(graph, "memory bandwidth of the H200", **options)
        assert counted.names.count(taken) == 1, options


@pytest.mark.parametrize(
    "asked_of",
    [
        lambda graph, text: graph.ask(text),
        lambda graph, text: graph.trace(text),
        lambda graph, text: graph.trace("500", about=[text]),
        lambda graph, text: graph.referent(text),
        lambda graph, text: graph.referent(*text.split()),
    ],
)
def test_words_without_an_end_are_refused_before_they_are_read(
    graph: Graph, asked_of: Callable[[Graph, str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.ask.wording.with_metric_meant", lambda *_: pytest.fail("read"))
    monkeypatch.setattr("kg.answers.number.read_asked", lambda *_: pytest.fail("read"))
    with pytest.raises(ValueRefused) as refused:
        asked_of(graph, "141 GB × 8 " * 200)
    assert "characters" in str(refused.value.given) and len(str(refused.value)) < 400


def test_a_reading_that_ignores_a_name_gives_way_to_the_claims_of_what_is_named(graph: Graph) -> None:
    _, taken, counted = asked(graph, "MFU of GPT-3 training")
    assert taken == "claims/of-metric"
    assert sorted(counted.names) == sorted(set(counted.names)), "each of them once"


def test_where_nothing_alike_has_rows_the_likeliest_stays_and_no_other_topic_is_answered(graph: Graph) -> None:
    likeliest, taken, _ = asked(graph, "fastest training of GPT-3")
    assert likeliest == taken == "benchmarks/measured-times"


def test_a_metric_without_specifications_is_answered_with_the_kind_of_claims_that_there_are(graph: Graph) -> None:
    """Shares of a market are no specifications: there was no row, though three claims give one."""
    rows = QuestionRows(graph.ask)
    taken = graph.readings("who has the largest market share", rows)[0]
    assert taken.command == "kg ask specifications/by-metric --metric market-share --kind market --highest"
    found = rows.of(taken.question, taken.values, taken.filters).dicts()
    assert [row["printed"] for row in found] == ["90%", "80%", "60%"]
    assert "--kind" not in graph.readings("which chip has the most memory", rows)[0].command


def test_filters_are_kept_before_the_limit_cuts(graph: Graph) -> None:
    rows = QuestionRows(graph.ask, limit=2)
    question = graph.questions()["prices/claims"]
    every, cut = graph.ask(question.name), rows.of(question, {})
    assert len(every.rows) > 2 == len(cut.rows) and not cut.complete
    kept = rows.of(question, {}, [RowFilter("purchase-price", frozenset({"metric"}))])
    assert [row["metric"] for row in kept.dicts()] == ["metric/purchase-price"] * 2 and not kept.complete


def test_prices_of_one_thing_are_read_of_it_alone(graph: Graph) -> None:
    """Of ten thousand rental prices those of one chip are few: the filter of the rows is a value of the question too."""
    counted: list[tuple[str, dict[str, Any]]] = []

    def ask(name: str, /, **values: Any) -> Answer:
        counted.append((name, values))
        return graph.ask(name, **values)

    question = graph.questions()["prices/claims"]
    wanted = RowFilter("H200", frozenset({"family", "config"}))
    kept = QuestionRows(ask).of(question, {}, [wanted])
    assert kept.rows == filtered(graph.ask, question, graph.ask(question.name), [wanted]).rows != ()
    (values,) = (values for name, values in counted if name == question.name)
    assert {row["subject"] for row in kept.dicts()} <= set(values["subjects"])
    of_metric = QuestionRows(ask).of(question, {}, [RowFilter("purchase-price", frozenset({"metric"}))])
    assert of_metric.rows and counted[-1] == (question.name, {"limit": None})


def test_the_values_of_a_price_are_those_of_the_whole_sheet(graph: Graph) -> None:
    counted = Counted(graph)
    (found,) = values_of(counted, "H200", ["purchase-price"])
    assert found in specs(graph.ask, "H200").rows
    assert not {"entities/claim-counts", "benchmarks/measured", "comparisons/of-thing"} & set(counted.names)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("who said 4.8 TB/s first", ["4.8 TB/s"]),  # the digits alone are those of many figures
        ("who says 72,428 tokens per second", ["72,428 token/s", "72,428"]),
        ("who said $5.6 million", ["$5.6 million"]),  # not 5.6
        ("who says $1.42/hr", ["$1.42/hr"]),
        ("what else falls if 4,100 is wrong?", []),
    ],
)
def test_a_figure_is_meant_unless_the_words_are_of_another_command(graph: Graph, text: str, figures: list[str]) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(graph.ask, graph.questions().values(), text, graph.lexicon.metric_words)
    assert list(figures_meant(caught.value)) == figures


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("who claims 40 PFLOPS", "40 PFLOPS"),  # nobody; 40% is printed four times
        ("who says Blackwell is 25x more energy efficient", "25x"),
        ("what is wrong with the 3.4x claim", "3.4x"),
        ("who says 72,428 tokens per second", "72,428"),  # which are samples where they are printed
    ],
)
def test_a_figure_that_nobody_states_is_traced_too(graph: Graph, text: str, figure: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(graph.ask, graph.questions().values(), text, graph.lexicon.metric_words, graph.lexicon.units)
    assert traced_figure(caught.value, lambda given: bool(graph.trace(given).claims)) == figure


def test_python_answers_as_the_terminal_does(graph: Graph) -> None:
    told: list[str] = []
    graph.tell, before = told.append, graph.tell
    try:
        answer = graph.ask("MFU of GPT-3 training", limit=1)
    finally:
        graph.tell = before
    assert told[0].startswith("asked: kg ask claims/of-metric --thing") and len(answer.rows) == 1


def test_a_metric_of_hardware_on_a_model_is_asked_for_with_both(graph: Graph) -> None:
    answer = graph.ask("What is the MFU of Llama 3 70B on H100")
    assert answer.rows and {row["metric"] for row in answer.dicts()} <= {"metric/mfu", "metric/utilisation"}
    assert all(str(row["claim"]).startswith("001/llama3-70b.mfu") for row in answer.dicts())


def test_two_things_that_no_text_compares_on_a_model_are_compared_by_their_results(graph: Graph) -> None:
    likeliest, taken, _ = asked(graph, "How fast is Nvidia's B200 compared to the H100 on Llama 2 70B?")
    assert (likeliest, taken) == ("comparisons/compare", "benchmarks/gains")


def test_what_was_never_measured_is_no_answer_to_what_was(graph: Graph) -> None:
    _, taken, _ = asked(graph, "which models were benchmarked on the MI325X")
    assert taken != "benchmarks/never-measured"
