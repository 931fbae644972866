"""Steps of the mapping of Wikipedia lists: the cells whose figures are not read."""

import re

_FIGURE = re.compile(r"(?<!\w)\d")
_ONE_FIGURE = re.compile(r"(?:[~≈]\s?)?\d[\d,]*(?:\.\d+)?")
_SEVERAL = re.compile(r"\d\s+\(?\d")


def several_figures(*cells: str | None) -> str | None:
    """The cells that hold one figure after the other.

    >>> several_figures("350", "4 8", "20-23", None, "DDR2")
    '4 8'
    """
    return "; ".join(cell for cell in _unread(cells) if _SEVERAL.search(cell)) or None


def unread_figures(*cells: str | None) -> str | None:
    """The other cells with figures that are not just one.

    >>> unread_figures("350", "~350", "4 8", "20-23", None, "No"), unread_figures("1,900", "DDR2")
    ('20-23', None)
    """
    return "; ".join(cell for cell in _unread(cells) if not _SEVERAL.search(cell)) or None


def _unread(cells: tuple[str | None, ...]) -> list[str]:
    return [cell for cell in cells if cell is not None and _FIGURE.search(cell) and not _ONE_FIGURE.fullmatch(cell)]
