"""Whether the words before a figure deny it: "the H200 does not have 141 GB". A bound, as in "does not exceed 700 W", is no denial."""

import re
from typing import Final

_VERBS: Final = (
    "achieve|come|consume|contain|cost|deliver|draw|drawn|drew|feature|get|give|had|has|have|hit|hold|offer|provide|"
    "reach|reached|run|ship|support|sustain|use|used|consumed|achieved|delivered"
)
# the words ruled out make a bound of it ("no more than") or begin another statement ("because")
_BETWEEN: Final = r"(?:(?!\b(?:although|because|but|exceed|fewer|just|less|more|only|over|since|than|until|when|which|while)\b)[^\s,;:]+\s+){0,6}"
"""A few words that belong to the same statement."""
_DENIED: Final = re.compile(
    rf"""\b(?:
        (?:(?:ca|could|did|does|do|will|would|wo)(?:\ not|n['’]t)|cannot|can\ not|never|no\ longer)\s+(?:\w+ly\s+)?(?:{_VERBS})\b
        | (?:is|are|was|were)(?:\ not|n['’]t)
        | (?:has|have|had)(?:\ not|n['’]t)
        | (?:untrue|false|incorrect|not\ true)\ that
    )\s+{_BETWEEN}\S{{0,2}}$""",
    re.IGNORECASE | re.VERBOSE,
)


def denies(before: str) -> bool:
    """Whether the words of a sentence up to a figure deny it.

    >>> [denies(one) for one in ("The H200 does not have ", "It is untrue that the B200 draws ", "It never drew ")]
    [True, True, True]
    >>> [denies(one) for one in ("It does not exceed ", "not only does it have ", "It is not the H100, it has ", "It has ")]
    [False, False, False, False]
    """
    return _DENIED.search(before) is not None
