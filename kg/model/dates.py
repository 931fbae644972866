"""Partly printed dates as spans of days: "2025-Q1" is every day of that quarter."""

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from kg.errors import UsageError

Span = tuple[int, int]
"""First and last day, both included, as ordinals."""
DATE: Final = r"^[0-9]{4}(-([0-9]{2}(-[0-9]{2})?|Q[1-4]|H[12]))?$"
"""How a date is recorded, whole or in part; in digits of ASCII, as engines differ in which others they count as digits."""

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
SHORT_MONTHS: Final = tuple(name[:3] for name in MONTHS)


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


@lru_cache(maxsize=4096)
def is_date(text: str) -> bool:
    r"""Whether a text is a date, whole or in part, that a calendar has.

    >>> is_date("2025-H1"), is_date("2025-02-30"), is_date("soon"), is_date("2025\n"), is_date("２０２５")
    (True, False, False, False, False)
    """
    try:
        return re.fullmatch(DATE, text) is not None and span(text) is not None
    except (ValueError, OverflowError):
        return False


def given_date(text: str, field: str) -> str:
    """A date that somebody typed; raises UsageError where it is none, or one that does not exist."""
    if is_date(text):
        return text
    raise UsageError(
        "is no date.", field=field, given=text, expected="a date or a part of one: 2025, 2025-03, 2025-03-18, 2025-Q1"
    )


def may_lie_within(day: str, since: str | None, until: str | None) -> bool:
    """Whether a recorded date may be one from the first day of `since` to the last of `until`, both where they are given.

    >>> [may_lie_within(one, "2025-05", None) for one in ("2025-Q2", "2024", "2025-06-31")]
    [True, False, False]
    """
    if not is_date(day):  # earlier versions took days that no calendar has
        return False
    first, last = span(day)
    return (not since or last >= span(since)[0]) and (not until or first <= span(until)[1])


def _months(year: int, first: int, count: int) -> Span:
    years, month = divmod(first - 1 + count, 12)
    end = date(year + years, month + 1, 1) - timedelta(days=1)
    return date(year, first, 1).toordinal(), end.toordinal()


def disjoint(a: Span, b: Span) -> bool:
    """Whether two spans have no day in common.

    >>> [disjoint(span("2025-H1"), span(one)) for one in ("2025-06", "2025-Q3", "2024")]
    [False, True, True]
    """
    return a[1] < b[0] or b[1] < a[0]


def shown(day: int) -> str:
    """A day as text."""
    return date.fromordinal(day).isoformat()
