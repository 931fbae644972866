"""Which findings of a unit refute a claim, and what a claim says again.

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


def said_again(record: ClaimRecord) -> Iterator[str]:
    """The claims that a claim restates: its twin in the same text, and what it relays unchanged or in other words."""
    if record.get("same_as"):
        yield record["same_as"]
    for one in record.get("restates") or ():
        if one.get("claim") and one.get("fidelity") in ("identical", "wording-altered"):
            yield one["claim"]
