"""The scale of the figures of a table that their cells do not print: "in thousands", "$ millions", "(000s)".

A header says it of its column or row, the paragraph or caption that leads to a table of all its amounts. Two headers that
say different scales leave the value open: nothing is guessed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from unicodedata import normalize

from kg.reading.text import Block, Cell, ReportText

_POWERS: Final = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "k": 3,
    "m": 6,
    "mn": 6,
    "mm": 6,
    "bn": 9,
    "b": 9,
    "t": 12,
}
_MONEY: Final = r"(?:US\$|[$€£¥]|USD|EUR|RMB|CNY|U\.?S\.? dollars?|dollars?|euros?|yuan)"
_WORDS: Final = r"(?P<word>thousand|million|billion|trillion)s?"
_INSIDE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_MONEY}\s*,?\s*)?(?:in\s+)?{_WORDS}(?:\s+(?:of\s+)?(?:{_MONEY}|units|GPUs|chips|accelerators|cards))?",
        rf"{_MONEY}\s?(?P<word>k|mm?|mn|bn?)",
        rf"(?:{_MONEY}\s?)?['’]?(?P<zeros>000)['’]?s?",
        r"(?:[x×]\s?10\s?\^?\s?|1e\+?)(?P<power>[\d⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})(?P<unit>\s?[A-Za-z][A-Za-z/]*)?",
    )
)
"""What a header says in brackets."""
_COUNTED: Final = re.compile(
    r"\b(?:param(?:eter)?s?|tokens?|transistors?|units|users|shipments|requests|queries)\b", re.IGNORECASE
)
_LETTER: Final = re.compile(r"(?P<word>[KMBT])")
"""In brackets behind something that is counted: "Parameters (B)"; elsewhere a letter is a unit."""
_TAIL: Final = re.compile(
    rf"(?:,\s*|\s[-–—:]\s|\s(?={_MONEY}\s)|\s(?=in\s))"
    rf"(?P<tail>(?:{_MONEY}\s*)?(?:in\s+)?{_WORDS}(?:\s+of\s+{_MONEY})?|{_MONEY}\s?(?P<letter>k|mm?|mn|bn?))\s*$",
    re.IGNORECASE,
)
"""What it says at its end."""
_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_LEAD: Final = re.compile(
    rf"(?:^|[(\[]|\b(?:amounts?|figures|values|numbers|dollars?|revenues?|shipments|units|sales|{_MONEY})\s(?:are\s)?)"
    rf"\s*(?P<scale>(?:all\s)?(?:(?:amounts?|figures|values|numbers)\s(?:are\s)?)?(?:{_MONEY}\s*)?in\s+(?:{_MONEY}\s*)?{_WORDS})"
    rf"(?P<of>\s+of\s+(?:{_MONEY}|units)|\s+(?:{_MONEY}|units))?\s*(?=$|[,;.:)\]])",
    re.IGNORECASE,
)
"""What leads to a table and says the scale of all its amounts; "in thousands of tests" says none."""
_UNSCALED: Final = re.compile(
    r"%|\bper\b|/|\b(?:percent|percentage|share|ratio|margin|growth|change|year|date|rank|version|index)\b|[x×]$",
    re.IGNORECASE,
)
"""Columns and rows that a scale of all amounts does not hold for: rates, parts, years."""
_MOST_LEAD: Final = 300
_MOST_HEADER: Final = 400


class PrintedScale(NamedTuple):
    """A factor, and the words that print it."""

    factor: int
    words: str


@dataclass(frozen=True, slots=True)
class TableScales:
    """Remembers what leads to each table, and the scale of each header."""

    _leads: dict[int, PrintedScale] = field(default_factory=dict)
    _known: dict[str, PrintedScale | None] = field(default_factory=dict)

    def note_leads(self, report: ReportText, blocks: Iterable[Block]) -> None:
        """Keep what the block before each table, or its caption, says of all its amounts."""
        last: Block | None = None
        for block in blocks:
            if block.cell is None:
                last = block
            elif last is not None and block.cell.table not in self._leads:
                found = _of_lead(report.text[max(last.start, last.end - _MOST_LEAD) : last.end])
                if found is not None:
                    self._leads[block.cell.table] = found
                last = None

    def of(self, cell: Cell, *, is_amount: bool) -> PrintedScale | None:
        """The scale of a figure that prints none; a factor of 0 where two headers contradict each other.

        What leads to the table counts only for an amount: a figure of money, or without a unit.
        """
        said = {
            found for header in (*cell.column_headers, *cell.row_headers) if (found := self._of(header)) is not None
        }
        if len({one.factor for one in said}) > 1:
            return PrintedScale(0, " against ".join(sorted(one.words for one in said)))
        if said:
            return min(said)
        lead = self._leads.get(cell.table)
        if lead is None or not is_amount:
            return None
        named = [*cell.column_headers, *cell.row_headers]
        return None if any(_UNSCALED.search(header.strip()[:_MOST_HEADER]) for header in named) else lead

    def _of(self, header: str) -> PrintedScale | None:
        if header not in self._known:
            self._known[header] = _of_header(header[:_MOST_HEADER])
        return self._known[header]


def without_scale(header: str) -> str:
    """A header without the words of its scale, which are no unit: "Revenue ($ in millions)" is in $.

    >>> without_scale("Revenue ($ in millions)"), without_scale("GPUs shipped, thousands"), without_scale("Power (W)")
    ('Revenue ($)', 'GPUs shipped', 'Power (W)')
    """
    found = _of_header(header)
    if found is None:
        return header
    money = re.search(_MONEY, found.words, re.IGNORECASE)
    before, _, after = header.rpartition(found.words)
    kept = f"{before}{money.group() if money else ''}{after}"
    return re.sub(r"\s*[(\[]\s*[)\]]|[,:–—-]\s*$", "", kept).strip()


def _of_header(header: str) -> PrintedScale | None:
    inside = [part.strip() for one in _BRACKETS.findall(header) for part in (one, *re.split(r"[,;]\s*", one))]
    patterns = (*_INSIDE, _LETTER) if _COUNTED.search(_BRACKETS.sub("", header)) else _INSIDE
    for part in inside:
        for pattern in patterns:
            if (match := pattern.fullmatch(part)) is not None:
                return _scale(match, part)
    tail = _TAIL.search(_BRACKETS.sub("", header).rstrip())
    return None if tail is None else _scale(tail, tail["tail"])


def _of_lead(text: str) -> PrintedScale | None:
    match = _LEAD.search(" ".join(text.split()).strip("*_ "))
    return None if match is None else _scale(match, match["scale"] + (match["of"] or ""))


def _scale(match: re.Match[str], words: str) -> PrintedScale:
    named = match.groupdict()
    if named.get("power"):
        power, words = int(normalize("NFKC", named["power"])), words.removesuffix(named["unit"] or "")
    else:
        power = 3 if named.get("zeros") else _POWERS[(named.get("word") or named["letter"]).lower()]
    return PrintedScale(10**power, words.strip())
