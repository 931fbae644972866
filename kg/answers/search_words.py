"""The words of a search: what else each of them may mean, and how well a text fits all of them.

Synonyms, plurals and typing errors rank what is found. They never decide what a name means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process

from kg.model.names import name_key

_SYNONYMS: Final[tuple[tuple[str, ...], ...]] = (
    ("ram", "memory"),
    ("hbm", "memory type", "high bandwidth memory", "memory"),
    ("vram", "memory"),
    ("price", "cost", "rental price"),
    ("speed", "throughput", "performance"),
    ("tokens", "throughput"),
    ("ttft", "time to first token"),
    ("efficiency", "energy efficiency"),
    ("gpu", "accelerator", "chip", "card"),
    ("nvlink", "interconnect"),
    ("benchmark", "mlperf"),
    ("quantisation", "quantization", "precision"),
)
"""Words that are no one metric's; those of a metric are at the metric, in `ontology/metrics.yaml`.

The first of each may also mean the others, and each other the first.
"""
_STOP: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "for",
        "from",
        "how",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "the",
        "to",
        "what",
        "which",
        "with",
    ]
)
# likeness of 100 from which rapidfuzz takes two words for one with a typing error
_CUTOFF: Final = 74
_MOST_NEAR: Final = 3


class Term(NamedTuple):
    """A word of the search: itself, what means the same, and known words like it where it is known to nobody."""

    word: str
    same: tuple[str, ...]
    near: tuple[str, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form, as parts of words to look for; of several words the longest, for they may stand apart."""
        longest = max(self.word.split(), key=len, default=self.word)
        return tuple(dict.fromkeys((self.word, stem(longest), *self.same, *self.near)))


def read_terms(asked: str, known: Iterable[str], metric_words: Sequence[Sequence[str]] = ()) -> tuple[Term, ...]:
    """The words of a text, without those that say nothing; `known` are the words that occur in names and metrics.

    `metric_words` are the label of every metric and the other words for it.
    """
    key = name_key(asked)
    words = [word for word in re.split(r"[\s,;:()?!]+", key) if word]
    # of "what is it" nothing would be left: then these are the words
    kept = [word for word in words if word not in _STOP] or words
    groups = (*_SYNONYMS, *metric_words)
    vocabulary = sorted(set(known))
    terms = []
    for word in dict.fromkeys(_joined(kept, groups)):
        same = _same(word, groups)
        # known in another sense is known: only an unknown word is looked at as a typing error
        terms.append(Term(word, same, () if same else _near(word, vocabulary)))
    return tuple(terms)


def _joined(words: Sequence[str], groups: Iterable[Sequence[str]]) -> list[str]:
    """Words of which several together have synonyms of their own, as one; the longest run first."""
    phrases = {phrase for group in groups for phrase in group if " " in phrase}
    longest = max((phrase.count(" ") + 1 for phrase in phrases), default=1)
    found: list[str] = []
    at = 0
    while at < len(words):
        runs = (size for size in range(longest, 1, -1) if " ".join(words[at : at + size]) in phrases)
        size = min(next(runs, 1), len(words) - at)
        found.append(" ".join(words[at : at + size]))
        at += size
    return found


def stem(word: str) -> str:
    """A word without the ending of a plural; words with digits stay.

    >>> stem("bandwidths"), stem("memories"), stem("prices"), stem("h200s"), stem("tflops"), stem("us")
    ('bandwidth', 'memory', 'price', 'h200s', 'tflops', 'us')
    """
    if len(word) < 4 or any(sign.isdigit() for sign in word) or word.endswith(("ss", "ops", "us")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word.removesuffix("s")


def _same(word: str, groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    singular = stem(word)
    found = [singular] if singular != word else []
    for group in groups:
        if singular == group[0] or word == group[0]:
            found.extend(group[1:])
        elif singular in group or word in group:
            found.append(group[0])
    return tuple(dict.fromkeys(found))


def _near(word: str, known: Sequence[str]) -> tuple[str, ...]:
    """Known words like one that nobody uses. Of a word with digits no other digits: H100 is no mistyped H200."""
    singular = stem(word)
    if len(word) < 4 or any(singular in one for one in known):
        return ()
    digits = re.sub(r"\D", "", word)
    candidates = [one for one in known if len(one) > 3 and re.sub(r"\D", "", one) == digits]
    found = process.extract(word, candidates, scorer=fuzz.ratio, limit=_MOST_NEAR, score_cutoff=_CUTOFF)
    return tuple(one for one, _, _ in found)


def score(asked: str, terms: Sequence[Term], candidate: str) -> int:
    """How well a text fits: itself, its start, a run of whole words, all words, all of them in other words, as parts, mistyped.

    >>> terms = read_terms("gb200", [])
    >>> [score("gb200", terms, one) for one in ("gb200", "gb200 nvl72", "nvidia gb200 rack", "agb2001", "h200")]
    [100, 80, 60, 20, 0]
    >>> score("tdp", read_terms("tdp", [], [("power", "tdp")]), "power"), score("powr", read_terms("powr", ["power"]), "power")
    (70, 30)
    """
    if not terms:
        return 0
    text = name_key(candidate)
    if text == asked:
        return 100
    if text.startswith(asked + " "):
        return 80
    if f" {asked} " in f" {text} ":
        return 60
    # a synonym of the whole text is worth more than its words one by one
    if len(terms) == 1 and text in terms[0].same:
        return 70
    fits = [_fit(term, text) for term in terms]
    return 0 if min(fits) == 0 else sum(fits) // len(fits)


def _fit(term: Term, text: str) -> int:
    """How well a text fits one word: 40 as it is, 35 in another word, 20 as a part, 15 mistyped; 0 not at all."""
    spaced = f" {text} "

    def has(*words: str) -> bool:
        return any(f" {word} " in spaced for word in words)

    if has(term.word):
        return 40
    if has(*term.same, *(f"{one}s" for one in term.same)):
        return 35
    if has(stem(term.word), f"{term.word}s"):
        return 38
    if has(*term.near):
        return 30
    if any(one in text for one in (term.word, *term.same)):
        return 20
    if " " in term.word and all(f" {stem(one)}" in spaced for one in term.word.split()):
        return 20
    return 15 if any(one in text for one in term.near) else 0


@lru_cache(maxsize=64)
def words_of(names: tuple[str, ...]) -> frozenset[str]:
    """The words of names and metrics."""
    return frozenset(word for name in names for word in name_key(name).split())
