"""The slips that could have made one of two figures out of the other: a prefix, a place, exchanged digits, several chips
for one. `kg.audit.conflict_text` adds them to figures at odds."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kg.audit.finding import Reason
from kg.model.interval import Interval

_TOGETHER: Final = frozenset(
    {"peak-compute", "memory-capacity", "memory-bandwidth", "power", "throughput", "transistors"}
)
"""Metrics of which several chips have a total."""
_COUNTS: Final = (8, 72)
"""Accelerators of a usual server and of a rack that acts as one."""

_PREFIXES: Final = (10**3, 10**6, 10**9)


def typo_explanations(low: Interval, high: Interval, *, metric: str, digits: tuple[str, str]) -> Iterator[Reason]:
    """Possible causes of a pair of disjoint figures, the likeliest first; `digits` are theirs as printed.

    >>> [one.code for one in typo_explanations(Interval.exactly(2048), Interval.exactly(2408), metric="power", digits=("2048", "2408"))]
    ['digits.transposed']
    """
    if swapped(*digits):
        yield Reason("digits.transposed", f"{digits[0]} and {digits[1]} are the same digits, two of them exchanged")
    # a quotient by what may be zero holds every factor
    if low.lower is None or low.lower <= 0:
        return
    ratio = high / low
    # the same digits are a power of ten apart, and no number of chips is one
    if _leading(digits[0]) == _leading(digits[1]):
        if any(ratio.contains(power) for power in _PREFIXES):
            yield Reason(
                code="factor.1000",
                text="the same digits, one or more thousandfold apart: a unit prefix may have slipped",
            )
        elif ratio.contains(10):
            yield Reason(code="factor.10", text="the same digits, ten times apart: a place may have slipped")
        return
    if metric in _TOGETHER:
        for count in _COUNTS:
            if ratio.contains(count) and _narrow(ratio, count):
                yield Reason(
                    "multi-card-total",
                    f"the larger figure fits {count} of the smaller: it may be of {count} chips together",
                )


def swapped(one: str, other: str) -> bool:
    """Whether two neighbouring digits changed places."""
    # of two digits, exchanging them is as good as any other figure: 12 and 21 prove nothing
    if len(one) != len(other) or len(one) < 3 or one == other:
        return False
    apart = [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return (
        len(apart) == 2
        and apart[1] == apart[0] + 1
        and one[apart[0]] == other[apart[1]]
        and one[apart[1]] == other[apart[0]]
    )


def _leading(digits: str) -> str:
    return digits.rstrip("0")


def _narrow(ratio: Interval, count: int) -> bool:
    """Whether a ratio is known within a twentieth, so that few whole numbers fit by chance."""
    return ratio.width is not None and ratio.width <= Fraction(count, 20)
