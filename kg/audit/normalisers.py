"""What the figure of a claim is divided by: per chip, per watt, nothing at all."""

from functools import cache

from kg.model.recorded import ClaimRecord


def normalisers(claim: ClaimRecord) -> frozenset[str]:
    """What a figure is divided by; empty when that is not stated."""
    given = claim.get("normaliser", "unstated")
    return _stated(*given) if isinstance(given, list) else _stated(given)


@cache  # rules ask it of each claim, and there are few
def _stated(*names: str) -> frozenset[str]:
    return frozenset(names) - {"unstated"}


def same_normaliser(one: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether two figures are divided alike, as far as that is stated."""
    a, b = normalisers(one), normalisers(other)
    return not a or not b or a == b
