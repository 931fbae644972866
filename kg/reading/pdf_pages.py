"""The words of a PDF with their places, and the lines drawn around them, as pypdfium2 gives them."""

import ctypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Any, Final

from kg.reading import limits
from kg.reading.errors import ReaderMissing, ReportTooLarge, ReportUnreadable
from kg.reading.pdf_streams import refuse_bombs

_THIN: Final = 2.5
"""Points up to which a drawn path is a line."""
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
    raised: float | None = None
    """Where a raised mark behind it ends."""


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


def read_pages(data: bytes) -> tuple[list[PdfPage], str | None]:
    """All pages of a PDF, and the title of the file."""
    try:
        import pypdfium2
    except ImportError as cause:
        raise ReaderMissing(
            given="pypdfium2 is not installed", expected="the extra pdf", next_step="pip install 'accelkg[pdf]'"
        ) from cause
    # before the file is opened: what opens it unfolds its streams without a bound
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
    # PDFium knows of no error and gives no document where the tree of pages is empty
    given = "a PDF without pages" if "PDFium: Success" in message else f"a broken PDF ({message[:80]})"
    return ReportUnreadable(
        given=given,
        expected="a PDF that is whole",
        next_step="Get the file again, or print it to a new PDF",
    )


@dataclass(frozen=True, slots=True)
class _PageSeen:
    """The part of a page that is seen, in the coordinates of the file, and the degrees it is turned clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    turned: int

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of a box of the file, from the upper left corner of the page as it is seen.

        >>> _PageSeen(0, 0, 600, 800, 0).box(10, 20, 30, 40), _PageSeen(0, 0, 600, 800, 90).box(10, 20, 30, 40)
        ((10, 760, 30, 780), (20, 10, 40, 30))
        """
        match self.turned:
            case 90:
                return bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
            case 180:
                return self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
            case 270:
                return self.top - top, self.right - right, self.top - bottom, self.right - left
        return left - self.left, self.top - top, right - self.left, self.top - bottom

    def is_outside(self, left: float, bottom: float, right: float, top: float) -> bool:
        """Whether a box of the file lies off the page; what a file gives no extent stays with what it is drawn next to."""
        is_beside = right < self.left or left > self.right or top < self.bottom or bottom > self.top
        return is_beside and left < right


def _page(page: Any, number: int) -> PdfPage:
    from pypdfium2 import raw

    left, bottom, right, top = page.get_bbox()
    seen = _PageSeen(left, bottom, right, top, page.get_rotation())
    chars = page.get_textpage()
    words = tuple(_with_marks(_words(raw, chars.raw, raw.FPDFText_CountChars(chars.raw), seen)))
    across: list[DrawnLine] = []
    down: list[DrawnLine] = []
    pictures = 0
    # how deep forms are nested in one another is the file's to say: the search has an end
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            pictures += 1
            continue
        left, bottom, right, top = item.get_bounds() if hasattr(item, "get_bounds") else item.get_pos()
        horizontal, vertical = _lines_of_path(*seen.box(left, bottom, right, top))
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


def _words(raw: Any, page: Any, count: int, seen: "_PageSeen") -> Iterator[PrintedWord]:
    """The words of a page: characters without space between them on one line."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    edges = [ctypes.byref(edge) for edge in (left, right, bottom, top)]
    word = _GrowingWord()
    for index in range(count):
        # the hyphen that the layout put at the end of a line has a code of its own
        sign = "-" if raw.FPDFText_IsHyphen(page, index) == 1 else _sign(raw.FPDFText_GetUnicode(page, index))
        if sign.isspace() or sign == "\0":
            yield from word.ended()
            continue
        raw.FPDFText_GetCharBox(page, index, *edges)
        # a viewer clips it: slug lines of printers, or a page cut down from a larger one
        if seen.is_outside(left.value, bottom.value, right.value, top.value):
            yield from word.ended()
            continue
        here = [*seen.box(left.value, bottom.value, right.value, top.value)]
        if word.is_left_by(here):
            yield from word.ended()
        if not word.signs:
            word.size = _size(raw, page, index) or (here[3] - here[1]) or 1.0
            word.is_code = _is_fixed(raw, page, index)
        elif sign.isdigit() and word.is_below(here, _size(raw, page, index)):
            sign = sign if word.is_raised else f"^{sign}"
            word.is_raised = True
        word.add(sign, here)
    yield from word.ended()


def _size(raw: Any, page: Any, index: int) -> float:
    """The size of a character as it is printed, in points: a file may state it in a space of its own."""
    matrix = raw.FS_MATRIX()
    stated: float = raw.FPDFText_GetFontSize(page, index)
    if not raw.FPDFText_GetMatrix(page, index, ctypes.byref(matrix)):
        return stated
    return stated * (hypot(matrix.c, matrix.d) or 1.0)


def _with_marks(words: Iterable[PrintedWord]) -> Iterator[PrintedWord]:
    """Words with the raised numerals behind them, and the comma behind those, which a file may draw apart."""
    last: PrintedWord | None = None
    for word in words:
        if last is not None and _is_raised(last, word):
            last = _together(last, f"^{word.text}", word)
        elif last is not None and last.raised is not None and _is_closing(last.raised, word):
            last = _together(last, word.text, word)
        else:
            if last is not None:
                yield last
            last = word
    if last is not None:
        yield last


def _is_raised(word: PrintedWord, mark: PrintedWord) -> bool:
    is_beside = -1 <= mark.left - word.right <= 0.45 * word.size and word.top - 0.5 * word.size < mark.bottom
    # smaller than the word, and its foot well above that of the word
    is_higher = mark.size < 0.85 * word.size and mark.bottom < word.bottom - 0.2 * word.size
    return is_beside and is_higher and _MARK.fullmatch(mark.text) is not None


def _is_closing(right: float, word: PrintedWord) -> bool:
    return word.text[0] in ",.;:)!?" and -1 <= word.left - right <= 0.3 * word.size


def _together(word: PrintedWord, text: str, end: PrintedWord) -> PrintedWord:
    """A word and what belongs to it; its edges stay those of its own letters but for the right one."""
    return replace(word, text=word.text + text, right=end.right, raised=end.right)


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
        is_beside = self.box[0] <= here[0] <= self.box[2] + self.size * 0.45
        near = self.size * 0.3  # an underscore is lower than the letters next to it
        return not is_beside or here[1] > self.box[3] + near or here[3] < self.box[1] - near

    def is_below(self, here: list[float], size: float) -> bool:
        """Whether a smaller character stands higher than the word: a mark of a note, or an exponent."""
        return size < 0.85 * self.size and here[3] < self.box[3] - 0.2 * self.size

    def ended(self) -> Iterator[PrintedWord]:
        """The word, if there is one; the next begins."""
        if self.signs:
            left, top, right, bottom = self.box
            raised = right if self.is_raised else None
            yield PrintedWord(self.signs, left, top, right, bottom, self.size, self.is_code, raised)
        self.signs, self.is_raised = "", False


_MARK: Final = re.compile(r"\d{1,3}(?:,\d{1,3})*")
_FIXED_FONT: Final = re.compile(rb"mono|courier|consol|menlo|typewriter|cmtt|sourcecode|firacode", re.IGNORECASE)
_FIXED_PITCH: Final = 1
"""The first flag of a font descriptor, https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf, 9.8.2."""


def _is_fixed(raw: Any, page: Any, index: int) -> bool:
    """Whether a character is of a font with letters of one width; many such fonts only say so by their name."""
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(page, index, name, 128, ctypes.byref(flags))
    return bool(flags.value & _FIXED_PITCH) or _FIXED_FONT.search(name.value) is not None
