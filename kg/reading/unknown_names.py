"""What a figure may be said of that has no known name: systems named by their chips, descriptions, headers that no alias
explains. Each is offered as a new name, or as a variant of a known one.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from kg.reading.clause import COUNT_BEFORE
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import NEW, NOT_SUBJECTS, is_product_name
from kg.reading.named_thing import NamedThing, leave_header
from kg.reading.noun_phrases import noun_phrases
from kg.reading.passage import Passage
from kg.reading.speaking import speaks
from kg.reading.word_trie import PhraseMention

_PART_IN_NAME: Final = re.compile(r"(?:card|gpu|chip|way)s?\s", re.IGNORECASE)
"""Of "8-card MI300X system" a name can begin with the word that the count belongs to; the whole is a phrase of its own."""

_SYSTEM_AFTER: Final = re.compile(
    r"\s(?:systems?|servers?|nodes?|box(?:es)?|machines?|configurations?)\b", re.IGNORECASE
)


def counted_systems(
    passage: Passage, knowledge: ReadingKnowledge, things: dict[str, NamedThing]
) -> Iterator[NamedThing]:
    """Systems that are named by their chips and by no name of their own: 8*A100, an 8-card H200 system, an H100 server."""
    for near in passage.names:
        kind = knowledge.names.class_of(near.mention.ids[0])
        if near.zone not in ("before", "after") or kind not in ("family", "accelerator"):
            continue
        text, offset = passage.before + passage.figure.printed + passage.after, passage.start
        start, end = near.mention.start - offset, near.mention.end - offset
        # the name was found in a header, or its position is of another stretch: it is not in this
        # sentence
        if text[start:end] != near.mention.printed:
            continue
        count, noun = COUNT_BEFORE.search(text[max(0, start - 20) : start]), _SYSTEM_AFTER.match(text, end)
        if noun is None and (count is None or "-" in count[0]):
            continue
        if noun is not None and count is None and noun[0].endswith("s"):
            continue  # GB200 systems are the family: no one of them is meant
        name = (count[0] if count else "") + text[start : noun.end() if noun else end]
        part = things.get(near.mention.ids[0])
        if part is not None and not _PART_IN_NAME.match(near.mention.printed):
            yield NamedThing(f"{NEW}{name}", name, near.zone, {*part.features, "counted"})
            part.features.add("part of counted")


def described_things(passage: Passage) -> Iterator[NamedThing]:
    """What the sentence calls something that has no known name, as a new name."""
    for order, phrase in enumerate(noun_phrases(passage), start=1):
        zone = "before" if phrase.start < passage.figure.start else "after"
        features = {"phrase", f"phrase {phrase.rule}", f"phrase #{min(order, 3)}"}
        if phrase.rule.endswith("around"):
            features.add("around")
        if speaks(phrase.start, phrase.start + len(phrase.printed), zone, passage):
            features.add("speaker")
        yield NamedThing(f"{NEW}{phrase.printed}", phrase.printed, zone, features)


def unknown_headers(
    passage: Passage, knowledge: ReadingKnowledge, known: dict[str, NamedThing]
) -> Iterator[NamedThing]:
    """Headers of the row and column that no alias explains: something new, or a variant nobody knows of something known."""
    for zone, header in (("row", passage.row_header), ("column", passage.column_header)):
        mentions = [near.mention for near in passage.names if near.zone == zone]
        subjects = [one for one in mentions if knowledge.names.class_of(one.ids[0]) not in NOT_SUBJECTS]
        name = _without(header, [one for one in mentions if one not in subjects])
        if not _may_be_product(name):
            continue
        if not subjects and _may_be_new(passage, zone, name):
            yield NamedThing(f"{NEW}{name}", name, zone, {zone, f"{zone} unknown", f"{zone} new"})
        if subjects and _VARIANT.search(_without(name, subjects)):
            for identifier in chain.from_iterable(one.ids for one in subjects):
                leave_header(known[identifier], zone)
            yield from _variants(knowledge.names.variants(subjects[0].ids, name), name, zone)


_GENERIC: Final = re.compile(r"[\w ]*[^\W\d_]{2}[\w ]*")
_LONGEST_NAME: Final = 60


_STATISTIC: Final = re.compile(
    r"(?:mean|median|average|avg\.?|max\w*|min\w*|total|sum|p\d{2}|best|worst|(?:relative|compared|normali[sz]ed)\b.*)(?:\s\(.*\))?",
    re.IGNORECASE,
)
"""Headers that say which value of several is printed, or against what."""


def _may_be_product(name: str) -> bool:
    if _STATISTIC.fullmatch(name):
        return False
    return 0 < len(name) <= _LONGEST_NAME and _GENERIC.search(name) is not None and is_product_name(name)


def _may_be_new(passage: Passage, zone: str, name: str) -> bool:
    """Whether a header can be a product nobody knows: no row that names a metric, no column without a model number."""
    if zone == "row":
        return all(near.zone != "row" for near in passage.terms)
    return re.search(r"\d", name) is not None


def _variants(known: Sequence[str], name: str, zone: str) -> Iterator[NamedThing]:
    """The variants that a header may name, and a new one unless it is exactly one of them."""
    features = {zone, f"{zone} #1", f"{zone} variant"}
    for identifier in known:
        yield NamedThing(identifier, name, zone, {*features})
    if len(known) != 1:
        yield NamedThing(f"{NEW}{name}", name, zone, {*features, f"{zone} new"})


_VARIANT: Final = re.compile(
    r"\b(?:SXM\d?|PCIe|OAM|NVL\d*|HGX|DGX|Superchip|Ultra|Virtuali[sz]ed|\d+\s?GB|Super|Ti|Mega|\d+W)\b", re.IGNORECASE
)
"""Words that make another product of the one whose name they qualify."""


def _without(header: str, mentions: Sequence[PhraseMention]) -> str:
    for one in mentions:
        header = header.replace(one.printed, " ")
    return " ".join(header.split()).strip("*_`|-–/ ()")
