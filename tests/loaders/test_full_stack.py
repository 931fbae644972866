"""Cloud GPU tables of Full Stack Deep Learning: small files of our own, and the published ones."""

import csv
from functools import cache
from pathlib import Path

import pytest

from kg.build.build import StorePlace
from kg.build.published import load_published
from kg.content.folders import find_content
from kg.ingest.sources import get_loader
from tests.loaders.published import CASES, DATA, Load, both_orders, load, skip_without
from tests.small_content import ROOT

SMALL = CASES / "full-stack"
PUBLISHED = DATA / "full-stack-deep-learning"
FIRST = "full-stack-gpus/cloud.aws.made.8xlarge.a100-80-gb.8.96.1100"


def test_the_price_per_gpu_is_the_printed_one_with_its_division(tmp_path: Path) -> None:
    found = load("full-stack", [SMALL / "2031-01-01" / "cloud-gpus.csv"], tmp_path)
    assert (found.reports[0].read, found.reports[0].loaded) == (5, 5)
    claim = found.records[f"{FIRST}.price-per-chip"]
    assert (claim["quantity"]["printed"], claim["quantity"]["value"]) == ("5.00", 5)
    assert claim["derivations"][0]["inputs"]["count"]["constant"] == 8
    assert (claim["subject"], claim["level"], claim["conditions"]["term"]) == (
        "accelerator/nvidia-a100-80gb",
        "accelerator",
        "on-demand",
    )
    assert found.figure(f"{FIRST}.spot-price-per-chip") == (2, "USD/h")


def test_a_dollar_sign_is_no_part_of_the_figure(tmp_path: Path) -> None:
    found = load("full-stack", [SMALL / "2031-01-01" / "cloud-gpus.csv"], tmp_path)
    claim = found.records["full-stack-gpus/cloud.aws.made.2xlarge.h100-pcie-80gb.2.32.400.price"]
    assert (claim["quantity"]["value"], claim["quantity"]["printed"]) == (6, "$6.00")
    assert {one["subject"] for name, one in found.claims.items() if "2xlarge" in name and "chip" in name} == {
        "accelerator/nvidia-h100-pcie-80gb"
    }


def test_rows_that_are_alike_are_numbered(tmp_path: Path) -> None:
    found = load("full-stack", [SMALL / "2031-01-01" / "cloud-gpus.csv"], tmp_path)
    prices = sorted(
        (name, one["quantity"]["value"])
        for name, one in found.claims.items()
        if ".lambda." in name and name.endswith(".price")
    )
    assert [value for _, value in prices] == [2.4, 2]
    assert prices[0][0].endswith("-2.price")


def test_a_price_per_gpu_without_a_price_of_the_machine_is_doubted(tmp_path: Path) -> None:
    found = load("full-stack", [SMALL / "2031-01-01" / "cloud-gpus.csv"], tmp_path)
    assert found.reports[0].remarks == {"per_gpu_without_price": 1}
    claim = next(one for name, one in found.claims.items() if "giant" in name)
    assert "may be that price" in claim["note"]
    assert "derivations" not in claim


def test_a_file_without_the_number_of_gpus_says_what_is_lost(tmp_path: Path) -> None:
    """Most of its prices were left out without a word: an offer is named by its number of GPUs."""
    with (SMALL / "2031-01-01" / "cloud-gpus.csv").open(newline="") as file:
        rows = [{name: cell for name, cell in row.items() if name != "GPUs"} for row in csv.DictReader(file)]
    path = tmp_path / "cloud-gpus.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    (report,) = load("full-stack", [path], tmp_path / "store", "2031-01-01").reports
    assert [one.told("a.csv") for one in report.warnings] == [
        "a.csv: no column GPUs in 5 rows: without it no machine has its price, only one GPU"
    ]


def test_a_file_of_a_folder_that_fits_no_shape_says_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "cloud-gpus.csv").write_text("Cloud,GPU Type,On-demand\nAWS,H100,5\n")
    content, place = find_content(ROOT), StorePlace(tmp_path / "store")
    done = load_published(place, content, get_loader(content, "full-stack"), [tmp_path], dry_run=True)
    assert done.unfit == {
        str(tmp_path / "cloud-gpus.csv"): "cloud lacks Per-GPU; serverless lacks Vendor, Per-Hour, Per-GPU"
    }


def test_an_unknown_chip_is_refused_with_its_name(tmp_path: Path) -> None:
    found = load("full-stack", [SMALL / "serverless-gpus.csv"], tmp_path, "2031-01-01")
    assert (found.reports[0].read, found.reports[0].loaded, found.reports[0].rejected) == (2, 1, 1)
    assert (found.rejected[0]["code"], found.rejected[0]["given"]) == ("names.unresolved", "Zeta 9 (4 GB)")


def test_a_later_table_with_other_columns_supersedes_in_either_order(tmp_path: Path) -> None:
    later = both_orders(
        "full-stack", SMALL / "2031-01-01" / "cloud-gpus.csv", SMALL / "2031-02-01" / "cloud-gpus.csv", tmp_path
    )
    assert later.figure(f"{FIRST}.price-per-chip") == (4, "USD/h")
    alone = load("full-stack", [SMALL / "2031-02-01" / "cloud-gpus.csv"], tmp_path / "alone")
    assert alone.reports[0].unknown_columns == ("Carbon",)
    assert [name for name in alone.claims if "spot" in name] == []


def test_a_machine_that_is_let_with_several_gpus_is_several_offers(tmp_path: Path) -> None:
    """Google attaches K80 or V100 to the same n1 machine: their prices contradict nobody."""
    head = "Cloud,GPU Type,GPU Arch,GPUs,GPU RAM,vCPUs,RAM,On-demand,Per-GPU,Spot,Name"
    rows = [
        "GCP,K80 (12 GB),Kepler,1,12,8,52,0.92,0.92,0.28,made-8",
        "GCP,V100 (16 GB),Volta,1,16,8,52,2.95,2.95,0.84,made-8",
    ]
    (tmp_path / "cloud-gpus.csv").write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    found = load("full-stack", [tmp_path / "cloud-gpus.csv"], tmp_path / "store", "2031-01-01")
    subjects = {one["subject"] for name, one in found.claims.items() if name.endswith(".price")}
    assert sorted(found.records[one]["of"] for one in subjects) == [
        "accelerator/nvidia-k80-gpu",
        "accelerator/nvidia-v100-16gb",
    ]


@cache
def raw(name: str) -> list[dict[str, str]]:
    """The rows of a published table."""
    with open(PUBLISHED / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Both published tables."""
    return load(
        "full-stack",
        [PUBLISHED / "cloud-gpus.csv", PUBLISHED / "serverless-gpus.csv"],
        tmp_path_factory.mktemp("store"),
        "2025-03-07",
    )


@skip_without("full-stack-deep-learning")
def test_every_row_is_accounted_for(published: Load) -> None:
    assert [(one.read, one.loaded, one.rejected) for one in published.reports] == [(257, 257, 0), (72, 71, 1)]
    assert published.rejected[0]["given"] == "A100 (20 GB)"
    assert published.reports[0].remarks == {"per_gpu_without_price": 4}


@skip_without("full-stack-deep-learning")
def test_every_price_is_the_printed_one(published: Load) -> None:
    for document, column, suffix in (
        ("cloud-gpus.csv", "On-demand", ".price"),
        ("cloud-gpus.csv", "Per-GPU", ".price-per-chip"),
        ("cloud-gpus.csv", "Spot", ".spot-price"),
        ("serverless-gpus.csv", "Per-Hour", ".price"),
    ):
        mine = [
            one["quantity"]["printed"]
            for name, one in published.claims.items()
            if one["anchor"]["document"] == document and name.endswith(suffix)
        ]
        rows = [row for row in raw(document) if row["GPU Type"] != "A100 (20 GB)"]
        if column == "Spot":
            rows = [
                row for row in rows if row["Spot"] and float(row["Spot"]) != float(row["On-demand"].strip("$") or 0)
            ]
        assert sorted(mine) == sorted(row[column] for row in rows if row[column])


@skip_without("full-stack-deep-learning")
@pytest.mark.parametrize(
    ("cloud", "chip", "gpus", "name"),
    [
        ("AWS", "A100 (80 GB)", "8", "p4de.24xlarge"),
        ("AWS", "A100 (40 GB)", "8", "p4d.24xlarge"),
        ("Exoscale", "3080Ti (12 GB)", "2", "GPU3080Ti MEDIUM"),
        ("Exoscale", "A5000 (24 GB)", "4", "GPUA5000 LARGE"),
    ],
)
def test_spot_values(published: Load, cloud: str, chip: str, gpus: str, name: str) -> None:
    row = next(
        one
        for one in raw("cloud-gpus.csv")
        if (one["Cloud"], one["GPU Type"], one["GPUs"], one["Name"]) == (cloud, chip, gpus, name)
    )
    place = raw("cloud-gpus.csv").index(row) + 2
    claims = [
        one
        for one in published.claims.values()
        if one["anchor"]["document"] == "cloud-gpus.csv" and one["anchor"]["row"] == place
    ]
    found = {one["id"].rsplit(".", 1)[1]: one["quantity"]["value"] for one in claims}
    assert found["price-per-chip"] == float(row["Per-GPU"])
    assert found.get("price") == (float(row["On-demand"]) if row["On-demand"] else None)
    assert {one["subject_printed"] for one in claims if one["id"].endswith("-per-chip")} == {chip}
