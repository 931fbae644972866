"""GPU specifications of the gpu-specs project: a small file of our own, and the published one."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.loaders.published import CASES, DATA, Load, both_orders, load, skip_without

SMALL = CASES / "gpu-specs"
PUBLISHED = DATA / "gpu-specs-gmasse"
CLAIM_OF = {
    "fp64": "fp64",
    "fp64_tensor_core": "fp64-tensor",
    "fp32": "fp32",
    "tf32_tensor_core": "tf32-tensor",
    "tf32_tensor_core_sparsity": "tf32-tensor-sparse",
    "fp16": "fp16",
    "fp16_tensor_core": "fp16-tensor",
    "fp16_tensor_core_sparsity": "fp16-tensor-sparse",
    "bf16": "bf16",
    "bf16_tensor_core": "bf16-tensor",
    "bf16_tensor_core_sparsity": "bf16-tensor-sparse",
    "fp8": "fp8",
    "fp8_tensor_core": "fp8-tensor",
    "fp8_tensor_core_sparsity": "fp8-tensor-sparse",
    "fp4": "fp4",
    "fp4_tensor_core": "fp4-tensor",
    "int8": "int8",
    "int8_tensor_core": "int8-tensor",
    "int8_tensor_core_sparsity": "int8-tensor-sparse",
    "int4": "int4",
    "int4_tensor_core": "int4-tensor",
    "int4_tensor_core_sparsity": "int4-tensor-sparse",
    "gpu_memory": "memory",
    "memory_bandwidth": "bandwidth",
    "power_consumption": "power",
    "nvidia_tensor_cores": "tensor-cores",
    "nvidia_cuda_cores": "cuda-cores",
    "die_size": "die",
}


def test_dense_and_sparse_rates_are_apart_and_zero_is_no_figure(tmp_path: Path) -> None:
    found = load("gpu-specs", [SMALL / "2031-01-01" / "specs.json"], tmp_path)
    assert (found.reports[0].read, found.reports[0].loaded) == (2, 2)
    sparse = found.records["gpu-specs/h100.fp16-tensor-sparse"]
    assert (sparse["quantity"]["value"], sparse["conditions"]["sparsity"]) == (1500, "structured")
    assert (sparse["subject"], sparse["level"], sparse["normaliser"]) == (
        "accelerator/nvidia-h100-pcie-80gb",
        "accelerator",
        "per-chip",
    )
    assert not {
        "gpu-specs/h100.fp8",
        "gpu-specs/h100.fp16-tensor",
        "gpu-specs/h100.die",
        "gpu-specs/v100-pcie.fp8",
    } & set(found.records)


def test_the_memory_of_two_cards_is_that_of_neither(tmp_path: Path) -> None:
    found = load("gpu-specs", [SMALL / "2031-01-01" / "specs.json"], tmp_path)
    assert "gpu-specs/v100-pcie.memory" not in found.records
    assert found.reports[0].remarks == {"memory_of_two_cards": 1}
    assert found.figure("gpu-specs/h100.memory") == (80, "GB")


def test_a_later_file_with_other_fields_supersedes_in_either_order(tmp_path: Path) -> None:
    later = both_orders("gpu-specs", SMALL / "2031-01-01" / "specs.json", SMALL / "2031-02-01" / "specs.json", tmp_path)
    assert later.figure("gpu-specs/h100.fp32") == (42, "TFLOP/s")
    assert load("gpu-specs", [SMALL / "2031-02-01" / "specs.json"], tmp_path / "alone").reports[0].unknown_columns == (
        "fp6_tensor_core",
    )


@cache
def raw() -> dict[str, dict[str, Any]]:
    """The published entries."""
    entries: dict[str, dict[str, Any]] = json.loads((PUBLISHED / "specs.json").read_bytes())
    return {name.lower().replace("_", "-"): one for name, one in entries.items() if name != "_header"}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """The published file."""
    return load("gpu-specs", [PUBLISHED / "specs.json"], tmp_path_factory.mktemp("store"), "2025-02-28")


@skip_without("gpu-specs-gmasse")
def test_every_figure_is_there_and_no_other(published: Load) -> None:
    assert (published.reports[0].read, published.reports[0].loaded) == (len(raw()), len(raw()))
    wanted = {
        f"gpu-specs/{entry}.{claim}": row[field]
        for entry, row in raw().items()
        for field, claim in CLAIM_OF.items()
        if isinstance(row.get(field), int | float) and row[field]
    }
    assert {name: one["quantity"]["value"] for name, one in published.claims.items()} == wanted


@skip_without("gpu-specs-gmasse")
@pytest.mark.parametrize(
    ("entry", "thing"),
    [
        ("h100", "accelerator/nvidia-h100-pcie-80gb"),
        ("l40s", "accelerator/nvidia-l40s"),
        ("a100-sxm4-80gb", "accelerator/nvidia-a100-sxm-80gb"),
        ("a100-pcie-40gb", "accelerator/nvidia-a100-pcie-40gb"),
        ("v100s-pcie", "accelerator/nvidia-v100s"),
        ("rtx4090", "accelerator/nvidia-rtx-4090"),
        ("t4", "accelerator/nvidia-t4"),
        ("a10", "accelerator/nvidia-a10"),
        ("v100-pcie", "family/nvidia-v100"),
    ],
)
def test_entries_are_the_chips_they_mean(published: Load, entry: str, thing: str) -> None:
    assert {one["subject"] for name, one in published.claims.items() if name.startswith(f"gpu-specs/{entry}.")} == {
        thing
    }
