"""The whole audit of a set of claims: findings of every rule, chains, echo clusters, and the advice on each claim.

A pure function of claims, registry, unit table, references and recorded source links.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kg.audit.advice import Advice, advise
from kg.audit.chains import Step, Texts, citation_steps, derivation_steps
from kg.audit.citation import CitationAudit
from kg.audit.conflicts import conflict_findings
from kg.audit.echoes import mention
from kg.audit.finding import Finding
from kg.audit.links import link_findings
from kg.audit.origins import Echoes
from kg.audit.recompute import DerivationAudit, surroundings
from kg.audit.rules import rule_findings
from kg.model.derived import Deriver
from kg.model.names import descendants
from kg.model.reference import References
from kg.model.units import UnitTable

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AuditInput:
    """What an audit looks at."""

    claims: Mapping[str, Json]
    registry: Mapping[str, Json]
    """Entities and sources by id."""
    units: UnitTable
    deriver: Deriver
    references: References
    links: tuple[Json, ...] = ()
    """The source links of the texts (`kg.content.citations`)."""

    @property
    def sources(self) -> dict[str, Json]:
        """The sources of the registry."""
        return {name: one for name, one in self.registry.items() if one["record"] == "source"}

    @property
    def agents(self) -> frozenset[str]:
        """The agents that are programs."""
        return frozenset(name for name, one in self.registry.items() if one.get("kind") == "software-agent")


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit found."""

    findings: tuple[Finding, ...]
    citations: tuple[Step, ...]
    derivations: tuple[Step, ...]
    echoes: Echoes

    @property
    def steps(self) -> Iterator[Step]:
        """All steps of all chains."""
        yield from self.citations
        yield from self.derivations


def audit(given: AuditInput) -> Audited:
    """Run every rule. The findings come sorted by id, so that the order of the claims does not show."""
    claims, registry = given.claims, given.registry
    recompute = DerivationAudit(given.units, claims.get, surroundings(registry))
    arithmetic = list(recompute.findings(claims.values()))
    sources, agents = given.sources, given.agents
    texts = Texts(sources, agents)
    citations = tuple(citation_steps(claims, sources, agents))
    derived = tuple(derivation_steps(claims, texts, claims))
    relayed = CitationAudit(claims.get, given.deriver.canonical, descendants(registry))
    findings = [
        *arithmetic,
        *conflict_findings(claims, registry, given.deriver),
        *relayed.findings(claims.values(), citations),
        *link_findings(given.links, claims.values()),
        *rule_findings(claims.values(), registry, given.deriver, given.references, arithmetic),
    ]
    mentions = []
    for record in claims.values():
        keys = given.deriver.keys(record)
        mentions.append(mention(record, keys.statement, keys.canonical, texts))
    return Audited(tuple(sorted(findings, key=lambda one: one.id)), citations, derived, Echoes.of(mentions))


def advice_of(given: AuditInput, found: Audited) -> Iterator[tuple[str, Advice]]:
    """The advice on every claim, in the order of the claims."""
    findings, chains, below = _by_claim(found)
    texts = Texts(given.sources, given.agents)
    for name, record in given.claims.items():
        yield name, advise(
            record, findings=findings.get(name, ()), bad_below=below.get(name, ()), steps=chains.get(name, ()),
            machine_written=texts.is_machine(record), units=given.units,
        )  # fmt: skip


def _by_claim(found: Audited) -> tuple[dict[str, list[Finding]], dict[str, list[Step]], dict[str, list[str]]]:
    findings: dict[str, list[Finding]] = {}
    for one in found.findings:
        for claim in dict.fromkeys(name for name, _ in one.claims):
            findings.setdefault(claim, []).append(one)
    bad = {one.claim for one in found.findings if one.code == "arithmetic.inconsistent" and not one.is_excused}
    below: dict[str, list[str]] = {}
    for step in found.derivations:
        if step.reaches in bad:
            below.setdefault(step.claim, []).append(step.reaches)
    chains: dict[str, list[Step]] = {}
    for step in found.citations:
        chains.setdefault(step.claim, []).append(step)
    return findings, chains, below
