"""Colour of verdicts on terminals that have it: it repeats the word where that is the verdict, and never replaces it."""

import os
import re
from collections.abc import Mapping
from typing import Final, TextIO

from kg.model.verdict import VERDICTS

_RESET: Final = "\x1b[0m"
_COLOURS: Final[Mapping[str, str]] = {
    "confirmed": "32",
    "unverified": "90",
    "caution": "33",
    "disputed": "38;5;208",
    "wrong": "31",
    "unknown": "90",
    "contradicted": "31",
    "supported": "32",
}
"""SGR parameters (ECMA-48) of the six verdicts, and of what published results say of a claim."""
_FEW: Final[Mapping[str, str]] = {"disputed": "35"}
"""Where a terminal has eight colours there is no orange, and a verdict of its own colour differs from caution."""
_WORD: Final = "|".join((*VERDICTS, "contradicted", r"supported(?:-[a-z]+)*"))
_VERDICT: Final = re.compile(
    rf"(?m)(?:^|(?<=is )|(?<=needs )|(?<=  )|(?<=\()|(?<=\d )|(?<=, ))({_WORD})(?=[:.,;)]|  |\s*$)"
)
"""A verdict as a cell, after a label, in parentheses, counted or said of a number; not the word in running text."""


def takes_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours whose user did not turn them off (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def coloured(text: str) -> str:
    r"""A text with its verdicts in their colours.

    >>> coloured("72428 is wrong. What is wrong with it?")
    '72428 is \x1b[31mwrong\x1b[0m. What is wrong with it?'
    """
    return _VERDICT.sub(lambda found: f"\x1b[{_colour(found[1])}m{found[1]}{_RESET}", text)


def _colour(word: str) -> str:
    verdict = word.partition("-")[0]
    has_many = "256" in os.environ.get("TERM", "") or bool(os.environ.get("COLORTERM"))
    return (_COLOURS if has_many else {**_COLOURS, **_FEW})[verdict]
