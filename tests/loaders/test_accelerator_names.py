"""What every accelerator name of the published files stands for: merged names and variants are listed one by one."""

from functools import cache

import pytest
import yaml

from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.resolution import Resolver
from tests.small_content import ROOT

LISTED: dict[str, list[str]] = yaml.safe_load(
    (ROOT / "tests" / "cases" / "loaders" / "mlperf-accelerators.yaml").read_text(encoding="utf-8")
)
PUBLISHED: list[list[str]] = [
    [part.strip() for part in line.split(" | ")]
    for line in (ROOT / "tests" / "cases" / "loaders" / "published-accelerators.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@cache
def resolver() -> Resolver:
    return Resolver(read_registry(find_content(ROOT)))


@pytest.mark.parametrize(("identifier", "name"), [(key, one) for key, names in LISTED.items() for one in names])
def test_a_printed_accelerator_stands_for_what_is_listed(identifier: str, name: str) -> None:
    assert resolver().resolve("accelerator", name, {"publisher": "mlperf"}).id == identifier


@pytest.mark.parametrize("case", PUBLISHED, ids=" | ".join)
def test_a_name_of_another_publisher_stands_for_what_is_listed(case: list[str]) -> None:
    publisher, name, identifier, *beside = case
    given: dict[str, str | float] = {"publisher": publisher}
    for part in beside[0].split("; ") if beside else []:
        key, value = part.split("=", 1)
        given[key] = float(value) if key == "memory_gb" else value
    assert resolver().resolve("accelerator", name, given).id == identifier


@pytest.mark.parametrize(
    ("variant", "plain"),
    [
        ("NVIDIA H200-SXM-141GB-CTS", "NVIDIA H200-SXM-141GB"),
        ("NVIDIA H100-SXM5-80GB-CTS", "NVIDIA H100-SXM5-80GB"),
        ("NVIDIA A100-SXM4-80GB CTS", "NVIDIA A100-SXM4-80GB"),
        ("AMD Instinct MI325X 256GB HBM3E DLC", "AMD Instinct MI325X 256GB HBM3E"),
        ("AMD Instinct MI355X 288GB HBM3e (Power Cap 1000 W)", "AMD Instinct MI355X 288GB HBM3e"),
        ("Virtualized NVIDIA H200-SXM-141GB", "NVIDIA H200-SXM-141GB"),
        ("NVIDIA H20 141GB", "NVIDIA H20 96GB"),
        ("NVIDIA B200-SXM-192GB", "NVIDIA B200-SXM-180GB"),
        ("NVIDIA HGX B200 192GB", "NVIDIA HGX B200 180GB"),
        ("NVIDIA B300-SXM-288GB", "NVIDIA B300-SXM-270GB"),
        ("AMD Instinct MI350P", "AMD Instinct MI350X"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition-450W", "NVIDIA RTX PRO 6000 Blackwell Server Edition"),
        ("A100 (40 GB)", "A100 (80 GB)"),
        ("V100 (16 GB)", "V100 (32 GB)"),
        ("K80 (12 GB)", "K80"),
    ],
)
def test_a_variant_is_a_thing_of_its_own(variant: str, plain: str) -> None:
    found = [resolver().resolve("accelerator", name, {"publisher": "mlperf"}).id for name in (variant, plain)]
    assert None not in found and len(set(found)) == 2


@pytest.mark.parametrize("word", ["XYZ", "LC2", "700W-EDP"])
def test_a_word_that_nobody_knows_is_not_dropped(word: str) -> None:
    assert resolver().resolve("accelerator", f"NVIDIA H200-SXM-141GB-{word}", {"publisher": "mlperf"}).id is None


@pytest.mark.parametrize(
    "name",
    ["NVIDIA {}", "NVIDIA {} NVL72", "NVIDIA Blackwell GPU ({})", "NVIDIA {} Superchip", "standard nd128isr {} v6"],
)
def test_a_name_of_gb300_is_read_as_the_same_name_of_gb200_is(name: str) -> None:
    given = {"publisher": "mlperf"}
    older, newer = (resolver().resolve("accelerator", name.format(one), given).id for one in ("GB200", "GB300"))
    assert older is not None and newer == older.replace("gb200", "gb300")


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("AMD Instinct MI350P 144GB HBM3E", "accelerator/amd-mi350p"),
        ("AMD Instinct MI455X", "accelerator/amd-mi455x"),
        ("NVIDIA Rubin SXM", "accelerator/nvidia-rubin-gpu"),
        ("NVIDIA Rubin", "family/nvidia-rubin"),
        ("TPU7x", "accelerator/google-tpu-v7"),
    ],
)
def test_an_announced_accelerator_is_known_before_its_first_result(name: str, identifier: str) -> None:
    assert resolver().resolve("accelerator", name, {"publisher": "mlperf"}).id == identifier
