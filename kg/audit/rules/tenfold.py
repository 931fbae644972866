"""Misplaced points: a specification about ten or a hundred times what everybody else says of the accelerator.

Two figures that are a power of ten apart leave open which of them is wrong. It is the one that several others contradict;
where there is only one other, the one that the reference contradicts, or that is above all accelerators of its generation.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import log10
from statistics import median_low
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, each, known, lone_ends
from kg.audit.rules.part import SINGLE, AuditPart, Scope
from kg.audit.wording import text_of
from kg.model.counting import counted
from kg.model.finding_roles import HOLDS
from kg.model.recorded import ClaimRecord

METRICS: Final = (
    "die-area",
    "memory-bandwidth",
    "memory-bus-width",
    "memory-capacity",
    "peak-compute",
    "power",
)
UNDER: Final = ("precision", "boundary")
"""Conditions under which a specification is another one; sparsity at most doubles it."""
NEAR: Final = 0.1
"""The distance, in powers of ten, that a ratio may have from a whole power: 1935 was 2039 in another data sheet, and 0.2 is
0.204 rounded."""
PREFIX: Final = 3
TOGETHER: Final = Fraction(3, 2)
"""Others who are further apart than this are no consensus."""
BEYOND: Final = Fraction(5, 2)
"""A figure this many times above all of its generation is not of it."""
FEWEST: Final = 3
"""This many other accelerators show the range of a generation."""
Row = tuple[Fraction, ClaimRecord]


def _specified(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["kind"] != "specification" or facts.kind(claim["subject"]) != "accelerator":
        return
    figure = facts.figure(claim)
    if figure is not None and figure.value > 0:
        under = "|".join(str(known(claim, name)) for name in UNDER)
        yield f"{_generation(facts, claim['subject'])}|{claim['metric']}|{figure.unit}|{under}", figure.value


def _generation(facts: Facts, thing: str) -> str:
    """The architecture of an accelerator; without one its series, or itself."""
    above = (one for one in facts.lineage(thing) if facts.kind(one) == "architecture")
    return next(above, facts.root(thing))


def _tenfold(facts: Facts) -> Iterator[Finding]:
    of: dict[str, list[Row]] = defaultdict(list)
    for claim, figure in facts.figured(facts.of_metrics(*METRICS)):
        of[claim["subject"]].append((figure.value, claim))
    for thing, rows in of.items():
        ends = lone_ends(value for value, _ in rows)
        for value, claim in rows:
            if value not in ends:
                continue
            others = [row for row in rows if row[1] is not claim]
            # others who differ among themselves leave open which of three figures is the slip
            if not others or not _agree(others):
                continue
            middle = median_low([other for other, _ in others])
            power = round(log10(value / middle))
            # a power of a thousand is a slip of the unit's prefix, which has a rule of its own
            if power % PREFIX == 0 or abs(log10(value / middle) - power) > NEAR:
                continue
            because = _deciding(facts, claim, (value, middle), others, _siblings(of, thing))
            if because is not None:
                yield _finding(facts, (value, claim), middle, others, because)


def _agree(rows: Sequence[Row]) -> bool:
    values = [value for value, _ in rows]
    return max(values) <= TOGETHER * min(values)


def _siblings(of: dict[str, list[Row]], thing: str) -> list[list[Fraction]]:
    return [[value for value, _ in rows] for other, rows in of.items() if other != thing]


def _deciding(
    facts: Facts,
    claim: ClaimRecord,
    values: tuple[Fraction, Fraction],
    others: Sequence[Row],
    siblings: Sequence[Sequence[Fraction]],
) -> str | None:
    """Why the first of two values is the one that is wrong; None where nothing decides."""
    value, middle = values
    if len(others) > 1:
        return f"{len(others)} other figures agree"
    published = [
        one
        for one in facts.published(claim["subject"], claim["metric"])
        if one.value and one.precision == known(claim, "precision")
    ]
    if published and all(_is_near(one.value, middle) and not _is_near(one.value, value) for one in published):
        return f"the reference ({published[0].citation.text}) is near the other"
    if len(siblings) < FEWEST:
        return None
    # the middle of each, because what is wrong of another accelerator must not widen the range; and only what is too
    # high, because the least card of a generation may be far below all others
    high = BEYOND * max(median_low(one) for one in siblings)
    if middle <= high < value:
        return f"none of {counted(len(siblings), 'other accelerator')} of the generation comes near"
    return None


def _is_near(one: Fraction, other: Fraction) -> bool:
    return max(one, other) <= BEYOND * min(one, other)


def _finding(facts: Facts, accused: Row, middle: Fraction, others: Sequence[Row], because: str) -> Finding:
    value, claim = accused
    figure = facts.figure(claim)
    times = f"{text_of(value / middle)} times" if value > middle else f"1/{text_of(middle / value)} of"
    return Finding(
        "plausibility.tenfold",
        "suspicious",
        "warning",
        f"{times} what {'others say' if len(others) > 1 else 'another says'} of the same accelerator: {because}",
        ((claim["id"], "suspect"), *each((one for _, one in others), HOLDS)),
        corrected=middle,
        unit=figure.unit if figure is not None else None,
    )


PARTS: Final = (AuditPart("tenfold/specifications", _specified, _tenfold, METRICS, sorts=SINGLE),)
ALONE: Final = ()
