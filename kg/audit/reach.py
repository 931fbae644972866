"""How much of a difference a condition can carry, in size and in direction.

A condition that differs explains two figures only if figures are known to change that much with it, and in that sense:
a coarser number format computes faster, never slower, and no model makes one multiple of two machines twelve of another.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Final

from kg.audit.comparable import ComparableFigure
from kg.audit.conditions import Compared
from kg.model.interval import Interval

_TWICE: Final = Interval(Fraction(1, 2), Fraction(2))
_OF_A_RATIO: Final = Interval(Fraction(1, 4), Fraction(4))
"""By what the work that is done changes the ratio of two machines: from the least to the most favourable official
result of one pair it is a factor of less than four."""
_WORK: Final = frozenset(
    {
        "model",
        "workload",
        "task",
        "scenario",
        "phase",
        "benchmark",
        "round",
        "sequence_length",
        "context_length",
        "batch",
        "entry",
        "tested_on",
        "software",
        "framework",
    }
)
_FLOAT = re.compile(r"(?:bf|fp)(\d+)")
_WIDE: Final = 32
"""From this many bits on, other units of a chip do the work: many a chip computes FP16 at a small part of its FP32 rate.

Integers are left open too: some chips count them at four times the rate of the next wider float."""


def can_carry(one: ComparableFigure, other: ComparableFigure, compared: Iterable[Compared]) -> bool:
    """Whether what differs or is open may make up for the distance of two figures; several changes multiply.

    Of a condition whose reach is not known, anything is possible.
    """
    steps = []
    for condition in compared:
        step = _reach(condition, one, other)
        # nobody measured a bound for most conditions: one of them is enough to explain anything
        if step is None:
            return True
        steps.append(step)
    # factors say nothing of zero or of figures that may be negative
    if one.figure is None or other.figure is None or not (_is_positive(one.figure) and _is_positive(other.figure)):
        return True
    # multiplied, because two conditions may act together: sparsity and a narrower format give four times
    return reduce(mul, steps, one.figure).overlaps(other.figure)


def _reach(condition: Compared, one: ComparableFigure, other: ComparableFigure) -> Interval | None:
    """The factors by which the second figure may differ from the first; None where no bound is known."""
    name = condition.name.removeprefix("baseline ")
    if name == "sparsity":
        return _TWICE
    # of a ratio only: the rates of one machine on two models have no such bound
    if one.relation == "ratio" and name in _WORK:
        return _OF_A_RATIO
    if name == "precision" and one.metric == "peak-compute" and one.relation == "absolute":
        return _by_bits(_bits(one), _bits(other))
    return None


def _by_bits(one: int | None, other: int | None) -> Interval | None:
    """A format of half the bits computes up to twice as fast, and not slower.

    >>> _by_bits(16, 4), _by_bits(4, 8), _by_bits(32, 16), _by_bits(0, 4)
    (Interval('1', '4'), Interval('0.5', '1'), None, None)
    """
    if not one or not other or one == other or max(one, other) >= _WIDE:
        return None
    coarser = Fraction(max(one, other), min(one, other))
    return Interval(Fraction(1), coarser) if other < one else Interval(1 / coarser, Fraction(1))


def _bits(claim: ComparableFigure) -> int | None:
    """The bits of the floating-point format of a claim; None where several widths or none are named."""
    formats = dict(claim.values).get("precision", frozenset())
    widths = {int(found[1]) for text in formats if (found := _FLOAT.search(text)) is not None}
    return widths.pop() if len(widths) == 1 else None


def _is_positive(figure: Interval) -> bool:
    return figure.lower is not None and figure.lower.numerator > 0
