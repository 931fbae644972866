"""What a figure says of two values: how often, how much more or less, which share; or that it is a value of its own."""

import re
from typing import Final

from kg.model.printed import Relation

MORE: Final = (
    r"increas\w*|grow\w*|grew|improv\w*|gain\w*|boost\w*|uplift\w*|higher|faster|more|greater|better|larger|premium|ris(?:e|es|ing|en)|rose"
    r"|jump\w*|surg\w*|speed-?ups?|longer|bigger|expan\w*|enhanc\w*|accelerat\w*|exceed\w*|outperform\w*|surpass\w*|lead(?:s|ing)?"
    r"|advantage|climb\w*|additional|extra|superior|ahead|wider|stronger|quicker|costlier|dearer|pricier|rais(?:e|es|ed|ing)|elevat\w*"
    r"|narrower gap"
)
LESS: Final = (
    r"decreas\w*|reduc\w*|lower\w*|less|fewer|drop\w*|declin\w*|cut(?:s|ting)?|sav(?:e|es|ed|ing|ings)|cheaper|slower|smaller|discount\w*"
    r"|fall(?:s|en|ing)?|fell|degrad\w*|loss(?:es)?|lose[sd]?|shorten\w*|shorter|shrink\w*|shrank|shrunk|worse|slash\w*|off|plung\w*"
    r"|below|behind|inferior|downgrad\w*|regress\w*|diminish\w*|lag(?:s|ging)?|penalt\w+|deficit"
)
_AFTER: Final = re.compile(
    rf"[\s)\]*]*(?:\s*(?:or so|on average|performance|relative|annual|further|significant|direct|overall|cost|price|token|speed)\s+)?(?:(?P<more>{MORE}|above)|(?P<less>{LESS}))\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    rf"(?:\b(?P<more>{MORE}|up)|\b(?P<less>{LESS}|down))\b(?:\s+[\w'’/.-]+){{0,6}}?\s+(?P<by>by|of)?\s*(?:(?:an?|the|about|around|approximately|roughly|nearly|almost|over|more than|up to|as much as|at least|some|only|another|additional|less than|between|~|≈)\s*){{0,3}}$",
    re.IGNORECASE,
)
_BEFORE_CLOSE: Final = re.compile(
    rf"(?:\b(?P<more>{MORE}|up)|\b(?P<less>{LESS}|down))\s+(?:(?:an?|the|about|around|approximately|roughly|nearly|almost|over|up to|some|only|another|~|≈|by|of)\s*){{0,3}}$",
    re.IGNORECASE,
)
_CHANGE: Final = re.compile(rf"\b(?:(?P<more>{MORE})|(?P<less>{LESS}))\b", re.IGNORECASE)
_BY: Final = re.compile(r"\bby\s+(?:(?:about|around|nearly|almost|over|up to|some|~|≈)\s*)?$", re.IGNORECASE)
_FACTOR: Final = re.compile(r"\bby\s+(?:an?\s+)?(?:\w+\s+)?factor\s+of\s+(?=[^.]*$)", re.IGNORECASE)
_TO: Final = re.compile(
    r"\bto\s+(?:(?:about|around|nearly|almost|only|over|a|an|the|~|≈|approximately|roughly)\s*){0,2}$", re.IGNORECASE
)
_SHARE: Final = re.compile(
    r"\s*(?:of|as (?:much|fast|many)|that of)\s+(?:that of|those of|what|the (?:\w+ )?(?:of|performance|throughput|speed|cost|price|capacity|bandwidth|level)|[A-Z]{1,6}\d|NVIDIA|AMD|its|their)\b|\s*of (?:the )?[A-Z]+\d+\w*(?:['’]s)?"
)
_FRACTION: Final = re.compile(r"(?:\w+[ -])?(?:half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?", re.IGNORECASE)


def relation_of(text: str, start: int, end: int, unit: str | None) -> Relation:
    """The relation of a figure between two positions of its block; the unit is part of what stands between them.

    >>> relation_of("cuts latency by 60% at", 16, 19, "%"), relation_of("MFU rose to 54%", 12, 15, "%")
    ('decrease', 'absolute')
    >>> relation_of("280x cheaper", 0, 4, "1"), relation_of("2.2x faster", 0, 4, "1"), relation_of("80% of the market", 0, 3, "%")
    ('times-less', 'ratio', 'absolute')
    >>> relation_of("lowers TCO by 1.6x", 14, 18, "1"), relation_of("cuts latency and raises speed by 2x", 33, 35, "1")
    ('times-less', 'ratio')
    """
    if unit not in ("%", "1", "pp"):
        return "absolute"
    before = text[max(0, start - 90) : start]
    # the clause of the figure only: what another sentence increases says nothing of it
    before = re.split(r"[.;:!?](?=\s)|\n", before)[-1]
    after = re.split(r"[.;:!?](?=\s|$)|\n|,", text[end : end + 60])[0]
    if unit == "pp":
        return "points"
    if unit == "1" and _FRACTION.fullmatch(text, start, end):  # a third less, cut by half; half the power is a ratio
        change = _percentage(before, after)
        if change in ("increase", "decrease"):
            return change
    if unit == "1":
        before = _FACTOR.sub("by ", before)
        return "times-less" if _is_less(before, after) else "ratio"
    return _percentage(before, after)


def _is_less(before: str, after: str) -> bool:
    match = _AFTER.match(after)
    if match is not None:
        return match["less"] is not None and match["less"].lower() != "off"
    # with "by" the change may stand further off: "lowers the cost of the system by 20%"
    match = _BEFORE_CLOSE.search(before)
    if match is None and _BY.search(before):  # of "cuts latency and raises throughput by 2x" the later word counts
        *_, match = (None, *_CHANGE.finditer(before))
    return match is not None and match["less"] is not None


def _percentage(before: str, after: str) -> Relation:
    match = _AFTER.match(after)
    if match is not None:
        return "increase" if match["more"] else "decrease"
    if _TO.search(before):
        return "share-of" if _SHARE.match(after) else "absolute"
    if _SHARE.match(after):
        return "share-of"
    match = _BEFORE.search(before) if re.search(r"\bby\s", before[-30:]) else _BEFORE_CLOSE.search(before)
    if match is not None:
        return "increase" if match["more"] else "decrease"
    return "absolute"
