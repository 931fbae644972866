"""Generations of a view: `gen-000007/` is one complete store, `current` names the live one with its stamp.

A live generation is never written. The one before the live one is kept until the next switch: it has readers. Of a
generation that has had its day only the files that its engine writes are deleted; a file of somebody else stays.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import ELOOP
from functools import reduce
from hashlib import blake2b
from json import dumps, loads
from pathlib import Path
from typing import ClassVar, Final, cast
from zlib import crc32

from kg.errors import StoreError
from kg.model.plain_json import plain_values
from kg.model.special_file import is_special, is_too_large
from kg.model.view_stamp import ViewStamp

Switch = Callable[[Path, Iterable[bytes]], None]
"""Writes the pointer whole: what is passed is durable when it returns."""
_NAME: Final = re.compile(r"gen-([0-9]{6,12})")
_POINTER: Final = "CURRENT"
_MOST_OF_POINTER: Final = 4096
READ_AT_OPENING: Final = 64 << 20
"""Bytes of a view up to which it is read and compared before it is opened: 64 MB take less than a tenth of a second."""
DIGESTS: Final = "digests.json"
"""In a generation: the checksum of every file that its engine never writes again, with the size and inode it had."""
_CHECKSUM: Final = 8
"""The letters of a checksum; a digest has 32."""


@dataclass(frozen=True, slots=True)
class GenerationFolder:
    """The folder of generations of one view."""

    folder: Path
    files: ClassVar[re.Pattern[str]] = re.compile("")
    """The names of the files, with the folder below where there is one, that the engine writes into a generation."""
    sealed: ClassVar[re.Pattern[str] | None] = None
    """The names of those that the engine never writes again: their digests are kept, and compared by `first_damage`."""

    def current(self) -> tuple[Path, ViewStamp] | None:
        """The live generation and its stamp, or None when there is none that can be read; it is in this folder."""
        from kg.stores.pointer import StateDamaged, read_pointer

        try:
            pointer = read_pointer(self.folder / "current")
        except StateDamaged:
            return None
        if pointer is None:
            return None
        path = self.folder / pointer.generation
        stamp = cast(ViewStamp, plain_values(pointer))
        return (path, stamp) if path.is_dir() and not path.is_symlink() and _holds_files(path) else None

    def damage(self) -> str | None:
        """What is wrong with the pointer, in words; None where it is right or not there."""
        from kg.stores.pointer import StateDamaged, read_pointer

        try:
            pointer = read_pointer(self.folder / "current")
        except StateDamaged as error:
            return f"{error.path} is damaged"
        if pointer is not None and self.current() is None:
            path = self.folder / pointer.generation
            return (
                f"{path} holds a device, a pipe, a link in a circle or a pointer that is too long"
                if path.is_dir() and not _holds_files(path)
                else f"{path} is missing"
            )
        return None

    def begin(self) -> Path:
        """An empty folder for the next generation; what an interrupted writer left behind is removed.

        Nothing is removed through a link, so that none is written through one either: old generations would fill its disk.
        """
        if self.folder.is_symlink():
            raise StoreError(
                code="store.foreign",
                path=str(self.folder),
                given="a link to another place",
                expected="a folder of the store itself",
                next_step="remove the link and run kg build, or move the whole store and name it with --store",
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        live = self.current()
        keep = {live[0].name, live[1].get("previous")} if live else set()
        for old in self._generations():
            if old.name not in keep:
                self.remove(old)
        # Above every number that is there: a generation that could not be deleted whole keeps its
        # name.
        numbers = [int(old.name.removeprefix("gen-")) for old in self._generations()]
        path = self.folder / f"gen-{max(numbers, default=0) + 1:06d}"
        path.mkdir()
        return path

    def make_live(self, path: Path, stamp: ViewStamp, switch: Switch) -> None:
        """Make a finished generation the live one: its files are durable before its name is."""
        live = self.current()
        self._keep_digests(path, live[0] if live else None)
        text = dumps(
            {**stamp, "generation": path.name, "previous": live[0].name if live else None}, indent=1, sort_keys=True
        )
        for folder, _, names in os.walk(path):
            # "." is the folder itself: a file is durable only when its entry in the folder is.
            # Windows opens no folder.
            for name in (*names, *([] if os.name == "nt" else ["."])):
                handle = os.open(os.path.join(folder, name), os.O_RDONLY)
                os.fsync(handle)
                os.close(handle)
        switch(self.folder / "current", [text.encode()])

    def _keep_digests(self, path: Path, before: Path | None) -> None:
        """Write the digests of the sealed files; one that is the same file as in the generation before is not read again."""
        if self.sealed is None:
            return
        # A copy of a generation links its sealed files: the same size and inode is the same file,
        # digested before.
        known = {tuple(one[:2]): one[2] for one in read_digests(before).values()} if before else {}
        digests = {}
        for file in sorted(path.iterdir()):
            if self.sealed.fullmatch(file.name):
                status = file.stat()
                identity = (status.st_size, status.st_ino)
                digests[file.name] = (*identity, known.get(identity) or file_checksum(file))
        (path / DIGESTS).write_text(dumps(digests, indent=1), "ascii")

    def first_damage(self, path: Path) -> str | None:
        """The first sealed file of a generation that is not what was written, in words; every one is read to its end."""
        if self.sealed is None:
            return None
        digests = read_digests(path)
        if not digests and any(self.sealed.fullmatch(file.name) for file in path.iterdir()):
            return f"{DIGESTS} is missing or damaged"
        for name, (_, _, digest) in digests.items():
            if not (path / name).is_file():
                return f"{name} is missing"
            if not _is_as_written(path / name, digest):
                return f"{name} is damaged"
        return None

    def damage_at_opening(self, path: Path) -> str | None:
        """The same for who only opens it: what is large together is compared by size, and without digests nothing is.

        An engine that reads what it did not write may never end, so that it is not given such a file.
        """
        digests = read_digests(path)
        is_small = sum(size for size, _, _ in digests.values()) <= READ_AT_OPENING
        for name, (size, _, digest) in digests.items():
            if (path / name).stat().st_size != size or (is_small and not _is_as_written(path / name, digest)):
                return f"{name} is damaged"
        return None

    @contextmanager
    def unless_it_fails(self, path: Path) -> Iterator[None]:
        """Make a generation, and leave nothing of it when that fails; what was made live stays."""
        try:
            yield
        except BaseException:
            live = self.current()
            if live is None or live[0] != path:
                self.remove(path)
            raise

    def remove(self, path: Path) -> None:
        """Delete what the engine wrote into a generation, and its folder when nothing else is in it."""
        # From the leaves up, so that a folder is empty when its turn comes.
        for folder, _, names in os.walk(path, topdown=False):
            for name in names:
                file = Path(folder, name)
                if self.files.fullmatch(file.relative_to(path).as_posix()) and not file.is_symlink():
                    with suppress(OSError):  # a reader may hold it open on some systems
                        file.unlink()
            with suppress(OSError):  # something of somebody else is in it
                Path(folder).rmdir()

    def remove_all(self) -> None:
        """Delete every generation; the caller has made sure that the folder is that of a store."""
        for path in self._generations():
            self.remove(path)

    def _generations(self) -> Iterator[Path]:
        """The folders that bear the name of a generation; a link is none."""
        if not self.folder.is_symlink() and self.folder.is_dir():
            for path in sorted(self.folder.iterdir()):
                if _NAME.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
                    yield path


def _holds_files(path: Path) -> bool:
    """Whether an engine may open what lies in a generation: a device or a pipe would keep it waiting, and a stretched pointer
    of its own would fill the memory.
    """
    with os.scandir(path) as entries:
        try:
            return not any(
                # The pointer of the engine holds one file name; a longer one was stretched by
                # damage and would be read whole.
                one.stat().st_size > _MOST_OF_POINTER and one.name == _POINTER
                if one.is_file()
                else not one.is_dir() and is_special(Path(one.path))
                for one in entries
            )
        except OSError as error:
            if error.errno != ELOOP:
                raise
            return False  # a link that leads in a circle


def file_digest(path: Path) -> str:
    """The digest of a file, 16 bytes of BLAKE2b in hexadecimal, read piece by piece."""
    digest = blake2b(digest_size=16)
    for piece in _pieces(path):
        digest.update(piece)
    return digest.hexdigest()


def file_checksum(path: Path) -> str:
    """The CRC-32 of a file in hexadecimal, read piece by piece."""
    # It is compared at each opening, against a disk that fails and not against a person, who could write a list of
    # digests that fits: a sixth of the time of a digest, and one damage in 4 billion unseen.
    return f"{reduce(lambda known, piece: crc32(piece, known), _pieces(path), 0):08x}"


def _pieces(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            yield piece


def _is_as_written(path: Path, kept: str) -> bool:
    """Whether a file still gives what was kept of it; views of earlier versions kept a digest."""
    return (file_checksum if len(kept) == _CHECKSUM else file_digest)(path) == kept


def read_digests(path: Path) -> dict[str, tuple[int, int, str]]:
    """Size, inode and digest of each sealed file of a generation by its name; nothing where the list cannot be read."""
    try:
        digests = path / DIGESTS
        read = loads(digests.read_text("ascii")) if digests.is_file() and not is_too_large(digests) else {}
        return {str(name): (int(size), int(inode), str(digest)) for name, (size, inode, digest) in read.items()}
    except (OSError, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return {}
