"""Finds every figure of a report, in prose and in cells, and says of each whether it is a claim or why it is none."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Protocol

from kg.errors import ModelError
from kg.model.printed import HEDGE_WORDS, PrintedNumber, printed_with_value
from kg.model.units import UnitTable
from kg.reading.cell_units import CellUnits
from kg.reading.figure import ReportFigure
from kg.reading.nearby_units import UnitReader
from kg.reading.not_claims import Span, name_regions, regions
from kg.reading.relations import relation_of
from kg.reading.text import Block, ReportText
from kg.reading.view import BlockView, Viewer

_DIGITS: Final = r"(?:\d{1,3}(?:[,\u202f\u00a0]\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?)"
_POWER: Final = r"(?:[eE][+-]?\d{1,3}(?![A-Za-z\d])|\s?[x×*·]\s?10\s?\^?\s?[-−+]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻]{1,3})?"
_AMOUNT: Final = re.compile(
    rf"(?P<currency>(?:US\$|[$€£¥]|\b(?:USD|RMB|CNY)(?=[\s\d]))\s?)?(?P<digits>{_DIGITS}|(?<![\w.])\.\d+){_POWER}"
)
_SCALE: Final = re.compile(
    r"(?P<gap>[ \u00a0\u202f-]?)(?P<scale>hundred|thousand|million|billion|trillion|Million|Billion|Trillion|Thousand|bn|mn)(?![A-Za-z])"
)
_SCALE_LETTER: Final = re.compile(r"(?P<scale>[kKMBTbm])(?P<plus>\+?)(?![A-Za-z0-9/])")
_FACTORS: Final = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "k": 3, "K": 3, "M": 6, "m": 6, "mn": 6,
                   "B": 9, "b": 9, "bn": 9, "T": 12, "万": 4, "亿": 8}  # fmt: off
_TIMES: Final = re.compile(r"\s?(?:[x×X](?![A-Za-z0-9])|[x×](?=er\b)|-?fold\b|[ -]times\b(?! (?:as )?(?:a|per) )|倍)")
_COUNTED: Final = re.compile(r"\s?[x×*]\s?(?=[A-Z\d])")
_RANGE: Final = re.compile(r"\s*(?:[-–—~‑−]|\bto\b|\bthrough\b)\s*(?:about |around |~|≈)?")
_AND: Final = re.compile(r"\s+and\s+")
_HEDGE: Final = re.compile(
    rf"(?<![\w-])(?P<hedge>{'|'.join(re.escape(word) for word in sorted(HEDGE_WORDS, key=len, reverse=True))})\s*(?:(?:an?|the|by|to|approximately)\s+)?$",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"(?<![\w)\]%.])[-−+]$")
_PARAMETERS: Final = re.compile(
    r"[\s-]*(?:parameters?|params?|dense|MoE|models?|LLMs?|active|activated|total param)\b", re.IGNORECASE
)
_CURRENCY: Final = {"$": "USD", "US$": "USD", "USD": "USD", "¥": "CNY", "RMB": "CNY", "CNY": "CNY"}


class NamesInText(Protocol):
    """What knows the names of things (`kg.reading.known_names`)."""

    def scan(self, text: str, start: int = 0, end: int | None = None) -> Sequence["NamedSpan"]:
        """Every name of a text, in order, none inside another."""

    def class_of(self, identifier: str) -> str:
        """What kind of thing an id stands for."""


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


@dataclass(frozen=True, slots=True)
class _FigureInView:
    """A figure in a view: the stretch that is printed as one, its value, and what was read beside it."""

    start: int
    end: int
    digits: str
    value: Fraction
    unit: str | None = None
    unit_end: int = 0
    low: Fraction | None = None
    hedge: str | None = None
    letter: str = ""


def find_figures(report: ReportText, units: UnitTable, names: NamesInText | None = None) -> list[ReportFigure]:
    """All figures of a report in the order of the text.

    A figure in an address, code or another mark is given with its reason, like one in a date or in a name.
    """
    return _Finder(report, units, names).find()


class _Finder:
    """The state of one search."""

    def __init__(self, report: ReportText, units: UnitTable, names: NamesInText | None) -> None:
        self._report, self._units, self._names = report, units, names
        self._reader = UnitReader(units)
        self._cells = CellUnits(self._reader)
        self._viewer = Viewer(report)

    def find(self) -> list[ReportFigure]:
        found: list[ReportFigure] = []
        for block in self._report.blocks:
            if re.search(r"\d|[^\W\d_]", self._report.text[block.start : block.end]):
                found += self._in_block(block, self._viewer.view(block.start, block.end))
        found += self._in_marks({figure.start for figure in found})
        return sorted(found, key=lambda figure: (figure.start, figure.end))

    def _in_block(self, block: Block, view: BlockView) -> Iterator[ReportFigure]:
        text = view.text
        masks = _Masks([*regions(text, block), *self._named(text), *name_regions(text), *self._code(block, view)])
        for amount in self._amounts(text, masks):
            start, end = view.span(amount.start, amount.end)
            reason = masks.reason(amount.start, amount.end) if amount.letter == "masked" else None
            yield self._figure(amount, block, text, (start, end), reason)

    def _figure(
        self, amount: _FigureInView, block: Block, text: str, span: tuple[int, int], reason: str | None
    ) -> ReportFigure:
        start, end = span
        printed = self._report.text[start:end]
        if reason is None and block.cell is not None and block.cell.is_header:
            reason = "heading"
        unit = amount.unit
        if unit is None and reason is None and block.cell is not None:
            unit = self._cells.unit(block.cell)
        if reason is not None:
            return ReportFigure(start, end, printed, None, None, None, "absolute", block, reason)
        relation = relation_of(text, amount.start, max(amount.end, amount.unit_end), unit)
        value = amount.value if amount.low is None else (amount.low, amount.value)
        number = _number(text[amount.start : amount.end], value, unit, amount.hedge, self._units)
        return ReportFigure(start, end, printed, number, unit, amount.hedge, relation, block, None)

    def _named(self, text: str) -> list[Span]:
        if self._names is None:
            return []
        spans: list[Span] = []
        for name in self._names.scan(text):
            if re.search(r"\d", text[name.start : name.end]):
                kinds = {self._names.class_of(one) for one in name.ids}
                reason = "model-name" if "model" in kinds else "round-name" if "round" in kinds else "product-name"
                spans.append((name.start, name.end, reason))
        return spans

    def _code(self, block: Block, view: BlockView) -> list[Span]:
        """Inline code of a block, in its view."""
        spans: list[Span] = []
        for mark in self._report.marks:
            if mark.kind == "code" and block.start <= mark.start < block.end:
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

    def _amounts(self, text: str, masks: "_Masks") -> list[_FigureInView]:
        """The figures of a view in order, ranges as one, masked numerals apart."""
        amounts: list[_FigureInView] = []
        for match in _AMOUNT.finditer(text):
            start, end = match.span("digits")
            if masks.reason(start, end) is not None:
                amounts.append(_FigureInView(start, end, match["digits"], Fraction(0), letter="masked"))
                continue
            amount = self._amount(text, match)
            last = amounts[-1] if amounts else None
            joined = last and last.letter != "masked" and self._joined(text, last, amount)
            if joined:
                amounts[-1] = joined
            else:
                amounts.append(amount)
        return amounts

    def _amount(self, text: str, match: re.Match[str]) -> _FigureInView:
        """A figure with sign, currency, scale and unit."""
        start, end = match.span()
        currency = (match["currency"] or "").strip()
        factor = Fraction(1)
        if (scale := _SCALE.match(text, end)) is not None:
            factor, end = Fraction(10 ** _FACTORS[scale["scale"].lower()]), scale.end()
        letter = _SCALE_LETTER.match(text, end) if scale is None else None
        unit, unit_end = self._unit(text, end, letter, currency)
        if letter is not None and (
            unit is None or unit.startswith(("count", "parameter", "token")) or currency or letter["scale"] in "kKM"
        ):
            factor, end = Fraction(10 ** _FACTORS[letter["scale"]]), letter.end("scale")
        value = _value(match["digits"], match.group()[match.end("digits") - match.start() :]) * factor
        before = text[max(0, start - 24) : start]
        if (sign := _SIGN.search(before)) is not None:
            start -= 1
            value = -value if sign.group() != "+" else value
        if unit_end > end and not text[end:unit_end][:1].isspace() and text[end : end + 1] != "-":
            attached = re.match(r"[^\s,;)(\]]+", text[end:unit_end])
            end += attached.end() if attached else 0
        hedge = _hedge(text, start, max(end, unit_end))
        return _FigureInView(
            start, end, match["digits"], value, unit, unit_end, None, hedge, letter["scale"] if letter else ""
        )

    def _unit(self, text: str, end: int, letter: re.Match[str] | None, currency: str) -> tuple[str | None, int]:
        """The unit beside a figure and where its words end."""
        if currency:
            return self._money(text, letter.end() if letter else end, currency)
        if (times := _TIMES.match(text, end)) is not None and not (
            (counted := _COUNTED.match(text, end)) and self._reader.thing_after(text, counted.end())
        ):
            return "1", times.end()
        if (counted := _COUNTED.match(text, end)) is not None:
            return "count:gpu", counted.end()
        if letter is not None:
            return self._scaled(text, letter)
        gap = re.match(r"[ \u00a0\u202f]?(?:-(?=[A-Za-z]))?", text[end : end + 2])
        at = end + (gap.end() if gap else 0)
        if (near := self._reader.after(text, at, attached=at == end)) is not None:
            return near.unit, near.end
        if (thing := self._reader.thing_after(text, end)) is not None:
            return thing.unit, thing.end
        return None, end

    def _scaled(self, text: str, letter: re.Match[str]) -> tuple[str | None, int]:
        """The unit after a figure with a letter: 405B parameters, 15T tokens, 128K context, 80G of memory."""
        end = letter.end()
        gap = re.match(r"[\s-]*", text[end : end + 2])
        near = self._reader.after(text, end + (gap.end() if gap else 0), attached=False)
        if near is not None:
            return near.unit, near.end
        if letter["scale"] in "BbMmT" and _PARAMETERS.match(text, end):
            return "parameter", end
        if letter["scale"] in "kK" and re.match(r"[\s-]*(?:context|sequence|long|seq)", text[end : end + 12]):
            return "token", end
        if (thing := self._reader.thing_after(text, end)) is not None:
            return thing.unit, thing.end
        return ("parameter", end) if letter["scale"] in "Bb" else (None, end)

    def _money(self, text: str, end: int, currency: str) -> tuple[str | None, int]:
        unit = _CURRENCY.get(currency)
        rest = re.match(
            r"(?:\s?(?:/|per\b|a\b)\s?(?:1\s?)?(?:million tokens|M tokens|[A-Za-z]+)){1,3}", text[end : end + 60]
        )
        if unit is None or rest is None:
            return unit, end
        for below in re.findall(r"(?:/|per\b|a\b)\s?(?:1\s?)?(million tokens|M tokens|[A-Za-z]+)", rest.group()):
            found = self._reader.unit_of(unit, (below,))
            if found is not None and found != unit:
                return found, end + rest.end()
        return unit, end

    def _joined(self, text: str, left: _FigureInView, right: _FigureInView) -> _FigureInView | None:
        """Two figures as one range, if they are one."""
        between = text[max(left.end, left.unit_end if left.unit != right.unit else left.end) : right.start]
        sign = right.start < len(text) and text[right.start] in "-−" and between.strip() == ""
        start = right.start + 1 if sign else right.start
        between = text[left.end : start] if sign else between
        if _RANGE.fullmatch(between) is None and not (
            _AND.fullmatch(between)
            and re.search(r"\bbetween\s+(?:about |around )?$", text[max(0, left.start - 20) : left.start])
        ):
            return None
        if "to" in between and re.search(
            r"\bfrom\s+(?:about |around |just |an? |the |over |nearly |roughly |~)?$",
            text[max(0, left.start - 16) : left.start],
        ):
            return None
        high = -right.value if sign else right.value
        low = left.value
        if left.unit not in (None, right.unit) and not (left.unit or "").startswith("count"):
            return None
        if not left.letter and right.letter or (left.unit is None and low < high / 500):
            low *= high / _plain(right.digits) if _plain(right.digits) else 1
        if not low < high:
            return None
        return replace(right, start=left.start, value=high, low=low, hedge=left.hedge or right.hedge)


class _Masks:
    """Stretches of a view whose figures claim nothing; of those that overlap the first given speaks."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = list(spans)

    def reason(self, start: int, end: int) -> str | None:
        """Why a figure claims nothing, if it stands in one of them."""
        return next((why for left, right, why in self._spans if left < end and start < right), None)


def _plain(digits: str) -> Fraction:
    return Fraction(Decimal(re.sub(r"[,\u202f\u00a0]", "", digits)))


def _value(digits: str, power: str) -> Fraction:
    value = _plain(digits)
    if not power:
        return value
    exponent = re.sub(r"[^\d-]", "", power.translate(_SUPERSCRIPTS).partition("10")[2] or power[1:])
    if not exponent.strip("-") or abs(int(exponent)) > 90:
        return value
    return value * Fraction(10) ** int(exponent)


_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def _hedge(text: str, start: int, end: int) -> str | None:
    if (match := _HEDGE.search(text, max(0, start - 24), start)) is not None:
        return HEDGE_WORDS[match["hedge"].lower()]
    return "at-least" if text[end : end + 1] == "+" and not text[end + 1 : end + 2].isalnum() else None


def _number(
    printed: str, value: Fraction | tuple[Fraction, Fraction], unit: str | None, hedge: str | None, units: UnitTable
) -> PrintedNumber | None:
    try:
        return printed_with_value(printed, value, unit=unit, hedge=hedge, table=units)
    except ModelError:
        return None
