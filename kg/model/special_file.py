"""Whether what bears the name of a file can be read to its end; a module of its own, since models take a moment to import."""

import errno
import gzip
import os
from pathlib import Path
from typing import Final

MOST_OF_STATE: Final = 256 << 20
"""Bytes of a small JSON file that keeps the state of a store: what is larger, such as a sparse file, was written by nobody."""
_TAIL: Final = 4096


def is_special(path: Path) -> bool:
    """Whether a device or a pipe bears a name, itself or through a link: reading it would wait, or never end."""
    return not path.is_file() and not path.is_dir() and path.exists() or is_made_up(path)


def is_made_up(path: Path) -> bool:
    """Whether a file has no content until it is read, as below /proc: some of those wait for ever, others are all of the memory."""
    return os.path.ismount("/proc") and path.is_file() and path.stat().st_dev == Path("/proc").stat().st_dev


def is_too_large(path: Path) -> bool:
    """Whether a file of state is larger than any can be: reading it would fill the memory."""
    return path.is_file() and path.stat().st_size > MOST_OF_STATE


def open_packed(path: Path) -> gzip.GzipFile:
    """A packed file to read. Raises OSError where the reader would wait, or go on for hours.

    Zeros after the end are passed over by Python one by one, and a file that was stretched may have any number of them.
    """
    if is_special(path):
        raise OSError(errno.EINVAL, "a device or a pipe", str(path))
    if path.is_file() and path.stat().st_size > _TAIL:
        with open(path, "rb") as file:
            file.seek(-_TAIL, 2)
            # A packed file ends in the length of what it holds, so that its last 4 kB are not all
            # zeros.
            if not any(file.read(_TAIL)):
                raise OSError(errno.EINVAL, "zeros after its end", str(path))
    return gzip.open(path, "rb")
