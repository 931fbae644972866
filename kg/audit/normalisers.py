"""What the figure of a claim is divided by: per chip, per watt, nothing at all."""

from kg.model.recorded import ClaimRecord


def normalisers(claim: ClaimRecord) -> frozenset[str]:
    """What a figure is divided by; empty when that is not stated."""
    given = claim.get("normaliser", "unstated")
    return frozenset(given if isinstance(given, list) else [given]) - {"unstated"}


def same_normaliser(one: ClaimRecord, other: ClaimRecord) -> bool:
    """Whether two figures are divided alike, as far as that is stated."""
    a, b = normalisers(one), normalisers(other)
    return not a or not b or a == b
