"""`kg verify` on the shipped content."""

import csv
import io
import json
import re
from pathlib import Path

from tests.cli.conftest import Kg

TENFOLD = "002/author.nvl72-dgx-b200.r1"


def test_a_claim_is_shown_with_the_rows_and_both_readings(kg: Kg) -> None:
    done = kg("verify", TENFOLD, "--wide")
    assert done.returncode == 0 and " ".join(done.stdout.split()).startswith(
        "nearly tenfold performance of NVIDIA GB200 NVL72 against NVIDIA DGX B200 is claimed; results give 0.722 to 1 per accelerator and 6.5 to 9.01 per system (supported-system-only)."
    )
    for told in (
        "per-accelerator",
        "per-system",
        "289,712",
        "5.1-0071",
        "rows used",
        "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline.per-accelerator",
    ):
        assert told in " ".join(done.stdout.split())


def test_what_is_asked_about_is_answered_in_the_first_sentence(kg: Kg) -> None:
    number, thing = (" ".join(kg("verify", words).stdout.split()) for words in ("2.5x", "MI300X"))
    assert number.startswith("No published result bears on any of the 5 claims about 2.5x; one is 2.5x ")
    assert " against NVIDIA " in number.split("5 claims of a ratio")[0] and "kg verify 0" in number
    start = re.match(r"[^;]+ is claimed; results give [\d.]+( to [\d.]+)? per accelerator", thing)
    none = thing.startswith("No published result bears on any of the ")
    assert start is not None or none, thing


def test_all_claims_are_counted_by_verdict_and_by_reason(kg: Kg) -> None:
    done = kg("verify")
    assert "no published result can bear on" in done.stdout and "it names no model" in done.stdout
    assert ": 1 supported-system-only" in done.stdout.splitlines()[0]


def test_the_forms_agree_and_a_verdict_narrows_them(kg: Kg) -> None:
    whole = json.loads(kg("verify", "--format", "json").stdout)
    some = json.loads(kg("verify", "--format", "json", "--verdict", "supported").stdout)
    assert {one["verdict"] for one in some["claims"]} == {"supported"} and len(some["claims"]) == whole["counts"][
        "supported"
    ]
    rows = list(csv.DictReader(io.StringIO(kg("verify", "--format", "csv").stdout)))
    assert {row["claim"] for row in rows} == {one["claim"] for one in whole["claims"]}
    lines = [json.loads(line) for line in kg("verify", TENFOLD, "--format", "jsonl").stdout.splitlines()]
    assert {line["basis"] for line in lines} == {"per-accelerator", "per-system"} and all(
        line["subject_row"] for line in lines
    )
    assert kg("verify", TENFOLD, "--format", "markdown").stdout.startswith("```")


def test_the_exit_code_is_one_exactly_when_a_claim_is_contradicted(kg: Kg) -> None:
    done = kg("verify", "--format", "json")
    assert done.returncode == ("contradicted" in json.loads(done.stdout)["counts"])


def test_wrong_use_is_told(kg: Kg) -> None:
    unknown, verdict = kg("verify", "002/nothing"), kg("verify", "--verdict", "perhaps")
    assert (unknown.returncode, verdict.returncode) == (2, 2)
    assert "Accepted: a claim, a number" in unknown.stderr and "supported-system-only" in verdict.stderr


def test_explain_names_the_questions(kg: Kg) -> None:
    assert (
        "benchmarks/ratio-claims, benchmarks/order-claims, benchmarks/lineage, benchmarks/measured"
        in kg("verify", TENFOLD, "--explain").stderr
    )


def test_a_contradicted_claim_gives_exit_code_one(kg: Kg, tmp_path: Path) -> None:
    folder = tmp_path
    claim = {
        "record": "claim",
        "id": "mine/b200.h100",
        "kind": "comparison",
        "subject": "family/nvidia-b200",
        "level": "accelerator",
        "baseline": "family/nvidia-h100",
        "baseline_level": "accelerator",
        "baseline_status": "named",
        "metric": "throughput",
        "relation": "ratio",
        "quantity": {"printed": "30x", "value": 30, "unit": "1"},
        "conditions": {
            "benchmark": "benchmark/mlperf-inference",
            "task": "task/mlperf-llama2-70b-99.9",
            "model": "model/llama-2-70b",
        },
        "asserted_by": "org/mlcommons",
        "source": "source/mine",
        "anchor": {"locator": "slide 3"},
    }
    source = {"record": "source", "id": "source/mine", "kind": "source", "label": "Mine", "form": "report"}
    (folder / "mine.jsonl").write_text("\n".join(map(json.dumps, (source, claim))) + "\n", encoding="utf-8")
    kg("build", "--store", str(folder / "store"))
    assert kg("load", "claims", str(folder / "mine.jsonl"), "--store", str(folder / "store")).returncode == 0
    done = kg("verify", "mine/b200.h100", "--exit-code", "--store", str(folder / "store"))
    assert done.returncode == 1 and " ".join(done.stdout.split()).startswith(
        "30x throughput of NVIDIA B200 series against NVIDIA H100 series is claimed; results give 3.16 to 3.32 per accelerator (contradicted)."
    )
