"""Candidates for the metric: the words of metrics around a figure, and what its unit can measure."""

import re
from collections import defaultdict
from typing import Final

from kg.content.vocabulary import Metric
from kg.model.vocabulary import RATIO_RELATIONS
from kg.reading.counted_nouns import counts_others
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import HARDWARE
from kg.reading.nearby_units import UnitReader
from kg.reading.passage import Passage
from kg.reading.ranker import Features
from kg.reading.stated_conditions import stated

_RELATIVE: Final = frozenset({*RATIO_RELATIONS, "points", "order", "difference"})


def metric_candidates(
    passage: Passage, knowledge: ReadingKnowledge, relation: str, subject_class: str
) -> list[tuple[str, Features]]:
    """Every metric that the unit allows, with the features by which it is ranked."""
    kind = knowledge.unit_kind(passage.figure.unit)
    compares = relation in _RELATIVE
    seen = _terms(passage)
    found = []
    for metric in knowledge.vocabulary.metrics.values():
        if not _is_possible(metric, kind, passage.figure.unit or "", compares=compares, seen=metric.id in seen):
            continue
        features = seen.get(metric.id, set())
        prior = f"{metric.id} | {kind}" if not compares else f"{metric.id} | compares"
        known = [*sorted(features), f"is {metric.id}", prior, f"{metric.id} | {subject_class}"]
        known += [f"{one} | {'compares' if compares else 'absolute'}" for one in sorted(features) if "#" in one]
        if passage.figure.unit and passage.figure.unit.startswith("count:"):
            known.append(f"{metric.id} | {passage.figure.unit}")
        if not features:
            known.append("unnamed")
            known.append(f"unnamed {'compares' if compares else kind}")
        found.append((metric.id, tuple(known)))
    return found


def _is_possible(metric: Metric, kind: str, unit: str, *, compares: bool, seen: bool) -> bool:
    """Whether a figure of a unit may be of a metric, which is seen around it or is not."""
    if kind in metric.kinds:
        return not counts_others(metric.synonyms, unit)
    # a ratio has not the unit of what it compares: any metric that has units may be meant
    return (kind == "none" and seen) or (compares and bool(metric.kinds))


_MULTIPLE_OF: Final = re.compile(
    r"\s*(?:times\s)?(?:as\s(?:much|many)|more|less|higher|lower|greater|better|fewer|larger|smaller|the|its|of\sthe)?\s*",
    re.IGNORECASE,
)


def named_multiple(passage: Passage) -> tuple[str, ...]:
    """The metrics that a comparison names right behind its figure: 1.7x the power, 2.2x higher throughput, 30% less energy."""
    if passage.figure.relation not in RATIO_RELATIONS or passage.figure.block.cell is not None:
        return ()
    for near in passage.terms:
        at = near.mention.start - passage.figure.end
        if near.zone == "after" and _MULTIPLE_OF.fullmatch(passage.after[:at]):
            return near.mention.ids
    return ()


_AMOUNT: Final = r"(?P<money>[$€¥£])?\d[\d.,]*(?:\s?(?:million|billion|trillion|thousand|[kKM](?![A-Za-z])))?"
_THAN_AMOUNT: Final = re.compile(
    rf"\s?(?:times\s)?(?:[\w-]+\s){{0,2}}?(?:than|over|above|below|under|up\son|the|that\sof)\s(?:the\s|its\s|only\s|just\s|about\s)*{_AMOUNT}",
    re.IGNORECASE,
)
"""Behind a comparison, the amount it is a multiple of: 37% more than the 1,425 tok/s, 1.42 times the 22,500 tokens."""
_OF_AMOUNT: Final = re.compile(
    rf"(?<![\w.,]){_AMOUNT}(?P<unit>\s?[^,;.()]{{0,40}}),\s(?:or\s|that\sis\s|i\.e\.,?\s|which\sis\s)?(?:an?\s)?(?:\w+\s){{0,2}}(?:of\s)?(?:about\s|nearly\s|roughly\s)?$"
)
"""Before a comparison, the amount that it sums up: reaches 11,400 tok/s, a 2.2x gain; from $2.99 a year ago, a drop of 30%."""


def compared_kind(passage: Passage, knowledge: ReadingKnowledge) -> str | None:
    """The kind of the amount that a comparison is stated with, None where none is: what it measures, the comparison compares."""
    if passage.figure.relation not in RATIO_RELATIONS:
        return None
    if passage.figure.block.cell is not None:
        return _kind_of_columns(passage, knowledge)
    if (than := _THAN_AMOUNT.match(passage.after)) is not None:
        money, behind = than["money"], passage.after[than.end() :].lstrip()
    elif (of := _OF_AMOUNT.search(passage.before)) is not None:
        money, behind = of["money"], of["unit"].lstrip()
    else:
        return None
    reader = UnitReader(knowledge.vocabulary.units)
    per = _PER_TIME.match(behind)
    unit = reader.unit_of("USD", (per[1],) if per is not None else ()) if money else None
    near = reader.after(behind, 0, attached=False) if not money else None
    found = unit or (near.unit if near is not None else None)
    return None if found in (None, "1", "%") else knowledge.unit_kind(found)


_HEADER_UNIT: Final = re.compile(r"\s*[(\[](?P<unit>[^()\[\]]{1,40})[)\]]\s*$")


def _kind_of_columns(passage: Passage, knowledge: ReadingKnowledge) -> str | None:
    """The kind of the columns that a column compares: of "A vs B" next to "A (tok/s)" and "B (tok/s)" that of tokens a second."""
    names = {near.mention.printed for near in passage.named_in("column")}
    units = set()
    for cell in passage.row:
        unit = _HEADER_UNIT.search(cell.header)
        if unit is not None and cell.header[: unit.start()].strip() in names:
            units.add(knowledge.vocabulary.units.find(unit["unit"]))
    kinds = {unit.kind for unit in units if unit is not None}
    return kinds.pop() if len(names) > 1 and len(kinds) == 1 else None


_TRAINS: Final = re.compile(r"\b(?:pre-?)?train(?:s|ed|ing)?\b", re.IGNORECASE)
_TRAINS_OR_SERVES: Final = re.compile(
    r"\b(?:(?:pre-?)?train(?:s|ed|ing)?|inference|serv(?:e|es|ed|ing)|generat(?:es?|ed|ing))\b", re.IGNORECASE
)
_TOOK: Final = re.compile(
    r"\b(?:took|takes?|lasted|lasts|ran for|runs? for)\s(?:about\s|only\s|just\s|nearly\s|some\s|[~≈]\s?)*$",
    re.IGNORECASE,
)


def _names_other_cost(passage: Passage) -> bool:
    zones = ("before", "after", "row", "column", "lead")
    return any(near.zone in zones and _OTHER_COSTS.intersection(near.mention.ids) for near in passage.terms)


def _implied_count(passage: Passage) -> tuple[str, ...]:
    if _HOLDS.search(passage.before):
        return ("component-count",)
    if passage.figure.unit in (*_CHIPS, "count:unit") and _SOLD.search(passage.before):
        return ("production-volume",)
    runs_on = passage.figure.unit in _CHIPS and _RUNS_ON.search(passage.before) is not None
    return ("accelerators-used",) if runs_on else ()


_HOLDS: Final = re.compile(
    r"\b(?:an?|one|each|every|per|the)\s(?:[\w-]+\s){0,2}?(?:node|server|box|rack|system|tray|board|pod)s?\s(?:\w+\s)?"
    r"(?:has|have|holds?|contains?|houses?|packs?|carries|includes?|comes with)\s(?:up to\s|exactly\s)?$",
    re.IGNORECASE,
)
"""Before the number of parts that each of some things has: each node holds eight."""
_RUNS_ON: Final = re.compile(
    r"\b(?:on|across)\s(?:about\s|around\s|only\s|just\s|over\s|up to\s|[~≈])*$", re.IGNORECASE
)
_SOLD: Final = re.compile(
    r"\b(?:ship(?:s|ped|ping)?|sold|sells?|delivered|produced)\s(?:an?\s|about\s|around\s|nearly\s|over\s|roughly\s|more\sthan\s|up\sto\s)*$",
    re.IGNORECASE,
)
_CHIPS: Final = ("count:gpu", "count:chip", "count:tpu")
_OTHER_COSTS: Final = frozenset(("tco", "operating-cost", "capital-cost", "training-cost", "inference-cost"))


def implied_metrics(passage: Passage, knowledge: ReadingKnowledge, subject_class: str) -> tuple[str, ...]:
    """The metric that a unit and one word around it leave no choice of: dollars per token are of training where the text
    says so and else of inference, dollars an hour for a chip are its rent, and what training took is its time."""
    kind = knowledge.unit_kind(passage.figure.unit)
    if (setting := _printed_setting(passage)) is not None:
        return (setting,)
    if kind == "money-usd-per-token":
        return _cost_of_tokens(passage)
    if kind == "money-usd-rate" and subject_class in HARDWARE:
        return () if _names_other_cost(passage) else ("rental-price",)
    if kind == "count":
        return _implied_count(passage)
    if kind == "money-usd":
        return _implied_cost(passage)
    if kind == "duration" and _TOOK.search(passage.before) and _TRAINS.search(passage.before):
        return ("training-time",)
    return ()


def _cost_of_tokens(passage: Passage) -> tuple[str, ...]:
    headers = f"{passage.column_header} {passage.row_header} {passage.above}"
    named = _TRAINS_OR_SERVES.findall(passage.before) or _TRAINS_OR_SERVES.findall(f"{passage.after} {headers}")[:1]
    return ("training-cost",) if named and _TRAINS.match(named[-1]) else ("inference-cost",)


def _implied_cost(passage: Passage) -> tuple[str, ...]:
    """What an amount of money is for by the words next to it: to train, per request, for electricity."""
    if _TO_TRAIN.match(passage.after):
        return ("training-cost",)
    if _PER_REQUESTS.match(passage.after):
        return ("inference-cost",)
    return ("operating-cost",) if _ELECTRICITY.search(passage.before) else ()


_TO_TRAIN: Final = re.compile(r"\s(?:[\w-]+\s){0,2}?to\s(?:pre-?)?train\b", re.IGNORECASE)
_PER_REQUESTS: Final = re.compile(
    r"\s(?:per|for\severy|for\seach|a)\s(?:(?:thousand|million|1,000|1K|1M)\s)?(?:requests?|quer(?:y|ies)|images?|conversations?|tokens?)\b",
    re.IGNORECASE,
)
_ELECTRICITY: Final = re.compile(
    r"\b(?:electricity|(?:energy|power)\s(?:bills?|costs?|charges?|expenses?))\s[^.;\d]{0,30}$", re.IGNORECASE
)
"""Before what it costs to run something: annual electricity comes to."""
_OF_SETTING: Final = {
    "sequence_length": "sequence-length",
    "context_length": "context-length",
    "batch": "batch-size",
    "concurrency": "concurrency",
}


def _printed_setting(passage: Passage) -> str | None:
    """The metric of a figure that prints a setting of a run: of "input 2,048 / output 128 tokens, batch size 64" each."""
    if passage.figure.block.cell is not None:
        return None
    start, text = len(passage.before), passage.before + passage.figure.printed + passage.after
    for one in stated(text):
        if one.how == "printed" and one.name in _OF_SETTING and one.start <= start < one.end:
            return _OF_SETTING[one.name]
    return None


_PER_TIME: Final = re.compile(r"(?:/|(?:per|an?)\s)(?:\w+[\s-])?(hour|month|day|year)\b", re.IGNORECASE)


def _terms(passage: Passage) -> dict[str, set[str]]:
    """What is seen of each metric around the figure."""
    seen: dict[str, set[str]] = defaultdict(set)
    count: dict[str, int] = defaultdict(int)
    for near in passage.terms:
        mention = near.mention
        count[near.zone] += 1
        order = f"#{min(count[near.zone], 4)}"
        size = min(1 + sum(mention.printed.count(mark) for mark in " -/"), 3)
        for metric in mention.ids:
            known = seen[metric]
            known.update((near.zone, f"{near.zone} {order}", f"{near.zone} words {size}"))
            if near.zone in ("before", "after"):
                known.add(f"{near.zone} within {next((most for most in (1, 2, 4, 8, 16) if near.words <= most), 99)}")
                between = (
                    passage.before[mention.end - passage.start :]
                    if near.zone == "before"
                    else passage.after[: mention.start - passage.figure.end]
                )
                known.add(f"{near.zone} commas {min(sum(between.count(mark) for mark in ',;:('), 2)}")
            if len(mention.ids) == 1:
                known.add("only meaning")
                known.add(f"{near.zone} only meaning")
    return seen


def first_term(passage: Passage, metric: str) -> tuple[str, str] | None:
    """The words that named a metric and their zone, the nearest first; None where nothing did."""
    for near in passage.terms:
        if metric in near.mention.ids:
            return near.mention.printed, near.zone
    return None
