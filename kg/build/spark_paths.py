"""Paths as Spark reads them: it takes what it reads for a pattern, and what it writes for a name."""

import re
from pathlib import Path
from typing import Final

_OF_PATTERNS: Final = re.compile(r"([\\{}\[\]*?])")


def read_path(path: Path) -> str:
    r"""The path that is read as this very file or folder.

    >>> read_path(Path("/data/st[or]e*/lines"))
    '/data/st\\[or\\]e\\*/lines'
    """
    return _OF_PATTERNS.sub(r"\\\1", str(path))
