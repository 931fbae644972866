"""Files that are there whole or not at all: write a new file next to the old one, fsync, rename, fsync the folder.

`boundary` is called by name before and after every step that can be cut off; tests replace it to kill the process there.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Final

from kg.errors import FULL

_KEPT: Final = 40
"""Characters of a name that are kept next to it: at most four bytes each, and file systems take 255 in all."""


def hidden_beside(path: Path, ending: str = "tmp") -> Path:
    """A name next to a file, of bytes that every file system takes, that nothing has: one that could be guessed may be
    somebody else's."""
    return path.with_name(f".{path.name[:_KEPT]}.{token_hex(6)}.{ending}")


@contextmanager
def called(path: Path, pending: Path) -> Iterator[None]:
    """Say of the file that was asked for what the system says of the one that is to become it, or that there is no space."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            # A failed write names no file, and neither does a failed read in what yields the chunks: only a full disk is
            # surely about the file that is written.
            is_ours = error.errno in FULL
        else:
            said = Path(os.fsdecode(error.filename))
            # `parents`: an export may write a whole folder that is renamed at the end.
            is_ours = said == pending or pending in said.parents
        if is_ours:
            error.filename = str(path)
        raise


def boundary(name: str) -> None:
    """A moment at which a kill must lose nothing; does nothing outside tests."""


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable (no effect where folders cannot be opened)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pending = hidden_beside(path)
    boundary("write:before")
    try:
        with called(path, pending), open(pending, "xb") as file:
            for chunk in chunks:
                file.write(chunk)
            boundary("write:after")
            file.flush()
            os.fsync(file.fileno())
        boundary("fsync:after")
        # The bytes before the name: renamed first, a file could be empty under its final name after a power
        # cut.
        with called(path, pending):
            os.replace(pending, path)
    # An interrupt by the user too leaves nothing half-written.
    except BaseException:
        pending.unlink(missing_ok=True)
        raise
    boundary("rename:after")
    sync_folder(path.parent)
    boundary("folder:after")


def is_full(error: BaseException) -> bool:
    """Whether something failed for want of space; engines tell it in words alone.

    >>> import errno
    >>> is_full(OSError(errno.ENOSPC, "No space left on device")), is_full(RuntimeError("IO exception: No space left on device"))
    (True, True)
    >>> is_full(OSError(errno.EACCES, "Permission denied")), is_full(ValueError("No space left on device"))
    (False, False)
    """
    if error.__cause__ is not None and is_full(error.__cause__):
        return True
    if isinstance(error, OSError) and error.errno in FULL:
        return True
    message = str(error)
    if isinstance(error, sqlite3.Error):
        return "disk is full" in message
    return isinstance(error, OSError | RuntimeError) and any(os.strerror(one) in message for one in FULL)
