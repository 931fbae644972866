"""Files of content that are there whole or not at all: the old text stays until the new one is written beside it."""

import os
from pathlib import Path
from secrets import token_hex


def replace_text(path: Path, text: str) -> None:
    """Write a file in UTF-8, line ends as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pending = path.with_name(f".{token_hex(8)}.tmp")
    try:
        with open(pending, "xb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())  # the bytes before the name: after a power cut a file could be empty else
        os.replace(pending, path)
    except BaseException:
        pending.unlink(missing_ok=True)
        raise
