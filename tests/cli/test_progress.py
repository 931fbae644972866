"""Bars that move on a terminal, and nothing elsewhere."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pexpect
import pytest

from kg.build.writing import load_files, rebuild
from kg.render.cells import visible
from tests.cli.conftest import PROGRAM, Kg
from tests.small_content import write_small_content

COUNT = re.compile(r"(\d+)/(\d+)")


def on_a_terminal(environment: dict[str, str], *arguments: str, seconds: int = 120) -> str:
    given = {name: value for name, value in environment.items() if name != "FORCE_COLOR"} | {"TERM": "xterm-256color"}
    talk = pexpect.spawn(
        sys.executable, [*PROGRAM[1:], *arguments], env=given, encoding="utf-8", timeout=seconds, dimensions=(24, 80)
    )
    talk.expect(pexpect.EOF)
    return str(talk.before)


def moves(shown: str) -> set[str]:
    """The different states of bars that were drawn."""
    return {found[0] for found in COUNT.finditer(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)) if found[1] != "0"}


def test_reading_a_report_says_what_it_is_at(environment: dict[str, str], kg: Kg, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text("\n\n".join(f"The H200 has {n} GB of memory and draws {n + 500} W." for n in range(100, 200)))
    shown = on_a_terminal(environment, "read", str(report), "-o", str(tmp_path / "out.jsonl"))
    assert "reading report.md" in shown and "finding figures in " in shown
    drawn = [one for one in shown.split("\r") if "finding figures in " in one]
    assert len(set(drawn)) > 1  # the bar goes on
    assert "finding" not in kg("read", str(report)).stderr


def test_every_part_of_a_build_says_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    content = write_small_content(tmp_path / "content").root
    rebuild(tmp_path / "store", content=content, progress=lambda *one: told.append(one))
    assert {"auditing statements", "judging claims"} <= {what for what, _, total in told if total}


def test_a_load_of_claims_that_are_there_already_says_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    content = write_small_content(tmp_path / "content").root
    claim = {"record": "entity", "kind": "vendor"}
    lines = [json.dumps({**claim, "id": f"org/o{n}", "label": f"Maker {n}"}) for n in range(1000)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    for _ in range(2):
        told.clear()
        load_files(
            [tmp_path / "all.jsonl"],
            store=tmp_path / "store",
            content=content,
            edition="2026-01-01",
            dry_run=False,
            progress=lambda *one: told.append(one),
        )
    read = [(done, total) for what, done, total in told if what.startswith("reading all.jsonl") and total]
    assert len(set(read)) > 2 and all(0 < done <= total for done, total in read)
    assert any(what == "checking all.jsonl" and total == 1000 for what, _, total in told)


@pytest.mark.long
def test_a_build_an_export_and_a_load_move_a_bar(environment: dict[str, str], tmp_path: Path) -> None:
    own = {**environment, "KG_STORE": str(tmp_path / "store")}
    assert len(moves(on_a_terminal(own, "build"))) > 4
    out = tmp_path / "all.jsonl"
    assert moves(on_a_terminal(own, "export", "jsonl", "-o", str(out)))  # a fast one is over when a bar is drawn once
    assert len(moves(on_a_terminal(own, "load", "claims", str(out)))) > 1


@pytest.mark.parametrize("name", ["\x1b]0;other\x07\x9b31m.md", "[red]x[b].md"])
def test_the_name_of_a_file_is_no_more_than_a_name(environment: dict[str, str], tmp_path: Path, name: str) -> None:
    """Neither control characters nor the marks of the library that draws the bar."""
    (tmp_path / name).write_text("The H200 has 141 GB of memory.")
    shown = on_a_terminal(environment, "read", str(tmp_path / name), "-o", str(tmp_path / "out.jsonl"))
    assert f"reading {visible(name)}" in shown
    assert "\x07" not in shown and "\x9b" not in shown and "internal error" not in shown
