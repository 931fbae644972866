"""Claims that give the very figure of a text of something else: another thing, metric, baseline, month or run.

What is stated of the run that the text names, where such a claim is of another one; and whether what states it is refuted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kg.answers.asking import Asker, text
from kg.answers.checked_figures import TextFigure
from kg.answers.claim import ClaimCard, bare, read_cards
from kg.answers.claim_match import ClaimMatch, conditions_agreed
from kg.answers.figure_match import (
    SURE,
    held_at,
    holds_then,
    is_everyday,
    is_of_a_whole,
    is_of_one,
    is_other_part,
    is_rare,
    is_same_condition,
    is_same_print,
    metric_rank,
    same_value,
    values_of_number,
)
from kg.answers.known_numbers import short_name
from kg.answers.named_run import is_run_by
from kg.answers.telling_digits import is_telling
from kg.ask.mentions import in_digits
from kg.model.condition_line import stated_conditions
from kg.model.units import COUNT_PREFIX
from kg.model.vocabulary import RATIO_RELATIONS

_NAMED: Final = 0.5
"""The confidence from which a metric counts as named, where the thing is the one of the claim."""
_BOUGHT_WHOLE: Final = ("node", "rack", "pod")
_OF_ALL_IN_IT: Final = frozenset({"purchase-price", "power", "memory-capacity", "memory-bandwidth"})
"""Metrics whose figure of a server is that of all devices in it."""
_NOT_TO_USE: Final = ("wrong", "disputed")


@dataclass(frozen=True, slots=True)
class StatedElsewhere:
    """Finds them among the claims near a figure, and says in which way they differ."""

    asker: Asker
    match: ClaimMatch

    def of(self, figure: TextFigure, near: Sequence[ClaimCard]) -> list[ClaimCard]:
        """The claims with the very figure that are about another thing, metric or baseline, or hold under other conditions."""
        found: list[tuple[tuple[int, bool, int, bool, int, str], ClaimCard]] = []
        for card in near:
            subject, metric = self.match.subject_rank(figure, card), metric_rank(figure, card)
            if _is_stated(figure, card, subject, metric):
                # behind each rank that a subject can have (0 to 2)
                rank = 9 if subject is None else subject
                apart = self._respects_apart(figure, card)
                found.append(((apart, card.level == "family", rank, card.baseline is None, metric or 0, card.id), card))
        return [card for _, card in sorted(found, key=lambda one: one[0])]

    def _respects_apart(self, figure: TextFigure, card: ClaimCard) -> int:
        """In how many respects a claim says something else: thing, metric, baseline, conditions."""
        fits = self.match.baseline_fits(figure, card) and (card.baseline is not None or not figure.baselines)
        ranks = (self.match.subject_rank(figure, card), metric_rank(figure, card))
        # a claim that differs in the month alone is nearer than one of another model too
        other = len(_conditions_apart(figure, card)) + (not holds_then(figure, card))
        return (not fits) + ranks.count(None) + max(other, conditions_agreed(figure, card) is None)

    def of_other_conditions(self, figure: TextFigure, cards: Sequence[ClaimCard]) -> list[ClaimCard]:
        """Those that differ from the text in their conditions alone."""
        conditional = (card for card in cards if conditions_agreed(figure, card) is None)
        return [card for card in conditional if self._respects_apart(figure, card) == 1]

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

    def of_named_run(self, figure: TextFigure, stated: ClaimCard) -> ClaimCard | None:
        """What is stated, with another value, of the very run that a text names, where a claim with its figure is of another.

        The text has to name what tells the runs apart: the month, the organisation, or a condition.
        """
        is_of_run = figure.relation not in RATIO_RELATIONS and stated.kind != "specification"
        # of one of two results in a sentence nobody can tell which words name its run
        is_of_run = is_of_run and figure.entry.is_alone
        if not is_of_run or not self._is_other_run(figure, stated):
            return None
        names = sorted({text(row, "other") for row in self.asker.rows("claims/same-statement", claim=(stated.id,))})
        found = [card for card in read_cards(self.asker, names).values() if _is_of_run(figure, card)]
        # of several, that which is most like the claim with the figure: pre-training as that is
        return max(found, key=lambda card: _alike(card, stated), default=None)

    def _is_other_run(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim gives the figure of the thing and metric of a text in another run, and nothing of that is named there."""
        if self.match.subject_rank(figure, card) is None or metric_rank(figure, card) is None:
            return False
        if (figure.unit or "").startswith(COUNT_PREFIX) or _may_be_its_own(figure, card):
            return False
        is_others = figure.operator is not None and not is_run_by(card, figure.operator)
        return is_others or not holds_then(figure, card) or conditions_agreed(figure, card) is None


def _is_stated(figure: TextFigure, card: ClaimCard, subject: int | None, metric: int | None) -> bool:
    """Whether a claim gives the very figure of a text, and that is worth a word: it is rare, or the metric is named."""
    if subject is None and is_everyday(figure, metric):
        return False
    # nothing is concluded of the thing itself but that somebody states the figure of it
    least = SURE if subject is None else _NAMED
    is_named = metric == 0 and figure.metrics[0].confidence >= least
    is_of_it = figure.relation in RATIO_RELATIONS or is_other_part(figure, card)
    is_of_it = subject is not None and (is_of_it or (metric == 0 and is_of_a_whole(figure, card)))
    is_worth_it = is_rare(figure, card) or is_named or is_of_it
    return is_worth_it and (is_same_print(figure, card) or same_value(figure, card))


def refuted_print(figure: TextFigure, near: Sequence[ClaimCard]) -> ClaimCard | None:
    """The wrong or disputed claim that prints a telling figure, of something that the text need not name; None where a claim confirms it.

    Four digits and more are hardly chance: who repeats "72,428 per chip" without a name repeats the claim.
    """
    if figure.is_denied or not is_telling(figure.printed) or _is_power_of_two(figure):
        return None
    same = [card for card in near if is_same_print(figure, card) or same_value(figure, card)]
    refuted = [card for card in same if card.verdict in _NOT_TO_USE]
    if not refuted or any(card.verdict == "confirmed" for card in same):
        return None
    return min(refuted, key=lambda card: (card.verdict != "wrong", card.value_to_use is None, card.id))


def _is_power_of_two(figure: TextFigure) -> bool:
    """Whether a figure is one that counts of everything take: 2,048 tokens, 4,096 chips."""
    values = values_of_number(figure.number)
    return len(values) == 1 and values[0].denominator == 1 and values[0].numerator.bit_count() == 1


def _may_be_its_own(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether what tells the run of a claim apart is named around a figure too: "43% in FP8 and 54% in BF16"."""
    known, words = stated_conditions(card.conditions), in_digits(figure.words).replace(",", "")
    apart = [known[name].replace(",", "") for name in _conditions_apart(figure, card)]
    apart += [] if holds_then(figure, card) else [held_at(card) or ""]
    names = (part for value in apart for part in re.split(r" to | ", short_name(value)))
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w]|\.\d)", words) is not None for name in names if name)


def _is_of_run(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a claim gives another value, and states all that a text says of its run alike."""
    known = stated_conditions(card.conditions)
    is_usable = card.modality == "stated" and card.verdict not in _NOT_TO_USE and bool(card.figure.values)
    return (
        is_usable
        and card.relation == figure.relation
        and not same_value(figure, card)
        and (figure.month is None or (held_at(card) is not None and holds_then(figure, card)))
        and (figure.operator is None or is_run_by(card, figure.operator))
        and all(
            name in known and is_same_condition(name, value, known[name]) for name, value in figure.conditions.items()
        )
    )


def _alike(card: ClaimCard, other: ClaimCard) -> int:
    """How many conditions two claims state alike."""
    return len(stated_conditions(card.conditions).items() & stated_conditions(other.conditions).items())


def _baseline_of(card: ClaimCard) -> str:
    return "what is not named" if card.baseline is None else card.baseline.name


def _conditions_apart(figure: TextFigure, card: ClaimCard) -> list[str]:
    """The conditions of a claim that are others than those of the text."""
    known = stated_conditions(card.conditions)
    stated = ((name, value) for name, value in figure.conditions.items() if name in known)
    return [name for name, value in stated if not is_same_condition(name, value, known[name])]


def _other_conditions(figure: TextFigure, card: ClaimCard) -> str:
    """The conditions of a claim that are others than those of the text, in words."""
    known = stated_conditions(card.conditions)
    other = [f"{name} {known[name].replace('-', ' ')}" for name in _conditions_apart(figure, card)]
    return f"for {', '.join(other)}" if other else "of a run that is not named here"
