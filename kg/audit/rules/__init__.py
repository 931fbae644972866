"""Rules beyond arithmetic and pairs, one module a family: each declares its parts, from facts to findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules import (
    bounds,
    cards,
    chronology,
    direction,
    entries,
    gap,
    identity,
    jumps,
    naming,
    opposition,
    plausibility,
    ranges,
    units,
    whole,
)  # fmt: skip
from kg.audit.rules.facts import Facts, Json
from kg.audit.rules.part import ALWAYS, Alone, Part, Scope
from kg.model.derived import Deriver
from kg.model.reference import References

RULES: Final = (
    units,
    entries,
    jumps,
    bounds,
    plausibility,
    cards,
    chronology,
    naming,
    gap,
    whole,
    identity,
    direction,
    opposition,
    ranges,
)
PARTS: Final[tuple[Part, ...]] = tuple(part for rule in RULES for part in rule.PARTS)
ALONE: Final[tuple[Alone, ...]] = tuple(alone for rule in RULES for alone in rule.ALONE)

_METRICS: Final = frozenset(name for part in PARTS for name in part.metrics) | frozenset(
    name for alone in ALONE for name in alone.metrics
)
_FOR: Final[dict[str, tuple[tuple[Part, ...], tuple[Alone, ...]]]] = {
    metric: (
        tuple(part for part in PARTS if not part.metrics or metric in part.metrics),
        tuple(alone for alone in ALONE if not alone.metrics or metric in alone.metrics),
    )
    for metric in (*_METRICS, "")
}
"""The parts that look at claims of a metric; under the empty text those that look at any other."""


def scopes_of(facts: Facts, claim: Json) -> Iterator[tuple[Part, Scope]]:
    """Every scope in which a claim is judged with others."""
    for part in (_FOR.get(claim["metric"]) or _FOR[""])[0]:
        for scope in part.scopes(facts, claim):
            yield part, scope


def alone(facts: Facts, claim: Json) -> Iterator[Finding]:
    """The findings of the rules that look at one claim and what it links to."""
    for rule in (_FOR.get(claim["metric"]) or _FOR[""])[1]:
        if not rule.needs or rule.needs in claim:
            yield from rule.findings(facts, claim)


def judged(part: Part, scope: str, facts: Facts, claims: Iterable[Json]) -> Iterator[Finding]:
    """The findings of one part on one whole scope, each with an id of its own."""
    found = part.findings(facts.within(sorted(claims, key=_by_id)))
    yield from numbered(one for one in found if part.owns is None or part.owns(one, scope))


def _by_id(claim: Json) -> str:
    return str(claim["id"])


def numbered(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings whose ids are told apart by a number where rules found the same twice."""
    taken: dict[str, int] = {}
    for finding in findings:
        seen = taken[finding.id] = taken.get(finding.id, 0) + 1
        yield finding if seen == 1 else replace(finding, key=f"{finding.key}-{seen}")


class Scopes:
    """Collects the claims of every scope, and gives those in which something can be found."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._claims: dict[tuple[Part, str], list[Json]] = {}
        self._tags: dict[tuple[Part, str], object] = {}

    def add(self, claim: Json) -> None:
        """Put a claim into its scopes."""
        for part, (name, tag) in scopes_of(self._facts, claim):
            key = (part, name)
            held = self._claims.get(key)
            if held is None:
                self._claims[key], self._tags[key] = [claim], tag
                continue
            if held[-1] is not claim:
                held.append(claim)
            if self._tags[key] is not ALWAYS and (tag is ALWAYS or tag != self._tags[key]):
                self._tags[key] = ALWAYS

    def findings(self) -> Iterator[Finding]:
        """The findings of all scopes."""
        for (part, name), claims in self._claims.items():
            if self._tags[part, name] is ALWAYS:
                yield from judged(part, name, self._facts, claims)


def rule_findings(
    claims: Iterable[Json], registry: Mapping[str, Json], deriver: Deriver, references: References,
    arithmetic: Iterable[Finding] = (), lookup: Callable[[str], Json | None] | None = None,
) -> Iterator[Finding]:  # fmt: skip
    """All findings of all rules; each has an id of its own.

    `claims` are whole records, `registry` entities and sources by id, `arithmetic` the findings on derivations, whose
    corrected values a directional statement is held against.
    """
    if lookup is None:
        known = {claim["id"]: claim for claim in claims}
        claims, lookup = known.values(), known.get
    facts = Facts(registry, deriver, references, lookup, corrected_values(arithmetic).get)
    scopes = Scopes(facts)
    for claim in claims:
        scopes.add(claim)
        yield from numbered(alone(facts, claim))
    yield from scopes.findings()


def corrected_values(arithmetic: Iterable[Finding]) -> dict[str, Fraction]:
    """What figures are once their derivations are put right, by claim."""
    return {
        one.claim: one.corrected for one in arithmetic if one.verdict == "inconsistent" and one.corrected is not None
    }
