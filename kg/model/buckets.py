"""Buckets: how a store finds "about this number", and "printed just so", by equality alone."""

import re
from math import floor, log

_WIDTH = log(1.01)


def bucket(value: float) -> str:
    """The bucket of a value: neighbours differ by 1 %, so what lies within 0.5 % lies in the same or the next one.

    >>> bucket(72428), bucket(72430), bucket(0), bucket(-3)
    ('1124', '1124', 'zero', '-110')
    """
    if value == 0:
        return "zero"
    return f"{'-' if value < 0 else ''}{floor(log(abs(value)) / _WIDTH)}"


def near_buckets(value: float) -> tuple[str, ...]:
    """The buckets in which every value within 0.5 % of this one lies.

    >>> near_buckets(72428)
    ('1123', '1124', '1125')
    """
    if value == 0:
        return ("zero",)
    middle = floor(log(abs(value)) / _WIDTH)
    return tuple(f"{'-' if value < 0 else ''}{middle + step}" for step in (-1, 0, 1))


# Meets "72,428" and "-1.5e3"; not "$3", "3k" or "7,24", whose value is not in their
# letters.
_PLAIN = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
# Meets white space and the comma of "1,960", not that of "7,24".
_BLANK = re.compile(r"\s+|(?<=\d),(?=\d{3}(?!\d))")


def print_key(text: str) -> str:
    r"""A print without what does not change it: blanks, case, commas that group digits.

    >>> print_key("60K  RMB"), print_key("72,428"), print_key("tens or\nhundreds")
    ('60krmb', '72428', 'tensorhundreds')
    """
    return _BLANK.sub("", text).casefold()


def print_bucket(text: str, values: tuple[float, ...] = ()) -> str | None:
    """The bucket of a print that its value does not find: words, or digits that need reading; None for plain digits.

    >>> print_bucket("$1.95", (1.95,)), print_bucket("1,960", (1960.0,)), print_bucket("3", (3000.0,))
    ('print:$1.95', None, 'print:3')
    """
    # The value leads to such a print already: a bucket of its own would say the same.
    if values and _PLAIN.fullmatch(text) and float(text.replace(",", "")) in values:
        return None
    return f"print:{print_key(text)}"
