"""PDF to text: lines, paragraphs and tables from the places of the characters; every block with its page and box.

The order of the text is the one in which the file draws it, so that columns of a page stay apart. A paragraph that goes on
in the next column or on the next page is one block.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from kg.model.inserted_scale import SCALE_WORDS
from kg.reading.assembly import Assembly
from kg.reading.errors import ReportUnreadable
from kg.reading.pdf_pages import PdfPage, PrintedWord, read_pages
from kg.reading.pdf_tables import LineSegment, grid_rows, is_inside, lines_of, ruled_grids, unruled_rows
from kg.reading.table_grid import GridCell, placed_cells
from kg.reading.text import Block, Box, Cell

_LEAST_TEXT: Final = 40
"""Characters a page of a report has; where pages hold pictures and less text than this they are scanned."""


def pdf_text(data: bytes) -> tuple[str, list[Block], str | None]:
    """The text of a PDF, its blocks, and its title; scanned and encrypted ones are refused."""
    pages, title = read_pages(data)
    _refuse_scanned(pages)
    words = [word for page in pages for word in page.words]
    # the body of a report decides: code is what is set otherwise than most of it
    if sum(word.is_code for word in words) > len(words) / 2:  # a report that is typed in such letters is no program
        pages = [replace(page, words=tuple(replace(word, is_code=False) for word in page.words)) for page in pages]
    made = Assembly()
    body = median([word.size for word in words] or [10.0])
    writer = _PdfWriter(made, body, Hyphens.of(word.text for word in words))
    for page in pages:
        writer.write(page)
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


@dataclass(frozen=True, slots=True)
class Hyphens:
    """Tells the hyphen of a word that a line cut from one that belongs to the word, by the other words of the text."""

    words: frozenset[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Hyphens":
        """By the words of a text, but those that a line may have cut."""
        known = set()
        is_cut = False
        for word in words:
            was_cut, is_cut = is_cut, word.endswith("-")
            if not was_cut and not is_cut:
                known.add(word.strip(_AROUND).lower())
        return cls(frozenset(known))

    def seam(self, before: str, after: str) -> tuple[int, str]:
        """How many characters of the end of a line are left out before the next line, and what is put between the two.

        >>> hyphens = Hyphens.of(["commu-", "nication", "communication", "trillion", "parameter"])
        >>> hyphens.seam("the commu-", "nication of"), hyphens.seam("a trillion-", "parameter model")
        ((1, ''), (0, ''))
        """
        if _HYPHEN.search(before[-2:]) and after[:1].isalnum() and not after[:1].islower():
            return 0, ""
        if not _HYPHEN.search(before[-2:]) or not after[:1].islower():
            return 0, "\n"
        left = before.rsplit(maxsplit=1)[-1].rstrip("-").strip(_AROUND).lower()
        right = after.split(maxsplit=1)[0].strip(_AROUND).lower()
        is_whole = f"{left}-{right}" in self.words or {left, right} <= self.words or left in _COUNTS
        return (0, "") if is_whole and left + right not in self.words else (1, "")


class _PdfWriter:
    """Writes page after page."""

    def __init__(self, made: Assembly, body: float, hyphens: Hyphens) -> None:
        self._made, self._body, self._hyphens = made, body, hyphens
        self._tables = 0
        self._last_size = 0.0
        """That of the last block of prose."""

    def write(self, page: PdfPage) -> None:
        """Append the blocks of a page."""
        self._page = page
        grids = ruled_grids(self._page)
        waiting: list[PrintedWord] = []
        done: set[int] = set()
        for word in self._page.words:
            grid = next((index for index, grid in enumerate(grids) if is_inside(word, grid)), None)
            if grid is None:
                waiting.append(word)
            elif grid not in done:
                self._prose(waiting)
                waiting = []
                done.add(grid)
                self._table(grid_rows([one for one in self._page.words if is_inside(one, grids[grid])], *grids[grid]))
        self._prose(waiting)

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
            self._paragraph(lines[at:end])
            at = end

    def _paragraph_end(self, lines: Sequence[Sequence[LineSegment]], at: int) -> int:
        """Where a paragraph ends: at a gap, another size, an item, or a table."""
        end = at + 1
        while end < len(lines):
            last, line = lines[end - 1], lines[end]
            gap = line[0].top - last[-1].bottom
            same = abs(line[0].size - last[0].size) < 0.6
            if (
                # a step back up the page is the next column
                not same
                or _is_code(line) != _is_code(last)
                or gap < -line[0].size * 0.8
                or gap > line[0].size
                or _ITEM.match(line[0].text)
                or unruled_rows(lines, end)
            ):
                break
            end += 1
        return end

    def _paragraph(self, lines: Sequence[Sequence[LineSegment]]) -> None:
        text = self._joined(lines)
        segments = [segment for line in lines for segment in line]
        size, box = segments[0].size, _box(self._page.number, [word for segment in segments for word in segment.words])
        if not _is_code(segments) and self._goes_on(text, size):
            self._made.carry_on(text, box, self._hyphens.seam(self._made.last_text(), text))
        elif _is_code(segments):
            self._made.block("code", text, box=box)
        # sizes as shares of the body text: a heading is larger, a note smaller
        elif size > self._body * 1.12 and len(text) < 200:
            self._made.heading(max(1, 7 - round(size / self._body * 3)), text.replace("\n", " "), box=box)
        elif size < self._body * 0.88 and (box.top > 500 or _NOTE.match(text)):
            self._made.block("footnote", text, box=box)
        else:
            self._made.block("list-item" if _ITEM.match(text) else "paragraph", text, box=box)
        self._last_size = size

    def _joined(self, lines: Sequence[Sequence[LineSegment]]) -> str:
        """The text of lines; a word that a hyphen cut at the end of a line is whole again."""
        parts: list[str] = []
        for line in lines:
            printed = " ".join(segment.text for segment in line)
            if parts:
                cut, between = self._hyphens.seam(parts[-1], printed)
                parts[-1] = parts[-1][: len(parts[-1]) - cut] + between
            parts.append(printed)
        return "".join(parts)

    def _goes_on(self, text: str, size: float) -> bool:
        """Whether a text is the rest of the paragraph before it, whose sentence has not ended."""
        last = self._made.blocks[-1] if self._made.blocks else None
        if last is None or last.kind not in ("paragraph", "list-item") or not text[:1].islower():
            return False
        return not _CLOSED.search(self._made.last_text()) and abs(size - self._last_size) < 0.5

    def _table(self, rows: Sequence[Sequence[Sequence[PrintedWord]]]) -> None:
        number, self._tables = self._tables, self._tables + 1
        texts = [[self._joined(lines_of(cell)) for cell in row] for row in rows]
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


# meets "• " and "(1) "; not "1.5 TB"
_ITEM: Final = re.compile(r"(?:[•◦▪‣●○–-]|\(?\d{1,2}[.)])\s")
_NOTE: Final = re.compile(r"(?:\d{1,3}|[*†‡])\s?[A-Z]")
_HYPHEN: Final = re.compile(r"[^\W_]-$")
_CLOSED: Final = re.compile(r"[.!?:;。！？][\"”’)\]]*(?:\^\d+)?$")
# "trillion-parameter" keeps its hyphen at the end of a line though the text has no such word
# elsewhere
_COUNTS: Final = frozenset(["hundred", *SCALE_WORDS])
_AROUND: Final = ".,;:!?()[]\"“”'’"


def _is_code(line: Sequence[LineSegment]) -> bool:
    return all(word.is_code for segment in line for word in segment.words)


def _box(page: int, words: Sequence[PrintedWord]) -> Box:
    return Box(
        page,
        min(word.left for word in words),
        min(word.top for word in words),
        max(word.right for word in words),
        max(word.bottom for word in words),
    )
