"""The unit that a text prints next to a figure, in any of the ways people write it: "tok/s/GPU", "USD per hour", "H100 GPUs"."""

import re
from dataclasses import dataclass, field
from typing import Final

from kg.model.units import UnitTable
from kg.reading.counted_nouns import (
    MADE_OF_CHIPS,
    NAME,
    NOUN_GAP,
    THINGS,
    chip_after,
    counted_noun,
    noun_words,
    singular,
)

_WORD: Final = r"[A-Za-zµμ°%$€¥£²³]+"
_AND_TIME: Final = r"\band\b(?=\s(?:hour|day|month|year)\b)"
"""Between the thing and the time that a price is for: USD per instance and hour."""
BELOW: Final = rf"(?:[A-Za-z][A-Za-z\d]{{1,11}}[- ](?=(?:h|hrs?|hours?|days?|months?|years?)\b))?{_WORD}"
"""What is below the line: a word, or a time that is counted for each of a thing ("GPU-hour", "H100 hour")."""
TIME_APART: Final = r"\s\w+\s(?:ago|before|earlier|later|after|old)\b"
"""A time that the figure is not counted by: 72 cents a year before."""
_EXPRESSION: Final = re.compile(
    rf"(?P<first>{_WORD}(?:[ \u00a0\u202f-]{_WORD}){{0,3}})"
    rf"(?P<rest>(?:\s?(?:/|\bper\b|{_AND_TIME}|\ban?\b(?=\s(?:second|minute|hour|day|month|year))(?!{TIME_APART})|·)\s?(?:1 ?(?=[MK] |million))?{BELOW}(?:[ ]tokens?)?)*)"
)
_WITH: Final = re.compile(r"w/(?=\s|$)|[wW]/o\b")
"""With and without, for short: "w/ Sparsity" is no watt."""
_PER: Final = re.compile(rf"\s?(?:/|\bper\b|{_AND_TIME}|\ban?\b(?!{TIME_APART})|·)\s?(?:1 )?")
_WORDS: Final[dict[str, str]] = {
    **dict.fromkeys(("tokens", "tok", "toks", "token", "Tokens", "Token", "TOKENS"), "token"),
    **dict.fromkeys(("samples", "Samples", "sample", "images", "image", "imgs", "img", "inferences"), "sample"),
    **dict.fromkeys(("queries", "Queries", "query", "requests", "request", "reqs", "req"), "query"),
    **dict.fromkeys(("second", "seconds", "sec", "secs", "s", "S", "Sec", "Second"), "s"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h", "Hour", "hourly"), "h"),
    **dict.fromkeys(("months", "month", "mo", "monthly"), "month"),
    **dict.fromkeys(("days", "day", "daily"), "day"),
    **dict.fromkeys(("years", "year", "yr", "annum", "annually", "yearly"), "year"),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), "min"),
    **dict.fromkeys(("Watts", "watts", "watt", "Watt", "W", "w"), "W"),
    **dict.fromkeys(("Joules", "joules", "Joule", "joule", "J"), "J"),
    **dict.fromkeys(("kilowatt", "kilowatts", "KW", "kW", "kw"), "kW"),
    **dict.fromkeys(("megawatt", "megawatts", "MW"), "MW"),
    **dict.fromkeys(("gigawatt", "gigawatts", "GW"), "GW"),
    **dict.fromkeys(("parameter", "parameters", "params", "param", "Parameters", "Params"), "parameter"),
    **dict.fromkeys(("percent", "Percent", "pct", "%"), "%"),
    **dict.fromkeys(("millisecond", "milliseconds", "msec", "msecs"), "ms"),
    **dict.fromkeys(("microsecond", "microseconds", "µs", "μs", "usec"), "us"),
    **dict.fromkeys(("gigabyte", "gigabytes", "GBs", "Gbyte", "GByte"), "GB"),
    **dict.fromkeys(("terabyte", "terabytes", "TBs"), "TB"),
    **dict.fromkeys(("megabyte", "megabytes", "MBs"), "MB"),
    **dict.fromkeys(("cents", "cent", "¢"), "cent"),
    **dict.fromkeys(("dollars", "dollar", "bucks", "US$"), "USD"),
}
_KIND_OF_TOKEN: Final = r"(?:(?:input|output|cached|prompt|completion|generated|total|blended) )?"
MILLION_TOKENS: Final = rf"(?:[Mm]illion|M|mn) {_KIND_OF_TOKEN}tokens?"
"""What prices of inference are per: all tokens, or those of one kind."""
_MILLION_TOKENS: Final = re.compile(rf"(?i)(?:M|million|1M|mn|m)(?: {_KIND_OF_TOKEN}tokens?)$|Mtok(?:ens?)?$")
_FLOPS: Final = re.compile(
    r"(?i)(?P<prefix>k|m|g|t|p|e|z|kilo|mega|giga|tera|peta|exa|zetta)?-?(?P<fl>fl)?op(?:s|/s|/sec|/second)+$"
)
_PREFIXES: Final = {"kilo": "K", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z"}
_NEVER_APART: Final = frozenset({"x", "G", "B", "m", "T", "Mi", "Gi", "Ti", "fold", "Gb", "-bit"})
"""Spellings that are units only where no space stands before them."""


@dataclass(frozen=True, slots=True)
class NearbyUnit:
    """A unit, and where the words of it end."""

    unit: str
    end: int


@dataclass(frozen=True, slots=True)
class UnitReader:
    """Reads units of one table where they are in a text."""

    table: UnitTable
    _known: dict[str, str | None] = field(default_factory=dict)

    def after(self, text: str, at: int, *, attached: bool) -> NearbyUnit | None:
        """The unit that begins at a position; `attached` says that no space stands before it."""
        match = _EXPRESSION.match(text, at)
        if match is None or _WITH.match(text, at):
            return None
        words = list(re.finditer(r"[^ \u00a0\u202f-]+", match["first"]))
        # as many words as are one unit: "tokens per second" before "tokens"
        for count in range(len(words), 0, -1):
            head = text[at : at + words[count - 1].end()]
            end = at + words[count - 1].end()
            if not attached and text[end : end + 1].isdigit():
                continue  # 400,000 GB200 GPUs are no gigabytes
            rest = match["rest"] if count == len(words) else ""
            if not rest and (more := re.match(rf"(?:{_PER.pattern}{BELOW}(?: tokens?)?)+", text[end : end + 60])):
                rest = more.group()
            found = self._spelt_whole(head, rest, at)
            if not attached and head in _NEVER_APART:
                found = found if rest else None  # Gb alone may be anything, Gb/s is a rate
            else:
                found = self._per_million(text, head, end) or found or self._with_rest(head, rest, end)
            if found is not None:
                return found
        return None

    def _per_million(self, text: str, head: str, end: int) -> NearbyUnit | None:
        """The unit of a price that is followed by "per million tokens"."""
        million = re.match(rf"\s?(?:/|per)\s?(?:1\s?)?{MILLION_TOKENS}", text[end : end + 40])
        priced = None if million is None else self.unit_of(head, ("Mtok",))
        if million is None or priced is None or priced == self.unit_of(head):
            return None
        return NearbyUnit(priced, end + million.end())

    def _spelt_whole(self, head: str, rest: str, at: int) -> NearbyUnit | None:
        """The unit that the table knows by all of the words: tokens per second."""
        for spelt in filter(None, (rest and head + rest, head)):
            unit = self.table.find(spelt)
            if unit is not None and "/" in unit.id and ("/" in spelt or " " in spelt):
                return NearbyUnit(unit.id, at + len(spelt))
        return None

    def _with_rest(self, head: str, rest: str, end: int) -> NearbyUnit | None:
        """The unit of a head with as many of its "per" parts as mean anything."""
        parts = list(re.finditer(rf"({_PER.pattern})({BELOW}(?: tokens?)?)", rest))
        for count in range(len(parts), -1, -1):
            unit = self.unit_of(head, tuple(part[2] for part in parts[:count]))
            if unit is not None:
                return NearbyUnit(unit, end + (parts[count - 1].end() if count else 0))
        return None

    def unit_of(self, head: str, below: tuple[str, ...] = ()) -> str | None:
        """The unit of "head / below / below"; what is only the thing it is counted by (per GPU) does not matter."""
        key = "/".join((head, *below))
        if key not in self._known:
            self._known[key] = self._unit_of(head, below)
        return self._known[key]

    def _unit_of(self, head: str, below: tuple[str, ...]) -> str | None:
        top = self._atom(head)
        if top is None:
            return None
        atoms = [self._denominator(one) for one in below]
        if below and atoms[-1] is None:
            return None
        kept = [one for one in atoms if one]
        # what is below the line is known in one order: $/GPU/h and $/h/GPU are one unit
        for wanted in ("/".join((top, *kept)), "/".join((top, *sorted(kept)))):
            if (unit := self.table.find(wanted)) is not None:
                return unit.id
        if not kept and (unit := self.table.find(top)) is not None:
            return unit.id
        return None

    def _atom(self, word: str) -> str | None:
        word = word.removesuffix(".")
        if (unit := self.table.find(word)) is not None and word not in ("date", "ratio"):
            return unit.id
        if word in _WORDS:
            return _WORDS[word]
        if (match := _FLOPS.match(word)) is not None:
            prefix = (match["prefix"] or "").lower()
            prefix = _PREFIXES.get(prefix, prefix.upper())
            named = f"{prefix}{'FLOP' if match['fl'] else 'OP'}/s"
            return named if self.table.find(named) else None
        lowered = word.lower()
        last = lowered.split()[-1] if lowered.split() else ""
        if last in ("tokens", "token") and lowered.split()[0] in _TOKEN_WORDS:
            return "token"
        if re.fullmatch(r"[kmgtpe]?flops?", lowered) and self.table.find(f"{word[:-4].upper()}FLOP/s"):
            return f"{word[:-4].upper()}FLOP"
        return None

    def _denominator(self, word: str) -> str | None:
        """What a quantity is divided by; empty where it is only counted by it, None where it is no such word."""
        word = word.removesuffix(".")
        if _MILLION_TOKENS.match(word):
            return "Mtoken"
        if word in _WORDS:
            return _WORDS[word]
        if self.table.find(word) is not None and word != "x":
            return word
        thing, *time = re.split(r"[- ]", word, maxsplit=1)
        if time and (singular(thing.lower()) in THINGS or NAME.match(thing)):
            return self._denominator(time[0])
        return "" if singular(word.lower()) in THINGS or NAME.match(word) else None

    def thing_after(self, text: str, at: int) -> NearbyUnit | None:
        """What a whole number before this position counts: "128 H100 GPUs", "two dies", "8-GPU", "2,000 H100s"."""
        gap = NOUN_GAP.match(text, at)
        if gap is None:
            return None
        if (way := WAY.match(text, at)) is not None:
            return NearbyUnit("count:gpu", way.end())
        hyphen = "-" in gap.group() or "‑" in gap.group()
        noun = counted_noun(noun_words(text, gap.end()), at_first=hyphen)
        chip = chip_after(text, gap.end()) if not hyphen else None
        if chip is not None and (noun is None or (noun.thing in MADE_OF_CHIPS and not noun.is_plural)):
            return NearbyUnit("count:gpu", chip.end())  # a 128 H100 cluster is not 128 clusters
        if noun is None:
            return None
        if noun.thing in _TIMED and (time := _TIME_OF.match(text, noun.end)) is not None:
            return NearbyUnit(_WORDS[time[1].lower()], time.end())
        return NearbyUnit(f"count:{noun.thing}", noun.end)


WAY: Final = re.compile(
    r"-way(?=\s(?:(?:NVIDIA|AMD|Intel)\s)?(?:[A-Z]+\d+\w*|HGX|DGX|OAM|GPU|server|node|box|system|machine)s?\b)"
)
"""Behind the number of devices of a server: eight-way H100 servers."""


_TIMED: Final = frozenset({"gpu", "tpu", "chip", "node", "device", "core"})
_TIME_OF: Final = re.compile(r"[\s-](minutes?|hours?|hrs?|days?|months?|years?)\b", re.IGNORECASE)
"""Behind devices: a time that they run together, as in GPU hours."""


_TOKEN_WORDS: Final = frozenset(
    {"input", "output", "training", "generated", "total", "context", "prompt", "decode", "new"}
)
