"""The curated claims in memory, audited in the sets that are judged together, so that one claim more or less is judged at once.

Used while claims are reviewed or added (`kg.build.reviewed`, `kg.build.adding`); nothing is written.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kg.audit.audit import AuditInput
from kg.audit.auditor import Auditor
from kg.audit.finding import Finding
from kg.audit.rules.part import finds
from kg.build.build import read_background
from kg.content.entities import Registry
from kg.content.folders import Content
from kg.content.vocabulary import Vocabulary
from kg.ledger.ledger import with_revision
from kg.model.derived import Deriver
from kg.model.recorded import ClaimRecord


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """What the audit says otherwise since a claim was accepted or taken back."""

    new: tuple[Finding, ...]
    gone: tuple[Finding, ...]


NO_DIFFERENCE: Final = AuditDifference((), ())


class TaggedClaim(NamedTuple):
    """A claim in a scope, and the tags it is judged there by."""

    record: ClaimRecord
    tags: frozenset[object]


@dataclass(slots=True)
class ReviewAudit:
    """The curated claims, audited in sets, so that one claim more is judged where it matters."""

    claims: dict[str, ClaimRecord]
    auditor: Auditor
    members: dict[str, dict[str, TaggedClaim]] = field(default_factory=lambda: defaultdict(dict))

    @classmethod
    def of(
        cls, content: Content, registry: Registry, vocabulary: Vocabulary, claims: Iterable[ClaimRecord]
    ) -> "ReviewAudit":
        """Sort the claims into the sets that are judged together."""
        held = {one["id"]: with_revision(one) for one in claims}
        made = cls(held, _auditor(content, registry, vocabulary, held))
        for record in held.values():
            made._join(record)
        return made

    def under(self, content: Content, registry: Registry, vocabulary: Vocabulary) -> "ReviewAudit":
        """The same claims under the registry as it is now."""
        auditor = _auditor(content, registry, vocabulary, self.claims)
        if auditor.moved(self.auditor.registry) is None:
            return self.of(content, registry, vocabulary, self.claims.values())
        # what is only added is in no set yet, and sorting all claims again was most of the first decision of a review
        return ReviewAudit(self.claims, auditor, self.members)

    def put(self, record: ClaimRecord) -> AuditDifference:
        """Add a claim: the findings that are new with it and those that are gone."""
        record = with_revision(record)
        names = {name for name, _ in self.auditor.scopes(record)}
        before = self._findings(names)
        self.claims[record["id"]] = record
        self.auditor.forget()
        self._join(record)
        # What follows from the claim and what it links to is found in none of the sets.
        after = {**self._findings(names), **{one.id: one for one in self.auditor.own(record).findings}}
        return _difference(before, after)

    def take(self, claim: str) -> AuditDifference:
        """Take a claim out again."""
        record = self.claims.get(claim)
        if record is None:
            return NO_DIFFERENCE
        names = {name for name, _ in self.auditor.scopes(record)}
        before = {**self._findings(names), **{one.id: one for one in self.auditor.own(record).findings}}
        del self.claims[claim]
        self.auditor.forget()
        for name in names:
            self.members[name].pop(claim, None)
        return _difference(before, self._findings(names))

    def _join(self, record: ClaimRecord) -> None:
        tags: dict[str, set[object]] = defaultdict(set)
        for name, tag in self.auditor.scopes(record):
            tags[name].add(tag)
        for name, some in tags.items():
            self.members[name][record["id"]] = TaggedClaim(record, frozenset(some))

    def _findings(self, names: Iterable[str]) -> dict[str, Finding]:
        found: dict[str, Finding] = {}
        for name in names:
            members = self.members.get(name, {})
            # of claims that do not differ in what a rule compares there is nothing to find, and it may find anything
            if finds({tag for one in members.values() for tag in one.tags}):
                judged = self.auditor.judge(name, [members[each].record for each in sorted(members)])
                found |= {one.id: one for one in judged}
        return found


def _auditor(
    content: Content, registry: Registry, vocabulary: Vocabulary, claims: Mapping[str, ClaimRecord]
) -> Auditor:
    background = read_background(content, vocabulary, registry)
    units, deriver = vocabulary.units, Deriver(vocabulary.units)
    return AuditInput(claims, registry.records, units, deriver, background.references, background.links).auditor()


def _difference(before: Mapping[str, Finding], after: Mapping[str, Finding]) -> AuditDifference:
    return AuditDifference(
        # a group that was at odds before keeps its id when a claim joins it
        tuple(after[name] for name in sorted(after) if after[name] != before.get(name)),
        tuple(before[name] for name in sorted(before) if before[name] != after.get(name)),
    )
