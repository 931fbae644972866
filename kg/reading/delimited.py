"""Tables whose cells are parted by semicolons, tabs or commas, as spreadsheets write them and people paste them into a text."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from kg.reading.text import Block, Cell, Table

# a sign inside of quotes parts nothing
_CELLS: Final[Mapping[str, re.Pattern[str]]] = {
    "\t": re.compile(r"[^\t\n]+|(?<=\t)(?=\t|$)"),
    **{sign: re.compile(rf'(?:"[^"\n]*"|[^{sign}\n"])+|(?<={sign})(?={sign}|$)') for sign in ";,"},
}
_FIGURE: Final = re.compile(r"\"?[~<>≈]?[-−+]?(?:US\$|[$€])?\d")
_PROSE: Final = re.compile(r"[.:,!?]$")
_LEAST_ROWS: Final = 2
_LEAST_COLUMNS: Final[Mapping[str, int]] = {";": 2, "\t": 2, ",": 3}
"""Two parts with one comma between them are also a number: "80,700"."""
_MOST_CELL: Final = 80

_Span = tuple[int, int]


def delimited_tables(text: str) -> list[Table]:
    r"""Every such table: a line of headings, and lines below it of as many cells, each with a figure.

    >>> (start, end, cells), = delimited_tables("Chip;Memory (GB);TDP (W)\nAlpha 1;80;700\nBeta;141;750\n")
    >>> [(block.cell.column, block.cell.column_headers) for block in cells if block.cell and block.cell.row == 2]
    [(0, ('Chip',)), (1, ('Memory (GB)',)), (2, ('TDP (W)',))]
    """
    lines = [match.span() for match in re.finditer(r"[^\n]*[^\s][^\n]*", text)]
    tables: list[Table] = []
    at = 0
    while at < len(lines):
        rows = next(_tables_at(text, lines, at), [])
        if rows:
            tables.append((rows[0][0][0], rows[-1][-1][1], _cells(text, rows, len(tables))))
        at += max(len(rows), 1)
    return tables


def _tables_at(text: str, lines: list[_Span], at: int) -> Iterator[list[list[_Span]]]:
    """The rows of the table that begins at a line, for each sign that may part its cells."""
    for sign, cells in _CELLS.items():
        if text.count(sign, *lines[at]) + 1 < _LEAST_COLUMNS[sign]:
            continue
        head = _parted(text, cells, lines[at])
        if not _is_header(text, head):
            continue
        rows: list[list[_Span]] = []
        for below in range(at + 1, len(lines)):  # no copy of the rest, which each line of a long text would make
            row = _parted(text, cells, lines[below])
            if len(row) != len(head) or not _is_row(text, row):
                break
            rows.append(row)
        if len(rows) >= _LEAST_ROWS:
            yield [head, *rows]


def _parted(text: str, cells: re.Pattern[str], line: _Span) -> list[_Span]:
    """The cells of a line without the space and the quotes around each."""
    found: list[_Span] = []
    for match in cells.finditer(text, *line):
        printed = match.group()
        inner = printed.strip().strip('"')
        start = match.start() + (printed.find(inner) if inner else 0)
        found.append((start, start + len(inner)))
    return found


def _is_header(text: str, cells: list[_Span]) -> bool:
    """Whether a line names columns: short words, none of which is a figure or ends a sentence."""
    return all(
        right - left <= _MOST_CELL and not _FIGURE.match(text, left) and not _PROSE.search(text[left:right])
        for left, right in cells
    ) and all(right > left for left, right in cells[1:])


def _is_row(text: str, cells: list[_Span]) -> bool:
    printed = [text[left:right] for left, right in cells]
    return any(map(_FIGURE.match, printed[1:])) and not any(len(one) > _MOST_CELL for one in printed)


def _cells(text: str, rows: list[list[_Span]], number: int) -> list[Block]:
    titles = [text[left:right] for left, right in rows[0]]
    blocks: list[Block] = []
    for row, spans in enumerate(rows):
        label = text[slice(*spans[0])]
        for column, (left, right) in enumerate(spans):
            above = (titles[column],) if row and titles[column] else ()
            labels = (label,) if row and column and label else ()
            if right > left:
                blocks.append(Block("cell", left, right, (), Cell(number, row, column, above, labels, not row)))
    return blocks
