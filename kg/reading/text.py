"""The text of a report with the place of everything in it: blocks, cells of tables, pages.

Positions are code points of ``text``, from 0, the end excluded. They mean the same as long as the digest is the same.
"""

from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "paragraph", "list-item", "cell", "caption", "footnote", "code"]
TextFormat = Literal["text", "markdown", "html", "pdf"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points from its upper left corner."""

    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def viewrect(self) -> str:
        """Left, top, width and height, as the fragment of a PDF gives them (RFC 8118, section 3)."""
        edges = (self.left, self.top, self.right - self.left, self.bottom - self.top)
        return ",".join(f"{round(edge, 1):g}" for edge in edges)


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a cell is in its table, and the texts of the header cells that apply to it, outermost first."""

    table: int
    row: int
    column: int
    column_headers: tuple[str, ...] = ()
    row_headers: tuple[str, ...] = ()
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the text that is one thing to a reader: a heading, a paragraph, a list item, a cell of a table."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    cell: Cell | None = None
    box: Box | None = None
    elsewhere: tuple[tuple[int, Box], ...] = ()
    """Where it goes on in another column or on another page: from which position on, and the box there."""

    def box_at(self, position: int) -> Box | None:
        """The box that holds a position of the text."""
        return next((box for start, box in reversed(self.elsewhere) if start <= position), self.box)


Table = tuple[int, int, list[Block]]
"""Start, end, and the cells of it."""

MarkKind = Literal["markup", "link", "code", "hidden"]


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A stretch of the text that is not prose: signs of a format, an address, code, or what no reader sees.

    All but inline ``code`` are left out of what a reader sees (`kg.reading.view`).
    """

    kind: MarkKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReportText:
    """A report as it was read: its text, the blocks of it in order, and the digests of the text and of the file.

    Of a plain text and of Markdown, ``text`` is the file as it stands, decoded: line ends and signs untouched.
    """

    text: str
    sha256: str
    file_sha256: str
    format: TextFormat
    blocks: tuple[Block, ...]
    title: str | None = None
    marks: tuple[MarkedSpan, ...] = ()
    """In order, without overlaps."""
