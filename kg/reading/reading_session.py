"""Reads reports one after the other against one content folder: text, figures, proposals."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from kg.content.folders import file_name, find_content
from kg.model.identifiers import id_part, is_entity_id
from kg.reading.deadline import NO_DEADLINE, Deadline
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
        figures = map(proposed_figure, self.proposals)
        write_proposals(path, self.report, figures, file=self.name, source=source_of_file(self.name))


def source_of_file(name: str) -> str:
    """The id of the source that a file is; the ids of its claims begin with it, so it begins as these may.

    >>> source_of_file("my report (2).md"), source_of_file("_Überblick.txt"), source_of_file("...")
    ('source/my-report-(2)', 'source/report-Überblick', 'source/report')
    >>> source_of_file("source.md"), source_of_file("model.pdf")  # else its claims would have the ids of things
    ('source/report-source', 'source/report-model')
    """
    stem = _OPENING_SIGNS.sub("", id_part(Path(name).stem))
    begins = stem[:1].isascii() and stem[:1].isalnum() and not is_entity_id(f"{stem}/a")
    return f"source/{stem}" if begins else f"source/{'-'.join(filter(None, ('report', stem)))}"


_OPENING_SIGNS: Final = re.compile(r"^[\W_]+")


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
        self,
        source: Path | bytes,
        form: TextFormat | None = None,
        *,
        shown: str | None = None,
        progress: Progress = still,
        deadline: Deadline = NO_DEADLINE,
    ) -> ReportReading:
        """Read one report; errors call one that is no file `shown`."""
        name = file_name(source) if isinstance(source, Path) else "standard-input"
        report, proposals = self._proposer.read(source, form, shown=shown, progress=progress, deadline=deadline)
        if self._model is None:
            return ReportReading(report, proposals, name)
        refined, tally = refine(report, proposals, self._model, self.knowledge)
        return ReportReading(report, refined, name, tally)
