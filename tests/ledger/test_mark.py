"""Only what a store wrote is ever deleted, and only in a folder that carries its mark."""

import os
import shutil
import time
from pathlib import Path

import pytest

from kg.build.writing import delete_store, rebuild
from kg.errors import KgError
from kg.ledger import durable, mark
from kg.ledger.lock import writer_lock
from kg.ledger.mark import MARK, StoreForeign, is_marked, leftovers
from kg.session import open_graph
from kg.stores.oxigraph import Generations
from tests.small_content import write_small_content


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_content(tmp_path_factory.mktemp("content")).root


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, content: Path) -> Path:
    """A store with both views."""
    made = tmp_path_factory.mktemp("whole") / "store"
    rebuild(made, content=content)
    graph = open_graph(made, content=content)
    graph.query("MATCH (n) RETURN count(n)", language="cypher")
    graph.close()
    return made


@pytest.fixture
def store(tmp_path: Path, whole: Path) -> Path:
    """A copy of it that a test may write to."""
    return Path(shutil.copytree(whole, tmp_path / "store"))


def files(folder: Path) -> list[str]:
    return sorted(
        one.relative_to(folder).as_posix() for one in folder.rglob("*") if not one.is_dir() or one.is_symlink()
    )


def write(path: Path, text: str = "mine") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


FOREIGN: dict[str, tuple[str, str]] = {
    "a file in a folder of views": ("rdf/mine.ttl", "x"),
    "a database of another program": ("rdf/gen-000001/000001.sst", "x"),
    "a manifest of another program": ("ledger/manifest.json", "{}"),
    "a pointer of another program": ("rdf/current", "{}"),
    "only files of other names": ("notes.txt", "x"),
    "a mark of another program": (MARK, '{"store": "shop", "version": "1"}'),
    "a mark that is a list": (MARK, "[]"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_folder_without_the_mark_is_left_as_it_is(tmp_path: Path, content: Path, name: str) -> None:
    where, text = FOREIGN[name]
    write(tmp_path / "rs" / where, text)
    with pytest.raises(StoreForeign) as raised:
        delete_store(tmp_path / "rs", content=content, wait_seconds=0)
    assert raised.value.code == "store.foreign"
    assert files(tmp_path / "rs") == [where] and (tmp_path / "rs" / where).read_text() == text


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path, content: Path) -> None:
    with pytest.raises(StoreForeign):
        delete_store(tmp_path / "no", content=content, wait_seconds=0)
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("where", ["rdf/mine.ttl", "ledger/notes", "graph/gen-000001/x"])
def test_no_store_is_built_over_files_of_others(tmp_path: Path, content: Path, where: str) -> None:
    write(tmp_path / "rs" / where)
    with pytest.raises(StoreForeign):
        rebuild(tmp_path / "rs", content=content)
    assert files(tmp_path / "rs") == [where]


def test_reset_deletes_what_the_store_wrote_and_nothing_else(store: Path, content: Path, tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "elsewhere" / "000001.sst")
    (store / "rdf" / "gen-000009").symlink_to(elsewhere.parent, target_is_directory=True)
    mine = [
        "README",
        "rdf/mine.ttl",
        "rdf/gen-000001/mine.ttl",
        "rdf/gen-000001/sub/000001.sst",
        "rdf/gen-mine/CURRENT",
        "graph/notes",
        "ledger/segments/mine.jsonl.gz",
        "ledger/derived/mine.jsonl.gz",
        ".mine.1.tmp",
        "ledger/mine.json",
    ]
    for name in mine:
        write(store / name)
    left = delete_store(store, content=content, wait_seconds=0)
    assert sorted(one.relative_to(store).as_posix() for one in left) == sorted([*mine, "rdf/gen-000009"])
    assert files(store) == sorted([*mine, "rdf/gen-000009", "writer.lock"])
    assert elsewhere.read_text() == "mine"


def test_a_store_alone_in_its_folder_is_deleted_whole(store: Path, content: Path) -> None:
    assert delete_store(store, content=content, wait_seconds=0) == ()
    assert files(store) == ["writer.lock"]


def test_a_build_deletes_no_file_of_others(store: Path, content: Path) -> None:
    mine = [
        ".notes.tmp",
        "sub/.notes.1.tmp",
        "rdf/gen-mine/x",
        "rdf/gen-000001/mine.ttl",
        "ledger/derived/mine.jsonl.gz",
    ]
    shutil.rmtree(store / "graph")  # which each build would make again
    for name in mine:
        write(store / name)
    names = (".manifest.json.12345.tmp", ".manifest.json.0a1b2c3d4e5f.tmp", "segments/.pending.0a1b2c3d4e5f.tmp")
    left_by_writers = [write(store / "ledger" / name) for name in names]
    tables = f".{'0a' * 8}-49-fbfbadc3.duckdb.0a1b2c3d4e5f.tmp"
    for path in (write(store / "tables" / name) for name in (tables, f"{tables}.wal")):
        os.utime(path, (time.time() - 7200,) * 2)  # who is writing it holds no lock, and may be at it for an hour
        left_by_writers.append(path)
    for _ in range(3):
        rebuild(store, content=content)
    assert [name for name in mine if not (store / name).is_file()] == []
    assert [one for one in left_by_writers if one.exists()] == []


def test_a_store_of_a_version_without_marks_gets_one(store: Path, content: Path) -> None:
    shutil.rmtree(store / "graph")
    (store / MARK).unlink()
    with pytest.raises(StoreForeign):
        delete_store(store, content=content, wait_seconds=0)
    rebuild(store, content=content)
    assert is_marked(store)


@pytest.fixture(params=["manifest", "pointer", "segment"])
def remainder(store: Path, request: pytest.FixtureRequest) -> Path:
    """A store without its mark of which one thing can still be read."""
    places = {
        "manifest": [store / "ledger" / "manifest.json"],
        "pointer": [store / "rdf" / "current"],
        "segment": list((store / "ledger" / "segments").iterdir()),
    }
    for name, paths in places.items():
        for path in paths if name != request.param else ():
            path.write_bytes(b"\0")
    (store / MARK).unlink()
    return store


def test_what_is_left_of_a_store_is_known(remainder: Path) -> None:
    with writer_lock(remainder, wait_seconds=0):
        assert is_marked(remainder)


def test_a_generation_goes_with_its_own_files_only(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    for name in (
        "gen-000001/CURRENT",
        "gen-000001/000012.sst",
        "gen-000002/LOG.old.17",
        "gen-000002/mine",
        "gen-7/LOCK",
    ):
        write(tmp_path / name)
    generations.remove_all()
    assert files(tmp_path) == ["gen-000002/mine", "gen-7/LOCK"]
    assert generations.begin().name == "gen-000003"


def test_the_refusal_is_an_error_of_ours() -> None:
    assert issubclass(StoreForeign, KgError)


def test_a_mark_that_another_writer_swept_away_unfinished_is_no_error_where_the_other_has_marked_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two first uses at once: one holds the lock and clears what it takes for a dead writer's files."""
    others, store = tmp_path / "others", tmp_path / "store"
    mark.mark(others)

    def swept(name: str) -> None:
        if name == "fsync:after":
            (pending,) = store.glob(f".{MARK}.*.tmp")
            pending.unlink()
            (store / MARK).write_bytes((others / MARK).read_bytes())

    monkeypatch.setattr(durable, "boundary", swept)
    mark.mark(store)
    assert is_marked(store)


def test_a_mark_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def swept(name: str) -> None:
        if name == "fsync:after":
            next(tmp_path.glob(f".{MARK}.*.tmp")).unlink()

    monkeypatch.setattr(durable, "boundary", swept)
    with pytest.raises(FileNotFoundError):
        mark.mark(tmp_path)


def test_a_writer_leaves_the_tables_that_a_reader_is_writing(tmp_path: Path) -> None:
    mark.mark(tmp_path)
    tables = tmp_path / "tables"
    tables.mkdir()
    at_work, left = (tables / f".{'0' * 16}-1-{'0' * 8}.duckdb.{end * 12}.tmp" for end in "ab")
    at_work.touch()
    left.touch()
    os.utime(left, (time.time() - 7200,) * 2)
    assert list(leftovers(tmp_path)) == [left]


@pytest.mark.parametrize("place", ["/", "/etc", "/usr/../etc", "/tmp", "~"])
def test_no_store_is_made_in_a_folder_of_the_system_or_in_the_home_folder(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(durable, "write_whole", lambda *_: pytest.fail("nothing may be written"))
    with pytest.raises(StoreForeign) as caught:
        mark.mark(tmp_path if place == "~" else Path(place))
    assert str(caught.value.expected) == "a folder for the store alone"
    assert list(tmp_path.iterdir()) == []
