"""Counts in words, and lists that tell how many more there are."""

from collections.abc import Sequence


def counted(count: int, noun: str, *, more: str = "") -> str:
    """A count with its noun in the right number; `more` stands between them.

    >>> counted(1, "claim"), counted(2, "claim"), counted(1200, "row", more="or more ")
    ('1 claim', '2 claims', '1,200 or more rows')
    """
    return f"{count:,} {more}{noun}{'' if count == 1 else 's'}"


def is_or_are(count: int) -> str:
    """The verb behind a count.

    >>> f"1 of the 2 {is_or_are(1)}", f"2 of the 3 {is_or_are(2)}"
    ('1 of the 2 is', '2 of the 3 are')
    """
    return "is" if count == 1 else "are"


def first_of(words: Sequence[str], most: int = 4, *, joined: str = ", ") -> str:
    """The first of some words, and how many more there are.

    >>> first_of(["a", "b"], 2), first_of(["a", "b", "c"], 1), first_of(["a", "b", "c"], 2, joined=" or ")
    ('a, b', 'a and 2 more', 'a or b and 1 more')
    """
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return joined.join(words[:most]) + more


def claims_state(count: int, which: str = "") -> str:
    """A number of claims as the subject of a sentence, with its verb.

    >>> claims_state(1), claims_state(2, " of something else")
    ('1 claim states', '2 claims of something else state')
    """
    return f"1 claim{which} states" if count == 1 else f"{count} claims{which} state"
