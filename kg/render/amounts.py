"""Computed values and intervals in words for people."""

from fractions import Fraction

from kg.audit.wording import long_time, significant, with_prefix
from kg.model.interval import Interval


def amount(value: float | Fraction, unit: str | None = None) -> str:
    """A number for people, with its unit.

    >>> amount(4023.7777777777778, "sample/s"), amount(0.0041, "1"), amount(72.0, "count:gpu"), amount(39348.736, "s")
    ('4,023.78 sample/s', '0.0041', '72 gpu', '10.93 h')
    """
    long = long_time(value, unit)
    if long is not None:
        return f"{long[0]:,.4g} {long[1]}"
    # `repr` gives the shortest digits that lead back to the double, which are those that were
    # meant.
    shown = significant(value if isinstance(value, Fraction) else Fraction(repr(value)))
    return f"{shown} {unit.removeprefix('count:')}" if unit and unit not in ("1", "count") else shown


def prefixed(value: float | Fraction, unit: str | None = None) -> str:
    """A canonical amount in the prefix that people give it in.

    >>> prefixed(4.8e12, "byte/s"), prefixed(2e13, "FLOP/s/W"), prefixed(4023.7777777777778, "sample/s")
    ('4.8 TB/s', '20 TFLOP/s/W', '4,023.78 sample/s')
    """
    return amount(*with_prefix(value if isinstance(value, Fraction) else Fraction(repr(value)), unit))


def span(interval: Interval, unit: str | None = None) -> str:
    """All values of an interval, with as many digits as tell its ends apart.

    >>> span(Interval(Fraction("72427.995"), Fraction("72428.005")), "sample/s"), span(Interval(Fraction(2), None))
    ('72,427.995 to 72,428.005 sample/s', '2 or more')
    >>> span(Interval(Fraction(1405 * 10**8), Fraction(1415 * 10**8)), "byte")
    '140.5 to 141.5 GB'
    """
    most = max((abs(end) for end in (interval.lower, interval.upper) if end is not None), default=Fraction(0))
    scaled, name = with_prefix(most, unit)
    # both ends in the prefix of the larger one, so that they can be compared at sight
    by = most / scaled if scaled else Fraction(1)
    low, high = (None if end is None else end / by for end in (interval.lower, interval.upper))
    tail = f" {name}" if name else ""
    match low, high:
        case None, None:
            return "any value"
        case Fraction(), Fraction():
            return _between(low, high) + tail
        case Fraction(), None:
            return f"{significant(low)}{tail} or more"
    return f"{significant(high or Fraction(0))}{tail} or less"


def _between(low: Fraction, high: Fraction) -> str:
    if low == high:
        return significant(low)
    # As few digits as tell the ends apart and change neither by more than a hundredth of the
    # interval.
    for digits in range(4, 16):
        shown = significant(low, digits), significant(high, digits)
        if shown[0] != shown[1] and all(
            _near(text, end, high - low) for text, end in zip(shown, (low, high), strict=True)
        ):
            return f"{shown[0]} to {shown[1]}"
    return f"{significant(low, 15)} to {significant(high, 15)}"


def _near(text: str, end: Fraction, length: Fraction) -> bool:
    """Whether the shown end is off by little of the interval."""
    return abs(Fraction(text.replace(",", "")) - end) * 100 <= length
