"""What the clause of a figure is about: rules of English word order, each pointing at one of the things named around it."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from kg.reading.known_names import HARDWARE
from kg.reading.passage import Near, Passage

_BOUNDARY: Final = re.compile(
    r"[;:；：]\s?|[—–]\s|,\s(?:while|whereas|but|yet|which|whose|in contrast|compared|representing|reducing|making|and\s(?=its\b|the\b|it\b|[A-Z]))"
    r"|\s(?:while|whereas|versus|vs\.?)\s|\b(?:in contrast|by comparison|on the other hand),",
    re.IGNORECASE,
)
_POSSESSIVE: Final = re.compile(r"['’]s?\b")
_PREPOSITION: Final = re.compile(
    r"^\W*(?:\w+\s){0,3}?(?:for|of|on|with|from|in|by)\s(?:the|an?|each|every|our)?\s*$", re.IGNORECASE
)
_ABOUT: Final = frozenset({*HARDWARE, "model"})
_LESS: Final = frozenset({"technology", "reference", "suite", "part"})
"""Classes that are seldom what a sentence is about."""

ClassOf = Callable[[Near], str]
Compared = Callable[[Near], bool]


def pointed_at(passage: Passage, class_of: ClassOf, compared: Compared) -> Iterator[tuple[str, Near]]:
    """The things that rules point at, the surest first, each with the name of its rule."""
    before = [near for near in passage.names if near.zone == "before"][::-1]
    after = [near for near in passage.names if near.zone == "after"]
    start = passage.start + _clause_start(passage.before)
    end = passage.figure.end + _clause_end(passage.after)
    free = [
        near
        for near in before
        if not compared(near) and not (class_of(near) == "organisation" and _is_maker(near, before, passage))
    ]
    here = [near for near in free if near.mention.start >= start]
    earlier = [near for near in free if near.mention.start < start]
    yield from (("inside", near) for near in passage.names if near.zone == "inside")
    yield from _adjacent(passage, after, end, class_of, compared)
    yield from _owners(passage, here, class_of)
    yield from (("clause begins", near) for near in here if class_of(near) not in _LESS)
    yield from (("sentence begins", near) for near in earlier if class_of(near) in _ABOUT)
    previous = [near for near in passage.names if near.zone == "previous"][::-1]
    yield from (("previous sentence begins", near) for near in previous if class_of(near) in _ABOUT)
    yield from (("clause goes on", near) for near in after if near.mention.start < end and not compared(near))
    yield from (("named before", near) for near in passage.names if near.zone == "block" and class_of(near) in _ABOUT)


def _clause_start(before: str) -> int:
    last = 0
    for match in _BOUNDARY.finditer(before):
        last = match.end()
    return last


def _clause_end(after: str) -> int:
    match = _BOUNDARY.search(after)
    return match.start() if match else len(after)


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
        if lead.strip(" *×x-") == "" and class_of(near) in _ABOUT:
            yield "counts", near
        elif _PREPOSITION.fullmatch(lead) and near.words <= 5 and class_of(near) in _ABOUT:
            yield "holds for", near


def _owners(passage: Passage, here: list[Near], class_of: ClassOf) -> Iterator[tuple[str, Near]]:
    """What owns something in the clause, the nearest first: the H200's memory."""
    for near in reversed(here):
        rest = passage.before[near.mention.end - passage.start :]
        if _POSSESSIVE.match(rest) and class_of(near) not in _LESS:
            yield "owner", near
