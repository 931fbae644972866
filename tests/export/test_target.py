"""Files and folders are there whole or not at all; sorted runs give back what went in."""

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kg.export.target import TargetTaken, write_file, write_folder
from kg.ledger.sorting import Sorter


def failing(parts: int) -> Iterator[bytes]:
    for _ in range(parts):
        yield b"new"
    raise KeyboardInterrupt


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_file_is_written_below_any_number_of_folders_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "/".join("a" * 1200) / "x"
    write_file(path, [b"text"])
    assert path.read_bytes() == b"text"
    (tmp_path / "stop").touch()
    path.unlink()
    os.removedirs(path.parent)  # what clears the folder of the test calls itself for each level too


def test_a_file_that_fails_on_the_way_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "x", failing(3))
    assert (tmp_path / "x").read_bytes() == b"old"
    assert names(tmp_path) == ["x"]
    write_file(tmp_path / "x", [b"new", b"er"])
    assert (tmp_path / "x").read_bytes() == b"newer"


def test_a_folder_that_fails_on_the_way_leaves_the_old_one(tmp_path: Path) -> None:
    write_folder(tmp_path / "f", [("a", b"1"), ("b", b"2")])

    def pieces() -> Iterator[tuple[str, bytes]]:
        yield "a", b"3"
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_folder(tmp_path / "f", pieces())
    assert names(tmp_path) == ["f"]
    assert (tmp_path / "f" / "a").read_bytes() == b"1"


def test_an_earlier_export_comes_back_where_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path / "f", [("a", b"1")])
    rename = Path.rename

    def refused(path: Path, to: Path) -> Path:
        if path.name.endswith("files.tmp"):
            raise OSError("disk full")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(OSError, match="disk full"):
        write_folder(tmp_path / "f", [("a", b"2")])
    assert names(tmp_path) == ["f"] and (tmp_path / "f" / "a").read_bytes() == b"1"


def test_an_earlier_export_is_replaced_whole(tmp_path: Path) -> None:
    write_folder(tmp_path / "f", [("a", b"1"), ("b", b"2")])
    assert write_folder(tmp_path / "f", [("a", b"3"), ("b", b""), ("c", b"4"), ("a", b"5")]) == ("a", "b", "c")
    assert {name: (tmp_path / "f" / name).read_bytes() for name in names(tmp_path / "f")} == {
        "a": b"35",
        "b": b"",
        "c": b"4",
    }


def test_a_folder_with_other_files_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "precious").write_bytes(b"mine")
    with pytest.raises(TargetTaken):
        write_folder(tmp_path / "f", [("a", b"1")])
    assert names(tmp_path / "f") == ["precious"]
    assert names(tmp_path) == ["f"]


def test_a_folder_where_a_file_is_and_a_file_where_a_folder_is_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "folder.zip").mkdir()
    for call in (
        lambda: write_folder(tmp_path / "file", [("a", b"1")]),
        lambda: write_file(tmp_path / "folder.zip", [b"1"]),
        lambda: write_folder(tmp_path / "folder.zip", [("a", b"1")]),
    ):
        with pytest.raises(TargetTaken):
            call()
    assert names(tmp_path) == ["file", "folder.zip"]


def test_more_files_than_may_be_open_are_written(tmp_path: Path) -> None:
    pieces = [(f"f{number % 150}", f"{number},".encode()) for number in range(450)]
    write_folder(tmp_path / "f", pieces)
    assert len(names(tmp_path / "f")) == 150
    assert (tmp_path / "f" / "f7").read_bytes() == b"7,157,307,"


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, [b"a", b"b"])
    reader.join(10)
    assert got == [b"ab"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@given(
    some.lists(some.tuples(some.text(some.characters(categories=("L", "N", "P", "S", "Zs"))), some.integers(0, 9))),
    some.integers(1, 200),
)
def test_a_sorter_gives_back_everything_in_order(given_items: list[tuple[str, int]], run_bytes: int) -> None:
    with Sorter(run_bytes=run_bytes) as sorter:
        for key, value in given_items:
            sorter.add(key, {"value": value})
        once = [(key, one["value"]) for key, one in sorter.items()]
        again = [(key, one["value"]) for key, one in sorter.items()]
    assert once == again == sorted(given_items)
