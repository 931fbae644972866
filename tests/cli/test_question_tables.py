"""Every saved question on a terminal of 80 columns: its figures are there, ids are typed as they stand, and lines fit."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from kg.answers.first_answer import SUMMED_UP
from kg.cli.app import run
from kg.session import open_graph
from tests.cli.conftest import Kg

pytestmark = pytest.mark.usefixtures("opened_once")


def asked(store: Path, name: str, example: dict[str, object]) -> str:
    values = [
        word
        for key, given in example.items()
        for one in (given if isinstance(given, list | tuple) else [given])
        for word in (f"--{key}", str(one))
    ]
    shown = io.StringIO()
    with redirect_stdout(shown), redirect_stderr(io.StringIO()):
        assert run(["ask", name, *values, "--limit", "4", "--store", str(store)]) == 0, name
    return shown.getvalue()


def test_every_question_fits_a_terminal_of_80_columns(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with open_graph(store) as graph:
        questions = dict(graph.questions())
    for name, question in questions.items():
        shown = asked(store, name, dict(question.example or {}))
        # the line on all rows is one line everywhere: a terminal folds it
        for line in shown.splitlines()[
            name in SUMMED_UP :
        ]:  # an id alone is never folded, so a line may hold one and its name
            assert len(line) <= 80 or len(line.split()) <= 3, (name, line)
        assert "unstated;" not in shown and "metric/" not in shown.replace("[metric/", ""), name


def test_a_measured_value_is_never_left_out(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    example = {"model": "model/deepseek-r1", "scenario": "scenario/offline"}
    for name in ("benchmarks/best", "benchmarks/measured"):
        shown = asked(store, name, dict(example))
        assert "token/s" in shown and "task: MLPerf DeepSeek-R1" in shown, shown
        if name == "benchmarks/best":  # results of edge systems are ranked beside those of datacenters
            assert "category: datacenter" in shown, shown


def test_two_things_and_a_metric_begin_with_both_values(kg: Kg) -> None:
    shown = kg("ask", "which has more memory, MI300X or H200").stdout
    assert shown.startswith("memory capacity: AMD Instinct MI300X 192 GB (") and "NVIDIA H200 series 141 GB (" in shown
    assert kg("ask", "MI300X versus H200").stdout.startswith("computed from official results: NVIDIA H200 series")
    (beside,) = json.loads(kg("ask", "which has more memory, MI300X or H200", "--format", "json").stdout)[
        "side_by_side"
    ]
    assert (beside["metric"], beside["a"]["value"], beside["b"]["value"]) == ("memory-capacity", "192 GB", "141 GB")


def test_a_thing_and_a_metric_begin_with_the_value_to_use(kg: Kg) -> None:
    asked = "How much memory bandwidth does an H200 have?"
    assert kg("ask", asked).stdout.startswith("memory bandwidth: NVIDIA H200 series 4.8 TB/s (confirmed)\n")
    (value,) = json.loads(kg("ask", asked, "--format", "json").stdout)["values"]
    assert (value["id"], value["value"], value["verdict"]) == ("family/nvidia-h200", "4.8 TB/s", "confirmed")


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("how much does an H200 cost", "purchase price, per-chip: NVIDIA H200 series $12,000 (unverified)"),
        ("cost of renting B200", "rental price, per-node: Omniyq rental server with 8 B200 $ 13000/month (unverified)"),
        (
            "how much does it cost to rent an H100",
            "rental price, per-node: Omniyq rental server with 8 H100 $ 8000/month (caution)",
        ),
    ],
)
def test_what_one_thing_costs_begins_with_the_price_to_use(kg: Kg, asked: str, first: str) -> None:
    assert kg("ask", asked).stdout.startswith(f"{first}\n")


def test_a_metric_over_all_chips_begins_with_how_far_it_reaches_without_what_is_only_expected(kg: Kg) -> None:
    first = kg("ask", "Which accelerator has the most memory?").stdout.splitlines()[0]
    assert first.startswith("memory capacity is stated from 16 GB (") and " to 288 GB (" in first


def test_values_of_variants_that_differ_are_told_with_the_variant(kg: Kg) -> None:
    done = kg("ask", "which has more fp16 flops, H200 or H100")
    assert (
        "NVIDIA H100 series 989 TFLOP/s of NVIDIA H100 SXM 80GB; 756 TFLOP/s of NVIDIA H100 PCIe 80GB (" in done.stdout
    )
    assert "no claim compares them; the figures are stated of each by itself" in done.stderr
    assert kg("ask", "H100 power vs GB200").stdout.startswith(
        "power: NVIDIA H100 series 700 W (confirmed), NVIDIA GB200 "
    )
    assert (
        "power, superchip: NVIDIA GB200 Superchip (two Blackwell GPUs and one Grace CPU) 2700 W ("
        in kg("ask", "GB200 power").stdout
    )


def test_the_parts_of_a_system_are_counted(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = asked(store, "how many B200 are in a DGX B200", {})
    assert "NVIDIA DGX B200  NVIDIA B200 SXM 180GB      8\n" in shown
    assert "\n  mlcommons-inference-v5.1/5.1-0060.stable-diffusion-xl.offline.accelerators\n" in shown


def test_sources_are_named_below_the_rows(kg: Kg) -> None:
    shown = kg("ask", "models/parameters").stdout
    assert "\nSources: 000 AI research note on GB200 training migrations; 001 SemiAnalysis" in shown
    assert "modality" not in shown


def test_findings_open_with_the_gravest_on_one_screen_that_says_how_to_see_the_rest(kg: Kg) -> None:
    words = ("ask", "audit/findings", "--source", "source/002")
    every = json.loads(kg(*words, "--format", "json").stdout)
    ranks = [row["severity_rank"] for row in every]
    assert ranks == sorted(ranks) and {row["severity"] for row in every} == {"violation", "warning", "info"}
    shown = kg(*words).stdout.splitlines()
    assert len(shown) <= 40 and "violation" in "".join(shown[:6])
    count, _, rest = shown[-1].partition(" of ")
    assert int(count) > 1 and rest == f"{len(every)} rows; --limit {len(every)} shows all"
    whole = kg(*words, "--limit", str(len(every)))
    assert len(whole.stdout.splitlines()) > 1000 and "--limit" not in whole.stdout + whole.stderr
