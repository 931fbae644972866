"""HTML inside a Markdown text to blocks and marks: cells, paragraphs and list items where they stand, tags as marks."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from typing import Final

from kg.reading.hidden import is_hidden, is_taken_out
from kg.reading.table_grid import GridCell, in_row_group, placed_cells, span_of
from kg.reading.text import Block, BlockKind, Cell, MarkedSpan, MarkKind

_BLOCKS: Final[dict[str, BlockKind]] = {
    **dict.fromkeys(("p", "div", "summary", "details", "blockquote", "dd", "dt", "center", "section"), "paragraph"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    "li": "list-item",
    "td": "cell",
    "th": "cell",
    "caption": "caption",
    "figcaption": "caption",
    "pre": "code",
}
_ROW_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})
_EMPTY: Final = frozenset(
    {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
"""Elements without an end tag: what is hidden of them is no part of the text."""
_ENDED_BY: Final = {
    **dict.fromkeys(("td", "th"), frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "table"})),
    "tr": frozenset({"tr", "tbody", "thead", "tfoot", "table"}),
    "p": frozenset(_BLOCKS),
    "li": frozenset({"li", "ul", "ol"}),
}
"""Elements whose end tag may be left out, and the tags that end them then."""
_UNSEEN: Final = frozenset({"script", "style", "template", "noscript"})


def markup_blocks(text: str, start: int, end: int, *, first_table: int) -> tuple[list[Block], list[MarkedSpan]]:
    """The blocks and marks of the HTML between two positions; tables are numbered from `first_table`."""
    reading = _MarkupReading(text, start, end)
    return reading.read(first_table), reading.marks


_MAY_HIDE: Final = re.compile(r"hidden|display", re.IGNORECASE)


def hidden_to(text: str, tag: re.Match[str], end: int) -> int | None:
    """Where the element that a start tag begins has ended, if it is not seen; None where it is seen, or has no content.

    An element that is not closed before `end` goes on to there.
    """
    if not _MAY_HIDE.search(tag.group()):
        return None
    named = _TagAlone()
    named.feed(tag.group())
    if named.tag is None or named.tag in _EMPTY or not is_hidden(named.attributes):
        return None
    depth = 1
    same = re.compile(rf"<(/?){re.escape(named.tag)}(?![\w-])[^<>]*>", re.IGNORECASE)
    for other in same.finditer(text, tag.end(), end):
        depth += -1 if other[1] else 1
        if not depth:
            return other.end()
    return end


class _TagAlone(HTMLParser):
    """Reads one start tag."""

    tag: str | None = None
    attributes: Mapping[str, str | None]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag, self.attributes = tag, dict(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<b/>` has no content that could be hidden."""


@dataclass(slots=True)
class _Part:
    """A stretch of text that is one block."""

    kind: BlockKind
    start: int
    end: int
    attributes: dict[str, str | None] = field(default_factory=dict)
    is_header: bool = False


@dataclass(slots=True)
class _HiddenElement:
    """An element that is open and not seen, where its content begins, and how many of its name are open in it."""

    tag: str
    start: int
    depth: int = 1


def _without_open_ends(printed: str) -> str:
    """The same without the signs that begin a comment or a tag which nothing ends: the parser looks for the end of each.

    >>> _without_open_ends("<!-- a --> <!-- b <!-- <i>c</i> <b <b")
    '<!-- a -->      b      <i>c</i>  b  b'
    """
    comments, tags = printed.rfind("-->"), printed.rfind(">")
    at = comments + len("-->") if comments >= 0 else 0
    between = printed[at : tags + 1].replace("<!--", " " * 4)
    return printed[:at] + between + printed[max(at, tags + 1) :].replace("<", " ")


class _MarkupReading(HTMLParser):
    """Follows tags; nothing is held but the block that is open."""

    def __init__(self, text: str, start: int, end: int) -> None:
        # positions are those of the file: references such as &amp; must stay as they are
        super().__init__(convert_charrefs=False)
        self._text, self._start, self._end = text, start, end
        self._lines = [start]
        at = text.find("\n", start, end)
        while at >= 0:
            self._lines.append(at + 1)
            at = text.find("\n", at + 1, end)
        self.marks: list[MarkedSpan] = []
        self._parts: list[_Part] = []
        self._rows: list[list[list[_Part]]] = []
        self._groups: list[list[int]] = []
        """Of every table the rows at which a row group begins or ends."""
        self._open: list[int] = []
        self._kind: BlockKind = "paragraph"
        self._cell: _Part | None = None
        self._unseen = False
        self._hidden: _HiddenElement | None = None
        self._starts: list[int] = []
        self._begun = start

    def read(self, first_table: int) -> list[Block]:
        self.feed(_without_open_ends(self._text[self._start : self._end]))
        self.close()
        self._end_hidden(self._end)
        self._cut(self._end, self._end)
        cells: dict[int, Cell] = {}
        for number, (rows, edges) in enumerate(zip(self._rows, self._groups, strict=True)):
            self._place(first_table + number, rows, edges, cells)
        return [
            Block(part.kind, part.start, part.end, (), cells.get(part.start))
            for part in sorted(self._parts, key=lambda one: one.start)
        ]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden is not None:
            if tag not in _ENDED_BY.get(self._hidden.tag, ()):
                self._hidden.depth += tag == self._hidden.tag
                return
            self._end_hidden(self._at())
        start, end = self._mark_tag()
        attributes = dict(attrs)
        hides = tag not in _EMPTY and is_hidden(attributes)
        self._unseen = tag in _UNSEEN and not hides
        if tag in _BLOCKS or tag in ("table", "tr") or tag in _ROW_GROUPS:
            self._cut(start, end)
            self._kind = _BLOCKS.get(tag, "paragraph")
        if tag == "table":
            self._rows.append([])
            self._groups.append([])
            self._open.append(len(self._rows) - 1)
        elif tag in _ROW_GROUPS:
            self._end_group()
        elif self._open:
            self._open_in_table(tag, attributes, hides=hides)
        if hides:
            self._hidden = _HiddenElement(tag, end)

    def _open_in_table(self, tag: str, attributes: dict[str, str | None], *, hides: bool) -> None:
        """A row or a cell of the innermost table begins."""
        rows = self._rows[self._open[-1]]
        if tag == "tr" and not hides:
            rows.append([])
        elif tag in ("td", "th") and rows:
            self._cell = _Part("cell", 0, 0, attributes, tag == "th")
            if not is_taken_out(attributes):
                rows[-1].append(self._cell)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as the parser calls it
        self._mark_tag()

    def _end_hidden(self, at: int) -> None:
        """What is not seen ends here; it is one mark, with all tags and comments in it."""
        hidden, self._hidden = self._hidden, None
        if hidden is not None:
            self._mark("hidden", hidden.start, at)

    def handle_endtag(self, tag: str) -> None:
        if self._hidden is not None:
            self._hidden.depth -= tag == self._hidden.tag
            if self._hidden.depth and (tag == self._hidden.tag or tag not in _ENDED_BY.get(self._hidden.tag, ())):
                return
            self._end_hidden(self._at())
        start, end = self._mark_tag()
        if tag in _UNSEEN and self._unseen:
            self._mark("hidden", self._begun, start)
        self._unseen = False
        if tag in _BLOCKS or tag in ("table", "tr"):
            self._cut(start, end)
            self._cell = None
            self._kind = "paragraph"
        if tag in _ROW_GROUPS:
            self._end_group()
        if tag == "table" and self._open:
            self._open.pop()

    def _end_group(self) -> None:
        """A row group begins or ends before the next row."""
        if self._open:
            self._groups[self._open[-1]].append(len(self._rows[self._open[-1]]))

    def handle_comment(self, data: str) -> None:
        at = self._at()
        close = self._text.find(">", at + 4 + len(data), self._end)
        self._mark("hidden", at, (close if close >= 0 else self._end - 1) + 1)

    def parse_marked_section(self, i: int, report: bool = True) -> int:  # noqa: ARG002 - as the parser calls it
        """Where `<![…>` ends: HTML takes it for a comment, the parser's own reading asserts that it is SGML."""
        end = self.rawdata.find(">", i) + 1
        if not end:
            return -1
        at = self._at()
        self._mark("hidden", at, at + end - i)
        return end

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _mark_tag(self) -> tuple[int, int]:
        start = self._at()
        printed = self.get_starttag_text()
        if printed and self._text.startswith(printed, start):
            end = start + len(printed)
        else:
            close = self._text.find(">", start, self._end)
            end = self._end if close < 0 else close + 1
        self._mark("markup", start, end)
        return start, end

    def _mark(self, kind: MarkKind, start: int, end: int) -> None:
        if start < end and self._hidden is None:
            self.marks.append(MarkedSpan(kind, start, end))
            self._starts.append(start)

    def _cut(self, end: int, begin: int) -> None:
        """What stands since the last cut is a block, if anything is seen in it; the next one begins after the tag."""
        printed = self._text[self._begun : end]
        left = self._begun + len(printed) - len(printed.lstrip())
        right = self._begun + len(printed.rstrip())
        self._begun = begin
        if left >= right or not self._seen(left, right):
            return
        if self._cell is not None and self._cell.end == 0:
            self._cell.start, self._cell.end = left, right
            self._parts.append(self._cell)
        else:
            self._parts.append(_Part("paragraph" if self._cell else self._kind, left, right))

    def _seen(self, start: int, end: int) -> str:
        """What is seen between two positions, on one line."""
        parts, at = [], start
        for index in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            parts.append(self._text[at : self.marks[index].start])
            at = self.marks[index].end
        return " ".join(" ".join([*parts, self._text[at:end]]).split())

    def _place(self, number: int, rows: list[list[_Part]], edges: list[int], cells: dict[int, Cell]) -> None:
        grid: list[list[GridCell]] = []
        for start, end in pairwise([0, *edges, len(rows)]):
            grid += in_row_group([[self._grid_cell(part) for part in row] for row in rows[start:end]])
        for row, places in zip(rows, placed_cells(grid), strict=True):
            for part, place in zip(row, places, strict=True):
                if part.end:
                    cells[part.start] = Cell(
                        number, place.row, place.column, place.column_headers, place.row_headers, place.is_header
                    )

    def _grid_cell(self, part: _Part) -> GridCell:
        text = self._seen(part.start, part.end)
        spans = (span_of(part.attributes.get(name)) for name in ("rowspan", "colspan"))
        return GridCell(text, part.is_header, *spans)
