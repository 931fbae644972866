"""HTML to text: what a reader sees, block by block, tables as tables; scripts, styles and hidden parts are left out.

lxml parses; it is the fastest of those measured and answers at once where elements are nested without end.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import lxml.html
from lxml import etree

from kg.reading.assembly import Assembly
from kg.reading.errors import ReportTooLarge, ReportUnreadable
from kg.reading.hidden import is_hidden, is_taken_out
from kg.reading.limits import DEPTH
from kg.reading.table_grid import GridCell, in_row_group, placed_cells, span_of
from kg.reading.text import Block, BlockKind, Cell, MarkedSpan

_UNSEEN: Final = frozenset(
    "script style template noscript head svg math iframe object embed canvas audio video select option textarea button nav".split()  # noqa: SIM905
)
_KINDS: Final[dict[str, BlockKind]] = {
    "p": "paragraph",
    "li": "list-item",
    "dt": "list-item",
    "dd": "list-item",
    "pre": "code",
    "caption": "caption",
    "figcaption": "caption",
    "blockquote": "paragraph",
}
_BREAKING: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
_LONG_CELL: Final = 2000
"""Characters above which a cell holds a part of the page, not a value."""


def html_text(source: str) -> tuple[str, list[Block], list[MarkedSpan], str | None]:
    """The text of a page, its blocks and marks, and its title."""
    if not source.strip():
        return "", [], [], None
    parser = lxml.html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        text = _LONG_TAG.sub(_shortened, source)
        # as bytes in a known encoding: what the page declares was settled when it was decoded
        root = lxml.html.document_fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except etree.ParserError as cause:
        raise ReportUnreadable(given=str(cause)[:80], expected="an HTML page with text in it") from cause
    if any("depth" in entry.message.lower() for entry in parser.error_log):
        raise _too_deep()
    if any("limit" in entry.message.lower() and entry.level_name == "FATAL" for entry in parser.error_log):
        # what follows would be missing without a word
        raise ReportTooLarge(
            given="a stretch of text or an attribute of more than 10 MB",
            expected="text in paragraphs of at most 10 MB",
            next_step="Break it into paragraphs, or save the text of the page alone",
        )
    page = _PageWalk()
    page.walk(root)
    title = root.findtext(".//title")
    return page.made.text(), page.made.blocks, page.made.marks, " ".join(title.split()) if title else None


# possessive, so that a name without end, or a tag that is not closed, is walked over once
_LONG_TAG: Final = re.compile(r"<([A-Za-z][^\s<>/]*+)([^<>]{16384,}+)>")
_ATTRIBUTE: Final = re.compile(r"\s[^\s=<>\"'/]+")
_READ: Final = re.compile(
    r"\s(?:hidden|aria-hidden|style|rowspan|colspan|role)(?=[\s=])(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"']+))?",
    re.IGNORECASE,
)
_MOST_ATTRIBUTES: Final = 1000


def _shortened(tag: re.Match[str]) -> str:
    """A start tag with only those attributes that are read, if it has very many: the parser compares each with all."""
    if sum(1 for _ in _ATTRIBUTE.finditer(tag[2])) <= _MOST_ATTRIBUTES:
        return tag[0]
    end = "/" if tag[2].endswith("/") else ""
    return f"<{tag[1]}{''.join(_READ.findall(tag[2])[:50])}{end}>"


def _too_deep() -> ReportTooLarge:
    return ReportTooLarge(
        given="elements in one another without end",
        expected=f"at most {DEPTH} elements in one another",
        next_step="Save the text of the page alone",
    )


class _PageWalk:
    """The state of one walk: the inline text since the last block, and the marks in it."""

    def __init__(self) -> None:
        self.made = Assembly()
        self._inline: list[str] = []
        self._length = 0
        """Characters of the inline text: counting them for each piece of code takes the square of a paragraph of code."""
        self._code: list[tuple[int, int]] = []
        self._kind: BlockKind = "paragraph"
        self._tables = 0

    def walk(self, element: etree._Element, depth: int = 0) -> None:
        """What is seen of an element, its tail not."""
        if depth > DEPTH:
            raise _too_deep()
        name = element.tag if isinstance(element.tag, str) else ""
        if not name or name in _UNSEEN or is_hidden(element.attrib):
            return
        if name == "table" and not _is_layout(element):
            self._flush()
            self._table(element)
            return
        if name == "br":
            self._add("\n")
            return
        breaks = name in _BREAKING
        outer = self._kind
        if breaks:
            self._flush()
            self._kind = _KINDS.get(name, outer if outer == "list-item" and name not in ("td", "div") else "paragraph")
        self._content(element, name, depth)
        if breaks:
            if re.fullmatch(r"h[1-6]", name):
                self._heading(int(name[1]))
            else:
                self._flush()
            self._kind = outer

    def _content(self, element: etree._Element, name: str, depth: int) -> None:
        is_code = name in ("code", "kbd", "samp", "tt") and self._kind != "code"
        before = self._length
        # as texts print it: 10^24, and the mark of a note behind its word
        if name == "sup":
            self._add("^")
        keep = name == "pre" or self._kind == "code"
        self._add(element.text or "" if keep else _SPACE.sub(" ", element.text or ""))
        for child in element:
            self.walk(child, depth + 1)
            self._add(child.tail or "" if keep else _SPACE.sub(" ", child.tail or ""))
        if is_code:
            self._code.append((before, self._length))

    def _add(self, text: str) -> None:
        self._inline.append(text)
        self._length += len(text)

    def _take(self) -> tuple[str, list[tuple[int, int]]]:
        """The inline text since the last block, trimmed, and where code is in it."""
        whole = "".join(self._inline)
        left = len(whole) - len(whole.lstrip())
        code = [(max(start - left, 0), end - left) for start, end in self._code]
        self._inline, self._length, self._code = [], 0, []
        return whole.strip(), code

    def _flush(self) -> None:
        text, code = self._take()
        if text:
            start = self.made.block(self._kind, text)
            self._mark(start, len(text), code)

    def _heading(self, depth: int) -> None:
        text, _ = self._take()
        if text:
            self.made.heading(depth, " ".join(text.split()))

    def _mark(self, start: int, length: int, code: list[tuple[int, int]]) -> None:
        for left, right in code:
            if left < min(right, length):
                self.made.marks.append(MarkedSpan("code", start + left, start + min(right, length)))

    def _table(self, table: etree._Element) -> None:
        """A table: its caption, then its rows, the cells of a row apart by tabs."""
        number, self._tables = self._tables, self._tables + 1
        for caption in table.iterchildren("caption"):
            self.walk(caption, 1)
        groups = [[row for one in group if (row := self._cells(one))] for group in _row_groups(table)]
        rows = [row for group in groups for row in group]
        grid: list[list[GridCell]] = []
        for group in groups:
            grid += in_row_group(
                [
                    [
                        GridCell(
                            " ".join(text.split()),
                            _is_header(cell),
                            span_of(cell.get("rowspan")),
                            span_of(cell.get("colspan")),
                        )
                        for cell, text, _ in row
                    ]
                    for row in group
                ]
            )
        for row, places in zip(rows, placed_cells(grid), strict=True):
            for index, ((_, text, code), place) in enumerate(zip(row, places, strict=True)):
                after = "\n" if index == len(row) - 1 else "\t"
                cell = Cell(number, place.row, place.column, place.column_headers, place.row_headers, place.is_header)
                if text:
                    self._mark(self.made.block("cell", text, cell=cell, after=after), len(text), code)
                else:
                    self.made.add(after)
        self.made.add("\n")

    def _cells(self, row: etree._Element) -> list[tuple[etree._Element, str, list[tuple[int, int]]]]:
        """The cells of a row with their texts; one that is not displayed takes no column, one that is not seen does."""
        return [
            (cell, *(("", []) if is_hidden(cell.attrib) else self._cell_text(cell)))
            for cell in row.iterchildren("td", "th")
            if not is_taken_out(cell.attrib)
        ]

    def _cell_text(self, cell: etree._Element) -> tuple[str, list[tuple[int, int]]]:
        """The text of a cell, its paragraphs one line each."""
        # a cell gathers its paragraphs apart, so that they become one block of the page
        held, kind = self.made, self._kind
        self.made, self._kind = Assembly(), "paragraph"
        self._content(cell, "td", 2)
        if not self.made.blocks:
            taken = self._take()
            self.made, self._kind = held, kind
            return taken
        self._flush()
        text = "\n".join(self.made.text().split("\n\n")).strip()
        self.made, self._kind = held, kind
        return text, []


def _row_groups(table: etree._Element) -> Iterator[list[etree._Element]]:
    """The rows of a table that are not hidden, none of a table inside it, by thead, tbody or tfoot.

    Rows outside of these that follow one another are one group, as in a browser.
    """
    loose: list[etree._Element] = []
    for child in table:
        if child.tag == "tr":
            loose.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield _seen(loose)
            loose = []
            if not is_hidden(child.attrib):
                yield _seen(child.iterchildren("tr"))
    yield _seen(loose)


def _seen(rows: Iterable[etree._Element]) -> list[etree._Element]:
    return [row for row in rows if not is_hidden(row.attrib)]


def _is_layout(table: etree._Element) -> bool:
    """Whether a table only arranges a page."""
    if table.get("role") in ("presentation", "none") or table.find(".//table") is not None:
        return True
    rows = [row for group in _row_groups(table) for row in group]
    return not rows or any(len(cell.xpath("string()")) > _LONG_CELL for row in rows[:50] for cell in row)


def _is_header(cell: etree._Element) -> bool:
    if cell.tag == "th":
        return True
    row = cell.getparent()
    group = row.getparent() if row is not None else None
    return group is not None and group.tag == "thead"
