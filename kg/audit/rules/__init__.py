"""Rules beyond arithmetic and pairs, one module a family: `PARTS` judge claims together, `ALONE` one claim by itself.

`kg.audit.auditor` asks which scopes a claim belongs to, and gives each rule the facts of one scope; findings come out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules import (
    bounds,
    cards,
    chronology,
    data_sheets,
    denial,
    direction,
    entries,
    formats,
    gains,
    gap,
    grounds,
    headlines,
    identity,
    jumps,
    misplaced,
    multiples,
    naming,
    opposition,
    plausibility,
    prices,
    products,
    ranges,
    relief,
    speakers,
    tenfold,
    units,
    whole,
)
from kg.audit.rules.facts import Facts
from kg.audit.rules.part import Alone, AuditPart, Scope
from kg.model.recorded import ClaimRecord

# The order shows: two findings of one code on one claim are distinguished by a number in their ids, in this order.
RULES: Final = (
    units,
    entries,
    formats,
    jumps,
    bounds,
    plausibility,
    prices,
    tenfold,
    cards,
    data_sheets,
    misplaced,
    chronology,
    naming,
    gains,
    multiples,
    products,
    headlines,
    gap,
    whole,
    identity,
    direction,
    grounds,
    opposition,
    denial,
    ranges,
    relief,
    speakers,
)
PARTS: Final[dict[str, AuditPart]] = {part.name: part for rule in RULES for part in rule.PARTS}
"""By name, with which the names of scopes begin (`kg.audit.auditor`)."""
ALONE: Final[tuple[Alone, ...]] = tuple(alone for rule in RULES for alone in rule.ALONE)

_METRICS: Final = frozenset(name for part in PARTS.values() for name in part.metrics) | frozenset(
    name for alone in ALONE for name in alone.metrics
)
_FOR: Final[dict[str, tuple[tuple[AuditPart, ...], tuple[Alone, ...]]]] = {
    metric: (
        tuple(part for part in PARTS.values() if not part.metrics or metric in part.metrics),
        tuple(alone for alone in ALONE if not alone.metrics or metric in alone.metrics),
    )
    for metric in (*_METRICS, "")
}
"""The parts that look at claims of a metric; under the empty text those that look at any other.

Sorted out once, since every claim asks: a metric is looked at by a part of the rules.
"""


def scopes_of(facts: Facts, claim: ClaimRecord) -> Iterator[tuple[AuditPart, Scope]]:
    """Every scope in which a claim is judged with others."""
    for part in (_FOR.get(claim["metric"]) or _FOR[""])[0]:
        for scope in part.scopes(facts, claim):
            yield part, scope


def alone(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """The findings of the rules that look at one claim and what it links to."""
    for rule in (_FOR.get(claim["metric"]) or _FOR[""])[1]:
        if not rule.needs or rule.needs in claim:
            yield from rule.findings(facts, claim)


def judged(part: AuditPart, scope: str, facts: Facts, claims: Iterable[ClaimRecord]) -> Iterator[Finding]:
    """The findings of one part on one whole scope, each with an id of its own."""
    # sorted, because `numbered` counts equal ids in this order, which must not be that of loading
    found = part.findings(facts.within(sorted(claims, key=_by_id)))
    yield from numbered(one for one in found if part.owns is None or part.owns(one, scope))


def _by_id(claim: ClaimRecord) -> str:
    return str(claim["id"])


def numbered(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings whose ids are distinguished by a number where rules found the same twice."""
    taken: dict[str, int] = {}
    for finding in findings:
        seen = taken[finding.id] = taken.get(finding.id, 0) + 1
        yield finding if seen == 1 else replace(finding, key=f"{finding.key}-{seen}")
