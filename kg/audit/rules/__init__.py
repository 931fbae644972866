"""Rules beyond arithmetic and pairs, one module a family: `PARTS` judge claims together, `ALONE` one claim by itself.

`kg.audit.auditor` asks which scopes a claim belongs to, and gives each rule the facts of one scope; findings come out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, get_args

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
from kg.audit.rules.facts import Facts, Sort, sort_of
from kg.audit.rules.part import Alone, AuditPart, Scope, is_looked_at
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
_SORTS: Final = get_args(Sort)
_PARTS_FOR: Final[dict[tuple[str, Sort], tuple[AuditPart, ...]]] = {
    (metric, sort): tuple(part for part in PARTS.values() if is_looked_at(part, metric, sort))
    for metric in (*_METRICS, "")
    for sort in _SORTS
}
"""The parts that look at claims of a metric and a sort; under the empty text those that look at any other metric.

Sorted out once, since every claim asks: a claim is looked at by a part of the rules.
"""
_ALONE_FOR: Final[dict[tuple[str, Sort], tuple[Alone, ...]]] = {
    (metric, sort): tuple(rule for rule in ALONE if is_looked_at(rule, metric, sort)) for metric, sort in _PARTS_FOR
}
"""The same of the rules that look at one claim."""


def scopes_of(facts: Facts, claim: ClaimRecord) -> Iterator[tuple[AuditPart, Scope]]:
    """Every scope in which a claim is judged with others."""
    sort = sort_of(claim)
    for part in _PARTS_FOR.get((claim["metric"], sort)) or _PARTS_FOR["", sort]:
        if not part.needs or part.needs in claim:
            for scope in part.scopes(facts, claim):
                yield part, scope


def alone(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """The findings of the rules that look at one claim and what it links to."""
    sort = sort_of(claim)
    for rule in _ALONE_FOR.get((claim["metric"], sort)) or _ALONE_FOR["", sort]:
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
