"""MLPerf Inference: spot values against the raw files, and counts that add up. The files are not part of the product."""

import csv
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kg.build.build import StorePlace
from kg.build.published import load_published
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.ingest.load_report import Report
from kg.ingest.sources import get_loader
from kg.ledger.ledger import Ledger
from kg.ledger.segment import read_segment
from tests.small_content import ROOT

DATA = ROOT.parent / "shared" / "data" / "mlcommons-inference"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the published files lie beside the repository in ../shared only"
)
PATHS = {
    "v5.1": ["v5.1/summary_results.json"],
    "v4.1": ["v4.1/summary_results.json"],
    "v5.0-page": ["v5.0/mlperf-5.0.csv"],
    "v5.1-page": ["v5.1/mlperf-5.1.csv"],
    "v6.0-table": ["v6.0/mlperf-6.0.csv"],
    "v3.1-aggregated": ["v3.1/aggregated"],
    "v4.1-aggregated": ["v4.1/aggregated"],
    "systems": ["v4.1/closed", "v4.1/open", "v5.1/closed", "v5.1/open"],
}
Loaded = tuple[tuple[Report, ...], dict[str, Any]]


LONG = ("v4.1", "v5.0-page", "v3.1-aggregated", "v4.1-aggregated")
"""Loaded in the long run: other files of their forms are loaded here, small ones in `tests/loaders/test_mlperf_small.py`."""


def of_files(*given: tuple[Any, ...]) -> list[Any]:
    """Parameters that begin with a name of `PATHS`, those of the long run marked."""
    return [pytest.param(*one, marks=pytest.mark.long if one[0] in LONG else ()) for one in given]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Loaded]:
    """A published file through its mapping: the reports, and the claims by id. No view is made."""
    return cache(lambda name: load_alone(PATHS[name], tmp_path_factory.mktemp("store")))


def load_alone(paths: list[str], folder: Path) -> Loaded:
    content, place = find_content(ROOT), StorePlace(folder)
    loader, before = get_loader(content, "mlperf-inference"), {info.name for info in place.ledger.manifest().segments}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.build.published.refresh_view", lambda *given, **named: None)
        reports = load_published(place, content, loader, [DATA / one for one in paths]).files
    return reports, _claims(place.ledger, before)


def _claims(ledger: Ledger, before: set[str]) -> dict[str, Any]:
    new = [info for info in ledger.manifest().segments if info.name not in before]
    return {
        one["id"]: one for info in new for one in read_segment(ledger.segments_folder, info) if one["record"] == "claim"
    }


@cache
def summary(round_name: str) -> list[Any]:
    """The raw rows of a summary file."""
    rows: list[Any] = json.loads((DATA / round_name / "summary_results.json").read_bytes())
    return rows


def value(claims: dict[str, Any], name: str) -> tuple[Any, Any]:
    """Figure and unit of a claim."""
    quantity = claims[name]["quantity"]
    return quantity["value"], quantity["unit"]


@pytest.mark.parametrize("name", of_files(*((name,) for name in PATHS)))
def test_every_row_is_accounted_for_and_none_is_rejected(loaded: Callable[[str], Loaded], name: str) -> None:
    reports = loaded(name)[0]
    assert all(one.adds_up for one in reports)
    assert sum(one.rejected for one in reports) == 0


@pytest.mark.parametrize(
    ("name", "rows"),
    of_files(
        ("v5.1", 1448),
        ("v4.1", 937),
        ("v5.0-page", 859),
        ("v5.1-page", 554),
        ("v6.0-table", 493),
        ("v3.1-aggregated", 891),
        ("v4.1-aggregated", 897),
    ),
)
def test_the_rows_read_are_those_of_the_file(loaded: Callable[[str], Loaded], name: str, rows: int) -> None:
    assert sum(one.read for one in loaded(name)[0]) == rows


@pytest.mark.parametrize("round_name", of_files(("v4.1",), ("v5.1",)))
def test_every_result_of_a_summary_file_is_its_raw_value(loaded: Callable[[str], Loaded], round_name: str) -> None:
    claims = loaded(round_name)[1]
    results = [one for name, one in claims.items() if name.endswith(".result")]
    by_entry = {(one["conditions"]["entry"], int(one["anchor"]["pointer"].split("/")[1])): one for one in results}
    raw = summary(round_name)
    assert len(results) == len(raw)
    for position, row in enumerate(raw):
        assert by_entry[row["ID"], position]["quantity"]["value"] == pytest.approx(row["Performance_Result"], rel=1e-12)


def test_gb200_is_72_accelerators_and_not_4(loaded: Callable[[str], Loaded]) -> None:
    claims = loaded("v5.1")[1]
    entry = "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline"
    assert value(claims, f"{entry}.result") == (289712, "token/s")
    assert value(claims, f"{entry}.accelerators") == (72, "count:gpu")
    assert value(claims, f"{entry}.per-accelerator")[0] == pytest.approx(4023.7777777)
    assert claims[f"{entry}.result"]["subject"] == "accelerator/nvidia-gb200-gpu"
    assert claims[f"{entry}.result"]["conditions"]["tested_on"] == "(72x GB200-186GB_aarch64, TensorRT)"


def test_a_wrong_unit_is_kept_and_put_right_beside_it(loaded: Callable[[str], Loaded]) -> None:
    claims = loaded("v5.1-page")[1]
    entry = "mlcommons-inference-v5.1-page/5.1-0071.deepseek-r1.offline"
    assert value(claims, f"{entry}.result") == (289712, "sample/s")
    assert value(claims, f"{entry}.result-corrected") == (289712, "token/s")
    rests = claims[f"{entry}.result-corrected"]["derivations"][0]
    assert rests["inputs"]["printed"]["claim"] == f"{entry}.result"
    assert value(claims, f"{entry}.per-accelerator") == (pytest.approx(4023.7777777), "token/s")


def test_the_cells_of_the_page_agree_with_the_summary_but_for_three_rotated_entries(
    loaded: Callable[[str], Loaded],
) -> None:
    page, raw = loaded("v5.1-page")[1], loaded("v5.1")[1]
    compared, differing = 0, set()
    for name, claim in page.items():
        other = raw.get(name.replace("-v5.1-page/", "-v5.1/")) if name.endswith(".result") else None
        if other is not None:
            compared += 1
            if abs(claim["quantity"]["value"] - other["quantity"]["value"]) > 0.5:
                differing.add(claim["conditions"]["entry"])
    assert compared > 500
    assert differing <= {"5.1-0087", "5.1-0088", "5.1-0089"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("entry", "task", "scenario", "printed", "unit"),
    [
        ("5.0-0001", "llama2-70b-99", "offline", "33,928.10", "token/s"),
        ("5.0-0001", "llama2-70b-99.9", "server", "30,724.51", "token/s"),
        ("5.0-0002", "stable-diffusion-xl", "offline", "17.10", "sample/s"),
        ("5.0-0002", "stable-diffusion-xl", "server", "16.18", "query/s"),
    ],
)
def test_cells_of_the_v5_0_page(
    loaded: Callable[[str], Loaded], entry: str, task: str, scenario: str, printed: str, unit: str
) -> None:
    quantity = loaded("v5.0-page")[1][f"mlcommons-inference-v5.0-page/{entry}.{task}.{scenario}.result"]["quantity"]
    assert (quantity["printed"], quantity["unit"]) == (printed, unit)
    assert quantity["value"] == float(printed.replace(",", ""))


def test_v6_0_takes_the_printed_totals(loaded: Callable[[str], Loaded]) -> None:
    claims = loaded("v6.0-table")[1]
    entry = "mlcommons-inference-v6.0-table/v6.0-0001.llama2-70b-99.offline"
    assert value(claims, f"{entry}.accelerators-printed") == (87, "count:gpu")
    assert value(claims, f"{entry}.result") == (1042110, "token/s")
    assert value(claims, f"{entry}.per-accelerator")[0] == pytest.approx(1042110 / 87)
    totals = {one["quantity"]["value"] for name, one in claims.items() if name.endswith("accelerators-printed")}
    assert {87, 94, 72, 288, 64} <= totals
    assert loaded("v6.0-table")[0][0].remarks["total_differs"] == 8


@pytest.mark.parametrize("name", of_files(("v5.0-page",), ("v5.1",), ("v6.0-table",)))
def test_results_are_dated_as_their_source_is_in_what_is_shipped(loaded: Callable[[str], Loaded], name: str) -> None:
    source = read_registry(find_content(ROOT)).records[f"source/mlcommons-inference-{name}"]
    dates = {one.get("said_on") for one in loaded(name)[1].values()}
    assert dates == {source["published"]}


def test_v6_0_latency_is_not_throughput(loaded: Callable[[str], Loaded]) -> None:
    seconds = [one for one in loaded("v6.0-table")[1].values() if one["quantity"].get("unit") == "s"]
    assert len(seconds) == 7
    assert {one["metric"] for one in seconds} == {"latency"}


@pytest.mark.long
def test_power_is_a_row_of_its_own_in_v4_1_and_a_column_in_v3_1(loaded: Callable[[str], Loaded]) -> None:
    of = {
        name: [one for one in loaded(name)[1].values() if one["metric"] == "power"]
        for name in ("v3.1-aggregated", "v4.1-aggregated")
    }
    assert (len(of["v3.1-aggregated"]), len(of["v4.1-aggregated"])) == (68, 28)
    assert sum(one.skipped.get("identical_row", 0) for one in loaded("v3.1-aggregated")[0]) == 68
    assert 2268.1111600587396 in [one["quantity"]["value"] for one in of["v3.1-aggregated"]]
    assert 4954.031546707506 in [one["quantity"]["value"] for one in of["v4.1-aggregated"]]


@pytest.mark.long
def test_max_q_is_a_condition(loaded: Callable[[str], Loaded]) -> None:
    limited = [one for one in loaded("v4.1")[1].values() if one["conditions"].get("boundary") == "power-limited (MaxQ)"]
    raw = [row for row in summary("v4.1") if "maxq" in (row["System"] + row["Platform"]).lower()]
    assert raw and len({one["anchor"]["pointer"].split("/")[1] for one in limited}) == len(raw)


@pytest.mark.long
def test_gptj_is_in_samples_in_v3_1_and_in_tokens_in_v4_1(loaded: Callable[[str], Loaded]) -> None:
    def units(name: str) -> set[str]:
        return {
            one["quantity"]["unit"]
            for one in loaded(name)[1].values()
            if one["metric"] == "throughput"
            and one.get("normaliser") == "per-chip"
            and "gptj" in str(one["conditions"].get("task"))
        }

    assert units("v3.1-aggregated") == {"sample/s", "query/s"}
    assert units("v4.1-aggregated") == units("v4.1") == {"token/s"}


def test_a_mixed_cluster_has_its_parts_and_no_result_per_accelerator(loaded: Callable[[str], Loaded]) -> None:
    for name, total in (("v5.1", 48), ("v5.1-page", 48)):
        claims = loaded(name)[1].values()
        mixed = [
            one
            for one in claims
            if one["subject"].startswith("config/mlperf-amd-instinct-mi300x") and one["metric"] == "throughput"
        ]
        assert mixed and {one["normaliser"] for one in mixed} == {"total"}
        assert {one["level"] for one in mixed} == {"cluster"}
        assert total in {one["conditions"]["accelerators"] for one in mixed}


def test_summary_and_page_make_one_cluster_of_one_system(loaded: Callable[[str], Loaded]) -> None:
    def clusters(name: str) -> set[str]:
        return {one["subject"] for one in loaded(name)[1].values() if one["subject"].startswith("config/mlperf-amd")}

    assert clusters("v5.1-page") <= clusters("v5.1")


@pytest.mark.long
def test_the_page_and_the_raw_csv_agree_cell_by_cell(loaded: Callable[[str], Loaded]) -> None:
    with open(DATA / "v5.0" / "mlperf-5.0.csv", encoding="utf-8", newline="") as file:
        cells = [cell for row in list(csv.reader(file))[5:] if row[15].startswith("Avg") for cell in row[16:] if cell]
    printed = sorted(
        one["quantity"]["printed"] for name, one in loaded("v5.0-page")[1].items() if name.endswith(".result")
    )
    assert printed == sorted(cells)


def test_descriptions_give_memory_with_its_unit(loaded: Callable[[str], Loaded]) -> None:
    claims = loaded("systems")[1]
    gb200 = [one for name, one in claims.items() if "gb200-nvl72" in name and name.endswith(".memory")]
    assert {(one["quantity"]["value"], one["quantity"]["unit"]) for one in gb200} == {(186, "GB")}
    assert {one["quantity"]["unit"] for name, one in claims.items() if name.endswith(".memory")} >= {"GB", "MiB"}


def test_descriptions_are_of_the_round_of_their_folder(loaded: Callable[[str], Loaded]) -> None:
    assert {one.edition for one in loaded("systems")[0]} == {"v4.1", "v5.1"}


def test_a_round_that_nobody_knows_loads(tmp_path: Path) -> None:
    content = find_content(ROOT)
    rows = [{**row, "ID": row["ID"].replace("5.1-", "6.1-"), "version": "v6.1"} for row in summary("v5.1")[:20]]
    (tmp_path / "summary_results.json").write_text(json.dumps(rows))
    found = load_published(
        StorePlace(tmp_path / "store"),
        content,
        get_loader(content, "mlperf-inference"),
        [tmp_path / "summary_results.json"],
        dry_run=True,
    )
    assert (found.files[0].edition, found.files[0].loaded, found.rejected) == ("v6.1", 20, 0)
