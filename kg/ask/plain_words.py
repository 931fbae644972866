"""The words of a question without what they do not say: stop words left out, endings taken off, everyday words put as the usual one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from kg.model.names import name_key

_STOP_WORDS: Final = """a about all also always am among an and any anyone anything anywhere are as at be been being between by can could did
do does each either else ever every everywhere everyone find for from get gets give given gives go got had has have having here
how i if in into is it its just know known like list many me more most much my need next now of on one only onto or our
out over own people per please really said say saying says see seen show so some someone something such tell than that the
their them then there these they thing things this those to told up us want was we were what when where which who whom
whose why will with would you your way ways stay stays fall falls"""
STOP: Final = frozenset(_STOP_WORDS.split())
# the longer first: "comparisons" loses "isons", not "s", and so meets "compare"
_ENDINGS: Final = (
    "isons",
    "ison",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ities",
    "ity",
    "ers",
    "er",
    "ies",
    "ed",
    "es",
    "e",
    "ly",
    "s",
)
_WORDS_KEPT: Final = 20_000
"""Words whose stem is kept: all of the headers and names, which are looked through for each question in words."""
# meets "'s", a question mark, and a full stop at an end; not the point of "5.1"
MARKS: Final = re.compile(r"['’]s\b|[?!,;:()\[\]\"“”‘’]|\.(?=\s|$)")
_HOW_MANY: Final = re.compile(r"\b(?:how many|number of|count of)\b")
# meets "what's wrong", not "Nvidia's": the word it is short for is one that questions differ in
_SHORT_IS: Final = re.compile(r"\b(what|who|where|how|that|it|there)['’]s\b", re.IGNORECASE)


@lru_cache(_WORDS_KEPT)
def stem(word: str) -> str:
    """A word without its ending.

    >>> [stem(word) for word in ("comparisons", "compare", "rented", "prices", "is", "bigger", "submitted")]
    ['compar', 'compar', 'rent', 'pric', 'is', 'big', 'submit']
    """
    for ending in _ENDINGS:
        kept = word.removesuffix(ending)
        # shorter stems mean other words: "us" is no stem of "user"
        if kept != word and len(kept) >= (4 if len(ending) < 5 else 3):
            # "big" of "bigger", but "cell" of "cells": a doubled l, s, e or f is part of the word
            return kept[:-1] if len(kept) > 3 and kept[-1] == kept[-2] and kept[-1] not in "lsef" else kept
    return word


def _groups(*groups: str) -> Mapping[str, str]:
    """The stem of every word of a group under the stem of its first; a word of two groups keeps the first of them."""
    found: dict[str, str] = {}
    for group in groups:
        first, *others = group.split()
        for word in (first, *others):
            found.setdefault(stem(word), stem(first))
    return found


ALIKE: Final[Mapping[str, str]] = _groups(
    "chip chips gpu gpus accelerator accelerators processor processors card cards device devices hardware product products",
    "document documents text texts source sources report reports paper papers article articles publication blog post pages",
    "claim claims statement statements assertion assertions",
    "no not never nobody none nothing without neither cannot",
    "empty blank missing miss lack lacks lacking absent gap gaps left unfilled",
    "open opened read",
    "unclear vague unspecified unnamed undefined implied",
    "explain define definition",
    "wrong mistake mistaken mistakes error errors incorrect false miscalculated faulty flawed erroneous",
    "repeat repeats repeated repeating echo echoes echoed reiterated copy copied copies parrot parroted recycled recycle",
    "rest rests depend depends build builds built rely relies relying reuse reused based",
    "count counts tally",
    "hold holds contain contains include includes comprise comprises house houses",
    "large larger big bigger biggest largest highest greatest huge high maximum",
    "machine ai llm robot bot",
    "fast faster quick quicker quickest rapid speed",
    "best top record fastest leading winner champion leader win wins won",
    "organisation organisations organization organizations company companies firm firms vendor vendors business",
    "maker makers make makes made manufacturer manufacturers manufacture manufactures manufactured produce produces produced",
    "submit submits submitted submitter submitters submission submissions hand handed enter entered entry entries",
    "cost costs pay pays paid price prices priced pricing cheap cheapest cheaper dollars dollar money spend expense",
    "expensive costly dear dearest costliest pricey priciest",
    "buy buying purchase bought acquire",
    "rent rents rental renting lease leasing hire hour hourly",
    "contradict contradicts contradiction contradicting disagree disagrees disagreement dispute disputed disputes conflict"
    " conflicts conflicting clash clashes contradictory inconsistent discrepancy discrepancies",
    "figure figures value values digit digits",
    "problem problems finding findings issue issues defect defects flaw fault faults complaint",
    "progress history trend newer improve improved improvement improvements evolve evolved develop development",
    "check checked verify verified examine examined inspected validate",
    "calculate calculated computation computations calculation calculations computed compute computes sum sums arithmetic",
    "energy electricity",
    "draw draws consume consumes consumption consumed drawn usage",
    "component components content contents ingredient ingredients piece pieces constituent part parts",
    "rack racks server servers system systems node nodes box boxes instance instances",
    "weight weights parameter parameters params",
    "cite cited cites citation citations reference references referenced quoted",
    "expert experts moe",
    "change changes changed alter altered alters distort distorted twist twisted garbled misquoted misquote modified lost",
    "reduction reductions reduce reduces cut cuts saving savings drop decrease decreases shrink",
    "gain gains ahead advantage lead",
    "kind kinds type types sort sorts category categories",
    "written wrote write writes generated generate authored",
    "mean means meaning meant signify denote",
    "variant variants version versions flavour flavours flavor sku skus edition",
    "side sides baseline",
    "joule joules",
    "train trains trained training pretraining",
    "measure measured measures measurement measurements",
    "specification specifications specs spec datasheet technical",
    "task tasks test tests workload workloads",
    "benchmark benchmarks mlperf benchmarked",
    "rival rivals competitor competitors compete competes opponent opponents",
    "run runs ran",
    "newest latest recent",
    "compose composed consist consists comprised",
)
"""Stems of everyday words that say the same, under one of them; words of the field are in the headers of the questions."""
CHIPS: Final = frozenset({stem("chip")})
_AS_WRITTEN: Final[Mapping[str, str]] = {"machines": "rack", "dense": "densely"}
"""Words whose stem says something else: machines are systems, what is machine-written is no system; dense is no density."""


def plain_stem(word: str) -> str:
    """The stem of a word, or that of the usual word for the same."""
    found = stem(_AS_WRITTEN.get(word, word))
    return ALIKE.get(found, found)


def stems(text: str) -> Iterator[str]:
    """The words of a text that say something, without their endings.

    >>> list(stems("How many GPUs are in it?")), list(stems("the number of the document"))
    (['count', 'chip'], ['count', 'docu'])
    """
    for word in words_of(text):
        if word not in STOP:
            yield plain_stem(word)


def words_of(text: str) -> list[str]:
    """The words as names are written, with "how many" as a count.

    >>> words_of("what's wrong with Nvidia's figures?")
    ['what', 'is', 'wrong', 'with', 'nvidia', 'figures']
    """
    return _HOW_MANY.sub("count", name_key(MARKS.sub(" ", _SHORT_IS.sub(r"\1 is", text)))).split()


def is_within(part: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words are among others, one behind the other.

    >>> is_within(["memory", "size"], ["what", "memory", "size"]), is_within(["size"], ["sizes"])
    (True, False)
    """
    if not part or part[0] not in words:
        return False
    return any(words[place : place + len(part)] == part for place in range(len(words)))
