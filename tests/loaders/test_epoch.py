"""Epoch AI: hardware, clusters, data centres and models in several snapshots, on small files of our own and on the published ones."""

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from kg.content.folders import find_content
from kg.ingest.errors import NoShape
from kg.ingest.planned_file import plan_file
from kg.ingest.sources import get_loader
from tests.loaders.published import CASES, DATA, Load, both_orders, load, skip_without
from tests.small_content import ROOT

SMALL = CASES / "epoch"
PUBLISHED = DATA / "epoch-ai"
FIRST, SECOND = SMALL / "2031-01-01", SMALL / "2031-02-01"


def test_hardware_is_in_base_units_and_without_sparsity(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "ml_hardware.csv"], tmp_path)
    assert (found.reports[0].read, found.reports[0].loaded, found.reports[0].edition) == (3, 3, "2031-01-01")
    rate = found.records["epoch-hardware/nvidia-gb200.fp4"]
    assert (rate["quantity"]["value"], rate["quantity"]["unit"], rate["conditions"]["sparsity"]) == (
        1e16,
        "FLOP/s",
        "none",
    )
    assert (rate["subject"], rate["level"], rate["normaliser"]) == (
        "accelerator/nvidia-gb200-gpu",
        "accelerator",
        "per-chip",
    )
    assert found.figure("epoch-hardware/nvidia-gb200.memory") == (186000000000, "byte")
    assert found.figure("epoch-hardware/nvidia-gb200.internode") == (400000000000, "bit/s")
    assert found.records["epoch-hardware/nvidia-a100-pcie.int4"]["conditions"]["precision"] == "precision/int4"
    assert found.records["epoch-hardware/nvidia-a100-pcie.released"]["quantity"]["date"] == "2020-06"


def test_a_name_with_a_line_break_makes_a_thing_of_its_own(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "ml_hardware.csv"], tmp_path)
    (made,) = found.entities("accelerator")
    assert made.startswith("accelerator/epoch-invented-chip-9")


def test_a_column_that_was_renamed_is_the_same_and_an_emptied_cell_is_no_claim(tmp_path: Path) -> None:
    later = both_orders("epoch", FIRST / "ml_hardware.csv", SECOND / "ml_hardware.csv", tmp_path)
    assert later.figure("epoch-hardware/nvidia-gb200.tdp") == (1200, "W")
    assert later.figure("epoch-hardware/nvidia-gb200.memory") == (186000000000, "byte")
    assert "epoch-hardware/nvidia-a100-pcie.tdp" not in later.records
    assert "epoch-hardware/nvidia-gb200.fp4" not in later.records
    assert load("epoch", [SECOND / "ml_hardware.csv"], tmp_path / "alone").reports[0].unknown_columns == ("Coolant",)


def test_a_planned_cluster_is_expected_and_an_unlikely_one_assumed(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "gpu_clusters.csv"], tmp_path)
    report = found.reports[0]
    assert (report.read, report.loaded, report.skipped) == (5, 4, {"no_figure": 1})
    assert report.remarks == {"possible_duplicate": 1, "anonymous_system": 2, "unlikely": 1}
    chips = next(one for name, one in found.claims.items() if "invented-site" in name and name.endswith(".chips"))
    assert (chips["modality"], chips["quantity"]["value"], chips["conditions"]["tested_on"]) == (
        "expected",
        1000,
        "accelerator/nvidia-gb200-gpu",
    )
    assert chips["note"] == "Certainty in the table: Likely. First source named: https://example.org/a."
    assert found.records[chips["subject"]]["label"] == "Invented Site, North"


def test_power_says_whether_it_was_reported(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "gpu_clusters.csv"], tmp_path)
    kinds = {
        name.split("/")[1].split(".")[0][:12] + name.rsplit(".", 1)[1]: one["conditions"]["boundary"]
        for name, one in found.claims.items()
        if one["metric"] == "power"
    }
    assert kinds == {
        "invented-sitpower": "as reported",
        "invented-sitreported-power": "as reported",
        "invented-sitcalculated-power": "worked out by the publisher",
        "invented-slipower": "worked out by the publisher",
        "invented-slicalculated-power": "worked out by the publisher",
    }


def test_two_kinds_of_chips_are_counted_apart_and_added_beside_the_printed_sum(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "gpu_clusters.csv"], tmp_path)
    name = "epoch-clusters/invented-slices"
    assert found.figure(f"{name}.chips") == (1000, "count:chip")
    assert found.figure(f"{name}.second-chips") == (50, "count:gpu")
    total = found.records[f"{name}.all-chips"]
    assert total["quantity"]["value"] == 1060
    assert total["derivations"][0]["expression"] == "first + second"
    assert found.records[f"{name}.chips"]["conditions"]["operator"] == "org/epoch-owner"


def test_anonymous_systems_are_told_apart_by_their_row(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "gpu_clusters.csv"], tmp_path)
    assert len([one for one in found.entities("cluster") if "anonymized" in one]) == 2


def test_a_later_table_of_clusters_replaces_the_earlier_in_either_order(tmp_path: Path) -> None:
    later = both_orders("epoch", FIRST / "gpu_clusters.csv", SECOND / "gpu_clusters.csv", tmp_path)
    sites = [one for one in later.claims.values() if one["metric"] == "compute-equivalents"]
    assert sorted(one["quantity"]["value"] for one in sites) == [20, 2600]
    assert {one["modality"] for one in sites} == {"stated"}
    assert load("epoch", [SECOND / "gpu_clusters.csv"], tmp_path / "alone").reports[0].unknown_columns == (
        "New column",
    )


def test_a_data_centre_is_what_it_is_today_and_will_be_later(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "data_centers.csv", FIRST / "data_center_timelines.csv"], tmp_path)
    assert [(one.read, one.loaded, one.skipped) for one in found.reports] == [
        (2, 1, {"no_figure": 1}),
        (3, 2, {"no_figure": 1}),
    ]
    powers = {
        one["as_of"]: (one["quantity"]["value"], one["modality"])
        for one in found.claims.values()
        if one["metric"] == "power"
    }
    assert powers == {"2031-01-01": (12, "stated"), "2030-12-31": (12, "stated"), "2032-07-04": (24, "expected")}
    assert found.figure("epoch-data-centers/invented-campus.capital") == (0.5, "USD-bn")
    assert {
        one["conditions"].get("operator")
        for name, one in found.claims.items()
        if name.startswith("epoch-data-centers/")
    } == {"org/amazon"}


def test_models_are_those_of_the_registry_or_of_their_own(tmp_path: Path) -> None:
    found = load("epoch", [FIRST / "notable_ai_models.csv"], tmp_path)
    assert (found.reports[0].read, found.reports[0].loaded) == (3, 3)
    assert found.figure("epoch-models/notable.llama-3.1-405b.training-compute") == (3.8e25, "FLOP")
    assert found.records["epoch-models/notable.llama-3.1-405b.mfu"]["subject"] == "model/llama-3-1-405b"
    assert found.records["epoch-models/notable.whisper.parameters"]["subject"].startswith("model/epoch-whisper-2022")
    assert found.records["epoch-models/notable.whisper.parameters"]["modality"] == "assumed"
    mixed = next(one for name, one in found.claims.items() if "8x7b" in name and name.endswith("training-accelerators"))
    assert mixed["conditions"]["tested_on"].startswith("config/epoch-training-")
    assert (
        "mixture of experts"
        in next(one for name, one in found.claims.items() if "8x7b" in name and name.endswith(".parameters"))["note"]
    )


@cache
def raw(name: str) -> list[dict[str, str]]:
    """The rows of a published table."""
    with open(PUBLISHED / name, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Load]:
    """A snapshot by itself."""
    return cache(lambda day: load("epoch", [PUBLISHED / day], tmp_path_factory.mktemp("store")))


@skip_without("epoch-ai")
@pytest.mark.parametrize("day", ["2025-11-01", "2025-12-14", "2025-12-24"])
def test_every_row_is_accounted_for_and_none_is_rejected(published: Callable[[str], Load], day: str) -> None:
    for one in published(day).reports:
        assert one.read == len(raw(f"{day}/{Path(one.path).name}"))
        assert one.adds_up and one.rejected == 0


@skip_without("epoch-ai")
@pytest.mark.parametrize("day", ["2025-11-01", "2025-12-24"])
@pytest.mark.parametrize(
    ("columns", "claim"),
    [
        (("TDP (W)",), "tdp"),
        (("FP8 performance (FLOP/s)",), "fp8"),
        (("FP4 performance (FLOP/s)",), "fp4"),
        (("Memory (bytes)", "Memory size per board (Byte)"), "memory"),
        (("Memory bandwidth (byte/s)",), "bandwidth"),
        (("Tensor-FP16/BF16 performance (FLOP/s)",), "tensor16"),
        (("Release price (USD)",), "release-price"),
        (("Transistors (millions)",), "transistors"),
    ],
)
def test_every_figure_of_a_column_of_hardware_is_the_raw_one(
    published: Callable[[str], Load], day: str, columns: tuple[str, ...], claim: str
) -> None:
    found = {
        one["subject_printed"]: one["quantity"]["value"]
        for name, one in published(day).claims.items()
        if name.startswith("epoch-hardware/") and name.endswith(f".{claim}")
    }
    column = next(one for one in columns if one in raw(f"{day}/ml_hardware.csv")[0])
    wanted = {row["Hardware name"].strip(): float(row[column]) for row in raw(f"{day}/ml_hardware.csv") if row[column]}
    assert found == wanted


@skip_without("epoch-ai")
def test_the_whole_of_all_clusters_is_that_of_the_table(published: Callable[[str], Load]) -> None:
    rows = raw("2025-11-01/gpu_clusters.csv")
    claims = published("2025-11-01").claims
    for column, claim in (
        ("H100 equivalents", "h100-equivalents"),
        ("Chip quantity (primary)", "chips"),
        ("Power Capacity (MW)", "power"),
        ("Hardware Cost", "hardware-cost"),
    ):
        mine = [
            one["quantity"]["value"]
            for name, one in claims.items()
            if name.startswith("epoch-clusters/") and name.endswith(f".{claim}")
        ]
        assert sorted(mine) == sorted(float(row[column]) for row in rows if row[column] and float(row[column]))
    planned = {
        one["subject_printed"]
        for name, one in claims.items()
        if name.startswith("epoch-clusters/") and one["modality"] == "expected"
    }
    assert planned <= {row["Name"].strip('"') for row in rows if row["Status"] == "Planned"}


@skip_without("epoch-ai")
@pytest.mark.parametrize(
    "name",
    [
        "xAI Colossus 2 Memphis Phase 2",
        "Meta Prometheus New Albany",
        "xAI Colossus Memphis Phase 1",
        "Nebius New Jersey",
    ],
)
def test_a_cluster_has_the_figures_of_its_row(published: Callable[[str], Load], name: str) -> None:
    (row,) = [one for one in raw("2025-11-01/gpu_clusters.csv") if one["Name"] == name]
    mine = {
        one["id"].rsplit(".", 1)[1]: one
        for one in published("2025-11-01").claims.values()
        if one["subject_printed"] == name and one["source"] == "source/epoch-clusters"
    }
    assert mine["h100-equivalents"]["quantity"]["value"] == float(row["H100 equivalents"])
    assert mine["chips"]["quantity"]["value"] == float(row["Chip quantity (primary)"])
    assert mine["h100-equivalents"]["modality"] == {"Planned": "expected"}.get(row["Status"], "stated")


@skip_without("epoch-ai")
def test_training_compute_of_all_models_is_the_raw_one(published: Callable[[str], Load]) -> None:
    for table in ("notable", "large_scale", "frontier"):
        prefix = f"epoch-models/{table.replace('_', '-')}."
        mine = {
            one["subject_printed"]: one["quantity"]["value"]
            for name, one in published("2025-11-01").claims.items()
            if name.startswith(prefix) and name.endswith(".training-compute")
        }
        rows = raw(f"2025-11-01/{table}_ai_models.csv")
        assert mine == {
            row["Model"].strip(): float(row["Training compute (FLOP)"])
            for row in rows
            if row["Training compute (FLOP)"]
        }


@pytest.mark.long  # two small tables are loaded in both orders above
@skip_without("epoch-ai")
def test_two_snapshots_of_hardware_say_the_same_in_either_order(tmp_path: Path) -> None:
    later = both_orders(
        "epoch", PUBLISHED / "2025-11-01" / "ml_hardware.csv", PUBLISHED / "2025-12-24" / "ml_hardware.csv", tmp_path
    )
    powers = {
        one["subject_printed"]: one["quantity"]["value"] for name, one in later.claims.items() if name.endswith(".tdp")
    }
    assert powers == {
        row["Hardware name"].strip(): float(row["TDP (W)"])
        for row in raw("2025-12-24/ml_hardware.csv")
        if row["TDP (W)"]
    }


@skip_without("epoch-ai")
def test_every_file_of_the_publisher_is_loaded_or_named_as_left_out() -> None:
    loader = get_loader(find_content(), "epoch")
    readme = (ROOT / "loaders" / "epoch" / "README.md").read_text(encoding="utf-8")
    left = set()
    for path in sorted(PUBLISHED.rglob("*.csv")):
        try:
            plan_file(loader, path, "2025-12-31")
        except NoShape:
            left.add(path.name)
    assert left and all(f"`{name}`" in readme for name in left)
