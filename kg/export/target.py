"""Where an export goes: a file or folder that is there whole or not at all, a zip archive, or a stream.

What is written to another name is renamed at the end, and removed when anything fails on the way.
"""

import os
import shutil
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from kg.errors import UsageError
from kg.ledger.durable import called, hidden_beside, sync_folder

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The same content gives the same archive, whenever it is packed."""
_MANY = 64
"""Files of a folder that are open at a time."""


class TargetTaken(UsageError):
    """The folder to write holds something that is not an earlier export."""

    code = "export.taken"


def write_stream(out: BinaryIO, chunks: Iterable[bytes]) -> None:
    """Write to something that is open already."""
    for chunk in chunks:
        out.write(chunk)
    out.flush()


def write_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file so that a reader sees the old one or the new one; pipes and devices are written as they are."""
    asked, path = path, path.resolve()
    if path.is_dir():
        raise TargetTaken(
            given=str(path), expected="a file; this format writes one file", next_step="give a name with -o"
        )
    if path.exists() and not path.is_file():
        with path.open("wb") as out:
            write_stream(out, chunks)
        return
    _make_parent(path)
    unfinished = hidden_beside(path)
    try:
        with called(asked, unfinished):
            with unfinished.open("wb") as out:
                write_stream(out, chunks)
                os.fsync(out.fileno())
            unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _make_parent(path: Path) -> None:
    """Make the folder of a file, however many above it are missing: `mkdir` calls itself for each."""
    missing = [*takewhile(lambda folder: not folder.exists(), path.parents)]
    for folder in (*reversed(missing), path.parent):
        folder.mkdir(exist_ok=True)


def write_folder(path: Path, pieces: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    """Write several files: into a folder, or into an archive where the name ends in `.zip`. Gives the names.

    A folder that holds other files is refused; one that holds only files of an earlier export is replaced whole.
    """
    asked, path = path, path.resolve()
    if path.exists() and not (path.is_dir() or (path.suffix == ".zip" and path.is_file())):
        raise TargetTaken(
            given=str(path), expected="a folder, or a name that ends in .zip", next_step="give another name"
        )
    if path.is_dir() and path.suffix == ".zip":
        raise TargetTaken(given=str(path), expected="a file name for the archive", next_step="give another name")
    _make_parent(path)
    unfinished = hidden_beside(path, "files.tmp")
    try:
        with called(asked, unfinished):
            unfinished.mkdir()
            names = _write_pieces(unfinished, pieces)
            if path.suffix == ".zip":
                write_file(path, _zipped(unfinished, names))
            else:
                _take_place(unfinished, path, names)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    sync_folder(path.parent)
    return names


def _write_pieces(folder: Path, pieces: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    opened: dict[str, BinaryIO] = {}
    try:
        for name, piece in pieces:
            out = opened.pop(name, None)
            if out is None:
                assert "/" not in name
                # The files for Neo4j are one or two for each table and relationship, more than
                # every system allows to be open.
                if len(opened) >= _MANY:  # the one that was written to longest ago
                    _finish(opened.pop(next(iter(opened))))
                out = (folder / name).open("ab")
                names[name] = None
            opened[name] = out
            out.write(piece)
    finally:
        for out in opened.values():
            _finish(out)
    return tuple(names)


def _finish(out: BinaryIO) -> None:
    """Make what was written durable and close."""
    try:
        out.flush()
        os.fsync(out.fileno())
    finally:
        out.close()


def _take_place(unfinished: Path, path: Path, names: tuple[str, ...]) -> None:
    """Put a finished folder where it belongs; an earlier export steps aside first and goes at the end."""
    aside = hidden_beside(path, "old")
    # Only files of the same names are replaced: a folder of somebody, named by mistake, is left
    # alone.
    if path.is_dir():
        others = sorted(one.name for one in path.iterdir() if one.name not in names or not one.is_file())
        if others:
            raise TargetTaken(
                given=str(path),
                expected=f"a folder that is new, empty or an earlier export; it holds {others[0]}",
                next_step="give another folder",
            )
        path.rename(aside)
    try:
        unfinished.rename(path)
    except BaseException:
        with suppress(OSError):  # there is none on the first time
            aside.rename(path)
        raise
    for name in names:
        (aside / name).unlink(missing_ok=True)
    with suppress(OSError):  # a file that somebody put in meanwhile stays where it can be found
        aside.rmdir()


class _Buffer:
    """Takes what an archive writes and gives it away: an archive is written without going back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        """Nothing is held back."""

    def taken(self) -> bytes:
        data = b"".join(self._parts)
        self._parts.clear()
        return data


def _zipped(folder: Path, names: Iterable[str]) -> Iterable[bytes]:
    out = _Buffer()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:  # type: ignore[call-overload]
        for name in names:
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            # The archive must know beforehand whether the sizes need the fields of ZIP64: it cannot
            # go back to put them in.
            entry.file_size = (folder / name).stat().st_size
            with (folder / name).open("rb") as source, archive.open(entry, "w") as target:
                while block := source.read(1 << 20):
                    target.write(block)
                    yield out.taken()
    yield out.taken()
