"""A full disk: whatever write fails, what was there stays, readers answer, nothing is left over, and the message says so."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from kg.build.writing import load_files, rebuild
from kg.ledger import durable
from kg.ledger.index import ClaimIndex
from kg.ledger.lock import StoreFull
from kg.session import open_graph
from kg.stores import oxigraph
from tests.small_content import claim, write_lines, write_small_content
from tests.small_disk import SmallDisk, small_disk

__all__ = ["small_disk"]

Load = Callable[[], object]
CLAIMS = "SELECT (COUNT(?c) AS ?n) WHERE { ?c a <https://w3id.org/accelkg/ontology#Claim> }"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_content(tmp_path_factory.mktemp("content")).root


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, content: Path) -> Path:
    store = tmp_path_factory.mktemp("built") / "store"
    rebuild(store, content=content)
    return store


@pytest.fixture
def store(tmp_path: Path, built: Path) -> Path:
    shutil.copytree(built, tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture
def load(store: Path, tmp_path: Path, content: Path) -> Load:
    new = write_lines(tmp_path / "new.jsonl", claim())
    return lambda: load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)


def no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing_write(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """From the write of that number on each ends in the middle."""
    whole, count = durable.write_whole, iter(range(1000))

    def write(path: Path, chunks: Iterable[bytes]) -> None:
        def cut() -> Iterator[bytes]:
            yield b"some"
            no_space()

        whole(path, cut() if next(count) >= number else chunks)

    monkeypatch.setattr(durable, "write_whole", write)


def failing_index(monkeypatch: pytest.MonkeyPatch) -> None:
    def commit(_: ClaimIndex) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(ClaimIndex, "commit", commit)


def failing_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("IO error: No space left on device: While appending to file: 000010.sst")

    monkeypatch.setattr(oxigraph, "_bulk_load", fail)
    monkeypatch.setattr("kg.stores.difference.GenerationDifference.add_new", fail)


WRITES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    **{f"file {n}": lambda patch, n=n: failing_write(patch, n) for n in range(4)},  # type: ignore[misc]
    "index": failing_index,
    "engine": failing_engine,
    "owner of the lock": lambda patch: patch.setattr(Path, "write_text", no_space),
    "copy of a generation": lambda patch: patch.setattr("kg.stores.difference.shutil.copyfile", no_space),
}


def count(store: Path, content: Path, tell: Callable[[str], None] = lambda _: None) -> object:
    graph = open_graph(store, content=content, tell=tell)
    try:
        answer = graph.query(CLAIMS, timeout_seconds=None)
        assert not isinstance(answer, bytes)
        return answer.rows[0][0]
    finally:
        graph.close()


def leftovers(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.name.endswith(".tmp") or path.name == "writer.owner"]


@pytest.mark.parametrize("name", WRITES)
def test_a_load_that_finds_no_space_loses_nothing(
    store: Path, content: Path, load: Load, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = count(store, content)
    still_full = name != "copy of a generation"  # a view made from nothing copies none
    with monkeypatch.context() as patch:
        WRITES[name](patch)
        with pytest.raises(StoreFull) as raised:
            load()
        assert raised.value.code == "store.full" and "no space left" in str(raised.value)
        assert leftovers(store) == []
        told: list[str] = []
        assert len(list((store / "rdf").glob("gen-*"))) == 1, "what was begun is gone"
        assert not still_full or count(store, content, told.append) == before, "a reader needs no space"
    load()
    assert count(store, content) == int(str(before)) + 1


def test_a_reader_of_an_older_view_is_answered_from_elsewhere(
    store: Path, content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = count(store, content)
    (store / "rdf" / "current").unlink()
    in_store, whole = str(store), durable.write_whole

    def write(path: Path, chunks: Iterable[bytes]) -> None:
        if str(path).startswith(in_store):
            no_space()
        whole(path, chunks)

    monkeypatch.setattr(durable, "write_whole", write)
    told: list[str] = []
    assert count(store, content, told.append) == before
    assert any("temporary store" in line for line in told)


def test_a_file_that_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"some"
        no_space()

    with pytest.raises(OSError, match="No space"):
        durable.write_whole(tmp_path / "page.html", chunks())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x" * 255, "🚀" * 63])
def test_the_longest_name_of_a_file_can_be_written(tmp_path: Path, name: str) -> None:
    durable.write_whole(tmp_path / name, [b"whole"])
    assert (tmp_path / name).read_bytes() == b"whole"


def test_a_load_from_the_longest_name_of_a_file(store: Path, tmp_path: Path, content: Path) -> None:
    new = write_lines(tmp_path / ("🚀" * 60 + ".jsonl"), claim())
    load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    assert leftovers(store) == []


@pytest.mark.parametrize("free", [8, 60, 200, 500])
def test_a_disk_that_is_really_full(
    small_disk: SmallDisk, built: Path, content: Path, tmp_path: Path, free: int
) -> None:
    """Free space in KiB."""
    store = small_disk.folder / "store"
    shutil.copytree(built, store)
    before = count(store, content)
    small_disk.leave(free)
    new = write_lines(tmp_path / "new.jsonl", *(claim(f"900/new-{n}") for n in range(300)))
    with pytest.raises(StoreFull):
        load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    assert count(store, content) == before
    assert leftovers(store) == []
    small_disk.free()
    load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    assert count(store, content) == int(str(before)) + 300
