"""Generations of a view: `gen-000007/` is one complete store, `current` names the live one with its stamp.

A live generation is never written. The one before the live one is kept until the next switch: it has readers.
"""

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from json import dumps, loads
from pathlib import Path
from typing import Any

Switch = Callable[[Path, Iterable[bytes]], None]
"""Writes the pointer whole: what is passed is durable when it returns."""


@dataclass(frozen=True, slots=True)
class GenerationFolder:
    """The folder of generations of one view."""

    folder: Path

    def current(self) -> tuple[Path, dict[str, Any]] | None:
        """The live generation and its stamp, or None when there is none yet."""
        try:
            stamp = loads((self.folder / "current").read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None
        path = self.folder / stamp["generation"]
        return (path, stamp) if path.is_dir() else None

    def begin(self) -> Path:
        """An empty folder for the next generation; what an interrupted writer left behind is removed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        live = self.current()
        keep = {live[0].name, live[1].get("previous")} if live else set()
        for old in self.folder.glob("gen-*"):
            if old.name not in keep:
                shutil.rmtree(old, ignore_errors=True)
        numbers = [int(old.name.split("-")[1]) for old in self.folder.glob("gen-*")]
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
