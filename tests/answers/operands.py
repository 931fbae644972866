"""The figures of a Markdown text as the arithmetic of texts takes them."""

from kg.answers.text_arithmetic import TextOperand
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.reading.figures import find_figures
from kg.reading.report import read_report
from kg.reading.text import ReportText

UNITS = read_vocabulary(find_content()).units


def read_operands(text: str) -> tuple[ReportText, list[TextOperand]]:
    """The report that a text is, and its figures that claim something."""
    report = read_report(text.encode(), "markdown")
    return report, [
        TextOperand(
            one.start, one.end, one.printed, one.number, one.unit, one.relation, (one.block.start, one.block.end)
        )
        for one in find_figures(report, UNITS)
        if one.is_claim
    ]
