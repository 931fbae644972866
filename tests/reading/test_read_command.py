"""`kg read`: figures of a report as lines of JSON whose positions lead back to the text."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kg.cli.app import run
from kg.model.identifiers import CLAIM_ID, is_entity_id
from kg.reading.proposal_lines import proposal_lines
from kg.reading.proposals_file import read_proposals
from kg.reading.reading_session import ReadingSession

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


@pytest.fixture(scope="module")
def session() -> ReadingSession:
    return ReadingSession()


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


HIDDEN_SIGNS = {
    "right-to-left marks": "It draws \u200f700\u200f W in all.",
    "an override of direction": "It draws \u202d700\u202c W in all.",
    "a zero-width space in a figure": "It draws 7\u200b00 W in all.",
    "a soft hyphen in a figure": "It draws 70\u00ad0 W in all.",
    "a byte order mark in the text": "It draws \ufeff700 W in all.",
}


@pytest.mark.parametrize("text", HIDDEN_SIGNS.values(), ids=list(HIDDEN_SIGNS))
def test_signs_that_nobody_sees_change_no_figure(session: ReadingSession, text: str) -> None:
    reading = session.read(text.encode(), "text")
    (one,) = reading.proposals
    assert one.figure.number is not None and one.figure.unit == "W"
    assert one.figure.number.value == 700
    assert reading.report.text[one.figure.start : one.figure.end] == one.figure.printed


PAGE = """<html><script>document.write('900 W')</script><body onload="x(901)"><table>
<tr><th>Chip<th>Power (W)<tr><td>H100<td>700<tr><td>B200<td>1000</table></body></html>"""


def test_a_cell_of_a_page_keeps_its_place_up_to_the_line_of_the_proposal(session: ReadingSession) -> None:
    reading = session.read(PAGE.encode(), "html")
    claims = [one for one in reading.proposals if one.figure.is_claim]
    assert [(one.figure.printed, one.figure.unit) for one in claims] == [("700", "W"), ("1000", "W")]
    cell = claims[1].figure.block.cell
    assert cell is not None and (cell.row, cell.column, cell.row_headers) == (2, 1, ("B200",))
    lines = [json.loads(line) for line in proposal_lines(reading.proposals)]
    assert [line["subject_label"] for line in lines if line["claim"]] == ["NVIDIA H100 series", "NVIDIA B200 series"]


@pytest.mark.parametrize(("name", "said"), [("missing.md", "no such file"), (".", '"a folder"')])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["my report (2).md", "Übersicht März.md", "_a<b>.txt", "-.md"])
def test_the_proposals_of_a_file_of_any_name_can_be_reviewed(
    session: ReadingSession, tmp_path: Path, name: str
) -> None:
    report = tmp_path / name
    report.write_text("The H200 draws 700 W.\n")
    session.read(report).write_for_review(tmp_path / "out.yaml")
    source = read_proposals(tmp_path / "out.yaml").source
    assert is_entity_id(source) and re.fullmatch(CLAIM_ID, f"{source.removeprefix('source/')}/r1")


@pytest.mark.parametrize(
    "options", [("-o", "report.md"), ("--text-out", "report.md"), ("-o", "out.jsonl", "--text-out", "./out.jsonl")]
)
def test_a_report_and_a_result_are_not_written_over(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("report.md").write_text("The H200 has 141 GB.\n", encoding="utf-8")
    assert run(["read", "report.md", *options]) == 2
    assert "Accepted: a file that" in capsys.readouterr().err
    assert Path("report.md").read_text(encoding="utf-8") == "The H200 has 141 GB.\n"
