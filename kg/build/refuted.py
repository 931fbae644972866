"""Which claims a claim rests on or restates, and which findings of a unit refute a claim.

Takes records and the lines of units; used by `kg.build.deduction`, by loads and by the build on a cluster.
"""

from collections.abc import Iterator
from typing import Final

import orjson

from kg.audit.finding import read_finding
from kg.audit.objections import REFUTING, refutes
from kg.model.recorded import ClaimRecord

_REFUTING: Final = tuple(f'"code":"{one}'.encode() for one in REFUTING)
"""How a line begins to say that it refutes a claim."""


def refuting_lines(body: bytes) -> dict[str, list[bytes]]:
    """The lines of a unit that are findings which refute the claim that they are about, by that claim."""
    found: dict[str, list[bytes]] = {}
    # looked for in the bytes first: few units hold such a finding, and every input is asked for one
    if any(code in body for code in _REFUTING):
        for line in body.splitlines(keepends=True):
            record = orjson.loads(line)
            if record["record"] == "finding" and refutes(read_finding(record)):
                found.setdefault(record["claims"][0]["claim"], []).append(line)
    return found


def premises(record: ClaimRecord) -> Iterator[tuple[str, str | None]]:
    """The claims that a claim is computed from or rests on, each with its role where it has one."""
    for derivation in record.get("derivations") or ():
        for given in derivation["inputs"].values():
            if "claim" in given:
                yield given["claim"], given.get("role")


def said_again(record: ClaimRecord) -> Iterator[str]:
    """The claims that a claim restates: its twin in the same text, and what it relays unchanged or in other words."""
    if record.get("same_as"):
        yield record["same_as"]
    for one in record.get("restates") or ():
        if one.get("claim") and one.get("fidelity") in ("identical", "wording-altered"):
            yield one["claim"]
