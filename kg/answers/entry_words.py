"""What a sentence states of the benchmark entry that a figure of it is a result of: division, availability, round, scenario,
accelerators and submitter. Words close to the figure count before those of the rest of the sentence.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from kg.answers.each_device import ANY_WHOLE, CHIP
from kg.answers.own_conditions import part_before, part_behind

_Value = TypeVar("_Value", str, int)

_DIVISION: Final = re.compile(
    r"(?:\b(?P<f>open|closed)[\s-](?!source|weight)(?:\w+\s){0,3}?(?:entry|entries|submissions?|results?)\b|\b(?P<a>open|closed|network)(?:[\s-](?:power[\s-])?division|[\s-]category)|\bdivision\s*(?:is|was|[:=])?\s*(?P<b>open|closed|network)"
    r"|\bmlperf\s(?P<c>open|closed)|\((?P<d>open|closed)\)|\bin\s(?P<e>open|closed)(?=[\s,.;)]*(?:$|[,.;)]|at\b|on\b|for\b)))",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(
    r"\b(?:not|unlike|outside|than|against|versus|instead of|rather than|compared (?:with|to))(?: (?:in|of|from))?(?: the| that of the)?\s*$",
    re.IGNORECASE,
)
"""Before the division that a result is not of."""
_BOTH: Final = re.compile(r"\b(?:open|closed) (?:and|or|nor) (?:the )?(?:open|closed)\b", re.IGNORECASE)
_AVAILABILITY: Final = re.compile(
    r"\b(?:(?P<preview>preview(?!ed|s|ing))|(?P<rdi>rdi|research, development,? (?:or|and|&) internal)"
    r"|(?:generally |commercially )?(?P<available>available)(?=[\s-](?:\w+\s){0,2}?(?:system|category|entry|submission|result|hardware|server)|\))"
    r"|availability\s*[:=]?\s*(?P<word>available|preview|rdi))\b",
    re.IGNORECASE,
)
_ROUND: Final = re.compile(
    r"\b(?:mlperf(?:\s(?:inference|training))?(?:\s(?:datacenter|edge|results?|round|version))*|(?:inference|training|round)(?:\sround)?"
    r"|in|for|of|from|the|under)\s*\(?(?P<v>v?)(?P<round>\d\.\d)(?!\.?\d|[BbMm%x]|\s?(?:times|tokens|[xBM]\b))",
    re.IGNORECASE,
)
_ROUND_IN_BRACKET: Final = re.compile(r"\((?:[^()]*[\s,])?v(\d\.\d)\s*[,)]")
_SCENARIO: Final = re.compile(
    # the scenario is written with a capital, a machine is not
    r"\b(?P<scenario>(?i:offline|interactive|single[- ]?stream|multi[- ]?stream)|Server(?!s)|server(?=[\s-](?:scenario|mode)))\b"
)
_NUMBERS: Final = {
    "two": 2,
    "four": 4,
    "six": 6,
    "eight": 8,
    "sixteen": 16,
    "thirty-two": 32,
    "sixty-four": 64,
    "seventy-two": 72,
}
_NUMBER: Final = rf"(?<![\w.,-])(?P<count>\d{{1,4}}|{'|'.join(_NUMBERS)})"
_NAME: Final = r"(?:(?!(?:of|or|and|for|on|against|with|in|than|versus|vs|from|to|times)\b)[A-Za-z][\w-]*\s+){0,3}?"
_DEVICES: Final = rf"(?:{CHIP}|gpus?\b|accelerators?\b|chips?\b|cards?\b|tpus?\b)"
_COUNT: Final = re.compile(
    rf"{_NUMBER}(?:\s?[x×*]\s?|[\s-])(?:of\s(?:its|the|these)\s)?{_NAME}{_DEVICES}(?!\s*NVL)|\b{CHIP}[\w-]*?\s?[x×]\s?(?P<behind>\d{{1,4}})\b(?!\.)",
    re.IGNORECASE,
)
_SEVERAL_WHOLES: Final = re.compile(
    rf"{_NUMBER}(?:\s?[x×*]\s?|[\s-]){_NAME}(?:servers|nodes|systems|racks|machines|pods|instances)\b", re.IGNORECASE
)
_RACK: Final = re.compile(r"\bNVL(?P<rack>\d{1,3})\b", re.IGNORECASE)
_RESULT: Final = re.compile(r"(?<![\w.,-])(?:\d{1,3}(?:,\d{3})+|\d{5,})(?:\.\d+)?(?![\w-])")
"""Another figure that may be a result of its own: 33,379."""
_BRACKET: Final = re.compile(r"[^,;()\d]{0,20}\([^)]{1,80}\)")
"""Right behind a figure what it is of: "33,379 tokens/s (NVIDIA, v5.1)"."""
_TOGETHER: Final = re.compile(r"\b(?:in total|altogether|together|combined|in aggregate|as a whole)\b", re.IGNORECASE)
_ORGANISATION: Final = r"(?P<name>(?!(?:The|In|On|At|An?|Each|With|For|And)\b)[A-Z][\w&]*(?:[ -][A-Z][\w&]*){0,2})"
_OF_ENTRY: Final = r"(?:submission|entry|entries|submitted result)"
_SUBMITTER: Final = (
    re.compile(
        rf"\b(?:submitted|entered|{_OF_ENTRY})(?:\s(?:\w+\s){{0,2}}?)?\s?(?:by|from|of)\s(?:the\s)?{_ORGANISATION}"
    ),
    re.compile(rf"\b{_ORGANISATION}(?:['’]s?)?\s(?:\w+\s){{0,3}}?{_OF_ENTRY}\b"),
    re.compile(rf"\b{_ORGANISATION}\s(?:has\s|have\s)?(?:submitted|submits|entered|filed)\b"),
    re.compile(rf"\bsubmitter\s?(?:is|was|:)?\s?{_ORGANISATION}"),
)
_OWNER: Final = (
    re.compile(
        rf"\b{_ORGANISATION}(?:['’]s?)?\s+(?:(?:preview|RDI|available|new|own|latest|first|single|{'|'.join(_NUMBERS)}|\d+\s?[x×-]?\w*|NVIDIA|AMD|Intel"
        r"|Instinct|Blackwell|Hopper)\s+){0,4}?(?:[A-Z]{1,3}\d{2,4}\w*|(?:system|server|result|cluster|rack|node|machine)\b|[DHM]GX)"
    ),
    re.compile(
        rf"\b{_ORGANISATION}\s(?:has\s)?(?:reach|achiev|deliver|report|record|post|clock|scor|measur|hit|got|ran|gets|runs)\w*\b"
    ),
    re.compile(rf"\b(?:by|from)\s{_ORGANISATION}"),
)


@dataclass(frozen=True, slots=True)
class EntryWords:
    """What is stated of an entry; None is what the sentence does not say, or says in two ways."""

    division: str | None = None
    availability: str | None = None
    round: str | None = None
    """Its version alone: "5.1"."""
    scenario: str | None = None
    accelerators: int | None = None
    rack: int | None = None
    """The accelerators of a rack that is named, NVL72; a smaller part of it may have run."""
    is_of_system: bool = False
    """Whether the figure is said of several accelerators together, or of what holds them."""
    submitters: tuple[str, ...] = ()
    """Who is said to have submitted it."""
    owners: tuple[str, ...] = ()
    """Whose system it is said to be: the submitter, or who makes the chip."""
    is_alone: bool = True
    """Whether the sentence gives no other result, of which its round, scenario or count may be."""


NOTHING: Final = EntryWords()


def entry_words(before: str, after: str) -> EntryWords:
    """What the rest of its sentence states of the entry of a figure.

    >>> words = entry_words("Dell's preview system with 8x B200 reached ", " tokens/s in the open division of v5.1")
    >>> words.division, words.availability, words.round, words.accelerators, words.is_of_system, words.owners[0]
    ('open', 'preview', '5.1', 8, True, 'Dell')
    """
    whole = f"{before.rpartition(';')[2]} {after.partition(';')[0]}"
    is_alone = _RESULT.search(whole) is None
    # of two results the words between may be of either: only those close to one count
    bracket = _BRACKET.match(after)
    behind = part_behind(after) if bracket is None or is_alone else bracket[0]
    # "offline throughput (33,379)": a figure in brackets is of the words before them
    said = part_before(before) if is_alone else part_before(before.rstrip().removesuffix("("))
    parts = (behind, said, whole if is_alone else "")
    division, availability = _nearest(_divisions, parts), _nearest(_availabilities, parts)
    count, several = _nearest(_counts, parts), _SEVERAL_WHOLES.search(parts[2])
    return EntryWords(
        None if _BOTH.search(parts[2]) is not None else division,
        availability,
        _nearest(_rounds, parts),
        _nearest(_scenarios, parts),
        None if several is not None else count,
        _nearest(lambda part: (int(one["rack"]) for one in _RACK.finditer(part)), parts),
        count is not None or any(map(_is_of_system, parts[:2])),
        _named(_SUBMITTER, parts),
        _named(_OWNER, parts),
        is_alone,
    )


def _nearest(values: Callable[[str], Iterator[_Value]], parts: tuple[str, ...]) -> _Value | None:
    """The one value of the first part that has any."""
    for part in parts:
        if found := set(values(part)):
            return found.pop() if len(found) == 1 else None
    return None


def _divisions(part: str) -> Iterator[str]:
    for one in _DIVISION.finditer(part):
        if _OTHER.search(part[: one.start()]) is None:
            yield next(group for group in one.groups() if group).lower()


def _availabilities(part: str) -> Iterator[str]:
    for one in _AVAILABILITY.finditer(part):
        word = one.lastgroup or ""
        yield one["word"].lower() if word == "word" else word


def _rounds(part: str) -> Iterator[str]:
    for one in _ROUND.finditer(part):
        # "in 5.1" alone is a figure, "in v5.1" a round
        if one["v"] or re.match(r"mlperf|inference|training|round", one[0], re.IGNORECASE):
            yield one["round"]
    yield from _ROUND_IN_BRACKET.findall(part)


def _scenarios(part: str) -> Iterator[str]:
    return (re.sub(r"[ -]", "", one["scenario"].lower()) for one in _SCENARIO.finditer(part))


def _counts(part: str) -> Iterator[int]:
    for one in _COUNT.finditer(part):
        count = (one["count"] or one["behind"]).lower()
        if (number := _NUMBERS.get(count) or int(count)) > 1:
            yield number


def _is_of_system(part: str) -> bool:
    return ANY_WHOLE.search(part) is not None or _TOGETHER.search(part) is not None


def _named(patterns: tuple[re.Pattern[str], ...], parts: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the first part that has any."""
    for part in parts:
        if found := dict.fromkeys(one["name"] for pattern in patterns for one in pattern.finditer(part)):
            return tuple(found)
    return ()
