"""Units that a sentence gives a figure from elsewhere: from the figure it is set next to, or from the words before it."""

import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol

_BETWEEN: Final = re.compile(
    r"(?:[^.;:!?\n]{0,50}?[\s(,])?(?:to|vs\.?|versus|and|or|that is|i\.e\.,?|against|compared (?:to|with)|instead of|from|than|up from|down from|over|&|/|→|->|,)\s*(?:just|only|about|around|nearly|over|roughly|approximately|~|a|an|the)?\s*",
    re.IGNORECASE,
)
_OTHERS_SAY: Final = re.compile(
    r"\s?\((?:the\s)?(?:consensus|street|guidance|previously|earlier|was|from|vs\.?|versus)\b(?:\s\w+){0,2}:?\s(?:about\s)?",
    re.IGNORECASE,
)
"""Between an amount and what others say that it is, or what it was: shipments of 14.5 million (consensus: 13 million)."""
_LIST: Final = re.compile(r"\s*(?:,|/|,?\s*(?:and|or|to|vs\.?|versus|&))\s*(?:~|about )?")
_BEFORE: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), unit)
    for pattern, unit in (
        (
            r"\b(?:TP|PP|DP|EP|CP|SP)\s?(?:=|of|:)\s?(?:size )?$|\b(?:tensor|pipeline|data|context|expert|sequence)[- ]parallel(?:ism)?(?: (?:size|degree))?\s?(?:=|of|:)\s?$",
            "count:gpu",
        ),
        (
            r"\b(?:seq(?:uence)?|context) ?-?(?:len(?:gth)?|window)(?: \w+){0,2}? ?(?:=|of|is|was|:|at|to|up to)\s?$",
            "token",
        ),
        (r"\b(?:input|output|prompt|ISL|OSL)(?: (?:length|size|of))?\s?[=:]?\s?$", "token"),
        (
            r"\b(?:token count|tokens|number of tokens) ?(?:=|of|:|is|reach\w*)\s?$|\b(?:input|output|prompt|generation|prefill|decode)[ _-](?:seq(?:uence)?[ _-])?len(?:gth)?s?(?: of)?\s?[:=(]?\s?[\[(]?$",
            "token",
        ),
        (
            r"\b(?:hidden |reduction |head |model |embedding )?dim(?:ension)?s?(?: size)?(?: will| would)?(?: instead)? ?(?:=|of|is|be|:)\s?$",
            "count:dimension",
        ),
        (
            r"\b(?:global |micro |mini )?batch[ -]?sizes?(?:(?: \w+)? ?(?:=|of|is|are|:|to)\s?\[?| )$",
            "count:sample",
        ),
        (
            r"\bnumber of (?:total |active |activated )?param(?:eter)?s ?(?:=|of|is|:|to)?\s?$|\bparameters? (?:[\w-]+ ){0,4}(?:from|to|of|reach\w*)\s?$",
            "parameter",
        ),
        (
            r"\b(?:shipments|deliveries|unit sales|unit volumes?)(?: (?:will|should|may|could))? (?:of|to|at|near|reach\w*|total\w*|were|was|are)\s?$",
            "count:unit",
        ),
        (
            r"\b(?:pooling|GPU|world size|domain)[\w ]{0,20} (?:factor|size|count) (?:\w+ )?(?:from|to|of|is|=)\s?$",
            "count:gpu",
        ),
    )
)
_AFTER: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        re.compile(r"[\s-]+(?:seq(?:uence)?[- ]len(?:gth)?|context (?:length|window|size)|seq len)", re.IGNORECASE),
        "token",
    ),
    (
        re.compile(
            r"[\s-]+(?:(?:[A-Z]+\d+|input|output|training|total|generated|prompt|text|\w+-precision)\s+){1,2}tokens?\b"
        ),
        "token",
    ),
    (
        re.compile(
            r"\s(?:total|active|activated)(?:\s(?:and|or)\s[^.;,]{1,30}?\s(?:total|active|activated))?\s(?:parameters|params)\b"
        ),
        "parameter",
    ),
    (re.compile(r"[\s-]*global batch size", re.IGNORECASE), "count:sample"),
    (re.compile(r"[\s-](?:input|output|prompt|in|out)\b(?=\s*(?:,|/|and\s\d|[.;)]|$))"), "token"),
)
_SETTING: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+=$")
_NUMBER_OF: Final = re.compile(
    r"\bnumber of (?:[\w-]+ ){0,2}?(?P<noun>[a-z]+s)\b[^.;:!?]{0,30}?(?:\(|=|:|is |of |to |from |reach\w* )\s?$",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"\bfrom\s*(?:just|only|about)?\s*$", re.IGNORECASE)
_TO_ANOTHER: Final = re.compile(r"\s*to\s[^.;%]{0,12}\d[\d.,]*\s*(?!%)", re.IGNORECASE)
_MONTHLY: Final = re.compile(r"\bmonthly\b[^.;!?\n]{0,70}$|\bper month\b[^.;!?\n]{0,40}$", re.IGNORECASE)
_HOURLY: Final = re.compile(r"\bhourly\b[^.;!?\n]{0,70}$", re.IGNORECASE)
_DAILY: Final = re.compile(r"\bdaily\b[^.;!?\n]{0,70}$", re.IGNORECASE)
_YEARLY: Final = re.compile(
    r"\b(?:annual(?:ly)?|yearly|year-over-year|YoY|CAGR|compound)\b[^.;!?\n]{0,12}\b(?:rate|growth|increase|CAGR)\b[^.;!?\n]{0,30}$|\bCAGR\b[^.;!?\n]{0,20}$",
    re.IGNORECASE,
)
_BANDWIDTH: Final = re.compile(r"\bbandwidth\b", re.IGNORECASE)
_SET_AGAINST: Final = re.compile(
    r"\b(?:against|vs\.?|versus|compared (?:to|with)|up from|down from)\s*(?:just|only|about|around|nearly|roughly)?\s*$",
    re.IGNORECASE,
)
_ENDS_SENTENCE: Final = re.compile(r"(?<!\bvs)[.;!?]\s|\n\s*\n")
_MONEY: Final = frozenset({"USD", "CNY"})
_SUMS_UP: Final = re.compile(r"\b(?:com|amount|add|equal|equat|translat|work|total|sum)\w*\b", re.IGNORECASE)
_PART_OF: Final = re.compile(r"\s(?:out\s)?of\s(?:the\s|our\s|its\s|their\s|all\s|these\s|those\s)*")
"""Between a part and the whole that says what is counted: 14 of our 72 GPUs."""
_RATE_GOES_ON: Final = re.compile(r"[^.;:!?\n]{0,40}\b(?:to|from|vs\.?|versus|and|than|at)\s*(?:just|only|about)?\s*")
_PER_TIME: Final = {
    ("USD", "month"): "USD/month",
    ("CNY", "month"): "CNY/month",
    ("USD", "h"): "USD/h",
    ("USD", "day"): "USD/day",
}


class FigureWithUnit(Protocol):
    """A figure of a view."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it has ended."""

    @property
    def unit(self) -> str | None:
        """Its unit, if one is printed next to it."""

    @property
    def unit_end(self) -> int:
        """Where the words of its unit have ended."""

    @property
    def letter(self) -> str:
        """The scale letter it is printed with."""

    @property
    def currency(self) -> str | None:
        """A currency that is no unit, if it is printed with one: then no other figure gives it a unit."""


Thing = Callable[[str, int], str | None]
"""What counts "number of NOUN": the unit of a noun that begins at a position."""


def implied_units(text: str, figures: Sequence[FigureWithUnit], thing: Thing) -> list[str | None]:
    """The unit of each figure, with what its sentence implies where none is printed next to it."""
    units = [_sharper(text, figure) for figure in figures]
    for index, figure in enumerate(figures):
        if units[index] is None and not _is_closed(figure):
            units[index] = _from_words(text, figure, thing) or _rate_before(text, figures[:index], units, figure)
    before: int | None = None
    for index, figure in enumerate(figures):
        if _is_closed(figure):
            continue  # the number in a name stands between no two figures
        if before is not None:
            other = _compared(text, figures, before, figure)
            units[index] = _shared(text, figures[before], units[other], figure, units[index])
        before = index
    # from the end: a list prints its unit once, behind the last of its figures
    for index in range(len(figures) - 2, -1, -1):
        left, right = figures[index], figures[index + 1]
        is_open = units[index] is None and not (_is_closed(left) or _is_closed(right))
        if is_open and _is_listed_before(text, left, right, units[index + 1]):
            units[index] = units[index + 1]
    return units


def _rate_before(
    text: str, earlier: Sequence[FigureWithUnit], units: Sequence[str | None], figure: FigureWithUnit
) -> str | None:
    """The rate that a figure without a word of its own goes on with: sustained 5,940 tokens/s; a single card managed 1,560."""
    if _MANAGED.search(text[max(0, figure.start - 40) : figure.start]) is None or _ENDS.match(text, figure.end) is None:
        return None
    near = [at for at, one in enumerate(earlier) if figure.start - one.end < _FAR_RATE and not _is_closed(one)]
    return next((unit for at in reversed(near) if (unit := units[at]) is not None and unit.endswith("/s")), None)


_MANAGED: Final = re.compile(
    r"\b(?:managed|reached|hit|achieved|delivered|posted|scored|got|made|gave|did|saw|averaged|sustained)\s(?:about\s|only\s|just\s|around\s|nearly\s|over\s)?$"
)
_ENDS: Final = re.compile(r"\s?(?:[.;,)](?!\d)|$|\s(?:in|on|at|with|under|and|while|but)\b)")
_FAR_RATE: Final = 250
"""Code points beyond which a rate is not that of a figure any more."""


def _is_closed(figure: FigureWithUnit) -> bool:
    """Whether a figure neither takes a unit nor hands one on."""
    return figure.letter == "masked" or figure.currency is not None


def _compared(text: str, figures: Sequence[FigureWithUnit], before: int, figure: FigureWithUnit) -> int:
    """The figure that another one is set against: the one before, or of a sentence whose settings lie between ("2,840
    tokens/s at 8k input and 1k output, against 2,610") the last that prints its unit."""
    if figures[before].unit is not None or _SET_AGAINST.search(text[figures[before].end : figure.start]) is None:
        return before
    printed = (at for at in range(before - 1, -1, -1) if figures[at].unit is not None)
    at = next(printed, before)
    return before if _ENDS_SENTENCE.search(text[figures[at].end : figure.start]) else at


def _is_listed_before(text: str, left: FigureWithUnit, right: FigureWithUnit, unit: str | None) -> bool:
    """Whether a figure is one of a list, or a part of a count, whose unit the next figure has."""
    between = text[left.end : right.start]
    is_part = (unit or "").startswith("count:") and _PART_OF.fullmatch(between) is not None
    # NAME=1 is a setting, with any text after it
    is_setting = _SETTING.search(text[max(0, left.start - 40) : left.start]) is not None
    return (is_part or _LIST.fullmatch(between) is not None) and not is_setting


def _sharper(text: str, figure: FigureWithUnit) -> str | None:
    """A printed unit with the time that the sentence gives it: monthly rent, annual growth; a letter with what it scales."""
    unit = figure.unit
    before = text[max(0, figure.start - 90) : figure.start]
    if figure.letter == "T" and unit is None and _BANDWIDTH.search(text[max(0, figure.start - 40) : figure.end + 40]):
        return "TB/s"
    if unit in ("USD", "CNY"):
        for pattern, period in ((_MONTHLY, "month"), (_HOURLY, "h"), (_DAILY, "day")):
            if pattern.search(before) is not None:
                return _PER_TIME.get((unit, period), unit)
    if unit == "%" and _YEARLY.search(before) is not None:
        return "%/year"
    return unit


def _from_words(text: str, figure: FigureWithUnit, thing: Thing) -> str | None:
    before = text[max(0, figure.start - 60) : figure.start]
    for pattern, unit in _BEFORE:
        if pattern.search(before) is not None:
            return unit
    for pattern, unit in _AFTER:
        if pattern.match(text, figure.end) is not None:
            return unit
    if (match := _NUMBER_OF.search(before)) is not None:
        return thing(match["noun"], 0)
    return None


def _goes_on(text: str, between: str, unit: str, right: FigureWithUnit) -> bool:
    """Whether a figure without a unit has that of the one before it, from which `between` leads to it."""
    if between.strip() == "/" and re.match(r"\s*=", text[right.end : right.end + 8]):
        return False  # a division that is written out: what is divided by has no unit of the other
    if unit in ("%", "1") and _FROM.search(between) and _TO_ANOTHER.match(text, right.end):
        return False  # "40 %, from 400 to 500 tokens": a change is not what it changes
    if unit.startswith("cent/") and re.match(r"\s?cents?\b", text[right.end : right.end + 7]):
        return _RATE_GOES_ON.fullmatch(between) is not None
    # a small word behind a figure may be what it counts: then it needs no unit of another
    nothing_counted = re.match(r"\s*[a-z]", text[right.end : right.end + 3]) is None or re.match(
        r"\s*(?:for|in|on|at|by|with|when|while|and|or|to|of the|respectively|instead|per)\b",
        text[right.end : right.end + 16],
    )
    leads = _BETWEEN.fullmatch(between) is not None or _OTHERS_SAY.fullmatch(between) is not None
    return leads and bool(nothing_counted)


def _shared(text: str, left: FigureWithUnit, unit: str | None, right: FigureWithUnit, own: str | None) -> str | None:
    """The unit of the figure before where a joining word leads from it to this one."""
    if unit is None or unit == own:
        return own
    between = text[max(left.end, left.unit_end) : right.start]
    if own is None:
        return unit if _goes_on(text, between, unit, right) else None
    # a price often has its hour printed once ("from $2.10/h to $1.80"); data, work or power without a time are other quantities
    if (
        own in _MONEY
        and unit.startswith(f"{own}/")
        and _RATE_GOES_ON.fullmatch(between)
        and not _SUMS_UP.search(between)
    ):
        return unit
    return own
