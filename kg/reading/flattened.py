"""Tables that lost their lines: rows of words and figures under a row of words, as copying from a page leaves them."""

import re
from itertools import pairwise
from typing import Final

from kg.reading.text import Block, Cell, Table

# meets "$3.1M", "80GB", "–" and "N/A"; not "H100", which is a name
_VALUE: Final = re.compile(
    r"(?:[~≈<>≤≥]?[-−+]?(?:US\$|[$€¥])?\d[\d,]*(?:\.\d+)?(?:[%x×kKMBT]|[KMGT]?i?B(?:/s)?|W)?|[-–—]|N/?A|n/?a|TBD|Unknown)(?=\s|$)"
)
_NUMBER: Final = re.compile(r"[~≈<>≤≥]?[-−+]?(?:US\$|[$€¥])?\d")
_NAME: Final = re.compile(r"[A-Z]")
_LEAST_ROWS: Final = 2
_MOST_PARTS: Final = 120
"""Words and brackets of a header that are put into columns."""


def flattened_tables(text: str) -> list[Table]:
    r"""Every flattened table: a line of headings, then lines that end in the same number of figures.

    >>> (start, end, cells), = flattened_tables("Chip Memory (GB) TDP (W)\nAlpha 1 80 700\nBeta 141 750\n")
    >>> [(block.cell.column, block.cell.column_headers) for block in cells if block.cell and block.cell.row == 2]
    [(0, ('Chip',)), (1, ('Memory (GB)',)), (2, ('TDP (W)',))]
    """
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", text) if not match.group().isspace()]
    tables: list[Table] = []
    at = 1
    while at < len(lines):
        rows = _rows(text, lines, at)
        if rows is None:
            at += 1
            continue
        end, tails = rows
        tables.append(_table(text, lines[at - 1 : end], tails, len(tables)))
        at = end + 1
    return tables


def _rows(text: str, lines: list[tuple[int, int]], at: int) -> tuple[int, list[list[tuple[int, int]]]] | None:
    """Where the rows that begin at a line end, with the values at the end of each; None where there are too few."""
    start, end = lines[at - 1]
    if not _is_header(text[start:end]):
        return None
    tails: list[list[tuple[int, int]]] = []
    for index in range(at, len(lines)):
        left, right = lines[index]
        if text[lines[index - 1][1] : left].count("\n") != 1:
            break
        tail = _tail(text, left, right)
        columns = len(tails[0]) if tails else _columns(text, lines, at)
        if not columns or len(tail) < columns or tail[-columns][0] == left:
            break
        tails.append(tail[-columns:])
    # two lines that end in one number each are prose; four are a column
    if len(tails) < _LEAST_ROWS or len(tails[0]) < (1 if len(tails) > 3 else 2):
        return None
    return at + len(tails), tails


def _columns(text: str, lines: list[tuple[int, int]], at: int) -> int:
    """How many values end each of the first rows: names between them count where all rows have them."""
    first = [_tail(text, *line) for line in lines[at : at + 3]]
    if len({len(tail) for tail in first}) == 1:
        return len(first[0])
    return min(sum(_VALUE.fullmatch(text, *word) is not None for word in tail) for tail in first)


def _is_header(line: str) -> bool:
    words = line.split()
    return 1 < len(words) <= 60 and line.rstrip()[-1] not in ".;:,!?" and words[0][0].isupper() and "|" not in line


def _tail(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The values at the end of a line; one name may stand between two of them (a kind of memory, say)."""
    words = [(start + match.start(), start + match.end()) for match in re.finditer(r"\S+", text[start:end])]
    tail: list[tuple[int, int]] = []
    for index in range(len(words) - 1, -1, -1):
        is_value = _VALUE.fullmatch(text, *words[index])
        between = tail and index and _NAME.match(text, *words[index]) and _NUMBER.match(text, words[index - 1][0])
        if not is_value and not between:
            break
        tail.append(words[index])
    return tail[::-1] if any(_NUMBER.match(text, left) for left, _ in tail) else []


def _table(text: str, lines: list[tuple[int, int]], tails: list[list[tuple[int, int]]], number: int) -> Table:
    header = header_columns(text, *lines[0], len(tails[0]))
    titles = [tuple(text[left:right] for left, right in (span,) if right > left) for span in header]
    cells = [
        Block("cell", left, right, (), Cell(number, 0, column, is_header=True))
        for column, (left, right) in enumerate(header)
        if right > left
    ]
    for row, ((start, _), tail) in enumerate(zip(lines[1:], tails, strict=True), start=1):
        label_end = start + len(text[start : tail[0][0]].rstrip())
        label = text[start:label_end]
        cells.append(Block("cell", start, label_end, (), Cell(number, row, 0, titles[0], (), False)))
        for column, (left, right) in enumerate(tail, start=1):
            cells.append(Block("cell", left, right, (), Cell(number, row, column, titles[column], (label,))))
    return lines[0][0], lines[-1][1], cells


def header_columns(text: str, start: int, end: int, columns: int) -> list[tuple[int, int]]:
    """The header of the words in front, then one of each of the columns of values, from the right.

    >>> line = "Chip Mode Avg Rate (Samples/s) Rate per Chip (Samples/s) Avg Chips"
    >>> [line[left:right] for left, right in header_columns(line, 0, len(line), 3)]
    ['Chip Mode', 'Avg Rate (Samples/s)', 'Rate per Chip (Samples/s)', 'Avg Chips']
    """
    words = [
        (start + match.start(), start + match.end())
        for match in re.finditer(r"(?:\([^()\n]*\)|\[[^\[\]\n]*\]|[^\s(\[])+|\S", text[start:end])
    ]
    if len(words) > _MOST_PARTS:  # brackets without end: the titles are one
        return [(words[0][0], words[-1][1])] + [(end, end)] * columns
    if len(words) <= columns:
        return [(start, start)] * (columns + 1 - len(words)) + words
    spelt = [text[left:right] for left, right in words]
    edges = [0, *_best_cuts(spelt, columns), len(words)]
    return [(words[a][0], words[b - 1][1]) for a, b in pairwise(edges)]


_JOIN: Final = frozenset({"per", "of", "and", "to", "in", "for", "at", "vs", "vs.", "/", "&", "by"})
_BEGIN: Final = frozenset({"avg", "avg.", "average", "mean", "median", "total", "max", "min", "peak", "no.", "number"})
"""Words that a title begins with, and never ends with."""
_CLOSED: Final = (")", "]")


def _best_cuts(words: list[str], columns: int) -> list[int]:
    """Where the columns of values begin: the cuts whose scores are highest together."""
    best = {
        at: (_edge(words, at) - 3.0 * sum(word.endswith(_CLOSED) for word in words[:at]), [at])
        for at in range(1, len(words) - columns + 1)
    }
    for more in range(1, columns):
        best = {
            at: max(
                (score + _edge(words, at) + _title(words[last:at]), [*cuts, at])
                for last, (score, cuts) in best.items()
                if last < at
            )
            for at in range(1 + more, len(words) - columns + 1 + more)
        }
    return max((score + _title(words[last:]), cuts) for last, (score, cuts) in best.items())[1]


def _edge(words: list[str], at: int) -> float:
    """How well a title ends before a word: after a unit, before a capital, never next to a conjunction."""
    before, after = words[at - 1], words[at]
    score = 3.0 * before.endswith(_CLOSED) - 6.0 * (after[0] in "([")
    score += 1.0 if after[0].isupper() else -1.0
    score += 0.5 * (after in words[:at])  # "Memory Type Memory Bandwidth": titles begin alike
    score -= 4.0 * (before.lower() in _JOIN or after.lower() in _JOIN)
    return score + 1.5 * (after.lower() in _BEGIN) - 1.5 * (before.lower() in _BEGIN)


def _title(words: list[str]) -> float:
    """How well words make one title: few, with a unit at the end only."""
    alone = 3.0 * all(word.lower() in _BEGIN for word in words)
    return -alone - 0.1 * len(words) ** 2 - 3.0 * sum(word.endswith(_CLOSED) for word in words[:-1])
