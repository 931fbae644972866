"""Candidates for conditions: the things that say under what a figure holds, and what is printed of lengths, counts, dates."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from kg.reading.knowledge import ReadingKnowledge
from kg.reading.metric_groups import metric_group
from kg.reading.named_thing import HERE
from kg.reading.passage import Near, Passage
from kg.reading.ranker import Features
from kg.reading.rate_wording import is_setting
from kg.reading.speaking import speaks
from kg.reading.stated_conditions import of_lengths, plain, stated

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
_VALUE_OF_COLUMN: Final = re.compile(r"\s*(\d[\d,]*(?:\.\d+)?\s?[kKM]?)\s*(?:\w{0,12})\s*")
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
_LENGTH_OF: Final = r"(?:avg\.? |mean )?(?:{names})(?: ?(?:seq(?:uence)? ?)?len(?:gth)?| tokens)?(?: \(tokens\))?"
_READ: Final = re.compile(_LENGTH_OF.format(names="isl|input|prompt"), re.IGNORECASE)
_WRITTEN: Final = re.compile(_LENGTH_OF.format(names="osl|output|completion"), re.IGNORECASE)
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
    seen = [*_named(passage, knowledge, subject), *_worded(passage), *_columns(passage, knowledge)]
    for one in _without_lists(seen):
        known = found.setdefault((one.name, one.value), one)
        known.features |= one.features
        if one.distance < known.distance:
            known.zone, known.distance = one.zone, one.distance
    _follow_models(found, knowledge)
    _mark_nearest(found.values(), knowledge)
    _leave_finer_phase(found)
    is_benchmark = any(knowledge.names.class_of(near.mention.ids[0]) in _OF_BENCHMARKS for near in passage.names)
    return [
        one
        for one in found.values()
        if not _is_of_a_run(one, metric)
        and (is_benchmark or one.name not in _ONLY_IN_BENCHMARKS)
        and (one.zone != "everywhere" or "nearest" in one.features)
    ]


def _leave_finer_phase(found: dict[tuple[str, str], SeenCondition]) -> None:
    """Of inference and its part that stands behind the figure, the part: 2,300 tok/s in prefill."""
    parts = [found[key] for key in (("phase", "prefill"), ("phase", "decode")) if key in found]
    if any(one.zone == "after" and "nearest" in one.features for one in parts):
        found.pop(("phase", "inference"), None)


_OF_BENCHMARKS: Final = frozenset({"suite", "round", "scenario"})
_ONLY_IN_BENCHMARKS: Final = ("division", "task")
"""Conditions that have common names: "open" is a word, and a task is called as its model."""


def _without_lists(seen: list[SeenCondition]) -> Iterator[SeenCondition]:
    """What is seen, without what a setup names several values of, or a heading of a span of time: it does not say which holds here."""
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in seen:
        said[one.name, one.zone].add(one.value)
    return (
        one
        for one in seen
        if len(said[one.name, one.zone]) == 1
        or (one.zone not in ("setup", "everywhere") and (one.name, one.zone) != ("date", "heading"))
    )


def _is_of_a_run(condition: SeenCondition, metric: str | None) -> bool:
    """Whether a condition is that of a run in another sentence, and the figure what a thing is rated at or costs."""
    group = metric_group(metric)
    is_other = condition.name in _OF_RUNS or (condition.name == "date" and group != "price")
    is_other |= condition.name == "precision" and metric != "peak-compute"
    if condition.name in _OF_RATES and condition.zone in ("before", "after") and "own" not in condition.features:
        # what a thing holds or draws has no number format: that of the next rate stands behind it
        return (group == "rating" and metric != "peak-compute") or (
            group == "use" and "beyond a number" in condition.features
        )
    return group in ("rating", "price", "market") and is_other and condition.zone not in HERE


_OF_RATES: Final = ("precision", "sparsity")
_OF_RUNS: Final = frozenset(
    {"model", "task", "benchmark", "scenario", "division", "round", "framework", "phase", "batch"}
    | {"sequence_length", "accelerators", "concurrency", "latency_limit", "training_tokens", "parallelism"}
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
    "note",
    "inside",
    "row",
    "column",
    "rowcell",
    "before",
    "after",
    "lead",
    "heading",
    "setup",
    "previous",
    "everywhere",
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
        if near.zone == "section" or is_setting(near, passage) or speaks(*near.span, near.zone, passage):
            continue
        named = [(name, one) for one in near.mention.ids for name in _conditions_of(one, knowledge, subject)]
        place, distance = _place_of(near, passage) if named else (frozenset[str](), 0)
        for name, identifier in named:
            order[name, near.zone] = order.get((name, near.zone), 0) + 1
            if near.zone == "note" and order[name, near.zone] > 1:
                continue  # a note says first what is otherwise, then why
            features = {near.zone, f"{near.zone} #{min(order[name, near.zone], 3)}", "thing", *place}
            if identifier == subject:
                features.add("is subject")
            if len(near.mention.ids) > 1:
                features.add("ambiguous")
            yield SeenCondition(name, identifier, near.mention.printed, near.zone, features, distance)


def _place_of(near: Near, passage: Passage) -> tuple[frozenset[str], int]:
    """What is seen of where a name stands to the figure, and how far it is."""
    beyond = near.zone in ("before", "after") and _is_beyond(near, passage)
    seen = _in_sentence(near, beyond=beyond)
    lead = passage.after[: max(0, near.mention.start - passage.figure.end)] if near.zone == "after" else ""
    own = near.zone == "after" and passage.figure.unit is not None and _OWN.fullmatch(lead) is not None
    if own:
        seen.add("own")
    elif _OTHER_NUMBER.search(lead):
        seen.add("beyond a number")
    words = 0 if own else near.words + _CLAUSE * beyond
    # right behind the figure is nearer than right before it: there the name may belong to the figure before
    return frozenset(seen), _distance(near.zone, words) - (near.zone == "after" and words == 0) * 2


_OWN: Final = re.compile(r"\s?[\w/.²-]{0,20}\s(?:(?:of|in|at|with|using|for)\s)?(?:(?:dense|sparse|peak)\s)?")
"""Between a figure and a name that is said of it alone: 4.8 petaFLOPS of dense FP8."""


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
    load = _LOAD if _states_load(passage) else ()
    zones = (
        ("before", passage.before),
        ("after", passage.after),
        ("column", passage.column_header),
        ("row", passage.row_header),
        ("heading", passage.above),
        ("outer", "\n".join(passage.figure.block.headings[:-1])),
        ("previous", passage.earlier),
        ("setup", passage.setup),
        ("everywhere", passage.everywhere),
        ("note", passage.note),
    )
    for zone, text in zones:
        for name, value, label, start, end, how in stated(text) if text else ():
            if (name in own and _is_of_another(zone, text[:start])) or (zone in (*_BEFORE, "heading") and name in load):
                continue
            if not _may_hold(name, zone, passage):
                continue
            # in words, as the distance of names is: about six code points each
            gap = len(text) - end if zone in ("before", "previous") else start
            distance = _distance(zone, gap // 6)
            yield SeenCondition(name, value, label, zone, {zone, how, _gap(start, end, zone, text)}, distance)


def _may_hold(name: str, zone: str, passage: Passage) -> bool:
    """Whether what a place says of a condition may be said of the figure as well."""
    if zone in _BEFORE:
        is_own = name == "accelerators" and _OWN_COUNT.search(passage.before) is not None
        return name in _CARRIED and not is_own
    return name != "includes" or zone in HERE


def _states_load(passage: Passage) -> bool:
    """Whether the sentence of a figure, or a column of its row, says the batch or the concurrency."""
    in_sentence = any(one.name in _LOAD for text in (passage.before, passage.after) for one in stated(text))
    patterns = [pattern for name, pattern in _COLUMNS if name in _LOAD]
    return in_sentence or any(one.search(cell.header.strip()) for cell in passage.row for one in patterns)


_BEFORE: Final = ("previous", "setup", "everywhere")
_CARRIED: Final = ("sequence_length", "batch", "concurrency", "accelerators", "phase", "parallelism", "framework")
"""What other sentences say of how something was run; dates, terms and limits are those of their own figures."""
_LOAD: Final = ("batch", "concurrency")
"""Conditions that say one thing in two ways: a sentence that states one of them takes the place of the sentence before."""
_OWN_COUNT: Final = re.compile(
    r"\b(?:an?\s(?:single|pair)|one|two|three|each|single|pair\sof)\s(?:[\w-]+\s){0,3}[^.;]*$", re.IGNORECASE
)
"""A clause that says of how many accelerators it speaks: a single card managed."""
_OTHER_NUMBER: Final = re.compile(r"(?<![\w-])\d")


def _own_names(passage: Passage) -> set[str]:
    """The conditions that are stated behind the figure and before the next number: 74 during prefilling or 15 during decoding."""
    return {
        name for name, *_, start, _end, _how in stated(passage.after) if not _OTHER_NUMBER.search(passage.after[:start])
    }


def _is_of_another(zone: str, lead: str) -> bool:
    """Whether a number of the sentence that has its own value of the condition has this one."""
    return zone in ("before", "after") and _OTHER_NUMBER.search(lead) is not None


def _gap(start: int, end: int, zone: str, text: str) -> str:
    if zone not in ("before", "after"):
        return f"{zone} any"
    gap = len(text) - end if zone == "before" else start
    return f"{zone} code points {next((most for most in (5, 20, 60, 150) if gap <= most), 9999)}"


def _columns(passage: Passage, knowledge: ReadingKnowledge) -> Iterator[SeenCondition]:
    """Other cells of the row whose column says which condition they hold."""
    read, written = (_size_in(passage, header) for header in (_READ, _WRITTEN))
    lengths = of_lengths(read, written) if read and written else None
    if lengths is not None:
        yield SeenCondition("sequence_length", lengths, lengths, "rowcell", {"rowcell", "cell of the row"}, 3000)
    for cell in passage.row:
        if lengths is not None and _READ.fullmatch(cell.header.strip()):
            continue
        for name, pattern in _COLUMNS:
            if pattern.search(cell.header.strip()) is None or not cell.text.strip(" -–"):
                continue
            number = _VALUE_OF_COLUMN.fullmatch(cell.text)
            if number:
                # 3000 is the distance of the zone `rowcell`: a cell says nothing of how far it is
                # in words
                yield SeenCondition(
                    name, plain(number[1]), cell.text.strip(), "rowcell", {"rowcell", "cell of the row"}, 3000
                )
            elif not any(mention for mention in knowledge.names.scan(cell.text)):
                text = " ".join(cell.text.split())[:60]
                yield SeenCondition(name, text, text, "rowcell", {"rowcell", "text of the row"}, 3000)
            break


def _size_in(passage: Passage, header: re.Pattern[str]) -> str | None:
    """The number in the cell of the row whose column has a header of some form."""
    cell = next((one for one in passage.row if header.fullmatch(one.header.strip())), None)
    size = _VALUE_OF_COLUMN.fullmatch(cell.text) if cell is not None else None
    return size[1] if size is not None else None


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


def is_run_with(condition: SeenCondition, passage: Passage, metric: str | None) -> bool:
    """Whether the sentence of a result says what it was run with: with vLLM 0.11, using SGLang."""
    if condition.name != "framework" or condition.zone not in ("before", "after") or metric_group(metric) != "run":
        return False
    text = passage.before if condition.zone == "before" else passage.after
    run_with = rf"\b(?:with|using|on|under|via|in|running)\s{re.escape(condition.label)}\b"
    return re.search(run_with, text, re.IGNORECASE) is not None
