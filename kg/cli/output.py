"""Where a text goes: standard output, a file, or back to the caller."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path


def written(write: Callable[[], None]) -> str:
    """What a function writes to standard output, as a text."""
    buffer = StringIO()
    with redirect_stdout(buffer):
        write()
    return buffer.getvalue()


def put(text: str, output: Path | None, tell: Callable[[str], None]) -> None:
    """Write a text to standard output, or whole to a file."""
    if output is None:
        sys.stdout.write(text)
        return
    put_bytes(text.encode("utf-8"), output)
    tell(f"written to {output}")


def put_bytes(data: bytes, output: Path) -> None:
    """Write a file whole; a pipe or a device, such as /dev/null, is written as it is and stays what it is."""
    from kg.export.target import write_file

    write_file(output, [data])
