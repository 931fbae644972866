"""Two statements of opposite direction about the same thing: a contradiction, or a tension where conditions are open."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, Side, involved, is_gap, is_ratio, known
from kg.audit.rules.part import AuditPart, Scope
from kg.model.counting import counted
from kg.model.dates import disjoint, span
from kg.model.identifiers import is_source_id
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import DENIALS

CONDITIONS: Final = (
    "model",
    "task",
    "scenario",
    "phase",
    "workload",
    "precision",
    "accelerators",
    "context_length",
    "operator",
    "customer",
    "buyer",
    "provider",
    "region",
    "software",
    "framework",
    "parallelism",
    "includes",
    "excludes",
    "boundary",
    "term",
    "offer",
    "period",
    "round",
)
OPPOSITE: Final = (
    ("higher", "lower"),
    ("higher", "not-higher"),
    ("lower", "not-lower"),
    ("present", "absent"),
    ("similar", "higher"),
    ("similar", "lower"),
)
EXISTENCE: Final = ("deployment", "technology-support")
"""Topics where a thing that is present denies one that is absent."""
THOUGHT: Final = ("expected", "assumed", "required", "recommended")
OPEN: Final = 2
"""With more conditions open than this, two statements are about different things."""
TOPIC: Final = {"availability": "deployment"}
"""Metrics whose statements deny one another: what nobody can have is not in use."""
UNIVERSAL: Final = re.compile(r"\b(?:always|never|all|every|any|no|none|nobody|each|everywhere)\b", re.IGNORECASE)
"""Words by which a statement holds under all conditions, so that one case against it is enough."""
NAMES: Final = frozenset((*CONDITIONS, "date"))
SIDES: Final[tuple[Side, ...]] = ("conditions", "baseline_conditions")
VAGUE: Final = ("market-position", "suitability", "test-coverage")
"""Metrics too wide for two statements to be about the same."""


def _is_wide(claim: ClaimRecord) -> bool:
    """Whether what is said is too wide to be opposed: of many qualities at once, or of a text and its parts."""
    return is_gap(claim) or claim["metric"] in VAGUE or is_source_id(str(claim["subject"]))


def _directed(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if "same_as" in claim:
        return
    if "direction" in claim:
        sense = None if _is_wide(claim) else sense_of(claim)
        if sense is not None:
            yield "|".join(_key(claim)), sense
    elif (sense := _sense_of_ratio(facts, claim)) is not None:
        yield "|".join(_key(claim)), sense


def _opposing(facts: Facts) -> Iterator[Finding]:
    """One finding for each statement that others oppose, on the side that fewer take."""
    senses: dict[str | None, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.worded:
        senses[sense_of(claim)].append(claim)
    # ratios oppose words only; against one another they are figures at odds (`kg.audit.conflicts`)
    for claim in facts.claims.values() if facts.worded else ():
        if "direction" not in claim:
            senses[_sense_of_ratio(facts, claim)].append(claim)
    for one, other in OPPOSITE:
        if one in senses and other in senses:
            yield from _opposed(senses[one], senses[other])


def _sense_of_ratio(facts: Facts, claim: ClaimRecord) -> str | None:
    """The direction that a ratio of one value takes; None for any other claim, and for a ratio of one."""
    figure = facts.figure(claim) if is_ratio(claim) else None
    if figure is None or figure.high is not None or figure.value == 1:
        return None
    return "higher" if figure.value > 1 else "lower"


def sense_of(claim: ClaimRecord) -> str | None:
    """The direction a statement takes; None where a negation leaves it open whether the direction has it in already.

    >>> sense_of({"direction": "higher", "polarity": "negated"}), sense_of({"direction": "absent", "polarity": "negated"})
    (None, 'absent')
    """
    direction = str(claim["direction"])
    return None if claim.get("polarity") == "negated" and direction not in DENIALS else direction


def _key(claim: ClaimRecord) -> tuple[str, str, str, str]:
    metric = str(claim["metric"])
    return claim["subject"], claim["level"], TOPIC.get(metric, metric), claim.get("baseline", "")


def _opposed(ones: Sequence[ClaimRecord], others: Sequence[ClaimRecord]) -> Iterator[Finding]:
    """Statements made under the same conditions are looked at once, however many there are."""
    few, many = (_alike(side) for side in (sorted((ones, others), key=len)))
    for alike in few:
        # one of each sort speaks for all: what sets statements apart is the same in them
        against = [(other, unsure) for other in many if (unsure := _open(alike[0], other[0])) is not None]
        sure = [(other, unsure) for other, unsure in against if not unsure]
        # where some oppose under the same conditions, those that
        # leave something open add only doubt
        # a plain statement among them is enough for a contradiction
        opposed = sorted(chain.from_iterable(other for other, _ in sure or against), key=lambda one: not _is_plain(one))
        names = sorted({name for _, unsure in sure or against for name in unsure})
        if opposed:
            yield from (_finding(claim, opposed, names) for claim in alike)


def _alike(claims: Sequence[ClaimRecord]) -> list[list[ClaimRecord]]:
    """Claims by what sets statements apart."""
    found: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in claims:
        given = (claim.get("conditions") or {}, claim.get("baseline_conditions") or {})
        sides = [[(name, str(value)) for name, value in sorted(one.items()) if name in NAMES] for one in given]
        found[f"{_standing(claim)}{claim.get('modality')}{claim.get('as_of')}{claim.get('direction')}{sides}"].append(
            claim
        )
    return list(found.values())


def _finding(claim: ClaimRecord, against: Sequence[ClaimRecord], names: Sequence[str]) -> Finding:
    """A contradiction only between plain statements with nothing left open; what is called similar may differ a little."""
    word, other = claim.get("direction", "the opposite"), against[0].get("direction", "the opposite")
    sure = not names and _is_plain(claim) and _is_plain(against[0]) and "similar" not in (word, other)
    under = f"conditions that only one side states ({', '.join(names)})" if names else "the same conditions"
    return Finding(
        "opposition.contradiction" if sure else "opposition.tension",
        "contradiction" if sure else "tension",
        "warning" if sure else "info",
        f"says {word}, against {other} in {counted(len(against), 'other statement')} about the same, under {under}",
        ((claim["id"], "statement"), *involved(against, "opposed to it")),
    )


def _is_plain(claim: ClaimRecord) -> bool:
    return claim.get("modality", "stated") == "stated"


def _open(one: ClaimRecord, other: ClaimRecord) -> list[str] | None:
    """The conditions that only one side states; None where a condition, date or standing sets the two apart."""
    # a forecast is not contradicted by how it turned out, nor a wish by what is
    if _standing(one) != _standing(other) or _apart(one, other) or _apart(other, one):
        return None
    names: list[str] = []
    for side in SIDES:
        for name in sorted(NAMES.intersection((*(one.get(side) or ()), *(other.get(side) or ())))):
            stated = [_text(value) for value in (known(one, name, side), known(other, name, side)) if value is not None]
            if len(stated) == 2 and stated[0].isdisjoint(stated[1]):
                return None
            if len(stated) == 1:
                names.append(name)
    return None if _is_left_open(one, other, names) else names


def _is_left_open(one: ClaimRecord, other: ClaimRecord, names: Sequence[str]) -> bool:
    """Whether so much is stated on one side only that two statements may both hold."""
    topic = TOPIC.get(one["metric"], one["metric"])
    # present here and absent there is no contradiction unless the place is the same and nothing is left open
    if {one.get("direction"), other.get("direction")} == {"present", "absent"} and (names or topic not in EXISTENCE):
        return True
    return len(names) > OPEN and not (_holds_always(one, other) or _holds_always(other, one))


def _holds_always(claim: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether a statement says of itself that it holds without exception, and sets no condition that the other leaves open."""
    if UNIVERSAL.search(str(claim.get("cue") or "")) is None:
        return False
    return all(known(other, name) is not None for name in (claim.get("conditions") or {}) if name in NAMES)


def _standing(claim: ClaimRecord) -> tuple[bool, bool]:
    return claim["kind"] == "projection", claim.get("modality", "stated") in THOUGHT


def _apart(one: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether dates set the two apart: a denial holds up to its day, and says nothing of that day or later."""
    first, second = one.get("as_of"), other.get("as_of")
    if not first or not second:
        return False
    return disjoint(span(first), span(second)) or (
        one.get("direction") in DENIALS and span(second)[1] >= span(first)[0]
    )


def _text(value: object) -> set[str]:
    return set(map(str, value)) if isinstance(value, list) else {str(value)}


PARTS: Final = (AuditPart("opposition", _directed, _opposing),)
ALONE: Final = ()
