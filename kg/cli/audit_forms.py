"""An audit in the shared forms: text, JSON, JSON Lines, CSV, Markdown."""

from kg.answers.audit_report import AuditReport
from kg.cli.options import Format
from kg.cli.output import written
from kg.cli.render import write_json, write_rows

COLUMNS = (
    "finding",
    "code",
    "severity",
    "verdict",
    "claim",
    "source",
    "printed",
    "document",
    "start",
    "end",
    "place",
    "message",
    "computed_value",
    "computed_unit",
    "corrected_value",
    "corrected_unit",
    "explanations",
    "claims",
    "accepted",
)


def audit_form(report: AuditReport, form: Format) -> str:
    """The text of a report."""
    if form is Format.json:
        return written(lambda: write_json(report.to_json()))
    if form is Format.markdown:
        from kg.render.audit_markdown import audit_markdown

        return "\n".join(audit_markdown(report)) + "\n"
    if form is Format.table:
        from kg.render.audit_text import audit_lines

        return "\n".join(line.rstrip() for line in audit_lines(report)) + "\n"
    return written(lambda: write_rows(COLUMNS, finding_rows(report), form))


def finding_rows(report: AuditReport) -> list[tuple[object, ...]]:
    """One row a finding; claims and explanations as lists."""
    accepted = set(report.compared.accepted) if report.compared else set()
    rows: list[tuple[object, ...]] = []
    for one in report.judged.findings:
        own = next((each for each in one.claims if each.claim == one.claim), None)
        rows.append(
            (
                one.id,
                one.code,
                one.severity,
                one.verdict,
                one.claim,
                one.source,
                own.shown if own else None,
                own.document if own else None,
                own.start if own else None,
                own.end if own else None,
                own.position if own else None,
                one.message,
                one.computed_value,
                one.computed_unit,
                one.corrected_value,
                one.corrected_unit,
                [each.message for each in one.explanations],
                list(dict.fromkeys(each.claim for each in one.claims)),
                one.id in accepted,
            )
        )
    return rows
