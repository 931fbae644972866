"""Whether the words around a figure say it of each single device: "each GB200 GPU delivers", "tokens/s apiece".

"per GPU" and "each GPU" next to a figure are read in `kg.answers.per_device`; here are the other ways to say it of the result of a run.
"""

import re
from typing import Final

_DEVICE: Final = r"(gpu|accelerator|chip|card|tpu|device|processor|superchip)s?\b"
_WHOLE: Final = (
    # not the scenario, which is written with a capital: "one H200 on Llama 2 70B Server"
    r"(?:(?-i:server|[Ss]ervers)|nodes?|systems?|racks?|pods?|superpods?|clusters?|machines?|instances?|box(?:es)?|chassis|trays?"
    r"|[dhm]gx|nvl\d*)\b"
)
"""What holds several devices."""
_OF_RUN: Final = (
    r"(?:results?|entry|entries|submissions?|runs?|configurations?|users?|famil(?:y|ies)|series|generation)\b"
)
"""What is none: "one H200 result"."""
# meets "H200", "MI355X", "GB200"; not "FP16" and "Qwen72", which are no chips
CHIP: Final = r"(?!fp\d|bf\d|tf\d|int\d|nvl\d|xe\d)[a-z]{1,3}\d{2,4}[a-z]{0,2}\b"
# not "each H200-based server" and "one GPU short"; of a rack that the device is in it is said all the same
_ALONE: Final = rf"(?!(?:[\s-]+(?!(?:of|in|on|inside|within|from)\b)[\w-]+)?[\s-]+(?:{_WHOLE}|{_OF_RUN})|\s+(?:per|less|more|fewer|short|hour)\b)"
_ONE_OF: Final = (
    r"\b(?:each(?: one)?(?: of (?:the|its|these|those|our))?|every(?: single)?|(?:an?|one|any|per) single|single|one(?: of (?:the|its))?"
    r"|a lone|an individual|individual)\s+"
)
_NAMED: Final = rf"(?:(?!{_WHOLE}|{_OF_RUN})[\w.-]+\s+){{0,4}}?(?:{_DEVICE}|{CHIP}(?:[\s-]+{_DEVICE})?){_ALONE}"
_SINGLE: Final = re.compile(_ONE_OF + _NAMED, re.IGNORECASE)
_PER_NAMED: Final = re.compile(rf"\b(?:per|for (?:each|every))[\s-]+{_NAMED}(?![\s-]?hour)", re.IGNORECASE)
_A_DEVICE: Final = re.compile(rf"(?:/s|\bsec(?:ond)?)\s+(?:for\s+)?an?\s+{_DEVICE}{_ALONE}", re.IGNORECASE)
_APIECE: Final = re.compile(
    r"\b(?:apiece|a piece|individually|each)(?=\s*(?:$|[.,;:)]|\b(?:on|in|for|at|with)\b))", re.IGNORECASE
)
_RATE_PER: Final = re.compile(
    rf"\bper[\s-]{_DEVICE}\s+(?:\w+\s+)?(?:throughput|rate|performance|result|figure|output|score|number|speed|basis)",
    re.IGNORECASE,
)
"""Before a figure: "the per-GPU throughput is"."""
_OPENS: Final = re.compile(rf"\W*(?:on|at) an? per[\s-]{_DEVICE} basis\b|\W*per[\s-]{_NAMED}\s*,", re.IGNORECASE)
_IN_BRACKETS: Final = re.compile(
    rf"[^.,;:()\d]*\((?=[^()]*\b(?:per|each|one|a single|every)\b)[^()]*?{_DEVICE}[^()]*\)", re.IGNORECASE
)
# goes on with what only part of it does: "34,029 tokens/s with each GPU delivering 4,253"
_PART_OF_IT: Final = re.compile(r"\s+(?:\w+ing|at|delivers?|reach\w*|does|handles?|adds?)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r",(?!\d)|[;:()]|\b(?:and|but|while|or|versus|vs\.?|whereas|than|against)\b")
_COMPARED: Final = re.compile(r"\s?(?:x|%|times)?\s?(?:[a-z]+\s){0,4}?(?:than|against|versus|vs\.?)\s")
# meets another figure, "4,253"; not the size in "Llama 3.1 405B"
_FIGURE: Final = re.compile(r"(?<![\w.])(?:\d+,\d{3}|\d{3,}(?!\d*[BbMm]\b))")
_HOLDING: Final = re.compile(
    rf"\b(?:of|in|on|inside|within|from)\s+(?:[\w.-]+\s+){{0,4}}?{_WHOLE}(?:\s+{_WHOLE})*", re.IGNORECASE
)
ANY_WHOLE: Final = re.compile(rf"\b{_WHOLE}", re.IGNORECASE)
UNNAMED: Final = "accelerator"
"""What a device is called where the words have no noun for it: "each H200"."""


def each_device(before: str, after: str) -> str | None:
    """The device that the rest of its sentence says a figure of, one by one; None where it says nothing of the kind.

    >>> each_device("Each GB200 GPU delivers ", " tokens/s"), each_device("Eight H200 reach ", " tokens/s apiece on Mixtral")
    ('GPU', 'accelerator')
    >>> each_device("Each GB200 NVL72 rack delivers ", " tokens/s"), each_device("One DGX H200 reached ", " tokens/s each")
    (None, None)
    """
    opens = _OPENS.match(before)
    led, follows = _CLAUSE.split(before)[-1], _CLAUSE.split(after)[0]
    ends = _FIGURE.search(follows)
    follows = follows[: ends.start()] if ends is not None else follows
    if opens is not None or (opens := _RATE_PER.search(led)) is not None:
        return _called(opens)
    if (single := _SINGLE.search(led)) is not None and not _is_of_whole(led[single.end() :]):
        return _called(single)
    # what a ratio is to goes between: "3x faster than the H200 per GPU"
    compared = _CLAUSE.split(_COMPARED.sub("", after))[0] if _COMPARED.match(after) is not None else follows
    for pattern, words in ((_A_DEVICE, follows), (_PER_NAMED, compared), (_SINGLE, follows)):
        found = pattern.search(words)
        if found is not None and _PART_OF_IT.match(words, found.end()) is None:
            return _called(found)
    if (bracketed := _IN_BRACKETS.match(after)) is not None:
        return _called(bracketed)
    return UNNAMED if _APIECE.search(follows) is not None and not ANY_WHOLE.search(led) else None


def _is_of_whole(words: str) -> bool:
    """Whether the words behind a device come to what holds it, as their subject."""
    return ANY_WHOLE.search(_HOLDING.sub("", words)) is not None


def _called(found: re.Match[str]) -> str:
    groups = [one for one in found.groups() if one]
    return groups[0] if groups else UNNAMED
