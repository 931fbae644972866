"""An audit in the shared forms: text, JSON, JSON Lines, CSV, Markdown."""

from collections.abc import Iterator
from typing import NamedTuple

from kg.answers.audit_report import AuditReport
from kg.answers.findings import FindingCard, Involved
from kg.cli.options import Format
from kg.cli.output import written
from kg.cli.render import write_json, write_rows
from kg.model.columns import columns, read_columns

COLUMNS = columns(
    "finding=card.id code=card.code severity=card.severity verdict=card.verdict claim=card.claim source=card.source"
    " printed=own.shown document=own.document start=own.start end=own.end place=own.position message=card.message"
    " computed_value=card.computed_value computed_unit=card.computed_unit corrected_value=card.corrected_value"
    " corrected_unit=card.corrected_unit explanations claims accepted"
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
    return written(lambda: write_rows(tuple(COLUMNS), finding_rows(report), form))


class _FindingRow(NamedTuple):
    """A finding with what is printed in the claim it is about, and whether a baseline accepts it."""

    card: FindingCard
    own: Involved | None
    accepted: bool

    @property
    def explanations(self) -> list[str]:
        """What may explain it."""
        return [each.message for each in self.card.explanations]

    @property
    def claims(self) -> list[str]:
        """The claims it involves, each once."""
        return list(dict.fromkeys(each.claim for each in self.card.claims))


def finding_rows(report: AuditReport) -> Iterator[list[object]]:
    """One row a finding; claims and explanations as lists."""
    accepted = set(report.compared.accepted) if report.compared else set()
    found = (
        _FindingRow(card, next((one for one in card.claims if one.claim == card.claim), None), card.id in accepted)
        for card in report.judged.findings
    )
    return read_columns(COLUMNS, found)
