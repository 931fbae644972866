"""Text that fits the terminal: wrapped paragraphs, labelled rows, tables with cells that wrap at words."""

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from kg.render.cells import blocks, text_of

MOST_LINES = 40
"""Lines of an answer that nobody asked to be long."""
_LABEL = 14
_GAP = 2
_LEAST = 8
_MANY = 30
"""From how many rows on an answer is long."""
_OF_A_RUN = 3
"""How many rows a heading stands over at least, on average."""


def width() -> int:
    """Columns to fill: those of the terminal (or COLUMNS), else 100; 160 at most, so that lines stay readable."""
    return max(40, min(160, terminal_columns() or 100))


def terminal_columns() -> int | None:
    """Columns of the terminal, also where standard output goes through a pipe to a pager; None where there is no terminal."""
    try:
        given = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        given = 0
    if given > 0:
        return given
    for stream in (1, 2, 0):  # a pipe takes the place of one of them only
        try:
            return os.get_terminal_size(stream).columns or None
        except OSError:
            continue
    return None


def wrapped(text: str, indent: str = "", *, first: str | None = None, columns: int | None = None) -> list[str]:
    """Lines of at most the width, or of this many columns, broken between words; figures and ids are never folded."""
    room = columns or width()
    lines = textwrap.wrap(
        # `textwrap` breaks no line at a no-break space: one stands between a figure and its unit
        # meanwhile.
        held(text),
        room,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    if lines and first and first.strip() and len(lines[0]) > room:  # the label stands alone above what is too long
        lines[:1] = [first.rstrip(), indent + lines[0].removeprefix(first)]
    return [_moved(line, room).replace(_HELD, " ") for line in lines] or [first or ""]


_HELD = "\N{NO-BREAK SPACE}"
# Meets the space of "4.8 TB/s", "700 W" and "4 nm", not that of "8 chips": words of more letters
# may begin a line.
_BEFORE_UNIT = re.compile(
    r"(?<=\d) (?=(?:[A-Za-z]+(?:/[A-Za-z]+)+|[kMGTPE]?(?:B|W|Wh|Hz|FLOPS|OPS)|GiB|TiB|nm|mm|ms|s|h)(?![\w/]))"
)


def held(text: str) -> str:
    r"""A text in which a figure and its unit are one word, which no line folds.

    >>> held("4.8 TB/s of 8 chips").split(" ")
    ['4.8\xa0TB/s', 'of', '8', 'chips']
    """
    return _BEFORE_UNIT.sub(_HELD, text)


def folded(text: str, columns: int) -> list[str]:
    """The lines of a cell, broken between words; a figure and its unit are one word."""
    return [line.replace(_HELD, " ") for line in textwrap.wrap(held(text), columns, break_on_hyphens=False)] or [""]


def _moved(line: str, room: int) -> str:
    """A word that does not fit behind the indent stands as far left as it has to.

    >>> _moved("      an/id-of-some-length", 22), _moved("  short", 22)
    ('  an/id-of-some-length', '  short')
    """
    excess, indent = len(line) - room, len(line) - len(line.lstrip())
    return line[min(excess, indent) :] if excess > 0 else line


def row(label: str, text: str, *, wide: int = _LABEL) -> list[str]:
    """A labelled line, indented below its label, for which so much room is left."""
    return wrapped(text, " " * (wide + 2), first=f"  {label.ljust(wide)}" if len(label) < wide else f"  {label} ")


def rows(label: str, texts: Iterable[str], *, wide: int = _LABEL) -> Iterator[str]:
    """A line for each text, the first of them labelled."""
    for number, text in enumerate(texts):
        yield from row("" if number else label, text, wide=wide)


def table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, indent: str = "  ", whole: Sequence[str] = ()
) -> list[str]:
    """An aligned table; where it is too wide the widest columns give way, and where that is not enough each row is a block.

    Columns that are empty throughout are left out; cells of columns that are to stay `whole` are not broken between words.
    """
    cells = [list(map(text_of, one)) for one in rows]
    across = [(name, *column) for name, *column in zip(columns, *cells, strict=True) if any(column)]
    if not across:
        return []
    head, *body = map(list, zip(*across, strict=True))
    most = [_longest_line(column) for column in across]
    least = [wide if column[0] in whole else _longest_word(column) for column, wide in zip(across, most, strict=True)]
    room = width() - len(indent) - _GAP * (len(head) - 1)
    widths = _shrunk(most, least, room)
    # A narrow terminal: a block each rather than figures cut in two.
    if sum(widths) > room:  # figures and ids are never folded
        return list(blocks(head, body, width(), row, indent))
    right = [all(map(_is_figure, column[1:])) for column in across]
    rule = indent + (" " * _GAP).join("─" * one for one in widths)
    below = (line for one in body for line in _row_lines(one, widths, right, indent))
    return [*_row_lines(head, widths, right, indent), rule, *below]


def _longest_line(column: Sequence[str]) -> int:
    return max(len(line) for cell in column for line in cell.split("\n"))


def _longest_word(column: Sequence[str]) -> int:
    return max(len(word) for cell in column for line in cell.split("\n") for word in held(line).split(" "))


def table_over(columns: Sequence[str], rows: Sequence[Sequence[str]], below: str) -> list[str] | None:
    """A table with the column `below` on a line of its own under each row: ids are long, and are not folded.

    What stands first in several rows on end is a heading over them, and with `_MANY` rows the column `below` is left out, for
    an answer is to fit a screen or two. None where what is left does not fit either.
    """
    # A heading needs rows enough below it, else it takes more lines than it saves.
    under = columns.index(below)
    is_grouped = under > 0 and _begin_alike([row[0] for row in rows])
    left = {under, 0} if is_grouped else {under}
    names, *body = ([cell for n, cell in enumerate(one) if n not in left] for one in (columns, *rows))
    room = width() - _GAP * (len(names) - 1)
    across = list(zip(names, *body, strict=True))
    widths = _shrunk(list(map(_longest_line, across)), list(map(_longest_word, across)), room)
    if sum(widths) > room:
        return None
    right = [all(map(_is_figure, column[1:])) for column in across]
    lines = [*_row_lines(names, widths, right, ""), (" " * _GAP).join("─" * one for one in widths)]
    over = None
    for cells, row in zip(body, rows, strict=True):
        if is_grouped and row[0] != over:
            lines += ["", *wrapped(row[0])]
            over = row[0]
        lines += _row_lines(cells, widths, right, "")
        if len(rows) < _MANY:
            lines.append(f"  {row[under]}")
    return lines if len(rows) < _MANY else [*lines, "", f"the {below} of each row: --wide, --columns {below}"]


def _begin_alike(firsts: Sequence[str]) -> bool:
    """Whether many rows begin with what others next to them begin with."""
    runs = 1 + sum(first != after for first, after in pairwise(firsts))
    return len(firsts) >= max(_MANY, runs * _OF_A_RUN)


def _is_figure(text: str) -> bool:
    return not text or text.replace(",", "").replace(".", "").lstrip("-").isdigit()


def _shrunk(widths: Sequence[int], least: Sequence[int], most: int) -> list[int]:
    """Widths within `most` where that can be, the widest giving way first; none goes below its longest word."""
    found = list(widths)
    # One column of a text at a time gives way by one sign, so that no column becomes narrow before
    # the others.
    while sum(found) > most:
        loose = [n for n in range(len(found)) if found[n] > max(least[n], _LEAST)]
        if not loose:
            break
        found[max(loose, key=lambda n: found[n])] -= 1
    return found


def _row_lines(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], indent: str) -> Iterator[str]:
    across = [
        [part for line in cell.split("\n") for part in folded(line, one)]
        for cell, one in zip(cells, widths, strict=True)
    ]
    for n in range(max(map(len, across))):
        parts = [some[n] if n < len(some) else "" for some in across]
        yield (
            indent
            + (" " * _GAP).join(
                part.rjust(one) if is_right else part.ljust(one)
                for part, one, is_right in zip(parts, widths, right, strict=True)
            )
        ).rstrip()


def fenced(lines: Sequence[str], *, markdown: bool) -> str:
    """Lines as one text, in a code block where it goes into Markdown."""
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    # Longer than any run of backticks in it, which would end the block (CommonMark, section 4.5).
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}{fence}\n" if markdown else text
