"""Value buckets: how a store finds "about this number" by equality alone."""

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
