"""The terminal, the pages and the tools for programs begin an answer with the same line: none knows more than the others."""

import html
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from starlette.testclient import TestClient

import kg
from kg.answers.first_answer import AskedRows
from kg.ask.question import Question
from kg.mcp.answers import number_answer
from kg.mcp.question_rows import rows_answer
from kg.render.first_lines import first_lines
from kg.session import open_graph
from kg.web.app import make_app
from tests.opened_program import OpenedOnce, run_opened_text

IN_WORDS = (
    "h200 power",
    "memory of the H100",
    "memory bandwidth of B200 and MI300X",
    "how many results did Dell submit",
    "how many claims are wrong",
    "which source is wrong most often",
    "cheapest chip per million tokens",
    "which is the fastest GPU",
    "best results",
    "measured speed up of the B200 over the H100",
    "how much faster is THE B200 than the H100 in measured results",
    "power of 8 H100",
    "who cites Gartner",
    "GPUs with more than 4 TB/s",
    "what changed between v5.0 and v5.1",
    "fastest time to train llama2-70b-lora",
    "price of the H100",
    "prices of MI325X and H200",
    "which claims are wrong",
    "memory of the H100 PCIe",
    "which chip has most memory",
)


class Surfaces:
    """The same graph on the terminal, on pages and for programs."""

    def __init__(self, store: Path, graph: "kg.Graph", client: TestClient, opened: OpenedOnce) -> None:
        self.store, self.graph, self.client, self.opened = store, graph, client, opened

    def terminal(self, *words: str) -> str:
        """The first line that `kg ask` writes."""
        return self.terminal_of("ask", *words)

    def terminal_of(self, *words: str) -> str:
        """The first line that a command writes."""
        environment = {**os.environ, "KG_STORE": str(self.store), "COLUMNS": "1000"}
        done = run_opened_text(*words, folder=self.store, environment=environment, opened=self.opened)
        return done.stdout.partition("\n")[0]

    def page(self, address: str) -> str:
        """The line in which a page answers; empty where it has none."""
        text = self.client.get(address, follow_redirects=True).text
        found = re.search(r'<p class="lead"><strong>(.*?)</strong></p>', text)
        return html.unescape(found[1]) if found else ""


@pytest.fixture(scope="module")
def surfaces(shipped_store: Path) -> Iterator[Surfaces]:
    opened = OpenedOnce(shipped_store)
    graph = open_graph(shipped_store)
    with TestClient(make_app(graph), raise_server_exceptions=False) as client:
        yield Surfaces(shipped_store, graph, client, opened)
    opened.close()


def _expected(graph: "kg.Graph", question: Question) -> str:
    values: dict[str, Any] = dict(question.example)
    found = graph.first_answer(AskedRows(question, values), graph.ask(question.name, **values))
    return next(iter(first_lines(found)), "")


def test_each_saved_question_begins_with_the_same_line_everywhere(surfaces: Surfaces) -> None:
    begun = 0
    for place, question in enumerate(surfaces.graph.questions().values()):
        expected, values = _expected(surfaces.graph, question), dict(question.example)
        tool = rows_answer(surfaces.graph, question.name, values, 3).sentence
        assert tool.startswith(expected or question.question), question.name
        if expected or place % 10 == 0:  # a page has texts and a chart too, and takes its time
            assert surfaces.page(f"/questions/{question.name}") == expected, question.name
        if expected:
            begun += 1
            given = [
                word
                for name, value in values.items()
                for one in (value if isinstance(value, list | tuple) else (value,))
                for word in (f"--{name}", str(one))
            ]
            assert surfaces.terminal(question.name, *given) == expected
    assert begun >= 5


@pytest.mark.parametrize("text", IN_WORDS)
def test_plain_words_are_answered_in_the_same_line_everywhere(surfaces: Surfaces, text: str) -> None:
    first = surfaces.page(f"/find?{urlencode({'q': f'{text}?'})}")
    tool = rows_answer(surfaces.graph, text, {}, 3)
    if first:
        assert tool.sentence.startswith(first.removesuffix("."))
        assert surfaces.terminal(*shlex.split(text)) == first
    else:
        assert tool.sentence.startswith(surfaces.graph.questions()[tool.question].question)


def test_which_of_two_is_faster_is_answered_by_official_results(surfaces: Surfaces) -> None:
    line = (
        "computed from official results: NVIDIA B200 series over NVIDIA H100 series 1.59x to 4.4x in throughput per accelerator, "
        "by task, scenario and round"
    )
    for text in ("how much faster is B200 than H100", "is the H100 faster than the B200", "B200 vs H100"):
        assert surfaces.terminal(text) == line, text
    for text in ("B200 vs H100 memory", "is the B200 faster than the H100 in training"):
        assert not surfaces.terminal(text).startswith("official"), text


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (
            "which chip has the most bandwidth",
            "to 8.00 TB/s (AMD Instinct MI355X, confirmed, and 4 more with the same)",
        ),
        ("which chip draws most power", "to 1400 W (AMD Instinct MI355X, confirmed, and 1 more with the same)"),
        ("which chip has most memory", "to 288 GB (AMD Instinct MI350X, unverified, and 2 more with the same)"),
    ],
)
def test_of_things_with_the_highest_value_the_best_founded_is_named_and_the_others_are_counted(
    surfaces: Surfaces, text: str, most: str
) -> None:
    assert surfaces.terminal(text).endswith(most)


@pytest.mark.parametrize("asked", [("1.5x", ("B200", "H100")), ("9x", ("B200",))])
def test_what_official_results_give_of_a_traced_ratio_is_told_everywhere(
    surfaces: Surfaces, asked: tuple[str, tuple[str, ...]]
) -> None:
    number, about = asked
    official = surfaces.graph.official_ratio(surfaces.graph.trace(number, about=about))
    assert official is not None and number_answer(surfaces.graph, number, 3, about).official == official.worded
    page = surfaces.client.get(f"/number/{number}?{urlencode([('about', one) for one in about])}").text
    assert official.worded[1:] in page
    if len(about) > 1:  # what the two that were named give is part of the answer itself
        said = f"{official.worded[:1].upper()}{official.worded[1:]}."
        assert said in page and number_answer(surfaces.graph, number, 3, about).sentence.endswith(said)


@pytest.mark.parametrize(("number", "about"), [("$190,000", "H100"), ("800 W", "H100"), ("3.35 GB/s", "H100")])
def test_of_whom_a_number_is_stated_is_said_first_everywhere(surfaces: Surfaces, number: str, about: str) -> None:
    found = surfaces.graph.trace(number, about=[about])
    page = html.unescape(surfaces.client.get(f"/number/{quote(number, safe='')}?about={about}").text)
    assert f">{found.judged}</h1>" in page and f'<p class="lead">{found.judgement}</p>' in page
    assert number_answer(surfaces.graph, number, 3, [about]).sentence == found.sentence
    assert surfaces.terminal_of("trace", number, "--about", about).startswith(found.sentence[:60])


def test_the_page_of_a_claim_tells_what_official_results_give_of_the_two_that_it_compares(surfaces: Surfaces) -> None:
    ratios = [
        one["claim"]
        for one in surfaces.graph.ask("comparisons/compare", a="GB200", b="H200").dicts()
        if one["metric"] in ("metric/performance", "metric/inference-speed")
    ]
    told = [surfaces.client.get(f"/claim/{one}").text for one in ratios]
    assert any("computed from official results: " in one for one in told)
