"""The scale of the figures of a table that their cells do not print: "in thousands", "$ millions", "(000s)".

A header says it of its column or row, the paragraph or caption that leads to a table of all its amounts. Two headers that
say different scales leave the value open: nothing is guessed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from unicodedata import normalize

from kg.model.inserted_scale import SCALE_WORDS
from kg.reading.text import Block, Cell, ReportText

_POWERS: Final = {
    **SCALE_WORDS,
    "k": 3,
    "m": 6,
    "mn": 6,
    "mm": 6,
    "bn": 9,
    "b": 9,
    "t": 12,
}
_MONEY: Final = r"(?:US\$|[$€£¥]|USD|EUR|RMB|CNY|U\.?S\.? dollars?|dollars?|euros?|yuan)"
_WORDS: Final = rf"(?P<word>{'|'.join(SCALE_WORDS)})s?"
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
# meets ", thousands" and " in $ millions" at the end of a header; not "million tokens" within it
_TAIL: Final = re.compile(
    rf"(?:,\s*|\s[-–—:]\s|\s(?={_MONEY}\s)|\s(?=in\s))"
    rf"(?P<tail>(?:{_MONEY}\s*)?(?:in\s+)?{_WORDS}(?:\s+of\s+{_MONEY})?|{_MONEY}\s?(?P<letter>k|mm?|mn|bn?))\s*$",
    re.IGNORECASE,
)
"""What it says at its end."""
_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
# meets "(in thousands)" and "Amounts in $ millions"; not "in thousands of tests"
_LEAD: Final = re.compile(
    rf"(?:^|[(\[]|\b(?:amounts?|figures|values|numbers|dollars?|revenues?|shipments|units|sales|{_MONEY})\s(?:are\s)?)"
    rf"\s*(?P<scale>(?:all\s)?(?:(?:amounts?|figures|values|numbers)\s(?:are\s)?)?(?:{_MONEY}\s*)?in\s+(?:{_MONEY}\s*)?{_WORDS})"
    rf"(?P<of>\s+of\s+(?:{_MONEY}|units)|\s+(?:{_MONEY}|units))?\s*(?=$|[,;.:)\]]|\s(?:except|excluding|unless)\b)",
    re.IGNORECASE,
)
"""What leads to a table and says the scale of all its amounts; "in thousands of tests" says none."""
_UNSCALED: Final = re.compile(
    r"%|\bper\b|/|\b(?:percent|percentage|share|ratio|margin|growth|change|year|date|rank|version|index)\b|[x×]$",
    re.IGNORECASE,
)
"""Columns and rows that a scale of all amounts does not hold for: rates, parts, years."""
_EXCEPT: Final = re.compile(
    r"\b(?:except(?:ing)?|excluding|other\sthan)(?:\sfor)?\s+(?P<what>[^.;:()\[\]]+)", re.IGNORECASE
)
_NEXT_EXCEPTED: Final = re.compile(r",|\b(?:and|or)\b")
_NO_SUBJECT: Final = frozenset(
    ["amount", "data", "figure", "indicated", "number", "noted", "otherwise", "stated", "value", "where"]
)
"""Words behind "except" that name nothing: "except where otherwise noted", "except per-share data"."""
_LED_IN: Final = re.compile(rf"(?:\bin\s+(?:{_MONEY}\s*)?|[$€£¥]\s?)$", re.IGNORECASE)
_OF_SOMETHING: Final = re.compile(rf"\s+of\s+(?!{_MONEY}|units\b)", re.IGNORECASE)
_MOST_LEAD: Final = 300
_MOST_HEADER: Final = 400


class PrintedScale(NamedTuple):
    """A factor, and the words that print it."""

    factor: int
    words: str


class _Lead(NamedTuple):
    """What leads to a table says of all its amounts, and the stems of what it excepts."""

    scale: PrintedScale
    excepted: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class TableScales:
    """Remembers what leads to each table, and the scale of each header."""

    _leads: dict[int, _Lead] = field(default_factory=dict)
    _leading: set[int] = field(default_factory=set)
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
                    self._leading.add(last.start)
                last = None

    def says_scale(self, block: Block, text: str, start: int, end: int) -> bool:
        """Whether words of a block, from ``start`` to ``end`` in code points of its text, are the scale of the table below."""
        if block.start not in self._leading or text[start:end].lower().rstrip("s") not in _POWERS:
            return False
        led = _LED_IN.search(text[max(0, start - 20) : start])
        return led is not None and _OF_SOMETHING.match(text, end) is None

    def of(self, cell: Cell, *, is_amount: bool) -> PrintedScale | None:
        """The scale of a figure that prints none; a factor of 0 where two headers contradict each other.

        What leads to the table counts only for an amount: a figure of money, or without a unit. What a row says does not
        hold for the rates and years of its columns.
        """
        rows = () if any(map(_is_unscaled, cell.column_headers)) else cell.row_headers
        said = {found for header in (*cell.column_headers, *rows) if (found := self._of(header)) is not None}
        # a factor of nothing leaves the value open where two headers contradict each other
        if len({one.factor for one in said}) > 1:
            return PrintedScale(0, " against ".join(sorted(one.words for one in said)))
        if said:
            return min(said)
        lead = self._leads.get(cell.table)
        if lead is None or not is_amount:
            return None
        named = [*cell.column_headers, *cell.row_headers]
        if any(_is_unscaled(header) or _is_excepted(header, lead) for header in named):
            return None
        return lead.scale

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
    inside = [
        part.strip() for one in _BRACKETS.findall(header) for part in (one, *re.split(r"[,;]\s*|\s+(?=except\b)", one))
    ]
    patterns = (*_INSIDE, _LETTER) if _COUNTED.search(_BRACKETS.sub("", header)) else _INSIDE
    for part in inside:
        for pattern in patterns:
            if (match := pattern.fullmatch(part)) is not None:
                return _scale(match, part)
    tail = _TAIL.search(_BRACKETS.sub("", header).rstrip())
    return None if tail is None else _scale(tail, tail["tail"])


def _of_lead(text: str) -> _Lead | None:
    line = " ".join(text.split()).strip("*_ ")
    match = _LEAD.search(line)
    if match is None:
        return None
    behind = _EXCEPT.search(line, match.end())
    phrases = () if behind is None else _NEXT_EXCEPTED.split(behind["what"])
    excepted = (
        frozenset(_stems(phrase)) - _NO_SUBJECT for phrase in phrases if not phrase.strip().lower().startswith("per")
    )
    return _Lead(_scale(match, match["scale"] + (match["of"] or "")), tuple(one for one in excepted if one))


def _stems(words: str) -> Iterable[str]:
    return (word.removesuffix("s") for word in re.findall(r"[^\W\d_]{3,}", words.lower()))


def _is_excepted(header: str, lead: _Lead) -> bool:
    """Whether a header names all that some phrase behind "except" names: "Price ($)" after "except prices"."""
    stems = frozenset(_stems(header[:_MOST_HEADER])) if lead.excepted else frozenset()
    return any(phrase <= stems for phrase in lead.excepted)


def _is_unscaled(header: str) -> bool:
    return _UNSCALED.search(header.strip()[:_MOST_HEADER]) is not None


def _scale(match: re.Match[str], words: str) -> PrintedScale:
    named = match.groupdict()
    if named.get("power"):
        power, words = int(normalize("NFKC", named["power"])), words.removesuffix(named["unit"] or "")
    else:
        power = 3 if named.get("zeros") else _POWERS[(named.get("word") or named["letter"]).lower()]
    return PrintedScale(10**power, words.strip())
