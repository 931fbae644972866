"""The texts that `kg check` and `kg read` are given: files, or standard input."""

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kg.errors import UsageError
from kg.model.special_file import is_special


class TextKind(StrEnum):
    """The formats that texts are read in."""

    text = "text"
    markdown = "markdown"
    html = "html"
    pdf = "pdf"


TextKindOption = Annotated[
    TextKind | None, typer.Option("--as", help="text, markdown, html or pdf (default: by name and content)")
]


def text_source(name: str) -> Path | bytes:
    """A file that is there, or what standard input holds, of which no more is taken than is read anyway."""
    if name == "-":
        from kg.reading.limits import FILE

        return sys.stdin.buffer.read(FILE + 1)
    path = Path(name)
    special = is_special(path)
    if special or not path.is_file():
        there = path.exists()
        raise UsageError(
            path=name,
            given="a pipe or a device" if special else "a folder" if there else "no such file",
            expected="a text, Markdown, HTML or PDF file, or - for standard input",
            next_step=f"cat {shlex.quote(name)} and a pipe to - reads what it gives" if special else None,
        )
    return path
