"""README.md shows what the commands print, and only commands that exist."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_make_targets_named_in_the_pages_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pages = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`make ([a-z-]+)`", pages)) | set(re.findall(r"^make ([a-z-]+)", pages, re.MULTILINE))
    assert {"demo", "test"} <= named
    assert [name for name in sorted(named) if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def test_the_commands_of_the_table_exist() -> None:
    table = README.split("## Commands", 1)[1].split("##", 1)[0]
    named = sorted(set(re.findall(r"`kg ([a-z]+)", table)))
    assert len(named) > 10
    help_text = subprocess.run(
        [sys.executable, "-c", "from kg.cli import main; main(['--help'])"], capture_output=True, text=True, check=True
    ).stdout
    assert [name for name in named if not re.search(rf"\b{name}\b", help_text)] == []


def test_the_figures_of_the_picture_are_those_of_the_transcript(shipped_store: Path) -> None:
    picture = re.sub(
        r"<style>.*?</style>|<[^>]*>", " ", (ROOT / "docs" / "trace.svg").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    figures = {one.replace(",", "") for one in re.findall(r"\d[\d,.]*\d", picture)}
    whole = subprocess.run(
        [sys.executable, "-c", "from kg.cli import main; main(['trace', '72428'])"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "KG_STORE": str(shipped_store)},  # not the user's: another version may be at it
    ).stdout.replace(",", "")
    assert {"72428", "289712", "72", "4023.78", "15"} == figures
    assert [one for one in figures if not re.search(rf"(?<!\d){re.escape(one)}(?!\d)", whole)] == []
