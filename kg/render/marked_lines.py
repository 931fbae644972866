"""A text with marks, as lines of pieces: what a page or a terminal writes one after another."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, Generic, Literal, NamedTuple, Protocol, TypeVar

LineKind = Literal["heading", "item", "row", "plain", "blank"]
_HEADING: Final = re.compile(r"#{1,6} ")
# Meets "- ", "* ", "• " and "1. " or "2) " at the start of a line, with any indent.
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)]) ")


class MarkedPlace(Protocol):
    """A place of a text, in code points, with its number in the order of the text."""

    @property
    def number(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Marked = TypeVar("Marked", bound=MarkedPlace)


class TextPiece(NamedTuple, Generic[Marked]):
    """Characters of one line that have the same mark, or none; `is_first` where the mark begins here."""

    text: str
    figure: Marked | None
    is_first: bool


class MarkedLine(NamedTuple, Generic[Marked]):
    """One line of the text, with what it is by its first characters."""

    kind: LineKind
    pieces: tuple[TextPiece[Marked], ...]


def marked_lines(text: str, figures: Sequence[Marked]) -> Iterator[MarkedLine[Marked]]:
    """The lines of a text; where places lie in one another, the smallest marks its characters.

    Pieces joined give the line again, without its end.
    """
    owners = _owners(figures)
    at, begun = 0, set[int]()
    for raw in text.splitlines(keepends=True):
        # The same line ends as `splitlines` splits at: places are counted in the text with them.
        line = raw.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
        pieces = []
        for start, end, figure in _cut(owners, at, at + len(line)):
            is_first = figure is not None and figure.number not in begun
            if figure is not None:
                begun.add(figure.number)
            pieces.append(TextPiece(text[start:end], figure, is_first))
        yield MarkedLine(_kind(line), tuple(pieces))
        at += len(raw)


def _kind(line: str) -> LineKind:
    if not line.strip():
        return "blank"
    if _HEADING.match(line):
        return "heading"
    if line.startswith("|"):
        return "row"
    return "item" if _ITEM.match(line) else "plain"


def _owners(figures: Iterable[Marked]) -> list[tuple[int, int, Marked]]:
    """Stretches that do not overlap, in order, each with the smallest figure that covers it."""
    listed = list(figures)
    bounds = sorted({bound for one in listed for bound in (one.start, one.end)})
    starts = sorted(listed, key=lambda one: one.start)
    stretches: list[tuple[int, int, Marked]] = []
    active: list[Marked] = []
    taken = 0
    for left, right in pairwise(bounds):
        while taken < len(starts) and starts[taken].start <= left:
            active.append(starts[taken])
            taken += 1
        active = [one for one in active if one.end > left]
        if active:
            # Of figures that lie in one another the shortest is the one that is printed there.
            owner = min(active, key=lambda one: (one.end - one.start, one.start))
            if stretches and stretches[-1][1] == left and stretches[-1][2] is owner:
                stretches[-1] = (stretches[-1][0], right, owner)
            else:
                stretches.append((left, right, owner))
    return stretches


def _cut(owners: Sequence[tuple[int, int, Marked]], start: int, end: int) -> Iterator[tuple[int, int, Marked | None]]:
    """The stretches of one line, with what lies between them."""
    at = start
    # Looked up and not gone through: a text has as many stretches as lines.
    for number in range(bisect_right(owners, start, key=lambda one: one[1]), len(owners)):
        left, right, figure = owners[number]
        if left >= end:
            break
        if left > at:
            yield at, left, None
        at = max(at, left)
        yield at, min(right, end), figure
        at = min(right, end)
    if at < end:
        yield at, end, None
