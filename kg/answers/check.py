"""Every figure of a text next to what is known: the verdict of the claim that says the same, and the nearest where none does.

A claim says the same when its figure lies within the printed precision of the other and subject, metric and the conditions
that both state agree. Rows come from saved questions; who read the text, and how, is not known here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kg.answers.asking import Asker
from kg.answers.checked_figures import SEVERITY, CheckedFigure, KnownValue, Ranked, TextFigure
from kg.answers.claim import ClaimCard, bare
from kg.answers.claim_match import ClaimMatch
from kg.answers.entry_match import EntryMatch, is_of_publisher
from kg.answers.figure_match import (
    SURE,
    is_of_a_whole,
    is_of_several,
    metric_rank,
)
from kg.answers.figure_slips import Slip, read_by_unit, slips
from kg.answers.known_numbers import (
    ONE_VALUE,
    PublishedNumbers,
)
from kg.answers.matched_verdict import as_attributed, as_the_text_has_it, speaking_of, without_repetitions
from kg.answers.named_run import is_run_by
from kg.answers.near_claims import MIXED_UP, NearClaims
from kg.answers.nearest_known import NearestKnown
from kg.answers.sparse_peaks import SparseRates, as_stated_peak, is_stated_peak
from kg.answers.stated_elsewhere import StatedElsewhere, refuted_print
from kg.answers.telling_digits import is_telling
from kg.answers.text_arithmetic import Recomputed
from kg.answers.unmatched_figure import UnmatchedFigure, known_value
from kg.model.condition_line import stated_conditions
from kg.model.units import UnitTable
from kg.model.verdict import Verdict, founded_verdict
from kg.model.vocabulary import RATIO_RELATIONS

# the print of a claim is the figure alone: "36%" does not say whether it is more or less
_DIRECTIONS: Final[Mapping[str, str]] = {"increase": " more", "decrease": " less", "times-less": " less"}

AT_A_TIME: Final = 200
"""Figures that are looked up together; between two such rounds it is asked whether there is time for more."""


@dataclass(slots=True)
class FigureCheck:
    """Checks figures against the graph. `covers` gives a thing with all below it: members, variants, configurations."""

    asker: Asker
    units: UnitTable
    covers: Callable[[str], Sequence[str]]
    _near: NearClaims = field(init=False)
    _match: ClaimMatch = field(init=False)
    _numbers: PublishedNumbers = field(init=False)
    _rates: SparseRates = field(init=False)
    _elsewhere: StatedElsewhere = field(init=False)
    _entries: EntryMatch = field(init=False)
    _nearest: NearestKnown = field(init=False)
    _unmatched: UnmatchedFigure = field(init=False)

    def __post_init__(self) -> None:
        self._near = NearClaims(self.asker, self.units)
        self._match = ClaimMatch(self.covers)
        self._numbers = PublishedNumbers(self.asker, self.units)
        self._rates = SparseRates(self.asker)
        self._elsewhere = StatedElsewhere(self.asker, self._match)
        self._entries = EntryMatch(self.asker)
        self._nearest = NearestKnown(self._near, self._numbers, self.covers)
        self._unmatched = UnmatchedFigure(self.asker, self._match, self._nearest, self._elsewhere, self._entries)

    def check(
        self,
        figures: Sequence[TextFigure],
        arithmetic: Mapping[int, Recomputed],
        line_of: Callable[[int], int],
        is_over: Callable[[], bool] = lambda: False,
    ) -> tuple[CheckedFigure, ...]:
        """The verdicts of some figures; `arithmetic` is what was recomputed within the text, by start of the result.

        Where `is_over` says that there is no more time, the figures so far, and never none.
        """
        checked: list[CheckedFigure] = []
        for start in range(0, len(figures), AT_A_TIME):
            if start and is_over():
                break
            checked += self._some(figures[start : start + AT_A_TIME], arithmetic, line_of)
        return tuple(checked)

    def _some(
        self, figures: Sequence[TextFigure], arithmetic: Mapping[int, Recomputed], line_of: Callable[[int], int]
    ) -> tuple[CheckedFigure, ...]:
        near = self._near.of(figures)
        checked = [
            self._with_peak(
                self._checked(figure, near.get(at, []), arithmetic.get(figure.start), line_of(figure.start))
            )
            for at, figure in enumerate(figures)
        ]
        return self._with_slips(checked)

    def _with_peak(self, checked: CheckedFigure) -> CheckedFigure:
        """A peak of the number format that the text names, held against those of that format with and without sparsity."""
        canonical = self._near.canonical(checked.figure)[1] if is_stated_peak(checked.figure) else None
        if canonical is None:
            return checked
        things = self.covers(checked.figure.subjects[0].value)
        published = [one for thing in things for one in self._numbers.of(thing)]
        return as_stated_peak(checked, float(canonical[1]), published, self._rates) or checked

    def _with_slips(self, checked: Sequence[CheckedFigure]) -> tuple[CheckedFigure, ...]:
        """The figures, those that are a known value but for a slip of print judged as such."""
        open_ones = [at for at, one in enumerate(checked) if not one.same and one.arithmetic is None]
        tried = [(at, slip) for at in open_ones for slip in slips(self._read_by_unit(checked[at].figure))]
        near = self._near.of([slip.figure for _, slip in tried])
        found = dict(enumerate(checked))
        for number, (at, slip) in enumerate(tried):
            meant = [card for card in near.get(number, ()) if self._is_meant(slip.figure, card)]
            # one slip that explains a figure is given; each further one would be a guess
            if meant and found[at] is checked[at]:
                found[at] = _misprinted(checked[at], slip, meant)
        return tuple(found.values())

    def _read_by_unit(self, figure: TextFigure) -> TextFigure:
        return read_by_unit(figure, self._near.canonical(figure)[0])

    def _is_meant(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a figure without its slip is a claim that nothing refutes, of the very thing and metric that are named."""
        # reports take these rates for one another, so that two or three digits agree by chance
        kinds = card.figure.quantity_kind in MIXED_UP and not is_telling(figure.printed)
        if kinds or card.verdict in ("wrong", "disputed") or metric_rank(figure, card) != 0:
            return False
        return self._match.score(figure, card) is not None and not is_of_several(figure, card)

    # --- the verdict

    def _checked(
        self, figure: TextFigure, near: list[ClaimCard], arithmetic: Recomputed | None, line: int
    ) -> CheckedFigure:
        if figure.currency is not None:
            why = f"It is an amount in another currency ({figure.currency}); prices are known in US dollars and renminbi only."
            return CheckedFigure(figure, line, "unknown", why)
        scored = self._scored(figure, near)
        best = max((score for score, _ in scored), default=None)
        same = [card for score, card in scored if score == best]
        refuted = self._refuted_below(figure, same) if same else None
        if same and refuted is None:
            known = self._as_known(figure, same, arithmetic, line)
            known = self._of_named_run(self._of_named_round(known, same, near), same)
            return self._entries.of_named_entry(known, same)
        if arithmetic is not None and not arithmetic.fits:
            return CheckedFigure(
                figure, line, "wrong", arithmetic.reason, arithmetic.value_to_use, arithmetic=arithmetic
            )
        if (refuting := refuted_print(figure, near)) is not None:
            return _as_refuted_print(figure, line, refuting, self._other_side(refuting), arithmetic)
        if arithmetic is not None:
            return CheckedFigure(figure, line, "unverified", arithmetic.reason, arithmetic=arithmetic)
        return self._unmatched.judged(refuted or figure, line, near)

    def _scored(self, figure: TextFigure, near: list[ClaimCard]) -> list[tuple[tuple[int, ...], ClaimCard]]:
        """The claims about the same thing, each with how surely it is.

        A claim of a family leaves open whether it holds for the chip or the rack: one of the rack with the same figure decides.
        So does one with a baseline for those that name none.
        """
        scored: list[tuple[tuple[int, ...], ClaimCard]]
        scored = [(score, card) for card in near if (score := self._match.score(figure, card)) is not None]
        if figure.baselines and any(self._is_to_another(figure, card) for card in near):
            scored = [(score, card) for score, card in scored if card.baseline is not None]
        wholes = (card for card in near if is_of_a_whole(figure, card))
        if not any(self._match.subject_rank(figure, card) is not None for card in wholes):
            return scored
        return [(score, card) for score, card in scored if card.level != "family"]

    def _is_to_another(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim gives a ratio of the thing and metric of a figure, to another baseline."""
        ranks = (self._match.subject_rank(figure, card), metric_rank(figure, card))
        return card.baseline is not None and None not in ranks and not self._match.baseline_fits(figure, card)

    def _as_known(
        self, figure: TextFigure, same: list[ClaimCard], arithmetic: Recomputed | None, line: int
    ) -> CheckedFigure:
        same = speaking_of(figure, same)
        verdict = founded_verdict(card.verdict for card in without_repetitions(same))
        worst = _worst_of(same, verdict)
        verdict, reason, value = as_the_text_has_it(figure, worst, verdict, is_sparse=self._rates.is_sparse(worst))
        is_own = self._is_of_own_product(figure) and _is_as_on_the_sheet(figure, same, verdict)
        if not is_own and not is_of_publisher(figure, same):
            verdict, reason = as_attributed(figure, same, verdict, reason)
        if arithmetic is not None and not arithmetic.fits and SEVERITY[verdict] > SEVERITY["wrong"]:
            verdict, reason, value = "wrong", arithmetic.reason, arithmetic.value_to_use
        # a figure that may stand needs no other in its place
        if verdict in ("confirmed", "unverified"):
            value = None
        others = self._other_side(worst) if verdict == "disputed" else ()
        return CheckedFigure(figure, line, verdict, reason, value, tuple(map(known_value, same)), others, arithmetic)

    def _is_of_own_product(self, figure: TextFigure) -> bool:
        """Whether the maker of a chip is said to give what is printed of it in one way: its data sheet does."""
        if figure.speaker is None or not figure.subjects:
            return False
        if not figure.metrics or figure.metrics[0].value not in ONE_VALUE:
            return False
        cards = self.asker.rows("entities/card", thing=figure.subjects[0].value)
        return any(one["maker"] == figure.speaker for one in cards)

    def _of_named_round(
        self, checked: CheckedFigure, same: Sequence[ClaimCard], near: Sequence[ClaimCard]
    ) -> CheckedFigure:
        """A figure of a benchmark round: a caution where only claims of no round match, and the published result is of another."""
        figure = checked.figure
        is_open = "round" in figure.conditions and not any("round" in stated_conditions(one.conditions) for one in same)
        # a count of 72 accelerators is a result of many rounds
        if not is_open or not is_telling(figure.printed) or checked.verdict not in ("confirmed", "unverified"):
            return checked
        for card in near:
            ranks = (self._match.subject_rank(figure, card), metric_rank(figure, card))
            stated = stated_conditions(card.conditions).get("round")
            if card.verdict == "confirmed" and None not in ranks and stated is not None:
                # a claim of the named round would be among those that match
                reason = f"{card.worded} is the published result of {stated.replace('-', ' ')} [{card.id}]"
                return replace(checked, verdict="caution", reason=reason, value_to_use=None)
        return checked

    def _of_named_run(self, checked: CheckedFigure, same: Sequence[ClaimCard]) -> CheckedFigure:
        """A figure of what one organisation achieved: a caution where only claims of others match, and its own is another."""
        figure = checked.figure
        is_theirs = figure.operator is None or any(is_run_by(one, figure.operator) for one in same)
        if is_theirs or checked.verdict not in ("confirmed", "unverified"):
            return checked
        run = self._elsewhere.of_named_run(figure, same[0])
        if run is None:
            return checked
        reason = f"{same[0].worded} is stated of another run [{same[0].id}]; of this one {run.worded} [{run.id}]"
        return replace(checked, verdict="caution", reason=reason, value_to_use=run.worded)

    def _other_side(self, card: ClaimCard) -> tuple[KnownValue, ...]:
        """What others say of the same thing and metric."""
        found: dict[str, KnownValue] = {}
        for subject in card.subjects:
            for one in self._numbers.of(subject.id):
                mine = card.figure.canonical_value
                # half a percent, the distance within which a search for a number takes two values
                # as near
                if one.metric == bare(card.metric) and mine is not None and abs(one.value - mine) > 0.005 * abs(mine):
                    found.setdefault(f"{one.known.printed}|{one.known.source}", one.known)
        return tuple(sorted(found.values(), key=lambda one: one.claim))[:4]

    def _refuted_below(self, figure: TextFigure, same: Sequence[ClaimCard]) -> TextFigure | None:
        """A figure that only the family is said to have, where the very card that the text names has other ones.

        Its metric is that of the claims, even where the text alone ("BW") leaves it open, and like them it is of the whole.
        """
        if figure.is_denied or not all(self._match.is_apart(figure, card) for card in same):
            return None
        surely = figure
        # another candidate may be meant instead; what holds of all chips of its name is said of this one
        if all(self._match.is_of_family(figure, card) for card in same):
            metric = Ranked(bare(same[0].metric) or same[0].metric, SURE)
            others = (one for one in figure.metrics if one.value != metric.value)
            surely = replace(figure, metrics=(metric, *others), is_partial=False)
        is_refuted = self._nearest.out_of_line(surely, self._nearest.nearest(surely)) is not None
        return surely if is_refuted else None


def _worst_of(same: Sequence[ClaimCard], verdict: Verdict) -> ClaimCard:
    """The claim that words the verdict of several."""
    named = [card for card in same if card.verdict == verdict] or same
    worst = min(named, key=lambda card: (SEVERITY[card.verdict], card.value_to_use is None, card.id))
    # a caution that comes of a wrong claim among several is worded by that one: it carries the correction
    return next((card for card in same if verdict == "caution" and card.verdict == "wrong"), worst)


def _is_as_on_the_sheet(figure: TextFigure, same: Sequence[ClaimCard], verdict: Verdict) -> bool:
    """Whether a value of the product of who is said to say it may come of the data sheet: not where somebody else confirms it."""
    maker = figure.speaker_printed.casefold()
    return verdict != "confirmed" or any(maker in card.verdict_reason.casefold() for card in same)


def _as_refuted_print(
    figure: TextFigure, line: int, card: ClaimCard, others: tuple[KnownValue, ...], arithmetic: Recomputed | None
) -> CheckedFigure:
    """A telling figure that a wrong or disputed claim prints of something that the text does not name."""
    thing, metric = card.subjects[0].name, (bare(card.metric) or "").replace("-", " ")
    reason = (
        f"a claim that states this very figure is {card.verdict}: {card.figure.shown} of {thing}, {metric} [{card.id}]: "
        f"{card.verdict_reason}"
    )
    other_side = others if card.verdict == "disputed" else ()
    return CheckedFigure(
        figure,
        line,
        "caution",
        reason,
        card.value_to_use,
        (),
        (known_value(card), *other_side),
        arithmetic,
        is_stated_otherwise=True,
    )


def _misprinted(one: CheckedFigure, slip: Slip, meant: Sequence[ClaimCard]) -> CheckedFigure:
    """A figure that is a known value but for a slip: wrong where that is confirmed."""
    # the print of a cell may leave its unit to the header
    unitless = {card.id: (bare(card.figure.unit) or "") not in (card.worded or "") for card in meant}
    card = min(meant, key=lambda card: (-SEVERITY[card.verdict], unitless[card.id], card.id))
    joined = "; " if slip.figure.relation in RATIO_RELATIONS else " "
    worded = f"{card.worded}{_DIRECTIONS.get(card.relation, '')}"
    reason = f"{slip.words}{joined}{worded}, which is stated of it [{card.id}]"
    is_sure = card.verdict == "confirmed"
    return replace(
        one,
        verdict="wrong" if is_sure else "caution",
        reason=reason,
        value_to_use=worded if is_sure else None,
        others=tuple(map(known_value, meant[:3])),
        is_stated_otherwise=True,
    )
