"""GPU lists of Wikipedia: worst-case input, on a small file of our own and on the published one."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.loaders.published import CASES, DATA, Load, both_orders, load, skip_without

SMALL = CASES / "wikipedia-gpus"
PUBLISHED = DATA / "wikipedia-gpu-info"
H100 = "wikipedia-gpus/nvidia.h100-gpu-accelerator-pcie-card-cd894e.2022-03-22-00-00-00-378f69"


def test_cells_with_one_figure_are_read_and_others_left_out(tmp_path: Path) -> None:
    found = load("wikipedia-gpus", [SMALL / "2031-01-01" / "gpu.json"], tmp_path)
    report = found.reports[0]
    assert (report.read, report.loaded, report.skipped, report.codes) == (
        5,
        3,
        {"no_figure": 1},
        {"load.cell": 1},
    )
    assert found.figure(f"{H100}.memory-gb") == (80, "GB")
    assert found.figure(f"{H100}.bandwidth") == (1900, "GB/s")
    assert f"{H100}.single-tflops" not in found.records
    assert report.remarks == {"several_figures": 2}
    assert report.unknown_columns == ("Bespoke column",)
    assert found.records[f"{H100}.tdp"]["subject"] == "accelerator/nvidia-h100-pcie-80gb"


def entry(folder: Path, **cells: str) -> Load:
    """A list of one GPU with some cells, loaded."""
    row = {"Vendor": "NVIDIA", "Bus interface": "PCIe", "Model": "GeForce Invented 200", "Launch": "nan", **cells}
    file = folder / "gpu.json"
    file.write_text(json.dumps({"NVIDIA_nan_9": row}), encoding="utf-8")
    return load("wikipedia-gpus", [file], folder / "store", "2031-01-01")


@pytest.mark.parametrize("printed", ["~350", "≈350", "~ 350"])
def test_an_approximate_figure_is_read_as_one(tmp_path: Path, printed: str) -> None:
    found = entry(tmp_path, **{"TDP (Watts)": printed})
    (claim,) = found.claims.values()
    assert claim["quantity"] == {"value": 350, "unit": "W", "printed": printed, "hedge": "about"}
    assert found.reports[0].remarks == {}


def test_a_plain_figure_is_not_hedged(tmp_path: Path) -> None:
    (claim,) = entry(tmp_path, **{"TDP (Watts)": "350"}).claims.values()
    assert claim["quantity"] == {"value": 350, "unit": "W", "printed": "350"}


@pytest.mark.parametrize(
    ("printed", "remarks"),
    [
        ("20-23", {"unread_figures": 1}),
        ("<75", {"unread_figures": 1}),
        ("2x 38.4", {"unread_figures": 1}),
        ("120 W", {"unread_figures": 1}),
        ("4 8", {"several_figures": 1}),
        ("Up to 512", {"unread_figures": 1}),
        ("No", {}),
        ("TDP (Watts)", {}),
    ],
)
def test_a_cell_whose_figure_is_not_read_is_counted(tmp_path: Path, printed: str, remarks: dict[str, int]) -> None:
    found = entry(tmp_path, **{"TDP (Watts)": printed})
    assert (found.claims, found.reports[0].remarks) == ({}, remarks)


def test_cells_of_every_column_are_counted(tmp_path: Path) -> None:
    for number, column in enumerate(("Memory Clock (MHz)", "Transistors (million)", "Memory Bus width (Bit)")):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert entry(folder, **{column: "20-23"}).reports[0].remarks == {"unread_figures": 1}, column


def test_two_rows_of_one_name_are_one_thing_with_two_entries(tmp_path: Path) -> None:
    found = load("wikipedia-gpus", [SMALL / "2031-01-01" / "gpu.json"], tmp_path)
    rates = [
        one
        for one in found.claims.values()
        if one["subject"].startswith("accelerator/wikipedia") and one["metric"] == "memory-bandwidth"
    ]
    assert len({one["subject"] for one in rates}) == 1
    assert {(one["quantity"]["value"], one["conditions"]["entry"]) for one in rates} == {
        (100, "AMD_nan_2"),
        (120, "AMD_nan_3"),
    }
    assert found.records[rates[0]["subject"]]["label"] == "Radeon Invented 100"


def test_a_later_list_with_other_columns_supersedes_in_either_order(tmp_path: Path) -> None:
    later = both_orders(
        "wikipedia-gpus", SMALL / "2031-01-01" / "gpu.json", SMALL / "2031-02-01" / "gpu.json", tmp_path
    )
    assert later.figure(f"{H100}.tdp") == (360, "W")


@cache
def raw() -> dict[str, dict[str, Any]]:
    """The published entries."""
    entries: dict[str, dict[str, Any]] = json.loads(gzip.decompress((PUBLISHED / "gpu.json.gz").read_bytes()))
    return entries


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """The published file."""
    return load("wikipedia-gpus", [PUBLISHED / "gpu.json.gz"], tmp_path_factory.mktemp("store"), "2025-06-16")


@skip_without("wikipedia-gpu-info")
def test_every_entry_is_accounted_for(published: Load) -> None:
    report = published.reports[0]
    assert (report.read, report.rejected, report.adds_up) == (len(raw()), 22, True)
    assert {(one["code"], one["given"]) for one in published.rejected} == {("load.cell", "nothing")}


@skip_without("wikipedia-gpu-info")
@pytest.mark.parametrize(
    ("column", "claim"),
    [
        ("Memory Size (GiB)", "memory-gib"),
        ("Memory Size (MiB)", "memory-mib"),
        ("Memory Bandwidth (GB/s)", "bandwidth"),
        ("TDP (Watts)", "tdp"),
        ("Processing power (TFLOPS) Single precision", "single-tflops"),
        ("Processing power (GFLOPS) Double precision", "double-gflops"),
        ("Transistors (million)", "transistors-million"),
        ("Core clock (MHz)", "core-clock"),
    ],
)
def test_plain_cells_of_a_column_are_the_raw_ones(published: Load, column: str, claim: str) -> None:
    found = {
        one["conditions"]["entry"]: one["quantity"]["value"]
        for name, one in published.claims.items()
        if name.endswith(f".{claim}")
    }
    refused = {one["row"]["entry"] for one in published.rejected}
    wanted = {}
    for entry, row in raw().items():
        try:
            value = float(str(row.get(column)).replace(",", "")) if "nan" not in str(row.get(column)) else 0
        except ValueError:
            continue
        if value > 0 and entry not in refused:
            wanted[entry] = value
    assert wanted and {entry: found.get(entry) for entry in wanted} == wanted


@skip_without("wikipedia-gpu-info")
@pytest.mark.parametrize(
    ("thing", "names"),
    [
        ("accelerator/nvidia-h100-sxm-80gb", {"H100 GPU accelerator (SXM card)"}),
        ("accelerator/nvidia-h100-pcie-80gb", {"H100 GPU accelerator (PCIe card)"}),
        ("accelerator/nvidia-rtx-4090", {"GeForce RTX 4090"}),
        ("accelerator/nvidia-t4", {"T4 GPU accelerator (PCIe card)"}),
    ],
)
def test_a_curated_chip_takes_only_rows_of_its_own_name(published: Load, thing: str, names: set[str]) -> None:
    assert {one["subject_printed"] for one in published.claims.values() if one["subject"] == thing} == names
