"""Temporary folders that are gone with the process that made them, and of those that were killed with a later one.

Who made a folder holds a lock on it, which ends with the process however that ends; `systemd-tmpfiles` leaves a locked
folder alone too. Where there are no such locks (Windows) nothing is cleared.
"""

import atexit
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"accelkg-[a-z]+-[A-Za-z0-9_]+\.tmp")
_YOUNG_SECONDS: Final = 60
"""A folder that is younger may not be locked yet."""
_held: dict[Path, tuple[int, int | None]] = {}
"""The process that made a folder, which a fork of it is not, and its lock."""


def new_folder(purpose: str) -> Path:
    """An empty folder, named after its purpose, that goes with this process. Raises OSError where none can be made."""
    _clear_left()
    folder = Path(tempfile.mkdtemp(prefix=f"accelkg-{purpose}-", suffix=".tmp"))
    _held[folder] = os.getpid(), _locked(folder)
    return folder


def delete_folder(folder: Path) -> None:
    """Delete a folder that `new_folder` made, before the process ends."""
    maker, lock = _held.pop(folder, (None, None))
    if maker == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """A folder for the time being."""
    folder = new_folder(purpose)
    try:
        yield folder
    finally:
        delete_folder(folder)


@atexit.register
def _delete_all() -> None:
    for folder in tuple(_held):
        delete_folder(folder)


@cache
def _clear_left() -> None:
    """Delete what killed processes of this user left, once in a process."""
    with suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            if _NAME.fullmatch(entry.name):
                _delete_left(Path(entry.path))


def _delete_left(folder: Path) -> None:
    with suppress(OSError):
        lock = _locked(folder, older_than=_YOUNG_SECONDS)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _locked(folder: Path, *, older_than: float | None = None) -> int | None:
    """A lock on a folder of this user, itself no link; None where it is younger, another has it or there are no locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        found = os.fstat(opened)
        if found.st_uid == os.geteuid() and (older_than is None or time.time() - found.st_mtime > older_than):
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return opened
    except OSError:  # another process holds it, or the file system has no locks
        pass
    os.close(opened)
    return None
