"""MLPerf Training: times, counts and descriptions, on small files of our own and on the published ones."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.loaders.published import CASES, DATA, Load, load, skip_without

SMALL = CASES / "mlperf-training"
PUBLISHED = DATA / "mlcommons-training"
BOX = "mlcommons-training-v5.0-times/amd.made-up-box.llama2-70b-lora.closed"


def test_times_from_logs_are_not_called_official(tmp_path: Path) -> None:
    found = load("mlperf-training", [SMALL / "v5.0" / "derived_time_to_train.csv"], tmp_path)
    report = found.reports[0]
    assert (report.read, report.loaded, report.skipped, report.edition) == (3, 2, {"placeholder_time": 1}, "v5.0")
    result = found.records[f"{BOX}.result"]
    assert (result["quantity"]["value"], result["quantity"]["unit"], result["normaliser"]) == (20.5, "min", "per-run")
    assert "not an official result" in result["conditions"]["aggregation"]
    assert "publisher" not in found.records["source/mlcommons-training-v5.0-times"], "nobody published the table"
    assert "mean of 9 of 10 runs" in result["conditions"]["aggregation"]
    assert found.records[f"{BOX}.fastest"]["statistic"] == "min"
    assert found.figure(f"{BOX}.accelerators") == (16, "count:gpu")
    assert found.figure(f"{BOX}.chip-time") == (328, "min")
    assert {one["claim"] for one in found.records[f"{BOX}.chip-time"]["derivations"][0]["inputs"].values()} == {
        f"{BOX}.result",
        f"{BOX}.accelerators",
    }


def test_tasks_without_a_list_of_their_own_are_read_once(tmp_path: Path) -> None:
    found = load("mlperf-training", [SMALL / "v3.0"], tmp_path)
    report = found.reports[0]
    assert (report.read, report.loaded, report.skipped) == (3, 3, {})
    times = {
        one["conditions"]["task"]: one["quantity"]["value"]
        for one in found.claims.values()
        if one["metric"] == "training-time" and one["level"] == "accelerator"
    }
    assert times == {
        "task/mlperf-training-maskrcnn": 20.5,
        "task/mlperf-training-bert": 5.25,
        "task/mlperf-training-unet3d": 13.25,
    }


def test_a_result_of_processors_alone_is_one_of_its_system(tmp_path: Path) -> None:
    found = load("mlperf-training", [SMALL / "v3.0"], tmp_path)
    (result,) = (one for name, one in found.claims.items() if "made-up-cpu" in name)
    system = found.records[result["subject"]]
    assert (result["metric"], result["quantity"]["value"], result["level"]) == ("training-time", 20.5, "cluster")
    assert (system["kind"], system["label"]) == ("configuration", "made-up-cpu (no accelerator)")
    assert "accelerators" not in result["conditions"]


def test_a_joint_submission_is_one_organisation_in_both_spellings(tmp_path: Path) -> None:
    found = load("mlperf-training", [SMALL / "v5.0"], tmp_path)
    joint = {
        one["asserted_by"] for name, one in found.claims.items() if "made-up-rack" in name or "made_up_rack" in name
    }
    assert len(joint) == 1 and "org/amd" not in joint


def test_the_size_of_a_system_is_of_the_system_and_not_of_its_accelerator(tmp_path: Path) -> None:
    found = load(
        "mlperf-training", [SMALL / "v5.0" / "IBM+CoreWeave+NVIDIA" / "systems" / "made_up_rack.json"], tmp_path
    )
    sizes = {
        (one["subject"].split("/")[0], one["quantity"]["unit"]): one["quantity"]["value"]
        for one in found.claims.values()
    }
    assert sizes == {("accelerator", "MiB"): 189471, ("config", "count:node"): 18, ("config", "count:gpu"): 72}
    assert found.reports[0].unknown_columns == ("made_up_key",)


def test_two_cards_in_a_cell_are_the_memory_of_neither(tmp_path: Path) -> None:
    found = load(
        "mlperf-training", [SMALL / "v5.0" / "IBM+CoreWeave+NVIDIA" / "systems" / "made_up_cards.json"], tmp_path
    )
    assert {one["metric"] for one in found.claims.values()} == {"component-count"}


def test_rounds_stay_side_by_side_in_either_order(tmp_path: Path) -> None:
    orders = [("v3.0", "v5.0"), ("v5.0", "v3.0")]
    found = []
    for position, order in enumerate(orders):
        each = [load("mlperf-training", [SMALL / name], tmp_path / str(position)) for name in order]
        found.append(each[-1].records)
    assert found[0] == found[1]
    assert {one["source"] for one in found[0].values() if one["record"] == "claim"} == {
        "source/mlcommons-training-v3.0-aggregated",
        "source/mlcommons-training-v5.0-times",
        "source/mlcommons-training-v5.0-systems",
    }


@cache
def times(name: str) -> list[dict[str, str]]:
    """The rows of a published table of times."""
    with open(PUBLISHED / name / "derived_time_to_train.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def aggregated() -> list[dict[str, Any]]:
    """The rows of all published lists of v3.0."""
    return [
        row
        for path in sorted((PUBLISHED / "v3.0" / "aggregated").glob("*.json"))
        for row in json.loads(path.read_bytes())
    ]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """All three rounds."""
    return load(
        "mlperf-training", [PUBLISHED / name for name in ("v3.0", "v4.1", "v5.0")], tmp_path_factory.mktemp("store")
    )


@skip_without("mlcommons-training")
def test_every_row_is_accounted_for(published: Load) -> None:
    assert all(one.adds_up for one in published.reports)
    assert sum(one.rejected for one in published.reports) == 0
    of = {
        shape: [one for one in published.reports if one.shape == shape] for shape in ("aggregated", "times", "systems")
    }
    assert (sum(one.read for one in of["aggregated"]), [one.read for one in of["times"]], len(of["systems"])) == (
        len(aggregated()),
        [148, 201],
        180,
    )
    alone = [one for one in published.claims.values() if one["subject"].startswith("config/mlperf-training-intel-")]
    assert len(alone) == sum(row["accelerators_count"] in ("0", 0) for row in aggregated()) == 5


@skip_without("mlcommons-training")
@pytest.mark.parametrize("name", ["v4.1", "v5.0"])
def test_every_time_is_the_raw_one(published: Load, name: str) -> None:
    source = f"source/mlcommons-training-{name}-times"
    for column, claim in (
        ("olympic_mean_minutes", "result"),
        ("min_minutes", "fastest"),
        ("max_minutes", "slowest"),
        ("total_accelerators", "accelerators"),
    ):
        found = {
            one["anchor"]["row"]: one["quantity"]["value"]
            for key, one in published.claims.items()
            if one["source"] == source and key.endswith(f".{claim}")
        }
        assert found == {
            place: float(row[column]) for place, row in enumerate(times(name), 2) if row["olympic_mean_minutes"]
        }


@skip_without("mlcommons-training")
def test_every_published_result_of_v3_0_is_the_raw_one(published: Load) -> None:
    mine = [
        one
        for one in published.claims.values()
        if one["source"].endswith("v3.0-aggregated") and one["metric"] == "training-time"
    ]
    named = {one["conditions"]["entry"]: one["quantity"]["value"] for one in mine if one["id"].endswith(".result")}
    rows = aggregated()
    assert len(named) == len({row["uid"] for row in rows}) or len(named) == len(rows)
    assert {row["uid"]: row["Result"] for row in rows} == named
    volumes = sorted(one["quantity"]["value"] for one in mine if one["id"].endswith("unet3d-result"))
    assert volumes == sorted(
        {(row["submitter"], row["system"]): row["unet3d"] for row in rows if row["unet3d"] != ""}.values()
    )


@skip_without("mlcommons-training")
@pytest.mark.parametrize(
    ("name", "submitter", "system", "task"),
    [
        ("v5.0", "IBM+CoreWeave+NVIDIA", "carina_ngpu2496_ngc25.04_nemo", "llama31_405b"),
        ("v5.0", "AMD", "MI300X_EPYC_9575F_pytorch", "llama2_70b_lora"),
        ("v4.1", "ASUSTeK", "ESC_N8_E11", "bert"),
    ],
)
def test_accelerator_minutes_are_time_by_accelerators(
    published: Load, name: str, submitter: str, system: str, task: str
) -> None:
    (row,) = [
        one for one in times(name) if (one["submitter"], one["system"], one["benchmark"]) == (submitter, system, task)
    ]
    (claim,) = [
        one
        for one in published.claims.values()
        if one["metric"] == "accelerator-time"
        and one["conditions"]["tested_on"] == system
        and one["source"].endswith(f"{name}-times")
        and one["conditions"]["accelerators"] == int(row["total_accelerators"])
        and one["anchor"]["row"] == times(name).index(row) + 2
    ]
    assert claim["quantity"]["value"] == pytest.approx(
        float(row["olympic_mean_minutes"]) * int(row["total_accelerators"])
    )


@skip_without("mlcommons-training")
def test_no_described_system_has_two_sizes(published: Load) -> None:
    sizes: dict[tuple[str, str], set[float]] = {}
    for one in published.claims.values():
        if one["metric"] == "component-count":
            sizes.setdefault((one["subject"], one["quantity"]["unit"]), set()).add(one["quantity"]["value"])
    assert [thing for thing, found in sizes.items() if len(found) > 1] == []
