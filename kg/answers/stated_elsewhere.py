"""A figure of a text that no claim states of the same thing: who states it otherwise, and whether what states it is refuted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kg.answers.checked_figures import TextFigure
from kg.answers.claim import ClaimCard, bare
from kg.answers.claim_match import ClaimMatch, conditions_agreed
from kg.answers.figure_match import (
    SURE,
    held_at,
    holds_then,
    is_among,
    is_everyday,
    is_of_a_whole,
    is_of_one,
    is_other_part,
    is_rare,
    is_same_print,
    metric_rank,
    same_value,
)
from kg.answers.telling_digits import is_telling
from kg.model.condition_line import stated_conditions
from kg.model.vocabulary import RATIO_RELATIONS

_BOUGHT_WHOLE: Final = ("node", "rack", "pod")
_OF_ALL_IN_IT: Final = frozenset({"purchase-price", "power", "memory-capacity", "memory-bandwidth"})
"""Metrics whose figure of a server is that of all devices in it."""


@dataclass(frozen=True, slots=True)
class StatedElsewhere:
    """Finds and words the claims that have the very figure of a text, of something else."""

    match: ClaimMatch

    def cards(self, figure: TextFigure, near: Sequence[ClaimCard]) -> list[ClaimCard]:
        """The claims with the very figure that are about another thing, metric or baseline, or hold under other conditions."""
        given = (card for card in near if is_same_print(figure, card) or same_value(figure, card))
        return sorted(
            (card for card in given if self._is_telling(figure, card)), key=lambda card: self._distance(figure, card)
        )

    def _is_telling(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether it says something that a claim has the very figure: the figure is rare, or what it is of is named."""
        subject, metric = self.match.subject_rank(figure, card), metric_rank(figure, card)
        if subject is None and is_everyday(figure, metric):
            return False
        is_named = metric == 0 and figure.metrics[0].confidence >= SURE
        if is_named or is_rare(figure, card):
            return True
        is_whole = metric == 0 and is_of_a_whole(figure, card)
        return subject is not None and (figure.relation in RATIO_RELATIONS or is_other_part(figure, card) or is_whole)

    def _distance(self, figure: TextFigure, card: ClaimCard) -> tuple[int, bool, int, bool, int, str]:
        """How far what a claim says is from what a text says, to sort by."""
        subject, metric = self.match.subject_rank(figure, card), metric_rank(figure, card)
        # behind each rank that a subject can have (0 to 2)
        rank = 9 if subject is None else subject
        apart = self._respects_apart(figure, card)
        return apart, card.level == "family", rank, card.baseline is None, metric or 0, card.id

    def _respects_apart(self, figure: TextFigure, card: ClaimCard) -> int:
        """In how many respects a claim says something else: thing, metric, baseline, conditions."""
        fits = self.match.baseline_fits(figure, card) and (card.baseline is not None or not figure.baselines)
        ranks = (self.match.subject_rank(figure, card), metric_rank(figure, card), conditions_agreed(figure, card))
        return (not fits) + ranks.count(None)

    def is_of_more(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim gives the price, power or memory of a server or a rack of the very chip of which the text says it."""
        is_of_it = self.match.subject_rank(figure, card) is not None and metric_rank(figure, card) == 0
        if figure.is_denied or figure.is_partial or figure.is_together:
            return False  # "a server with eight H100" is the whole itself
        is_owned = card.level in _BOUGHT_WHOLE and bare(card.metric) in _OF_ALL_IN_IT
        return is_of_it and is_owned and is_of_a_whole(figure, card)

    def difference(self, figure: TextFigure, card: ClaimCard) -> str:
        """In which way a claim with the very figure says something else."""
        thing, metric = card.subjects[0].name, (bare(card.metric) or "").replace("-", " ")
        rank, shown = self.match.subject_rank(figure, card), card.figure.shown
        if is_of_one(figure, card):
            return f"{shown} is stated of one {thing}"
        if self.is_of_more(figure, card):
            return f"{shown} is stated of {thing}, a whole {card.level}, not of one device: {metric}"
        if rank is None or is_of_a_whole(figure, card):
            return f"{shown} is stated of {thing}, {metric}"
        if not self.match.baseline_fits(figure, card):
            return f"{shown} is stated against {_baseline_of(card)}"
        if not holds_then(figure, card):
            return f"{shown} is stated for {held_at(card)}"
        if conditions_agreed(figure, card) is None:
            return f"{shown} is stated {_other_conditions(figure, card)}"
        is_other = rank == 2 and (card.verdict in ("wrong", "disputed") or metric_rank(figure, card) == 0)
        judged = f", and is {card.verdict}" if card.verdict in ("wrong", "disputed") else ""
        return f"{shown} is stated of {thing}, {metric}{judged}" if is_other else f"{shown} is stated of it as {metric}"


def refuted_print(figure: TextFigure, near: Sequence[ClaimCard]) -> ClaimCard | None:
    """The wrong or disputed claim that prints a telling figure, of something that the text need not name; None where a claim confirms it.

    Four digits and more are hardly chance: who repeats "72,428 per chip" without a name repeats the claim.
    """
    if figure.is_denied or not is_telling(figure.printed):
        return None
    same = [card for card in near if is_same_print(figure, card) or same_value(figure, card)]
    refuted = [card for card in same if card.verdict in ("wrong", "disputed")]
    if not refuted or any(card.verdict == "confirmed" for card in same):
        return None
    return min(refuted, key=lambda card: (card.verdict != "wrong", card.value_to_use is None, card.id))


def _baseline_of(card: ClaimCard) -> str:
    return "what is not named" if card.baseline is None else card.baseline.name


def _other_conditions(figure: TextFigure, card: ClaimCard) -> str:
    """The conditions of a claim that are others than those of the text, in words."""
    known = stated_conditions(card.conditions)
    stated = ((name, value) for name, value in figure.conditions.items() if name in known)
    other = [f"{name} {known[name].replace('-', ' ')}" for name, value in stated if not is_among(value, known[name])]
    return f"for {', '.join(other)}" if other else "of a run that is not named here"
