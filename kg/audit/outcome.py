"""What becomes of a statement when a figure below it changes: it survives, weakens, falls or reverses.

A ratio is judged by its effect, the distance from 1 on a logarithmic scale: half of it is the square root, so that the
comparison stays exact (a * a against r).
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Literal

from kg.model.interval import Interval
from kg.model.vocabulary import SENSE, Direction

Outcome = Literal["survives", "weakens", "falls", "reverses"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("survives", "weakens", "falls", "reverses")
_ONE = Fraction(1)


def judge_ratio(claimed: Interval, after: Interval | None) -> Outcome:
    """A printed ratio against what its inputs give now.

    >>> ten = Interval(Fraction("9.5"), Fraction("10.5"))
    >>> [judge_ratio(ten, Interval.exactly(Fraction(now))) for now in ("9.9", "18", "4", "1.02", "0.98")]
    ['survives', 'survives', 'weakens', 'falls', 'reverses']
    """
    if after is None:
        return "falls"
    if claimed.overlaps(after):
        return "survives"
    said, now = _nearest_to_one(claimed), _nearest_to_one(after)
    # a figure that holds 1 states no effect, and of none nothing is left
    if said == 1 or now == 1:
        return "falls"
    if (said > 1) != (now > 1):
        return "reverses"
    # a larger effect than claimed still bears the conclusion out
    return "survives" if _reaches(now, said) else "weakens" if _keeps_half(now, said) else "falls"


def judge_figure(claimed: Interval, after: Interval | None) -> Outcome:
    """A printed amount against what its inputs give now: it is right, or it is not."""
    return "survives" if after is not None and claimed.overlaps(after) else "falls"


def judge_direction(direction: Direction, before: Interval, after: Interval | None) -> Outcome | None:
    """A statement of more or less against the ratio of its own rows; None where a ratio says nothing about it.

    It falls where no difference is left, and only weakens where less than half of the effect is.

    >>> def ratio(text: str) -> Interval: return Interval.exactly(Fraction(text))
    >>> [judge_direction("lower", ratio("0.7"), ratio(now)) for now in ("0.75", "0.95", "1", "1.4")]
    ['survives', 'weakens', 'falls', 'reverses']
    """
    if after is None:
        return "falls"
    was, now = _nearest_to_one(before), _nearest_to_one(after)
    if direction == "similar":
        return "survives" if _reaches(_above_one(was), _above_one(now)) else "weakens"
    side = SENSE.get(direction)
    if side is None:
        return None
    if now == 1:
        return "survives" if direction.startswith("not-") else "falls"
    if (now > 1) != (side > 0):
        return "reverses"
    # a change cannot weaken what its rows did not bear out before
    held = was != 1 and (was > 1) == (side > 0)
    return "weakens" if held and not _reaches(now, was) and not _keeps_half(now, was) else "survives"


def worsened(before: Outcome, after: Outcome) -> Outcome:
    """The outcome of a change: what already failed before is not blamed on it.

    >>> worsened("falls", "falls"), worsened("survives", "falls"), worsened("falls", "weakens")
    ('survives', 'falls', 'survives')
    """
    return after if OUTCOMES.index(after) > OUTCOMES.index(before) else "survives"


def together(outcomes: Iterable[Outcome]) -> Outcome:
    """What becomes of a statement with several supports: it falls only with all of them.

    >>> together(["reverses", "reverses"]), together(["falls", "reverses"]), together(["falls", "survives"])
    ('reverses', 'falls', 'weakens')
    """
    found: set[Outcome] = set(outcomes)
    if len(found) == 1:
        return next(iter(found))
    return "weakens" if found & {"survives", "weakens"} else "falls" if found else "survives"


def _nearest_to_one(interval: Interval) -> Fraction:
    """The value of an interval with the least effect; 1 if it holds 1."""
    if interval.contains(_ONE):
        return _ONE
    # the least effect that the interval allows: nothing falls by rounding alone
    end = interval.lower if interval.lower is not None and interval.lower > 1 else interval.upper
    return _ONE if end is None else end


def _above_one(value: Fraction) -> Fraction:
    return value if value >= 1 or value <= 0 else 1 / value


def _reaches(now: Fraction, said: Fraction) -> bool:
    return now >= said if said >= 1 else now <= said


def _keeps_half(now: Fraction, said: Fraction) -> bool:
    return now * now >= said if said > 1 else now * now <= said
