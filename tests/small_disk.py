"""A file system of a few megabytes of its own, which a test fills up; skipped where this user may not make one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

SIZE = 24 << 20


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """The place where it is mounted."""

    folder: Path

    @property
    def _filling(self) -> Path:
        return self.folder / "fill"

    def leave(self, kib: int) -> None:
        """Fill it, but for so many KiB."""
        self.free()
        space = os.statvfs(self.folder)
        with open(self._filling, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, space.f_bavail * space.f_frsize - kib * 1024)

    def free(self) -> None:
        """Give the space back."""
        self._filling.unlink(missing_ok=True)


@contextmanager
def small_file_system(place: Path, size: int = SIZE) -> Iterator[SmallDisk]:
    """A file system in memory of so many bytes, mounted in a new folder."""
    place.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("making a file system needs root")
    if subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True
    ).returncode:
        pytest.skip("this system lets nobody make a file system")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", str(place)], check=True, capture_output=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A file system in memory."""
    with small_file_system(tmp_path / "disk") as disk:
        yield disk
