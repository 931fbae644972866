"""PDF to text: lines, paragraphs and tables from the places of the characters; every block with its page and box.

pypdfium2 reads; the order of the text is the one in which the file draws it, so that columns of a page stay apart.
"""

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, Final

from kg.reading import limits
from kg.reading.assembly import Assembly
from kg.reading.errors import ReaderMissing, ReportTooLarge, ReportUnreadable
from kg.reading.pdf_streams import refuse_bombs
from kg.reading.table_grid import GridCell, placed_cells
from kg.reading.text import Block, Box, Cell

_LEAST_ROWS: Final = 3
"""Rows from which on lines with columns in common are a table."""
_LEAST_TEXT: Final = 40
"""Characters a page of a report has; where pages hold pictures and less text than this they are scanned."""
_THIN: Final = 2.5
"""Points up to which a drawn path is a line."""
_NEAR: Final = 3
"""Points by which lines of one table may miss each other."""
DrawnLine = tuple[float, float, float]
"""The place of a line on one axis, and from where to where it goes on the other."""


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """A word on a page, in points from the upper left corner; `size` is that of its font."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    is_code: bool = False
    """Whether its letters are all as wide as one another, as code is set."""


@dataclass(frozen=True, slots=True)
class LineSegment:
    """Words of one line without a wide gap between them."""

    words: tuple[PrintedWord, ...]

    @property
    def text(self) -> str:
        """The words with single spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Where it has ended."""
        return self.words[-1].right

    @property
    def top(self) -> float:
        """The upper edge of its highest word."""
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        """The lower edge of its lowest word."""
        return max(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        """The size of its first word."""
        return self.words[0].size


@dataclass(frozen=True, slots=True)
class PdfPage:
    """The words of a page in the order in which they are drawn, and the lines drawn around them."""

    number: int
    words: tuple[PrintedWord, ...]
    across: tuple[DrawnLine, ...]
    """Horizontal lines: height, left, right."""
    down: tuple[DrawnLine, ...]
    """Vertical lines: place, top, bottom."""
    pictures: int


def pdf_text(data: bytes) -> tuple[str, list[Block], str | None]:
    """The text of a PDF, its blocks, and its title; scanned and encrypted ones are refused."""
    pages, title = read_pages(data)
    _refuse_scanned(pages)
    words = [word for page in pages for word in page.words]
    if sum(word.is_code for word in words) > len(words) / 2:  # a report that is typed in such letters is no program
        pages = [replace(page, words=tuple(replace(word, is_code=False) for word in page.words)) for page in pages]
    made = Assembly()
    body = median([word.size for word in words] or [10.0])
    tables = 0
    for page in pages:
        tables = _PageText(page, made, body, tables).write()
    return made.text(), made.blocks, title


def _refuse_scanned(pages: Sequence[PdfPage]) -> None:
    """Raise ReportUnreadable where the pages hold hardly any text."""
    has_pictures = any(page.pictures for page in pages)
    letters = sum(len(word.text) for page in pages for word in page.words)
    if letters >= _LEAST_TEXT * len(pages) or (letters and not has_pictures):
        return
    raise ReportUnreadable(
        given="pages that are pictures, without text" if has_pictures else "pages with neither text nor pictures",
        expected="a PDF with text in it",
        next_step="Recognise its text first (ocrmypdf in.pdf out.pdf), then read that file"
        if has_pictures
        else "If its letters are drawn as shapes, recognise its text first (ocrmypdf in.pdf out.pdf)",
    )


def read_pages(data: bytes) -> tuple[list[PdfPage], str | None]:
    """All pages of a PDF, and the title of the file."""
    try:
        import pypdfium2
    except ImportError as cause:
        raise ReaderMissing(
            given="pypdfium2 is not installed", expected="the extra pdf", next_step="pip install 'accelkg[pdf]'"
        ) from cause
    refuse_bombs(data)
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as cause:
        raise _refused(str(cause)) from cause
    if len(document) > limits.PAGES:
        raise ReportTooLarge(
            given=f"{len(document)} pages", expected=f"at most {limits.PAGES}", next_step="Read it in parts"
        )
    title = (document.get_metadata_dict().get("Title") or "").strip() or None
    pages: list[PdfPage] = []
    for number in range(1, len(document) + 1):
        try:
            pages.append(_page(document[number - 1], number))
        except pypdfium2.PdfiumError as cause:
            raise _refused(f"page {number}: {cause}") from cause
    return pages, title


def _refused(message: str) -> ReportUnreadable:
    if "password" in message.lower():
        return ReportUnreadable(
            given="an encrypted PDF",
            expected="a PDF that opens without a password",
            next_step="Save it without its password (qpdf --decrypt in.pdf out.pdf) and read that file",
        )
    return ReportUnreadable(
        given=f"a broken PDF ({message[:80]})",
        expected="a PDF that is whole",
        next_step="Get the file again, or print it to a new PDF",
    )


def _page(page: Any, number: int) -> PdfPage:
    from pypdfium2 import raw

    height = page.get_height()
    chars = page.get_textpage()
    words = tuple(_words(raw, chars.raw, raw.FPDFText_CountChars(chars.raw), height))
    across: list[DrawnLine] = []
    down: list[DrawnLine] = []
    pictures = 0
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            pictures += 1
            continue
        left, bottom, right, top = item.get_bounds() if hasattr(item, "get_bounds") else item.get_pos()
        horizontal, vertical = _lines_of_path(left, height - top, right, height - bottom)
        across += horizontal
        down += vertical
    return PdfPage(number, words, tuple(across), tuple(down), pictures)


def _lines_of_path(left: float, top: float, right: float, bottom: float) -> tuple[list[DrawnLine], list[DrawnLine]]:
    """The horizontal and the vertical lines of a path: a thin one is a line, a box the four lines around it."""
    if bottom - top <= _THIN < right - left:
        return [((top + bottom) / 2, left, right)], []
    if right - left <= _THIN < bottom - top:
        return [], [((left + right) / 2, top, bottom)]
    if right - left > _THIN:
        return [(top, left, right), (bottom, left, right)], [(left, top, bottom), (right, top, bottom)]
    return [], []


def _sign(code: int) -> str:
    """The character of a code; a file may give half of a surrogate pair, or a number that Unicode does not have."""
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _words(raw: Any, page: Any, count: int, height: float) -> Iterator[PrintedWord]:
    """The words of a page: characters without space between them on one line."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    edges = [ctypes.byref(edge) for edge in (left, right, bottom, top)]
    word = _GrowingWord()
    for index in range(count):
        sign = _sign(raw.FPDFText_GetUnicode(page, index))
        if sign == "\ufffe":
            continue
        if sign.isspace() or sign == "\0":
            yield from word.ended()
            continue
        raw.FPDFText_GetCharBox(page, index, *edges)
        here = [left.value, height - top.value, right.value, height - bottom.value]
        if word.is_left_by(here):
            yield from word.ended()
        if not word.signs:
            word.size = raw.FPDFText_GetFontSize(page, index) or (here[3] - here[1]) or 1.0
            word.is_code = _is_fixed(raw, page, index)
        elif sign.isdigit() and word.is_below(here, raw.FPDFText_GetFontSize(page, index)):
            sign = sign if word.is_raised else f"^{sign}"
            word.is_raised = True
        word.add(sign, here)
    yield from word.ended()


@dataclass(slots=True)
class _GrowingWord:
    """The characters of a word so far, with the box around them."""

    signs: str = ""
    box: list[float] = field(default_factory=list)
    size: float = 0.0
    is_code: bool = False
    is_raised: bool = False
    """Whether its last characters are a mark or an exponent, which is written behind ^ as that of a page of HTML is."""

    def add(self, sign: str, here: list[float]) -> None:
        """Take one more character."""
        self.box = [*map(min, self.box[:2], here[:2]), *map(max, self.box[2:], here[2:])] if self.signs else here
        self.signs += sign

    def is_left_by(self, here: list[float]) -> bool:
        """Whether a character stands apart: behind a gap, back to the left, or on another line."""
        if not self.signs:
            return False
        is_beside = self.box[0] <= here[0] <= self.box[2] + self.size * 0.35
        return not is_beside or here[1] > self.box[3] or here[3] < self.box[1]

    def is_below(self, here: list[float], size: float) -> bool:
        """Whether a smaller character stands higher than the word: a mark of a note, or an exponent."""
        return size < 0.85 * self.size and here[3] < self.box[3] - 0.15 * self.size

    def ended(self) -> Iterator[PrintedWord]:
        """The word, if there is one; the next begins."""
        if self.signs:
            left, top, right, bottom = self.box
            yield PrintedWord(self.signs, left, top, right, bottom, self.size, self.is_code)
        self.signs, self.is_raised = "", False


_FIXED_FONT: Final = re.compile(rb"mono|courier|consol|menlo|typewriter|cmtt|sourcecode|firacode", re.IGNORECASE)
_FIXED_PITCH: Final = 1
"""The first flag of a font descriptor, https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf, 9.8.2."""


def _is_fixed(raw: Any, page: Any, index: int) -> bool:
    """Whether a character is of a font with letters of one width; many such fonts only say so by their name."""
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(page, index, name, 128, ctypes.byref(flags))
    return bool(flags.value & _FIXED_PITCH) or _FIXED_FONT.search(name.value) is not None


class _PageText:
    """Writes one page."""

    def __init__(self, page: PdfPage, made: Assembly, body: float, tables: int) -> None:
        self._page, self._made, self._body, self._tables = page, made, body, tables

    def write(self) -> int:
        """Append the blocks of the page; the number of tables so far."""
        grids = ruled_grids(self._page)
        waiting: list[PrintedWord] = []
        done: set[int] = set()
        for word in self._page.words:
            grid = next((index for index, grid in enumerate(grids) if _inside(word, grid)), None)
            if grid is None:
                waiting.append(word)
            elif grid not in done:
                self._prose(waiting)
                waiting = []
                done.add(grid)
                self._table(grid_rows([one for one in self._page.words if _inside(one, grids[grid])], *grids[grid]))
        self._prose(waiting)
        return self._tables

    def _prose(self, words: Sequence[PrintedWord]) -> None:
        """Lines to tables without lines, where lines have columns in common, and to paragraphs."""
        lines = lines_of(words)
        at = 0
        while at < len(lines):
            rows = None if _is_code(lines[at]) else unruled_rows(lines, at)
            if rows:
                self._table(rows[1])
                at = rows[0]
                continue
            end = self._paragraph_end(lines, at)
            self._paragraph([segment for line in lines[at:end] for segment in line])
            at = end

    def _paragraph_end(self, lines: Sequence[Sequence[LineSegment]], at: int) -> int:
        """Where a paragraph ends: at a gap, another size, an item, or a table."""
        end = at + 1
        while end < len(lines):
            last, line = lines[end - 1], lines[end]
            gap = line[0].top - last[-1].bottom
            same = abs(line[0].size - last[0].size) < 0.6
            if (
                not same
                or _is_code(line) != _is_code(last)
                or gap < -line[0].size * 0.6
                or gap > line[0].size * 0.75
                or _ITEM.match(line[0].text)
                or unruled_rows(lines, end)
            ):
                break
            end += 1
        return end

    def _paragraph(self, segments: Sequence[LineSegment]) -> None:
        text = _joined(segments)
        size, box = segments[0].size, _box(self._page.number, [word for segment in segments for word in segment.words])
        if _is_code(segments):
            self._made.block("code", text, box=box)
        elif size > self._body * 1.12 and len(text) < 200:
            self._made.heading(max(1, 7 - round(size / self._body * 3)), text.replace("\n", " "), box=box)
        elif size < self._body * 0.88 and box.top > 500:
            self._made.block("footnote", text, box=box)
        else:
            self._made.block("list-item" if _ITEM.match(text) else "paragraph", text, box=box)

    def _table(self, rows: Sequence[Sequence[Sequence[PrintedWord]]]) -> None:
        number, self._tables = self._tables, self._tables + 1
        texts = [[_joined(_segments(cell)) for cell in row] for row in rows]
        places = placed_cells([[GridCell(" ".join(text.split())) for text in row] for row in texts])
        for row, cells, placed in zip(rows, texts, places, strict=True):
            for index, (words, text, place) in enumerate(zip(row, cells, placed, strict=True)):
                after = "\n" if index == len(cells) - 1 else "\t"
                if not text:
                    self._made.add(after)
                    continue
                cell = Cell(number, place.row, place.column, place.column_headers, place.row_headers, place.is_header)
                self._made.block("cell", text, cell=cell, box=_box(self._page.number, words), after=after)
        self._made.add("\n")


_ITEM: Final = re.compile(r"(?:[•◦▪‣●○–-]|\(?\d{1,2}[.)])\s")
_HYPHEN: Final = re.compile(r"[a-z]-$")


def _is_code(line: Sequence[LineSegment]) -> bool:
    return all(word.is_code for segment in line for word in segment.words)


def _joined(segments: Sequence[LineSegment]) -> str:
    """The text of lines; a word that a hyphen cut at the end of a line is whole again."""
    parts: list[str] = []
    for index, segment in enumerate(segments):
        text = segment.text
        if index:
            below = segment.top > segments[index - 1].bottom - segment.size * 0.5
            if below and _HYPHEN.search(parts[-1]) and text[:1].islower():
                parts[-1] = parts[-1][:-1]
            else:
                parts.append("\n" if below else " ")
        parts.append(text)
    return "".join(parts)


def _box(page: int, words: Sequence[PrintedWord]) -> Box:
    return Box(
        page,
        min(word.left for word in words),
        min(word.top for word in words),
        max(word.right for word in words),
        max(word.bottom for word in words),
    )


def lines_of(words: Sequence[PrintedWord]) -> list[list[LineSegment]]:
    """Words drawn one after the other on one height are a line; a wide gap cuts it into segments."""
    lines: list[list[PrintedWord]] = []
    for word in words:
        last = lines[-1][-1] if lines else None
        if last is not None and _one_line(last, word) and word.left >= last.left:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_segments(line) for line in lines]


def _one_line(left: PrintedWord, right: PrintedWord) -> bool:
    overlap = min(left.bottom, right.bottom) - max(left.top, right.top)
    return overlap > 0.3 * min(left.bottom - left.top, right.bottom - right.top) and overlap > 0


def _segments(words: Sequence[PrintedWord]) -> list[LineSegment]:
    found: list[list[PrintedWord]] = []
    for word in words:
        last = found[-1][-1] if found else None
        if last is not None and _one_line(last, word) and -1 <= word.left - last.right <= 0.9 * word.size:
            found[-1].append(word)
        else:
            found.append([word])
    return [LineSegment(tuple(segment)) for segment in found]


def unruled_rows(lines: Sequence[Sequence[LineSegment]], at: int) -> tuple[int, list[list[list[PrintedWord]]]] | None:
    """The rows of a table without lines that begins at a line, and the line after it; None where there is none.

    Its lines have two segments at least, the segments stand below each other in columns, and most lines hold a figure.
    """
    end = _end_of_rows(lines, at)
    if end - at < _LEAST_ROWS:
        return None
    rows = lines[at:end]
    columns = _joined_stretches((segment.left, segment.right) for line in rows for segment in line)
    figures = sum(any(re.search(r"\d", segment.text) for segment in line) for line in rows)
    if len(columns) < 2 or figures < len(rows) / 2:
        return None
    return end, [[_words_between(line, left, right) for left, right in columns] for line in rows]


def _end_of_rows(lines: Sequence[Sequence[LineSegment]], at: int) -> int:
    """The line after those that follow each other from a line on and have two segments at least."""
    end = at
    while end < len(lines) and len(lines[end]) > 1 and (end == at or _follows(lines[end - 1], lines[end])):
        end += 1
    return end


def _words_between(line: Sequence[LineSegment], left: float, right: float) -> list[PrintedWord]:
    return [word for segment in line if left <= segment.left <= right for word in segment.words]


def _joined_stretches(stretches: Iterable[tuple[float, float]], gap: float = 0) -> list[tuple[float, float]]:
    """Stretches that overlap, or lie no further apart than a gap, as one."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1] + gap:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _follows(above: Sequence[LineSegment], below: Sequence[LineSegment]) -> bool:
    gap = below[0].top - max(segment.bottom for segment in above)
    return -2 <= gap < 3 * below[0].size


RuledGrid = tuple[list[float], list[float]]
"""The places of the vertical and of the horizontal lines of a table."""


def ruled_grids(page: PdfPage) -> list[RuledGrid]:
    """The tables of a page that are drawn with lines."""
    downs, acrosses = page.down, page.across
    if len(downs) < 2 or len(acrosses) < 2 or len(downs) + len(acrosses) > 20_000:
        return []
    stretches = _joined_stretches(((top, bottom) for _, top, bottom in downs), _NEAR)
    grids = (_grid_between(page, top - _NEAR, bottom + _NEAR) for top, bottom in stretches)
    return [(columns, rows) for columns, rows in grids if len(columns) > 2 and len(rows) > 2]


def _grid_between(page: PdfPage, top: float, bottom: float) -> RuledGrid:
    """The places of the vertical lines between two heights, and of the horizontal ones that reach in between these."""
    columns = _places([x for x, up, low in page.down if up < bottom and low > top])
    level = [line for line in page.across if columns and top <= line[0] <= bottom]
    return columns, _places([y for y, left, right in level if right > columns[0] and left < columns[-1]])


def _places(values: Sequence[float]) -> list[float]:
    """Places that are further apart than a line is thick."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 4:
            found.append(value)
    return found


def _inside(word: PrintedWord, grid: RuledGrid) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return grid[0][0] - 1 <= x <= grid[0][-1] + 1 and grid[1][0] - 1 <= y <= grid[1][-1] + 1


def grid_rows(
    words: Sequence[PrintedWord], columns: Sequence[float], rows: Sequence[float]
) -> list[list[list[PrintedWord]]]:
    """The words of every cell; rows without words are left out."""
    cells: list[list[list[PrintedWord]]] = [[[] for _ in columns[:-1]] for _ in rows[:-1]]
    for word in words:
        x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        row = max(index for index, edge in enumerate(rows[:-1]) if edge <= y or not index)
        column = max(index for index, edge in enumerate(columns[:-1]) if edge <= x or not index)
        cells[row][column].append(word)
    return [row for row in cells if any(row)]
