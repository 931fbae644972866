"""Steps of the Epoch AI mapping: dates as the timelines print them, month first or year first."""

from datetime import date


def american_day(printed: str | None) -> str | None:
    """The day of a date printed month first; a day printed year first stays as it is.

    >>> american_day("9/20/2016"), american_day("2016-09-20")
    ('2016-09-20', '2016-09-20')
    """
    if printed is None:
        return None
    if "/" not in printed:
        return date.fromisoformat(printed).isoformat()
    month, day, year = (int(part) for part in printed.split("/"))
    return date(year, month, day).isoformat()


def modality_on(printed: str | None, edition: str | None) -> str:
    """What lies after the day of the snapshot is expected, the rest is stated.

    >>> modality_on("1/2/2027", "2025-12-14"), modality_on("1/2/2024", "2025-12-14")
    ('expected', 'stated')
    """
    told = american_day(printed)
    return "expected" if told is not None and edition is not None and told > edition else "stated"
