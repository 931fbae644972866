"""Units: the smallest parts of the derived set that are kept and made again, with their text and the numbers they are found by.

A unit is what was concluded from one claim and what it links to, from one scope of claims judged together, the echo of one
claim, the advice on one claim, or the rows of one group of published results. Its text is the lines of its derived records.
"""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

import orjson

from kg.audit.advice import Advice, advice_record
from kg.audit.auditor import Own
from kg.audit.chains import Step, step_record
from kg.audit.finding import Finding
from kg.ledger.index import mark
from kg.model.derived_records import DerivedRecord, EchoRecord, MeasuredRecord, OriginsRecord
from kg.model.recorded import ClaimRecord


class DeductionUnit(NamedTuple):
    """The records of one unit as lines, the claims it is about with a doubt, and exact figures by finding."""

    body: bytes
    involved: frozenset[str] = frozenset()
    exact: bytes | None = None


EMPTY: Final = DeductionUnit(b"")


def measured_mark(group: str) -> int:
    """The unit of the rows that are computed in a group of published results."""
    return mark(f"measured|{group}")


def own_mark(claim: str) -> int:
    """The unit of what follows from a claim and what it links to."""
    return mark(f"own|{claim}")


def echo_mark(claim: str) -> int:
    """The unit of the echo of a claim."""
    return mark(f"echo|{claim}")


def advice_mark(claim: str) -> int:
    """The unit of the advice on a claim."""
    return mark(f"advice|{claim}")


def _lines(records: Iterable[DerivedRecord]) -> bytes:
    return b"".join(orjson.dumps(one, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE) for one in records)


def unit_of(
    findings: Collection[Finding],
    citations: Collection[Step] = (),
    derived: Collection[Step] = (),
    owner: str | None = None,
) -> DeductionUnit:
    """The unit of findings and steps; `owner` is the claim whose own unit it is."""
    if not findings and not citations and not derived:
        return EMPTY
    involved: set[str] = set()
    # Steps of the claim itself are written before those of its inputs, and look alike: the number says how many
    # are its own.
    exact: dict[str, int | str] = {"chains": len(citations)} if citations else {}
    for one in findings:
        # notes bear on no advice; listing their claims would make every load touch thousands of units
        if one.severity != "info":
            involved.update(name for name, _ in one.claims)
            if one.corrected is not None:
                exact[one.id] = str(one.corrected)
    # the owner is found by the name of its own unit
    involved.discard(owner or "")
    body = _lines([one.to_json() for one in findings] + [step_record(one) for one in (*citations, *derived)])
    return DeductionUnit(body, frozenset(involved), orjson.dumps(exact) if exact else None)


def own_unit(record: ClaimRecord, own: Own) -> DeductionUnit:
    """The unit of what follows from a claim and what it links to."""
    return unit_of(own.findings, own.citations, own.derived, record["id"])


def echo_units(records: Iterable[EchoRecord | OriginsRecord]) -> dict[str, DeductionUnit]:
    """The units of claims that are said more than once or belong to a cluster; a cluster is with its first claim."""
    found: dict[str, list[EchoRecord | OriginsRecord]] = {}
    for one in records:
        name = one["claim"] if one["record"] == "origins" else one["id"].removeprefix("echo/")
        found.setdefault(name, []).append(one)
    return {name: DeductionUnit(_lines(records)) for name, records in found.items()}


def measured_unit(rows: Iterable[MeasuredRecord]) -> DeductionUnit:
    """The unit of the rows that are computed from published results."""
    return DeductionUnit(_lines(rows))


def advice_unit(claim: str, advice: Advice) -> DeductionUnit:
    """The unit of the advice on a claim."""
    return DeductionUnit(_lines([advice_record(claim, advice)]))
