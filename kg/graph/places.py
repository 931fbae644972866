"""Where a store lies, and whether what lies there is up to date."""

import os
import sys
from hashlib import sha256
from pathlib import Path

from kg.content.folders import Content


def data_folder() -> Path:
    """The user's data directory for this program."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "accelkg"


def default_store(content: Content, *, given_content: bool) -> Path:
    """The store folder when none is named; content given by hand has a store of its own."""
    if not given_content:
        return data_folder() / "store"
    return data_folder() / f"store-{sha256(str(content.root).encode()).hexdigest()[:12]}"


def is_writable(folder: Path) -> bool:
    """Whether a store can be made or changed there."""
    while not folder.exists():
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
