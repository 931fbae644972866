"""An audit as text: the summary first, then each finding, what holds, and what was not checked."""

from collections import Counter
from collections.abc import Callable, Iterator

from kg.answers.audit import SEVERITIES, FindingCount
from kg.answers.audit_report import AuditReport, TextState
from kg.render.finding_card import card_lines
from kg.render.lines import row, table, wrapped

_MOST_LISTED = 10


def audit_lines(report: AuditReport) -> Iterator[str]:
    """The whole report for a terminal."""
    yield from _summary(report)
    findings = report.judged.findings
    accepted = set(report.compared.accepted) if report.compared else set()
    for one in findings:
        yield ""
        yield from card_lines(one, report.calculations.get(one.id), accepted=one.id in accepted)
    if report.judged.kept is None:
        yield ""
        yield from holds_lines(report)
        yield ""
        yield from unchecked_lines(report)


def _summary(report: AuditReport) -> Iterator[str]:
    yield from wrapped(headline(report))
    if not report.is_current:
        yield from wrapped("findings: stale, made from another state of the ledger or by other rules; run kg build")
    yield from baseline_lines(report)
    if report.judged.counts:
        yield ""
        yield from table(("code", *SEVERITIES), by_code(report))
        yield ""
        yield from table(("text", *SEVERITIES), by_source(report))


def headline(report: AuditReport) -> str:
    """One line with the numbers."""
    judged = report.judged
    parts = [
        f"{judged.number(name)} {word}"
        for name, word in zip(SEVERITIES, ("violations", "warnings", "notes"), strict=True)
    ]
    return f"{', '.join(parts)}; {len(judged.findings)} shown in full"


def baseline_lines(report: AuditReport) -> Iterator[str]:
    """How the findings compare with the baseline."""
    compared = report.compared
    if compared is None:
        return
    yield from wrapped(
        f"baseline: {len(compared.accepted)} accepted, {len(compared.new)} new violations, {len(compared.stale)} entries no longer occur"
    )
    for name in compared.new:
        yield from row("new", name)
    for name in compared.stale:
        yield from row("stale", f"{name} (take it out of the baseline)")


def by_code(report: AuditReport) -> list[tuple[object, ...]]:
    """Rows of the table by code."""
    return _tabled(report, lambda one: one.code)


def by_source(report: AuditReport) -> list[tuple[object, ...]]:
    """Rows of the table by text."""
    return _tabled(report, lambda one: one.source)


def _tabled(report: AuditReport, key: Callable[[FindingCount], str]) -> list[tuple[object, ...]]:
    counts: Counter[tuple[str, str]] = Counter()
    for one in report.judged.counts:
        counts[key(one), one.severity] += one.findings
    names = sorted({name for name, _ in counts})
    return [(name, *(counts[name, severity] or None for severity in SEVERITIES)) for name in names]


def holds_lines(report: AuditReport) -> Iterator[str]:
    """What was checked and holds."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in report.judged.holds:
        counts[one.code, one.verdict] += one.findings
    yield "Checked, and found to hold"
    if counts:
        yield from table(
            ("code", "verdict", "findings"), [(code, verdict, n) for (code, verdict), n in sorted(counts.items())]
        )
    else:
        yield "  nothing in this part"


def unchecked_lines(report: AuditReport) -> Iterator[str]:
    """What was not checked, and why."""
    judged = report.judged
    yield "Not checked, and why"
    for one in judged.not_checkable[:_MOST_LISTED]:
        yield from row("computation", f"{one.claim} ({one.printed}) as {one.expression}: {one.message}")
    yield from _more(len(judged.not_checkable), "computations (kg ask audit/not-checkable)")
    for why, number in sorted(
        Counter(
            {w: sum(n.claims for n in judged.no_figure if n.why == w) for w in {n.why for n in judged.no_figure}}
        ).items()
    ):
        yield from row("no figure", f"{number} claims {REASONS.get(why, why)}")
    for figure in judged.no_canonical[:_MOST_LISTED]:
        yield from row("no unit", f"{figure.printed}, whose unit leaves nothing to compare it with [{figure.claim}]")
    yield from _more(len(judged.no_canonical), "figures (kg ask audit/no-canonical)")
    for source in judged.unopened[:_MOST_LISTED]:
        yield from row(
            "not opened",
            f"{source.label} [{source.source}], on which {source.claims} {'claim rests' if source.claims == 1 else 'claims rest'}",
        )
    yield from _more(len(judged.unopened), "sources (kg ask sources/unopened)")
    for line in text_states(report):
        yield from row("text", line)


REASONS = {
    "said in words": "say something in words only: no number to compute with",
    "empty cell": "record an empty cell: there is nothing to compute with",
}


def text_states(report: AuditReport) -> Iterator[str]:
    """The texts in words: those that are not attached in one line, the others one by one."""
    absent = [one.source for one in report.texts if not one.attached]
    if absent:
        yield f"{', '.join(absent)}: not attached, so neither positions nor numerals were looked at again (kg documents attach DIR)"
    yield from (_text_state(one) for one in report.texts if one.attached)


def _text_state(one: TextState) -> str:
    if one.numerals is None:
        return f"{one.source}: attached; it has no reviewed list of numerals (seeds/coverage)"
    return f"{one.source}: {one.numerals} numerals, {one.captured} captured as claims, {one.ignored} ignored with a reason, {one.left_over} left over"


def _more(number: int, what: str) -> Iterator[str]:
    if number > _MOST_LISTED:
        yield from row("", f"and {number - _MOST_LISTED} more {what}")
