"""What the head and the cells of a column tell: whether it names things, and of which metric and unit its figures are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from kg.content.vocabulary import Metric, Vocabulary
from kg.ingest.cells import Unread, as_quantity
from kg.model.names import name_key
from kg.model.units import currency_of

IdsNamed = Callable[[str], Sequence[str]]
"""The ids of what a name means; none where nothing that is known bears it."""

_HARDWARE: Final = frozenset({"accelerator", "family", "system", "config", "superchip"})
# in a column of figures a few cells may say "n/a"
_MOST_FIGURES: Final = 0.8
_ALIKE: Final = 85
_PERIODS: Final = {"hour": "h", "hourly": "h", "hr": "h", "month": "month", "monthly": "month"}
"""Words of a head for the time that a price is for."""
# meets the "(GB)" at the end of "Memory (GB)"; not that of "Memory (GB) per chip"
_UNIT: Final = re.compile(r"[(\[][\s,;]*([^)\]]*?)[\s,;]*[)\]]\s*$")
# meets "FP8" and "bf16"; a word that the registry does not know is no precision
_PRECISION: Final = re.compile(r"\b[A-Za-z]{2,5}\d{1,2}\b")
_EMPTY: Final = re.compile(r"[(\[][\s,;]*[)\]]")
_SPARSITY: Final[dict[str, str]] = {"dense": "dense", "sparse": "sparse", "sparsity": "sparse"}
_SPARSITY_WORDS: Final = re.compile(r"\b(?:with )?(dense|sparse|sparsity)\b", re.IGNORECASE)


class DraftColumn(NamedTuple):
    """A column as far as its head and cells tell."""

    head: str
    field: str
    is_number: bool = False
    unit: str | None = None
    metric: str | None = None
    hardware: int = 0
    names: int = 0
    """How many of its cells name a chip or system that is known, and anything that is."""
    kind: str = "accelerator"
    """What most of the names are names of, as entities are resolved."""
    is_guessed: bool = False
    """Whether nothing names the unit, which is then the usual one of the metric."""
    has_units: bool = False
    """Whether the cells have their units with the figures: "$31,000", "3.35 TB/s"."""
    period: str | None = None
    """The time that such a price is for, which the head says: "h"."""
    conditions: tuple[tuple[str, str], ...] = ()
    """Precision and sparsity that the head names."""
    unread: str | None = None
    """A cell that is no figure with a unit, where the head names a metric just so: "up to 700 W"."""


def draft_column(
    head: str, field: str, texts: Sequence[str], vocabulary: Vocabulary, ids_named: IdsNamed
) -> DraftColumn:
    """What is known of a column with these cells, of which none is empty."""
    plain, conditions = _conditions_of(head, ids_named)
    words, unit = _head(plain, vocabulary)
    found = DraftColumn(head, field, unit=unit, conditions=conditions)
    if texts and sum(map(_is_number, texts)) >= _MOST_FIGURES * len(texts):
        return _bare_figures(found, words, vocabulary)
    named = list(filter(None, (ids_named(text) for text in dict.fromkeys(texts))))
    kinds = Counter(one.partition("/")[0] for ids in named for one in ids[:1])
    if hardware := sum(count for kind, count in kinds.items() if kind in _HARDWARE):
        is_system = kinds["system"] + kinds["config"] > hardware / 2
        return found._replace(hardware=hardware, names=len(named), kind="system" if is_system else "accelerator")
    if named:
        return found._replace(names=len(named), kind=kinds.most_common(1)[0][0])
    return _figures_with_units(found, words, texts, vocabulary)


def names_hardware(text: str, ids_named: IdsNamed) -> bool:
    """Whether a text is the name of a chip or a system that is known."""
    return any(one.partition("/")[0] in _HARDWARE for one in ids_named(text)[:1])


def _conditions_of(head: str, ids_named: IdsNamed) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A head without the words for a precision and for sparsity, and these: "FP8 dense (TFLOPS)", "TFLOPS (BF16, sparse)"."""
    found: list[tuple[str, str]] = []
    for word in _PRECISION.findall(head):
        precisions = [one for one in ids_named(word) if one.startswith("precision/")]
        if len(precisions) == 1:
            found.append(("precision", precisions[0]))
            head = head.replace(word, " ")
    if said := _SPARSITY_WORDS.search(head):
        found.append(("sparsity", _SPARSITY[said[1].casefold()]))
        head = _SPARSITY_WORDS.sub(" ", head)
    return _EMPTY.sub(" ", head).strip(), tuple(dict(found).items())


def _bare_figures(column: DraftColumn, words: str, vocabulary: Vocabulary) -> DraftColumn:
    """A column of bare figures: what its head says of metric and unit, else the usual unit of the metric that it names just so."""
    column = column._replace(is_number=True)
    if column.unit is not None:
        return column._replace(metric=_metric(words, column.unit, vocabulary))
    named = _metric_named(words, vocabulary)
    if named is None:
        return column
    return column._replace(unit=dict(vocabulary.units.canonical_ids)[named.kinds[0]], metric=named.id, is_guessed=True)


def _figures_with_units(column: DraftColumn, words: str, texts: Sequence[str], vocabulary: Vocabulary) -> DraftColumn:
    """A column whose figures have their units with them, nearly all of one kind of quantity; any other as it is."""
    units = list(filter(None, (_unit_with(text, vocabulary) for text in texts)))
    kinds = Counter(map(vocabulary.units.kind, units))
    kind, count = kinds.most_common(1)[0] if kinds else ("", 0)
    if not texts or count < _MOST_FIGURES * len(texts):
        named = _metric_named(words, vocabulary)
        odd = (text for text in texts if _unit_with(text, vocabulary) is None)
        return column if named is None else column._replace(unread=next(odd, None))
    unit = next(one for one in units if vocabulary.units.kind(one) == kind)
    period = None
    if _is_money(unit, vocabulary) and (rate := _price_for_a_time(f"{column.head} {unit}", vocabulary)) is not None:
        words, unit = rate
        period = unit.partition("/")[2]
    return column._replace(unit=unit, metric=_metric(words, unit, vocabulary), has_units=True, period=period)


def _unit_with(text: str, vocabulary: Vocabulary) -> str | None:
    """The unit of a cell that is a figure with one that is known."""
    try:
        return _unit(as_quantity(text)[1], vocabulary)
    except Unread:
        return None


def _metric_named(words: str, vocabulary: Vocabulary) -> Metric | None:
    """The metric that a head without a unit names just so: "TDP"."""
    key = name_key(words.replace("_", " "))
    named = [
        one
        for one in vocabulary.metrics.values()
        if one.kinds and key in {name_key(each) for each in (one.label, *one.synonyms)}
    ]
    return named[0] if len(named) == 1 else None


def _head(head: str, vocabulary: Vocabulary) -> tuple[str, str | None]:
    """The words of a head, and its unit: "Memory (GB)", "memory_gb", "TDP W", "TFLOPS"."""
    rate = _price_for_a_time(head, vocabulary)
    if rate is not None:
        return rate
    bracket = _UNIT.search(head)
    if bracket is not None:
        return head[: bracket.start()], _unit(bracket[1], vocabulary)
    if (unit := _unit(head.replace("_", " "), vocabulary)) is not None:
        return head, unit
    parts = re.split(r"[\s_]+", head.strip())
    unit = _unit(parts[-1], vocabulary) if len(parts) > 1 else None
    return (head, None) if unit is None else (" ".join(parts[:-1]), unit)


def _price_for_a_time(head: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """The words of a price for a time, and its unit, where currency and time are words of the head: "price_per_hour_usd"."""
    parts = re.findall(r"[^\W_]+|[$€¥£]", head)
    money = next((part for part in parts if _is_money(_unit(part, vocabulary), vocabulary)), None)
    period = next((_PERIODS[part.lower()] for part in parts if part.lower() in _PERIODS), None)
    if money is None or period is None:
        return None
    unit = _unit(f"{_unit(money, vocabulary)}/{period}", vocabulary)
    return None if unit is None else (" ".join(part for part in parts if part != money), unit)


def _is_money(unit: str | None, vocabulary: Vocabulary) -> bool:
    return unit is not None and currency_of(vocabulary.units.kind(unit)) is not None


def _unit(text: str, vocabulary: Vocabulary) -> str | None:
    known = vocabulary.units
    for form in (text, text.upper(), re.sub(r"(?i)ps$", "/s", text), re.sub(r"(?i)bps$", "B/s", text.upper())):
        if (unit := known.find(form)) is not None:
            return unit.id
    return None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?[\d,]*\.?\d+(?:[eE][+-]?\d+)?", text) is not None


def _metric(words: str, unit: str, vocabulary: Vocabulary) -> str | None:
    """The metric whose label or synonym the words are most like, among those that are measured in this kind of unit.

    Words that are like none leave it to the unit, by which some are called: "Peak TFLOPS".
    """
    kind = vocabulary.units.kind(unit)
    measured = [metric for metric in vocabulary.metrics.values() if kind in metric.kinds]
    for said in (words.replace("_", " "), unit.replace("/s", "s")):
        best = max(measured, key=lambda one: _likeness(one, name_key(said)), default=None)
        # where only one metric is measured in such a unit, its name need not be in the head
        if best is not None and (_likeness(best, name_key(said)) >= _ALIKE or len(measured) == 1):
            return best.id
    return None


def _likeness(metric: Metric, key: str) -> float:
    """How much a metric is called so, of 100."""
    names = [name_key(one) for one in (metric.label, *metric.synonyms)]
    # of "on demand per hour" two words name the metric; one alone may be said of many
    if any(" " in one and set(one.split()) <= set(key.split()) for one in names):
        return 100.0
    return max(fuzz.token_sort_ratio(key, one) for one in names)
