"""An audit as a Markdown report to hand on."""

from collections.abc import Iterable, Iterator, Sequence

from kg.answers.audit import SEVERITIES
from kg.answers.audit_report import AuditReport, BaselineComparison
from kg.answers.calculation import Calculation, Operand
from kg.answers.findings import FindingCard, Involved
from kg.render.amounts import prefixed, span
from kg.render.audit_text import REASONS, by_code, by_source, headline, text_states
from kg.render.cells import markdown_text, text_of
from kg.render.finding_card import value_of_cause


def audit_markdown(report: AuditReport) -> Iterator[str]:
    """The whole report."""
    judged = report.judged
    yield "# Audit report"
    yield ""
    yield f"{headline(report)}." + ("" if report.is_current else " **The findings are stale: run `kg build`.**")
    if judged.sources:
        yield f"Only {', '.join(judged.sources)}."
    if report.compared is not None:
        yield from _compared(report.compared)
    yield ""
    yield "## Summary"
    yield ""
    yield from _table(("code", *SEVERITIES), by_code(report))
    yield ""
    yield from _table(("text", *SEVERITIES), by_source(report))
    yield from _findings(report)
    if judged.kept is not None:  # what holds in the part that was asked for is not counted
        return
    yield ""
    yield "## Checked, and found to hold"
    yield ""
    yield from _table(
        ("code", "verdict", "text", "findings"),
        [(one.code, one.verdict, one.source, one.findings) for one in judged.holds],
    )
    yield ""
    yield from _unchecked(report)


def _compared(compared: BaselineComparison) -> Iterator[str]:
    """What is otherwise than in the baseline."""
    yield ""
    yield f"Against the baseline: {len(compared.accepted)} accepted, {len(compared.new)} new violations, {len(compared.stale)} entries that no longer occur."
    yield ""
    yield from (f"- new: `{name}`" for name in compared.new)
    yield from (f"- no longer occurs: `{name}`" for name in compared.stale)


def _findings(report: AuditReport) -> Iterator[str]:
    """The findings, one section a severity."""
    accepted = set(report.compared.accepted) if report.compared else set()
    for severity in SEVERITIES:
        shown = [one for one in report.judged.findings if one.severity == severity]
        if shown:
            yield ""
            yield f"## {severity.capitalize()}s" if severity != "info" else "## Notes"
            for one in shown:
                yield ""
                yield from _finding(one, report.calculations.get(one.id), accepted=one.id in accepted)


def _calculation(calculation: Calculation) -> Iterator[str]:
    """The figures of a computation, what they give, and what is printed."""
    result = calculation.result
    given = "nothing" if calculation.computed is None else span(calculation.computed, result.unit)
    rows = [(one.name, one.shown, _values(one), one.claim or one.why) for one in calculation.operands]
    rows.append((calculation.expression, "", given, ""))
    rows.append(("printed result", result.shown, _values(result), calculation.claim))
    yield from _table(("", "printed", "stands for", "claim"), rows, strong=2)


def _involved(claims: Iterable[Involved]) -> Iterator[str]:
    """The claims of a finding, each with its role."""
    rows = [
        (
            one.role.partition(":")[0],
            one.shown,
            one.metric,
            one.subject_label or one.subject,
            one.speaker,
            one.claim,
            one.place,
        )
        for one in claims
    ]
    yield from _table(("role", "printed", "metric", "of", "asserted by", "claim", "place"), rows)


def _finding(one: FindingCard, calculation: Calculation | None, *, accepted: bool) -> Iterator[str]:
    yield f"### {one.code}: {markdown_text(one.claim)}" + (" (accepted)" if accepted else "")
    yield ""
    yield f"{markdown_text(one.message)}."
    yield ""
    if calculation is not None:
        yield from _calculation(calculation)
    elif one.claims:
        yield from _involved(one.claims)
    yield ""
    if one.corrected_value is not None:
        yield f"- instead: {prefixed(one.corrected_value, one.corrected_unit)}"
    for explanation in one.explanations:
        value = value_of_cause(explanation, one)
        yield f"- explained by: {markdown_text(explanation.message)}{value} (`{explanation.code}`)"
    if one.basis == "reference":
        yield f"- rests on a fact from outside the loaded texts: {markdown_text(one.reference or 'not named')}"
    yield f"- finding: `{one.id}`"


def _values(one: Operand) -> str:
    return "no value" if one.interval is None else "exact" if one.interval.width == 0 else span(one.interval, one.unit)


def _unchecked(report: AuditReport) -> Iterator[str]:
    judged = report.judged
    yield "## Not checked, and why"
    yield ""
    lines = [
        f"`{one.claim}` ({markdown_text(one.printed)}) as `{one.expression}`: {markdown_text(one.message)}"
        for one in judged.not_checkable
    ]
    lines += [f"{one.source}: {one.claims} claims {REASONS.get(one.why, one.why)}" for one in judged.no_figure]
    lines += [
        f"`{one.claim}`: {markdown_text(one.printed)}, whose unit leaves nothing to compare it with"
        for one in judged.no_canonical
    ]
    lines += [
        f"{markdown_text(one.label)} (`{one.source}`) was not opened; claims that rest on it: {one.claims}"
        for one in judged.unopened
    ]
    lines += text_states(report)
    yield from (f"- {line}" for line in lines) if lines else ("Nothing.",)


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, strong: int = 0) -> Iterator[str]:
    """Rows of a table; the first cells of the last `strong` ones stand out."""
    if not rows:
        yield "Nothing."
        return
    yield "| " + " | ".join(columns) + " |"
    yield "|" + " --- |" * len(columns)
    for number, one in enumerate(rows):
        first, *others = (markdown_text(text_of(cell)) for cell in one)
        head = f"**{first}**" if number >= len(rows) - strong else first
        yield "| " + " | ".join((head, *others)) + " |"
