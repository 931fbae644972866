"""Lines of words on a page, and the tables that they make, drawn with lines or without."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kg.reading.pdf_pages import PdfPage, PrintedWord

_LEAST_ROWS: Final = 3
"""Rows from which on lines with columns in common are a table."""
_NEAR: Final = 3
"""Points by which lines of one table may miss each other."""


@dataclass(frozen=True, slots=True)
class LineSegment:
    """Words of one line without a wide gap between them."""

    words: tuple[PrintedWord, ...]

    @property
    def text(self) -> str:
        """The words with single spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Where it has ended."""
        return self.words[-1].right

    @property
    def top(self) -> float:
        """The upper edge of its highest word."""
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        """The lower edge of its lowest word."""
        return max(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        """The size of its first word."""
        return self.words[0].size


def lines_of(words: Sequence[PrintedWord]) -> list[list[LineSegment]]:
    """Words drawn one after the other on one height are a line; a wide gap cuts it into segments."""
    lines: list[list[PrintedWord]] = []
    for word in words:
        line = lines[-1] if lines else []
        # a mark or a comma alone misses the height of the word next to it, not that of the line
        if line and word.left >= line[-1].left and any(_one_line(beside, word) for beside in line[-3:]):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_segments(line) for line in lines]


def _one_line(left: PrintedWord, right: PrintedWord) -> bool:
    overlap = min(left.bottom, right.bottom) - max(left.top, right.top)
    return overlap > 0.3 * min(left.bottom - left.top, right.bottom - right.top) and overlap > 0


def _segments(words: Sequence[PrintedWord]) -> list[LineSegment]:
    found: list[list[PrintedWord]] = []
    for word in words:
        last = found[-1][-1] if found else None
        # a gap wider than a letter and a blank separates columns
        if last is not None and -1 <= word.left - last.right <= 1.2 * max(word.size, last.size):
            found[-1].append(word)
        else:
            found.append([word])
    return [LineSegment(tuple(segment)) for segment in found]


def unruled_rows(lines: Sequence[Sequence[LineSegment]], at: int) -> tuple[int, list[list[list[PrintedWord]]]] | None:
    """The rows of a table without lines that begins at a line, and the line after it; None where there is none.

    Its lines have two segments at least, the segments stand below each other in columns, and most lines hold a figure.
    """
    end = _end_of_rows(lines, at)
    if end - at < _LEAST_ROWS:
        return None
    rows = lines[at:end]
    columns = _joined_stretches((segment.left, segment.right) for line in rows for segment in line)
    figures = sum(any(re.search(r"\d", segment.text) for segment in line) for line in rows)
    if len(columns) < 2 or figures < len(rows) / 2:
        return None
    return end, [[_words_between(line, left, right) for left, right in columns] for line in rows]


def _end_of_rows(lines: Sequence[Sequence[LineSegment]], at: int) -> int:
    """The line after those that follow each other from a line on and have two segments at least."""
    end = at
    while end < len(lines) and len(lines[end]) > 1 and (end == at or _follows(lines[end - 1], lines[end])):
        end += 1
    return end


def _words_between(line: Sequence[LineSegment], left: float, right: float) -> list[PrintedWord]:
    return [word for segment in line if left <= segment.left <= right for word in segment.words]


def _joined_stretches(stretches: Iterable[tuple[float, float]], gap: float = 0) -> list[tuple[float, float]]:
    """Stretches that overlap, or lie no further apart than a gap, as one."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1] + gap:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _follows(above: Sequence[LineSegment], below: Sequence[LineSegment]) -> bool:
    gap = below[0].top - max(segment.bottom for segment in above)
    return -2 <= gap < 4 * below[0].size


RuledGrid = tuple[list[float], list[float]]
"""The places of the vertical and of the horizontal lines of a table."""


def ruled_grids(page: PdfPage) -> list[RuledGrid]:
    """The tables of a page that are drawn with lines."""
    downs, acrosses = page.down, page.across
    # more lines are a drawing, and each stretch of them would be held against all
    if len(downs) < 2 or len(acrosses) < 2 or len(downs) + len(acrosses) > 20_000:
        return []
    stretches = _joined_stretches(((top, bottom) for _, top, bottom in downs), _NEAR)
    grids = (_grid_between(page, top - _NEAR, bottom + _NEAR) for top, bottom in stretches)
    return [(columns, rows) for columns, rows in grids if len(columns) > 2 and len(rows) > 2]


def _grid_between(page: PdfPage, top: float, bottom: float) -> RuledGrid:
    """The places of the vertical lines between two heights, and of the horizontal ones that reach in between these."""
    columns = _places([x for x, up, low in page.down if up < bottom and low > top])
    level = [line for line in page.across if columns and top <= line[0] <= bottom]
    return columns, _places([y for y, left, right in level if right > columns[0] and left < columns[-1]])


def _places(values: Sequence[float]) -> list[float]:
    """Places that are further apart than a line is thick."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 4:
            found.append(value)
    return found


def is_inside(word: PrintedWord, grid: RuledGrid) -> bool:
    """Whether a word is in a table that is drawn with lines."""
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return grid[0][0] - 1 <= x <= grid[0][-1] + 1 and grid[1][0] - 1 <= y <= grid[1][-1] + 1


def grid_rows(
    words: Sequence[PrintedWord], columns: Sequence[float], rows: Sequence[float]
) -> list[list[list[PrintedWord]]]:
    """The words of every cell; rows without words are left out."""
    cells: list[list[list[PrintedWord]]] = [[[] for _ in columns[:-1]] for _ in rows[:-1]]
    for word in words:
        x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        row = max(index for index, edge in enumerate(rows[:-1]) if edge <= y or not index)
        column = max(index for index, edge in enumerate(columns[:-1]) if edge <= x or not index)
        cells[row][column].append(word)
    return [row for row in cells if any(row)]
