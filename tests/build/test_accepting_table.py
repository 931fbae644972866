"""Rows of a table with a mapping of one's own that were refused for a name: read again when it is accepted, without a second load."""

from pathlib import Path

import pytest

from kg.cli.app import run
from kg.ledger.ledger import Ledger
from tests.ingest.shop import shop_content

MAPPING = """
title: Chips
publisher: {id: org/me, label: me}
licence: unknown
citation: "chips, {edition}"
url: unknown
edition: {kind: snapshot, from: [{how: modified}]}
source: chips
source_label: chips
shapes:
  table:
    about: one row a chip
    detect: {file: '*', has: [chip]}
    reader: {format: csv}
    columns:
      chip: {as: chip, needed: true}
      memory: {as: memory, type: number, unit: GB}
    unknown_columns: list
key: [chip]
entities:
  chip: {how: resolve, of: chip, kind: accelerator, context: {column: chip}}
claims:
  memory: {about: memory, kind: specification, subject: $chip, subject_printed: $chip, metric: memory-capacity, normaliser: per-chip, value: $memory, unit: GB}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KG_CONTENT", str(shop_content(tmp_path / "content").root))
    monkeypatch.setenv("KG_STORE", str(tmp_path / "store"))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "chips.yaml").write_text(MAPPING)
    (tmp_path / "own" / "chips.csv").write_text("chip,memory\nAcme One,80\nAcme Nine,96\n")
    assert run(["build", "--quiet"]) == 0
    loaded = ["load", "table", str(tmp_path / "own" / "chips.csv"), "--mapping", str(tmp_path / "own" / "chips.yaml")]
    assert run([*loaded, "--quiet"]) == 1
    return tmp_path / "own"


def accepted(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[str], str]:
    """What is printed of the thing after its name was accepted, and what was told."""
    capsys.readouterr()
    assert run(["names", "accept", "Acme Nine", "--new", "accelerator/acme-nine", "--kind", "accelerator"]) == 0
    current = Ledger(folder.parent / "store" / "ledger").current()
    about = [one for one in current if one["record"] == "claim" and one["subject"] == "accelerator/acme-nine"]
    return [one["quantity"]["printed"] for one in about], capsys.readouterr().err


def test_the_rows_count_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "chips.csv").unlink()
    assert accepted(folder, capsys)[0] == ["96"]


def test_steps_next_to_the_mapping_are_not_run_and_the_command_to_load_again_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "steps.py").write_text("raise SystemExit('run')\n")
    printed, told = accepted(folder, capsys)
    assert printed == [] and f"kg load table chips.csv --mapping {folder / 'chips.yaml'}" in told


def test_a_mapping_that_is_gone_is_told_with_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "chips.yaml").unlink()
    printed, told = accepted(folder, capsys)
    assert printed == [] and "kg load table chips.csv --mapping " in told
