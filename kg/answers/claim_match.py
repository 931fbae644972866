"""How surely a claim is about what a figure of a text is about: the thing, the metric, the baseline and the conditions.

What one figure and one claim tell by themselves is in `kg.answers.figure_match`; here it is known too what lies below a thing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kg.answers.checked_figures import TextFigure
from kg.answers.claim import ClaimCard, bare
from kg.answers.figure_match import (
    LEAST,
    SURE,
    conditions_told,
    holds_then,
    is_among,
    is_metric_possible,
    is_of_a_whole,
    is_of_one,
    is_other_part,
    is_rare,
    is_same_condition,
    is_sure,
    metric_rank,
)
from kg.model.condition_line import stated_conditions
from kg.reading.known_names import NEW

_TELLING: Final = re.compile(r"[A-Z][a-z]{4,}")
"""A word of a name that may tell it from others: "Colossus" of "xAI Colossus Memphis Phase 1"."""
_BEFORE: Final = re.compile(r"([a-z]{5,})(?: cluster)?:? $")
_COMMON: Final = frozenset({"cluster", "phase", "supercomputer", "system"})
_MANY: Final = 1_000
"""From how many chips on a count is hardly chance where the cluster is named too."""
_OF_A_RUN: Final = frozenset({"accelerators-used"})
"""Metrics of what somebody did with a thing: the same only where the text names a condition of that run too."""


@dataclass(frozen=True, slots=True)
class ClaimMatch:
    """Scores claims; `covers` gives a thing with all below it: members, variants, configurations."""

    covers: Callable[[str], Sequence[str]]

    def score(self, figure: TextFigure, card: ClaimCard) -> tuple[int, int, int, int] | None:
        """How surely a claim is about the same thing; None where it is not, or is about other conditions.

        The thing counts before the metric, that before the conditions: a rank of the reader's candidates is surer than a word nearby.
        """
        subject = self.subject_rank(figure, card)
        metric = metric_rank(figure, card)
        if subject is None:
            return None
        # a figure like "72,428" points to a claim by itself, one like "8" only with its metric
        # named
        is_telling = is_rare(figure, card) or _is_count_of_cluster(figure, card)
        if not is_telling and not is_sure(figure, card, subject=subject, metric=metric):
            return None
        if is_telling and not is_metric_possible(figure, card, metric):
            return None
        agreed = conditions_agreed(figure, card)
        if agreed is None or not self.baseline_fits(figure, card):
            return None
        if (
            is_of_one(figure, card)
            or is_of_a_whole(figure, card)
            or not holds_then(figure, card)
            or is_other_part(figure, card)
        ):
            return None
        # a telling figure may be of a metric that reading did not think of: it comes behind all that reading offers
        return (-min(subject, 2), -(metric if metric is not None else 5), agreed, conditions_told(figure, card))

    def subject_rank(self, figure: TextFigure, card: ClaimCard) -> int | None:
        """0 for the first candidate, 1 for another one, 2 for a thing above or below one; None for something else.

        A claim of a device on a model is as one of a thing below that model.
        """
        ids = {one.id for one in card.subjects}
        offered = [one.value for one in figure.subjects if one.confidence >= LEAST]
        if offered[:1] and offered[0] in ids:
            return 0
        if ids & set(offered):
            return 1
        for one in offered[:2]:
            below = set(self.covers(one))
            if ids & below or any(one in self.covers(name) for name in ids):
                return None if self._is_sibling(figure, card) else 2
        return 2 if _is_on_model(offered, card) or is_cluster_named(figure, card) else None

    def _is_sibling(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether the text surely names one card, and a claim is of others of its family: the PCIe card is not the SXM one."""
        first = figure.subjects[0]
        if first.confidence < SURE or not first.value.startswith("accelerator/"):
            return False
        return self.is_apart(figure, card) and not self.is_of_family(figure, card)

    def is_apart(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim is neither of the thing that the text names first nor of anything below it."""
        named = set(self.covers(figure.subjects[0].value))
        return not any(one.id in named for one in card.subjects)

    def is_of_family(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim is of what the thing that the text names first is one of, or of it."""
        return any(figure.subjects[0].value in self.covers(one.id) for one in card.subjects)

    def baseline_fits(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a ratio of a claim is to what the text compares with, or to what lies above or below that."""
        if not figure.baselines:
            return True
        if card.baseline is None:  # a ratio to nothing that is named is no witness for one to a thing that is
            return figure.baselines[0].confidence < SURE
        first = figure.baselines[0].value
        return card.baseline.id in self.covers(first) or first in self.covers(card.baseline.id)


def is_cluster_named(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether the text names what tells the cluster of a claim from others: published ones have no curated names."""
    telling = {word.casefold() for word in _named_newly(figure)} - _COMMON
    labels = (one.label or "" for one in card.subjects if one.id.startswith("cluster/"))
    return bool(telling) and any(telling <= set(label.casefold().split()) for label in labels)


def _named_newly(figure: TextFigure) -> list[str]:
    """The telling words of the thing that the text names first, or right before its figure."""
    first = figure.subjects[0].value if figure.subjects else ""
    if first.startswith(NEW):
        return _TELLING.findall(first.removeprefix(NEW))
    before, *others = figure.words.split(figure.printed)
    # where the figure is there twice, what is before it may be before the other
    return _BEFORE.findall(before) if len(others) == 1 else []


def _is_count_of_cluster(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a figure counts the many chips of a cluster that the text names: "Colossus runs 100,000 H100s"."""
    return (card.figure.canonical_value or 0) >= _MANY and is_cluster_named(figure, card)


def _is_on_model(offered: Sequence[str], card: ClaimCard) -> bool:
    """Whether the text names a model and no device, and a claim holds on that model: it may be said of either."""
    model = stated_conditions(card.conditions).get("model")
    return (
        model is not None
        and bool(offered)
        and all(one.startswith("model/") and is_among(one, model) for one in offered)
    )


def conditions_agreed(figure: TextFigure, card: ClaimCard) -> int | None:
    """How many conditions both state alike; None where they state one otherwise."""
    known = stated_conditions(card.conditions)
    agreed = 0
    for name, value in figure.conditions.items():
        if name not in known:
            continue
        if not is_same_condition(name, value, known[name]):
            return None
        agreed += 1
    is_of_a_run = bare(card.metric) in _OF_A_RUN and not is_cluster_named(figure, card)
    return None if is_of_a_run and not agreed else agreed
