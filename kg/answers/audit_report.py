"""An audit of the whole graph or a part: what the saved questions tell, the calculations behind it, and the state of the texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.__about__ import RULES_VERSION
from kg.answers.asking import Asker, Row, plain, said, text
from kg.answers.audit import SEVERITIES, Judged, audit
from kg.answers.calculation import Calculation, calculations
from kg.answers.findings import FindingCard, find_findings
from kg.errors import UsageError
from kg.ledger.ledger import Ledger
from kg.model.result import Displayed, Net, Table, brief, presenter

if TYPE_CHECKING:
    from kg.answers.published import Restriction
    from kg.answers.referent import Scope
    from kg.ask.opened import Opened
    from kg.content.baseline import Accepted
    from kg.content.coverage import Coverage
    from kg.content.documents import Document


@dataclass(frozen=True, slots=True)
class TextState:
    """A text of a source: attached or not, and what became of its numerals where it is."""

    source: str
    document: str
    attached: bool
    numerals: int | None = None
    captured: int | None = None
    ignored: int | None = None
    left_over: int | None = None


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """The findings against a baseline."""

    accepted: tuple[str, ...]
    new: tuple[str, ...]
    stale: tuple[str, ...]
    """Entries of the baseline that no longer occur."""


@dataclass(frozen=True, slots=True, repr=False)
class AuditReport(Displayed):
    """Everything an audit says."""

    judged: Judged
    calculations: Mapping[str, Calculation]
    texts: tuple[TextState, ...]
    is_current: bool
    """Whether the findings were made from the ledger as it is, by the rules of this version."""
    compared: BaselineComparison | None
    violations: tuple[str, ...]
    """All violations in scope, regardless of which severities are shown."""
    occurring: tuple[str, ...]
    """All violations and warnings in scope: what a baseline can accept."""

    def failing(self, severity: str = "violation") -> tuple[str, ...]:
        """The findings that count from this severity on: all in scope, or with a baseline the new ones."""
        counted = self.violations if severity == "violation" else self.occurring
        accepted = set(self.compared.accepted) if self.compared is not None else set()
        return tuple(name for name in counted if name not in accepted)

    def to_json(self) -> dict[str, Any]:
        """Plain values, stable and sorted."""
        judged = self.judged
        return {
            "findings_state": "current" if self.is_current else "stale",
            "summary": {
                "severities": {name: judged.number(name) for name in SEVERITIES},
                "counts": plain(judged.counts),
            },
            "findings": [self.finding_json(one) for one in judged.findings],
            "found": judged.fitting,
            "complete": len(judged.findings) == judged.fitting,
            "holds": plain(judged.holds),
            "not_checked": {
                "computations": plain(judged.not_checkable),
                "claims_without_figure": plain(judged.no_figure),
                "figures_without_canonical_value": plain(judged.no_canonical),
                "unopened_sources": plain(judged.unopened),
                "texts": plain(self.texts),
            },
            "baseline": plain(self.compared),
            "failing": list(self.failing()),
            "questions": list(judged.questions),
        }

    def headline(self) -> tuple[str, str | None, str | None]:
        """How many findings of each severity there are."""
        counts = ", ".join(f"{self.judged.number(name):,} {name}" for name in SEVERITIES)
        return "audit", None, counts if self.is_current else f"{counts}; findings: stale"

    def tables(self) -> Mapping[str, Table]:
        """Findings, counts, and what was not checked."""
        return presenter().tables(self.judged)

    def net(self) -> Net:
        """Findings and the claims they involve."""
        return presenter().net(self.judged)

    def finding_json(self, one: FindingCard) -> dict[str, Any]:
        """One finding with its calculation."""
        calculation = self.calculations.get(one.id)
        accepted = self.compared is not None and one.id in self.compared.accepted
        return {
            **plain(one),
            "calculation": None if calculation is None else calculation.to_json(),
            "accepted": accepted,
        }


def audit_graph(
    graph: "Opened",
    *,
    rules: Sequence[str] = (),
    sources: Sequence[str] = (),
    severities: Sequence[str] = ("violation", "warning"),
    baseline: "Mapping[str, Accepted] | None" = None,
    most: int | None = None,
    within: "Restriction | None" = None,
    scopes: "Sequence[Scope]" = (),
) -> AuditReport:
    """Audit; a rule that is no code and begins none is refused."""
    judged = audit(
        graph.ask, rules=rules, sources=sources, severities=severities, most=most, within=within, scopes=scopes
    )
    if rules and not judged.codes:
        _check_rules(graph, rules)
    asker = Asker(graph.ask)
    occurring = _occurring(asker, judged)
    compared = None
    if baseline is not None:
        violations = {name for name, severity, _ in occurring if severity == "violation"}
        here = {name for name, _, _ in occurring}
        compared = BaselineComparison(
            tuple(sorted(here & set(baseline))),
            tuple(sorted(violations - set(baseline))),
            _stale(asker, baseline, judged, rules, sources),
        )
    return AuditReport(
        judged,
        calculations(asker, graph.lexicon.units, judged.findings),
        _texts(graph, judged),
        graph.stamp.get("rules") == RULES_VERSION and graph.is_whole(),
        compared,
        tuple(name for name, severity, _ in occurring if severity == "violation"),
        tuple(name for name, _, _ in occurring),
    )


@brief
@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One finding with the calculation behind it."""

    card: FindingCard
    calculation: Calculation | None

    def to_json(self) -> dict[str, Any]:
        """Plain values, stable and sorted."""
        return {**plain(self.card), "calculation": None if self.calculation is None else self.calculation.to_json()}


def show_findings(graph: "Opened", names: Sequence[str]) -> tuple[ShownFinding, ...]:
    """Findings by id, the worst first; unknown ids are left out."""
    asker = Asker(graph.ask)
    cards = find_findings(asker, finding=names) if names else ()
    behind = calculations(asker, graph.lexicon.units, cards)
    return tuple(ShownFinding(one, behind.get(one.id)) for one in cards)


def _occurring(asker: Asker, judged: Judged) -> list[tuple[str, str, str]]:
    """Id, severity and source of all violations and warnings in scope."""
    codes = sorted({one.code for one in judged.counts if one.severity != "info"})
    if not codes:
        return []
    wanted: dict[str, object] = {"severity": ("violation", "warning"), "code": tuple(codes)}
    if judged.sources:
        wanted["source"] = judged.sources
    rows = asker.rows("audit/findings", **wanted)
    found = {(text(row, "finding"), text(row, "severity"), text(row, "source")) for row in rows}
    return sorted(one for one in found if judged.kept is None or one[0] in judged.kept)


def _stale(
    asker: Asker, baseline: "Mapping[str, Accepted]", judged: Judged, rules: Sequence[str], sources: Sequence[str]
) -> tuple[str, ...]:
    """Entries that no finding has any more, regardless of its severity; an audit of a part calls stale only what would be in it."""
    if not baseline:
        return ()
    there = {one.id for one in find_findings(asker, finding=sorted(baseline))}
    gone = [name for name in sorted(baseline) if name not in there]
    # an entry of a baseline is the id of a finding, which names its source first and its code next
    prefixes = tuple(f"finding/{one.partition('/')[2]}/" for one in judged.sources)
    return tuple(
        name
        for name in gone
        if (not sources or name.startswith(prefixes)) and (not rules or any(f"/{rule}" in name for rule in rules))
    )


def _check_rules(graph: "Opened", rules: Sequence[str]) -> None:
    from kg.answers.audit import is_under
    from kg.content.codes import read_codes

    known = sorted(name for name, one in read_codes(graph.content).items() if one.of == "finding")
    for rule in rules:
        if not any(is_under(code, rule) for code in known):
            areas = ", ".join(sorted({code.partition(".")[0] for code in known}))
            raise UsageError(
                "is not the code of a finding and begins none.",
                field="--rule",
                given=rule,
                expected=areas,
                next_step="kg explain lists the codes",
            )


def _texts(graph: "Opened", judged: Judged) -> tuple[TextState, ...]:
    """The texts in scope; numerals are counted where a text is attached and has a reviewed list."""
    asker = Asker(graph.ask)
    named = [text(row, "source") for row in asker.rows("sources/all") if said(row, "document") is not None]
    wanted = tuple(name for name in named if not judged.sources or name in judged.sources)
    if not wanted:
        return ()
    rows = [row for row in asker.rows("sources/card", source=wanted) if said(row, "sha256") is not None]
    documents = {text(row, "source"): graph.document(text(row, "document"), text(row, "sha256")) for row in rows}
    # reading the ledger and the lists takes seconds: not where no text is attached, which is the usual case
    counted = _coverages(graph, {name: one for name, one in documents.items() if one is not None})
    return tuple(_text_state(row, documents, counted) for row in rows)


def _coverages(graph: "Opened", documents: "Mapping[str, Document]") -> "dict[str, Coverage]":
    """How many numerals of each attached text the claims capture, by source; only where a list of it was reviewed."""
    if not documents:
        return {}
    from kg.content.coverage import coverage_of, read_coverage_lists

    lists = read_coverage_lists(graph.content)
    claims = [one for one in Ledger(graph.ledger_folder()).current() if one["record"] == "claim"]
    return {name: coverage_of(one, claims, lists[name]) for name, one in documents.items() if name in lists}


def _text_state(row: Row, documents: "Mapping[str, Document | None]", counted: "Mapping[str, Coverage]") -> TextState:
    source, name = text(row, "source"), text(row, "document")
    one = counted.get(source)
    if one is None:
        return TextState(source, name, attached=documents[source] is not None)
    ignored = sum(one.ignored.values())
    return TextState(source, name, True, one.numerals, one.captured, ignored, len(one.left_over))
