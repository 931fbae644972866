"""Words and signs that hedge a figure: which bound each sets, and how they are printed."""

from __future__ import annotations

import re
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
# The longest words first, so that "just under" is not read as "just"; "over" is not met in
# "overall".
_HEDGE = re.compile(
    "|".join(rf"{re.escape(w)}{'(?![a-z])' if w[-1].isalpha() else ''}" for w in sorted(HEDGE_WORDS, key=len)[::-1]),
    re.IGNORECASE,
)


def hedge_of(text: str) -> str | None:
    """The hedge with which a printed figure begins.

    >>> hedge_of("~350"), hedge_of("<75 W"), hedge_of("350")
    ('about', 'less-than', None)
    """
    return split_hedge(text.strip())[1]


def split_hedge(body: str) -> tuple[str, str | None]:
    """A printed figure without its hedge, and the hedge; a plus behind the digits is one."""
    if match := _HEDGE.match(body):
        return body[match.end() :].strip(), HEDGE_WORDS[match.group().lower()]
    # "2,000+" is at least that; the plus of "C++" hedges nothing.
    if body.endswith("+") and any(c.isdigit() for c in body):
        return body[:-1].strip(), "at-least"
    return body, None
