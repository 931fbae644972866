"""What the clause of a figure is about: rules of English word order, each pointing at one of the things named around it."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from kg.model.units import COUNT_PREFIX
from kg.reading.in_turn import AMOUNT, in_turn
from kg.reading.known_names import HARDWARE
from kg.reading.passage import Near, Passage
from kg.reading.speaking import speaks
from kg.reading.topic import (
    INTRODUCTION,
    MAIN_CLASSES,
    THING,
    ClassOf,
    clause_end,
    clause_start,
    pronoun_meaning,
    titled,
    topic_before,
)

VERBS: Final = (
    r"is|are|was|were|be|been|being|has|have|had|having|will|would|can|could|may|might|should|must|do|does|did|shall"
    r"|(?:reach|provid|deliver|achiev|draw|consum|cost|us(?=e|i)|requir|need|grow|show|run|account|increas|decreas|reduc|fall|drop|ris"
    r"|jump|improv|sav|spend|invest|generat|process|serv|train|contain|hold|hous|support|expect|forecast|predict|project"
    r"|estimat|exceed|surpass|outperform|offer|featur|includ|com|remain|becom|mak|tak|giv|hit|scal|stand|occup|rely|cover"
    r"|handl|incorporat|compris|sell|ship|buy|pay|allow|enabl|bring|adopt|prioriti[sz]|produc|burn|emit|deploy|dominat|drive|yield)"
    r"(?:e|es|s|ed|ing|ies|ied)?|grew|fell|rose|ran|held|paid|sold|spent|took|gave|came|made|drew|brought|built|saw"
)
_POSSESSIVE: Final = re.compile(r"['’]s?\b")
_PREPOSITION: Final = re.compile(
    r"^\W*(?:\w+\s){0,3}?(?:for|of|on|with|from|in|by)\s(?:the|an?|each|every|our)?\s*$", re.IGNORECASE
)
_LESS: Final = frozenset({"technology", "reference", "suite", "part"})
"""Classes that are seldom what a sentence is about."""

Compared = Callable[[Near], bool]


def pointed_at(passage: Passage, class_of: ClassOf, compared: Compared) -> Iterator[tuple[str, Near]]:
    """The things that rules point at, the surest first, each with the name of its rule."""
    before, after = passage.named_in("before")[::-1], passage.named_in("after")
    start = passage.start + clause_start(passage.before)
    end = passage.figure.end + clause_end(passage.after)
    free = list(_free_ones(passage, before, class_of, compared))
    here = [near for near in free if near.mention.start >= start]

    def is_about(near: Near) -> bool:
        return class_of(near) in MAIN_CLASSES

    yield from _by("inside", passage.named_in("inside"))
    yield from in_turn(passage, class_of)
    yield from _labelled(passage, before, class_of)
    yield from _by("named after its pronoun", _foretold(passage, after, class_of))
    yield from _acting(passage, free, class_of)
    yield from _gapped(passage, free, class_of)
    yield from _adjacent(passage, after, end, class_of, compared)
    yield from _owners(passage, here, class_of)
    topic = topic_before(passage, class_of)
    yield from _by("pronoun", pronoun_meaning(passage, free, topic, class_of))
    yield from _by("clause begins", filter(is_about, here))
    yield from _by("clause names", (near for near in here if class_of(near) not in _LESS))
    yield from _by("sentence begins", (near for near in free if near.mention.start < start and is_about(near)))
    if topic is not None:
        yield "topic", topic
    yield from _by("previous sentence begins", filter(is_about, passage.named_in("previous")[::-1]))
    yield from _by("clause goes on", (near for near in after if near.mention.start < end and not compared(near)))
    yield from _by("named before", filter(is_about, passage.named_in("block")))


def _free_ones(passage: Passage, before: list[Near], class_of: ClassOf, compared: Compared) -> Iterator[Near]:
    """The things before the figure that it may be said of: not the other side of a comparison, not who speaks."""
    for near in before:
        if not compared(near) and _is_free(near, before, passage, class_of) and not _says(near, passage, class_of):
            yield near


def _says(near: Near, passage: Passage, class_of: ClassOf) -> bool:
    """Whether it is who says what the sentence is of."""
    return class_of(near) == "organisation" and speaks(*near.span, "before", passage) is not None


def _by(rule: str, names: Iterable[Near]) -> Iterator[tuple[str, Near]]:
    return ((rule, near) for near in names)


def _is_free(near: Near, before: list[Near], passage: Passage, class_of: ClassOf) -> bool:
    """Whether a name is neither the maker of the next thing nor only opens the sentence for another."""
    is_maker = class_of(near) == "organisation" and _is_maker(near, before, passage)
    return not is_maker and not _introduces(near, before, passage)


def _introduces(near: Near, before: list[Near], passage: Passage) -> bool:
    """Whether it only opens the sentence for another: "Based on the Hopper architecture, the H200 …", "… architecture, the B200"."""
    offset = near.mention.end - passage.start
    lead, rest = passage.before[: near.mention.start - passage.start], passage.before[offset:]
    comma = re.search(r",\s", rest)
    follows = offset + comma.end() if comma is not None else None
    # the search for the clause goes over all that stands before: it is made only where another name follows
    if follows is None or not any(0 <= other.mention.start - passage.start - follows <= 12 for other in before):
        return False
    clause = lead[clause_start(lead) :]
    return INTRODUCTION.match(clause or lead) is not None and "," not in clause


_LABEL: Final = re.compile(rf"(?:\s(?:{THING})s?)?\s?(?:[(\[]\s?|[:=]\s?|\s?[-–—]\s)[$€¥~≈]?\s?", re.IGNORECASE)
_LISTED: Final = re.compile(r"\s?\([^()]{1,80}[,;/]\s(?:and\s)?[~≈]?")
"""Between a name and a later one of the figures in the bracket behind it: the MI300X (192 GB, 5.3 TB/s, 750 W)."""
_HELD: Final = re.compile(r"['’]s?\s(?:[\w/.-]+\s){0,3}[(\[]?[$~≈]?")


def _labelled(passage: Passage, before: list[Near], class_of: ClassOf) -> Iterator[tuple[str, Near]]:
    """The thing right before the figure that the figure is put behind: H200 (141 GB), 8*A100 - $ 1400, the H200's 141 GB."""
    for near in reversed(before[-3:]):
        rest = passage.before[near.mention.end - passage.start :]
        is_last = not any(class_of(one) in MAIN_CLASSES for one in before if one.mention.start > near.mention.start)
        is_listed = is_last and _LISTED.fullmatch(rest)
        if class_of(near) in MAIN_CLASSES and (_LABEL.fullmatch(rest) or _HELD.fullmatch(rest) or is_listed):
            yield "label", near
            return


_FORETELLS: Final = re.compile(
    r"\W*(?:with|given|despite|thanks to|through|at|in|for|by)\s(?:its|their)\s[^,;:]*$", re.IGNORECASE
)
_FORETOLD: Final = re.compile(r"[^,;:]*,\s(?:the\s|an?\s)?(?:[A-Z][\w'’-]*\s)?")


def _foretold(passage: Passage, after: list[Near], class_of: ClassOf) -> Iterator[Near]:
    """The thing whose pronoun stands before it: with its 141 GB of memory, the H200 can …"""
    if not _FORETELLS.fullmatch(passage.before):
        return
    for near in after:
        lead = passage.after[: near.mention.start - passage.figure.end]
        if class_of(near) in MAIN_CLASSES and _FORETOLD.fullmatch(lead):
            yield near
            return


_ACTING: Final = r"(?:sustain|manag|post|record|scor|averag|peak|clock|boast|pack|rent|list|retail|carr|dissipat|attain|pull|log)(?:s|es|ed|ies|ied)"
"""Verbs of rates and prices whose stems are nouns as well."""
_ACTS: Final = re.compile(
    rf"(?:[\s-](?:{THING}|pair|instance|model)s?)?(?:\s\([^()]{{1,40}}\)|\swith\s(?:[\w-]+\s){{1,3}}(?:{THING})s)?\s(?:(?:now|also|only|still|[a-z]+ly)\s)?(?:{VERBS}|{_ACTING})(?:\s(?:{VERBS}))?"
    r"\s(?:an?\s|the\s|up\sto\s|(?:about|around|roughly|nearly|almost|over|under|only|just|some|approximately|at\sleast|more\sthan)\s)*[$€¥£~≈(]*",
    re.IGNORECASE,
)


_JOINED: Final = re.compile(r"[\w)]\s?(?:/|&|\band|\bor|\bfor)\s?(?:the\s|an?\s)?(?:[\w-]+\s)?$")
"""Before one of several things that do it together, and before what it is only done for."""


def _acting(passage: Passage, free: list[Near], class_of: ClassOf) -> Iterator[tuple[str, Near]]:
    """The thing between which and the figure there is but a verb: an H200 server gave 35,000."""
    for near in free[-1:]:
        joined = _JOINED.search(passage.before[: near.mention.start - passage.start])
        if (
            class_of(near) in MAIN_CLASSES
            and not joined
            and _ACTS.fullmatch(passage.before[near.mention.end - passage.start :])
        ):
            yield "acts", near


_GAP: Final = re.compile(
    r"\d[^\d;]{0,25}?(?:,|\band|\bbut|\bwhile|\bwhereas|\bor)\s(?:the\s|an?\s|its\s|NVIDIA['’]?s?\s|AMD['’]?s?\s)*$",
    re.IGNORECASE,
)
_GAP_FOLLOWS: Final = re.compile(r"(?:\s(?:[\w-]+)){0,3}\s[$€¥£~≈]*")


def _gapped(passage: Passage, free: list[Near], class_of: ClassOf) -> Iterator[tuple[str, Near]]:
    """The thing that begins the figure's part of a row of parts that share their verb: A costs $2 and B $5."""
    for near in free[-1:]:
        at = near.mention.start - passage.start
        rest = passage.before[near.mention.end - passage.start :]
        if class_of(near) in MAIN_CLASSES and _GAP.search(passage.before[:at]) and _GAP_FOLLOWS.fullmatch(rest):
            yield "gapped", near


COUNT_BEFORE: Final = re.compile(
    r"(?:(?<![\w.])\d{1,2}\s?[*x×]\s?|(?:\d{1,2}|two|four|eight|sixteen)[\s-](?:card|gpu|way|chip)s?\s)$", re.IGNORECASE
)
"""Before the name of a chip: how many of it one system has."""
_APPOSED: Final = re.compile(r"\s+|\s?[(\[]\s?|\s?[:=]\s?|\s[-–—]\s|['’]s?\s")


def apposed(passage: Passage, class_of: ClassOf) -> Near | None:
    """The thing that an amount with a unit follows without a word between, so that it can be of nothing else: H100 SXM 3.35 TB/s.

    None where the figure compares or counts, where several things share several figures out, and behind several of a
    thing ("8*A100 - $ 1400"), of which all together may be meant.
    """
    figure = passage.figure
    if figure.relation != "absolute" or figure.unit is None or figure.unit.startswith(COUNT_PREFIX):
        return None
    if next(in_turn(passage, class_of), None) is not None:
        return None
    for near in passage.named_in("before")[::-1]:
        if class_of(near) in MAIN_CLASSES and _APPOSED.fullmatch(passage.before[near.mention.end - passage.start :]):
            counted = COUNT_BEFORE.search(passage.before[: near.mention.start - passage.start])
            return None if counted else near
    return None


_MOST_OF_A_VERB: Final = 60
"""Code points between a thing and a figure beyond which there is more than a verb."""


def acting(passage: Passage, names: Iterable[str]) -> str | None:
    """The one of some names between which and the figure there is but a verb, or for a comparison a verb and an amount:
    an 8-GPU H200 node served 31,900 tokens per second, 1.42 times the 22,500 of another. Of several the longest."""
    if passage.figure.block.cell is not None:
        return None
    ends = passage.before if passage.figure.relation == "absolute" else _BEFORE_GAIN.sub("", passage.before)
    for name in sorted(names, key=len, reverse=True):
        at = ends.rfind(name)
        if (
            at >= 0
            and len(ends) - at - len(name) <= _MOST_OF_A_VERB
            and _ACTS.fullmatch(ends, at + len(name))
            and not _JOINED.search(ends[:at])
        ):
            return name
    return None


_BEFORE_GAIN: Final = re.compile(
    rf"{AMOUNT}(?:\s(?:per\s)?[A-Za-z/]+){{0,6}},\s(?:or\s|that\sis\s|i\.e\.,?\s)?(?:an?\s|about\s|nearly\s|roughly\s)?$"
)
"""What stands between a verb and the gain that the amount behind it is: served 31,900 tokens per second, …"""


_SIZE_OF: Final = re.compile(r"-parameters?\s(?:[\w-]+\s){0,3}?", re.IGNORECASE)


def sized(passage: Passage, class_of: ClassOf) -> Near | None:
    """The model whose size stands before its name: its 70-billion-parameter Finch-2 model."""
    near = next(iter(passage.named_in("after")), None)
    if near is None or passage.figure.unit != "parameter" or class_of(near) not in MAIN_CLASSES:
        return None
    return near if _SIZE_OF.fullmatch(passage.after[: near.mention.start - passage.figure.end]) else None


_TRAINED: Final = re.compile(r"\b(?:pre-?)?train(?:ed|s|ing)\s[^;]*$", re.IGNORECASE)


def trained(passage: Passage, class_of: ClassOf) -> Near | None:
    """The model that the sentence says is trained before the figure, where it names nothing that trains it."""
    here = [near for near in passage.names if near.zone in ("before", "after")]
    started = _TRAINED.search(passage.before)
    if passage.figure.block.cell is not None or started is None or any(class_of(near) in HARDWARE for near in here):
        return None
    models = (near for near in passage.named_in("before") if class_of(near) == "model")
    return next((near for near in models if near.mention.start - passage.start >= started.start()), None)


_OF_RUN: Final = re.compile(r"^(?:ms|s|k?W|MW|J|Wh|kWh)\b|^(?:token|sample|query|image)/s")
"""Units of what a machine takes for its work, where a model that is named is only what it works on."""


def of_title(passage: Passage, class_of: ClassOf) -> Near | None:
    """What the title of a report names, where the paragraph up to the figure's sentence names no machine."""
    around = ("inside", "before", "after", "previous", "block")
    is_named = any(near.zone in around and class_of(near) in (*HARDWARE, "organisation") for near in passage.names)
    if is_named or passage.figure.block.cell is not None or _OF_RUN.search(passage.figure.unit or "") is None:
        return None
    return titled(passage, class_of)


_FOR: Final = re.compile(
    r"(?:\s(?:per\s)?[\w/%-]+){0,5}?\s(?:for|on|of)\s(?:the\s|an?\s|each\s|every\s)?(?:[A-Z]\w+['’]?s?\s)?"
)
_PER_ONE: Final = re.compile(r"(?:\s(?:per\s)?[\w/%-]+){0,4}?\sper\s(?:[A-Z]\w+['’]?s?\s)?")


def held_for(passage: Passage, class_of: ClassOf) -> Near | None:
    """The thing that an amount with a unit is said to be for in its own part of a row, or counted by: 34,420 tokens/s for the
    H200 box and 31,128 tokens/s for MI325X, 3,450 per B200."""
    figure = passage.figure
    if figure.relation != "absolute" or figure.unit is None or figure.unit.startswith(COUNT_PREFIX):
        return None
    near = next(iter(passage.named_in("after")), None)
    if figure.block.cell is not None or near is None or class_of(near) not in HARDWARE:
        return None
    lead = passage.after[: near.mention.start - figure.end]
    if _PER_ONE.fullmatch(lead):
        return near
    return near if _PART_OF_ROW.search(passage.before) and _FOR.fullmatch(lead) else None


_PART_OF_ROW: Final = re.compile(
    r"(?:\b(?:and|but|while|whereas|against|versus|vs\.?|with|to)\s|[,;:]\s)(?:\w+\s){0,2}$"
)


def _is_maker(near: Near, others: list[Near], passage: Passage) -> bool:
    """Whether another name follows at once: in "NVIDIA H100" and "NVIDIA's H100" the maker is not what is spoken of."""
    for other in others:
        gap = other.mention.start - near.mention.end
        if 0 <= gap <= 4 and passage.before[near.mention.end - passage.start :][:gap].strip(" '’s") == "":
            return True
    return False


def _adjacent(
    passage: Passage, after: list[Near], end: int, class_of: ClassOf, compared: Compared
) -> Iterator[tuple[str, Near]]:
    """What follows the figure as that which it counts (128 H100s), or that which it holds for (700 W for the H100)."""
    for near in after[:2]:
        if near.mention.start >= end or compared(near):
            return
        lead = passage.after[: near.mention.start - passage.figure.end]
        is_whole = _HOLDS.search(passage.before[-80:]) is not None
        if _NOTED.fullmatch(lead) and passage.after[near.mention.end - passage.figure.end :][:1] in (")", "]"):
            yield "noted", near
        elif lead.strip(" *×x-") == "" and class_of(near) in MAIN_CLASSES and not is_whole:
            yield "counts", near
        elif _PREPOSITION.fullmatch(lead) and near.words <= 5 and class_of(near) in MAIN_CLASSES:
            yield "holds for", near


_NOTED: Final = re.compile(r"\s?(?:[\w-]+\s){0,2}[(\[](?:(?:with|for|on|of)\s)?(?:the\s|an?\s)?", re.IGNORECASE)
"""A name in brackets behind the figure: from 8 (H100) to 72."""
_HOLDS: Final = re.compile(
    r"\b(?:contain\w*|incorporat\w*|uses?|integrat\w*|compris\w*|consist\w* of|has|have|packs?|houses?|holds?|links?|pairs?|unit(?:es?|ing)|connect\w*|combin\w*|stuffed with|rack (?:of|with)"
    r"|includ\w*|featur\w*|equipped with|made (?:up )?of|paired with)\s(?:\d+\s[\w -]{1,25}?(?:,|\sand)\s){0,3}(?:\w+\s){0,2}[(~]?$",
    re.IGNORECASE,
)
"""Before a count of parts: what is spoken of is the whole that holds them."""


def _owners(passage: Passage, here: list[Near], class_of: ClassOf) -> Iterator[tuple[str, Near]]:
    """What owns something in the clause, the nearest first: the H200's memory."""
    for near in reversed(here):
        rest = passage.before[near.mention.end - passage.start :]
        if _POSSESSIVE.match(rest) and class_of(near) not in _LESS:
            yield "owner", near
