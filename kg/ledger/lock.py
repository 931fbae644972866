"""One writer at a time per store; readers never lock. Who holds the lock is written beside it."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from kg.errors import StoreError
from kg.ledger import mark


class StoreBusy(StoreError):
    """Another process is writing to this store."""

    code = "store.busy"


def _holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip() or "another process"
    except OSError:
        return "another process"


@contextmanager
def writer_lock(
    store: Path, *, wait_seconds: float = 60.0, tell: Callable[[str], None] | None = None, purpose: str = "write"
) -> Iterator[None]:
    """Hold the writer lock of a store folder; after `wait_seconds` give up and say who holds it."""
    store.mkdir(parents=True, exist_ok=True)
    mark.mark(store)
    lock, owner = FileLock(store / "writer.lock"), store / "writer.owner"
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
        started = time.strftime("%H:%M:%S")
        owner.write_text(
            f"process {os.getpid()} ({Path(sys.argv[0]).name} {purpose}, since {started})\n", encoding="utf-8"
        )
        for left in mark.leftovers(store):
            left.unlink(missing_ok=True)
        yield
    finally:
        owner.unlink(missing_ok=True)
        lock.release()
