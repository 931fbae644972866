"""What a reader sees of a block: without the signs of the format and invisible characters, each with its place.

Patterns run over the view; positions lead back to the text.
"""

import html
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kg.reading.text import MarkedSpan, ReportText

_INVISIBLE: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
# what is printed otherwise than it is read: invisible signs, references, wide spaces and forms,
# digits of other scripts
_SPECIAL: Final = re.compile(
    rf"[{_INVISIBLE}]+|&(?:#\d{{1,7}}|#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z]{{2,8}});|[\t\u2007\u2009\uff01-\uff5e]"
    r"|(?![0-9])\d",
)
_LEAST_WRAPPED: Final = 40
"""Characters of the longest line of a paragraph from which on its lines may be filled, and do not end where something ends."""
_WIDTH: Final = 0xFEE0
"""What lies between a full-width form and its plain character."""


@dataclass(frozen=True, slots=True)
class BlockView:
    """Visible characters and, for each, its position in the text of the report."""

    text: str
    positions: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the view is in the text."""
        return self.positions[start], self.positions[end - 1] + 1


class Viewer:
    """Makes views of one report."""

    def __init__(self, report: ReportText) -> None:
        self._text = report.text
        self._format = report.format
        self._entities = report.format == "markdown"
        self._left_out = [mark for mark in report.marks if mark.kind != "code"]
        self._starts = [mark.start for mark in self._left_out]

    def view(self, start: int, end: int) -> BlockView:
        r"""What is seen between two positions.

        >>> report = ReportText("**1\u200b6**\uff18x", "", "", "markdown", (), None, (MarkedSpan("markup", 0, 2), MarkedSpan("markup", 5, 7)))
        >>> view = Viewer(report).view(0, 9)
        >>> view.text, view.span(0, 3), view.span(3, 4)
        ('168x', (2, 8), (8, 9))
        """
        # the positions of a stretch that stands as it is seen are a range, which takes no room
        holes = list(self._holes(start, end))
        if not holes:
            return BlockView(self._text[start:end], range(start, end))
        parts: list[str] = []
        positions = array("q")
        at = start
        for left, right, shown in holes:
            parts.append(self._text[at:left])
            positions.extend(range(at, left))
            parts.append(shown)
            positions.extend([left] * len(shown))
            at = right
        parts.append(self._text[at:end])
        positions.extend(range(at, end))
        return BlockView("".join(parts), positions)

    def flowing(self, seen: str) -> str:
        """What is seen, with the breaks of lines inside of a paragraph as spaces.

        Of a plain text these are the breaks before a word that the line had no room for.
        """
        if "\n" not in seen:
            return seen
        return seen.replace("\n", " ") if self._format != "text" else unwrapped(seen)

    def _holes(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """Stretches that are seen otherwise than they stand, in order, and what is seen."""
        marks = self._marks(start, end)
        found = [(max(mark.start, start), min(mark.end, end), _seen_of(mark, self._text)) for mark in marks]
        at = 0
        for match in _SPECIAL.finditer(self._text, start, end):
            while at < len(marks) and marks[at].end <= match.start():
                at += 1
            if at < len(marks) and marks[at].start < match.end():
                continue
            shown = self._seen(match.group())
            if shown != match.group():
                found.append((match.start(), match.end(), shown))
        return sorted(found)

    def _marks(self, start: int, end: int) -> list[MarkedSpan]:
        first = bisect_left(self._starts, start)
        if first and self._left_out[first - 1].end > start:
            first -= 1
        return self._left_out[first : bisect_left(self._starts, end)]

    def _seen(self, printed: str) -> str:
        if printed[0] == "&":
            return self._plain(html.unescape(printed)) if self._entities else printed
        return self._plain(printed)

    def _plain(self, printed: str) -> str:
        return "".join(map(_plain_sign, printed))


def unwrapped(text: str) -> str:
    r"""A plain text whose lines are joined where the next word had no room: of the same length, "\n" as a space.

    >>> unwrapped("The bandwidth of this accelerator is 5.3\nTB/s each.\nTotal 8\nGB")
    'The bandwidth of this accelerator is 5.3 TB/s each.\nTotal 8\nGB'
    """
    lines = text.split("\n")
    room = max(map(len, lines))
    if room < _LEAST_WRAPPED:
        return text
    parts = [lines[0]]
    for above, line in pairwise(lines):
        word = len(line.split(maxsplit=1)[0]) if line.strip() else 0
        parts.append(" " if word and len(above) + 1 + word > room and len(above) > room // 2 else "\n")
        parts.append(line)
    return "".join(parts)


def _plain_sign(sign: str) -> str:
    if sign == "\t":
        return " "
    if sign in "\u2007\u2009":
        return "\u202f"
    if "\uff01" <= sign <= "\uff5e":
        return chr(ord(sign) - _WIDTH)
    if unicodedata.category(sign) == "Cf":
        return ""
    digit = unicodedata.digit(sign, None) if unicodedata.category(sign) == "Nd" else None
    return sign if digit is None else str(digit)


def _seen_of(mark: MarkedSpan, text: str) -> str:
    """Most signs leave nothing; a line break inside of them stays one."""
    if mark.kind != "markup":
        return ""
    printed = text[mark.start : mark.end]
    return " " if "\n" in printed or printed[:3].lower() == "<br" else ""
