"""Echo clusters: claims that relay one another, or say the same in the same words from one place, belong together.

Union-find over what is recorded. Two claims share when statement, canonical value (or words) and the text or the voice
they come from are the same, and their conditions do not distinguish them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kg.audit.chains import EndState, Texts
from kg.audit.disjoint_sets import DisjointSets
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord, ConditionsRecord

Value = tuple[Any, ...]
Signature = frozenset[tuple[str, str]]
Place = tuple[str, str, int, str]
"""The day a text was published, the text, the position in it, and the claim, which orders what shares a position."""

CROWDED: Final = 64
"""What is said under more sets of conditions than this is compared under equal conditions only."""
_UNDATED: Final = "9999"
"""A text without a date is no earlier than one that has one."""
_BEST: Final[tuple[EndState, ...]] = ("primary", "unopened", "no-source")


@dataclass(frozen=True, slots=True)
class Mention:
    """What counting origins needs of one claim."""

    claim: str
    statement: str
    value: Value | None
    """The canonical figure, or the words of a claim without one; None where there is nothing to share."""
    conditions: ConditionsRecord
    relays: tuple[str, ...]
    texts: tuple[str, ...]
    """Where it was first said as far as is known: the cited sources (the found text in place of its name), else its own."""
    voice: str | None
    """Who says it, unless that is a program."""
    end: EndState
    """Where it rests if it relays no known claim."""
    place: Place
    """Where it is said: what is said first comes first."""


def mention(record: ClaimRecord, statement: str, canonical: CanonicalFigure | None, texts: Texts) -> Mention:
    """The mention of a claim, from its record and its derived keys."""
    links = texts.links(record)
    # a program has no voice: what it prints twice may come from two sources, and its own word is no origin
    voice = None if record["asserted_by"] in texts.agents else record["asserted_by"]
    value, conditions = value_of(record, canonical), record.get("conditions") or {}
    place = _place(record, texts)
    if not links:
        return Mention(
            record["id"], statement, value, conditions, (), (record["source"],), voice, texts.own_end(record), place
        )
    # a link to a claim goes on from there; a cited source is where this branch begins
    cited = [texts.opened(link.source) for link in links if link.source and not link.claim]
    states = [state for _, state in cited] or [texts.own_end(record)]
    return Mention(
        record["id"],
        statement,
        value,
        conditions,
        tuple(dict.fromkeys(link.claim for link in links if link.claim)),
        tuple(dict.fromkeys(name for name, _ in cited)) or (record["source"],),
        voice,
        next(state for state in _BEST if state in states),
        place,
    )


def _place(record: ClaimRecord, texts: Texts) -> Place:
    source = record["source"]
    published = texts.sources.get(source, {}).get("published") or _UNDATED
    return published, source, record.get("anchor", {}).get("start") or 0, record["id"]


def value_of(record: ClaimRecord, canonical: CanonicalFigure | None) -> Value | None:
    """What is said, in a form that is quick to hash: a fraction as its two whole numbers."""
    quantity, polarity = record.get("quantity") or {}, record.get("polarity", "affirmed")
    if canonical is not None:
        low, high = canonical.value, canonical.high
        return (canonical.kind, low.numerator, low.denominator, high and (high.numerator, high.denominator), polarity)
    # polarity is part of what is said: a figure and its denial are two statements
    for key in ("term", "date", "set"):
        if key in quantity:
            return (key, str(quantity[key]), polarity)
    if record.get("cue"):
        # without a figure only the same words are the same statement: two sentences
        # may point one way for two reasons
        return ("words", " ".join(record["cue"].casefold().split()), record.get("direction"), polarity)
    return None


def signature(conditions: ConditionsRecord) -> Signature:
    """The conditions that say something, comparable and hashable.

    >>> sorted(signature({"accelerators": 8, "model": {"status": "unstated"}, "phase": {"value": "x", "status": "inferred"}}))
    [('accelerators', '8'), ('phase', 'x')]
    """
    found = set()
    for name, given in conditions.items():
        # what a curator inferred counts as said: it only has to tell two statements apart
        value = given.get("value") if isinstance(given, dict) else given
        if value is not None:
            found.add((name, str(value)))
    return frozenset(found)


def compatible(one: Signature, other: Signature) -> bool:
    """Whether no condition has two values."""
    known = dict(other)
    return all(known.get(name, value) == value for name, value in one)


def said_alike(mentions: Iterable[Mention]) -> dict[tuple[str, Value], list[Mention]]:
    """The mentions that say the same of the same, where there are several."""
    said: dict[tuple[str, Value], list[Mention]] = {}
    for one in mentions:
        if one.value is not None:
            said.setdefault((one.statement, one.value), []).append(one)
    return {key: bucket for key, bucket in said.items() if len(bucket) > 1}


def clusters(mentions: Mapping[str, Mention], alike: Mapping[tuple[str, Value], list[Mention]]) -> DisjointSets[str]:
    """Join what relays and what shares."""
    joined: DisjointSets[str] = DisjointSets()
    for one in mentions.values():
        for other in one.relays:
            if other in mentions:
                joined.join(one.claim, other)
    for bucket in alike.values():
        for group in _sharing(bucket):
            for name in group[1:]:
                joined.join(group[0], name)
    return joined


def _sharing(bucket: list[Mention]) -> Iterator[list[str]]:
    """The claims of one bucket that come from one text or one voice, under conditions that do not distinguish them."""
    places: dict[str, list[Mention]] = {}
    for one in bucket:
        for place in (*one.texts, *((one.voice,) if one.voice else ())):
            places.setdefault(place, []).append(one)
    for group in places.values():
        if len(group) > 1:
            yield from _alike(group)


def _alike(bucket: list[Mention]) -> Iterator[list[str]]:
    """The claims under equal conditions; those that say less join the only ones that say more."""
    groups: dict[Signature, list[str]] = {}
    for one in bucket:
        groups.setdefault(signature(one.conditions), []).append(one.claim)
    yield from groups.values()
    # quadratic in the sets of conditions: results of one value by the hundred (1.0x) would stop a build
    if 1 < len(groups) <= CROWDED:
        # maximal sets only: in a chain {} < {a} < {a, b} the middle one must
        # not count as a second candidate
        fullest = [one for one in groups if not any(one < other for other in groups)]
        for fewer, names in groups.items():
            wider = [other for other in fullest if fewer < other]
            # a claim that says less fits several fuller ones; joined to two it would make them one
            if len(wider) == 1:
                yield [names[0], groups[wider[0]][0]]
