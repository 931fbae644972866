"""What the isolated process does that proposes: a report to text, its figures, and the candidates of each.

It knows one content folder for its whole life; a request (path, name, format, content) is answered with two messages, the
text as soon as it is there and then the proposals; or with `content` alone where that cannot be read, which whoever asked
then does to hear why. `kg.reading.proposing` asks it.
"""

import signal
import sys
from functools import cache
from pathlib import Path
from typing import Any

from kg.content.folders import find_content
from kg.errors import KgError
from kg.reading import limits
from kg.reading.deadline import ReadingDeadline
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge, knowledge_of
from kg.reading.proposal_message import sent_proposals
from kg.reading.propose import propose
from kg.reading.report import received_report
from kg.reading.report_process import read_bytes
from kg.stores.worker import Send, limit_resources, serve


@cache
def _knowledge(content: str) -> ReadingKnowledge:
    """Read before the limits hold: the content is the user's own, the report is not."""
    known = knowledge_of(find_content(Path(content)))
    limit_resources(limits.MEMORY)
    return known


def _work(request: list[Any], send: Send) -> tuple[Any, ...]:
    path, name, stated, content = request
    try:
        knowledge = _knowledge(content)
    except KgError:
        return ("content",)
    _limit_processor_time()
    message = read_bytes(Path(path).read_bytes(), name, stated)
    send(*message)
    report = received_report(message[1:])
    deadline = ReadingDeadline()
    figures = find_figures(report, knowledge.vocabulary.units, knowledge.names, deadline)
    return "proposals", sent_proposals(propose(report, figures, knowledge, deadline), report.blocks)


def _limit_processor_time() -> None:
    """Let the system end the process that works longer on one report than both deadlines give it."""
    # deadlines are asked between steps: a pattern that is being searched only the system can stop
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, 2 * limits.SECONDS)


if __name__ == "__main__":
    sys.exit(serve(_work))
