"""Has reports read and their figures found in a process that can be stopped: nothing that is searched there is trusted."""

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kg.content.folders import find_content
from kg.reading.deadline import NO_DEADLINE, Deadline
from kg.reading.knowledge import knowledge_of
from kg.reading.proposal import ClaimProposal
from kg.reading.proposal_message import received_proposals
from kg.reading.report import next_answer, received_report, report_file
from kg.reading.text import ReportText, TextFormat
from kg.stores.worker import Worker

_PROCESS: Final = "kg.reading.proposal_process"
Progress = Callable[[str, int, int], None]
_KEPT: Final = 2
"""Processes that wait for the next report; more are started where more reports come at once."""


def still(_what: str, _done: int, _total: int) -> None:
    """Show nothing."""


class Proposer:
    """Reads reports against one content folder; the process that has read its names is kept for the next report."""

    def __init__(self, content: Path) -> None:
        self._content = str(content)
        self._idle: list[Worker] = []
        # processes end with the object, also where nobody closes it
        weakref.finalize(self, _end_all, self._idle)

    def read(
        self,
        source: Path | bytes,
        form: TextFormat | None = None,
        *,
        shown: str | None = None,
        progress: Progress = still,
        deadline: Deadline = NO_DEADLINE,
    ) -> tuple[ReportText, list[ClaimProposal]]:
        """The text of a report and one proposal a figure; errors call bytes `shown`.

        Raises what `read_report` raises, ReportTooLarge also where finding the figures takes more time or memory than it may.
        """
        with report_file(source, shown=shown) as file:
            worker = self._idle.pop() if self._idle else Worker(_PROCESS)
            try:
                progress(f"reading {file.name or 'the text'}", 0, 0)
                worker.ask(str(file.path), file.name, form, self._content)
                read = next_answer(worker, file, deadline=deadline)
                if not read:  # the content is at fault: read here, all its mistakes are reported with their places
                    knowledge_of(find_content(Path(self._content)))
                report = received_report(read)
                progress(f"finding figures in {len(report.text):,} characters", 0, 0)
                (sent,) = next_answer(worker, file, times=2, deadline=deadline)
            # on any error the process may be in the middle of an answer: it is not asked
            # again
            except BaseException:
                worker.end()
                raise
        if len(self._idle) < _KEPT:
            self._idle.append(worker)
        else:
            worker.end()
        return report, received_proposals(sent, report.blocks)


def _end_all(workers: list[Worker]) -> None:
    for worker in workers:
        worker.end()
