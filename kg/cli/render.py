"""Rows on standard output: a table that fits the terminal, JSON, JSON Lines, CSV or Markdown."""

import csv
import io
import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from kg.cli.options import Format

Cell = Any


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


def neutral(text: str) -> str:
    """A CSV cell that no spreadsheet takes for a formula.

    >>> neutral("=1+1"), neutral("-3"), neutral("a=b")
    ("'=1+1", '-3', 'a=b')
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # a carriage return would end the row: csv quotes line feeds only
    if text[:1] in ("=", "+", "@", "\t", "\n") or (text[:1] == "-" and not _is_number(text)):
        return "'" + text
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[Cell]], form: Format, *, title: str | None = None) -> None:
    """Write rows in one of the shared forms."""
    out = sys.stdout
    if form is Format.json:
        write_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif form is Format.jsonl:
        for row in rows:
            out.write(json.dumps(finite(dict(zip(columns, row, strict=True))), ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n")
    elif form is Format.csv:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([neutral(column) for column in columns])
        writer.writerows([neutral(_plain(cell)) for cell in row] for row in rows)
    elif form is Format.markdown:
        out.write("| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns) + "\n")
        for row in rows:
            out.write("| " + " | ".join(" ".join(text_of(cell).splitlines()).replace("|", "\\|") for cell in row) + " |\n")
    else:
        write_table(columns, rows, title=title)


def _plain(cell: Cell) -> str:
    if isinstance(cell, float):
        return repr(int(cell)) if cell.is_integer() and abs(cell) < 1e16 else repr(cell)
    return text_of(cell)


def write_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, title: str | None = None) -> None:
    """A table that fits the terminal: long cells wrap, columns that are empty throughout are left out."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [[text_of(cell) for cell in row] for row in rows]
    kept = [n for n in range(len(columns)) if not cells or any(row[n] for row in cells)]
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False, show_edge=False)
    for n in kept:
        numeric = bool(cells) and all(_is_number(row[n].replace(",", "")) or not row[n] for row in cells)
        table.add_column(columns[n].replace("_", " "), justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*(Text(row[n]) for n in kept))
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((120, 24)).columns if terminal else 160
    made = io.StringIO()  # written by ourselves: a Rich console answers a closed pipe with exit code 1
    Console(file=made, width=width, highlight=False, soft_wrap=False, force_terminal=terminal).print(table)
    sys.stdout.write(made.getvalue())


def finite(value: Any) -> Any:
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


def write_json(value: Any) -> None:
    """One JSON value, sorted."""
    json.dump(finite(value), sys.stdout, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    sys.stdout.write("\n")
