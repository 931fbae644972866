"""Candidates for what a figure is said of, and for what it is compared with: the names around it, and what they look like."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from kg.reading.clause import pointed_at
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import HARDWARE, NOT_SUBJECTS
from kg.reading.metric_groups import metric_group
from kg.reading.named_thing import HERE, NamedThing, leave_header
from kg.reading.noun_phrases import VERB_FOLLOWS, noun_phrases
from kg.reading.passage import SAID_ONCE, Near, Passage
from kg.reading.ranker import Features
from kg.reading.rate_wording import fills_cell, is_setting
from kg.reading.speaking import speaks
from kg.reading.unknown_names import counted_systems, described_things, unknown_headers

_CUES: Final = {
    "than": r"\bthan\b",
    "over": r"\bover\b",
    "versus": r"\b(?:vs\.?|versus|against)",
    "compared": r"\b(?:compared|comparison|relative|comparing)\b[^.;]{0,25}\b(?:to|with)\b",
    "from": r"\bfrom\b",
    "to": r"\bto\b",
    "that-of": r"\bthat of\b",
    "of": r"\bof\b",
    "on": r"\bon\b",
    "with": r"\b(?:with|using)\b",
    "for": r"\bfor\b",
    "by": r"\bby\b",
    "as": r"\bas\b",
    "exceeds": r"\b(?:exceeds?|surpass\w*|outperforms?|beats?|behind|lags?)\b",
    "x": r"[x×*]",
    "in": r"\b(?:in|inside|within)\b",
    "per": r"(?:\bper\b|/)",
    "each": r"\b(?:each|every|single|one)\b",
    "and": r"(?:\band\b|,|/|&)",
}
# with what may be between the cue and the name: emphasis, a quote, an article
_CUE: Final = [
    (
        name,
        re.compile(
            rf"(?:{pattern})[\s*_\"'“‘(\[]*(?:the\s|an?\s|its\s)?(?:previous[\s-](?:generation\s)?)?\s*$", re.IGNORECASE
        ),
    )
    for name, pattern in _CUES.items()
]
_TIMES_OF: Final = re.compile(
    r"\s?(?:times\s)?(?:the\s)?(?:[\w-]+\s){1,3}?of\s(?:the\s|an?\s|our\s|its\s)*", re.IGNORECASE
)
"""Between a ratio and what it is a multiple of: 2.9x the throughput of an H100 node."""
_COMPARES: Final = frozenset({"than", "over", "versus", "compared", "that-of", "exceeds"})
_PRONOUN: Final = re.compile(r"\b(?:it|its|it['’]s|this|these|they|their)\b", re.IGNORECASE)
_TOPIC: Final = frozenset({*HARDWARE, "model"})
"""Classes that a stretch of text is usually about."""
_COMPARISON: Final = re.compile(
    r"\b(?:than|over|vs\.?|versus|against|compared|relative to|that of|up from|outperform\w*|exceed\w*|as (?:much|fast|large|high))\b",
    re.IGNORECASE,
)
ZONE_REASON: Final = {
    "inside": "the figure is part of the name",
    "before": "before the figure in its sentence",
    "after": "after the figure in its sentence",
    "previous": "the sentence before",
    "next": "the sentence after",
    "block": "earlier in the paragraph",
    "row": "header of the row",
    "column": "header of the column",
    "rowcell": "the same row",
    "lead": "the paragraph above the table",
    "heading": "the heading",
    "section": "named most above it in its section",
    "outer": "a heading further up",
    "title": "the title",
    "setup": "how it was run, said before in the paragraph",
    "everywhere": "said of all figures at once",
    "note": "the note of its row",
}


def named_things(passage: Passage, knowledge: ReadingKnowledge) -> list[NamedThing]:
    """All things that the figure may be said of or compared with, with features that suit both questions."""
    things: dict[str, NamedThing] = {}
    ranks: dict[str, set[str]] = defaultdict(set)
    topic = _first_of_sentence(passage, knowledge)
    # by identity: names are asked for again by each rule, and what stands around one takes longer than all else
    pronoun = max((one.start() for one in _PRONOUN.finditer(passage.before)), default=-1)
    places = {id(near): tuple(_place(near, passage, pronoun)) for near in passage.names}
    for near in passage.names:
        place = places[id(near)]
        free = "compared" not in place
        for identifier in near.mention.ids:
            kind = knowledge.names.class_of(identifier)
            if near.zone in SAID_ONCE or not _may_be_subject(near, kind, passage, knowledge):
                continue
            thing = things.setdefault(identifier, NamedThing(identifier, near.mention.printed, near.zone))
            known = thing.features
            known.update((*_ordered(near.zone, identifier, kind, ranks, is_free=free), *place))
            if near is topic.get(near.zone):
                known.add(f"topic of {near.zone}")
            if len(near.mention.ids) > 1:
                known.add("ambiguous")
            if kind == "organisation" and near.zone in ("before", "after"):
                known.update(_acting(near, passage, things))
    _point(passage, knowledge, things, places)
    _add(things, _members(passage, knowledge, list(things.values())))
    _add(things, counted_systems(passage, knowledge, things))
    _add(things, unknown_headers(passage, knowledge, things))
    _add(things, described_things(passage))
    _mark_parts_of_descriptions(passage, things)
    for thing in things.values():
        kind = knowledge.names.class_of(thing.id)
        thing.features.update((f"class {kind}", f"zones {min(sum(' ' not in one for one in thing.features), 4)}"))
    _weigh_sentence(knowledge, list(things.values()))
    return list(things.values())


def _may_be_subject(near: Near, kind: str, passage: Passage, knowledge: ReadingKnowledge) -> bool:
    if kind in NOT_SUBJECTS or is_setting(near, passage):
        return False
    return kind != "technology" or not fills_cell(near, passage, knowledge.names.class_of)


def _acting(near: Near, passage: Passage, things: Mapping[str, NamedThing]) -> Iterator[str]:
    """Whether an organisation is who says the sentence, or who does something in it; the nearest that does is marked as such."""
    if speaks(*near.span, near.zone, passage):
        yield "speaker"
    elif near.zone == "before" and VERB_FOLLOWS.match(passage.before, near.mention.end - passage.start):
        yield "agent"
        if not any("agent nearest" in thing.features for thing in things.values()):
            yield "agent nearest"


def _add(things: dict[str, NamedThing], more: Iterable[NamedThing]) -> None:
    """Things that are not there yet; all are found before the first is added."""
    for thing in list(more):
        things.setdefault(thing.id, thing)


def _ordered(zone: str, identifier: str, kind: str, ranks: Mapping[str, set[str]], *, is_free: bool) -> Iterator[str]:
    """Where a thing is, and the how-manieth of its zone it is: of all, of the hardware, of what nothing is compared with."""
    yield zone
    yield f"{zone} {_order(ranks[zone], identifier)}"
    yield f"{zone} {kind}"
    if kind in HARDWARE:
        yield f"hardware {zone} {_order(ranks[zone + ' hardware'], identifier)}"
    if kind in _TOPIC and is_free:
        yield f"free {zone} {_order(ranks[zone + ' free'], identifier)}"


def _mark_parts_of_descriptions(passage: Passage, things: dict[str, NamedThing]) -> None:
    """Mark names that stand only inside a longer description: of "an 8-card H200 system" the H200."""
    spans = [(one.start, one.start + len(one.printed)) for one in noun_phrases(passage) if one.is_whole]
    mentions: dict[str, list[bool]] = defaultdict(list)
    for near in passage.names:
        if near.zone in ("before", "after", "inside"):
            is_part = any(start <= near.mention.start and near.mention.end <= end for start, end in spans)
            for identifier in near.mention.ids:
                mentions[identifier].append(is_part)
    for identifier, within in mentions.items():
        if identifier in things and all(within):
            things[identifier].features = {"part of description", *_elsewhere(things[identifier].features)}


def _elsewhere(features: set[str]) -> set[str]:
    """What is seen of a thing outside the sentence."""
    return {one for one in features if one.split(" ")[0] in ("previous", "block", "section", "heading", "title")}


_BACKGROUND: Final = frozenset({"technology", "suite", "reference", "part", "software"})
"""Classes whose mention in a sentence says little about what its figures are of."""


def _weigh_sentence(knowledge: ReadingKnowledge, things: list[NamedThing]) -> None:
    """Mark what only stands elsewhere while the sentence itself names something, and what is alone in its sentence."""
    here = {
        thing.id
        for thing in things
        if thing.features & HERE or thing.features & _OWN_PHRASE or "member" in thing.features
        if "compared" not in thing.features and knowledge.names.class_of(thing.id) not in _BACKGROUND
    }
    for thing in things:
        if thing.id in here:
            thing.features.add("alone in sentence" if len(here) == 1 else "among others")
        elif not thing.features & HERE and "phrase" not in thing.features and "rule pronoun" not in thing.features:
            thing.features.add("elsewhere while named" if here else "elsewhere")


_OWN_PHRASE: Final = frozenset({"phrase share of", "phrase of metric before", "phrase clause subject", "around"})
"""Descriptions that name what the sentence is of."""


def _members(passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing]) -> Iterator[NamedThing]:
    """The chip and the superchip of a family whose one name covers both (GB200): offered next to it, never merged."""
    for thing in things:
        if knowledge.names.class_of(thing.id) == "family" and thing.zone in HERE:
            called = next((cell.header for cell in passage.row if thing.printed in cell.text), "")
            for member in knowledge.names.shared_name(thing.id):
                features = {f"member {thing.zone}", "member"}
                if thing.zone == "row" and _CALLED.search(called) and knowledge.names.class_of(member) == "accelerator":
                    features |= thing.features  # what is in a column of accelerators is the chip
                    leave_header(thing, "row")
                yield NamedThing(member, thing.printed, thing.zone, features)


_CALLED: Final = re.compile(r"\b(?:accelerator|gpu|chip|card|device|processor)s?\b", re.IGNORECASE)
"""Headers of columns whose cells name single chips."""


def _point(
    passage: Passage, knowledge: ReadingKnowledge, things: dict[str, NamedThing], places: Mapping[int, Sequence[str]]
) -> None:
    """Mark what the rules of `kg.reading.clause` point at, and which rule it was."""
    order: dict[str, None] = {}
    pointed = pointed_at(
        passage,
        lambda near: knowledge.names.class_of(near.mention.ids[0]),
        lambda near: "compared" in places[id(near)],
    )
    for rule, near in pointed:
        for identifier in near.mention.ids:
            if identifier in things and identifier not in order:
                order[identifier] = None
                rank = min(len(order), 4)
                things[identifier].features.update((f"pick #{rank}", f"rule {rule}", f"rule {rule} {rank == 1}"))


def _first_of_sentence(passage: Passage, knowledge: ReadingKnowledge) -> dict[str, Near]:
    """What the figure's sentence and the one before it begin with, as far as hardware and models go."""
    first: dict[str, Near] = {}
    for near in passage.names:
        if near.zone in ("before", "previous") and knowledge.names.class_of(near.mention.ids[0]) in _TOPIC:
            first[near.zone] = near
    return first


def _order(seen: set[str], identifier: str) -> str:
    seen.add(identifier)
    return f"#{min(len(seen), 4)}"


def _place(near: Near, passage: Passage, pronoun: int) -> Iterator[str]:
    """Where in the sentence a mention stands: the word before it, how near it is, whether a bracket holds both.

    `pronoun` is where the last pronoun before the figure begins, -1 without one.
    """
    if near.zone not in ("before", "after"):
        return
    mention = near.mention
    yield f"{near.zone} {_bin(near.words)}"
    text = passage.before if near.zone == "before" else passage.after
    offset = passage.start if near.zone == "before" else passage.figure.end
    lead = text[max(0, mention.start - offset - 40) : mention.start - offset]
    between = text[mention.end - offset :] if near.zone == "before" else text[: mention.start - offset]
    yield from _cued(near, passage, lead, between)
    yield f"{near.zone} commas {min(sum(between.count(mark) for mark in ',;:，；'), 3)}"
    opens = between.count("(") > between.count(")")
    is_first = not passage.before[: mention.start - offset].strip(' *•-"“#|\n0123456789.')
    seen = {
        "possessive": re.match(r"['’]s?\b", between),
        "before bracket": opens,
        # the first of the list counts: "compared with" before its "with"
        "pronoun between": pronoun >= mention.end - offset,
        "first in sentence": is_first,
    }
    yield from (name for name, holds in seen.items() if holds and near.zone == "before")
    if near.zone == "after" and opens and near.words <= 3:
        yield "bracket after"


def _cued(near: Near, passage: Passage, lead: str, between: str) -> Iterator[str]:
    """The word before a mention, and whether the mention is what something is compared with."""
    cue = _cue_of(lead)
    if cue is not None:
        yield f"{near.zone} cue {cue}"
    is_other_side = near.zone == "after" and _OTHER_AMOUNT_FOR.search(between) is not None
    if cue in _COMPARES or is_other_side or _is_multiplied(near, passage, between):
        yield "compared"


_OTHER_AMOUNT_FOR: Final = re.compile(
    r"\b(?:versus|vs\.?|against|compared\s(?:to|with)|up\sfrom|down\sfrom)\s[$€£¥~≈]?\d[^;]{0,40}?\s(?:for|on|of|with|at)\s(?:the\s|an?\s)?$"
)
"""Between a figure and what another one is of that it is set against: $1.42 per GPU-hour, versus $2.10 for an …"""


def _is_multiplied(near: Near, passage: Passage, between: str) -> bool:
    is_behind_ratio = near.zone == "after" and passage.figure.relation == "ratio"
    return is_behind_ratio and _TIMES_OF.fullmatch(between) is not None


# a passage and the next one of its paragraph hold the same names, and rows of a table the same words before them
@lru_cache(maxsize=4096)
def _cue_of(lead: str) -> str | None:
    """The first of the cues that a stretch of text ends with."""
    return next((name for name, pattern in _CUE if pattern.search(lead)), None)


def _bin(words: int) -> str:
    return next((f"within {most}" for most in (1, 3, 6, 12, 24) if words <= most), "within 999")


def _measured(passage: Passage, knowledge: ReadingKnowledge) -> tuple[str, ...]:
    """What the figure seems to measure before its metric is chosen: its unit, and the group of the nearest words of a metric."""
    kind = knowledge.unit_kind(passage.figure.unit)
    counted = passage.figure.unit if (passage.figure.unit or "").startswith("count:") else kind
    for zone in ("column", "row", "before", "after", "lead", "heading"):
        near = next((one for one in passage.terms if one.zone == zone), None)
        if near is not None:
            return f"unit {counted}", f"group {metric_group(near.mention.ids[0])}"
    return (f"unit {counted}",)


def _crossed(features: Sequence[str], what: str) -> list[str]:
    """The features that mean another thing in a comparison, or of another role, together with that."""
    return [f"{one} | {what}" for one in features if "cue" in one or "#" in one or one == "compared"]


def _spoken_of(passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing]) -> list[NamedThing]:
    """The things without an average, an earlier product or the baseline of a header, which things are compared with."""
    against = header_baseline(passage) if passage.figure.block.cell is not None else ()
    products = [one for one in things if knowledge.names.class_of(one.id) != "reference"] or things
    # a chip is 1.00x of itself: where nothing else is named, both headers name it
    return [one for one in products if one.id not in against or _names_itself(passage, one.id)] or products


def subject_candidates(
    passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing], relation: str
) -> list[tuple[NamedThing, Features]]:
    """Each thing with the features by which it is ranked as the subject."""
    compares = "compares" if relation != "absolute" else "absolute"
    measured = _measured(passage, knowledge)
    table = "table" if passage.figure.block.cell else "prose"
    found = []
    for thing in _spoken_of(passage, knowledge, things):
        features = sorted(thing.features)
        crossed = _crossed(features, compares)
        crossed += [f"{one} | {table}" for one in features if one in ("row", "column", "rowcell", "heading", "lead")]
        kind = knowledge.names.class_of(thing.id)
        coarse = "hardware" if kind in HARDWARE else kind
        crossed += [f"{coarse} | {one}" for one in measured]
        crossed += [f"pick #1 {coarse} | {one}" for one in measured if "pick #1" in thing.features]
        found.append((thing, (*features, *crossed)))
    return found


def _names_itself(passage: Passage, identifier: str) -> bool:
    """Whether both headers of a cell name the same thing."""
    zones = {near.zone for near in passage.names if identifier in near.mention.ids}
    return {"row", "column"} <= zones


_AGAINST: Final = re.compile(
    r"\b(?:(?:relative|compared|normali[sz]ed|speed-?up|improvement)\s(?:to|with|over|vs\.?|against)|vs\.?|versus|against|x\sover|baseline:?)\s(?:the\s|an?\s)?$",
    re.IGNORECASE,
)


def header_baseline(passage: Passage) -> tuple[str, ...]:
    """What the header of a row or column says that its figures are relative to: Relative to H100 SXM."""
    for zone, header in (("row", passage.row_header), ("column", passage.column_header)):
        for near in passage.named_in(zone):
            at = header.find(near.mention.printed)
            if at >= 0 and _AGAINST.search(header[:at]):
                return near.mention.ids
    return ()


NO_BASELINE: Final = ""
"""The choice "compared with nothing that is named", among the candidates of a baseline."""


def baseline_candidates(
    passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing], subject: str | None
) -> list[tuple[NamedThing, Features]]:
    """Each thing, and none at all, with the features by which it is ranked as the baseline of a ratio."""
    compares = bool(_COMPARISON.search(passage.before) or _COMPARISON.search(passage.after))
    found = []
    for thing in things:
        thing_class = knowledge.names.class_of(thing.id)
        same = "subject" if thing.id == subject else "other"
        features = sorted(thing.features)
        crossed = _crossed(features, same)
        found.append((thing, (*features, *crossed, same, f"{thing_class} {same}", f"{same} compares {compares}")))
    found.append((NamedThing(NO_BASELINE, "", ""), ("no baseline", f"no baseline compares {compares}")))
    return found
