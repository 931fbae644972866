"""What a claim leads to by its own fields: what it is computed from, what it rests on, what it repeats."""

from collections.abc import Callable, Iterator

from kg.audit.derivation import RESTS_ON
from kg.model.expression import Expression, ExpressionError, ExpressionName
from kg.model.recorded import ClaimRecord, DerivationRecord

Lookup = Callable[[str], ClaimRecord | None]
"""Gives the record of a claim by id; None where nobody has it."""


def premises(record: ClaimRecord) -> Iterator[tuple[str, str | None]]:
    """The claims that a claim is computed from or rests on, each with its role where it has one."""
    for derivation in record.get("derivations") or ():
        for given in derivation["inputs"].values():
            if "claim" in given:
                yield given["claim"], given.get("role")


def grounds(record: ClaimRecord) -> Iterator[str]:
    """The claims that a conclusion rests on; one that it overrules is none of them, so that its fall changes nothing."""
    for derivation in record.get("derivations") or ():
        for given in derivation["inputs"].values() if derivation["expression"] == RESTS_ON else ():
            if "claim" in given and given.get("role") != "contradicting":
                yield given["claim"]


def divided(derivation: DerivationRecord, lookup: Lookup) -> tuple[ClaimRecord, ClaimRecord] | None:
    """The claims on both sides of a derivation that is a plain quotient of two of them; None for any other."""
    try:
        quotient = Expression.parse(derivation["expression"]).as_quotient() or ()
    except ExpressionError:
        return None  # a ledger may hold what a load refuses by now; `kg.audit.recompute` says what is wrong with it
    # names alone: a product such as total / count on either side brings another claim in
    names = [part.name for part in quotient if isinstance(part, ExpressionName)]
    inputs = [derivation["inputs"].get(name) or {} for name in names]
    rows = [row for one in inputs if "claim" in one and (row := lookup(one["claim"])) is not None]
    return (rows[0], rows[1]) if len(rows) == 2 else None


def repeated(record: ClaimRecord) -> Iterator[str]:
    """The claims that a claim repeats, its twin in the same text last."""
    for one in record.get("restates") or ():
        if one.get("claim"):
            yield one["claim"]
    if record.get("same_as"):
        yield record["same_as"]
