"""Reads reports one after the other against one content folder: text, figures, proposals."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.content.folders import Content, find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.units import UnitTable
from kg.reading.figures import NamesInText, find_figures
from kg.reading.proposal import ClaimProposal
from kg.reading.proposal_files import proposal_lines, proposal_text, proposals_yaml
from kg.reading.propose import propose
from kg.reading.report import read_report
from kg.reading.text import ReportText, TextFormat


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A report that was read, and what it proposes."""

    report: ReportText
    proposals: Sequence[ClaimProposal]
    name: str

    def written(self, form: str) -> list[str]:
        """The proposals as jsonl, yaml or text, without the last line end."""
        if form == "yaml":
            stem = Path(self.name).stem or "report"
            made = proposals_yaml(self.report, self.proposals, source=f"source/{stem}", document=self.name)
            return [made.removesuffix("\n")]
        if form == "jsonl":
            return list(proposal_lines(self.proposals))
        return list(proposal_text(self.report, self.proposals))


class ReadingSession:
    """Holds what every report is read with: units and names."""

    def __init__(self, content: str | None = None) -> None:
        self.content: Content = find_content(Path(content) if content else None)
        self.units: UnitTable = read_vocabulary(self.content).units
        self.names: NamesInText | None = None

    def read(self, source: Path | bytes, form: TextFormat | None = None) -> ReadReport:
        """Read one report."""
        report = read_report(source, form)
        figures = find_figures(report, self.units, self.names)
        name = source.name if isinstance(source, Path) else "standard-input"
        return ReadReport(report, propose(report, figures, self.names), name)
