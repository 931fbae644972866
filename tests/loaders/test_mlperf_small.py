"""MLPerf Inference on small files of our own in the published shapes, through the readers to records."""

import json
from pathlib import Path
from typing import Any

import pytest

from kg.build.build import StorePlace
from kg.build.published import load_published
from kg.content.folders import find_content
from kg.ingest.load_report import Report
from kg.ingest.sources import get_loader
from tests.small_content import ROOT

CASES = ROOT / "tests" / "cases" / "loaders" / "mlperf-inference"
TABLE = (
    "Public ID\tOrganization\tAvailability\tSystem Name (click + for details)\tAccelerator (click + for details)\t"
    "Accelerators per node\tModel MLC\tScenario\tUnits\tDivision/Power\t# of Nodes\tTotal Accelerators \tAvg. Result at System Name\t"
    "Availability\r\n"
    "v6.0-0001\tAMD\tavailable\tcustom\tAMD Instinct MI355X 288GB HBM3e (x15)\t8\tllama2-70b-99\tOffline\tTokens/s\tClosed \t2\t15\t30000\t"
    "available\r\n"
)


def loaded(
    path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, edition: str | None = None
) -> tuple[Report, dict[str, Any]]:
    """A file through the mapping: its report, and all records by id."""
    monkeypatch.setattr("kg.build.published.refresh_view", lambda *given, **named: None)
    content, place = find_content(ROOT), StorePlace(store)
    report = load_published(place, content, get_loader(content, "mlperf-inference"), [path], edition=edition).files[0]
    return report, {one["id"]: one for one in place.ledger.current()}


def figure(records: dict[str, Any], name: str) -> tuple[Any, Any]:
    """Value and unit of a claim."""
    quantity = records[name]["quantity"]
    return quantity["value"], quantity["unit"]


def test_a_results_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, records = loaded(CASES / "mlperf-5.1.csv", tmp_path, monkeypatch)
    assert (report.shape, report.edition, report.read, report.loaded, report.rejected) == ("crosstab", "v5.1", 4, 3, 1)
    assert report.codes == {"load.cell": 1}
    entry = "mlcommons-inference-v5.1-page/5.1-0001.deepseek-r1.offline"
    assert figure(records, f"{entry}.accelerators") == (12, "count:gpu")
    assert figure(records, f"{entry}.result") == (1200, "sample/s")
    assert figure(records, f"{entry}.result-corrected") == (1200, "token/s")
    assert figure(records, f"{entry}.per-accelerator") == (100, "token/s")
    assert records[f"{entry}.result"]["anchor"]["row"] == 8
    assert records[f"{entry}.result"]["anchor"]["column"] == "deepseek-r1 Offline"
    assert records["mlcommons-inference-v5.1-page/5.1-0001.deepseek-r1.server.result"]["quantity"]["unit"] == "query/s"


@pytest.mark.parametrize(
    ("name", "entry", "day"),
    [
        ("mlperf-5.1.csv", "v5.1-page/5.1-0001.deepseek-r1.offline", "2025-09-09"),
        ("summary_results.json", "v7.1/7.1-0001.llama2-70b-99.server", "2026-11-20"),
    ],
)
def test_a_given_day_is_that_of_a_round_that_nobody_knows_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, entry: str, day: str
) -> None:
    _, records = loaded(CASES / name, tmp_path, monkeypatch, "2026-11-20")
    assert records[f"mlcommons-inference-{entry}.result"]["said_on"] == day


def test_a_cluster_of_two_kinds_in_a_results_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, records = loaded(CASES / "mlperf-5.1.csv", tmp_path, monkeypatch)
    entry = "mlcommons-inference-v5.1-page/5.1-0002.stable-diffusion-xl.offline"
    cluster = records[records[f"{entry}.result"]["subject"]]
    assert [one["count"] for one in cluster["parts"]] == [32, 16]
    assert f"{entry}.per-accelerator" not in records
    assert records[f"{entry}.result"]["conditions"]["accelerators"] == 48


def test_a_summary_of_a_round_that_nobody_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, records = loaded(CASES / "summary_results.json", tmp_path, monkeypatch)
    assert (report.edition, report.read, report.loaded, report.skipped, report.rejected) == (
        "v7.1",
        3,
        2,
        {"no_result": 1},
        0,
    )
    entry = "mlcommons-inference-v7.1/7.1-0001.llama2-70b-99.server"
    assert figure(records, f"{entry}.per-accelerator") == (100, "token/s")
    assert figure(records, f"{entry}.power") == (8000, "W")
    assert figure(records, f"{entry}.energy-per-token") == (5, "J/token")
    conditions = records[f"{entry}.result"]["conditions"]
    assert (conditions["boundary"], conditions["category"]) == ("power-limited (MaxQ)", ["datacenter", "edge"])
    assert "said_on" not in records[f"{entry}.result"]
    assert conditions["round"] == "round/mlperf-inference-v7.1"
    assert records["round/mlperf-inference-v7.1"]["suite"] == "benchmark/mlperf-inference"


def test_a_system_without_accelerator_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, records = loaded(CASES / "summary_results.json", tmp_path, monkeypatch)
    result = records["mlcommons-inference-v7.1/7.1-0002.resnet.singlestream.result"]
    assert (result["metric"], result["quantity"]["unit"]) == ("latency", "ms")
    assert records[result["subject"]]["kind"] == "configuration"


def test_a_long_table_in_utf_16_with_a_stray_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mlperf-6.0.csv"
    path.write_bytes(b"\xff\xfe" + TABLE.encode("utf-16-le") + b"\x00")
    report, records = loaded(path, tmp_path / "store", monkeypatch)
    assert (report.shape, report.edition, report.loaded, report.remarks) == ("table", "v6.0", 1, {"total_differs": 1})
    entry = "mlcommons-inference-v6.0-table/v6.0-0001.llama2-70b-99.offline"
    assert figure(records, f"{entry}.accelerators-printed") == (15, "count:gpu")
    assert figure(records, f"{entry}.per-accelerator") == (2000, "token/s")
    assert "derivations" not in records[f"{entry}.accelerators-printed"]


@pytest.mark.parametrize(
    ("entry", "printed", "counted"),
    [
        ("llama2-70b-99.server", (80, "query/s"), (10, "query/s")),
        ("llama2-70b-99.offline", (24000, "sample/s"), (3000, "token/s")),
        ("gptj-99.server", (160, "query/s"), (20, "query/s")),
        ("mixtral-8x7b.server", (160, "query/s"), (20, "query/s")),
    ],
)
def test_the_unit_of_a_result_follows_from_round_task_and_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, printed: tuple[int, str], counted: tuple[int, str]
) -> None:
    report, records = loaded(CASES / "server-v4.0.json", tmp_path, monkeypatch)
    row = f"mlcommons-inference-v4.0-aggregated/closed.datacenter.nvidia-p.{entry}.measured"
    assert figure(records, f"{row}.result") == printed
    assert figure(records, f"{row}.per-accelerator") == counted
    assert (f"{row}.result-corrected" in records) == (counted[1] == "token/s")
    assert report.remarks == {"unit_cannot_be": 2, "unit_undecided": 1}


def test_tokens_printed_over_a_round_that_counted_queries_are_put_right_next_to_the_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, records = loaded(CASES / "server-v4.0.json", tmp_path, monkeypatch)
    row = "mlcommons-inference-v4.0-aggregated/closed.datacenter.nvidia-headed.llama2-70b-99.server.measured"
    assert figure(records, f"{row}.result") == (80, "token/s")
    assert figure(records, f"{row}.result-corrected") == (80, "query/s")
    assert figure(records, f"{row}.per-accelerator") == (10, "query/s")


def test_a_corrected_unit_says_where_its_rule_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, records = loaded(CASES / "server-v4.0.json", tmp_path, monkeypatch)
    row = "mlcommons-inference-v4.0-aggregated/closed.datacenter.nvidia-p.llama2-70b-99.offline.measured"
    (rule,) = records[f"{row}.result-corrected"]["derivations"]
    assert rule["inputs"]["printed"]["claim"] == f"{row}.result"
    assert "MLCommons, submission checker" in rule["note"] and "tag v4.0" in rule["note"]
    assert rule["variant"] == "correction"
    assert report.corrections[f"result-corrected: {rule['note']}"] == 1


OPEN = {
    "ID": "5.1-0009",
    "Submitter": "NVIDIA",
    "Availability": "available",
    "Category": "open",
    "Suite": "datacenter",
    "System": "one card",
    "Platform": "one",
    "Model": "llama2-70b-99",
    "Scenario": "Offline",
    "Nodes": 1,
    "Accelerator": "NVIDIA H100",
    "a#": 8,
    "version": "v5.1",
    "Performance_Result": 1000.0,
    "Performance_Units": "Tokens/s",
}


@pytest.mark.parametrize(
    ("category", "used", "model"),
    [
        ("open", "llama3_1-70b", "model/llama-3-1-70b"),
        ("open", "llama2-70b-99", "model/llama-2-70b"),
        ("open", "some-net v2, pruned", "model/some-net-v2-pruned"),
        ("closed", "llama3_1-70b", "model/llama-2-70b"),
    ],
)
def test_the_model_of_an_open_result_is_the_one_that_was_run(
    category: str, used: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The open division lets a submitter change it, and 813 results of a round stood under the model of the task."""
    path = tmp_path / "summary_results.json"
    path.write_text(json.dumps([{**OPEN, "Category": category, "UsedModel": used}]))
    report, records = loaded(path, tmp_path / "store", monkeypatch)
    (result,) = (one for name, one in records.items() if name.endswith(".offline.result"))
    assert (report.loaded, result["conditions"]["model"]) == (1, model)
    assert (model in records) == model.endswith("pruned"), "what is known is not made again"


@pytest.mark.parametrize("corrected", range(1001, 1006))
def test_a_corrected_file_under_the_same_edition_counts_and_is_told(
    corrected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, store = tmp_path / "summary_results.json", tmp_path / "store"

    def load(result: float) -> tuple[Report, Any]:
        path.write_text(json.dumps([{**OPEN, "UsedModel": "llama2-70b-99", "Performance_Result": result}]))
        report, records = loaded(path, store, monkeypatch)
        return report, records["mlcommons-inference-v5.1/5.1-0009.llama2-70b-99.offline.result"]["quantity"]["value"]

    (first, _), (again, _) = load(1000), load(1000)
    assert (first.clashing, again.clashing, again.unchanged, again.loaded) == (0, 0, 1, 0)
    other, value = load(corrected)
    assert value == corrected
    assert (other.clashing, other.superseded, other.older) == (2, 2, 0), (
        "the result, and what it gives for each accelerator"
    )
    back, value = load(1000)
    assert (back.superseded, value) == (2, 1000), "the file loaded last counts, if it was there before"
    assert load(1000)[0].unchanged == 1


def test_words_that_are_not_of_mlperf_and_columns_that_lack_are_told_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row without a division, or without its nodes, was loaded without a word, and so was any availability."""
    path = tmp_path / "summary_results.json"
    lacking = {key: value for key, value in OPEN.items() if key not in ("Nodes", "Category")}
    rows = [
        OPEN,
        {**lacking, "ID": "5.1-0010"},
        {**OPEN, "ID": "5.1-0011", "Availability": "soon", "Suite": "datacenter,desk", "compliance": 2, "errors": 3},
        {**OPEN, "ID": "5.1-0012", "Availability": "Soon ", "Suite": "edge,datacenter", "compliance": 1, "errors": 0},
        {**OPEN, "ID": "5.1-0013", "Availability": "Available", "Category": "Closed"},
    ]
    path.write_text(json.dumps(rows))
    report, records = loaded(path, tmp_path / "store", monkeypatch)
    assert (report.loaded, report.rejected) == (5, 0), "a warning refuses nothing"
    assert [one.told("a.json") for one in report.warnings] == [
        "a.json: no column Category in 1 row: without it no result has its division",
        "a.json: no column Nodes in 1 row: without it no result has its number of accelerators, nor one per accelerator",
        "a.json:2: Availability: soon, in 2 rows; accepted: available, preview, rdi",
        "a.json:2: Suite: desk, in 1 row; accepted: datacenter, edge",
        "a.json:2: compliance: 2, in 1 row; accepted: 0, 1",
        "a.json:2: errors: 3, in 1 row; accepted: 0",
    ]
    assert "mlcommons-inference-v5.1/5.1-0010.llama2-70b-99.offline.accelerators" not in records


def test_interactive_runs_of_v5_0_are_told_apart_from_plain_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary_results.json"
    names = ("llama2-70b-99", "llama2-70b-interactive-99")
    row = {**OPEN, "Category": "closed", "version": "v5.0"}
    rows = [
        {**row, "ID": "5.0-0001", "Model": name, "Scenario": one} for name in names for one in ("Offline", "Server")
    ]
    path.write_text(json.dumps(rows))
    _, records = loaded(path, tmp_path / "store", monkeypatch)
    results = [one["conditions"] for name, one in records.items() if name.endswith(".result")]
    assert {(one["task"], one["scenario"]) for one in results} == {
        ("task/mlperf-llama2-70b-99", "scenario/offline"),
        ("task/mlperf-llama2-70b-99", "scenario/server"),
        ("task/mlperf-llama2-70b-interactive-99", "scenario/offline"),
        ("task/mlperf-llama2-70b-99", "scenario/interactive"),
    }
    assert {one["model"] for one in results} == {"model/llama-2-70b"}


def test_a_run_with_power_measurement_is_of_a_division_of_mlperf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, records = loaded(CASES / "summary_results.json", tmp_path / "store", monkeypatch)
    conditions = records["mlcommons-inference-v7.1/7.1-0001.llama2-70b-99.server.power"]["conditions"]
    assert (conditions["division"], conditions["includes"]) == ("division/closed", "power")
    path = tmp_path / "mlperf-6.0.csv"
    path.write_text(TABLE.replace("Closed ", "Closed Power"))
    _, records = loaded(path, tmp_path / "other", monkeypatch)
    (result,) = (one["conditions"] for name, one in records.items() if name.endswith(".result"))
    assert (result["division"], result["includes"]) == ("division/closed", "power")
