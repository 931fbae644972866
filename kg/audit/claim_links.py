"""What a claim leads to by its own fields: what it is computed from, what it rests on, what it repeats."""

from collections.abc import Callable, Iterator

from kg.audit.derivation import RESTS_ON
from kg.model.recorded import ClaimRecord

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


def repeated(record: ClaimRecord) -> Iterator[str]:
    """The claims that a claim repeats, its twin in the same text last."""
    for one in record.get("restates") or ():
        if one.get("claim"):
            yield one["claim"]
    if record.get("same_as"):
        yield record["same_as"]
