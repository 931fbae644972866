"""The audit of a set of claims at once: every scope of the one engine (`kg.audit.auditor`), with nothing kept between."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kg.audit.auditor import LINKS, Auditor, by_text
from kg.audit.finding import Finding
from kg.audit.rules.part import ALWAYS, finds
from kg.model.derived import Deriver
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.reference import References
from kg.model.source_links import CitationLinks
from kg.model.units import UnitTable


@dataclass(frozen=True, slots=True)
class AuditInput:
    """What an audit looks at."""

    claims: Mapping[str, ClaimRecord]
    registry: Mapping[str, ThingRecord]
    """Entities and sources by id."""
    units: UnitTable
    deriver: Deriver
    references: References
    links: tuple[CitationLinks, ...] = ()
    """The source links of the texts (`kg.content.citations`)."""

    def auditor(self) -> Auditor:
        """The engine over these claims."""
        # Facts.wholes lists things in the order of the registry: sorted, so that the
        # order of loading does not show.
        registry = dict(sorted(self.registry.items()))
        return Auditor(registry, self.units, self.deriver, self.references, by_text(self.links), self.claims.get)


def audit(given: AuditInput) -> tuple[Finding, ...]:
    """Run every rule. The findings come sorted by id, so that the order of the claims does not show."""
    auditor = given.auditor()
    findings = [finding for record in given.claims.values() for finding in auditor.findings(record)[0]]
    for name, members in _scopes(auditor, given.claims):
        findings.extend(auditor.judge(name, members))
    return tuple(sorted(findings, key=lambda one: one.id))


def _scopes(auditor: Auditor, claims: Mapping[str, ClaimRecord]) -> Iterator[tuple[str, list[ClaimRecord]]]:
    """The scopes in which something can be found, each with its claims sorted by id.

    Of source links there is something to find even where no claim relies on them.
    """
    # by id: a claim may be in a scope for two reasons
    scopes: dict[str, tuple[set[object], dict[str, ClaimRecord]]] = {
        f"{LINKS}|{text}": ({ALWAYS}, {}) for text in auditor.lists
    }
    for name, record in claims.items():
        for scope, tag in auditor.scopes(record):
            known = scopes.get(scope)
            if known is None:
                scopes[scope] = {tag}, {name: record}
            else:
                known[0].add(tag)
                known[1][name] = record
    for scope, (tags, members) in scopes.items():
        if finds(tags):
            yield scope, [members[name] for name in sorted(members)]
