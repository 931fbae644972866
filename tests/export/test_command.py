"""`kg export` and `kg cite` as a person runs them."""

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kg.cli.export import FORMATS as SAID
from kg.export.formats import FORMATS
from kg.session import Graph
from tests.forked_program import run_forked
from tests.sampling import FURTHER

ROOT = Path(__file__).resolve().parents[2]


def kg(graph: Graph, folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "KG_STORE": str(graph.folder), "PYTHONPATH": str(ROOT)}
    return run_forked(*arguments, "--content", str(graph.content.root), folder=folder, environment=environment)


def test_the_help_names_every_format() -> None:
    assert SAID.replace(" ", "").split(",") == list(FORMATS)


def usual(few: Iterable[str], names: Iterable[str]) -> list[Any]:
    """Some formats: of all, tests of each format itself write files, and `test_full_disk.py` runs the command."""
    return [pytest.param(name, marks=() if name in few else FURTHER) for name in names]


@pytest.mark.parametrize(
    "form", usual(("jsonl", "duckdb", "gexf"), [name for name, one in FORMATS.items() if one.file is not None])
)
def test_standard_output_and_file_are_the_same(form: str, hostile: Graph, out: Path) -> None:
    ran = kg(hostile, out, "export", form, "-o", "file")
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert b"bytes, file" in ran.stderr
    again = kg(hostile, out, "export", form, "--quiet")
    assert (again.returncode, again.stderr) == (0, b"")
    if form != "duckdb":  # a database carries an identity of its own; test_columnar compares its rows
        assert again.stdout == (out / "file").read_bytes()
    else:
        assert len(again.stdout) == (out / "file").stat().st_size


@pytest.mark.parametrize(
    "form", usual(("csv", "ro-crate"), [name for name, one in FORMATS.items() if one.folder is not None])
)
def test_several_files_need_a_folder(form: str, hostile: Graph, out: Path) -> None:
    refused = kg(hostile, out, "export", form)
    assert refused.returncode == 2 and b".zip" in refused.stderr and refused.stdout == b""
    ran = kg(hostile, out, "export", form, "-o", "folder")
    assert ran.returncode == 0 and b"files in folder" in ran.stderr
    (out / "folder" / "mine.txt").write_text("mine", encoding="utf-8")
    taken = kg(hostile, out, "export", form, "-o", "folder")
    assert taken.returncode == 2 and b"kg explain export.taken" in taken.stderr
    assert (out / "folder" / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_a_part_without_a_claim_says_so(hostile: Graph, out: Path) -> None:
    claims = [one for one in hostile.records() if one["record"] == "claim"]
    about = {str(one[role]) for one in claims for role in ("subject", "baseline") if one.get(role)}
    about |= {str(name) for one in claims for name in one.get("subjects") or ()}
    unsaid = next(one["id"] for one in hostile.records() if one["record"] == "entity" and one["id"] not in about)
    said = [kg(hostile, out, "export", "jsonl", "--thing", name).stderr for name in (unsaid, str(claims[0]["subject"]))]
    assert [b"no claim is in this part" in one for one in said] == [True, False]


def test_an_unknown_format_is_refused_with_the_list(hostile: Graph, out: Path) -> None:
    ran = kg(hostile, out, "export", "excel")
    assert ran.returncode == 2
    assert b"datapackage" in ran.stderr and b"Traceback" not in ran.stderr


def test_a_folder_that_cannot_be_written_is_said(hostile: Graph, out: Path) -> None:
    (out / "file").write_bytes(b"")
    ran = kg(hostile, out, "export", "jsonl", "-o", "file/below")
    assert ran.returncode == 3
    assert b"Traceback" not in ran.stderr


def test_nanopublications_are_checked_by_the_command(hostile: Graph, out: Path) -> None:
    assert kg(hostile, out, "export", "nanopub", "-o", "np.trig").returncode == 0
    sound = kg(hostile, out, "export", "nanopub", "--check", "np.trig")
    assert sound.returncode == 0 and b"what their addresses promise" in sound.stderr
    data = (out / "np.trig").read_bytes().replace(b'"700 W"', b'"701 W"', 1)
    (out / "np.trig").write_bytes(data)
    line = data[: data.index(b'"701 W"')].count(b"\n") + 1
    broken = kg(hostile, out, "export", "nanopub", "--check", "np.trig")
    assert broken.returncode == 2
    said = broken.stderr.decode()
    assert "900/power.one" in said
    assert abs(int(said.split(":")[1]) - line) < 30
    assert kg(hostile, out, "export", "turtle", "--check", "np.trig").returncode == 2


def test_cite_writes_both_forms(hostile: Graph, out: Path) -> None:
    bibtex = kg(hostile, out, "cite", "900/power.one")
    assert bibtex.stdout.startswith(b"@misc{accelkg-900-power-one,")
    csl = kg(hostile, out, "cite", "900/power.one", "--format", "csl")
    assert json.loads(csl.stdout)[0]["id"] == "accelkg-900-power-one"
    assert kg(hostile, out, "cite", "900/nothing").returncode == 2
    assert kg(hostile, out, "cite").stdout.startswith(b"@misc{accelkg,")
