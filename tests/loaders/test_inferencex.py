"""InferenceX: points of a curve, accuracy and runs, on small files of our own and on the published answers."""

import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.loaders.published import CASES, DATA, Json, Load, both_orders, load, skip_without
from tests.sampling import first

SMALL = CASES / "inferencex"
PUBLISHED = DATA / "semianalysis-inferencex"
POINTS = SMALL / "2031-01-10" / "benchmarks.json"


def of_hardware(found: Load, hardware: str, claim: str) -> Json:
    """The one claim of a name about a kind of hardware."""
    (one,) = [
        one for name, one in found.claims.items() if one["subject_printed"] == hardware and name.endswith(f".{claim}")
    ]
    return one


def test_points_without_what_distinguishes_them_are_told(tmp_path: Path) -> None:
    """They were loaded without a word, with fewer conditions than they had."""
    lacking = ("precision", "disagg", "num_decode_gpu")
    points = [{key: one[key] for key in one if key not in lacking} for one in json.loads(POINTS.read_text())]
    path = tmp_path / "benchmarks.json"
    path.write_text(json.dumps(points[:1]))
    (report,) = load("inferencex", [path], tmp_path / "store").reports
    assert [one.told("a.json") for one in report.warnings] == [
        "a.json: no column precision in 1 row: without it no point has its precision",
        "a.json: no column disagg in 1 row: without it nothing says whether prefill and decode are apart",
        "a.json: no column num_decode_gpu in 1 row: without it no point has its number of GPUs",
    ]


def test_a_point_keeps_its_conditions_and_day(tmp_path: Path) -> None:
    found = load("inferencex", [POINTS], tmp_path)
    assert (found.reports[0].read, found.reports[0].loaded, found.reports[0].codes) == (4, 3, {"names.unresolved": 1})
    claim = of_hardware(found, "b200", "throughput-per-gpu")
    assert (claim["quantity"]["value"], claim["normaliser"], claim["level"], claim["as_of"]) == (
        200.5,
        "per-chip",
        "accelerator",
        "2031-01-02",
    )
    conditions = claim["conditions"]
    assert (conditions["accelerators"], conditions["concurrency"], conditions["includes"]) == (
        4,
        4,
        "input and output tokens",
    )
    assert conditions["parallelism"] == "prefill tensor 4 expert 1, decode tensor 4 expert 1, speculation none"
    assert (conditions["model"], conditions["precision"]) == ("model/deepseek-r1", "precision/fp4")
    assert "derivations" not in claim


def test_parts_of_a_split_run_are_counted_by_their_own_gpus(tmp_path: Path) -> None:
    found = load("inferencex", [POINTS], tmp_path)
    both, read, written = (of_hardware(found, "gb300", f"{one}throughput-per-gpu") for one in ("", "input-", "output-"))
    assert [one["conditions"]["accelerators"] for one in (both, read, written)] == [24, 8, 16]
    total = read["quantity"]["value"] * 8 + written["quantity"]["value"] * 16
    assert both["quantity"]["value"] == total / 24
    assert "per GPU of the decode part" in written["conditions"]["includes"]


def test_a_total_that_is_printed_twice_is_not_added_up(tmp_path: Path) -> None:
    found = load("inferencex", [POINTS], tmp_path)
    assert of_hardware(found, "gb200", "throughput-per-gpu")["conditions"]["accelerators"] == 48
    assert "accelerators" not in of_hardware(found, "gb200", "input-throughput-per-gpu")["conditions"]
    assert found.reports[0].remarks == {"total_printed_twice": 1}


def test_accuracy_is_of_the_model_on_the_hardware(tmp_path: Path) -> None:
    found = load("inferencex", [SMALL / "evaluations.json"], tmp_path)
    strict = next(one for name, one in found.claims.items() if name.endswith("accuracy-strict"))
    assert (strict["subject"], strict["quantity"]["value"], strict["quantity"]["unit"]) == (
        "model/deepseek-r1",
        0.95,
        "share",
    )
    assert (strict["conditions"]["tested_on"], strict["conditions"]["entry"]) == ("family/nvidia-b200", "7")


def test_runs_that_differ_in_speculation_are_two(tmp_path: Path) -> None:
    found = load("inferencex", [SMALL / "availability.json"], tmp_path)
    assert (found.reports[0].shape, found.reports[0].loaded) == ("availability", 2)
    assert {one["conditions"]["model"] for one in found.claims.values()} == {"model/llama-3-3-70b"}
    assert len({one["conditions"]["parallelism"] for one in found.claims.values()}) == 2


def test_a_later_answer_supersedes_a_point_of_the_same_day_only(tmp_path: Path) -> None:
    later = both_orders("inferencex", POINTS, SMALL / "2031-02-10" / "benchmarks.json", tmp_path)
    values = {
        one["as_of"]: one["quantity"]["value"]
        for name, one in later.claims.items()
        if one["subject_printed"] == "b200" and name.endswith(".throughput-per-gpu")
    }
    assert values == {"2031-01-02": 210, "2031-02-02": 260}
    alone = load("inferencex", [SMALL / "2031-02-10" / "benchmarks.json"], tmp_path / "alone")
    assert set(alone.reports[0].unknown_columns) == {"metrics/p42_ttft", "price"}


@cache
def raw(name: str) -> list[dict[str, Any]]:
    """The objects of a published answer."""
    content = (PUBLISHED / name).read_bytes()
    rows: list[dict[str, Any]] = json.loads(gzip.decompress(content) if name.endswith(".gz") else content)
    return rows


HISTORY = "benchmarks-history.json.gz"  # of the form of the latest answer, and four times as long


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Load]:
    """A published answer by itself."""
    return cache(lambda name: load("inferencex", [PUBLISHED / name], tmp_path_factory.mktemp("store")))


@skip_without("semianalysis-inferencex")
@pytest.mark.parametrize("name", first(3, ["benchmarks.json", "evaluations.json", "availability.json", HISTORY]))
def test_every_object_is_loaded(published: Callable[[str], Load], name: str) -> None:
    report = published(name).reports[0]
    assert (report.read, report.loaded, report.unknown_columns) == (len(raw(name)), len(raw(name)), ())
    assert name != "benchmarks.json" or report.remarks == {"total_printed_twice": 8}


@skip_without("semianalysis-inferencex")
@pytest.mark.parametrize("name", first(1, ["benchmarks.json", HISTORY]))
@pytest.mark.parametrize(
    ("metric", "claim"),
    [
        ("tput_per_gpu", ".throughput-per-gpu"),
        ("output_tput_per_gpu", ".output-throughput-per-gpu"),
        ("median_intvty", ".interactivity-median"),
        ("median_ttft", ".ttft-median"),
        ("p99_tpot", ".tpot-p99"),
        ("median_e2el", ".end-to-end-median"),
        ("avg_power_w", ".power"),
        ("joules_per_output_token", ".energy-per-output-token"),
    ],
)
def test_every_measure_is_the_raw_one(published: Callable[[str], Load], name: str, metric: str, claim: str) -> None:
    found = {
        one["anchor"]["pointer"].split("/")[1]: one
        for key, one in published(name).claims.items()
        if key.endswith(claim)
    }
    wanted = {str(place): row for place, row in enumerate(raw(name)) if row["metrics"].get(metric)}
    assert found.keys() == wanted.keys()
    for place, row in wanted.items():
        assert found[place]["quantity"]["value"] == row["metrics"][metric]
        assert (found[place]["subject_printed"], found[place]["conditions"]["concurrency"]) == (
            row["hardware"],
            row["conc"],
        )


@skip_without("semianalysis-inferencex")
def test_the_rates_recompute_with_the_numbers_of_gpus_that_were_read(published: Callable[[str], Load]) -> None:
    by_place: dict[str, dict[str, Json]] = {}
    for name, one in published("benchmarks.json").claims.items():
        by_place.setdefault(one["anchor"]["pointer"].split("/")[1], {})[name.rsplit(".", 1)[1]] = one
    checked = 0
    for claims in by_place.values():
        if {"input-throughput-per-gpu", "output-throughput-per-gpu"} <= claims.keys():
            both, read, written = (claims[f"{one}throughput-per-gpu"] for one in ("", "input-", "output-"))
            if "accelerators" in read["conditions"]:
                total = sum(one["quantity"]["value"] * one["conditions"]["accelerators"] for one in (read, written))
                assert total / both["conditions"]["accelerators"] == pytest.approx(both["quantity"]["value"], rel=0.01)
                checked += 1
    assert checked > 400


@pytest.mark.long  # two small answers are loaded in both orders above
@skip_without("semianalysis-inferencex")
def test_the_latest_answer_and_the_history_say_the_same_in_either_order(tmp_path: Path) -> None:
    both_orders("inferencex", PUBLISHED / "benchmarks-history.json.gz", PUBLISHED / "benchmarks.json", tmp_path)
