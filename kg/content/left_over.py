"""Figures of a document that nothing accounts for yet: the words around each, and the patterns that would explain several at once.

A proposal decides nothing: which reason holds is for a person to say, who puts the line into `seeds/coverage`.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kg.content.coverage import CoverageList, LeftOver, Spans

_AROUND: Final = 60
# Meets `B200` and `v4.1`, with neither brackets nor quotes nor commas around it.
_TOKEN: Final = re.compile(r"[^\s,;:()\[\]|\"“”'’]+")
_FORMS: Final = (
    ("link", re.compile(r"https?://[^\s)>\]]+")),
    ("date", re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2}, )?20\d\d\b")),
    ("date", re.compile(r"\b20\d\d-\d\d-\d\d\b")),
    ("time-of-day", re.compile(r"\b\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\b")),
    ("citation-mark", re.compile(r"\[\d{1,3}\]")),
    ("list-number", re.compile(r"(?m)^\s*\d{1,2}[.)] ")),
    ("heading", re.compile(r"(?m)^#+ .*$")),
    ("version", re.compile(r"\bv\d+(?:\.\d+)+\b")),
)
"""Forms that mean the same in every text, any subject."""


class FigureLeft(NamedTuple):
    """A figure that is left, and its words."""

    start: int
    text: str
    words: str
    in_table: bool

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"start": self.start, "text": self.text, "words": self.words, "in_table": self.in_table}


class ProposedPattern(NamedTuple):
    """A pattern for the reviewed list of a source, and how many of the figures left it would explain."""

    pattern: str
    reason: str
    explains: int
    why: str
    example: str


def figures_with_words(text: str, left: Iterable[LeftOver]) -> Iterator[FigureLeft]:
    """Each figure with the words before and after it, on one line."""
    for one in left:
        start, end = max(0, one.start - _AROUND), one.start + len(one.text) + _AROUND
        words = " ".join(text[start:end].split())
        yield FigureLeft(one.start, one.text, words, one.in_table)


def proposed_patterns(
    source: str, text: str, left: Sequence[LeftOver], lists: Mapping[str, CoverageList]
) -> list[ProposedPattern]:
    """Patterns that would explain figures that are left, those that explain most first.

    Three grounds: a form that is never a claim, a pattern that a person gave another source, and a word with a figure in it
    that stands here twice or more. Of patterns that explain the same figures the first ground counts.
    """
    found: list[ProposedPattern] = []
    seen: set[frozenset[int]] = set()
    for reason, pattern, why in (*_known_forms(), *_of_other_sources(source, lists), *_words_with_figures(text, left)):
        places = _explained(pattern, text, left)
        if places and places not in seen:
            seen.add(places)
            # a form may end just before or begin inside the figure, so that any overlap counts
            example = next(one.group() for one in pattern.finditer(text) if one.end() > min(places))
            found.append(ProposedPattern(pattern.pattern, reason, len(places), why, example[:60]))
    return sorted(found, key=lambda one: (-one.explains, one.pattern))


def _known_forms() -> Iterator[tuple[str, re.Pattern[str], str]]:
    return ((reason, pattern, "a form that is no claim in any text") for reason, pattern in _FORMS)


def _of_other_sources(source: str, lists: Mapping[str, CoverageList]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    for other, listed in sorted(lists.items()):
        for one in listed.ignored if other != source else ():
            if one.pattern is not None:
                yield one.reason, one.pattern, f"explains figures of {other}"


def _words_with_figures(text: str, left: Sequence[LeftOver]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Names such as B200: letters and a figure in one word, more than once. A measure ("80GB") begins with its figure."""
    starts = sorted(one.start for one in left)
    counts: Counter[str] = Counter()
    for match in _TOKEN.finditer(text):
        first = bisect_left(starts, match.start())
        if match.group()[0].isalpha() and first < len(starts) and starts[first] < match.end():
            counts[match.group().rstrip(".")] += 1
    for word, count in counts.items():
        if count > 1:
            yield (
                "product-name",
                re.compile(rf"\b{re.escape(word)}(?!\w)"),
                "one word that begins with letters, more than once",
            )


def _explained(pattern: re.Pattern[str], text: str, left: Sequence[LeftOver]) -> frozenset[int]:
    spans = Spans(one.span() for one in pattern.finditer(text))
    return frozenset(one.start for one in left if spans.overlaps(one.start, one.start + len(one.text)))
