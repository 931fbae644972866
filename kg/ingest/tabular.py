"""Reads separated text: plain tables with a header line, and results pages with several."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from kg.ingest import limits
from kg.ingest.decode import Watch, opened_bytes, text_chunks, text_lines
from kg.ingest.errors import SHORT, FileDamaged, LimitExceeded, RowFault, WrongColumns
from kg.ingest.mapping_reader import CrosstabReader, CsvReader
from kg.ingest.table import Row, SourceTable

_GUESSED = ("\t", ",", ";")


def checked_columns(path: Path, names: Sequence[object], *, line: int, repeated: str) -> tuple[str, ...]:
    """The names of a header: stripped, not too many, none twice (or counted on)."""
    if len(names) > limits.COLUMNS:
        raise LimitExceeded(
            path=str(path), line=line, given=f"{len(names)} columns", expected=f"at most {limits.COLUMNS}"
        )
    found: list[str] = []
    times: dict[str, int] = {}
    taken: set[str] = set()
    for position, given in enumerate(names, 1):
        name = " ".join(str(given if given is not None else "").split()) or f"column {position}"
        number = times[name] = times.get(name, 0) + 1
        made = name if number == 1 else f"{name} #{number}"
        while made in taken:  # a name may be printed with a number already
            number += 1
            made = f"{name} #{number}"
        taken.add(made)
        found.append(made)
    twice = [name for name, count in times.items() if count > 1]
    if twice and repeated == "refuse":
        raise WrongColumns(
            path=str(path),
            line=line,
            field=twice[0][:80],
            given=f"the column {times[twice[0]]} times",
            expected="each column once",
            next_step="rename one of them, or say repeated_columns: number in the mapping",
        )
    return tuple(found)


def separator_of(line: str, wanted: str) -> str:
    r"""The separator that a header line uses most.

    >>> separator_of("a\tb,c\td", "auto"), separator_of("a;b", "auto"), separator_of("a", "auto")
    ('\t', ';', ',')
    """
    if wanted != "auto":
        return wanted
    counts = {one: line.count(one) for one in _GUESSED}
    # of equals the first: a tab, which is in no name, before a comma
    best = max(_GUESSED, key=lambda one: counts[one])
    return best if counts[best] else ","


def _records(
    path: Path, lines: Iterator[str], separator: str, *, before: int
) -> Iterator[tuple[int, list[str] | RowFault]]:
    """Line number and cells of every record; an open quote at the end means the file was cut."""
    # one setting for all readers of the csv module, so it is set where reading begins
    csv.field_size_limit(limits.CELL)
    # strict: a quote out of place is an error of its row, and no guess of the module
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        start = before + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as cause:
            text = str(cause)
            if "unexpected end" in text:
                raise FileDamaged(
                    path=str(path), line=start, given="a quoted cell that never ends", expected="a whole file"
                ) from cause
            if "field larger" in text:
                raise LimitExceeded(
                    path=str(path),
                    line=start,
                    given=f"a cell of more than {limits.CELL} characters",
                    expected="shorter cells; a quote that is not closed makes the rest of the file one cell",
                ) from cause
            if "new-line character" in text:  # of an old Mac, or torn out of a cell that lost its quotes
                yield start, RowFault(SHORT, None, "a carriage return inside a line", "lines that end with a line feed")
                continue
            yield start, RowFault(SHORT, None, text, "cells in quotes, quotes inside doubled")
            continue
        yield start, cells


def _first(path: Path, lines: Iterator[str], count: int) -> list[str]:
    taken = []
    for line in lines:
        taken.append(line)
        if len(taken) == count:
            return taken
    raise FileDamaged(
        path=str(path), line=len(taken) + 1, given="the end of the file", expected=f"{count} header line(s)"
    )


@contextmanager
def open_csv(path: Path, spec: CsvReader, watch: Watch | None = None) -> Iterator[SourceTable]:
    """A table with one header line."""
    with opened_bytes(path, watch) as stream:
        lines = text_lines(path, text_chunks(path, stream, spec.encoding))
        if spec.header_line > 1:
            _first(path, lines, spec.header_line - 1)
        head = _first(path, lines, 1)[0]
        separator = separator_of(head, spec.delimiter)
        records = _records(path, chain([head], lines), separator, before=spec.header_line - 1)
        line, names = next(records)
        if isinstance(names, RowFault):
            raise FileDamaged(path=str(path), line=line, given=names.given, expected=f"a header line: {names.expected}")
        columns = checked_columns(path, names, line=line, repeated=spec.repeated_columns)

        def rows() -> Iterator[Row]:
            width, fill, cut = len(columns), spec.short_rows == "fill", spec.long_rows == "cut"
            for number, cells in records:
                if isinstance(cells, RowFault):
                    yield Row(number, (), number, cells)
                elif len(cells) == width:
                    yield Row(number, cells, number)
                elif not any(cells):
                    continue
                elif len(cells) < width and fill:
                    yield Row(number, [*cells, *[""] * (width - len(cells))], number)
                elif len(cells) > width and (cut or not any(cells[width:])):
                    yield Row(number, cells[:width], number)
                else:
                    kept = dict(zip(columns, cells, strict=False))
                    yield Row(
                        number,
                        kept,
                        number,
                        RowFault(SHORT, None, f"{len(cells)} cells", f"{width}, one for each column"),
                    )

        yield SourceTable(columns, rows(), lambda locus, column: {"row": locus, "column": column[:200]})


@contextmanager
def open_crosstab(path: Path, spec: CrosstabReader, watch: Watch | None = None) -> Iterator[SourceTable]:
    """A results page as rows: one for each system and result column with a figure."""
    with opened_bytes(path, watch) as stream:
        lines = text_lines(path, text_chunks(path, stream, spec.encoding))
        head = _first(path, lines, spec.header_line)
        separator = separator_of(head[-1], spec.delimiter)
        records = _records(path, chain(head, lines), separator, before=0)
        header = [_header_cells(path, spec, *record) for record in islice(records, spec.header_line)]
        names = header[-1]
        start = _label_column(path, spec, header)
        columns = checked_columns(path, names[:start], line=spec.header_line, repeated="number")
        spans = {name: _spread(header[line - 1], start, len(names)) for name, line in spec.spans.items()}
        titles = [
            " ".join(spans[name][at] for name in spec.spans)[:180] or f"column {at + 1}"
            for at in range(len(names) - start)
        ]
        units = [cell.strip() for cell in names[start:]]
        yield SourceTable(
            None,
            _Crosstab(spec, columns, start, len(names), spans, titles, units).rows(records),
            lambda locus, column: {"row": locus[0], "column": locus[1] if column in locus[2] else column[:200]},
        )


def _header_cells(path: Path, spec: CrosstabReader, line: int, cells: list[str] | RowFault) -> list[str]:
    """The cells of one line of the head."""
    if isinstance(cells, RowFault):
        raise FileDamaged(path=str(path), line=line, given=cells.given, expected=f"a header line: {cells.expected}")
    if any("\n" in cell for cell in cells):  # the head would end lines too late, in the first system
        raise FileDamaged(
            path=str(path),
            line=line,
            given="a cell of the head that goes on over lines",
            expected=f"{spec.header_line} header lines",
        )
    return cells


def _label_column(path: Path, spec: CrosstabReader, header: list[list[str]]) -> int:
    """The first column with results: the one where the first span begins."""
    line = header[min(spec.spans.values()) - 1]
    start = next((at for at, cell in enumerate(line) if cell.strip()), None)
    # beyond the names of the columns nothing can be a result
    if start is None or not 0 < start < len(header[-1]):
        raise FileDamaged(
            path=str(path),
            line=min(spec.spans.values()),
            given="no name over the results",
            expected=f"the names of {', '.join(spec.spans)}, with the columns of the systems before them",
        )
    return start


def _spread(cells: list[str], start: int, width: int) -> list[str]:
    """A name printed once over its columns, at each of them."""
    spread, last = [], ""
    for at in range(start, width):
        last = (cells[at].strip() if at < len(cells) else "") or last
        spread.append(last)
    return spread


@dataclass(frozen=True, slots=True)
class _Crosstab:
    """The head of a table whose columns are results: what is printed above each of them."""

    spec: CrosstabReader
    columns: tuple[str, ...]
    """The columns that say which system a block of lines is of."""
    start: int
    width: int
    spans: dict[str, list[str]]
    """What is printed once over several columns, at each of them."""
    titles: list[str]
    units: list[str]

    def rows(self, records: Iterator[tuple[int, list[str] | RowFault]]) -> Iterator[Row]:
        """One row a result: the lines of a system are read together, since each gives one part of it."""
        labels = {" ".join(label.split()): name for label, name in self.spec.lines.items()}
        system: dict[str, Any] = {}
        block: dict[str, tuple[int, list[str]]] = {}
        for line, cells in records:
            if isinstance(cells, RowFault) or len(cells) != self.width:
                given = cells.given if isinstance(cells, RowFault) else f"{len(cells)} cells"
                yield _faulty(line, None, given, f"{self.width} cells")
                continue
            label = cells[self.start - 1]
            name = labels.get(" ".join(label.split()))
            own = [cell.strip() for cell in cells[: self.start - 1]]
            if any(own):
                yield from self._results(system, block)
                system, block = dict(zip(self.columns, own, strict=False)), {}
            if name is None:
                yield _faulty(line, None, label, f"one of {', '.join(self.spec.lines)}")
            elif name in block:
                yield _faulty(line, None, f"{label} twice", "each label once a system")
            else:
                block[name] = (line, cells[self.start :])
        yield from self._results(system, block)

    def _results(self, system: dict[str, object], block: dict[str, tuple[int, list[str]]]) -> Iterator[Row]:
        """The results of one system."""
        if self.spec.value not in block:
            if block or system:
                first = min((line for line, _ in block.values()), default=0)
                fault = RowFault(SHORT, self.spec.value, "no such line", "one line of each label")
                yield Row(first, dict(system), (first, "", ()), fault)
            return
        value_line, values = block[self.spec.value]
        for at, value in enumerate(values):
            if not value.strip():
                continue
            cells = {**system, **{name: names[at] for name, names in self.spans.items()}}
            cells[self.spec.unit_column] = self.units[at]
            for name, (_, given) in block.items():
                cells[name] = given[at]
            place = (value_line, self.titles[at], tuple(block))
            yield Row(f"{value_line}.{self.start + at + 1}", cells, place)


def _faulty(line: int, field: str | None, given: str, expected: str) -> Row:
    return Row(line, {}, (line, "", ()), RowFault(SHORT, field, given, expected))
