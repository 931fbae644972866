"""What a question leaves out: "all NVIDIA chips except the H100", "the fastest non-NVIDIA accelerator".

The names behind such words are no names of what is asked about. Such words with no name behind them turn a question round, and
none answers it but one whose header has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from kg.ask.mentions import NameMention, dense_said
from kg.ask.plain_words import stems

_MADE: Final = (
    r"(?:(?:made|built|manufactured|produced) by|those (?:of|by|from)|(?:on|of|from|by|in|with|the|a|an|any)\b)"
)
# meets "except the", "not made by", "non-" and "without"; a name has to follow
_BEFORE: Final = re.compile(
    r"\b(?:other than|except(?:ing)?(?: for)?|exclud(?:e|es|ing)|apart from|but not|(?:(?:that|which) (?:is|are) )?not|without|non(?=[ -]))"
    rf"(?:[\s-]+{_MADE})*[\s-]+(?=\w)",
    re.IGNORECASE,
)
_AND: Final = re.compile(r"(?:\s*,\s*(?:and|or|nor)?|\s+(?:and|or|nor))\s+(?:the )?(?=\w)", re.IGNORECASE)
_EXCEPTIONS: Final = re.compile(
    r"\b(?:other than|except|exclud(?:e|es|ing)|not (?:including|counting)|apart from|but not|without|unless"
    r"|not (?:known|stated|said|claimed|made|built|from|by)|unknown|non(?=-))\b",
    re.IGNORECASE,
)
_SUBMITS: Final = re.compile(r"\bsubmi(?:t|ss)|\bentered\b|\bentries\b", re.IGNORECASE)
_OF_A_RESULT: Final = ({"precision"}, {"round"}, {"scenario"})
"""The kinds of which each result has one."""

_BEHIND: Final = 3
"""Words behind such a word that may name what is left out: "without a named baseline"."""

FirstName = Callable[[str], tuple[int, NameMention | None]]
"""Gives the name that a text begins with, and of how many letters it is."""


def without_excluded(text: str, first_name: FirstName) -> tuple[str, tuple[NameMention, ...]]:
    """The words without those that leave a thing out, and the things; what is no thing stays, and so does who submits nothing."""
    excluded: list[NameMention] = []
    kept, place = "", 0
    is_of_submitters = _SUBMITS.search(text) is not None
    for said in _BEFORE.finditer(text):
        end, names = _names_behind(text, said.end(), first_name)
        # rows that an organisation submitted are of chips that others make, and the other way round
        if names and not (is_of_submitters and any(one.kinds == {"org"} for one in names)):
            excluded += names
            kept, place = f"{kept}{text[place : said.start()]}", end
    return " ".join(f"{kept}{text[place:]}".split()), tuple(excluded)


def _names_behind(text: str, place: int, first_name: FirstName) -> tuple[int, list[NameMention]]:
    """The things that are named from a place on, with "and" between them, and where they end."""
    found: list[NameMention] = []
    end, start = place, re.compile("").match(text, place)
    while start is not None:
        length, mention = first_name(text[start.end() :])
        if mention is None or (mention.slot in (None, "CLAIM", "SOURCE") and mention.kinds not in _OF_A_RESULT):
            break
        found.append(mention)
        end = start.end() + length
        start = _AND.match(text, end)
    return end, found


def exceptions_in(text: str) -> tuple[str, ...]:
    """The words that turn what is named behind them into what is not asked for.

    >>> exceptions_in("all chips other than the H200"), exceptions_in("what is not known about it"), exceptions_in("other chips")
    (('other than',), ('not known',), ())
    >>> exceptions_in("dense FP8 without sparsity"), exceptions_in("chips without HBM")
    ((), ('without',))
    """
    return tuple(dict.fromkeys(one.casefold() for one in _EXCEPTIONS.findall(dense_said(text))))


def exceptions_said(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The same with the stems of the words behind each: that a question knows claims without a figure says nothing of links.

    >>> [(said, sorted(behind)) for said, behind in exceptions_said("claims without any figure")], exceptions_said("unknown")
    ([('without', ['figur'])], (('unknown', frozenset()),))
    """
    text = dense_said(text)
    found = ((one[0].casefold(), text[one.end() :].split()[:_BEHIND]) for one in _EXCEPTIONS.finditer(text))
    return tuple(dict.fromkeys((said, frozenset(stems(" ".join(words)))) for said, words in found))
