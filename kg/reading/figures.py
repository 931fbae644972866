"""Finds every figure of a report, in prose and in cells, and says of each whether it is a claim or why it is none."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, Protocol

from kg.errors import ModelError
from kg.model.printed import PrintedNumber, Shape, printed_with_value
from kg.model.units import UnitTable
from kg.reading import limits
from kg.reading.amounts import AmountReader
from kg.reading.cell_units import CellUnits
from kg.reading.deadline import ReadingDeadline
from kg.reading.errors import ReportTooLarge
from kg.reading.figure import ReportFigure
from kg.reading.figure_in_view import FigureInView
from kg.reading.masks import Masks
from kg.reading.nearby_units import UnitReader
from kg.reading.not_claims import Span, name_regions, regions
from kg.reading.relations import relation_of
from kg.reading.table_scales import PrintedScale, TableScales
from kg.reading.text import Block, ReportText
from kg.reading.view import BlockView, Viewer


class NamesInText(Protocol):
    """What knows the names of things (`kg.reading.known_names`)."""

    def scan(self, text: str, start: int = 0, end: int | None = None) -> Sequence["NamedSpan"]:
        """Every name of a text, in order, none inside another."""

    def class_of(self, identifier: str) -> str:
        """What kind of thing an id names."""


class NamedSpan(Protocol):
    """A name where it stands, with the ids of what it may name."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it has ended."""

    @property
    def ids(self) -> tuple[str, ...]:
        """What it may name."""


def find_figures(
    report: ReportText,
    units: UnitTable,
    names: NamesInText | None = None,
    deadline: ReadingDeadline | None = None,
) -> list[ReportFigure]:
    """All figures of a report in the order of the text.

    A figure in an address, code or another mark is given with its reason, like one in a date or in a name.
    Raises ReportTooLarge where they are more than `limits.FIGURES`, or take longer than the deadline (that of
    `limits.SECONDS` if none is given).
    """
    return _Finder(report, units, names, deadline or ReadingDeadline()).find()


_LED: Final = re.compile(
    r"\d[\d,.]*(?:\s?[x×*]\s?(?=[A-Z\d])|[-\s]?(?:billion|trillion|million)\b|-(?=[A-Za-z])|\s?(?:GPU|card|k?W|[GT]B)s?\b|\s(?=[A-Z]))",
)
"""A number that leads a name and belongs to the text: "8x A100", "100-billion-parameter models", "60W light bulb"."""


_MOST_RATE: Final = 10**21
"""Operations a second that no machine reaches: a larger number of "FLOPs" is an amount of work, not a rate."""
_OWN_SCALE: Final = re.compile(r"[^\W\d_]{2}|\d\s?[A-Za-z百千万亿]")
"""A figure that prints its scale or its unit as one with its digits: "500K", "500 million", "twenty"."""
_UNSCALED_UNITS: Final = frozenset({"%", "1", "year", "%/year"})
_MONEY: Final = frozenset({"USD", "CNY", "EUR"})
_ENDLESS: Final = re.compile(r"\S{600,}|\s{200,}")
_FILLED: Final = "\uffff"
_WINDOW: Final = 16_384
"""Code points of a block that patterns see at once: the time they take grows with the text, not with its longest block."""
_CUTS: Final = ("\n", ". ", "。", " ")
"""Where a longer block is cut, the best first."""
_SPACE: Final = re.compile(r"\s")


# "3,35 TB/s" and "1.024,5": such a text prints "1.000 W" for a thousand
_DECIMAL_COMMAS: Final = re.compile(
    r"(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d{1,2}\s?(?:[kKMGTP]?(?:B(?:/s)?|Wh?|Hz|FLOPS?)|GB/s|%|€|x)(?![A-Za-z\d])"
)
# "3.35": no group of thousands has two digits; not "v5.1" and "3.5.1"
_DECIMAL_POINTS: Final = re.compile(
    r"(?<![\w.,])\d+\.\d{1,2}\s?(?:[kKMGTP]?(?:B(?:/s)?|Wh?|Hz|FLOPS?)|%|€|x)(?![A-Za-z\d])"
)
_GROUPED_BY_POINTS: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_FAR: Final = 300
"""Code points around a bare number beyond which no word belongs to it."""
_MANY: Final = 40
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGITS: Final = re.compile(r"\d+")
_WRITTEN: Final = re.compile(r"\d|[^\W\d_]")


def _windows(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A block in stretches that begin and end where no figure goes on; one where it is no longer than most are."""
    while end - start > _WINDOW:
        half, most = start + _WINDOW // 2, start + _WINDOW
        cut = next((at + len(sign) for sign in _CUTS if (at := text.rfind(sign, half, most)) >= 0), None)
        if cut is None:  # a run without end: encoded data stays in one piece
            space = _SPACE.search(text, most, end)
            cut = space.end() if space else end
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _too_many(place: int) -> ReportTooLarge:
    return ReportTooLarge(
        field=f"character {place}",
        given=f"more than {limits.FIGURES} figures",
        expected=f"a report with at most {limits.FIGURES} figures",
        next_step="Read it in parts; a file of data has no sentences, `kg load` reads its columns",
    )


class _Finder:
    """The state of one search."""

    def __init__(
        self, report: ReportText, units: UnitTable, names: NamesInText | None, deadline: ReadingDeadline
    ) -> None:
        self._report, self._units, self._names, self._deadline = report, units, names, deadline
        self._reader = UnitReader(units)
        self._cells = CellUnits(self._reader)
        self._scales = TableScales()
        self._amounts = AmountReader(self._reader)
        self._viewer = Viewer(report)
        self._marks = [mark.start for mark in report.marks]
        has_commas = _DECIMAL_COMMAS.search(report.text) is not None
        self._groups_by_points = has_commas and _DECIMAL_POINTS.search(report.text) is None

    def find(self) -> list[ReportFigure]:
        found: list[ReportFigure] = []
        self._cells.note_headers(self._report)
        self._scales.note_leads(self._report, self._report.blocks)
        for block in self._report.blocks:
            for start, end in _windows(self._report.text, block.start, block.end):
                self._deadline.check(start)
                if _WRITTEN.search(self._report.text, start, end):
                    found += self._in_window(block, self._viewer.view(start, end), (start, end))
                if len(found) > limits.FIGURES:
                    raise _too_many(start)
        found += self._in_marks({figure.start for figure in found})
        return sorted(found, key=lambda figure: (figure.start, figure.end))

    def _in_window(self, block: Block, view: BlockView, window: tuple[int, int]) -> Iterator[ReportFigure]:
        text = _ENDLESS.sub(lambda match: _FILLED * len(match.group()), view.text)
        for run in _ENDLESS.finditer(view.text):  # no words: encoded data, or an attack on the patterns
            for match in re.finditer(r"\d+", run.group()):
                start, end = view.span(run.start() + match.start(), run.start() + match.end())
                printed = self._report.text[start:end]
                yield ReportFigure(start, end, printed, None, None, None, "absolute", block, "code")
        # in this order: of masks that overlap, the first gives the reason
        masks = Masks([*regions(text, block), *self._named(text), *name_regions(text), *self._code(window, view)])
        text = self._viewer.flowing(text)
        for amount in self._amounts.amounts(text, masks):
            start, end = view.span(amount.start, amount.end)
            # what no mask covers has an exponent beyond all amounts
            reason = (masks.reason(amount.start, amount.end) or "code") if amount.letter == "masked" else None
            if reason is None and _is_data(amount, block, text):
                reason = "code"
            yield self._figure(amount, block, text, (start, end), reason)

    def _figure(
        self, amount: FigureInView, block: Block, text: str, span: tuple[int, int], reason: str | None
    ) -> ReportFigure:
        start, end = span
        printed = self._report.text[start:end]
        if reason is None and self._is_of_heading(amount, block, text):
            reason = "heading"
        unit = amount.unit
        if unit is None and reason is None and block.cell is not None and amount.currency is None:
            unit = self._cells.unit(block.cell)
        if reason is not None:
            return ReportFigure(start, end, printed, None, None, None, "absolute", block, reason)
        scale = self._scale(amount, block, text, unit)
        factor = self._factor(amount, scale)
        if unit == "FLOP/s" and amount.value * factor >= _MOST_RATE:
            unit = "FLOP"
        relation = relation_of(text, amount.start, max(amount.end, amount.unit_end), unit)
        value = amount.value * factor if amount.low is None else (amount.low * factor, amount.value * factor)
        number = (
            None if not factor else _number(text[amount.start : amount.end], value, unit, amount.hedge, self._units)
        )
        words = None if scale is None else scale.words
        return ReportFigure(
            start, end, printed, number, unit, amount.hedge, relation, block, None, words, amount.currency
        )

    def _factor(self, amount: FigureInView, scale: PrintedScale | None) -> int:
        """What the digits of a figure are multiplied by: the scale of its table, and thousands where a point groups digits."""
        factor = 1 if scale is None else scale.factor
        return factor * 1000 if self._groups_by_points and _GROUPED_BY_POINTS.fullmatch(amount.digits) else factor

    def _is_of_heading(self, amount: FigureInView, block: Block, text: str) -> bool:
        """Whether a figure names a column, is a number word of a heading, or says a scale, so that it is no value."""
        is_header = block.cell is not None and block.cell.is_header
        is_worded = block.kind == "heading" and amount.letter == "word" and amount.unit != "1"
        return is_header or is_worded or self._scales.says_scale(block, text, amount.start, amount.end)

    def _scale(self, amount: FigureInView, block: Block, text: str, unit: str | None) -> PrintedScale | None:
        """The scale that the table of a cell gives a figure whose own print has none."""
        if block.cell is None or unit in _UNSCALED_UNITS or _OWN_SCALE.search(text, amount.start, amount.end):
            return None
        return self._scales.of(block.cell, is_amount=unit is None or unit in _MONEY)

    def _named(self, text: str) -> list[Span]:
        if self._names is None:
            return []
        spans: list[Span] = []
        for name in self._names.scan(text):
            if re.search(r"\d", text[name.start : name.end]):
                kinds = {self._names.class_of(one) for one in name.ids}
                reason = "model-name" if "model" in kinds else "round-name" if "round" in kinds else "product-name"
                led = _LED.match(text, name.start, name.end)
                spans.append((led.end() if led else name.start, name.end, reason))
        return spans

    def _code(self, window: tuple[int, int], view: BlockView) -> list[Span]:
        """Inline code of a stretch of a block, in its view."""
        spans: list[Span] = []
        first, last = (bisect_left(self._marks, at) for at in window)
        # a mark that begins before the stretch may reach into it
        if first and self._report.marks[first - 1].end > window[0]:
            first -= 1
        for mark in self._report.marks[first:last]:
            if mark.kind == "code":
                left = bisect_right(view.positions, mark.start - 1)
                spans.append((left, bisect_right(view.positions, mark.end - 1), "code"))
        return spans

    def _in_marks(self, known: set[int]) -> Iterator[ReportFigure]:
        """Numerals inside of what no reader sees: addresses, attributes, comments."""
        blocks = self._report.blocks
        starts = [block.start for block in blocks]
        for mark in self._report.marks:
            if mark.kind == "code":
                continue
            at = max(0, bisect_right(starts, mark.start) - 1)
            for match in re.finditer(r"\d[\d,.]*(?<![,.])", self._report.text[mark.start : mark.end]):
                start = mark.start + match.start()
                if blocks and start not in known:
                    reason = "link" if mark.kind == "link" else "code"
                    end = mark.start + match.end()
                    yield ReportFigure(start, end, match.group(), None, None, None, "absolute", blocks[at], reason)


def _is_data(amount: FigureInView, block: Block, text: str) -> bool:
    """Whether a figure is one of many bare numbers: no word near it says what it could be of."""
    if amount.unit is not None or block.cell is not None:
        return False
    start, end = max(0, amount.start - _FAR), amount.end + _FAR
    return _LETTER.search(text, start, end) is None and len(_DIGITS.findall(text, start, end)) > _MANY


def _number(
    printed: str, value: Fraction | tuple[Fraction, Fraction], unit: str | None, hedge: str | None, units: UnitTable
) -> PrintedNumber | None:
    is_order = isinstance(value, tuple) and value[1] >= 10 * value[0] and not any(map(str.isdigit, printed))
    shape: Shape | None = "magnitude" if is_order else None  # "exascale": from one of it to a thousand
    try:
        return printed_with_value(printed, value, unit=unit, hedge=hedge, shape=shape, table=units)
    except ModelError:
        return None
