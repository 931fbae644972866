"""`kg verify` on the shipped content."""

import csv
import io
import json
import re
import shutil
from pathlib import Path

from kg.answers.claim import Thing
from kg.answers.verification import MeasuredRatio, Read, UsedRow, Verification, Verified
from kg.render.verify_text import verification_lines
from tests.cli.conftest import Kg

TENFOLD = "002/author.nvl72-dgx-b200.r1"


def test_a_claim_is_shown_with_the_rows_and_both_readings(kg: Kg) -> None:
    done = kg("verify", TENFOLD, "--wide")
    assert done.returncode == 0 and " ".join(done.stdout.split()).startswith(
        "nearly tenfold performance of NVIDIA GB200 NVL72 against NVIDIA DGX B200 is claimed; its own rows, put right, give 1.02x to 1.21x per accelerator; results give 0.964 to 1 per accelerator and 8.68 to 9.01 per system (supported-system-only)."
    )
    for told in (
        "per-accelerator",
        "per-system",
        "289,712",
        "5.1-0071",
        "Rows used",
        "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline.per-accelerator",
    ):
        assert told in " ".join(done.stdout.split())


def test_what_is_asked_about_is_answered_in_the_first_sentence(kg: Kg) -> None:
    number, thing = (" ".join(kg("verify", words).stdout.split()) for words in ("2.5x", "MI300X"))
    assert number.startswith("No published result bears on any of the 5 claims about 2.5x, such as 2.5x ")
    assert " against NVIDIA " in number.split("5 claims of a ratio")[0] and "kg verify 0" in number
    start = re.match(r"[^;]+ is claimed; results give [\d.]+( to [\d.]+)? per accelerator", thing)
    none = thing.startswith("No published result bears on any of the ")
    assert start is not None or none, thing


def test_all_claims_are_counted_by_verdict_and_by_reason(kg: Kg) -> None:
    done = kg("verify")
    assert "no published result can bear on" in done.stdout and "it names no model" in done.stdout
    assert re.match(
        r"Published results contradict none of the \d+ claims that they bear on; nearly tenfold performance of NVIDIA GB200"
        r" NVL72 against NVIDIA DGX B200 holds for whole systems only \(results give .*\); \d+ hold\. On the other \d+ of \d+",
        " ".join(done.stdout.split()),
    )
    assert "Next: kg verify 002/author.nvl72-dgx-b200.r1" in done.stdout


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


def test_the_worst_that_results_contradict_comes_first() -> None:
    row = UsedRow("1/row", "a/b", 1, 2.0, 2.0, "token/s", "r", "e", "s", "available")
    thing = Thing("a/b", "B")

    def claim(name: str, verdict: str, ratio: float) -> Verified:
        measured = MeasuredRatio("s", 2.0, 2.0, 1.0, 9.0, 1, row, row, "comparable", ())
        read = Read("per-accelerator", verdict, "because", None, None, (measured,))
        return Verified(
            claim=name,
            verdict=verdict,
            reason="because",
            subject=thing,
            level="node",
            baseline=thing,
            metric="throughput",
            normaliser="unstated",
            printed=f"{ratio:g}x",
            hedge=None,
            modality="stated",
            ratio=ratio,
            ratio_lower=None,
            ratio_upper=None,
            conditions=None,
            asserted_by=thing,
            source="source/1",
            readings=(read,),
            direction=None,
            number_verdict="unverified",
            value_to_use=None,
        )

    claims = [claim("1/near", "contradicted", 3), claim("1/far", "contradicted", 30), claim("1/holds", "supported", 2)]
    assert [one.off for one in claims][1] == max(one.off for one in claims)
    ranked = [claims[1], claims[0], claims[2]]
    text = " ".join(verification_lines(Verification(None, tuple(ranked), ()), ranked, ranked[:1], brief=True))
    told = " ".join(text.split())
    assert told.startswith("Published results contradict 2 of the 3 claims that they bear on: 30x throughput")
    assert (
        told.index("30x") < told.index("; 3x throughput of B against B (results give 2 per accelerator)")
        and "; 1 holds." in told
    )


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


def test_a_contradicted_claim_gives_exit_code_one(kg: Kg, shipped_store: Path, tmp_path: Path) -> None:
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
    shutil.copytree(shipped_store, folder / "store")
    assert kg("load", "claims", str(folder / "mine.jsonl"), "--store", str(folder / "store")).returncode == 0
    done = kg("verify", "mine/b200.h100", "--exit-code", "--store", str(folder / "store"))
    assert done.returncode == 1 and " ".join(done.stdout.split()).startswith(
        "30x throughput of NVIDIA B200 series against NVIDIA H100 series is claimed; results give 3.16 to 3.32 per accelerator (contradicted)."
    )
