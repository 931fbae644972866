"""A count in words."""


def counted(count: int, noun: str, *, more: str = "") -> str:
    """A count with its noun in the right number; `more` stands between them.

    >>> counted(1, "claim"), counted(2, "claim"), counted(1200, "row", more="or more ")
    ('1 claim', '2 claims', '1,200 or more rows')
    """
    return f"{count:,} {more}{noun}{'' if count == 1 else 's'}"
