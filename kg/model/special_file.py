"""Whether what bears the name of a file can be read to its end; a module of its own, since models take a moment to import."""

from pathlib import Path


def is_special(path: Path) -> bool:
    """Whether a device or a pipe bears a name, itself or through a link: reading it would wait, or never end."""
    return not path.is_file() and not path.is_dir() and path.exists()
