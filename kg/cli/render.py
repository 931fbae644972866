"""Rows on standard output: a table that fits the terminal, JSON, JSON Lines, CSV or Markdown."""

import csv
import io
import json
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.cli.colour import coloured, takes_colour
from kg.cli.options import Format
from kg.cli.shown import data_stream, sent
from kg.model.counting import counted
from kg.render.cells import blocks, csv_cell, finite, is_number, markdown_row, text_of, visible
from kg.render.lines import table_over, terminal_columns
from kg.stores.protocol import JsonText

Cell = Any
_GAP = 3
_LONG = 60
"""A word of more characters may break; ids and units are shorter."""


def write_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    form: Format,
    *,
    spare: Sequence[str] = (),
) -> None:
    """Write rows in one of the shared forms; a table that does not fit leaves out `spare` columns, first ones first.

    A `claim` among them is not left out but stands under its row.
    """
    out = sys.stdout
    if form is Format.json:
        write_json([_object(columns, row) for row in rows])
    elif form is Format.jsonl:
        for row in rows:
            out.write(
                json.dumps(finite(_object(columns, row)), ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n"
            )
    elif form is Format.csv:
        writer = csv.writer(data_stream(), lineterminator="\n")
        writer.writerow([csv_cell(column) for column in columns])
        writer.writerows([csv_cell(cell) for cell in row] for row in rows)
    elif form is Format.markdown:
        # An underscore inside a name is no mark, and with a stroke before it the name is harder to read.
        head = markdown_row(columns).replace("\\_", "_")
        out.write(f"{head}\n|{' --- |' * len(columns)}\n")
        for row in rows:
            out.write(f"{markdown_row(map(text_of, row))}\n")
    else:
        write_table(columns, rows, spare=spare)


def _object(columns: Sequence[str], row: Sequence[Cell]) -> dict[str, Any]:
    """A row by its columns; nodes, lists and maps as what they are."""
    return {
        name: json.loads(cell) if isinstance(cell, JsonText) else cell for name, cell in zip(columns, row, strict=True)
    }


def write_table(
    columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, title: str | None = None, spare: Sequence[str] = ()
) -> None:
    """Write a table as `table_lines` gives it."""
    write_shown(table_lines(columns, rows, title=title, spare=spare))


def write_shown(lines: Iterable[str]) -> None:
    """Write lines that are ours throughout: what steers a terminal in them is meant to, and cells are shown already."""
    text = "".join(f"{line}\n" for line in lines)
    sent(sys.stdout).write(coloured(text) if takes_colour(sys.stdout) else text)


def table_lines(
    columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, title: str | None = None, spare: Sequence[str] = ()
) -> list[str]:
    """A table that fits the terminal: long cells wrap between words, columns that are empty throughout are left out.

    Where the words themselves do not fit side by side, spare columns are left out, and where that does not do, each
    row is a block of its own. There is nothing where there is no row; rows that hold nothing are counted.
    """
    cells = [[visible(text_of(cell)) for cell in row] for row in rows]
    given = [n for n in range(len(columns)) if any(row[n] for row in cells)]
    if given:
        return _filled_lines(columns, cells, given, title=title, spare=spare)
    named = f"{', '.join(map(visible, columns))}: " if columns else ""
    return [f"{named}{counted(len(cells), 'row')} without any value"] if cells else []


def _filled_lines(
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    given: Sequence[int],
    *,
    title: str | None,
    spare: Sequence[str],
) -> list[str]:
    """The columns that are given somewhere, in the widest layout that fits."""
    titles = [visible(one).replace("_", " ") for one in columns]
    needed = {n: max(map(_longest_word, (titles[n], *(row[n] for row in cells)))) for n in given}
    kept = _that_fit(columns, needed, table_width(), [name for name in spare if name != "claim"])
    least, body = [needed[n] for n in kept], [[row[n] for n in kept] for row in cells]
    names = [titles[n] for n in kept]
    if sum(least) + _GAP * (len(kept) - 1) <= table_width():
        return _aligned_lines(names, body, least, title)
    if over := _claims_below([columns[n] for n in kept], body, spare):
        return [one.rstrip() for one in over]
    return _block_lines(names, body)


def _block_lines(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Each row as a block of its own, a line a column."""
    width, label = table_width(), max(map(len, names)) + 2

    def line(name: str, cell: str) -> list[str]:
        return textwrap.wrap(
            cell,
            width,
            initial_indent=name.ljust(label),
            subsequent_indent=" " * label,
            break_on_hyphens=False,
            break_long_words=False,
        )

    return list(blocks(names, body, width, line))


def _aligned_lines(
    names: Sequence[str], body: Sequence[Sequence[str]], least: Sequence[int], title: str | None
) -> list[str]:
    """Columns side by side, figures to the right; `least` is what their longest words need."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # As `Text`: a plain string is read for marks, and `values[i]` would be `values` in italics.
    table = Table(box=SIMPLE_HEAD, title=title and Text(title), title_justify="left", pad_edge=False, show_edge=False)
    across = list(zip(names, *body, strict=True))
    most = [max(len(line) for cell in column for line in cell.split("\n")) for column in across]
    widths = _shared(least, most, table_width() - _GAP * (len(names) - 1))
    for (name, *cells), wide in zip(across, widths, strict=True):
        numeric = all(is_number(cell.replace(",", "")) or not cell for cell in cells)
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold", width=wide)
    for row in body:
        table.add_row(*map(Text, row))
    made = io.StringIO()  # written by ourselves: a Rich console answers a closed pipe with exit code 1
    screen = Console(
        file=made, width=table_width(), highlight=False, soft_wrap=False, force_terminal=sys.stdout.isatty()
    )
    screen.print(table)
    return [line.rstrip() for line in made.getvalue().splitlines()]


def _claims_below(columns: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str]) -> list[str] | None:
    """A table with each claim under its row, without as few of the spare columns as need be; None where it fits in no way."""
    if "claim" not in spare or "claim" not in columns:
        return None
    for gone in range(len(spare)):
        kept = [n for n, name in enumerate(columns) if name not in spare[:gone]]
        heads = [visible(columns[n]).replace("_", " ") for n in kept]
        if over := table_over(heads, [[row[n] for n in kept] for row in rows], "claim"):
            return over
    return None


def _that_fit(columns: Sequence[str], needed: Mapping[int, int], width: int, spare: Sequence[str]) -> list[int]:
    """The columns that fit side by side once spare ones are left out, first ones first; all where none of that helps."""
    kept = dict(needed)
    for name in (None, *spare):
        kept = {n: least for n, least in kept.items() if columns[n] != name}
        if sum(kept.values()) + _GAP * (len(kept) - 1) <= width:
            return list(kept)
    return list(needed)


def table_width() -> int:
    """Columns of the terminal (or COLUMNS); 160 where neither says."""
    return max(40, terminal_columns() or 160)


def _shared(least: Sequence[int], most: Sequence[int], width: int) -> list[int]:
    """Column widths within `width`: none below its longest word, and the widest give way first.

    >>> _shared([5, 5, 5], [5, 60, 20], 50), _shared([5, 30, 5], [5, 60, 20], 50)
    ([5, 25, 20], [5, 30, 15])
    """
    cap = max(most)
    while cap > 1 and sum(max(a, min(b, cap)) for a, b in zip(least, most, strict=True)) > width:
        cap -= 1
    return [max(a, min(b, cap)) for a, b in zip(least, most, strict=True)]


def _longest_word(text: str) -> int:
    return min(_LONG, max((len(word) for word in text.split()), default=1))


def write_json(value: Any) -> None:
    """One JSON value, sorted."""
    json.dump(finite(value), sys.stdout, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    sys.stdout.write("\n")
