"""Files that are there whole or not at all: write beside, fsync, rename, fsync the folder.

`boundary` is called by name before and after every step that can be cut off; tests replace it to kill the process there.
"""

import os
from collections.abc import Iterable
from pathlib import Path


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
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    boundary("write:before")
    with open(beside, "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        boundary("write:after")
        file.flush()
        os.fsync(file.fileno())
    boundary("fsync:after")
    os.replace(beside, path)
    boundary("rename:after")
    sync_folder(path.parent)
    boundary("folder:after")
