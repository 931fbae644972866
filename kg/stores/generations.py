"""Generations of a view: `gen-000007/` is one complete store, `current` names the live one with its stamp.

A live generation is never written. The one before the live one is kept until the next switch: it has readers. Of a
generation that has had its day only the files that its engine writes are deleted; a file of somebody else stays.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any, ClassVar, Final

Switch = Callable[[Path, Iterable[bytes]], None]
"""Writes the pointer whole: what is passed is durable when it returns."""
_NAME: Final = re.compile(r"gen-([0-9]{6,12})")


@dataclass(frozen=True, slots=True)
class GenerationFolder:
    """The folder of generations of one view."""

    folder: Path
    files: ClassVar[re.Pattern[str]] = re.compile("")
    """The names of the files, with the folder below where there is one, that the engine writes into a generation."""

    def current(self) -> tuple[Path, dict[str, Any]] | None:
        """The live generation and its stamp, or None when there is none that can be read; it is in this folder."""
        from kg.stores.pointer import StateDamaged, read_pointer

        try:
            pointer = read_pointer(self.folder / "current")
        except StateDamaged:
            return None
        if pointer is None:
            return None
        path = self.folder / pointer.generation
        return (path, pointer.model_dump()) if path.is_dir() and not path.is_symlink() else None

    def damage(self) -> str | None:
        """What is wrong with the pointer, in words; None where it is right or not there."""
        from kg.stores.pointer import StateDamaged, read_pointer

        try:
            pointer = read_pointer(self.folder / "current")
        except StateDamaged as error:
            return f"{error.path} is damaged"
        if pointer is not None and self.current() is None:
            return f"{self.folder / pointer.generation} is missing"
        return None

    def begin(self) -> Path:
        """An empty folder for the next generation; what an interrupted writer left behind is removed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        live = self.current()
        keep = {live[0].name, live[1].get("previous")} if live else set()
        for old in self._generations():
            if old.name not in keep:
                self.remove(old)
        numbers = [int(old.name.removeprefix("gen-")) for old in self._generations()]
        path = self.folder / f"gen-{max(numbers, default=0) + 1:06d}"
        path.mkdir()
        return path

    def make_live(self, path: Path, stamp: dict[str, Any], switch: Switch) -> None:
        """Make a finished generation the live one: its files are durable before its name is."""
        live = self.current()
        text = dumps(
            {**stamp, "generation": path.name, "previous": live[0].name if live else None}, indent=1, sort_keys=True
        )
        for folder, _, names in os.walk(path):
            for name in (*names, *([] if os.name == "nt" else ["."])):
                handle = os.open(os.path.join(folder, name), os.O_RDONLY)
                os.fsync(handle)
                os.close(handle)
        switch(self.folder / "current", [text.encode()])

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
