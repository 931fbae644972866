"""What every peer is asked, and the rows in which all answers are compared.

kg works out more than these rows (advice, findings, cards, dependents); its time holds all of that, as a user would wait.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from benchmarks.parts.world import COMMON, NAMES, PLANTED

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.model.units import UnitTable

Row = tuple[object, ...]
Question = "Callable[[Ask], list[Row]]"


def compare_rows(ask: "Ask") -> list[Row]:
    """Claims that compare two names: each with its direction, metric and both ends."""
    from kg.answers.compare import compare

    found = compare(ask, *NAMES)
    return [(one.id, one.orientation, one.metric, one.subject.id, one.baseline.id) for one in found.claims]


def trace_rows(ask: "Ask", claim: str) -> list[Row]:
    """The chain behind a claim, hop by hop."""
    from kg.answers.trace import trace_claim

    return [(hop.via, hop.hop, hop.reached) for one in trace_claim(ask, claim).claims for hop in one.chain]


def number_rows(ask: "Ask", units: "UnitTable") -> list[Row]:
    """The claims that print the planted figure, traced in full."""
    from kg.answers.trace import trace_number

    return [
        (one.claim.id, one.match.kind if one.match else None)
        for one in trace_number(ask, f"{PLANTED:.0f}", units).claims
    ]


def value_rows(ask: "Ask", units: "UnitTable", text: str = COMMON) -> list[Row]:
    """All claims that print a figure within half a percent: the question behind `kg trace NUMBER`, and no more."""
    from kg.answers.asking import Asker, number
    from kg.answers.number import digits_differ, read_asked

    reading, found = read_asked(text, units), []
    for row in Asker(ask).rows("trace/number", bucket=reading.buckets()):
        value = number(row, "value")
        if value is not None and digits_differ(reading, value) is not None:
            found.append((row["claim"], value))
    return list(dict.fromkeys(found))


def questions(claim: str, units: "UnitTable") -> "Mapping[str, Callable[[Ask], list[Row]]]":
    """All of them by name."""
    found: dict[str, Callable[[Any], list[Row]]] = {
        "compare": compare_rows,
        "number": lambda ask: number_rows(ask, units),
        "value": lambda ask: value_rows(ask, units),
    }
    if claim:
        found["trace"] = lambda ask: trace_rows(ask, claim)
    return found
