"""`kg check`: wrong figures with what is right, the text's own arithmetic, every form, and exit codes for a pipeline."""

import json
import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kg.cli.text_source import text_source
from kg.errors import UsageError
from kg.model.special_file import is_special
from kg.session import open_graph
from tests.cli.conftest import Kg

TEXT = """\
# Draft, version 3

The GB200 NVL72 reaches 72,428 tokens per second per accelerator in Offline on DeepSeek R1.
H100 NVL draws 800 W. The memory of a card went from 80 GB to 141 GB, a 2.5x increase.
A thing called Zork has 77.31 TB/s. <script>alert("x")</script> & more
"""


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_first_line_answers_and_the_worst_come_first(kg: Kg, draft: Path) -> None:
    done = kg("check", str(draft))
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0] == f"{draft}: 3 of 6 figures are known here: 3 wrong; 3 unknown."
    assert lines[1] == "1 computation of the text done again: it does not hold."
    assert [line.split("  ")[1:] for line in lines if line.startswith(f"{draft}:") and line.endswith("wrong")] == [
        ["72,428", "wrong"],
        ["800", "wrong"],
        ["2.5x", "wrong"],
    ]
    said = " ".join(done.stdout.split())
    assert "Value to use: 4,023.78 token/s" in said and "002/r1.gb200.offline.per-accelerator" in done.stdout
    assert "Value to use: 400 W" in said and "Value to use: 1.762x" in said
    assert "[77.31]" not in done.stdout and "[77.31]" in kg("check", str(draft), "--verbose").stdout


@pytest.mark.parametrize(("option", "code"), [("wrong", 1), ("disputed", 1), ("caution", 1)])
def test_it_fails_on_what_it_is_asked_to_fail_on(kg: Kg, draft: Path, option: str, code: int) -> None:
    assert kg("check", str(draft), "--fail-on", option).returncode == code
    draft.write_text("Nothing is claimed here, in 2024.\n")
    done = kg("check", str(draft), "--fail-on", option)
    assert done.returncode == 0 and "no figure that claims anything" in done.stdout


def test_json_has_positions_verdicts_and_claims(kg: Kg, draft: Path) -> None:
    (told,) = json.loads(kg("check", str(draft), "--format", "json").stdout)
    assert told["counts"]["wrong"] == 3 and told["figures"] == len(told["checked"])
    one = next(each for each in told["checked"] if each["printed"] == "72,428")
    assert TEXT[one["start"] : one["end"]] == "72,428" and one["line"] == 3 and one["verdict"] == "wrong"
    assert one["same"][0]["claim"] == "002/r1.gb200.offline.per-accelerator"
    ratio = next(each for each in told["checked"] if each["printed"] == "2.5x")
    assert ratio["arithmetic"]["fits"] is False


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.marked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "mark":
            self.marked.append(dict(attrs)["class"] or "")


def test_the_page_marks_every_figure_and_runs_nothing(kg: Kg, draft: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    assert kg("check", str(draft), "-o", str(page)).returncode == 0
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert "script" not in tags.tags and "&lt;script&gt;alert(&quot;x&quot;)" in text
    assert tags.marked.count("wrong") == 3 and "unknown" in tags.marked
    assert "http" not in text.replace("http-equiv", "") and "default-src 'none'" in text


def test_markdown_is_escaped_and_standard_input_is_read(kg: Kg, draft: Path, tmp_path: Path) -> None:
    report = tmp_path / "out.md"
    kg("check", str(draft), "-o", str(report))
    lines = report.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ") and lines[2].startswith("1 computation of the text")
    assert lines[4].startswith("| Line | Figure |")
    assert sum("| wrong |" in line for line in lines) == 3
    missing = kg("check", str(tmp_path / "none.md"))
    assert missing.returncode == 2 and "no such file" in missing.stderr


def test_python_checks_a_text_or_a_file(environment: dict[str, str], draft: Path) -> None:
    graph = open_graph(environment["KG_STORE"])
    checked = graph.check(TEXT)
    for one in (checked, graph.check(draft)):
        assert one.counts()["wrong"] == 3 and one.text == TEXT
    assert checked.fails("wrong") and checked.worst_first()[0].figure.printed == "72,428"
    graph.close()


def test_what_is_no_file_is_called_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, called in (("pipe", "a pipe or a device"), ("", "a folder"), ("gone", "no such file")):
        with pytest.raises(UsageError) as caught:
            text_source(str(tmp_path / name))
        assert caught.value.given == called


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="files that are made up when they are read lie below /proc")
@pytest.mark.parametrize("name", ["/proc/kmsg", "/proc/self/mem", "/proc/self/pagemap"])
def test_a_file_that_the_system_makes_up_is_no_file_to_read_or_load(name: str) -> None:
    """One waits for ever, the others are the memory of the process."""
    with pytest.raises(UsageError) as caught:
        text_source(name)
    assert caught.value.given == "a pipe or a device"
    assert is_special(Path(name)) and not is_special(Path(__file__))
