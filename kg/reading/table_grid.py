"""Where the cells of a table with spans stand, and which header cells speak for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.reading.errors import ReportTooLarge

MOST_SPAN: Final = 1000
"""Rows or columns that one cell may span; more are read as that number."""
_MOST_SPANNED: Final = 1_000_000
"""Places that the spans of one table may cover together; each is walked over, so that more cost minutes."""
_MOST_HEADERS: Final = 6


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell as written: its text, its spans, and whether it is a header cell."""

    text: str
    is_header: bool = False
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a cell stands, and the header cells above it and to its left, outermost first."""

    row: int
    column: int
    column_headers: tuple[str, ...]
    row_headers: tuple[str, ...]
    is_header: bool


def placed_cells(rows: Sequence[Sequence[GridCell]]) -> list[list[Placed]]:
    """The place of every cell, row by row.

    A first row without header cells speaks for the columns where no row has any; the first cell of a row speaks for it
    where the row has none.

    >>> rows = [[GridCell("", True), GridCell("Peak", True, columns=2)], [GridCell("A", True), GridCell("1"), GridCell("2")]]
    >>> placed_cells(rows)[1][2]
    Placed(row=1, column=2, column_headers=('Peak',), row_headers=('A',), is_header=False)
    """
    _refuse_spans(rows)
    tops = _header_rows(rows)
    columns_of = _columns(rows)
    above: dict[int, list[str]] = {}
    left: dict[int, list[str]] = {}
    found: list[list[Placed]] = []
    for row, cells in enumerate(rows):
        placed: list[Placed] = []
        for index, (cell, column) in enumerate(zip(cells, columns_of[row], strict=True)):
            is_header = row < tops or cell.is_header
            headers = tuple(dict.fromkeys(above.get(column, ())))[-_MOST_HEADERS:]
            beside = tuple(left.get(row, ()))[-_MOST_HEADERS:] if row >= tops else ()
            placed.append(Placed(row, column, headers, beside, is_header))
            if row < tops:
                for covered in range(column, column + min(cell.columns, MOST_SPAN)):
                    above.setdefault(covered, []).append(cell.text) if cell.text else None
            elif (cell.is_header or index == 0 == column) and cell.text:
                for covered in range(row, row + min(cell.rows, MOST_SPAN)):
                    left.setdefault(covered, []).append(cell.text)
        found.append(placed)
    return found


def span_of(given: str | None) -> int:
    """How many rows or columns a cell spans by its attribute; 1 where that is missing, 0 or no number.

    >>> span_of("2"), span_of(" 3 "), span_of(None), span_of("0"), span_of("two")
    (2, 3, 1, 1, 1)
    """
    digits = (given or "1").strip()
    # Python refuses to read thousands of digits as a number: six are more than any table has
    return max(1, int(digits[:6])) if digits.isdecimal() else 1


def in_row_group(rows: Sequence[Sequence[GridCell]]) -> list[list[GridCell]]:
    """The rows of one row group (thead, tbody or tfoot): no cell spans more rows than are left in it.

    >>> in_row_group([[GridCell("A", rows=2)]])
    [[GridCell(text='A', is_header=False, rows=1, columns=1)]]
    """
    return [
        [replace(cell, rows=min(cell.rows, len(rows) - row)) if cell.rows > 1 else cell for cell in cells]
        for row, cells in enumerate(rows)
    ]


def _refuse_spans(rows: Sequence[Sequence[GridCell]]) -> None:
    """Raise ReportTooLarge (report.limit) where spans cover more places than any table of a report has."""
    covered = sum(
        min(cell.rows, MOST_SPAN, len(rows) - row) * min(cell.columns, MOST_SPAN)
        for row, cells in enumerate(rows)
        for cell in cells
        if cell.rows > 1 or cell.columns > 1
    )
    if covered > _MOST_SPANNED:
        raise ReportTooLarge(
            given=f"a table whose spans cover {covered} places",
            expected=f"at most {_MOST_SPANNED}",
            next_step="Save the text of the page alone, or take the table out",
        )


def _header_rows(rows: Sequence[Sequence[GridCell]]) -> int:
    """How many rows at the top are header rows: those of header cells only, else the first one."""
    count = 0
    for cells in rows:
        if (
            not cells
            or not all(cell.is_header or not cell.text for cell in cells)
            or not any(cell.is_header for cell in cells)
        ):
            break
        count += 1
    return count or (1 if len(rows) > 1 and _may_be_header(rows[0]) else 0)


def _may_be_header(cells: Sequence[GridCell]) -> bool:
    """Whether a row without header cells reads as one: no cell of it is a bare figure."""
    return len(cells) > 1 and not any(cell.text.strip()[:1].isdigit() for cell in cells[1:])


def _columns(rows: Sequence[Sequence[GridCell]]) -> list[list[int]]:
    """The column of every cell: past what cells of earlier rows hold."""
    held: dict[int, int] = {}
    found: list[list[int]] = []
    for cells in rows:
        column = 0
        taken: dict[int, int] = {}
        places: list[int] = []
        for cell in cells:
            while held.get(column, 0) > 0:
                column += 1
            places.append(column)
            width = min(max(cell.columns, 1), MOST_SPAN)
            if cell.rows > 1:
                taken.update(dict.fromkeys(range(column, column + width), min(cell.rows, MOST_SPAN)))
            column += width
        held = {at: count - 1 for at, count in {**held, **taken}.items() if count > 1}
        found.append(places)
    return found
