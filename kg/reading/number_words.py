"""Figures written as words: "twice", "tenfold", "two dies", "a third", "billions of tokens", "exascale", 三倍."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kg.errors import ModelError
from kg.model.amount import PARTS, cardinal
from kg.model.inserted_scale import SCALE_WORDS
from kg.model.printed import Value, read_printed
from kg.model.units import UnitTable
from kg.reading.relations import LESS, MORE

_ONES: Final = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SCALES: Final = "|".join(["hundred", *SCALE_WORDS])
_NUMBER: Final = rf"(?:(?:one|{_ONES}|(?:{_TENS})(?:-(?:one|{_ONES}))?)(?:[ -](?:{_SCALES}))?)"
_COUNTED: Final = (
    r"GPUs?|cards?|accelerators?|chips?|dies?|chiplets?|nodes?|servers?|racks?|pods?|cores?|CPUs?|TPUs?|transistors?|links?"
    r"|switches|trays?|stacks?|sockets?|layers|experts|clusters|superchips?|machines"
)
_TIME: Final = r"years?|months?|weeks?|days?|hours?|minutes?|seconds?|milliseconds?"
_FRACTIONS: Final = {"half": 2, **PARTS}
_FRACTION: Final = (
    r"(?:a|one|two|three|four|nine)[ -](?:thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)|half|one-half"
).replace(" ", r"\ ")
# one branch a form; bare number words are left out: "one of the two" and "for one thing" say
# nothing
_PATTERN: Final = re.compile(
    rf"""
      \bfactor\ of\ (?P<factor>{_NUMBER}|\d+(?:\.\d+)?)(?![\w.]\d|\s?[x×%])
    | (?<![\w-])(?P<fold>(?:{_NUMBER})-?fold)\b
    | (?<![\w-])(?P<times>{_NUMBER})\ times\b(?!\ (?:a|per|in|since|before|already)\b)
    | \b(?P<multiple>twice|thrice|doubl(?:es?|ed|ing)|tripl(?:es?|ed|ing)|quadrupl(?:es?|ed|ing)|halv(?:es?|ed|ing))\b
      (?![ -](?:precision|check\w*|edged|click\w*|buffer\w*|sided|blind|count\w*|digits?|down|quotes?|agents?|stars?|slot|width))
    | (?<![\w-])(?P<fraction>(?<=\bby\ )(?:{_FRACTION})(?![\w-])|(?:{_FRACTION})(?=\ (?:of|the|as|that|its|what|an?|{MORE}|{LESS})\b))
    | (?<![\w-])(?P<pair>dual|quad)[- ](?P<paired>die|GPU|chip|socket|card|CPU|node|GCD)\b
    | (?<![\w-])(?P<time>{_NUMBER})[ -](?:GPU[ -])?(?P<period>{_TIME})\b
    | (?<![\w-])(?P<count>(?!one\b){_NUMBER})(?:[ -](?!of\b|to\b|and\b|or\b)[\w-]{{1,40}}){{0,2}}?[ -](?P<counted>{_COUNTED})\b(?![ -]hours?\b)
    | (?<![\w-])(?P<magnitude>(?:(?:tens|dozens|hundreds|thousands|millions|billions|trillions)
        (?:\ (?:or|to|and)\ (?:tens|hundreds|thousands|millions|billions|trillions))?)
        (?:\sof\s(?:thousands|millions|billions|trillions))?)
      (?=\sof\s(?:[\w-]+\ ){{0,1}}(?:{_COUNTED}|tokens|parameters|dollars|USD|yuan|RMB|users|requests|queries)\b)
    | (?<![\w-])(?<!\d\s)(?<!lion\s)(?P<order>(?:peta|exa)(?:scale|flops?))\b
    | (?P<han>[一二两三四五六七八九十百千]+)\s?(?P<classifier>倍|张|块|颗|台|个月|年|天|小时|卡|节点)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "from two to three" is a change, and no range
_LOWER_END: Final = re.compile(rf"(?<![\w-])(?<!from\ )(?<!From\ )(?P<low>{_NUMBER})\ to\ $")
_LARGE: Final = {"tens": 1, "dozens": 1, "hundreds": 2, "thousands": 3, "millions": 6, "billions": 9, "trillions": 12}
_HAN: Final = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000}
_HAN_UNITS: Final = {
    "倍": "1",
    "张": "count:gpu",
    "块": "count:gpu",
    "卡": "count:gpu",
    "颗": "count:chip",
    "台": "count:server",
    "个月": "month",
    "年": "year",
    "天": "day",
    "小时": "h",
    "节点": "count:node",
}
_ROOTS: Final = {"twice": 2, "thrice": 3, "doubl": 2, "tripl": 3, "quadrupl": 4}


@dataclass(frozen=True, slots=True)
class WordFigure:
    """A figure in words: where it stands, its value or magnitude, its unit, and where the unit ends."""

    start: int
    end: int
    value: Fraction
    unit: str | None
    unit_end: int
    low: Fraction | None = None


def word_figures(text: str, table: UnitTable) -> Iterator[WordFigure]:
    """Every figure in words that says something of a thing, a time or a ratio; bare number words are prose.

    >>> from kg.content.folders import find_content
    >>> from kg.content.vocabulary import read_vocabulary
    >>> units = read_vocabulary(find_content()).units
    >>> text = "One of the two dies is nearly tenfold faster after two years, a factor of nine; 三倍"
    >>> [(text[one.start : one.end], int(one.value), one.unit) for one in word_figures(text, units)]
    [('two', 2, 'count:die'), ('tenfold', 10, '1'), ('two', 2, 'year'), ('nine', 9, '1'), ('三倍', 3, '1')]
    """
    for match in _PATTERN.finditer(text):
        group = match.lastgroup or ""
        if group in ("period", "counted"):
            name = "time" if group == "period" else "count"
            unit = _unit(match[group], table, counted=name == "count")
            if unit is not None:
                yield from _of_things(match, name, unit, table)
        elif group == "paired":
            pair = Fraction(2 if match["pair"].lower() == "dual" else 4)
            yield WordFigure(
                match.start("pair"), match.end(), pair, _unit(match["paired"], table, counted=True), match.end()
            )
        elif group == "classifier":
            yield WordFigure(
                match.start(), match.end(), _han(match["han"]), _HAN_UNITS[match["classifier"]], match.end()
            )
        elif group == "magnitude":
            yield _magnitude(match)
        elif group == "order":
            yield WordFigure(
                *match.span(), Fraction(1000), f"{match['order'][0].upper()}FLOP/s", match.end(), Fraction(1)
            )
        elif group == "fraction":
            yield WordFigure(*match.span(), _fraction(match["fraction"]), "1", match.end())
        elif (value := _multiple(match[group], table)) is not None and not match[group].isdigit():
            yield WordFigure(*match.span(group), value, "1", match.end())


def _of_things(match: re.Match[str], name: str, unit: str, table: UnitTable) -> Iterator[WordFigure]:
    """A number of things or of hours; with the words before it a range: "two to three million GPUs"."""
    start, text = match.start(name), match.string
    below = _LOWER_END.search(text, max(0, start - 40), start)
    if below is not None:
        ends = _read(text[below.start("low") : match.end(name)], table)
        if isinstance(ends, tuple):
            yield WordFigure(below.start("low"), match.end(name), ends[1], unit, match.end(), ends[0])
            return
    value = _spoken(match[name], table)
    if value is not None:
        yield WordFigure(start, match.end(name), value, unit, match.end())


def _multiple(printed: str, table: UnitTable) -> Fraction | None:
    lowered = printed.lower()
    if lowered.startswith("halv"):
        return Fraction(1, 2)
    for root, value in _ROOTS.items():
        if lowered.startswith(root):
            return Fraction(value)
    return None if printed[0].isdigit() else _spoken(printed, table)


def _spoken(printed: str, table: UnitTable) -> Fraction | None:
    value = _read(printed, table)
    return None if isinstance(value, tuple) else value


def _read(printed: str, table: UnitTable) -> Value | None:
    try:
        return read_printed(printed.lower(), table=table).value
    except ModelError:
        return None


def _fraction(printed: str) -> Fraction:
    words = re.split(r"[ -]", printed.lower())
    return Fraction(cardinal(words[0]) or 1, _FRACTIONS[words[-1].removesuffix("s")])


def _magnitude(match: re.Match[str]) -> WordFigure:
    """From the least of what the words can mean to a thousand times it."""
    parts = re.split(r"\sof\s", match["magnitude"].lower())
    firsts = [_LARGE[word] for word in re.findall(r"[a-z]+", parts[0]) if word in _LARGE]
    scale = _LARGE[parts[1]] if len(parts) > 1 else 0
    low = Fraction(10) ** (min(firsts) + scale)
    # "hundreds" end at a thousand, "tens of thousands" at a hundred thousand; "millions" alone go
    # on to the billions
    high = Fraction(10) ** (max(firsts) + scale + (1 if scale or max(firsts) < 3 else 3))
    following = re.match(r"\sof\s(?:[\w-]+\ )?(\w+)", match.string[match.end() : match.end() + 50])
    noun = following[1].lower() if following else ""
    unit = {
        "tokens": "token",
        "parameters": "parameter",
        "dollars": "USD",
        "usd": "USD",
        "yuan": "CNY",
        "rmb": "CNY",
    }.get(noun, f"count:{_thing(noun)}")
    return WordFigure(*match.span("magnitude"), high, unit, match.end(), low)


def _han(printed: str) -> Fraction:
    total = digit = 0
    for sign in printed:
        if sign in _HAN_SCALES:
            total += max(digit, 1) * _HAN_SCALES[sign]
            digit = 0
        else:
            digit = _HAN[sign]
    return Fraction(total + digit)


def _unit(noun: str, table: UnitTable, *, counted: bool) -> str | None:
    if counted:
        return f"count:{_thing(noun.lower())}"
    known = table.find(noun.lower())
    return known.id if known is not None else None


def _thing(noun: str) -> str:
    single = {"switches": "switch", "queries": "query", "dies": "die"}.get(noun, noun.removesuffix("s"))
    return "gpu" if single in ("card", "accelerator") else single
