"""The audit in pieces: what is concluded from one claim and what it links to, and from each set of claims judged together.

In go claims, by a lookup, and the registry; out come findings and steps. `kg.audit.audit` runs every piece, a build
(`kg.build.deduction`) only those that a change can reach. Every piece is a pure function of the claims named by its scope,
of what they link to, and of the registry, so that the result is the same as that of judging everything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

from kg.audit.chains import Step, Texts, citation_steps, derivation_steps
from kg.audit.citation import CitationAudit
from kg.audit.claim_links import Lookup
from kg.audit.conflicts import ConflictAudit
from kg.audit.echoes import Mention, mention, value_of
from kg.audit.fidelity import Fields
from kg.audit.finding import Finding
from kg.audit.links import link_findings
from kg.audit.recompute import DerivationAudit
from kg.audit.rules import PARTS, alone, cards, judged, numbered, scopes_of
from kg.audit.rules.facts import Facts
from kg.audit.rules.naming import MODELS
from kg.audit.rules.part import ALWAYS
from kg.audit.surroundings import surroundings
from kg.model.derived import Deriver, Keys
from kg.model.names import descendants, name_key
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.reference import References
from kg.model.remembered import Remembered
from kg.model.source_links import CitationLinks
from kg.model.units import UnitTable

CONFLICT: Final = "conflict"
LINKS: Final = "links"
_CITING: Final = frozenset({"restates", "same_as", "path"})
_NAMING_CLAIMS: Final = frozenset({"derivations", "restates", "same_as"})
_LINKING: Final = _CITING | _NAMING_CLAIMS
"""Fields of a claim that lead to others: it is judged once those are known."""
_REFUTED: Final = ("input-refuted", "inconsistent")
"""Verdicts of a figure that is another one once its derivation, or what goes into it, is put right."""
_DATING: Final = frozenset({"published", "published_basis", "revision", "supersedes"})
"""Fields of a source that say when it was published, and what changes with them."""
_PROCESSOR_METRICS: Final = ("architecture", "component-count")


class Own(NamedTuple):
    """What is concluded from one claim and what it links to."""

    findings: tuple[Finding, ...] = ()
    citations: tuple[Step, ...] = ()
    derived: tuple[Step, ...] = ()


NOTHING: Final = Own()


@dataclass(slots=True)
class Auditor:
    """Judges pieces; `lookup` gives the record of any claim."""

    registry: Mapping[str, ThingRecord]
    """Entities and sources by id, sorted by id."""
    units: UnitTable
    deriver: Deriver
    references: References
    lists: Mapping[str, Sequence[CitationLinks]]
    """The recorded source links by the text they appear in."""
    lookup: Lookup
    texts: Texts = field(init=False)
    _facts: Facts = field(init=False)
    _conflicts: ConflictAudit = field(init=False)
    _arithmetic: DerivationAudit = field(init=False)
    _citations: CitationAudit = field(init=False)
    _corrected: Remembered[str, Fraction | None] = field(init=False, default_factory=partial(Remembered, 1 << 16))
    _ahead: Remembered[str, list[Finding]] = field(init=False, default_factory=Remembered)
    """The arithmetic of claims that were asked for their right figure before they were judged themselves."""

    def __post_init__(self) -> None:
        self.texts = Texts.of(self.registry)
        self._facts = Facts(self.registry, self.deriver, self.references, self.lookup, self.corrected)
        self._conflicts = ConflictAudit(
            self.registry, self.deriver, self.lookup, is_total=partial(cards.is_total, self._facts)
        )
        self._arithmetic = DerivationAudit(self.units, self.lookup, surroundings(self.registry))
        fields = Fields(self.deriver.canonical, descendants(self.registry), self._facts.label)
        self._citations = CitationAudit(self.lookup, fields)

    # --- where a claim belongs

    def scopes(self, record: ClaimRecord) -> Iterator[tuple[str, object]]:
        """The scopes a claim is judged in, each with a tag: where all tags of a scope are one, nothing is to be found."""
        group = self._conflicts.key(record)
        if group is not None:
            yield f"{CONFLICT}|{group}", _conflict_tag(record)
        for part, (name, tag) in scopes_of(self._facts, record):
            yield f"{part.name}|{name}", tag
        if record["source"] in self.lists and record.get("restates"):
            # only claims with a source behind them get a role in a finding on a link
            yield f"{LINKS}|{record['source']}", ALWAYS

    def judge(self, name: str, claims: Sequence[ClaimRecord]) -> list[Finding]:
        """The findings of a whole scope, without those of the claims alone."""
        kind, _, rest = name.partition("|")
        if kind == CONFLICT:
            return list(self._conflicts.group(claims))
        if kind == LINKS:
            return list(link_findings(self.lists.get(rest, ()), claims))
        return list(judged(PARTS[kind], rest, self._facts, claims))

    def hangs_on(self, record: ClaimRecord) -> Iterator[str]:
        """The parts of the registry that a claim is judged by and does not name, as keys; `moved` gives those that changed."""
        if record.get("derivations"):
            yield f"node|{record['subject']}"
        if record.get("subject_printed") is not None and self._facts.kind(record["subject"]) in MODELS:
            # `naming.maker` compares the printed name with names of makers, which
            # may be in the registry only later
            yield f"maker|{name_key(record['subject_printed']).partition(' ')[0]}"
        if record["metric"] in _PROCESSOR_METRICS:
            yield "processors"

    def moved(self, before: Mapping[str, ThingRecord]) -> set[str] | None:
        """The keys of `hangs_on` under which something was added since an earlier registry; None where anything else changed."""
        # rules look at any entity they meet: a changed one may bear on every claim, an added one on few
        changed = {name for name, one in before.items() if self.registry.get(name) != one}
        if changed.difference(self.redated(before)):
            return None
        found: set[str] = set()
        old, new = surroundings(before), self._arithmetic.around
        found.update(f"node|{name}" for name in new if old.get(name) != new[name])
        added = [one for name, one in self.registry.items() if name not in before]
        for one in added:
            if one.get("kind") in ("vendor", "organisation"):
                texts = (one["label"], *one.get("aliases", ()))
                found.update(f"maker|{name_key(text).partition(' ')[0]}" for text in texts)
            if one.get("kind") == "cpu" or one.get("parts"):
                found.add("processors")
        return found

    def redated(self, before: Mapping[str, ThingRecord]) -> list[str]:
        """The sources that differ from an earlier registry in the day they were published and in nothing else.

        A day decides which of the claims that repeat one another comes first (`Mention.place`); no rule reads it.
        """
        return [
            name
            for name, old in before.items()
            if old["record"] == "source"
            # whether an unresolved source has a day at all is judged (`gap.unresolved-source`)
            and old.get("kind") != "unresolved-source"
            and (new := self.registry.get(name)) is not None
            and new != old
            and all(old.get(key) == new.get(key) for key in (old.keys() | new.keys()) - _DATING)
        ]

    def said(self, keys: Keys, record: ClaimRecord) -> str | None:
        """A key that two claims share where they say the same of the same; None where a claim has nothing to share."""
        value = value_of(record, keys.canonical)
        return None if value is None else f"{keys.statement}|{value!r}"

    def mention(self, record: ClaimRecord, keys: Keys | None = None) -> Mention:
        """What counting origins needs of a claim."""
        keys = keys or self.deriver.keys(record)
        return mention(record, keys.statement, keys.canonical, self.texts)

    # --- what is concluded

    def own(self, record: ClaimRecord) -> Own:
        """What is concluded from a claim and what it links to: its findings, and its chains hop by hop."""
        findings, cited = self.findings(record)
        derived: tuple[Step, ...] = ()
        # a path names texts and no claims: nothing leads on from it
        if not _NAMING_CLAIMS.isdisjoint(record):
            known = {step.key for step in cited}  # a hop that is met on both ways has its end from the citation
            steps = derivation_steps(record, self.lookup, self.texts)
            derived = tuple(one for one in steps if one.key not in known)
        return Own(tuple(findings), cited, derived) if findings or cited or derived else NOTHING

    def findings(self, record: ClaimRecord) -> tuple[list[Finding], tuple[Step, ...]]:
        """Arithmetic, fidelity, rules for single claims; with the steps of what the claim repeats, which are judged too."""
        findings: list[Finding] = []
        cited: tuple[Step, ...] = ()
        if "derivations" in record:
            ahead = self._ahead.pop(record["id"], None)
            findings.extend(self.arithmetic(record) if ahead is None else ahead)
        if not _CITING.isdisjoint(record):
            cited = tuple(citation_steps(record, self.lookup, self.texts))
            if cited or "restates" in record:
                findings.extend(self._citations.findings((record,), cited))
        findings.extend(numbered(alone(self._facts, record)))
        return findings, cited

    @staticmethod
    def has_own(record: ClaimRecord) -> bool:
        """Whether `own` looks at anything in addition to the claim: what it links to."""
        return not _LINKING.isdisjoint(record)

    def arithmetic(self, record: ClaimRecord) -> list[Finding]:
        """The findings on the derivations of a claim."""
        found = list(self._arithmetic.findings((record,)))
        right = [one.corrected for one in found if one.verdict in _REFUTED and one.corrected is not None]
        self._corrected[record["id"]] = right[-1] if right else None
        return found

    def put_right(
        self, record: ClaimRecord, corrections: Mapping[str, Fraction | None]
    ) -> tuple[Fraction | None, str | None]:
        """What the inputs of a claim give with some of them put right, and its unit; None where they give nothing."""
        return self._arithmetic.put_right(record, corrections)

    def forget(self) -> None:
        """Drop what was computed from claims, once `lookup` gives changed ones."""
        self._corrected.clear()
        self._ahead.clear()
        self._arithmetic.forget()

    def corrected(self, name: str) -> Fraction | None:
        """What the figure of a claim is once its derivation is put right."""
        if name not in self._corrected:
            record = self.lookup(name)
            if record is None or "derivations" not in record:
                return None
            self._ahead[name] = self.arithmetic(record)
        return self._corrected[name]


def _conflict_tag(record: ClaimRecord) -> object:
    """The tag of a claim in its conflict group: claims with one tag say one figure in one voice and cannot be at odds."""
    if "restates" in record or "same_as" in record:
        return ALWAYS
    quantity = record["quantity"]
    # terms and dates are compared by kinship and span, which no tag
    # can hold: each claim has its own
    value = quantity.get("value")
    if value is None:
        return record["id"]
    return (
        record["asserted_by"],
        record["source"],
        quantity.get("printed"),
        tuple(value) if isinstance(value, list) else value,
        quantity.get("unit"),
        quantity.get("hedge"),
        quantity.get("exact", False),
        quantity.get("shape"),
        record.get("relation", "absolute"),
    )


def by_text(lists: Iterable[CitationLinks]) -> dict[str, list[CitationLinks]]:
    """Recorded source links by the text they appear in."""
    found: dict[str, list[CitationLinks]] = {}
    for one in lists:
        found.setdefault(one["source"], []).append(one)
    return found
