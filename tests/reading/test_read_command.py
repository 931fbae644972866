"""`kg read`: figures of a report as lines of JSON whose positions lead back to the text."""

import json
import subprocess
import sys
from pathlib import Path

from kg.cli.app import run

KEYS = {
    "anchor",
    "quantity",
    "value",
    "unit",
    "relation",
    "hedge",
    "subject_label",
    "baseline_label",
    "metric",
    "conditions",
    "confidence",
    "claim",
    "candidates",
}


def test_each_line_is_a_proposal_with_the_agreed_keys(tmp_path: Path) -> None:
    report, out = tmp_path / "report.md", tmp_path / "out.jsonl"
    report.write_bytes(b"# A\r\n\r\nThe GB200 is about **2.2x** faster, at 1,960 TFLOPS in May 2025.\r\n")
    assert run(["read", str(report), "-o", str(out)]) == 0
    text = report.read_bytes().decode()
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        assert set(line) - {"reason"} == KEYS
        assert text[line["anchor"]["start"] : line["anchor"]["end"]] == line["quantity"]["printed"]
    claims = {
        line["quantity"]["printed"]: (line["value"], line["unit"], line["hedge"]) for line in lines if line["claim"]
    }
    assert claims == {"2.2x": (2.2, "1", "about"), "1,960": (1960, "TFLOP/s", None)}
    reasons = {line["quantity"]["printed"]: line["reason"] for line in lines if not line["claim"]}
    assert reasons == {"200": "product-name", "2025": "date"}


def test_standard_input_is_read() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kg", "read", "-", "--format", "jsonl", "--quiet"],
        input=b"It draws 700 W.\n",
        capture_output=True,
        check=True,
    )
    (line,) = [json.loads(one) for one in done.stdout.decode().splitlines()]
    assert (line["anchor"], line["value"], line["unit"]) == ({"start": 9, "end": 12}, 700, "W")
