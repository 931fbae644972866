"""The unit of a cell that prints none: from the corner of its table, or from what stands above it where the column agrees."""

import re
from dataclasses import replace
from typing import Final

from kg.model.units import Unit, UnitTable
from kg.reading.figure import ReportFigure
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.passage import Passage

_WORD: Final = re.compile(r"[^\s()\[\],;:*|\\]+")
_LEAST: Final = 2
"""Letters of a unit that is looked for in a heading: single letters mean too many things there."""


_WHOLE_NUMBERS: Final = re.compile(r"\bu?int(?:4|8|16|32)\b", re.IGNORECASE)
_FLOATING: Final = {"FLOP/s": "OP/s", "TFLOP/s": "TOP/s"}
"""Rates of floating operations, and the same of any operations: those on whole numbers do not float."""


def with_table_unit(passage: Passage, knowledge: ReadingKnowledge) -> tuple[Passage, str | None]:
    """The passage with the unit that its table gives, and where that was read; the same where there is nothing to add."""
    passage, read_from = _with_printed_unit(passage, knowledge)
    figure, cell = passage.figure, passage.figure.block.cell
    if cell is not None and figure.unit in _FLOATING:
        named = [header for header in (*cell.column_headers[-1:], *cell.row_headers) if _WHOLE_NUMBERS.search(header)]
        # a header "INT8 / FP8" means both
        if named and not re.search(r"\b(?:fp|bf|tf)\d", " ".join(named), re.IGNORECASE):
            return replace(passage, figure=replace(figure, unit=_FLOATING[figure.unit])), "whole numbers in the header"
    return passage, read_from


def _with_printed_unit(passage: Passage, knowledge: ReadingKnowledge) -> tuple[Passage, str | None]:
    figure = passage.figure
    if (
        figure.block.cell is None
        or figure.currency is not None
        or (figure.unit is not None and not figure.unit.startswith("count"))
    ):
        return passage, None
    units = knowledge.vocabulary.units
    if (unit := _named(_corner(passage), units)) is not None:
        return _with(passage, figure, unit), "the corner of the table"
    terms = {metric for near in passage.terms if near.zone == "column" for metric in near.mention.ids}
    kinds = {kind for metric in terms for kind in knowledge.vocabulary.metrics[metric].kinds}
    unit = _named(passage.above, units)
    if figure.unit is None and unit is not None and unit.kind in kinds:
        return _with(passage, figure, unit), "above the table"
    return passage, None


def _corner(passage: Passage) -> str:
    """The header of the first column, which may say the unit of the others; nothing for a figure of that column."""
    cell = passage.figure.block.cell
    first = min(passage.row, key=lambda one: one.start, default=None)
    return "" if first is None or cell is None or not cell.column else first.header


def _with(passage: Passage, figure: ReportFigure, unit: Unit) -> Passage:
    return replace(passage, figure=replace(figure, unit=unit.id))


def _named(text: str, units: UnitTable) -> Unit | None:
    """The only unit that a text names; None where it names none or several."""
    found = {
        unit.id: unit
        for word in _WORD.findall(text)
        if len(word) >= _LEAST and (unit := units.find(word)) is not None and unit.kind not in ("count", "ratio")
    }
    return next(iter(found.values())) if len(found) == 1 else None
