"""Words and signs that hedge a figure: which bound each sets, and how they are printed."""

from __future__ import annotations

from typing import Final

# Strict hedges cut at the figure itself; with the others the figure is a rounded bound and keeps its half unit.
STRICT_LOWER: Final = frozenset({"over", "more-than"})
LOWER: Final = frozenset({"at-least", "as-low-as"})
STRICT_UPPER: Final = frozenset({"less-than", "below"})
UPPER: Final = frozenset({"up-to", "as-high-as"})
FROM_BELOW: Final = frozenset({"nearly"})
_NO_BOUND: Final = frozenset({"about", "roughly", "close-to", "around", "only"})
HEDGES = STRICT_LOWER | LOWER | STRICT_UPPER | UPPER | FROM_BELOW | _NO_BOUND
HEDGE_WORDS = {hedge.replace("-", " "): hedge for hedge in HEDGES} | {
    "~": "about",
    "≈": "about",
    "approximately": "about",
    "almost": "nearly",
    "not quite": "nearly",
    "just short of": "nearly",
    "under": "below",
    ">": "more-than",
    "<": "less-than",
    "≥": "at-least",
    "≤": "up-to",
    ">=": "at-least",
    "<=": "up-to",
    "circa": "about",
    "approx.": "about",
    "approx": "about",
    "some": "about",
    "in excess of": "more-than",
    "greater than": "more-than",
    "exceeding": "more-than",
    "exceeds": "more-than",
    "fewer than": "less-than",
    "no less than": "at-least",
    "at most": "up-to",
    "as much as": "up-to",
    "as many as": "up-to",
    "no more than": "up-to",
    "just": "only",
    "merely": "only",
    "close to": "close-to",
    "just under": "below",
    "just over": "over",
    "well over": "over",
    "slightly over": "over",
}
_BY_FIRST: dict[str, list[str]] = {}
# The longest words first, so that "just under" is not read as "just". A pattern of them takes longer to compile than a short
# command takes for its answer.
for _words in sorted(HEDGE_WORDS, key=len, reverse=True):
    _BY_FIRST.setdefault(_words[0], []).append(_words)


def hedge_of(text: str) -> str | None:
    """The hedge with which a printed figure begins.

    >>> hedge_of("~350"), hedge_of("<75 W"), hedge_of("350")
    ('about', 'less-than', None)
    """
    return split_hedge(text.strip())[1]


def split_hedge(body: str) -> tuple[str, str | None]:
    """A printed figure without its hedge, and the hedge; a plus behind the digits is one."""
    for words in _BY_FIRST.get(body[:1].lower(), ()):
        if body[: len(words)].lower() == words and not _goes_on(words, body):
            return body[len(words) :].strip(), HEDGE_WORDS[words]
    # "2,000+" is at least that; the plus of "C++" hedges nothing.
    if body.endswith("+") and any(c.isdigit() for c in body):
        return body[:-1].strip(), "at-least"
    return body, None


def _goes_on(words: str, body: str) -> bool:
    """Whether a letter follows: "over" is not met in "overall"."""
    behind = body[len(words) : len(words) + 1]
    return words[-1].isalpha() and behind.isascii() and behind.isalpha()
