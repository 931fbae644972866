"""What plain words about MLPerf are answered with: results of systems beside those of one accelerator, and of all rows.

The first part asks the shipped content, the second the published files, which lie beside the repository in ../shared only.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from kg.answers.first_answer import AskedRows, FirstAnswer, said_with, why_empty
from kg.answers.published import texts_first
from kg.answers.worded_question import QuestionRows
from kg.build.build import StorePlace
from kg.build.published import load_published
from kg.content.folders import find_content
from kg.ingest.sources import get_loader
from kg.render.first_lines import first_lines
from kg.session import Graph, open_graph
from kg.stores.protocol import Answer
from tests.loaders.published import DATA, skip_without
from tests.small_content import ROOT


class Answered(NamedTuple):
    """What words were taken for, and what they were answered with."""

    command: str
    answer: Answer
    first: FirstAnswer
    said: list[str]
    why: list[str]

    @property
    def line(self) -> str:
        """The line before the rows."""
        return next(iter(first_lines(self.first)), "")


def answered(graph: Graph, text: str) -> Answered:
    rows = QuestionRows(graph.ask)
    taken = graph.readings(text, rows)[0]
    asked = AskedRows(taken.question, taken.values, taken.filters, text, taken)
    answer = rows.of(taken.question, taken.values, taken.filters)
    first = graph.first_answer(asked, answer)
    return Answered(taken.command, answer, first, said_with(asked, answer), why_empty(graph, asked, answer, first))


@pytest.fixture(scope="module")
def shipped(shipped_store: Path) -> Iterator[Graph]:
    with open_graph(shipped_store) as graph:
        yield graph


@pytest.fixture(scope="module")
def loaded(shipped_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("mlperf") / "store"
    shutil.copytree(shipped_store, folder)
    content = find_content(ROOT)
    inference, training = DATA / "mlcommons-inference", DATA / "mlcommons-training"
    files = {
        "mlperf-inference": [inference / "v6.0" / "mlperf-6.0.csv", *sorted((inference / "v5.1").glob("*.*"))],
        "mlperf-training": sorted(one for one in (training / "v5.0").rglob("*") if one.is_file()),
    }
    for source, paths in files.items():
        load_published(StorePlace(folder), content, get_loader(content, source), paths)
    with open_graph(folder) as graph:
        yield graph


def test_an_official_result_is_that_of_the_system(shipped: Graph) -> None:
    for text in (
        "What is the official DeepSeek-R1 Offline result of 5.1-0071?",
        "official DeepSeek-R1 offline result of entry 5.1-0071",
        "show entry 5.1-0071 offline deepseek r1",
    ):
        found = answered(shipped, text)
        assert found.line == (
            "system result: 289,712 token/s on 72 NVIDIA GB200 GPU (NVIDIA, 5.1-0071); per accelerator 4,023.78 token/s"
        ), text
        assert any("official" in one for one in found.said)
        (row,) = found.answer.dicts()
        assert (row["result"], row["accelerators"]) == (289712.0, 72.0)
        assert str(row["result_claim"]).endswith("5.1-0071.deepseek-r1.offline.result")


def test_the_highest_system_is_ranked_by_its_result_and_the_highest_chip_by_its_own(shipped: Graph) -> None:
    of_system = answered(shipped, "Which system has the highest DeepSeek-R1 Server throughput in v6.0?")
    assert of_system.command.endswith("--highest --by result")
    assert next(iter(of_system.answer.dicts()))["result"] == 400437.0
    of_chip = answered(shipped, "Which chip has the highest DeepSeek-R1 Server throughput per accelerator in v6.0?")
    assert "--by" not in of_chip.command
    assert next(iter(of_chip.answer.dicts()))["canonical_value"] == pytest.approx(6461.61, abs=0.01)
    for found in (of_system, of_chip):
        assert found.line.startswith(
            "highest system result: 400,437 token/s on 72 NVIDIA GB300 GPU (NVIDIA, v6.0-0078)"
        )


def test_a_rack_reaches_the_results_of_its_accelerators(shipped: Graph) -> None:
    found = answered(shipped, "GB200 NVL72 Llama 3.1 405B Server v5.1")
    assert found.command.endswith("--only accelerator/nvidia-gb200-gpu --accelerators 72")
    assert [row["result"] for row in found.answer.dicts()] == [11614.3]
    assert found.said[0] == "gb200 nvl72: results of 72 NVIDIA GB200 GPU"
    used = answered(shipped, "How many accelerators did the GB200 NVL72 DeepSeek-R1 submission use?")
    assert used.line == "72 NVIDIA GB200 GPU"
    results = answered(shipped, "GB200 NVL72 results in v6.0").answer
    assert results.rows and {row["accelerators"] for row in results.dicts()} == {72.0}


def test_two_racks_are_compared_by_their_accelerators(shipped: Graph) -> None:
    text = "how much faster is GB300 NVL72 than GB200 NVL72 on DeepSeek-R1 Offline in v5.1"
    (row,) = answered(shipped, text).answer.dicts()
    assert (row["accelerators"], row["against_accelerators"]) == (72, 72)
    assert row["per_system"] == pytest.approx(420659 / 289712)


def test_what_is_unlike_on_both_sides_of_a_change_is_named(shipped: Graph) -> None:
    answer = shipped.ask("benchmarks/changes", round="round/mlperf-inference-v6.0")
    rows = {(row["accelerator"], row["task"], row["scenario"]): row for row in answer.dicts()}
    of_b200 = rows["accelerator/nvidia-b200-sxm-180gb", "task/mlperf-deepseek-r1", "scenario/server"]
    assert (of_b200["submitter_label"], of_b200["previous_submitter_label"]) == ("Nebius", "NVIDIA")
    assert of_b200["unlike"] == "submitter"
    alike = rows["accelerator/nvidia-gb300-gpu", "task/mlperf-deepseek-r1", "scenario/server"]
    assert (alike["accelerators"], alike["previous_accelerators"], alike["unlike"]) == (72, 72.0, None)


def test_a_round_that_has_rows_is_not_said_to_have_none(shipped: Graph) -> None:
    found = answered(shipped, "which H100 results are power measured in v4.1?")
    assert not any(
        "no row is of this round; there are" in one and "v4.1" in one.partition("there are")[2] for one in found.why
    )


def test_figures_of_one_accelerator_are_not_official(shipped: Graph) -> None:
    for text in ("are per accelerator results official", "are per chip results of MLPerf official?"):
        assert answered(shipped, text).line.startswith("no: MLPerf publishes results of systems"), text


def test_submitters_of_a_division_are_listed_and_not_their_results(shipped: Graph) -> None:
    found = answered(shipped, "who are the closed division submitters of v5.1")
    assert found.command.startswith("kg ask benchmarks/round-submitters ")
    assert {row["division"] for row in found.answer.dicts()} == {"division/closed"}


@skip_without("mlcommons-inference")
@skip_without("mlcommons-training")
class TestOfPublishedFiles:
    """The figures are those of the published tables of v5.1 and v6.0, and of the training round v5.0."""

    def test_the_system_with_the_highest_result_is_first(self, loaded: Graph) -> None:
        found = answered(loaded, "Which system has the highest total DeepSeek-R1 Server throughput in v6.0?")
        first = next(iter(found.answer.dicts()))
        assert (first["entry"], first["result"], first["accelerators"]) == ("v6.0-0076", 1555110.0, 288.0)
        assert "highest per accelerator: 8,063.75 token/s on 8 NVIDIA GB300 GPU (Nebius" in found.line

    def test_a_result_that_two_files_list_is_counted_once(self, loaded: Graph) -> None:
        found = texts_first(loaded.ask, loaded.ask("claims/of-metric", thing="GB200", metric=("accelerators-used",)))
        assert 0 < found.results < found.rows

    def test_an_entry_says_how_many_accelerators_it_used(self, loaded: Graph) -> None:
        found = answered(loaded, "how many accelerators did entry v6.0-0001 use")
        assert found.line == "87 AMD Instinct MI355X"
        assert 1042110.0 in {row["result"] for row in found.answer.dicts()}

    def test_a_change_between_unlike_systems_says_so(self, loaded: Graph) -> None:
        answer = loaded.ask("benchmarks/changes", round="round/mlperf-inference-v6.0")
        (row,) = [
            row
            for row in answer.dicts()
            if (row["accelerator"], row["task"], row["scenario"])
            == ("accelerator/nvidia-gb300-gpu", "task/mlperf-deepseek-r1", "scenario/server")
        ]
        assert (row["submitter_label"], row["accelerators"]) == ("Nebius", 8)
        assert (row["previous_submitter_label"], row["previous_accelerators"]) == ("NVIDIA", 72.0)
        assert row["unlike"] == "submitter, accelerators"

    def test_the_fastest_training_is_first_however_few_rows_are_shown(self, loaded: Graph) -> None:
        for text in (
            "who trained Llama 3.1 405B fastest in MLPerf Training v5.0",
            "fastest training of Llama 3.1 405B in MLPerf Training v5.0",
        ):
            found = answered(loaded, text)
            first = next(iter(found.answer.dicts()))
            assert (first["accelerators"], first["submitter_label"]) == (8192.0, "NVIDIA"), text
            assert found.line.startswith("shortest: 19.64 min by 8,192 NVIDIA H100 SXM 80GB (NVIDIA)"), text

    def test_open_results_of_a_task_are_named_as_open(self, loaded: Graph) -> None:
        found = answered(loaded, "which is the best AMD result on Llama 3.1 405B")
        assert {row["result"] for row in found.answer.dicts()} == {1942.15, 2019.04}
        assert "open division" in found.line
        assert "model/llama3.1-405b-pruned" in found.said[0]

    def test_who_has_most_results_says_how_many_are_open(self, loaded: Graph) -> None:
        found = answered(loaded, "Which submitter has the most results in v5.1?")
        assert found.line == (
            "most results: GATEOverflow, 841, of which 800 are open; in the closed division: Dell, 78"
        )
