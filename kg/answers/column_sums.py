"""What the columns of a table compute, computed again: the row that is called a total, and the column "A per B".

Only what a table spells out is judged: every row above has one figure of the same unit in that column. A table with a gap,
a nested total or mixed units is left alone, as nobody can say what its author added.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kg.answers.sentence_figures import summed
from kg.answers.text_arithmetic import Recomputed, TextArithmetic, TextOperand, named
from kg.model.units import UnitTable
from kg.reading.text import Block, ReportText

# matched with the whole name of a row: "Grand total", "All"; not "Total cost of GPUs"
_TOTAL: Final = re.compile(r"(?:grand |overall )?(?:total|sum)s?(?: \([^)]*\))?|(?:in )?all|合计|总计", re.IGNORECASE)
# rows of which a total does not consist: they are in other rows already ("subtotal", "of which")
_PARTIAL: Final = re.compile(
    r"sub-?totals?|of which|thereof|including|average|mean|median|min(?:imum)?|max(?:imum)?", re.IGNORECASE
)
_RATE: Final = re.compile(
    r"\bper\b|\b(?:ratio|efficiency|utili[sz]ation|share|speed-?up|average|avg|mean|median|price|rate)\b", re.IGNORECASE
)
"""Columns of what is not added up: the total of quotients is no sum."""
# meets "TFLOPS per W" and "Tokens/s / GPU)"; not "Cost per 1,000 tokens", whose divisor is no unit
_PER: Final = re.compile(r"(?P<top>.+?)\s*(?:/|\bper\b)\s*(?P<below>[A-Za-z]{1,6})[)\]]?", re.IGNORECASE)
_DEVICE: Final = r"(?:GPU|accelerator|chip|card|TPU|device|processor)"
_PER_DEVICE: Final = re.compile(rf"(?:\bper\s|/\s?){_DEVICE}\b", re.IGNORECASE)
# meets "# of GPUs", "number of accelerators" and "GPU count"; not "GPU", a column of names
_DEVICES: Final = re.compile(
    rf"(?:#\s?(?:of\s)?|(?:number|count)\sof\s|no\.\s)?{_DEVICE}s|{_DEVICE}\scount|#\s?{_DEVICE}s?", re.IGNORECASE
)
"""The header of a column that counts devices."""
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
            checked = summed(arithmetic, parts, result, f"sum of the {len(parts)} rows above")
            if checked is not None:
                found[result.start] = checked
        for result, top, below in _quotients(rows, figures, units):
            shown = f"{named(top)} per {named(below)} of its row"
            checked = arithmetic.judged("a / b", _bare(result), {"a": _bare(top), "b": _bare(below)}, shown=shown)
            if checked is not None:
                found[result.start] = checked
        for result, whole, count in _per_device(rows, figures):
            shown = f"{named(whole)} over {count.printed} devices of its row"
            checked = arithmetic.judged("a / b", result, {"a": whole, "b": _bare(count)}, shown=shown)
            if checked is not None:
                found[result.start] = checked
    return found


def _per_device(
    rows: Rows, figures: Mapping[tuple[int, int], list[TextOperand]]
) -> Iterator[tuple[TextOperand, TextOperand, TextOperand]]:
    """The cells of a column "per GPU" with the one whole of their unit in the row and the count of its devices."""
    for cells in rows.values():
        found = _headed(cells, figures)
        counts = [one for header, one in found if _DEVICES.fullmatch(header.strip(" *"))]
        # with several counts in a row nobody can say which of them divides
        if len(counts) != 1:
            continue
        amounts = _by_unit(found)
        for header, result in found:
            rest = _PER_DEVICE.sub("", header)
            if rest == header or result.unit is None or _RATE.search(rest):
                continue
            whole = _only_other(amounts.get(result.unit, ()), result)
            if whole is not None:
                yield result, whole, counts[0]


def _quotients(
    rows: Rows, figures: Mapping[tuple[int, int], list[TextOperand]], units: UnitTable
) -> Iterator[tuple[TextOperand, TextOperand, TextOperand]]:
    """The cells of a column "A per B" with the cells of A and B in their rows, where one column each can be meant."""
    for cells in rows.values():
        found = _headed(cells, figures)
        amounts = _by_unit(found)
        for header, result in found:
            top, below = (_only_other(amounts.get(unit, ()), result) for unit in _divided_units(header, units))
            if top is not None and below is not None:
                yield result, top, below


def _by_unit(found: Sequence[tuple[str, TextOperand]]) -> dict[str | None, list[TextOperand]]:
    """The amounts of a row that are no quotients, by their unit: a row may have thousands of cells."""
    amounts: dict[str | None, list[TextOperand]] = defaultdict(list)
    for header, one in found:
        if _RATE.search(header) is None:
            amounts[one.unit].append(one)
    return amounts


def _only_other(amounts: Sequence[TextOperand], result: TextOperand) -> TextOperand | None:
    """The one amount that is not the result itself; none where there are several."""
    # three cells tell whether there is one other; a row may have thousands
    others = [one for one in amounts[:3] if one is not result]
    return others[0] if len(others) == 1 else None


def _divided_units(header: str, units: UnitTable) -> tuple[str, str]:
    """The units of A and of B where a column is "A per B" and both are known; else empty words, the unit of no figure."""
    words = _PER.fullmatch(header.strip(" *"))
    if words is None or (below := units.find(words["below"])) is None:
        return "", ""
    return _unit_of(words["top"], units) or "", below.id


def _headed(cells: list[Block], figures: Mapping[tuple[int, int], list[TextOperand]]) -> list[tuple[str, TextOperand]]:
    """The cells of a row that hold one figure, each with the words above it."""
    return [(_header(block), one) for block in cells if (one := _only_figure(block, figures)) is not None]


def _header(block: Block) -> str:
    return " ".join(block.cell.column_headers) if block.cell is not None else ""


def _unit_of(words: str, units: UnitTable) -> str | None:
    """The unit that a header ends with, a rate where it leaves out the second: "FP16 TFLOPS"."""
    word = words.rsplit(maxsplit=1)[-1].strip("()[]")
    unit = units.find(word) or units.find(re.sub(r"(?i)(fl)?ops$", lambda end: f"{end[0][:-1].upper()}/s", word))
    return None if unit is None else unit.id


def _bare(one: TextOperand) -> TextOperand:
    """A figure without its unit, as the quotient of two columns is printed."""
    return replace(one, unit=None, number=one.number and replace(one.number, unit=None))


def _totals(
    text: str, rows: Rows, figures: Mapping[tuple[int, int], list[TextOperand]]
) -> Iterator[tuple[TextOperand, list[TextOperand]]]:
    """Each total with the figures above it; only the last row of a table can be one."""
    order = sorted(rows)
    above, last = order[:-1], order[-1]
    if not _ends_in_a_total([_name(text, rows[row]) for row in order]):
        return
    columns = {row: _by_column(rows[row]) for row in order}
    for column, block in columns[last].items():
        result = _only_figure(block, figures) if _RATE.search(_header(block)) is None else None
        if result is None or result.relation != "absolute":
            continue
        cells = (columns[row].get(column) for row in above)
        found = [one for cell in cells if (one := _only_figure(cell, figures)) is not None]
        if len(found) == len(above) and {one.unit for one in found} == {result.unit}:
            yield result, found


def _by_column(cells: Sequence[Block]) -> dict[int, Block]:
    return {block.cell.column: block for block in cells if block.cell is not None}


def _ends_in_a_total(names: Sequence[str]) -> bool:
    """Whether the last of the names of rows is that of a total, and no other one is: it would be counted twice."""
    *above, last = names
    if not 2 <= len(above) <= _MOST_ROWS or _TOTAL.fullmatch(last) is None:
        return False
    return not any(_TOTAL.fullmatch(name) or _PARTIAL.search(name) for name in above)


def _only_figure(cell: Block | None, figures: Mapping[tuple[int, int], list[TextOperand]]) -> TextOperand | None:
    """The figure of a cell; None where it has none, or several."""
    held = figures.get((cell.start, cell.end), []) if cell is not None else []
    return held[0] if len(held) == 1 else None


def _name(text: str, cells: Sequence[Block]) -> str:
    """What a row is called: its first cell, without the signs of emphasis."""
    first = min(cells, key=lambda one: one.start)
    return text[first.start : first.end].strip(" *_:`")
