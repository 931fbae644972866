"""The figures of a Markdown text as the arithmetic of texts takes them."""

from kg.answers.text_arithmetic import TextOperand
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.reading.figures import find_figures
from kg.reading.report import received_report
from kg.reading.report_process import read_bytes
from kg.reading.text import ReportText

UNITS = read_vocabulary(find_content()).units


def read_operands(text: str) -> tuple[ReportText, list[TextOperand]]:
    """The report that a text is, read in this process, which starts in no time, and its figures that claim something."""
    report = received_report(read_bytes(text.encode(), None, "markdown")[1:])
    return report, [
        TextOperand(
            one.start, one.end, one.printed, one.number, one.unit, one.relation, (one.block.start, one.block.end)
        )
        for one in find_figures(report, UNITS)
        if one.is_claim
    ]
