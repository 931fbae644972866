"""Editions of segments. Of several loads of one edition each later one has a number behind its edition, so that it counts.

The order of loading is thus recorded in the editions: reading the segments in any order gives the same records.
"""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from kg.errors import UsageError

_NUMBER: Final = re.compile(r"\.\d{3,}$")


def is_of(edition: str, given: str) -> bool:
    """Whether a segment is of a given edition, from whichever of its loads.

    >>> is_of("2026-05-20", "2026-05-20"), is_of("2026-05-20.002", "2026-05-20"), is_of("0000 v5.1", "0000 v5")
    (True, True, False)
    """
    return edition == given or (edition.startswith(given) and _NUMBER.fullmatch(edition, len(given)) is not None)


def plain_edition(edition: str) -> str:
    """The edition as it is given to a load: the day without the number of the load.

    >>> plain_edition("2026-05-20.002"), plain_edition("0000 v5.123")
    ('2026-05-20', '0000 v5.123')
    """
    # Editions without a day begin with 0000, and their own last digits (0000 v5.123) are no number of a load.
    return edition[:10] if edition[:4] > "0000" and _NUMBER.fullmatch(edition, 10) else edition


def behind(edition: str, held: Iterable[str]) -> str:
    """An edition that is later than all that is held of the same one: `2026-05-20.001` and so on.

    Editions are compared as texts, in which 1000 stands before 999: behind a number of nines come more digits.

    >>> behind("2026-05-20", ["2026-05-20.001", "2026-05-19"]), behind("2026-05-20", ["2026-05-19"])
    ('2026-05-20.002', '2026-05-20')
    >>> behind("2026-05-20", ["2026-05-20.998", "2026-05-20.999"]), behind("2026-05-20", ["2026-05-20.999001"])
    ('2026-05-20.999001', '2026-05-20.999002')
    """
    latest = max((one for one in held if is_of(one, edition)), default=None)
    if latest is None:
        return edition
    number = latest[len(edition) + 1 :] or "000"
    return f"{edition}.{number}001" if set(number) == {"9"} else f"{edition}.{int(number) + 1:0{len(number)}}"


def edition_day(edition: str | None, *, field: str = "edition") -> str | None:
    """The day that a load is of, as it is written in the ledger; editions are compared as texts, so that only days are taken.

    >>> edition_day("2026-11-21"), edition_day("20261121"), edition_day(None)
    ('2026-11-21', '2026-11-21', None)
    """
    if edition is None:
        return None
    try:
        return date.fromisoformat(edition).isoformat()
    except ValueError as cause:
        raise UsageError(field=field, given=edition, expected="a date such as 2026-11-21") from cause
