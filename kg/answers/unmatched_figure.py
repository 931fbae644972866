"""A figure of a text that no claim states so: out of line with what is known, computed, stated of something else, or unknown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kg.answers.asking import Asker
from kg.answers.checked_figures import CheckedFigure, KnownValue, TextFigure
from kg.answers.claim import ClaimCard, Thing, bare
from kg.answers.claim_match import ClaimMatch
from kg.answers.entry_match import EntryMatch
from kg.answers.known_numbers import far_from_known
from kg.answers.measured_gains import MeasuredGains
from kg.answers.nearest_known import NearestKnown
from kg.answers.sheet_ratio import SheetRatio
from kg.answers.stated_elsewhere import StatedElsewhere
from kg.model.verdict import Verdict
from kg.reading.known_names import NEW


@dataclass(slots=True)
class UnmatchedFigure:
    """Judges it by what comes next to a claim: the plainest first."""

    asker: Asker
    match: ClaimMatch
    nearest: NearestKnown
    elsewhere: StatedElsewhere
    entries: EntryMatch
    gains: MeasuredGains = field(init=False)
    sheets: SheetRatio = field(init=False)
    _labels: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.gains = MeasuredGains(self.asker)
        self.sheets = SheetRatio(self.nearest.numbers, self.nearest.covers)

    def judged(self, figure: TextFigure, line: int, near: Sequence[ClaimCard]) -> CheckedFigure:
        """Nobody states it: out of line with what is published of the thing, or unknown, with who states the figure otherwise."""
        nearest = self.nearest.nearest(figure)
        if (usable := self.nearest.out_of_line(figure, nearest)) is not None:
            return far_from_known(figure, line, self.nearest.near.canonical(figure)[1], usable)
        if (computed := self.sheets.of(figure, line)) is not None:
            return computed
        elsewhere = self.elsewhere.of(figure, near)
        others = tuple(map(known_value, elsewhere[:2]))
        is_of_it = bool(elsewhere) and self.match.subject_rank(figure, elsewhere[0]) is not None
        otherwise = f"{self.elsewhere.difference(figure, elsewhere[0])} [{elsewhere[0].id}]" if is_of_it else None
        # what was measured of the two tells more than the same figure of something else
        if (measured := self.gains.judged(figure, otherwise)) is not None:
            return CheckedFigure(figure, line, *measured, None, (), others, is_stated_otherwise=is_of_it)
        conditional = self.elsewhere.of_other_conditions(figure, elsewhere)
        if (entry := self.entries.of_another(figure, conditional)) is not None:
            known = (known_value(entry[0]),)
            return CheckedFigure(figure, line, "caution", entry[1], others=known, is_stated_otherwise=True)
        if elsewhere:
            return self._of_something_else(figure, line, elsewhere, is_of_it=is_of_it)
        why = f"nobody states it of {self._named(figure)}" if figure.subjects else "what it is said of is not named"
        kind, _ = self.nearest.near.canonical(figure)
        alike = tuple(one.known for one in nearest if one.kind == kind)
        return CheckedFigure(figure, line, "unknown", why, None, (), alike[:2])

    def _of_something_else(
        self, figure: TextFigure, line: int, elsewhere: Sequence[ClaimCard], *, is_of_it: bool
    ) -> CheckedFigure:
        """A figure that is stated, but of something else; a caution where it is of another run, and that of the text has its own."""
        first = elsewhere[0]
        why = f"{self.elsewhere.difference(figure, first)} [{first.id}]"
        run = self.elsewhere.of_named_run(figure, first)
        if run is None:
            others = tuple(map(known_value, elsewhere[:2]))
            why = f"not matched with a claim: {why}"
            verdict: Verdict = "caution" if self.elsewhere.is_of_more(figure, first) else "unknown"
            return CheckedFigure(figure, line, verdict, why, None, (), others, is_stated_otherwise=is_of_it)
        why = f"{why}; of the run that is named {run.worded} [{run.id}]"
        known = (known_value(run), known_value(first))
        return CheckedFigure(figure, line, "caution", why, run.worded, (), known, is_stated_otherwise=True)

    def _named(self, figure: TextFigure) -> str:
        """What the text says a figure of, by its label: it may be read wrongly, which a reader sees only then."""
        thing = figure.subjects[0].value
        if thing.startswith(NEW):
            return thing.removeprefix(NEW)
        if thing not in self._labels:
            labels = [str(one["label"]) for one in self.asker.rows("entities/card", thing=thing)]
            self._labels[thing] = labels[0] if labels else thing
        return self._labels[thing]


def known_value(card: ClaimCard) -> KnownValue:
    """A claim as what is known next to a figure."""
    subject: Thing = card.subjects[0]
    return KnownValue(
        card.id,
        subject.name,
        bare(card.metric) or card.metric,
        card.figure.shown or "",
        card.verdict,
        card.verdict_reason,
        card.source.name,
        card.value_to_use,
    )
