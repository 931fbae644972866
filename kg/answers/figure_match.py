"""Whether a claim says what a figure of a text says: the same value, metric, part and time, and how telling the figure is.

Each takes one figure and one claim; who looks for the claims, and what follows for the verdict, is in `kg.answers.check`.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from kg.answers.checked_figures import TextFigure
from kg.answers.claim import ClaimCard, ShownFigure, bare
from kg.answers.known_numbers import ONE_VALUE, short_name
from kg.answers.named_run import counts_agree
from kg.answers.telling_digits import significant_digits
from kg.audit.pair import BRIDGES
from kg.model.buckets import print_key
from kg.model.condition_line import stated_conditions
from kg.model.printed import PrintedNumber
from kg.model.units import COUNT_PREFIX
from kg.model.vocabulary import RATIO_RELATIONS

_SPECIFIC: Final = ONE_VALUE | {"peak-compute", "interconnect-bandwidth"}
"""Metrics with a published value for every chip, so that a figure far from it is out of line."""
BOUNDED: Final = frozenset({"peak-compute", "power", "memory-bandwidth"})
"""Those of which no use has more than the whole; "uses 810 GB" may be said of a model that is spread over several."""
_TELLING_DIGITS: Final = 3
"""Significant digits from which the same print is hardly chance."""
_OF_WHOLES: Final = frozenset({"rental-price", "purchase-price", "power"})
"""Metrics whose figure of a server is none of its chips: eight cards cost and draw more than one."""
_ADDED_UP: Final = frozenset({"memory-capacity", "memory-bandwidth"})
"""The same, save that a text on several chips may mean all of them."""
_RATES: Final = frozenset({"throughput", "training-throughput", "concurrency"})
"""What several chips do together."""
_PER_CHIP: Final = frozenset({"per-chip", "per-superchip"})
_WHOLES: Final = frozenset({"node", "rack", "pod", "cluster", "configuration", "offer"})
_SYSTEMS: Final = ("system/", "cluster/")
_SUMS: Final = frozenset({"total", "per-node", "per-server", "per-rack"})
"""What a figure is divided by, where it is that of several accelerators."""
# matched whole: "8", "4608.5"; not the span "8-16", which is no number to divide by
_COUNT: Final = re.compile(r"\d+(?:\.\d+)?")
_CHIPS: Final = ("accelerator", "family", "superchip")
_OPEN: Final[Mapping[str, frozenset[str]]] = {
    "cost": frozenset(
        {"purchase-price", "capital-cost", "operating-cost", "tco", "rental-price", "training-cost", "inference-cost"}
    ),
    "accelerators-used": frozenset({"component-count"}),
}
"""What a text may mean that says "cost" alone, or "has 72 GPUs", by the metric that it is read as."""
_SPEEDS: Final[Mapping[str, frozenset[str]]] = {
    "training-throughput": frozenset({"training-speed", "performance"}),
    "throughput": frozenset({"inference-speed", "training-speed", "performance"}),
}
"""The same of what is several times faster, by the metric of the rate next to it."""
_OF_PHASE: Final[Mapping[str, str]] = {"inference-speed": "inference", "training-speed": "training"}
"""The same where "faster" stands alone, which reading takes for performance: the speed of the phase that is named."""
_FASTER: Final = re.compile(r"\b(?:faster|quicker|slower|speed\w*)\b")
_ALIKE: Final = (
    frozenset({"gpu", "chip", "accelerator", "card", "device", "processor", "tpu"}),
    frozenset({"node", "server", "machine", "system"}),
)
"""Words for the same things, where they are counted."""
SURE: Final = 0.7
"""The confidence from which a subject or a metric counts as named."""
LEAST: Final = 0.12
"""The confidence below which nothing is taken for it."""
_FAR_BEHIND: Final = 12
"""How many times likelier another metric is where one is no longer meant."""


def is_same_print(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether both are printed alike, but for spaces and separators."""
    return print_key(card.figure.printed or "") == print_key(figure.printed)


def same_value(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether the figure as printed is that of a claim, regardless of the units."""
    values = values_of_number(figure.number)
    # a range is not the value at one of its ends
    return bool(values) and all(
        any(abs(float(value) - one) <= 1e-9 * max(abs(one), 1.0) for one in card.figure.values) for value in values
    )


def values_meet(canonical: tuple[Fraction, Fraction, Fraction], known: ShownFigure) -> bool:
    """Whether one of two canonical values lies within the bounds of the other, but for what floats round off."""
    value, lower, upper = known.canonical_value, known.canonical_lower, known.canonical_upper
    assert value is not None
    given_lower, given, given_upper = map(float, canonical)
    if given_lower * (1 - 1e-9) <= value <= given_upper * (1 + 1e-9):
        return True
    return (value if lower is None else lower) * (1 - 1e-9) <= given <= (upper or value) * (1 + 1e-9)


def values_of_number(number: PrintedNumber | None) -> tuple[Fraction, ...]:
    """The one value of a printed number, or the several of a list."""
    if number is None:
        return ()
    return number.value if isinstance(number.value, tuple) else (number.value,)


def is_rare(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a figure identifies a claim by itself: "72,428" means one thing, "4" could mean anything."""
    # "two hundred" tells as much by its letters as another print by its digits
    in_words = is_same_print(figure, card) and sum(map(str.isalpha, figure.printed)) >= _TELLING_DIGITS
    return in_words or significant_digits(figure.printed) >= _TELLING_DIGITS


def is_everyday(figure: TextFigure, metric: int | None) -> bool:
    """Whether a figure is that of many things, so that a claim of another one says nothing: "8 GPUs", "256 chips", "600 W".

    `metric` is the rank of the metric of the claim.
    """
    if significant_digits(figure.printed) > _TELLING_DIGITS:
        return False
    is_bare = figure.unit is None and not any(map(str.isalpha, figure.printed))
    is_count = is_bare or (figure.unit or "").startswith(COUNT_PREFIX)
    return is_count or metric is None


def is_sure(figure: TextFigure, card: ClaimCard, *, subject: int, metric: int | None) -> bool:
    """Whether subject and metric are certain enough to take an everyday figure for that of a claim."""
    if metric is None:
        return False
    # chips that are counted where a model is named were used in a run of it, which the conditions have to bear out
    is_of_run = metric == 0 and figure.metrics[0].value == "accelerators-used" and "model" in figure.conditions
    if figure.metrics[metric].confidence < LEAST and not is_of_run:
        return False
    if figure.unit is None:  # "2T" of a metric that is named: the letter is printed, and nothing else could be meant
        is_lettered = is_same_print(figure, card) and figure.printed[-1].isalpha()
        return is_lettered and not subject and not metric and figure.metrics[0].confidence >= SURE
    if subject > 1 and card.verdict in ("wrong", "disputed"):
        # put to a claim that is wrong, an innocent figure would be called wrong
        return False
    # small counts are everywhere
    return not (figure.unit.startswith(COUNT_PREFIX) and (subject or metric))


def is_metric_possible(figure: TextFigure, card: ClaimCard, metric: int | None) -> bool:
    """Whether a rare figure may be of the metric of a claim: named likely enough, or printed alike with its unit."""
    if metric is not None and figure.unit is None:
        # nothing else speaks for it, and "2048" is a length far more often than a count of that many chips
        return figure.metrics[metric].confidence >= min(LEAST, figure.metrics[0].confidence / _FAR_BEHIND)
    if metric is not None or figure.unit is None:
        return metric is not None
    return _is_same_count(figure, card) and is_same_print(figure, card)


def is_named_for_certain(figure: TextFigure) -> bool:
    """Whether the text itself says what a whole figure is of, so that its size can be judged."""
    metric = figure.metrics[0]
    return (
        metric.value in _SPECIFIC
        and min(metric.confidence, figure.subjects[0].confidence) >= SURE
        and (not figure.is_partial or (figure.is_used and metric.value in BOUNDED))
        and figure.relation == "absolute"
    )


def metric_rank(figure: TextFigure, card: ClaimCard) -> int | None:
    """The place of the metric of a claim among those that a figure may be of; None where it is none, or counts other things."""
    if not _is_same_count(figure, card):
        return None
    first = figure.metrics[0].value if figure.metrics else ""
    speeds = _SPEEDS.get(first, frozenset()) if figure.relation in RATIO_RELATIONS else frozenset()
    if bare(card.metric) in _OPEN.get(first, frozenset()) | speeds or _is_speed_of_phase(figure, card):
        return 0
    return next((rank for rank, one in enumerate(figure.metrics) if one.value == bare(card.metric)), None)


def _is_speed_of_phase(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a figure says how much faster a thing is, in the phase of a claim or in one that it does not name."""
    phase = _OF_PHASE.get(bare(card.metric) or "")
    if phase is None or figure.relation not in RATIO_RELATIONS or not _FASTER.search(figure.words):
        return False
    is_open = bool(figure.metrics) and figure.metrics[0].value == "performance"
    return is_open and is_among(phase, figure.conditions.get("phase", phase))


def is_phase_open(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim is of the speed of one phase, and the text says how much faster a thing is without one."""
    phase = _OF_PHASE.get(bare(card.metric) or "", "")
    # "faster Llama 2 70B inference" names it, though reading is not sure that it is a condition
    is_named = "phase" in figure.conditions or re.search(rf"\b{phase}\b", figure.words) is not None
    return _is_speed_of_phase(figure, card) and not is_named


def _is_same_count(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a figure counts what a claim counts, by any word for it, where it counts anything."""
    # counts of anything are of one kind, so that only the metric or the thing distinguishes them
    counted, claimed = figure.unit or "", bare(card.figure.unit) or ""
    if not counted.startswith(COUNT_PREFIX) or counted == claimed:
        return True
    things = {counted.removeprefix(COUNT_PREFIX), claimed.removeprefix(COUNT_PREFIX)}
    return any(things <= alike for alike in _ALIKE)


def is_of_a_whole(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim gives a price, a power, the memory or a rate of a server, and the text says it of a chip."""
    of_wholes = _OF_WHOLES if figure.is_partial else _OF_WHOLES | _ADDED_UP
    if not figure.subjects or card.level not in _WHOLES:
        return False
    named = figure.subjects[0].value
    # the name of a family may mean its rack, whose rate is no error then; that of one device cannot
    of_wholes = (
        of_wholes | _RATES if named.startswith("accelerator/") and card.normaliser not in _PER_CHIP else of_wholes
    )
    if bare(card.metric) not in of_wholes:
        return False
    return named.partition("/")[0] in _CHIPS and named not in {one.id for one in card.subjects}


def is_of_several(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim gives the sum of several devices, and the text says it of each: 300,000 tokens a second of 72 GPUs."""
    if figure.per is None or card.relation in RATIO_RELATIONS:
        return False
    # what is printed for a rack without a divisor may be of one GPU all the same, save for what adds up
    adds_up = bare(card.metric) in _OF_WHOLES | _ADDED_UP
    is_of_whole = card.normaliser == "unstated" and card.level in _WHOLES and adds_up
    return (card.normaliser in _SUMS or is_of_whole) and devices_of(card) != 1


def devices_of(card: ClaimCard) -> float | None:
    """The number of accelerators that a claim of a sum states to be in it."""
    stated = stated_conditions(card.conditions)
    counts = [stated[name] for name in ("accelerators", "accelerators_mean") if name in stated]
    return float(counts[0]) if card.normaliser == "total" and counts and _COUNT.fullmatch(counts[0]) else None


def is_other_part(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim gives the price of the thing alone and the text that of all that is bought with it, or the other way."""
    if not figure.metrics:
        return False
    named, claimed = figure.metrics[0].value, bare(card.metric)
    # "costs $190k all-in": each metric has a word there, and the one that includes the other is meant
    sure = figure.metrics[0].confidence / 2
    wider = [one.value for one in figure.metrics if one.value == BRIDGES.get(named) and one.confidence >= sure]
    named = wider[0] if wider else named
    return claimed is not None and claimed != named and (BRIDGES.get(named) == claimed or BRIDGES.get(claimed) == named)


def holds_then(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim may hold in the month that a text names; one that does not say when may."""
    held = held_at(card)
    if figure.month is None or held is None or (figure.is_until and held < figure.month):
        return True
    return figure.month.startswith(held) or held.startswith(figure.month)


def held_at(card: ClaimCard) -> str | None:
    """The day or month of which a claim is: that of its conditions, else that as of which it is stated."""
    date = stated_conditions(card.conditions).get("date", "")
    return date if re.match(r"\d{4}", date) else card.as_of


def is_of_one(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim gives the memory, power or price of one chip, and the text says it of several, or of a whole system."""
    named = figure.subjects[0].value if figure.subjects else ""
    is_of_system = named.startswith(_SYSTEMS) and figure.per is None and not figure.is_partial
    of_several = figure.is_together or is_of_system
    return of_several and card.level == "accelerator" and bare(card.metric) in _OF_WHOLES | _ADDED_UP


def conditions_told(figure: TextFigure, card: ClaimCard) -> int:
    """How many conditions of a claim are named around a figure, whether or not reading is sure that they hold."""
    values = {short_name(one) for value in stated_conditions(card.conditions).values() for one in value.split(", ")}
    # numbers among the conditions, a batch of 8, occur in any text
    return sum(one[:1].isalpha() and one in figure.words for one in values)


def is_among(value: str, known: str) -> bool:
    """Whether the condition of a text is one of those that a claim states, or its kind: pre-training is training.

    >>> is_among("training", "pre-training, inference"), is_among("pre-training", "training")
    (True, False)
    """
    named, stated = short_name(value), [short_name(one) for one in known.split(", ")]
    return any(one == named or one.endswith(f"-{named}") for one in stated)


def is_same_condition(name: str, value: str, known: str) -> bool:
    """Whether the condition of a text is what a claim states; of accelerators the number counts, not how it is printed."""
    return counts_agree(value, known) if name == "accelerators" else is_among(value, known)
