"""The official headline results in seeds: what they say, that they follow from their inputs, and that the published files print them there."""

import csv
import io
import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kg.content.claims_file import read_claims_file

Json = dict[str, Any]
CHECKOUT = Path(__file__).resolve().parents[2]
FILES = sorted((CHECKOUT / "seeds" / "claims").glob("mlperf-headlines-*.yaml"))
DATA = CHECKOUT.parent / "shared" / "data" / "mlcommons-inference"


@cache
def entries(path: Path) -> tuple[Json, ...]:
    return tuple(entry for _, _, entry in read_claims_file(path, shown=path.name).entries())


def everything() -> Iterator[tuple[str, Json]]:
    for path in FILES:
        source = read_claims_file(path, shown=path.name).source.split("/", 1)[1]
        for entry in entries(path):
            yield f"{source}/{entry['id']}", entry


def test_a_few_dozen_results_of_three_rounds_are_there() -> None:
    results = [entry for name, entry in everything() if name.endswith(".result")]
    assert 60 <= len(results) <= 120
    assert {entry["conditions"]["round"] for entry in results} == {
        f"round/mlperf-inference-v{v}" for v in ("5.0", "5.1", "6.0")
    }
    chips = {entry["subject"].rpartition("/")[2] for entry in results}
    assert {
        "nvidia-gb200-gpu",
        "nvidia-b200-sxm-180gb",
        "nvidia-h200-sxm-141gb",
        "nvidia-h100-sxm-80gb",
        "amd-mi300x",
    } <= chips
    assert {entry["conditions"]["scenario"] for entry in results} == {
        "scenario/offline",
        "scenario/server",
        "scenario/interactive",
    }


def test_gb200_on_deepseek_r1_offline() -> None:
    held = dict(everything())
    row = "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline"
    total, count, each = (held[f"{row}.{name}"] for name in ("result", "accelerators", "per-accelerator"))
    assert (total["value"], total["unit"], count["value"]) == (289712, "token/s", 72)
    assert round(each["value"], 1) == 4023.8
    assert each["derivations"][0]["inputs"] == {
        "total": {"claim": f"{row}.result"},
        "accelerators": {"claim": f"{row}.accelerators"},
    }
    assert [given["constant"] for given in count["derivations"][0]["inputs"].values()] == [18, 4]


def test_every_result_names_round_entry_division_category_and_submitter() -> None:
    for name, entry in everything():
        conditions = entry["conditions"]
        assert {
            "benchmark",
            "round",
            "task",
            "model",
            "scenario",
            "division",
            "category",
            "availability",
            "entry",
            "tested_on",
        } <= set(conditions), name
        assert name.partition("/")[2].startswith(conditions["entry"].lower() + "."), name
        assert entry["asserted_by"].startswith("org/") and len(entry["sha256"]) == 64, name


def test_every_figure_per_accelerator_is_the_total_over_the_count() -> None:
    held = dict(everything())
    each = {name: entry for name, entry in held.items() if name.endswith(".per-accelerator")}
    assert len(each) == sum(".accelerators" in name for name in held)
    for name, entry in each.items():
        inputs = entry["derivations"][0]["inputs"]
        total, count = held[inputs["total"]["claim"]], held[inputs["accelerators"]["claim"]]
        assert entry["value"] == pytest.approx(total["value"] / count["value"], rel=1e-12), name
        assert (entry["unit"], entry["conditions"]["accelerators"]) == (total["unit"], count["value"]), name


def test_language_models_count_tokens_after_the_unit_was_set_right() -> None:
    for name, entry in everything():
        if name.endswith(".per-accelerator") and "stable-diffusion" not in name:
            assert entry["unit"] == "token/s", name
    wrong = [
        name
        for name, entry in everything()
        if name.endswith(".result") and "405b" in name and entry["unit"] != "token/s"
    ]
    assert wrong and all(name.startswith("mlcommons-inference-v5.0-page/") for name in wrong)


TABLES = {"mlperf-headlines-v5.0": "v5.0/mlperf-5.0.csv", "mlperf-headlines-v6.0": "v6.0/mlperf-6.0.csv"}
needs_files = pytest.mark.skipif(not DATA.is_dir(), reason="the published files are not here (../shared/data)")


def cells(path: Path) -> list[list[str]]:
    """The cells of a published table; the one of v6.0 has a stray byte at its end."""
    data = path.read_bytes()
    wide = data.startswith(b"\xff\xfe")
    text = data[: len(data) // 2 * 2].decode("utf-16") if wide else data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter="\t" if wide else ","))


def place(held: list[list[str]], column: str) -> int:
    """Where a column stands: in the header line of the long table, or below a model and a scenario of the page."""
    header = [name.strip() for name in held[0]]
    if column in header:
        return header.index(column)
    if column in held[4]:
        return held[4].index(column)
    model, scenario = column.rsplit(" ", 1)
    start = held[2].index(model)
    return start + held[3][start:].index(scenario)


@needs_files
@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_published_table_prints_every_figure_at_its_position(name: str) -> None:
    path = DATA / TABLES[name]
    held, digest = cells(path), sha256(path.read_bytes()).hexdigest()
    given = entries(CHECKOUT / "seeds" / "claims" / f"{name}.yaml")
    assert {entry["sha256"] for entry in given} == {digest}
    for entry in given:
        if "printed" in entry:
            assert held[entry["row"] - 1][place(held, entry["column"])] == entry["printed"], entry["id"]


@needs_files
def test_the_summary_of_v5_1_prints_every_figure_at_its_pointer() -> None:
    data = (DATA / "v5.1" / "summary_results.json").read_bytes()
    rows = json.loads(data)
    for entry in entries(CHECKOUT / "seeds" / "claims" / "mlperf-headlines-v5.1.yaml"):
        assert entry["sha256"] == sha256(data).hexdigest()
        _, row, column = entry["pointer"].split("/")
        assert rows[int(row)]["ID"] == entry["conditions"]["entry"]
        assert rows[int(row)]["Scenario"].casefold() == entry["conditions"]["scenario"].rpartition("/")[2]
        if "printed" in entry:
            assert json.dumps(rows[int(row)][column]) == entry["printed"], entry["id"]
