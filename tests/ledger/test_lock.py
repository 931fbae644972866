"""One writer per store; the others learn who it is, wait as long as they are asked to, and exit with 3."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kg.errors import UsageError
from kg.ledger.index import ClaimIndex
from kg.ledger.ledger import Ledger
from kg.ledger.lock import StoreBusy, writer_lock
from kg.ledger.mark import MARK, is_marked
from kg.model.state_file import StateDamaged

HOLD = """
import sys
from pathlib import Path
from kg.ledger.lock import writer_lock
with writer_lock(Path(sys.argv[1]), purpose="build"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def another_writer(store: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=30)


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    told: list[str] = []
    with another_writer(tmp_path) as other:
        with pytest.raises(StoreBusy) as raised, writer_lock(tmp_path, wait_seconds=0, tell=told.append):
            pytest.fail("two writers at once")
        assert f"process {other.pid}" in str(raised.value)
        assert "build" in str(raised.value)
    assert len(told) == 1
    assert f"process {other.pid}" in told[0]
    assert (raised.value.exit_code, raised.value.code) == (3, "store.busy")
    assert "--wait" in str(raised.value)


def test_the_lock_is_free_after_its_holder_was_killed(tmp_path: Path) -> None:
    with another_writer(tmp_path) as other:
        other.kill()
        other.wait(timeout=30)
    with writer_lock(tmp_path, wait_seconds=5):
        assert (tmp_path / "writer.owner").read_text(encoding="utf-8").startswith(f"process {os.getpid()} ")


def test_a_waiting_writer_goes_on_when_the_first_is_done(tmp_path: Path) -> None:
    with another_writer(tmp_path) as other:

        def let_go(_: str) -> None:
            assert other.stdin is not None
            other.stdin.write("\n")
            other.stdin.flush()

        with writer_lock(tmp_path, wait_seconds=30, tell=let_go):
            assert other.wait(timeout=30) == 0


def test_a_writer_that_waited_while_the_store_was_deleted_writes_into_a_marked_folder(tmp_path: Path) -> None:
    with another_writer(tmp_path) as other:

        def delete_and_let_go(_: str) -> None:
            (tmp_path / MARK).unlink()
            assert other.stdin is not None
            other.stdin.write("\n")
            other.stdin.flush()

        with writer_lock(tmp_path, wait_seconds=30, tell=delete_and_let_go):
            assert is_marked(tmp_path)


def test_an_error_inside_frees_the_lock_and_the_name(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), writer_lock(tmp_path):
        raise RuntimeError("inside")
    assert not (tmp_path / "writer.owner").exists()
    with writer_lock(tmp_path, wait_seconds=0):
        assert (tmp_path / "writer.owner").exists()


def test_a_program_whose_name_is_no_text_writes_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/h\udce4lp.py"])
    with writer_lock(tmp_path / "store"):
        assert "(h\\udce4lp.py write, since" in (tmp_path / "store" / "writer.owner").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["writer.lock", "writer.owner"])
@pytest.mark.parametrize("target", ["elsewhere", "missing", "itself"])
def test_a_link_in_the_place_of_a_file_of_the_lock_goes_and_what_it_leads_to_stays(
    tmp_path: Path, name: str, target: str
) -> None:
    store, elsewhere = tmp_path / "store", tmp_path / "elsewhere"
    store.mkdir()
    elsewhere.write_text("of others", encoding="utf-8")
    (store / name).symlink_to(name if target == "itself" else tmp_path / target)
    with writer_lock(store, wait_seconds=5):
        assert (store / "writer.owner").read_text(encoding="utf-8").startswith(f"process {os.getpid()} ")
    assert elsewhere.read_text(encoding="utf-8") == "of others"
    assert not (tmp_path / "missing").exists()
    assert not (store / name).is_symlink()


def test_a_hard_link_in_the_place_of_writer_owner_is_not_written_through(tmp_path: Path) -> None:
    store, elsewhere = tmp_path / "store", tmp_path / "elsewhere"
    store.mkdir()
    elsewhere.write_text("of others", encoding="utf-8")
    (store / "writer.owner").hardlink_to(elsewhere)
    with writer_lock(store, wait_seconds=5):
        pass
    assert elsewhere.read_text(encoding="utf-8") == "of others"


def test_a_folder_in_the_place_of_writer_owner_is_told_and_leaves_the_lock_free(tmp_path: Path) -> None:
    (tmp_path / "writer.owner").mkdir()
    with pytest.raises(StateDamaged, match=r"writer\.owner"), writer_lock(tmp_path, wait_seconds=5):
        pytest.fail("written")
    (tmp_path / "writer.owner").rmdir()
    with writer_lock(tmp_path, wait_seconds=0):
        pass


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_a_link_with_a_name_that_could_be_guessed_is_neither_written_through_nor_removed(
    link: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    elsewhere, ledger = tmp_path / "elsewhere", tmp_path / "store" / "ledger"
    elsewhere.write_text("of others", encoding="utf-8")
    with writer_lock(ledger.parent):
        pass
    names = (f".manifest.json.{os.getpid()}.tmp", f"segments/.pending-{os.getpid()}.tmp")
    links = [ledger / name for name in names]
    links[1].parent.mkdir(parents=True)
    for one in links:
        link(one, elsewhere)
    with writer_lock(ledger.parent, wait_seconds=5):
        written = Ledger(ledger).add([], origin="content", edition="1", scope="full", registry="none")
    assert Ledger(ledger).manifest() == written
    assert [one.read_text(encoding="utf-8") for one in (elsewhere, *links)] == ["of others"] * 3


def path_of(size: int, folder: Path) -> Path:
    """A path below a folder that is so many bytes long."""
    return Path(f"{folder.resolve()}{'/a' * size}"[: size - 1] + "b")


@pytest.mark.parametrize("size", [481, 3000])
def test_a_path_that_is_too_long_for_the_index_is_refused_before_anything_is_made(size: int, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"a path of {size:,} bytes"), writer_lock(path_of(size, tmp_path)):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_longest_path_of_a_store_has_an_index(tmp_path: Path) -> None:
    store = path_of(480, tmp_path)
    with writer_lock(store):
        ClaimIndex(store / "ledger" / "index.sqlite", fresh=True).close()
        assert (store / "ledger" / "index.sqlite").stat().st_size
