"""A proposal: what a figure of a report seems to claim, each field with its candidates, for a person to accept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kg.reading.figure import ReportFigure


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible value of a field: an id or a word of a closed list, the words it came from, and why it is offered.

    ``confidence`` lies between 0 and 1 and is comparable between the candidates of one field only. ``reason`` is a
    short phrase for the reviewer ("header of the column", "same sentence", "unit token/s").
    """

    value: str
    label: str
    confidence: float
    reason: str


NOT_PROPOSED: Final = Candidate("", "not stated", 1.0, "no value is likely enough")
"""Before the candidates of a condition of which none is proposed."""


@dataclass(frozen=True, slots=True)
class ClaimProposal:
    """One figure with ranked candidates for each field of a claim; the first of each is what is proposed.

    Fields: subject, level, baseline, metric, statistic, normaliser, relation, unit, asserted_by, modality. A field
    without candidates is not stated. ``conditions`` maps the condition to its candidates.
    """

    figure: ReportFigure
    fields: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)
    conditions: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)
    confidence: float = 0.0
    offered: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)
    """Conditions that are not likely enough to be proposed, and one key away in a review."""

    def first(self, name: str) -> Candidate | None:
        """The best candidate of a field."""
        candidates = self.fields.get(name, ())
        return candidates[0] if candidates else None
