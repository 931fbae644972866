"""One writer at a time per store; readers never lock. Who holds the lock is written next to it."""

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from kg.errors import KgError, StoreError, UsageError
from kg.ledger import durable, mark
from kg.model.special_file import is_too_large
from kg.model.state_file import StateDamaged

_MOST_PATH: Final = 480
"""Bytes of the path of a store: the engine of the index takes 512, with the names of its own files."""


class StoreBusy(StoreError):
    """Another process is writing to this store."""

    code = "store.busy"


def _holder(path: Path) -> str:
    try:
        return (
            "" if not path.is_file() or is_too_large(path) else path.read_text(encoding="utf-8")
        ).strip() or "another process"
    except (OSError, UnicodeDecodeError):
        return "another process"


def _write_holder(path: Path, purpose: str) -> None:
    path.unlink(missing_ok=True)  # a file of its own: through a link a file of others would be written over
    holder = f"process {os.getpid()} ({Path(sys.argv[0]).name} {purpose}, since {time.strftime('%H:%M:%S')})\n"
    with path.open("x", encoding="utf-8", errors="backslashreplace") as file:  # the name of a program may be no text
        file.write(holder)


class StoreFull(StoreError):
    """There is no space for what is to be written."""

    code = "store.full"


@contextmanager
def _space(store: Path) -> Iterator[None]:
    """Say what is missing where the disk is full, whoever noticed it."""
    try:
        yield
    except (IsADirectoryError, NotADirectoryError) as cause:
        where = cause.filename2 or cause.filename
        raise StateDamaged(
            path=str(where),
            given="a folder where the store has a file, or a file where it has a folder",
            expected="what the store wrote",
            next_step="move it away, then run kg build",
        ) from cause
    except (OSError, RuntimeError, sqlite3.Error, KgError) as cause:
        if not durable.is_full(cause):
            raise
        raise StoreFull(
            path=str(store),
            given="no space left on its disk",
            expected="room for what is written",
            next_step="free space, then run kg build; what the store held is whole, and what was already recorded is kept",
        ) from cause


def _refuse_long(store: Path) -> None:
    size = len(os.fsencode(os.path.realpath(store)))
    if size > _MOST_PATH:
        raise UsageError(
            path=str(store),
            given=f"a path of {size:,} bytes",
            expected=f"at most {_MOST_PATH} for a store",
            next_step="name a folder nearer to the root with --store or KG_STORE",
        )


@contextmanager
def writer_lock(
    store: Path, *, wait_seconds: float = 60.0, tell: Callable[[str], None] | None = None, purpose: str = "write"
) -> Iterator[None]:
    """Hold the writer lock of a store folder; after `wait_seconds` give up and say who holds it."""
    _refuse_long(store)
    with _space(store):
        store.mkdir(parents=True, exist_ok=True)
        # Before the lock, since its file would already be one in a folder of somebody else.
        mark.mark(store)
        path, owner = store / mark.LOCK, store / "writer.owner"
        if path.is_symlink():  # no lock is taken through a link, so that nobody holds it
            path.unlink(missing_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if tell is not None:
            tell(f"waiting for {_holder(owner)}")
        try:
            lock.acquire(timeout=wait_seconds)
        except Timeout as cause:
            raise StoreBusy(
                path=str(store),
                given=f"{_holder(owner)} has been writing for more than {wait_seconds:g} s",
                expected="one writer at a time",
                next_step="wait for it to end, or ask for more patience with --wait SECONDS",
            ) from cause
    try:
        with _space(store):
            mark.mark(store)  # again: who held the lock may have deleted the store, its mark too
            # Only under the lock: a file that a living writer is still writing looks the same.
            for left in mark.leftovers(store):
                left.unlink(missing_ok=True)
            _write_holder(owner, purpose)
            yield
    finally:
        # Before the release: afterwards it would be the note of the next writer that goes.
        with suppress(OSError):  # a folder in its place, which was reported
            owner.unlink()
        lock.release()
