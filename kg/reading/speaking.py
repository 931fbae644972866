"""Who says a sentence: named before a verb of saying, or as its source."""

import re
from typing import Final

from kg.reading.passage import Passage

_SAYS: Final = (
    r"(?:said|says|stat(?:es|ed)|claim(?:s|ed)|report(?:s|ed)|announce[sd]|predict(?:s|ed)|estimate[sd]|expects|promis(?:es|ed)|advertis(?:es|ed)"
    r"|quot(?:es|ed)|argue[sd]|not(?:es|ed)|found|measured|shows?|brag\w*|insists|suggests|recommends|forecasts|puts?\s(?:it|this|that|the\s\w+)(?=\s(?:at|nearer|closer|below|above))"
    r"|(?:lists|rates|specs|pegs|puts)(?=\s[^.;,]{1,30}\sat\b))"
)
_AFTER_SAY: Final = re.compile(rf"^['’s]*\s*(?:,[^,]{{0,40}},\s*)?(?:\w+\s){{0,3}}{_SAYS}\b", re.IGNORECASE)
_BEFORE_SAY: Final = re.compile(
    rf"(?:according to|data (?:from|of|by)|(?:estimates?|figures?|numbers?|report|forecast) (?:by|from|of)|{_SAYS} by|cited by|(?:^|[,;(]\s?)per)\s+(?:the\s)?(?:\w+\s){{0,3}}$",
    re.IGNORECASE,
)


def speaks(start: int, end: int, zone: str, passage: Passage) -> str | None:
    """Why what stands between two places is the speaker of the sentence; None where it is not."""
    if zone not in ("before", "after"):
        return None
    text, offset = (passage.before, passage.start) if zone == "before" else (passage.after, passage.figure.end)
    if _AFTER_SAY.match(text[end - offset : end - offset + 80]):
        return "says so in the sentence"
    if _BEFORE_SAY.search(text[max(0, start - offset - 60) : start - offset]):
        return "named as the source in the sentence"
    return None


_TELLS: Final = (
    r"(?:said|says|states|stated|claims|claimed|quotes|quoted|estimates|estimated|expects|expected|promises|promised|advertises|advertised|argues|argued"
    r"|notes|noted|insists|insisted|predicts|predicted|forecasts|conceded|added|told\s\w+)\b(?!\s(?:for|of|about|by)\b)"
)
_NO_NAME: Final = (
    r"(?:We|It|They|This|That|These|Those|Our|The|A|An|He|She|I|You|In|On|At|For|By|As|If|But|And|So|Our|Its|Their|One|Table|Figure|Results?|Tests?"
    r"|Data|Analysts?|Researchers?|Engineers?|Benchmarks?|Reports?|Performance|Memory|Power|Price|Pricing|Some|Many|Most|Vendors?|Users?|Customers?|Nobody)"
)
_PERSON: Final = (
    rf"(?!{_NO_NAME}\b)(?P<who>[A-Z][^\W\d]+(?:[&.'’-][^\W\d]+)*(?:\s[A-Z][^\W\d]+(?:[&.'’-][^\W\d]+)*){{0,3}})"
)
_UNKNOWN_SPEAKERS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^[\s\"“*•>-]*(?:But\s|And\s)?{_PERSON}(?:,[^,]{{1,60}},)?\s(?:also\s|now\s|itself\s)?{_TELLS}",
        rf"[,”\"]\s(?:[a-z]+\s){{0,3}}{_PERSON}\s{_TELLS}",
        rf"^[\s\"“*•>-]*(?:An?|The|One|Another)\s(?:[a-z-]+\s){{0,2}}[a-z-]+,\s{_PERSON},\s{_TELLS}",
        rf"[,”\"]\s(?:said|says|added|noted)\s{_PERSON}",
        rf"\b[Aa]ccording\sto\s(?:[a-z]+\s){{0,3}}{_PERSON}",
        rf"\b(?:[Aa]nalysts?|[Rr]esearchers?|[Ee]ngineers?)\s(?:at|from|of)\s{_PERSON}\s(?:{_TELLS}|expect\b|estimate\b|predict\b)",
    )
)
"""Where a sentence names who says it: "Ostrava quotes", "…,” said Dana Ruiz", "according to Ruiz", "analysts at Kestrel expect"."""


def unknown_speaker(sentence: str) -> str | None:
    """The name of who says a sentence, where it is none that is known; None where it names nobody.

    >>> unknown_speaker("Ostrava quotes 1,850 TOPS."), unknown_speaker("We estimate that it sells."), unknown_speaker("The A40R says 3")
    ('Ostrava', None, None)
    """
    found = (one.search(sentence) for one in _UNKNOWN_SPEAKERS)
    return next((one["who"] for one in found if one is not None), None)
