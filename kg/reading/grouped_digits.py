"""Thousands apart by a blank ("1 200 W"), where the words around them say that they are one number."""

import re
from typing import Final

from kg.reading.currencies import BEFORE

_DIGITS: Final = r"(?P<digits>(?!0)\d{1,3}(?: \d{3})+(?:\.\d+)?)(?![\d,]*\d|\.\d| \d)"
_GROUPED: Final = re.compile(rf"(?P<currency>{BEFORE}\s?)?{_DIGITS}")
_OPEN_GROUP: Final = re.compile(r" 0\d\d")
_OTHER_END: Final = re.compile(rf"(?:\s?[-–—]\s?|\s(?:to|and|or)\s)(?P<currency>){_DIGITS}")
# behind one of these a number begins; behind a name or a noun it may be a part of that: "Llama 2 300 GPUs"
_LEADS: Final = re.compile(
    r"(?:[~≈<>≤≥(=:]\s?|(?:(?<=\d)|(?<=\d ))[-–—]\s?|\b(?:(?-i:an?)|about|almost|and|another|approximately|are|around|at|be|been|between|bought|buys?|by|"
    r"achieves?|comprises|consumed?|consumes|contains?|costs?|delivered|delivers?|draws?|drew|exactly|for|from|generates?|gives?|"
    r"had|handles?|has|have|hits?|holds?|is|just|least|makes?|measured|most|nearly|needed|needs?|of|offers?|only|or|over|"
    r"processes|provides?|reached|reaches|requires?|roughly|runs|serves?|some|takes?|than|the|their|these|to|took|totall?ing|"
    r"trains?|under|used|uses?|using|was|were|with)\s)$",
    re.IGNORECASE,
)
_MOST_LEAD: Final = 16
# what may follow a unit where no thing does that it would be said of: "8 700 W GPUs" are eight of them
_ENDS: Final = re.compile(
    r"\s*(?:$|[.,;:!?)\n]|(?:a|and|as|at|by|during|each|for|from|in|is|of|on|or|per|than|to|under|was|when|while|with)\b)"
)


def grouped_digits(text: str, match: re.Match[str]) -> re.Match[str] | None:
    """What was met as a figure of up to three digits, with the groups of three that blanks set apart from it.

    >>> grouped_digits("1 200 W", re.compile("1").match("1 200 W")).group()
    '1 200'
    """
    if (
        text[match.end() : match.end() + 1] != " "
        or text[max(0, match.start() - 2) : match.start()].strip()[-1:].isdigit()
    ):
        return None
    return _GROUPED.match(text, match.start())


def has_open_group(grouped: re.Match[str]) -> bool:
    """Whether a group begins with a zero, as no number of its own does: "12 000"."""
    return _OPEN_GROUP.search(grouped["digits"]) is not None


def follows_prose(text: str, start: int) -> bool:
    """Whether a word stands before a position behind which a number begins."""
    return _LEADS.search(text[max(0, start - _MOST_LEAD) : start]) is not None


def ends_phrase(text: str, end: int) -> bool:
    """Whether no thing follows the unit that ends there."""
    return _ENDS.match(text, end) is not None


def other_end(text: str, at: int) -> re.Match[str] | None:
    """The other end of a range, whose unit is that of both."""
    return _OTHER_END.match(text, at)
