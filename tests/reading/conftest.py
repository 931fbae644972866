"""What the tests of reading share: the shipped knowledge, built once, and reports made of a few lines."""

from collections.abc import Callable

import pytest

from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.reading.figure import ReportFigure
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.text import Block, Cell, ReportText

MakeReport = Callable[..., ReportText]


@pytest.fixture(scope="session")
def knowledge() -> ReadingKnowledge:
    """All names, terms and weights of the package."""
    content = find_content()
    return ReadingKnowledge.from_content(read_registry(content), read_vocabulary(content))


def prose(*paragraphs: str, headings: tuple[str, ...] = ()) -> ReportText:
    """A report of paragraphs."""
    text, blocks = "", []
    for paragraph in paragraphs:
        blocks.append(Block("paragraph", len(text), len(text) + len(paragraph), headings))
        text += paragraph + "\n\n"
    return ReportText(text, "0" * 64, "0" * 64, "text", tuple(blocks))


def table(header: tuple[str, ...], *rows: tuple[str, ...], headings: tuple[str, ...] = ()) -> ReportText:
    """A report of one table whose first column names its rows."""
    text, blocks = "", []
    for number, row in enumerate((header, *rows)):
        for column, cell in enumerate(row):
            spoken = Cell(
                0,
                number,
                column,
                (header[column],) if number else (),
                (row[0],) if number and column else (),
                not number,
            )
            blocks.append(Block("cell", len(text), len(text) + len(cell), headings, spoken))
            text += cell + "\t"
        text = text[:-1] + "\n"
    return ReportText(text, "0" * 64, "0" * 64, "text", tuple(blocks))


def figure(report: ReportText, printed: str, unit: str | None, relation: str = "absolute") -> ReportFigure:
    """The first figure printed so."""
    start = report.text.index(printed)
    end = start + len(printed)
    block = next(one for one in report.blocks if one.start <= start < one.end)
    return ReportFigure(start, end, printed, None, unit, None, relation, block)
