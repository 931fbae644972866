"""Partly printed dates as spans of days: "2025-Q1" is every day of that quarter."""

from datetime import date, timedelta
from functools import lru_cache

Span = tuple[int, int]
"""First and last day, both included, as ordinals."""


@lru_cache(maxsize=4096)
def span(text: str) -> Span:
    """The days a recorded date may mean.

    >>> [str(date.fromordinal(day)) for day in span("2025-Q1")], span("2025")[1] - span("2025")[0]
    (['2025-01-01', '2025-03-31'], 364)
    """
    year, part, day = int(text[:4]), text[5:7], text[8:10]
    if day:
        exact = date(year, int(part), int(day)).toordinal()
        return exact, exact
    if part[:1] in ("Q", "H"):
        months = 3 if part[0] == "Q" else 6
        return _months(year, (int(part[1]) - 1) * months + 1, months)
    return _months(year, int(part), 1) if part else _months(year, 1, 12)


def _months(year: int, first: int, count: int) -> Span:
    years, month = divmod(first - 1 + count, 12)
    end = date(year + years, month + 1, 1) - timedelta(days=1)
    return date(year, first, 1).toordinal(), end.toordinal()


def disjoint(a: Span, b: Span) -> bool:
    """Whether two spans have no day in common."""
    return a[1] < b[0] or b[1] < a[0]


def shown(day: int) -> str:
    """A day as text."""
    return date.fromordinal(day).isoformat()
