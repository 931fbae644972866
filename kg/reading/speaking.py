"""Who says a sentence: named before a verb of saying, or as its source."""

import re
from typing import Final

from kg.reading.passage import Passage

_SAYS: Final = (
    r"(?:said|says|stat(?:es|ed)|claim(?:s|ed)|report(?:s|ed)|announce[sd]|predict(?:s|ed)|estimate[sd]|expects|promis(?:es|ed)|advertis(?:es|ed)"
    r"|quot(?:es|ed)|argue[sd]|not(?:es|ed)|found|measured|shows?|brag\w*|insists|suggests|recommends|forecasts|puts?\s(?:it|this|that|the\s\w+)(?=\s(?:at|nearer|closer|below|above)))"
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
