"""The texts that `kg check` and `kg read` are given: files, or standard input."""

import sys
from pathlib import Path

from kg.errors import UsageError


def text_source(name: str) -> Path | bytes:
    """A file that is there, or what standard input holds, of which no more is taken than is read anyway."""
    if name == "-":
        from kg.reading.limits import FILE

        return sys.stdin.buffer.read(FILE + 1)
    path = Path(name)
    if not path.is_file():
        raise UsageError(
            path=name, given="no such file", expected="a text, Markdown, HTML or PDF file, or - for standard input"
        )
    return path
