"""Plain text to blocks: paragraphs between blank lines, headings and list items by their first signs, tables that were flattened or parted by signs."""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kg.reading.delimited import delimited_tables
from kg.reading.flattened import flattened_tables
from kg.reading.text import Block, BlockKind, Table

_ITEM: Final = re.compile(r"[ \t\u00a0\u3000]*(?:[-*•◦▪–]|\(?\d{1,3}[.)])[ \t\u00a0]+")
# meets "## Results" and "2.1 Results"; the depth is checked apart
_SECTION: Final = re.compile(r"(?:#{1,6}[ \t]+\S|\d{1,2}(?:\.\d{1,2}){0,3}\.?[ \t]+[^\W\d_])")
# possessive, so that a long text without a blank line is walked over once
_PARAGRAPH: Final = re.compile(r"^[^\S\n]*+\S[^\n]*+(?:\n[^\S\n]*+\S[^\n]*+)*+", re.MULTILINE)
_MOST_HEADING: Final = 110
"""Characters of a line that may be a heading by its number."""
_MOST_MARKED: Final = 200
"""The same of a line that is marked as one."""


def plain_blocks(text: str) -> list[Block]:
    """The blocks of a plain text, in order, each with the numbered or marked headings above it."""
    blocks: list[Block] = []
    above: list[tuple[int, str]] = []
    tables = deque(_tables(text))  # in order, each inside of one paragraph
    for start, end in paragraphs(text):
        at = start
        while tables and tables[0][0] < end:
            left, right, cells = tables.popleft()
            blocks += _prose(text, at, left, above)
            blocks += [_under(cell, above) for cell in cells]
            at = right
        blocks += _prose(text, at, end, above)
    return blocks


def _tables(text: str) -> Iterator[Table]:
    """The tables of a text, numbered in their order; what signs part is no flattened one."""
    parted = delimited_tables(text)
    ends = [end for _, end, _ in parted]
    flat = []
    for table in flattened_tables(text):
        # only the first that ends behind its start can overlap it: all would be held against all of a long text
        after = bisect_right(ends, table[0])
        if after == len(parted) or table[1] <= parted[after][0]:
            flat.append(table)
    for number, (start, end, cells) in enumerate(sorted((*parted, *flat), key=lambda table: table[0])):
        yield start, end, [replace(one, cell=one.cell and replace(one.cell, table=number)) for one in cells]


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Stretches without a blank line, ends trimmed."""
    for match in _PARAGRAPH.finditer(text):
        printed = match.group()
        start = match.start() + len(printed) - len(printed.lstrip())
        yield start, match.start() + len(printed.rstrip())


def _prose(text: str, start: int, end: int, above: list[tuple[int, str]]) -> list[Block]:
    """The blocks of one paragraph: its list items apart, a heading put above what follows."""
    blocks: list[Block] = []
    at = start
    for line in re.finditer(r"[^\n]+", text[start:end]):
        left, right = start + line.start(), start + line.end()
        if left > at and _ITEM.match(text, left, right):
            blocks += _block(text, at, left, above)
            at = left
    return blocks + _block(text, at, end, above)


def _block(text: str, start: int, end: int, above: list[tuple[int, str]]) -> list[Block]:
    printed = text[start:end]
    start += len(printed) - len(printed.lstrip())
    end -= len(printed) - len(printed.rstrip())
    if start >= end:
        return []
    printed = text[start:end]
    depth = _heading_depth(printed)
    if depth is not None:
        while above and above[-1][0] >= depth:
            above.pop()
        block = Block("heading", start, end, tuple(title for _, title in above))
        above.append((depth, printed.lstrip("# ").strip()))
        return [block]
    kind: BlockKind = "list-item" if _ITEM.match(printed) else "paragraph"
    return [Block(kind, start, end, tuple(title for _, title in above))]


def _heading_depth(printed: str) -> int | None:
    """How deep a heading is; None where it is none: more than a line, too long, or with the end of a sentence."""
    most = _MOST_MARKED if printed[0] == "#" else _MOST_HEADING
    if "\n" in printed or len(printed) > most or not _SECTION.match(printed):
        return None
    if printed[0] == "#":
        return len(printed) - len(printed.lstrip("#"))
    number = printed.split(maxsplit=1)[0]
    if "." not in number or printed.rstrip()[-1] in ".!?;:,":
        return None
    return 1 + number.rstrip(".").count(".")


def _under(cell: Block, above: list[tuple[int, str]]) -> Block:
    return Block(cell.kind, cell.start, cell.end, tuple(title for _, title in above), cell.cell)
