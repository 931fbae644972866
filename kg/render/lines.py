"""Text that fits the terminal: wrapped paragraphs, labelled rows, tables with cells that wrap at words."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence

from kg.render.cells import blocks, text_of

_LABEL = 14
_GAP = 2
_LEAST = 8


def width() -> int:
    """Columns to fill: those of the terminal (or COLUMNS), else 100; 160 at most, so that lines stay readable."""
    return max(40, min(160, shutil.get_terminal_size((100, 24)).columns))


def wrapped(text: str, indent: str = "", *, first: str | None = None, columns: int | None = None) -> list[str]:
    """Lines of at most the width, or of so many columns; ids break only where they are longer than a line."""
    return textwrap.wrap(
        text,
        columns or width(),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    ) or [first or ""]


def row(label: str, text: str) -> list[str]:
    """A labelled line, indented below its label."""
    return wrapped(text, " " * (_LABEL + 2), first=f"  {label.ljust(_LABEL)}" if len(label) < _LABEL else f"  {label} ")


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, indent: str = "  ") -> list[str]:
    """An aligned table; where it is too wide the widest columns give way, and where that is not enough each row is a block.

    Columns that are empty throughout are left out.
    """
    cells = [[text_of(cell) for cell in one] for one in rows]
    kept = [n for n in range(len(columns)) if any(one[n] for one in cells)]
    if not kept:
        return []
    shown = [[columns[n] for n in kept], *([one[n] for n in kept] for one in cells)]
    room = width() - len(indent) - _GAP * (len(kept) - 1)
    widths = _shrunk([max(len(line) for one in shown for line in one[n].split("\n")) for n in range(len(kept))], room)
    if sum(widths) > room:
        return list(blocks(shown[0], shown[1:], width(), row, indent))
    right = [all(_is_figure(one[n]) for one in shown[1:]) for n in range(len(kept))]
    lines = [line for one in shown[:1] for line in _row_lines(one, widths, right, indent)]
    lines.append(indent + (" " * _GAP).join("─" * one for one in widths))
    for one in shown[1:]:
        lines.extend(_row_lines(one, widths, right, indent))
    return lines


def _is_figure(text: str) -> bool:
    return not text or text.replace(",", "").replace(".", "").lstrip("-").isdigit()


def _shrunk(widths: list[int], most: int) -> list[int]:
    found = list(widths)
    while sum(found) > most and max(found) > _LEAST:
        found[found.index(max(found))] -= 1
    return found


def _row_lines(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], indent: str) -> Iterator[str]:
    folded = [
        [part for line in cell.split("\n") for part in (textwrap.wrap(line, one, break_on_hyphens=False) or [""])]
        for cell, one in zip(cells, widths, strict=True)
    ]
    for n in range(max(map(len, folded))):
        parts = [some[n] if n < len(some) else "" for some in folded]
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
    return f"```text\n{text}```\n" if markdown else text
