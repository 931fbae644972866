"""Price lists: prices of machines and of one accelerator, on small files of our own and on the published ones."""

import csv
import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO, Literal

import pytest

from kg.errors import KgError
from tests.loaders.published import CASES, DATA, Load, both_orders, load, skip_without
from tests.sampling import first

SMALL = CASES / "skypilot"
PUBLISHED = DATA / "skypilot-catalog"
FILES = ("azure_vms.csv.gz", "gcp_vms.csv.gz", "lambda_vms.csv")
H100 = "skypilot/azure.standard-nd96isr-h100-v5.8.northland.none"


def test_a_machine_has_its_price_and_that_of_one_accelerator(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "2031-01-01" / "azure_vms.csv"], tmp_path)
    report = found.reports[0]
    assert (report.read, report.loaded, report.skipped, report.codes) == (
        6,
        4,
        {"no_accelerator": 1},
        {"names.unresolved": 1},
    )
    assert found.figure(f"{H100}.price") == (80, "USD/h")
    assert found.figure(f"{H100}.price-per-chip") == (10, "USD/h")
    assert found.figure(f"{H100}.spot-price-per-chip") == (3, "USD/h")
    claim = found.records[f"{H100}.price-per-chip"]
    assert claim["subject"] == "accelerator/nvidia-h100-sxm-80gb"
    assert claim["said_on"] == "2031-01-01"
    assert claim["conditions"] == {
        "provider": "org/microsoft",
        "region": "northland",
        "term": "on-demand",
        "offer": "offer/azure-standard-nd96isr-h100-v5",
    }
    assert claim["derivations"][0]["inputs"]["price"]["claim"] == f"{H100}.price"


def test_a_spot_price_that_equals_the_price_is_no_offer(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "2031-01-01" / "azure_vms.csv"], tmp_path)
    assert [name for name in found.claims if ".southland." in name and "spot" in name] == []


def test_a_machine_whose_row_names_no_chip_is_read_from_its_size(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "2031-01-01" / "azure_vms.csv"], tmp_path)
    name = "skypilot/azure.standard-nd128isr-ndr-gb200-v6.none.northland.none.price-per-chip"
    assert found.figure(name) == (25, "USD/h")
    assert found.records[name]["subject"] == "accelerator/nvidia-gb200-gpu"
    assert "not in this file" in found.records[name]["derivations"][0]["inputs"]["count"]["why"]


def test_a_share_of_an_accelerator_is_divided_by_its_share(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "2031-01-01" / "azure_vms.csv"], tmp_path)
    value, _ = found.figure("skypilot/azure.standard-nv6ads-a10-v5.0.167.northland.none.price-per-chip")
    assert value == pytest.approx(0.5 / 0.167)


def test_slices_count_cores_or_chips_by_their_generation(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "gcp_vms.csv"], tmp_path, "2031-01-01")
    per_chip = {
        name.split(".")[1]: one["quantity"]["value"]
        for name, one in found.claims.items()
        if name.endswith(".price-per-chip")
    }
    assert per_chip["tpu-v5p-16"] == 4
    assert per_chip["tpu-v4-32"] == 3
    assert per_chip["tpu-v5litepod-16"] == 1
    assert per_chip["tpu-v6e-8"] == 3


def test_a_filler_price_is_none_in_either_column(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "gcp_vms.csv"], tmp_path, "2031-01-01")
    report = found.reports[0]
    assert report.codes == {"load.rule": 1}
    assert report.skipped == {"no_accelerator": 1, "identical_row": 1}
    assert 700 not in [one["quantity"]["value"] for one in found.claims.values()]
    assert found.figure("skypilot/gcp.tpu-v6e-8.1.northland1.northland1-c.spot-price-per-chip") == (1.2, "USD/h")
    assert "skypilot/gcp.tpu-v6e-8.1.northland1.northland1-c.price" not in found.records
    assert report.remarks == {"placeholder_beside_a_price": 1, "spot_above_on_demand": 1}


def test_accelerators_that_are_sold_apart_from_the_machine_say_so(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "gcp_vms.csv"], tmp_path, "2031-01-01")
    apart = found.records["skypilot/gcp.h100-8x.8.northland1.northland1-a.price-per-chip"]
    assert apart["conditions"]["includes"] == "accelerators only, the machine is priced apart"
    assert (apart["subject"], apart["level"]) == ("family/nvidia-h100", "accelerator")
    assert "includes" not in found.records["skypilot/gcp.tpu-v4-32.1.northland1.northland1-a.price"]["conditions"]


def test_a_file_may_be_named_by_its_folder_and_form_factors_stand_in_the_machine(tmp_path: Path) -> None:
    found = load("skypilot", [SMALL / "lambda" / "vms.csv"], tmp_path, "2031-01-01")
    assert {one["conditions"]["provider"] for one in found.claims.values()} == {"org/lambda"}
    of = {name.split(".")[1]: one["subject"] for name, one in found.claims.items() if name.endswith("per-chip")}
    assert of == {
        "gpu-2x-h100-sxm5": "accelerator/nvidia-h100-sxm-80gb",
        "gpu-1x-h100-pcie": "accelerator/nvidia-h100-pcie-80gb",
    }


def test_a_price_needs_a_day(tmp_path: Path) -> None:
    with pytest.raises(KgError) as refused:
        load("skypilot", [SMALL / "gcp_vms.csv"], tmp_path)
    assert "--edition" in f"{refused.value.expected} {refused.value.next_step}"


HEADER = "InstanceType,AcceleratorName,AcceleratorCount,Price,Region"
MACHINE = "Standard_ND96isr_H100_v5,H100,8,80.0"


def priced(folder: Path, header: str, *rows: str) -> Load:
    """A list with one more column than the publisher's, loaded."""
    file = folder / "azure_vms.csv"
    file.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    return load("skypilot", [file], folder / "store", "2031-01-01")


@pytest.mark.parametrize("column", ["Currency", "currency_code", "PriceCurrency", "CCY", "Devise"])
def test_a_price_in_a_currency_that_is_not_that_of_the_unit_is_refused(tmp_path: Path, column: str) -> None:
    found = priced(
        tmp_path,
        f"{HEADER},{column}",
        f"{MACHINE},a,USD",
        f"{MACHINE},b,EUR",
        f"{MACHINE},c,",
        f"{MACHINE},d,usd",
        f"{MACHINE},e,US$",
        f"{MACHINE},f,CNY",
        f"{MACHINE},g,credits",
    )
    assert {one["conditions"]["region"] for one in found.claims.values()} == {"a", "d", "e"}
    assert {(one["row"]["Region"], one["given"]) for one in found.rejected} == {
        ("b", "EUR"),
        ("c", "nothing"),
        ("f", "CNY"),
        ("g", "credits"),
    }
    assert {(one["code"], one["field"], one["expected"]) for one in found.rejected} == {
        ("load.cell", column, "USD, the currency in which the prices of this source are read")
    }
    assert found.reports[0].adds_up


def test_a_row_without_a_price_needs_no_currency(tmp_path: Path) -> None:
    found = priced(tmp_path, f"{HEADER},Currency", "Standard_ND96isr_H100_v5,H100,8,,a,EUR")
    report = found.reports[0]
    assert (report.read, report.rejected, report.adds_up, found.claims) == (1, 0, True, {})


def test_a_column_that_counts_users_is_no_currency(tmp_path: Path) -> None:
    found = priced(tmp_path, f"{HEADER},Concurrency", f"{MACHINE},a,64")
    assert (found.rejected, len(found.claims)) == ([], 2)


def test_a_later_list_with_other_columns_supersedes_in_either_order(tmp_path: Path) -> None:
    later = both_orders(
        "skypilot", SMALL / "2031-01-01" / "azure_vms.csv", SMALL / "2031-02-01" / "azure_vms.csv", tmp_path
    )
    assert later.figure(f"{H100}.price-per-chip") == (9, "USD/h")
    assert later.records[f"{H100}.price"]["said_on"] == "2031-02-01"
    assert len(later.entities("offer")) == 3
    assert load("skypilot", [SMALL / "2031-02-01" / "azure_vms.csv"], tmp_path / "alone").reports[
        0
    ].unknown_columns == ("CarbonClass",)


def opened(path: Path, mode: Literal["rt", "wt"]) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, mode, encoding="utf-8", newline="")
    return open(path, mode, encoding="utf-8", newline="")


def thinned(folder: Path) -> Path:
    """The lists with every row that is of an accelerator, and one in twenty of the others, which are passed over."""
    for name in FILES:
        with opened(PUBLISHED / name, "rt") as file, opened(folder / name, "wt") as kept:
            header, *lines = file  # no cell of these has a line break
            kept.write(header)
            for number, (line, row) in enumerate(zip(lines, csv.DictReader([header, *lines]), strict=True)):
                nameless = row["InstanceType"].split("_")[-2:-1] in (["V620"], ["V710"])  # cards that nobody knows
                kept.write(line if nameless or is_of_accelerator(row) or number % 20 == 0 else "")
    return folder


def is_of_accelerator(row: dict[str, str]) -> bool:
    return bool(row["AcceleratorName"]) or any(one in row["InstanceType"] for one in ("GB200", "MI300X"))


@pytest.fixture(scope="module", params=first(1, ["thinned", "whole"]))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the three published lists lie."""
    return PUBLISHED if request.param == "whole" else thinned(tmp_path_factory.mktemp("lists"))


Rows = Callable[[str], list[dict[str, str]]]


@pytest.fixture(scope="module")
def raw(folder: Path) -> Rows:
    """The rows of a published list."""

    @cache
    def rows(name: str) -> list[dict[str, str]]:
        with opened(folder / name, "rt") as file:
            return list(csv.DictReader(file))

    return rows


@pytest.fixture(scope="module")
def published(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Load:
    """The three published lists."""
    return load("skypilot", [folder / name for name in FILES], tmp_path_factory.mktemp("store"), "2026-05-20")


@skip_without("skypilot-catalog")
def test_every_row_of_the_published_lists_is_accounted_for(published: Load, raw: Rows) -> None:
    assert [one.read for one in published.reports] == [len(raw(name)) for name in FILES]
    assert all(one.adds_up for one in published.reports)
    assert [one.codes for one in published.reports] == [{"names.unresolved": 56}, {"load.rule": 32}, {}]
    assert published.reports[1].remarks == {"placeholder_beside_a_price": 8, "spot_above_on_demand": 16}
    assert 700 not in [one["quantity"]["value"] for one in published.claims.values()]


@skip_without("skypilot-catalog")
def test_every_named_machine_of_the_published_lists_has_its_price(published: Load, raw: Rows) -> None:
    prices = [
        (one["anchor"]["document"], one["anchor"]["row"], one["quantity"]["value"])
        for name, one in published.claims.items()
        if name.endswith(".price")
    ]
    for name in FILES:
        mine = sorted(value for document, _, value in prices if document == name)
        columns = (
            "InstanceType",
            "AcceleratorName",
            "AcceleratorCount",
            "Region",
            "Price",
            "SpotPrice",
            "AvailabilityZone",
        )
        rows = {
            tuple(row.get(key) for key in columns)
            for row in raw(name)
            if is_of_accelerator(row) and row["Price"] != "700.0"
        }
        assert mine == sorted(float(row[4] or 0) for row in rows)


@skip_without("skypilot-catalog")
@pytest.mark.parametrize(
    ("file", "instance", "chip", "region", "count", "subject"),
    [
        ("azure_vms.csv.gz", "Standard_ND96isr_H100_v5", "H100", "eastus", 8, "accelerator/nvidia-h100-sxm-80gb"),
        ("azure_vms.csv.gz", "Standard_NC40ads_H100_v5", "H100", "eastus2", 1, "accelerator/nvidia-h100-nvl-94gb"),
        ("azure_vms.csv.gz", "Standard_ND96isr_H200_v5", "H200", "eastus2", 8, "accelerator/nvidia-h200-sxm-141gb"),
        ("azure_vms.csv.gz", "Standard_ND128isr_NDR_GB200_v6", "", "eastus", 4, "accelerator/nvidia-gb200-gpu"),
        ("azure_vms.csv.gz", "Standard_ND96is_MI300X_v5", "", "westus", 8, "accelerator/amd-mi300x"),
        ("azure_vms.csv.gz", "Standard_NC24ads_A100_v4", "A100-80GB", "eastus", 1, "accelerator/nvidia-a100-pcie-80gb"),
        ("lambda_vms.csv", "gpu_8x_h100_sxm5", "H100", "us-west-1", 8, "accelerator/nvidia-h100-sxm-80gb"),
        ("lambda_vms.csv", "gpu_1x_h100_pcie", "H100", "us-west-1", 1, "accelerator/nvidia-h100-pcie-80gb"),
        ("lambda_vms.csv", "gpu_1x_gh200", "GH200", "us-west-1", 1, "superchip/nvidia-gh200-96gb"),
        ("gcp_vms.csv.gz", "", "B200", "us-central1", 8, "family/nvidia-b200"),
        ("gcp_vms.csv.gz", "", "tpu-v5p-1024", "us-east5", 512, "accelerator/google-tpu-v5p"),
        ("gcp_vms.csv.gz", "", "tpu-v6e-256", "us-east5", 256, "accelerator/google-tpu-v6e"),
        ("gcp_vms.csv.gz", "", "tpu-v5litepod-8", "us-central1", 8, "accelerator/google-tpu-v5e"),
        ("gcp_vms.csv.gz", "", "tpu-v4-64", "us-central2", 32, "accelerator/google-tpu-v4"),
    ],
)
def test_prices_of_one_accelerator_are_those_of_the_raw_rows(
    published: Load, raw: Rows, file: str, instance: str, chip: str, region: str, count: int, subject: str
) -> None:
    wanted = {
        round(float(row["Price"]) / count, 9)
        for row in raw(file)
        if row["InstanceType"] == instance
        and row["AcceleratorName"] == chip
        and row["Region"] == region
        and row["AcceleratorCount"] in ("", "1", "1.0", str(count), f"{count}.0")
        and row["Price"] != "700.0"
    }
    offer = instance or (chip if chip.startswith("tpu") else f"{chip}-{count}x")
    found = {
        round(one["quantity"]["value"], 9)
        for name, one in published.claims.items()
        if name.endswith(".price-per-chip")
        and one["subject"] == subject
        and one["conditions"]["region"] == region
        and published.records[one["conditions"]["offer"]]["label"].startswith(f"{offer} (")
    }
    assert wanted and found == wanted
