"""Manual pages are made from the help, and groff takes them without a warning."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("man")
    subprocess.run([sys.executable, ROOT / "docs" / "make_man.py", made], check=True, capture_output=True, cwd=ROOT)
    return made


def test_every_command_has_a_page_with_its_options_and_its_example(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"kg.1", *(f"kg-{name}.1" for name in COMMANDS)}
    text = (folder / "kg-compare.1").read_text(encoding="utf-8")
    assert ".B \\-\\-metric" in text and "kg compare GB200 H200" in text and '.SH "OPTIONS"' in text
    for name in COMMANDS:
        assert f"kg\\-{name}(1)" in (folder / "kg.1").read_text(encoding="utf-8")


def test_an_option_is_no_folder(tmp_path: Path) -> None:
    program = [sys.executable, str(ROOT / "docs" / "make_man.py")]
    helped = subprocess.run([*program, "--help"], capture_output=True, encoding="utf-8", cwd=tmp_path)
    unknown = subprocess.run([*program, "--all"], capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert (helped.returncode, unknown.returncode) == (0, 2)
    assert "FOLDER" in helped.stdout and not list(tmp_path.iterdir())


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff, which reads manual pages")
def test_groff_reads_them_without_a_warning(folder: Path) -> None:
    pages = sorted(folder.glob("*.1"))
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", *pages], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")


def test_no_line_is_taken_for_a_request_that_is_none(folder: Path) -> None:
    known = (".TH", ".SH", ".TP", ".B ", ".BR", ".PP", ".nf", ".fi")
    for path in folder.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not line.startswith((".", "'")) or line.startswith(known), (path.name, line)
