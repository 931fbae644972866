"""Disks that are not like ours: one that does not tell capitals apart, and one that nothing can be written to."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, ROOT
from tests.small_content import claim, write_lines, write_small_content

IMAGE_MB = 96


def mounted(command: list[str], place: Path) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0 and place.is_mount()


@pytest.fixture
def without_capitals(tmp_path: Path) -> Iterator[Path]:
    """NTFS in a file, mounted so that it ignores case (Debian: ntfs-3g)."""
    make, mount = shutil.which("mkntfs"), shutil.which("lowntfs-3g")
    if make is None or mount is None or os.geteuid() != 0:
        pytest.skip("a disk that ignores case needs ntfs-3g and root")
    image, place = tmp_path / "image", tmp_path / "place"
    place.mkdir()
    with image.open("wb") as file:
        file.truncate(IMAGE_MB << 20)
    subprocess.run([make, "-q", "-F", "-f", str(image)], check=True, capture_output=True)
    if not mounted([mount, str(image), str(place), "-o", "ignore_case"], place):
        pytest.skip("this system mounts no such disk")
    yield place
    subprocess.run(["umount", str(place)], check=True, capture_output=True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder with a small content and a store of it that nobody can write to, root neither."""
    if os.geteuid() != 0:
        pytest.skip("a mount that is read only needs root")
    place = tmp_path / "read-only"
    content = write_small_content(place / "content").root
    done = kg(tmp_path, place / "store", content, "build", "--quiet")
    assert done.returncode == 0, done.stderr
    for options in (["--bind", str(place)], ["-o", "remount,ro,bind"]):
        if subprocess.run(["mount", *options, str(place)], capture_output=True).returncode:
            pytest.skip("this system mounts nothing")
    yield place
    subprocess.run(["umount", str(place)], check=True, capture_output=True)


def kg(folder: Path, store: Path, content: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KG_", "XDG_"))}
    own = {"KG_STORE": str(store), "KG_CONTENT": str(content), "HOME": str(folder), "PYTHONPATH": str(ROOT)}
    environment = {**kept, **own, **more}
    return subprocess.run(
        [*PROGRAM, *words], cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=240
    )


@pytest.mark.long
def test_a_disk_that_ignores_case_holds_content_store_and_exports(without_capitals: Path, tmp_path: Path) -> None:
    (without_capitals / "AbC").touch()
    assert (without_capitals / "aBc").exists(), "the disk tells capitals apart"
    here, there = tmp_path / "here", without_capitals / "There"
    answers = []
    for folder in (here, there):
        content = write_small_content(folder / "content").root
        new = write_lines(folder / "New.jsonl", claim(), claim("900/NEW"))
        told = []
        for words in (
            ("build", "--quiet"),
            ("load", "claims", str(new), "--edition", "2026-01-01", "--quiet"),
            ("ask", "comparisons/compare", "--a", "Acme One", "--b", "Acme Two", "--format", "json"),
            ("ask", "specifications/by-metric", "--metric", "memory-capacity", "--format", "json"),
            ("query", "MATCH (c:Claim) RETURN c.uid ORDER BY c.uid", "--format", "json"),
            ("status", "--verify", "--quiet"),
            ("build", "--quiet"),
            ("export", "csv", "-o", "tables"),
            ("export", "csv", "-o", "tables"),
            ("export", "jsonl", "-o", "All.jsonl"),
        ):
            done = kg(folder, folder / "Store", content, *words)
            assert done.returncode == 0, (folder, words, done.stderr)
            told += [done.stdout] if "json" in words else []
        files = [*sorted((folder / "tables").iterdir()), folder / "All.jsonl"]
        answers.append((told, [(one.name, one.read_bytes()) for one in files]))
        done = kg(folder, folder / "Store", content, "reset", "--yes")
        assert done.returncode == 0, done.stderr
        assert not (folder / "Store" / "ledger").exists()
    assert answers[0] == answers[1]


def test_a_disk_that_is_read_only_answers_and_says_what_it_cannot_do(read_only: Path, tmp_path: Path) -> None:
    store, content = read_only / "store", read_only / "content"
    asked = ("ask", "comparisons/compare", "--a", "Acme One", "--b", "Acme Two", "--format", "json")
    done = kg(read_only, store, content, *asked)
    assert done.returncode == 0 and "acme" in done.stdout, done.stderr
    new = write_lines(tmp_path / "new.jsonl", claim())
    for words in (
        ("load", "claims", str(new), "--edition", "2026-01-01"),
        ("export", "jsonl", "-o", str(read_only / "all.jsonl")),
        ("build",),
    ):
        refused = kg(read_only, store, content, *words)
        assert refused.returncode == 3 and "kg explain" in refused.stderr, refused.stderr
        assert "Traceback" not in refused.stderr and "mistake of the program" not in refused.stderr


@pytest.mark.long
def test_a_graph_in_cypher_and_a_temporary_store_need_no_writable_store(read_only: Path) -> None:
    store, content = read_only / "store", read_only / "content"
    text = "MATCH (c:Claim) RETURN count(c) AS n"
    done = kg(read_only, store, content, "query", text, "--format", "csv")
    assert done.returncode == 0 and done.stdout.split() == ["n", "3"], done.stderr
