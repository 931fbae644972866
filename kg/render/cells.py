"""One cell or a few as text: for people, for CSV, for JSON. Nothing that steers a terminal gets through."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Final

from kg.export.spreadsheet_cells import neutral

Cell = Any
# Control characters other than tab and line feed, and the marks that turn the direction of writing:
# those with the property Bidi_Control of Unicode.
STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""A text in which every character that steers a terminal is written as JSON and Python escape it.

    >>> print(visible("\x1b[31mred\x9b2J\u202e"), visible("two\nlines\tof cells"))
    \u001b[31mred\u009b2J\u202e two
    lines	of cells
    """
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def text_of(cell: Cell) -> str:
    """A cell for people: whole numbers without a point, nothing for nothing.

    >>> text_of(72.0), text_of(4023.7777777777778), text_of(None), text_of(True), text_of(["a", "b"])
    ('72', '4023.78', '', 'yes', 'a, b')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e16 else f"{cell:.6g}"
    if isinstance(cell, list | tuple):
        return ", ".join(text_of(one) for one in cell)
    if isinstance(cell, Mapping):
        return json.dumps(cell, ensure_ascii=False, sort_keys=True)
    return str(cell)


def exact_text(cell: Cell) -> str:
    """A cell for programs: as `text_of`, with every digit of a number.

    >>> exact_text(4023.7777777777778), exact_text(72.0), exact_text([1234567.891, 2.0])
    ('4023.777777777778', '72', '1234567.891, 2')
    """
    if isinstance(cell, float):
        return repr(int(cell)) if cell.is_integer() and abs(cell) < 1e16 else repr(cell)
    if isinstance(cell, list | tuple):
        return ", ".join(map(exact_text, cell))
    return text_of(cell)


def csv_cell(cell: Cell) -> str:
    r"""A cell for CSV whose rows end with a line feed: with every digit, and with no sign that starts a formula.

    >>> csv_cell("=1+1"), csv_cell(-3), csv_cell("a\r\nb")
    ("'=1+1", '-3', 'a\nb')
    """
    # a carriage return would end the row: csv quotes line feeds only
    return neutral(exact_text(cell).replace("\r\n", "\n").replace("\r", "\n"))


# Every sign that begins something in Markdown; `$` starts formulas where they are read.
_MARKUP: Final = str.maketrans({one: f"\\{one}" for one in "\\`*_[]<>|#~$"})


def markdown_text(text: str) -> str:
    r"""A text that Markdown shows as it is, on one line: what a label or a document says is no markup of ours.

    >>> markdown_text("<b> a_b | [x](y)")
    '\\<b\\> a\\_b \\| \\[x\\](y)'
    """
    return " ".join(text.split()).translate(_MARKUP)


def markdown_row(cells: Iterable[str]) -> str:
    r"""A row of a Markdown table.

    >>> markdown_row(("a", "b | c"))
    '| a | b \\| c |'
    """
    return f"| {' | '.join(map(markdown_text, cells))} |"


def is_number(text: str) -> bool:
    """Whether a text is a number and nothing else."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def blocks(
    names: Sequence[str],
    rows: Iterable[Sequence[str]],
    width: int,
    line: Callable[[str, str], Iterable[str]],
    indent: str = "",
) -> Iterator[str]:
    """Each row as lines of name and value, made by `line`; cells that are empty are left out."""
    for number, row in enumerate(rows, 1):
        yield f"{indent}── {number} ".ljust(min(width, 60), "─")
        for name, cell in zip(names, row, strict=True):
            if cell:
                yield from line(name, " ".join(cell.splitlines()))


def finite(value: object) -> Any:
    """A value without the numbers that JSON has no form for; they become their names.

    >>> finite({"x": [1.5, float("inf")]})
    {'x': [1.5, 'inf']}
    """
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return value
