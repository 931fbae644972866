"""A figure of a text: where, as printed, what it is worth, and whether it is claimed of anything."""

from dataclasses import dataclass

from kg.model.printed import PrintedNumber
from kg.reading.text import Block


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """One figure of a report.

    ``printed`` is the text between ``start`` and ``end`` (code points), hedge and unit not in it. ``unit`` is an id of
    the unit table, or None where none is printed next to it or in the header of its column. ``reason`` is of the closed
    list of `kg.content.coverage.REASONS` where the figure is no claim, else None. ``scaled_by`` are the words outside of
    its print that scale it ("in thousands"), None where there are none; where they contradict each other there is no number.
    ``currency`` is one that is no unit of the table, as it is printed ("A$"): such a figure has no unit.
    """

    start: int
    end: int
    printed: str
    number: PrintedNumber | None
    unit: str | None
    hedge: str | None
    relation: str
    block: Block
    reason: str | None = None
    scaled_by: str | None = None
    currency: str | None = None

    @property
    def is_claim(self) -> bool:
        """Whether something is claimed with it."""
        return self.reason is None
