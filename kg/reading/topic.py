"""What the text before a figure is about: the clause of the figure, the topic, and the pronouns that mean it."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from kg.reading.known_names import HARDWARE
from kg.reading.passage import SENTENCE_CLOSES, Near, Passage

_BOUNDARY: Final = re.compile(
    r"[;:；：]\s?|[—–]\s|,\s(?:while|whereas|but|yet|which|whose|in contrast|compared|representing|reducing|making|and\s(?=its\b|the\b|it\b|[A-Z]))"
    r"|\s(?:while|whereas|versus|vs\.?)\s|\b(?:in contrast|by comparison|on the other hand),",
    re.IGNORECASE,
)

MAIN_CLASSES: Final = frozenset({*HARDWARE, "model"})
"""Classes of things that a sentence with a figure is usually about."""

ClassOf = Callable[[Near], str]
"""The class of a name in a text: accelerator, organisation, model and so on."""

_SENTENCE_END: Final = re.compile(SENTENCE_CLOSES + r"\s+(?=[\"“(\[*•]*[A-Z0-9])|\n\s*(?=[-•*] )|[。！？]")

THING: Final = r"chip|card|gpu|system|accelerator|rack|server|box|platform|architecture|machine|cluster|device|processor|superchip|product|part|node|pod"

_PRONOUN: Final = re.compile(
    rf"\b(?:it|its|it['’]s|(?:this|the) (?:{THING})|(?:this|the) (?P<model>model|LLM|network)(?=['’]|\s[a-z]+s\b)"
    r"|^\W*th(?:at|is)(?= (?:is|was|means|makes)\b)|this (?:also\s)?(?=enables?|allows?|makes?|reduces?|increases?|brings?|gives?))\b(?![-\w])",
    re.IGNORECASE,
)

_SET_AGAINST: Final = re.compile(
    r"(?:\b(?:than|over|vs\.?|versus|against|unlike|that of|from)|\d\s?(?:[x×]|times)\s(?:the\s)?(?:[\w-]+\s){1,3}?of|\b(?:compared|comparable|relative|similar|close|equivalent|next)\b[^.;,]{0,30}\b(?:to|with))"
    r"\s(?:(?:with|on|for|using)\s)?(?:the\s|an?\s|its\s|previous[\s-]\w*\s?|NVIDIA['’]?s?\s|AMD['’]?s?\s)*$",
    re.IGNORECASE,
)

INTRODUCTION: Final = re.compile(
    r"^\W*(?:based on|built on|as|with|in|on|through|unlike|by|using|compared (?:to|with)|relying on|for|under|thanks to|at)\b",
    re.IGNORECASE,
)


def pronoun_meaning(passage: Passage, free: list[Near], topic: Near | None, class_of: ClassOf) -> list[Near]:
    """What a pronoun of the figure's clause means: the model or the rack that was named last, or the topic."""
    pronoun = _pronoun_of(passage, free, class_of)
    if pronoun is None:
        return []
    if pronoun["model"]:
        meant = _model_before(passage, class_of)
    elif pronoun[0].lower().endswith("rack"):
        meant = next((near for near in passage.names if _RACK.search(near.mention.printed)), topic)
    elif _SYSTEM.search(pronoun[0]) and (topic is None or class_of(topic) != "system"):
        meant = next((near for near in passage.names if near.zone in _EARLIER and class_of(near) == "system"), topic)
    else:
        meant = topic
    meant = meant or titled(passage, class_of)
    return [] if meant is None else [meant]


def titled(passage: Passage, class_of: ClassOf) -> Near | None:
    """The one thing built of silicon that the title of a report names; None where it names none or several."""
    named = [near for near in passage.named_in("title") if class_of(near) in HARDWARE]
    return named[0] if len({near.mention.ids for near in named}) == 1 else None


_RACK: Final = re.compile(r"NVL\s?\d+|\brack\b", re.IGNORECASE)

_SYSTEM: Final = re.compile(r"\b(?:server|box|system|node|machine|cluster|pod)$", re.IGNORECASE)
_EARLIER: Final = ("previous", "block")

_IS_NAMED: Final = re.compile(r"\s[\w -]{2,40},\s(?:the\s|an?\s)?(?:[A-Z][\w'’-]*\s)?")
"""Between a pronoun and the name of what it owns: its successor, the H200."""


def _pronoun_of(passage: Passage, free: list[Near], class_of: ClassOf) -> re.Match[str] | None:
    """The pronoun that means the topic in the figure's clause, or in the one that this clause only goes on."""
    end = len(passage.before)
    # from the figure backwards, clause by clause, until something is named or meant
    for start in sorted({0, *(match.end() for match in _BOUNDARY.finditer(passage.before))}, reverse=True):
        clause = passage.before[start:end]
        pronoun = _PRONOUN.search(clause)
        opened = clause.find(", ") if INTRODUCTION.match(clause) else -1
        first = next(
            (
                at
                for near in free
                if class_of(near) in MAIN_CLASSES
                and max(opened, 0) <= (at := near.mention.start - passage.start - start) < len(clause)
            ),
            None,
        )
        if pronoun is not None and first is not None and _IS_NAMED.fullmatch(clause[pronoun.end() : first]):
            return None
        if pronoun is not None and (first is None or pronoun.start() < first):
            return pronoun
        if first is not None:
            return None
        end = start
    return None


def _model_before(passage: Passage, class_of: ClassOf) -> Near | None:
    """The model that was named last."""
    return next(
        (near for near in passage.names if near.zone in ("previous", "block") and class_of(near) == "model"), None
    )


def topic_before(passage: Passage, class_of: ClassOf) -> Near | None:
    """What the text before the figure's clause is about: a sentence's first thing that is not set against another, until the next."""
    text = passage.earlier + "\n" + passage.before
    shift = passage.start - len(passage.earlier) - 1
    known = [
        (near.mention.start - (passage.earlier_start if near.zone in ("previous", "block") else shift), near)
        for near in passage.names
        if near.zone in ("block", "previous", "before") and class_of(near) in HARDWARE
    ]
    known = sorted((one for one in known if one[0] >= 0), key=lambda one: one[0])
    cuts = [
        0,
        *(match.end() for match in _SENTENCE_END.finditer(text)),
        len(passage.earlier) + 1 + clause_start(passage.before),
    ]
    topic: Near | None = None
    for left, right in pairwise(cuts):
        topic = _topic_of(text, left, right, known) or topic
    return topic


def _topic_of(text: str, left: int, right: int, known: list[tuple[int, Near]]) -> Near | None:
    sentence = text[left:right]
    pronoun = _PRONOUN.search(sentence)
    for at, near in known:
        if not left <= at < right:
            continue
        lead = text[left:at]
        if _SET_AGAINST.search(lead[-60:]):
            continue
        if pronoun is not None and pronoun.start() < at - left:
            return None
        later = sentence[at - left + len(near.mention.printed) :]
        comma = later.find(", ")
        if INTRODUCTION.match(lead) and comma >= 0 and "," not in lead:
            named = [
                other
                for other in known
                if left + 0 <= other[0] - (at + len(near.mention.printed) + comma + 2) + left <= left + 12
            ]
            if named:
                return named[0][1]
        return near
    return None


def clause_start(before: str) -> int:
    """Where the clause of a figure begins in the part of its sentence that stands before it."""
    last = 0
    for match in _BOUNDARY.finditer(before):
        last = match.end()
    return last


def clause_end(after: str) -> int:
    """Where the clause of a figure ends in the part of its sentence that stands behind it."""
    match = _BOUNDARY.search(after)
    return match.start() if match else len(after)
