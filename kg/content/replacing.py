"""Files of content that are there whole or not at all: the old text stays until the new one is written next to it."""

import os
from pathlib import Path
from secrets import token_hex


def replace_text(path: Path, text: str) -> None:
    """Write a file in UTF-8, line ends as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pending = path.with_name(f".{token_hex(8)}.tmp")
    try:
        pending.write_bytes(text.encode())
        with open(pending, "rb+") as file:
            os.fsync(file.fileno())  # the bytes before the name: after a power cut the file could be empty
        os.replace(pending, path)
    except BaseException:
        pending.unlink(missing_ok=True)
        raise
