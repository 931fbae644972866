"""A full disk under each form of export: the earlier file stays whole, nothing half is left, and the message says why."""

import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from kg.cli.app import run
from kg.export.formats import FORMATS, export
from kg.session import Graph
from tests.small_disk import SmallDisk, small_disk

__all__ = ["small_disk"]
PAGE = 4
"""KiB in which a file system in memory gives space away: with one more each time, each write is the last in turn."""


@pytest.fixture(autouse=True)
def _as_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_DEBUG", "1")  # an error that is none of ours is raised


def digest(target: Path) -> str:
    files = [target] if target.is_file() else sorted(target.iterdir())
    return sha256(b"".join(one.name.encode() + one.read_bytes() for one in files)).hexdigest()


def sizes(graph: Graph, form: str, folder: Path) -> int:
    """KiB that an export takes, with half as much again for what lies beside it until it is whole."""
    made = export(graph, form, folder / "measured")
    return made.bytes * 3 // 2 // 1024 + 16 * len(made.files)


def steps(most: int, *, every: bool) -> Iterator[int]:
    yield from range(0, most, PAGE) if every else (0, PAGE, most // 3)


USUAL = ("csv", "duckdb", "gexf", "jsonl", "neo4j-import", "parquet", "ro-crate", "turtle")
"""A form of each way to write: tables, a database, a network, records, a folder of rows, columns, a crate, triples."""


@pytest.mark.parametrize(
    ("form", "every"),
    [
        pytest.param(form, every, id=f"{form}-{name}", marks=() if form in USUAL and not every else pytest.mark.long)
        for form in FORMATS
        for every, name in ((False, "few"), (True, "every"))
    ],
)
def test_an_export_that_finds_no_space_leaves_the_earlier_one(
    form: str,
    every: bool,
    hostile: Graph,
    small_disk: SmallDisk,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Space grows page by page until the export goes through; temporary files lie on the full disk too."""
    target = small_disk.folder / ("earlier" if FORMATS[form].folder else "earlier.out")
    command = ["export", form, "-o", str(target), "--store", str(hostile.folder), "--quiet"]
    command += ["--content", str(hostile.content.root)]
    assert run(command) == 0
    before, names = digest(target), sorted(one.name for one in small_disk.folder.iterdir())
    refused = 0
    for kib in steps(sizes(hostile, form, out), every=every):
        small_disk.leave(kib)
        with monkeypatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(small_disk.folder))
            ended = run(command)
        small_disk.free()
        told = capfd.readouterr().err
        assert sorted(one.name for one in small_disk.folder.iterdir()) == names, kib
        assert digest(target) == before, kib
        if ended == 0:
            break
        assert ended == 3 and "kg explain store.full" in told, told
        refused += 1
    assert refused, "the disk was never full"
    assert run(command) == 0
    assert form == "duckdb" or digest(target) == before  # its engine writes other bytes each time
