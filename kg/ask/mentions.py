"""What plain words name: things, ids and metrics, figures, and spans of dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kg.ask.bounds import bounds_said
from kg.ask.kept_rows import FigureOrder
from kg.ask.row_filters import AVAILABILITY, ENTRY_ID, PER_CHIP, RowFilter
from kg.model.dates import SHORT_MONTHS, given_date, shown, span
from kg.model.inserted_scale import SCALE_WORDS

_CURRENCY: Final = "$€£¥"
_FIRST: Final = re.compile(
    rf"(?<![\w/.{_CURRENCY}])(?!(?:[mk]?J|[kM]?Wh|USD)/[A-Za-z]+\b(?!/))[A-Za-z0-9][\w.-]*/[\w./#-]+\w"
)
"""An id; a unit such as TB/s has one letter after the stroke, J/token none that is a kind, and a price such as $2/hr a sign before."""
_SOURCE: Final = re.compile(
    r"(?<![\w/.,-])(?:(?:source|document|text|report|paper|article|blog) (\d{3})|(0\d\d))(?![\w/%]|[.,-]\d)",
    re.IGNORECASE,
)
"""A source by its digits: "document 002", or alone what no count begins with: "errors in 002"."""
# meets "most memory" and "cheapest H100"; not "at most", a bound, nor "most recent" and "most of"
_ORDERS: Final[dict[FigureOrder, re.Pattern[str]]] = {
    "highest": re.compile(
        r"(?<!at )\b(?:most|highest|largest|biggest|greatest|costliest|priciest|dearest|maximum|max)\b(?! recent| often| likely| of )",
        re.IGNORECASE,
    ),
    "lowest": re.compile(r"(?<!at )\b(?:least|lowest|smallest|cheapest|minimum|min)\b", re.IGNORECASE),
}
_OF_SYSTEM: Final = re.compile(
    r"\b(?:systems?|total|overall|aggregate|submissions?|entr(?:y|ies)|official)\b", re.IGNORECASE
)
_OF_ONE: Final = re.compile(r"\bper[ -](?:accelerator|chip|gpu|device)\b", re.IGNORECASE)
RESULT: Final = "result"
"""The column of what a system did as a whole, in questions whose value is that of one accelerator."""
_ENTRY: Final = re.compile(rf"(?<![\w.-]){ENTRY_ID.pattern}(?![\w.]*\w)")
_NEWEST: Final = re.compile(r"\b(?:latest|newest|most recent|last round)\b", re.IGNORECASE)
_SCALE: Final = "|".join(SCALE_WORDS)
# meets "2.5x", "4.8 TB/s", "72,428 tokens per second" and "$5.6 million"; not the digits of "H100" and "v5.1"
_FIGURE: Final = re.compile(
    rf"(?<![\w.-])(?:(?:US)?[{_CURRENCY}] ?)?\d[\d.,]*(?:%|[^\W\d]\w*(?:/[A-Za-z]+)*|/(?:h(?:(?:ou)?r)?|day|month)\b)?"
    rf"(?: (?:{_SCALE})\b)?(?: (?:US )?dollars\b)?"
    r"(?: (?:\w+/s|[kMGTP]?[WB]|[MGTPE]FLOPS(?:/W)?|[kMGT]?Wh|[mkM]?J(?:/token)?|[MG]?Hz|nm|USD/\w+|times|tokens|samples)\b"
    r"(?: (?:per|a) second\b)?)?"
)
_DIGITS: Final = re.compile(rf"\S+(?: (?:{_SCALE})\b)?")
# meets "192 or 180 GB" and "1.2 kW or 700 W"; not "192 GB or more"
_EITHER: Final = re.compile(
    r"\b(?P<one>\d[\d.,]*)(?: ?(?P<unit>[A-Za-z][A-Za-z/]*))? or (?P<other>\d[\d.,]*) ?(?P<unit_of_other>(?!or\b)[A-Za-z][A-Za-z/]*)"
)
_TIMES: Final = re.compile(r" times$")
_RATE: Final = re.compile(r" (token|sample)s(?: (?:per|a) second)$")
# meets "since 2024-05"; not "in 2048 tokens", a length
_DATES: Final = re.compile(
    r"\b(since|after|from|before|until|in|during) (20\d\d)((?:-\d\d){0,2})\b(?! [a-z]*tokens)", re.IGNORECASE
)
# whole names and their short forms: "market 2025" and "decode 2024" name no month
_MONTH: Final = (
    rf"\b(?P<month>{'|'.join(SHORT_MONTHS)})"
    r"(?:(?<=jan)uary|(?<=feb)ruary|(?<=mar)ch|(?<=apr)il|(?<=jun)e|(?<=jul)y|(?<=aug)ust|(?<=sep)t(?:ember)?|(?<=oct)ober"
    r"|(?<=(?:nov|dec))ember)?\b\.?"
)
_IN_WORDS: Final = re.compile(
    rf"\b(?:(?P<day>\d\d?) )?{_MONTH}(?: (?P<later>\d\d?)(?:st|nd|rd|th)?,?)?,? (?:of )?(?P<year>20\d\d)\b",
    re.IGNORECASE,
)
"""A month with its year, and a day before or behind it: "March 2025", "3 Sept 2024", "May 5, 2025"."""
_ROUND: Final = re.compile(
    r"\b(mlperf(?: inference| training)?|inference|training|round) v?(?=\d\.\d\b)", re.IGNORECASE
)
"""What is before the number of a round, which its name writes with a v: "MLPerf 5.0"."""
_TRAINING: Final = re.compile(r"\btrain(?:s|ed|ing)?\b", re.IGNORECASE)
_INFERENCE: Final = re.compile(r"\binference\b", re.IGNORECASE)
_VERSION: Final = re.compile(r"\b(?:mlperf )?(?:training )?(?:round )?v(?=\d\.\d\b)", re.IGNORECASE)
"""A round by its version alone: both suites have a v5.0, and the name of one of training has its suite."""
_DENSE: Final = re.compile(r"\b(?:without|no|w/o) (?:structured )?sparsity\b", re.IGNORECASE)
_SPARSITY: Final = re.compile(r"\b(?:(?P<dense>dense)|sparse|sparsity)\b", re.IGNORECASE)
_VERDICT: Final = re.compile(r"\b(confirmed|unverified)(?! by)\b", re.IGNORECASE)
# meets "how many claims are wrong"; which they are is asked of the audit
_COUNTED_VERDICT: Final = re.compile(r"\b(?:how many|number of)\b.*\b(wrong|disputed)\b", re.IGNORECASE)
_MODEL_KINDS: Final[dict[str, re.Pattern[str]]] = {
    "moe-model": re.compile(r"\b(?:moe|mixture[ -]of[ -]experts)\b", re.IGNORECASE),
    "dense-model": re.compile(r"\bdense (?:language )?models?\b", re.IGNORECASE),
}
_NOT_YET_SOLD: Final = re.compile(r"\b(?:preview|rdi)\b", re.IGNORECASE)
_COST_PER_CHIP: Final = re.compile(
    r"\b(?:cost|costs|price|prices|priced)\b.*\bper (?:gpu|chip|accelerator|card)\b(?![ -]?h(?:ou)?r)", re.IGNORECASE
)
_SMALL: Final = re.compile(r"\d{1,3}")
"""A bare number that counts what is asked for: the 10 fastest."""
# meets "than 100" and "at least 80"; what is bound is no figure that somebody printed
_BOUND: Final = re.compile(
    r"\b(?:than|over|under|above|below|beyond|least|most|top|first) \$?(\d[\d.,]*)", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
WORD_KINDS: Final = frozenset(
    {
        "benchmark",
        "division",
        "figure",
        "market",
        "model-class",
        "precision",
        "reference",
        "round",
        "scenario",
        "software",
        "task",
        "technology",
    }
)
"""Kinds whose names are words of questions too: they stay among the words, and nothing is missed where no parameter takes them."""


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name, id or metric found in the words."""

    key: str
    kinds: frozenset[str]
    """`claim`, `metric`, `id`, or the kinds of the things it names by the first part of their ids."""
    ids: tuple[str, ...]

    @property
    def is_word(self) -> bool:
        """Whether it may be a word of the question as well."""
        return self.kinds <= WORD_KINDS | {"metric"}

    @property
    def is_hardware(self) -> bool:
        """Whether it names chips or systems: two of these are compared, and the rows of one are not narrowed to the other."""
        return not self.is_word and self.kinds.isdisjoint(("model", "org", "source", "claim", "entry", "id", "metric"))

    @property
    def slot(self) -> str | None:
        """Its placeholder in a wording (`kg.ask.examples.SLOTS`); None where its words are words of the question."""
        if self.is_word or "metric" in self.kinds:
            return None
        named = {"claim": "CLAIM", "source": "SOURCE", "model": "MODEL"}
        of_kind = next((slot for kind, slot in named.items() if kind in self.kinds), "THING")
        return "ORGANISATION" if self.kinds == {"org"} else of_kind

    @property
    def filter(self) -> RowFilter:
        """The filter that keeps the rows about it."""
        return RowFilter(self.ids[0] if "metric" in self.kinds else self.key, self.kinds)


def with_ids_marked(text: str) -> tuple[str, dict[str, NameMention]]:
    """The words with a mark in place of each id, without dates; and what each mark replaces, in its order.

    >>> with_ids_marked("errors in 002?")[0]
    'errors in idmark0 ?'
    """
    found: dict[str, NameMention] = {}

    def marked(given: re.Match[str]) -> str:
        mark = f"idmark{len(found)}"
        found[mark] = _id_of(given)
        return f" {mark} "

    text = re.compile(f"(?:{_FIRST.pattern})|(?:{_SOURCE.pattern})|(?:{_ENTRY.pattern})", re.IGNORECASE).sub(
        marked, _with_rounds(in_digits(text))
    )
    return " ".join(_DATES.sub(" ", text).split()), found


def _with_rounds(text: str) -> str:
    """The words with each round as its name writes it; where they speak of training alone, a version is one of training.

    >>> _with_rounds("fastest training of GPT-3 in v4.1"), _with_rounds("training and inference in MLPerf 5.0")
    ('fastest training of GPT-3 in MLPerf Training v4.1', 'training and inference in MLPerf v5.0')
    """
    text = _ROUND.sub(r"\1 v", text)
    if _TRAINING.search(text) is None or _INFERENCE.search(text) is not None:
        return text
    return _VERSION.sub("MLPerf Training v", text)


def _id_of(given: re.Match[str]) -> NameMention:
    digits = given[1] or given[2]
    if digits:
        return NameMention(f"source/{digits}", frozenset({"id", "source"}), (f"source/{digits}",))
    if "/" not in given[0]:
        return NameMention(given[0], frozenset({"entry"}), (given[0],))
    kind = "claim" if given[0][0].isdigit() else "id"
    return NameMention(given[0], frozenset({kind, given[0].partition("/")[0]}), (given[0],))


def without_ids(text: str) -> str:
    """The words without ids, sources by their digits, and dates; the number of a round is no figure."""
    text = _with_rounds(in_digits(text))
    for pattern in (_FIRST, _SOURCE, _DATES, _ENTRY):
        text = pattern.sub(" ", text)
    return text


def figures_in(text: str) -> list[str]:
    """The figures among the words with the unit behind each; digits within ids, sources and dates are none.

    >>> figures_in("who said 4.8 TB/s first, in document 002?"), figures_in("is 72,428 twice the 2.5x of 2024?")
    (['4.8 TB/s'], ['72,428', '2.5x'])
    >>> figures_in("is it 2.5 times faster at 72,428 tokens per second, in entry 5.1-0071?")
    ['2.5x', '72,428 token/s']
    >>> figures_in("was it trained for $5.6 million, or for 6 million dollars?")
    ['$5.6 million', '6 million dollars']
    """
    said = (match.group().strip(".,") for match in _FIGURE.finditer(without_ids(text)))
    found = (_RATE.sub(r" \1/s", _TIMES.sub("x", one)) for one in said)
    return [one for one in found if not _YEAR.fullmatch(one)]


def quoted_figures(text: str) -> list[str]:
    """The figures that are quoted from somewhere: with a unit or a part of digits, and no bound of what is asked for.

    >>> quoted_figures("who was first to say 2.5x, in the top 10?"), quoted_figures("chips with more than 100 GB")
    (['2.5x'], [])
    """
    return [one for one in unbounded_figures(text) if not is_small(one)]


def unbounded_figures(text: str) -> list[str]:
    """The figures that are no bound of what is asked for.

    >>> unbounded_figures("which of the 8 chips draw more than 700 W")
    ['8']
    >>> unbounded_figures("between 80 and 100 GB")
    []
    """
    bounds = {match.group(1).strip(".,") for match in _BOUND.finditer(text)}
    bounds |= {given.lstrip("<>=$€ ").partition(" ")[0] for _, given in bounds_said(text)}
    return [one for one in figures_in(text) if not one.lstrip(f"US{_CURRENCY} ").startswith(tuple(bounds))]


def without_unit(figure: str) -> str:
    """A figure with its currency and scale, and no unit behind it.

    >>> without_unit("4.8 TB/s"), without_unit("$5.6 million")
    ('4.8', '$5.6 million')
    """
    found = _DIGITS.match(figure)
    return figure if found is None else found[0]


def either_in(text: str) -> list[str]:
    """Two figures of which words ask which one it is, with the unit of the second where the first has none.

    >>> either_in("is B200 memory 192 or 180 GB?"), either_in("chips with 192 GB or more")
    (['192 GB', '180 GB'], [])
    """
    said = _EITHER.search(text)
    if said is None:
        return []
    return [f"{said['one']} {said['unit'] or said['unit_of_other']}", f"{said['other']} {said['unit_of_other']}"]


def is_small(figure: str) -> bool:
    """Whether a figure is a bare number that may count what is asked for: the 10 fastest, 8 H100."""
    return _SMALL.fullmatch(figure) is not None


def speaks_of_systems(text: str) -> bool:
    """Whether words ask for what whole systems did, and not for one of their accelerators."""
    return _OF_SYSTEM.search(text) is not None and _OF_ONE.search(text) is None


def order_in(text: str) -> RowFilter | None:
    """The order of figures, where the words ask for the highest or the lowest; of systems those of whole ones.

    >>> [found and found.options for found in map(order_in, ("which chip has the most memory", "cheapest H100"))]
    [('--highest',), ('--lowest',)]
    >>> order_in("at most 700 W"), order_in("the most recent prices")
    (None, None)
    >>> order_in("which system has the highest throughput").options, order_in("which system is highest per GPU").options
    (('--highest', '--by', 'result'), ('--highest',))
    """
    orders = (order for order, words in _ORDERS.items() if words.search(text))
    by = RESULT if speaks_of_systems(text) else ""
    return next((RowFilter(order=order, by=by) for order in orders), None)


def newest_in(text: str) -> RowFilter | None:
    """The newest round or day, where the words ask for it.

    >>> [found and found.options for found in map(newest_in, ("latest results of the B200", "results of the B200"))]
    [('--newest',), None]
    """
    return RowFilter(newest=True) if _NEWEST.search(text) else None


def verdict_in(text: str) -> RowFilter | None:
    """The claims of one verdict, where a word says it that says nothing else of a question.

    >>> verdict_in("which claims about the H200 are unverified").name, verdict_in("which claims are wrong")
    ('unverified', None)
    >>> verdict_in("how many claims are wrong").name
    'wrong'
    """
    found = _VERDICT.search(text) or _COUNTED_VERDICT.search(text)
    return RowFilter(found[1].casefold(), frozenset({"verdict"})) if found else None


def model_kind_in(text: str) -> RowFilter | None:
    """The rows of one kind of model; none where words set both kinds against each other.

    >>> [found and found.name for found in map(model_kind_in, ("list all MoE models", "dense models", "MoE against dense models"))]
    ['moe-model', 'dense-model', None]
    """
    found = [kind for kind, words in _MODEL_KINDS.items() if words.search(text)]
    return RowFilter(found[0], frozenset({"model-kind"})) if len(found) == 1 else None


def availability_in(text: str) -> RowFilter | None:
    """The results of systems that were a preview or research; what is "available" is said of much else.

    >>> [found and found.name for found in map(availability_in, ("preview results", "RDI systems of v5.1", "available memory"))]
    ['preview', 'rdi', None]
    """
    found = _NOT_YET_SOLD.search(text)
    return RowFilter(found[0].casefold(), frozenset({AVAILABILITY})) if found else None


def per_chip_in(text: str) -> RowFilter | None:
    """The rows of one accelerator, where words ask what it costs of something larger.

    >>> [found and found.name for found in map(per_chip_in, ("cost per GPU of an NVL72", "price per gpu hour", "cost of a GPU"))]
    ['per-chip', None, None]
    """
    return RowFilter(PER_CHIP, frozenset({PER_CHIP})) if _COST_PER_CHIP.search(text) else None


def dense_said(text: str) -> str:
    """The words with "dense" for what says the same of a peak rate: without sparsity."""
    return _DENSE.sub("dense", text)


def sparsity_in(text: str) -> RowFilter | None:
    """The dense or the sparse peak, where words ask for one of them.

    >>> [found and found.name for found in map(sparsity_in, ("dense FP8", "with sparsity", "without sparsity", "dense or sparse"))]
    ['sparsity/dense', 'sparsity/sparse', 'sparsity/dense', None]
    """
    said = {"dense" if one["dense"] else "sparse" for one in _SPARSITY.finditer(dense_said(text))}
    return RowFilter(f"sparsity/{said.pop()}", frozenset({"sparsity"})) if len(said) == 1 else None


def in_digits(text: str) -> str:
    """The words with each month and year as a date is written.

    >>> in_digits("claims of March 2025, before 3 Sept 2024 or after May 5, 2025")
    'claims of 2025-03, before 2024-09-03 or after 2025-05-05'
    """

    def written(found: re.Match[str]) -> str:
        month = f"{found['year']}-{SHORT_MONTHS.index(found['month'].casefold()) + 1:02d}"
        day = found["day"] or found["later"]
        return month if day is None else f"{month}-{int(day):02d}"

    return _IN_WORDS.sub(written, text)


def dates_in(text: str) -> RowFilter | None:
    """The span of dates in the words; None without any. Raises UsageError for a day that no calendar has.

    >>> dates_in("prices since 2024").since, dates_in("claims before 2025").until
    ('2024', '2024')
    >>> dates_in("claims before March 2025").until, dates_in("claims after 2024-02-28").since
    ('2025-02-28', '2024-02-29')
    >>> dates_in("what was published in March 2025?").since
    '2025-03'
    """
    since = until = ""
    for word, year, rest in _DATES.findall(in_digits(text)):
        day = given_date(f"{year}{rest}", "question")
        first, last = span(day)
        match word.casefold():
            case "since" | "from":
                since = day
            case "after":
                since = shown(last + 1) if rest else str(int(year) + 1)
            case "before":
                until = shown(first - 1) if rest else str(int(year) - 1)
            case "until":
                until = day
            case _:
                since = until = day
    return RowFilter(since=since, until=until) if since or until else None
