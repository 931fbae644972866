"""A file that a command was to write and could not: named as it was given, with nothing left beside it."""

import os
from pathlib import Path

import pytest

from kg.cli.app import run
from kg.cli.view import default_name
from tests.cli.conftest import Kg
from tests.small_disk import SmallDisk, small_disk

__all__ = ["small_disk"]
LONG = "n" * 300
pytestmark = pytest.mark.usefixtures("opened_once")
COMMANDS = {
    "view": ("view", "MI325X", "-o", "{}.html"),
    "chart": ("view", "--chart", "gain", "-o", "{}.svg"),
    "report": ("report", "MI325X", "-o", "{}.md"),
    "export": ("export", "jsonl", "-o", "{}.jsonl"),
    "folder": ("export", "csv", "-o", "{}"),
    "duckdb": ("export", "duckdb", "-o", "{}.duckdb"),
    "audit": ("audit", "--format", "json", "-o", "{}.json"),
}


def words(name: str, target: Path) -> list[str]:
    return [word.format(target) for word in COMMANDS[name]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_told_with_the_file_that_was_given(
    name: str, small_disk: SmallDisk, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = words(name, small_disk.folder / "made")
    small_disk.leave(0)
    before = sorted(one.name for one in small_disk.folder.iterdir())
    assert run([*asked, "--store", str(store), "--quiet"]) == 3
    told = capfd.readouterr().err
    assert told.startswith(f"{asked[-1]}: ") and "kg explain store.full" in told, told
    assert sorted(one.name for one in small_disk.folder.iterdir()) == before


@pytest.mark.parametrize("name", ["view", "report", "export", "audit"])
def test_a_folder_that_may_not_be_written_is_told_with_the_file_that_was_given(
    name: str, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The folder of the system's processes takes no files, from root neither."""
    if not Path("/proc/self").exists():
        pytest.skip("no /proc here")
    asked = words(name, Path("/proc/made"))
    assert run([*asked, "--store", str(store), "--quiet"]) == 3
    told = capfd.readouterr().err
    assert told.startswith(f"{asked[-1]}: ") and "kg explain store\n" in told, told


@pytest.mark.parametrize("name", COMMANDS)
def test_a_name_that_no_file_system_takes_is_refused_before_anything_is_asked(
    name: str, kg: Kg, tmp_path: Path
) -> None:
    done = kg(*words(name, tmp_path / LONG))
    assert done.returncode == 2 and "kg explain usage" in done.stderr, done.stderr
    assert "a name of 30" in done.stderr and "at most 255 bytes" in done.stderr and LONG not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["view", "report", "export", "duckdb", "folder"])
def test_the_longest_name_is_taken(name: str, store: Path, tmp_path: Path) -> None:
    ending = COMMANDS[name][-1].format("")
    asked = words(name, tmp_path / ("é" * ((255 - len(ending)) // 2)))
    assert run([*asked, "--store", str(store), "--quiet"]) == 0
    assert [one.name for one in tmp_path.iterdir()] == [Path(asked[-1]).name]


def test_a_name_that_is_made_is_shortened() -> None:
    made = default_name(["compare", "x" * 300, "y" * 300], None)
    assert len(os.fsencode(made)) <= 255 and made.startswith("kg-compare-xxx") and made.endswith(".html")
    assert default_name(["compare", "GB200", "H200"], "gain") == "kg-gain-compare-GB200-H200.html"
    assert default_name(["compare", "x" * 300, "z"], None) != default_name(["compare", "x" * 300, "y"], None)


@pytest.mark.parametrize("name", ["view", "report", "export", "audit", "read"])
def test_a_device_stays_one(name: str, store: Path, tmp_path: Path) -> None:
    """Who writes to /dev/null as root put a file in its place, for every program."""
    report = tmp_path / "report.txt"
    report.write_text("The H100 SXM draws 700 W.", encoding="utf-8")
    asked = ("read", str(report), "-o", "{}.jsonl") if name == "read" else COMMANDS[name]
    links = [tmp_path / Path(word.format("made")).name for word in asked if "{}" in word]
    for link in links:
        link.symlink_to("/dev/null")
    target = tmp_path / "made"
    more = () if name == "read" else ("--store", str(store))
    assert run([*(word.format(target) for word in asked), *more, "--quiet"]) == 0
    assert all(link.is_symlink() and link.is_char_device() for link in links)
