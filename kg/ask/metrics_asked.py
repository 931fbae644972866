"""The metrics and the level that a question asks for, where its words name them in another way than by their label.

`kg.ask.named_words` knows the names; here are the ways to speak that mean a metric: when a product came out, how many chips
were used, dense FP8, the cheapest to rent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kg.ask.bounds import bounds_said, read_bound
from kg.ask.mentions import NameMention, either_in, order_in, sparsity_in
from kg.ask.named_words import NamedWords
from kg.ask.plain_words import CHIPS, MARKS, plain_stem, stems
from kg.ask.question_fit import AskedWords
from kg.ask.row_filters import DATED, LEVELS, RowFilter
from kg.model.names import name_key

if TYPE_CHECKING:
    from kg.model.units import UnitTable

PEAK: Final = "peak-compute"
_AT_PRECISION: Final[Mapping[str, str]] = dict.fromkeys(("performance", "compute", "peak"), PEAK)
"""The metric that a word means next to a precision: "FP8 performance"."""
AT_PRECISION: Final = frozenset(map(plain_stem, _AT_PRECISION))
_SPARSITY: Final = frozenset(("dense", "sparse", "sparsity"))
"""Words that say of which peak rate is spoken, next to a precision or to one of these."""
# meets "when was the B200 released"; not "how often was it released"
_WHEN_OUT: Final = re.compile(
    r"\bwhen\b.*\b(?:announc\w*|releas\w*|launch\w*|ship\w*|available|(?:come|came) out|on sale)\b"
    r"|\b(?:delivery|launch|shipping|announcement) date\b",
    re.IGNORECASE,
)
OUT: Final = ("availability", "release-date")
"""The metrics of when a product came out."""
_SUPPORT: Final = frozenset(("support", "supports", "supported", "supporting"))
"""Words that ask whether a chip can compute at all at the precision that is named with it."""
OF_SUPPORT: Final = (PEAK, "technology-support")
"""The metrics that tell: what a text says of it, and the rate, which there is for what is supported."""
_RATES: Final = frozenset(("compute", "flops", "tflops", "pflops"))
_HOW_MANY: Final = re.compile(r"\bhow many\b", re.IGNORECASE)
_COST: Final = plain_stem("cost")
# meets "how many H100 were used"; the group begins with what is counted
_HOW_MANY_USED: Final = re.compile(
    r"\b(?:how many|number of) (.*)\b(?:used?|train(?:ed|ing)?|ran|run|took)\b", re.IGNORECASE
)

ADDING_UP: Final = frozenset(
    {
        "capital-cost",
        "memory-bandwidth",
        "memory-capacity",
        PEAK,
        "power",
        "purchase-price",
        "rental-price",
        "transistors",
    }
)
"""Metrics of which several chips have as many times as much."""
COUNT_USED: Final = "accelerators-used"
"""The metric of "how many H100 were used for ...", which has no name of it: a count of chips says what is counted."""
_RENTED: Final = re.compile(r"\b(?:to (?:rent|lease|hire)|renting|leasing)\b", re.IGNORECASE)
_PRICY: Final = "(?:cheapest|most expensive|costliest|priciest|dearest)"
# meets "the cheapest GPU", "cheapest B200 server" and "which chip is the most expensive"; what is said behind it would name
# the price
_CHEAPEST: Final = re.compile(
    rf"(?:\b{_PRICY} (?:[\w-]+ )?|\b(?:which|what) (?:[\w-]+ )?(?=\w+ (?:is|are|costs?) (?:the )?(?:{_PRICY}|most\b)))"
    rf"(gpu|chip|accelerator|card|server|node|rack|system)s?(?: (?:is|are|costs?) (?:the )?(?:{_PRICY}|most))?[ ?.!]*$",
    re.IGNORECASE,
)
_PRICED: Final = re.compile(r"\bprices?\b(?! per)", re.IGNORECASE)
_OF_PRICE: Final = " of purchase price"
_SERVERS_RENTED: Final = re.compile(r"\bservers? (?:to (?:rent|lease|hire)|for rent)\b", re.IGNORECASE)
WHICH: Final = re.compile(r"\b(?:which|what) (\w+?)s?\b", re.IGNORECASE)
_OF_UNIT: Final[Mapping[str, str]] = {
    "byte": "memory capacity",
    "byte/s": "memory bandwidth",
    "W": "power",
    "FLOP/s": "peak compute",
    "USD": "purchase price",
    "USD/h": "rental price",
}
"""The metric of a bound whose unit alone is said, by its canonical unit: what a data sheet or a price list gives in it first."""
# meets "the average price", and no "market average", which somebody compares with
_STATISTIC: Final = re.compile(r"\b(?:average|median|typical|mean(?= \w+ \w))\s+(?=\w)", re.IGNORECASE)
# meets "bandwidth in GB/s"
_IN_UNIT: Final = re.compile(r"\s+in (?P<unit>[A-Za-z]+(?:/[A-Za-z]+)?)\s*[?.!]?\s*$")
# money that nobody here states a price in is a wish too: prices are shown as they are printed
_CURRENCY: Final = re.compile(r"euros?|eur|pounds?|gbp|yen|jpy|yuan|rmb|cny|rupees?|inr|francs?|chf", re.IGNORECASE)
UNITS_ALONE: Final[Mapping[str, str]] = {
    one.casefold(): one for one in ("W", "kW", "MW", "GB", "TB", "GB/s", "TB/s", "TFLOPS", "PFLOPS")
}
"""Units that are typed instead of a metric: "nvl72 kw"."""
ALL_STATED: Final = frozenset(stems("numbers figures everything data information facts"))
SAID: Final = frozenset(stems("claims texts")) | ALL_STATED
"""Words that say no more than that something is claimed, or by texts."""


def with_metric_meant(text: str, named: NamedWords, units: UnitTable | None, wishes: Iterable[str] = ()) -> str:
    """The words with the metric of a bound, or of a wish ("in PFLOPS"), of which the unit alone is said.

    GPUs with over 100 GB have it of memory; the cheapest to rent is that of the lowest rental price, and the cheapest of which
    no more is said is that of the lowest purchase price.
    """
    if (price := _price_meant(text, named)) is not None:
        said = text.rstrip(" ?.!")
        return f"{said}{',' if said.endswith('most') else ''}{price}"  # "the most of" something is no order
    if units is None or named.metrics_in(key_of(text)):
        return text
    if any("metric" in one.kinds for one in named.asked_words(text).mentions):
        return text
    units_said = (
        f">=1 {UNITS_ALONE[word]}"
        for word in " ".join((text, *wishes)).casefold().rstrip("?.! ").split()
        if word in UNITS_ALONE
    )
    figures = (*units_said, *(given for _, given in bounds_said(text)), *(f">={one}" for one in either_in(text)))
    bounds = filter(None, (read_bound(given, units) for given in figures))
    meant = dict.fromkeys(_OF_UNIT[one.unit] for one in bounds if one.unit in _OF_UNIT)
    return f"{text.rstrip(' ?.!')} of {next(iter(meant))}" if len(meant) == 1 else text


def without_wishes(text: str, units: UnitTable | None) -> tuple[str, tuple[str, ...]]:
    """The words without what figures are wanted as, and these: they are shown one by one, in the unit of their print.

    >>> without_wishes("the median rental price of the H100", None)
    ('the rental price of the H100', ('median',))
    """
    said = _IN_UNIT.search(text) if units is not None else None
    statistic = _STATISTIC.search(text)
    wishes = [statistic] if statistic is not None else []
    if said is not None and units is not None and (units.find(said["unit"]) or _CURRENCY.fullmatch(said["unit"])):
        wishes.append(said)
    for one in reversed(wishes):
        text = text[: one.start()] + text[one.end() :]
    return text, tuple(one[0].strip(" ?.!") for one in wishes)


def _price_meant(text: str, named: NamedWords) -> str | None:
    """The words of the price that is meant where the cheapest is asked for."""
    if _RENTED.search(text) and order_in(text) and not named.metrics_in(key_of(text)):
        return " of rental price"
    is_priced = order_in(text) is not None and _PRICED.search(text) and not named.metrics_in(key_of(text))
    return _OF_PRICE if is_priced or _CHEAPEST.search(text) else None


def metrics_asked(text: str, asked: AskedWords, named: NamedWords) -> tuple[str, ...]:
    """The metrics that the words name; next to a precision a word for performance is a peak rate, how many chips were used a count."""
    if counts_chips(text, asked):
        return (COUNT_USED,)
    if _WHEN_OUT.search(text):
        return OUT
    words = [word for word in key_of(text).split() if plain_stem(word) not in CHIPS]
    if asks_peak(asked, words):
        return (PEAK,)
    if any(one.kinds == {"precision"} for one in asked.mentions):
        if not _SUPPORT.isdisjoint(words):
            return OF_SUPPORT
        peaks = ((_AT_PRECISION[word],) for word in words if word in _AT_PRECISION)
        return next(peaks, named.metrics_in(" ".join(words)))
    return named.metrics_in(" ".join(words))


def narrowing_of(metrics: tuple[str, ...], text: str) -> list[RowFilter]:
    """What the rows of some metrics are narrowed to: peak rates to the sparsity asked for, days to rows that name one."""
    peak = sparsity_in(text) if metrics == (PEAK,) else None
    dated = RowFilter(DATED, frozenset({DATED})) if metrics == OUT else None
    return list(filter(None, (peak, dated)))


def metric_alone(text: str, asked: AskedWords, named: NamedWords) -> str | None:
    """The metric of which the words ask for all claims, and say no more: "claims about training speed"."""
    metrics = named.metrics_in(key_of(text))
    if len(metrics) != 1:
        return None
    said = set(asked.words) - named.metric_stems[metrics[0]]
    is_alone = said and said <= SAID and all(one.is_word for one in asked.mentions)
    return metrics[0] if is_alone else None


def key_of(text: str) -> str:
    """A question as names are compared, without its marks."""
    return name_key(MARKS.sub(" ", text))


def asks_peak(asked: AskedWords, words: Sequence[str]) -> bool:
    """Whether dense or sparse compute is meant: "dense FP8 of the H100", and not "dense models"."""
    is_rate = any(one.kinds == {"precision"} for one in asked.mentions) or not _RATES.isdisjoint(words)
    of_models = any("model-class" in one.kinds and one.key != "dense" for one in asked.mentions)
    return is_rate and not of_models and not _SPARSITY.isdisjoint(words)


def counts_chips(text: str, asked: AskedWords) -> bool:
    """Whether words ask how many chips were used: "how many H100 were used", and not "how many claims use the H100"."""
    said = _HOW_MANY_USED.search(text)
    if said is None:
        return False
    counted = name_key(said[1])
    is_named = any(one.is_hardware and counted.startswith(one.key) for one in asked.mentions)
    return is_named or next(iter(stems(counted)), "") in CHIPS


def level_asked(text: str) -> RowFilter | None:
    """The rows of single chips, of racks or the like, where words ask which of these has most.

    >>> [one and one.name for one in map(level_asked, ("which GPU has", "what server draws", "cheapest rack", "most power"))]
    ['accelerator', 'node', 'rack', None]
    """
    asked = _CHEAPEST.search(text.removesuffix(_OF_PRICE)) or WHICH.search(text)
    named = None if asked is None else asked[1].casefold().replace("server", "node")
    named = "node" if _SERVERS_RENTED.search(text) else named
    level = named if named in LEVELS else "accelerator" if not CHIPS.isdisjoint(stems(text)) else None
    return None if level is None else RowFilter(level, frozenset({"level"}))


def of_one_chip(text: str, named: NamedWords) -> tuple[str, int]:
    """The words without the number of chips of which they ask for a metric that adds up, and that number: "the TDP of 8 H100"."""
    asked = named.asked_words(text)
    things = [one for one in asked.mentions if not one.is_word]
    metrics = metrics_asked(text, asked, named)
    adds_up = ADDING_UP.issuperset(metrics) if metrics else _COST in asked.words
    if len(things) != 1 or not things[0].is_hardware or not adds_up or _HOW_MANY.search(text):
        return text, 1
    said = re.search(rf"(?<![\w.,-])(\d[\d,]*)(?: ?[x×])? (?={re.escape(things[0].key)}\b)", text, re.IGNORECASE)
    if said is None or name_key(f"{said[0]}{things[0].key}") in named.names:
        return text, 1
    return text[: said.start()] + text[said.end() :], int(said[1].replace(",", ""))


def is_count_of(figure: str, mentions: Iterable[NameMention], key: str) -> bool:
    """Whether a bare number counts the chips or systems that are named behind it."""
    return figure.replace(",", "").isdecimal() and any(
        one.is_hardware and f" {figure} {one.key} " in key for one in mentions
    )
