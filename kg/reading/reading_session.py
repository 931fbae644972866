"""Reads reports one after the other against one content folder: text, figures, proposals."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.content.entities import read_registry
from kg.content.folders import Content, find_content
from kg.content.vocabulary import read_vocabulary
from kg.reading.deadline import ReadingDeadline
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.language_model import AsksModel, ModelTally, refine
from kg.reading.proposal import ClaimProposal
from kg.reading.proposals_file import proposed_figure, write_proposals
from kg.reading.propose import propose
from kg.reading.ranker import read_ranker
from kg.reading.report import read_report
from kg.reading.review_learning import ranker_path
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
        self._model = model
        self.knowledge = knowledge_of(find_content(Path(content) if content else None))

    def read(self, source: Path | bytes, form: TextFormat | None = None) -> ReportReading:
        """Read one report."""
        report = read_report(source, form)
        deadline = ReadingDeadline()
        figures = find_figures(report, self.knowledge.vocabulary.units, self.knowledge.names, deadline)
        name = source.name if isinstance(source, Path) else "standard-input"
        proposals = propose(report, figures, self.knowledge, deadline)
        if self._model is None:
            return ReportReading(report, proposals, name)
        refined, tally = refine(report, proposals, self._model, self.knowledge)
        return ReportReading(report, refined, name, tally)


def knowledge_of(content: Content) -> ReadingKnowledge:
    """What reports are read with: the content in use, and the weights of one's own folder where there are any."""
    own = ranker_path(content)
    ranker = read_ranker(own) if own else None
    return ReadingKnowledge.from_content(read_registry(content), read_vocabulary(content), ranker=ranker)
