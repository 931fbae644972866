"""Rules beyond arithmetic and pairs, one module a family: each is a function from facts to findings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules import (
    cards,
    chronology,
    direction,
    gap,
    identity,
    naming,
    opposition,
    plausibility,
    ranges,
    units,
    whole,
)  # fmt: skip
from kg.audit.rules.facts import Facts, Json
from kg.model.derived import Deriver
from kg.model.reference import References

RULES: Final = (units, plausibility, cards, chronology, naming, gap, whole, identity, direction, opposition, ranges)


def rule_findings(
    claims: Iterable[Json], registry: Mapping[str, Json], deriver: Deriver, references: References, arithmetic: Iterable[Finding] = (),
) -> Iterator[Finding]:  # fmt: skip
    """All findings of all rules; each has an id of its own.

    `claims` are whole records, `registry` entities and sources by id, `arithmetic` the findings on derivations, whose
    corrected values a directional statement is held against.
    """
    facts = Facts.of(claims, registry, deriver, references, arithmetic)
    taken: dict[str, int] = {}
    for rule in RULES:
        for finding in rule.findings(facts):
            seen = taken[finding.id] = taken.get(finding.id, 0) + 1
            yield finding if seen == 1 else _renumbered(finding, seen)


def _renumbered(finding: Finding, number: int) -> Finding:
    return replace(finding, key=f"{finding.key}-{number}")
