"""Totals of table columns, added up again: the row that is called a total, against the cells above it.

Only what a table spells out is judged: every row above has one figure of the same unit in that column. A table with a gap,
a nested total or mixed units is left alone, as nobody can say what its author added.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kg.answers.text_arithmetic import Recomputed, TextArithmetic, TextOperand
from kg.model.units import UnitTable
from kg.reading.text import Block, ReportText

_TOTAL: Final = re.compile(r"(?:grand |overall )?(?:total|sum)s?(?: \([^)]*\))?|(?:in )?all|合计|总计", re.IGNORECASE)
_PARTIAL: Final = re.compile(
    r"sub-?totals?|of which|thereof|including|average|mean|median|min(?:imum)?|max(?:imum)?", re.IGNORECASE
)
_MOST_ROWS: Final = 60
"""Rows that a total is compared with: the roundings of more cells add up to as much as an error."""

Rows = Mapping[int, list[Block]]


def column_sums(report: ReportText, operands: Sequence[TextOperand], units: UnitTable) -> dict[int, Recomputed]:
    """The totals that tables show, by the start of the total."""
    tables: dict[int, dict[int, list[Block]]] = defaultdict(lambda: defaultdict(list))
    for block in report.blocks:
        if block.cell is not None and not block.cell.is_header:
            tables[block.cell.table][block.cell.row].append(block)
    figures: dict[tuple[int, int], list[TextOperand]] = defaultdict(list)
    for one in operands:
        figures[one.block].append(one)
    arithmetic = TextArithmetic(report.text, units)
    found: dict[int, Recomputed] = {}
    for rows in tables.values():
        for result, parts in _totals(report.text, rows, figures):
            inputs = {f"r{number}": part for number, part in enumerate(parts)}
            shown = f"sum of the {len(parts)} rows above"
            checked = arithmetic.judged(" + ".join(inputs), result, inputs, shown=shown)
            if checked is not None:
                found[result.start] = checked
    return found


def _totals(
    text: str, rows: Rows, figures: Mapping[tuple[int, int], list[TextOperand]]
) -> Iterator[tuple[TextOperand, list[TextOperand]]]:
    """Each total with the figures above it; only the last row of a table can be one."""
    order = sorted(rows)
    above, last = order[:-1], order[-1]
    names = {row: _name(text, rows[row]) for row in order}
    if not 2 <= len(above) <= _MOST_ROWS or _TOTAL.fullmatch(names[last]) is None:
        return
    # a total among the rows would be counted twice
    if any(_TOTAL.fullmatch(names[row]) or _PARTIAL.search(names[row]) for row in above):
        return
    columns = {row: {block.cell.column: block for block in rows[row] if block.cell} for row in order}
    for column, block in columns[last].items():
        result = _only_figure(block, figures)
        addends = [_only_figure(columns[row].get(column), figures) for row in above]
        found = [one for one in addends if one is not None]
        if result is None or len(found) != len(above) or result.relation != "absolute":
            continue
        if {one.unit for one in found} == {result.unit}:
            yield result, found


def _only_figure(cell: Block | None, figures: Mapping[tuple[int, int], list[TextOperand]]) -> TextOperand | None:
    """The figure of a cell; None where it has none, or several."""
    held = figures.get((cell.start, cell.end), []) if cell is not None else []
    return held[0] if len(held) == 1 else None


def _name(text: str, cells: Sequence[Block]) -> str:
    """What a row is called: its first cell, without the signs of emphasis."""
    first = min(cells, key=lambda one: one.start)
    return text[first.start : first.end].strip(" *_:`")
