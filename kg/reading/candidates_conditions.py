"""Candidates for conditions: the things that say under what a figure holds, and what is printed of lengths, counts, dates."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from kg.reading.candidates_subject import ZONE_REASON, is_setting
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.metric_groups import metric_group
from kg.reading.named_thing import HERE
from kg.reading.passage import Near, Passage
from kg.reading.ranker import Features

_OF_CLASS: Final = {
    "model": "model",
    "suite": "benchmark",
    "task": "task",
    "scenario": "scenario",
    "division": "division",
    "precision": "precision",
    "round": "round",
    "software": "framework",
}
ORGANISATIONS: Final = ("provider", "customer", "operator")
"""Roles that an organisation may have in a claim."""
_MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH: Final = rf"(?:{'|'.join(_MONTHS)}|{'|'.join(month[:3] for month in _MONTHS)})\.?"
_NUMBER: Final = r"(?<![\w.,])(?P<value>\d+(?:,\d{3})*(?:\.\d+)?[kKM]?)"
_VALUE_OF_COLUMN: Final = re.compile(r"\s*(\d[\d,]*(?:\.\d+)?\s?[kKM]?)\s*(?:\w{0,12})\s*")
_PRINTED: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "sequence_length",
            rf"{_NUMBER}[\s-](?:tokens?\s)?seq(?:uence)?\.?\s?len(?:gth)?|seq(?:uence)?\.?\s?len(?:gth)?\s(?:of|is|=|:)?\s?{_NUMBER.replace('value', 'value2')}",
        ),
        (
            "context_length",
            rf"{_NUMBER}[\s-]?(?:token\s)?context|context\s(?:length|window)\s(?:of|=|:)?\s?{_NUMBER.replace('value', 'value2')}",
        ),
        ("batch", rf"batch(?:\ssize)?(?:\sof|\s?=|:)?\s?{_NUMBER}|{_NUMBER.replace('value', 'value2')}[\s-]batch"),
        (
            "accelerators",
            rf"{_NUMBER}[\s-]?(?:x\s)?(?!per\s|an?\s)(?:[A-Z][\w-]*\s){{0,2}}(?:GPUs?|accelerators?|chips|cards|TPUs?|[A-Z]+\d+\w*s)\b",
        ),
        ("training_tokens", r"\b(?P<value>\d[\d,]*(?:\.\d+)?[\s-]?(?:T|B|trillion|billion))\s(?:training\s)?tokens"),
        (
            "latency_limit",
            r"(?:under|within|at)\sa?\s?(?P<value>\d+\s?m?s)\slatency|latency\s(?:limit|constraint|bound)\sof\s(?P<value2>\d+\s?m?s)",
        ),
        (
            "concurrency",
            rf"(?:concurrency\sof\s){_NUMBER}|{_NUMBER.replace('value', 'value2')}\s(?:concurrent|simultaneous)",
        ),
        (
            "date",
            rf"\b(?:in|by|until|since|of|before|from|as of|during)\s(?:early\s|mid-?|late\s)?(?P<value>{_MONTH}\s\d{{4}}|Q[1-4]\s(?:FY)?\d{{4}}|20\d\d)\b|\bH[12]\s(?P<value2>20\d\d)\b",
        ),
        ("period", r"\b(?P<value>Q[1-4]\sFY\d{4})\b"),
    )
)
_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "sequence_length": ("seq",),
    "context_length": ("context",),
    "batch": ("batch",),
    "accelerators": ("gpu", "accelerator", "chip", "card", "tpu", "s"),
    "training_tokens": ("tokens",),
    "concurrency": ("concurren", "simultaneous"),
}
"""Letters without which a pattern that begins with a number finds nothing: looked for first, they cost a hundredth of it."""
_WORDS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (name, value, re.compile(pattern, re.IGNORECASE))
    for name, value, pattern in (
        ("phase", "training", r"\b(?:pre-?)?train(?:ed|ing|s)?\b|\bfine-?tun\w*"),
        ("phase", "prefill", r"\bpre-?fill\w*"),
        ("phase", "decode", r"\bdecod(?:es?|ing|ed)\b"),
        ("phase", "inference", r"\binferenc\w*|\bserv(?:e|es|ing)\b|\bgenerat(?:es?|ion|ing)\b|\blatency\b"),
        ("sparsity", "dense", r"\b(?:dense(?! models?)|without sparsity|w/o sparsity|no sparsity)"),
        ("sparsity", "sparse", r"\bsparse\b|(?<!without )(?<!w/o )(?<!no )\bsparsity\b"),
        ("aggregation", "mean", r"\bavg\.?|\baverage\b|\bmean\b"),
        ("parallelism", "tensor parallel", r"\btensor[\s-]parallel\w*|\bTP\b"),
        ("parallelism", "pipeline parallel", r"\bpipeline[\s-]parallel\w*|\bPP\b"),
        ("parallelism", "data parallel", r"\bdata[\s-]parallel\w*|\bDP\b"),
        ("parallelism", "expert parallel", r"\bexpert[\s-]parallel\w*|\bEP\b"),
        ("parallelism", "context parallel", r"\bcontext[\s-]parallel\w*"),
        ("term", "long-term", r"\blong-term\b|\b\d-year\b"),
        ("offer", "on-demand", r"\bon-demand\b"),
    )
)
_COLUMNS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("sequence_length", r"seq(?:uence)?\.?\s?_?len(?:gth)?|input len"),
        ("context_length", r"context"),
        ("batch", r"(?:global\s?)?batch(?:\s?size)?$|global\s?batch"),
        (
            "accelerators",
            r"#\s?(?:gpus?|chips?|accelerators?)|^(?:gpus|num\w* (?:of )?(?:gpus|chips|accelerators)|(?:gpu|chip|accelerator) count|no\. of (?:gpus|chips))$",
        ),
        ("accelerators_mean", r"(?:avg|average|mean) (?:total )?(?:accelerators|gpus)"),
        ("concurrency", r"concurrency|users"),
        ("precision", r"precision|dtype|data ?type|number format|bits"),
        ("model", r"^model(?: name)?$|^network$"),
        ("framework", r"framework|software|backend|engine"),
        ("date", r"^date$|^year$"),
        ("parallelism", r"sharding|parallelism|^tp$|^pp$"),
        ("scenario", r"scenario"),
    )
)


_CLAUSE: Final = 3
"""Words that a comma counts as."""


@dataclass(slots=True)
class SeenCondition:
    """One value of one condition, and what is seen of it."""

    name: str
    value: str
    label: str
    zone: str
    features: set[str] = field(default_factory=set)
    distance: int = 99_000


def seen_conditions(
    passage: Passage, knowledge: ReadingKnowledge, subject: str | None, metric: str | None = None
) -> list[SeenCondition]:
    """All conditions that the passage may state of a figure of a metric, each once."""
    found: dict[tuple[str, str], SeenCondition] = {}
    for one in (*_named(passage, knowledge, subject), *_worded(passage), *_columns(passage, knowledge)):
        known = found.setdefault((one.name, one.value), one)
        known.features |= one.features
        known.distance = min(known.distance, one.distance)
    _follow_models(found, knowledge)
    _mark_nearest(found.values(), knowledge)
    return [one for one in found.values() if not _is_of_a_run(one, metric)]


def _is_of_a_run(condition: SeenCondition, metric: str | None) -> bool:
    """Whether a condition is that of a run in another sentence, and the figure what a thing is rated at or costs."""
    group = metric_group(metric)
    is_other = condition.name in _OF_RUNS if group == "price" else condition.name in (*_OF_RUNS, "date")
    return group in ("rating", "price") and is_other and condition.zone not in HERE


_OF_RUNS: Final = frozenset(
    {"model", "task", "benchmark", "scenario", "division", "round", "framework", "phase", "batch"}
)


def _follow_models(found: Mapping[tuple[str, str], SeenCondition], knowledge: ReadingKnowledge) -> None:
    """A task that is named anywhere is named again wherever its model is, which a text may call by another name there."""
    for (name, identifier), one in found.items():
        record = knowledge.names.registry.records.get(identifier, {}) if name == "task" else {}
        model = found.get(("model", record.get("model", "")))
        if model is not None:
            one.features |= model.features
            one.distance = min(one.distance, model.distance)


_ZONES: Final = [
    "inside",
    "row",
    "column",
    "rowcell",
    "before",
    "after",
    "lead",
    "heading",
    "previous",
    "block",
    "outer",
    "title",
    "next",
]


def _mark_nearest(seen: Iterable[SeenCondition], knowledge: ReadingKnowledge) -> None:
    """Mark the nearest value of each condition; a class of models is nearest only where no model is named."""

    def order(one: SeenCondition) -> tuple[bool, int]:
        record = knowledge.names.registry.records.get(one.value, {})
        return record.get("kind") == "model-class", one.distance

    by_name: dict[str, list[SeenCondition]] = defaultdict(list)
    for one in seen:
        by_name[one.name].append(one)
    for known in by_name.values():
        for rank, one in enumerate(sorted(known, key=order)):
            one.features.add("nearest" if rank == 0 else f"farther {min(rank, 3)}")


def _distance(zone: str, words: int) -> int:
    """How far a place is: the zones in the order in which a reader looks, words within the sentence."""
    # of two that are equally far, the one before the figure is the nearer
    if zone in ("before", "after"):
        return _ZONES.index("before") * 1000 + words * 2 + (zone == "after")
    return _ZONES.index(zone) * 1000 + min(words, 400)


def _named(passage: Passage, knowledge: ReadingKnowledge, subject: str | None) -> Iterator[SeenCondition]:
    order: dict[tuple[str, str], int] = {}
    for near in passage.names:
        # what a section is about is no condition of each of its figures
        if near.zone == "section" or is_setting(near, passage):
            continue
        for identifier in near.mention.ids:
            for name in _conditions_of(identifier, knowledge, subject):
                order[name, near.zone] = order.get((name, near.zone), 0) + 1
                features = {near.zone, f"{near.zone} #{min(order[name, near.zone], 3)}", "thing"}
                if identifier == subject:
                    features.add("is subject")
                if len(near.mention.ids) > 1:
                    features.add("ambiguous")
                beyond = near.zone in ("before", "after") and _is_beyond(near, passage)
                features |= _in_sentence(near, beyond=beyond)
                distance = _distance(near.zone, near.words + _CLAUSE * beyond)
                yield SeenCondition(name, identifier, near.mention.printed, near.zone, features, distance)


def _conditions_of(identifier: str, knowledge: ReadingKnowledge, subject: str | None) -> Iterator[str]:
    """The conditions that a thing may be the value of; the maker of the subject is named for its product, not as a customer."""
    kind = knowledge.names.class_of(identifier)
    if kind in _OF_CLASS:
        yield _OF_CLASS[kind]
    elif kind == "organisation":
        maker = knowledge.names.registry.records.get(subject or "", {}).get("maker")
        yield from (name for name in ORGANISATIONS if name != "customer" or identifier != maker)


def _in_sentence(near: Near, *, beyond: bool) -> set[str]:
    """How far a name of the figure's sentence is from it, in words and beyond a comma."""
    if near.zone not in ("before", "after"):
        return set()
    within = next((most for most in (2, 5, 10, 20) if near.words <= most), 99)
    return {f"{near.zone} within {within}", *(["beyond a comma"] if beyond else [])}


def _is_beyond(near: Near, passage: Passage) -> bool:
    """Whether a comma stands between a figure and a name of its sentence: "A at FP8, 5 at FP16" has 5 at FP16."""
    mention, figure = near.mention, passage.figure
    if near.zone == "before":
        between = passage.before[mention.end - passage.start :]
    else:
        between = passage.after[: max(0, mention.start - figure.end)]
    return any(sign in between for sign in (", ", "; "))


def _worded(passage: Passage) -> Iterator[SeenCondition]:
    own = _own_names(passage)
    zones = (
        ("before", passage.before),
        ("after", passage.after),
        ("column", passage.column_header),
        ("row", passage.row_header),
        ("heading", passage.above),
    )
    for zone, text in zones:
        for name, value, label, start, end, how in _stated(text) if text else ():
            if name in own and _is_of_another(zone, text[:start]):
                continue
            # in words, as the distance of names is: about six code points each
            gap = len(text) - end if zone == "before" else start
            distance = _distance(zone, gap // 6)
            yield SeenCondition(name, value, label, zone, {zone, how, _gap(start, end, zone, text)}, distance)


_OTHER_NUMBER: Final = re.compile(r"(?<![\w-])\d")


def _own_names(passage: Passage) -> set[str]:
    """The conditions that are stated behind the figure and before the next number: 74 during prefilling or 15 during decoding."""
    return {
        name
        for name, *_, start, _end, _how in _stated(passage.after)
        if not _OTHER_NUMBER.search(passage.after[:start])
    }


def _is_of_another(zone: str, lead: str) -> bool:
    """Whether a number of the sentence that has its own value of the condition has this one."""
    return zone in ("before", "after") and _OTHER_NUMBER.search(lead) is not None


@lru_cache(maxsize=1 << 14)
def _stated(text: str) -> tuple[tuple[str, str, str, int, int, str], ...]:
    """Condition, value, words, place and kind of all that a text states by its wording; headers come again and again."""
    found = []
    lower = text.casefold()
    for name, pattern in _PRINTED:
        if not any(letters in lower for letters in _NEEDED.get(name, ("",))):
            continue
        for match in pattern.finditer(text):
            value = next((one for one in match.groups() if one), "")
            if value:
                found.append((name, _plain(value), value, match.start(), match.end(), "printed"))
    for name, value, pattern in _WORDS:
        if (first := pattern.search(text)) is not None:
            found.append((name, value, first[0], first.start(), first.end(), "word"))
    return tuple(found)


def _gap(start: int, end: int, zone: str, text: str) -> str:
    if zone not in ("before", "after"):
        return f"{zone} any"
    gap = len(text) - end if zone == "before" else start
    return f"{zone} code points {next((most for most in (5, 20, 60, 150) if gap <= most), 9999)}"


def _columns(passage: Passage, knowledge: ReadingKnowledge) -> Iterator[SeenCondition]:
    """Other cells of the row whose column says which condition they hold."""
    for cell in passage.row:
        for name, pattern in _COLUMNS:
            if pattern.search(cell.header.strip()) is None or not cell.text.strip(" -–"):
                continue
            number = _VALUE_OF_COLUMN.fullmatch(cell.text)
            if number:
                # 3000 is the distance of the zone `rowcell`: a cell says nothing of how far it is
                # in words
                yield SeenCondition(
                    name, _plain(number[1]), cell.text.strip(), "rowcell", {"rowcell", "cell of the row"}, 3000
                )
            elif not any(mention for mention in knowledge.names.scan(cell.text)):
                text = " ".join(cell.text.split())[:60]
                yield SeenCondition(name, text, text, "rowcell", {"rowcell", "text of the row"}, 3000)
            break


_LARGE: Final = re.compile(r"(\d+(?:\.\d+)?)[\s-]?(T|B|trillion|billion)", re.IGNORECASE)
"""A number of tokens, which conditions hold as 14.8T and 300B."""


def _plain(printed: str) -> str:
    """A printed number as a condition holds it: 2,048 is 2048, 128K is 128000; anything else as it stands.

    >>> _plain("2,048"), _plain("128K"), _plain("May 2025"), _plain("2.5"), _plain("14.8 trillion")
    ('2048', '128000', 'May 2025', '2.5', '14.8T')
    """
    plain = printed.replace(",", "").strip()
    large = _LARGE.fullmatch(plain)
    if large is not None:
        return large[1] + large[2][0].upper()
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s?([kKM]?)", plain)
    if match is None:
        return printed.strip()
    number = float(match[1]) * {"": 1, "k": 1000, "K": 1000, "M": 1_000_000}[match[2]]
    return str(int(number)) if number.is_integer() else str(number)


def condition_features(condition: SeenCondition, passage: Passage, subject_class: str, metric: str | None) -> Features:
    """The features by which it is decided whether a figure holds under a condition."""
    table = "table" if passage.figure.block.cell else "prose"
    base = sorted(condition.features)
    group = metric_group(metric)
    group = "run" if group == "use" else group  # what a run uses holds under the conditions of the run
    nearest = "nearest" if "nearest" in condition.features else "farther"
    return (
        "always",
        *base,
        f"name {condition.name}",
        *(f"{condition.name} {one}" for one in base),
        f"{condition.name} | {metric}",
        f"{condition.name} | {subject_class}",
        f"{condition.name} | {table}",
        f"{condition.name} {condition.zone} {table}",
        f"{condition.name} {nearest} {group}",
        f"{condition.name} {nearest} {group} {subject_class}",
        f"{nearest} {group} {condition.zone}",
        f"{condition.name} {nearest} {condition.zone}",
    )


def condition_reason(condition: SeenCondition) -> str:
    """Why a condition is offered."""
    return ZONE_REASON.get(condition.zone, condition.zone)
