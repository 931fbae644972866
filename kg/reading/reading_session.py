"""Reads reports one after the other against one content folder: text, figures, proposals."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kg.content.folders import file_name, find_content
from kg.reading.knowledge import ReadingKnowledge, knowledge_of
from kg.reading.language_model import AsksModel, ModelTally, refine
from kg.reading.proposal import ClaimProposal
from kg.reading.proposals_file import proposed_figure, write_proposals
from kg.reading.proposing import Progress, Proposer, still
from kg.reading.text import ReportText, TextFormat


@dataclass(frozen=True, slots=True)
class ReportReading:
    """A report that was read, and what it proposes."""

    report: ReportText
    proposals: Sequence[ClaimProposal]
    name: str
    model: ModelTally | None = None
    """The result of asking a language model, where one was asked."""

    def write_for_review(self, path: Path) -> None:
        """The file that `kg review` takes, with the text next to it."""
        stem = Path(self.name).stem or "report"
        figures = map(proposed_figure, self.proposals)
        write_proposals(path, self.report, figures, file=self.name, source=f"source/{stem}")


class ReadingSession:
    """Holds what every report is read with."""

    def __init__(self, content: str | None = None, model: AsksModel | None = None) -> None:
        self._content = find_content(Path(content) if content else None)
        self._proposer = Proposer(self._content.place)
        self._model = model

    @cached_property
    def knowledge(self) -> ReadingKnowledge:
        """The same that the process which reads knows; read here only where it is asked for."""
        return knowledge_of(self._content)

    def read(
        self, source: Path | bytes, form: TextFormat | None = None, *, progress: Progress = still
    ) -> ReportReading:
        """Read one report."""
        name = file_name(source) if isinstance(source, Path) else "standard-input"
        report, proposals = self._proposer.read(source, form, progress=progress)
        if self._model is None:
            return ReportReading(report, proposals, name)
        refined, tally = refine(report, proposals, self._model, self.knowledge)
        return ReportReading(report, refined, name, tally)
