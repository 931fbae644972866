"""Rates with and without sparsity: which of both a claim gives, and a peak of a text next to the peaks of its number format.

With sparsity NVIDIA's and AMD's chips are rated at twice the dense peak, so that each of both follows from the other.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from kg.answers.asking import Asker, said
from kg.answers.checked_figures import CheckedFigure, TextFigure
from kg.answers.claim import ClaimCard, read_cards
from kg.answers.known_numbers import KnownNumber, short_name
from kg.model.condition_line import stated_conditions
from kg.model.reference import WITH_SPARSITY
from kg.model.vocabulary import RATIO_RELATIONS

_LIKELY: Final = 0.5
"""The confidence of thing and metric that is enough: of "dense" next to it, reading thinks of a class of models."""
_ROUNDED: Final = 0.01
"""By how much twice a dense peak may be off, as data sheets round both."""
_FAR: Final = 1.25
"""From how many times the largest dense peak of its format on a figure is none."""
_DEEPEST: Final = 3
"""How many computations deep the rate is looked for that a figure comes of."""
_COMPUTE: Final = "OP/s"
_RATES: Final = frozenset({"peak-compute", "energy-efficiency"})


@dataclass(slots=True)
class SparseRates:
    """Which claims give a rate with sparsity; what one is computed from is looked up once."""

    asker: Asker
    _looked_up: dict[str, bool] = field(default_factory=dict)

    def is_sparse(self, card: ClaimCard) -> bool:
        """Whether a claim gives a rate with sparsity, or what is computed from one: operations a second for each watt."""
        if _COMPUTE not in (card.figure.unit or "") or card.relation in RATIO_RELATIONS:
            return False
        if card.id not in self._looked_up:
            self._looked_up[card.id] = self._is_any_sparse([card], _DEEPEST)
        return self._looked_up[card.id]

    def is_claim_sparse(self, claim: str) -> bool:
        """The same of a claim by its id."""
        return any(map(self.is_sparse, read_cards(self.asker, (claim,)).values()))

    def _is_any_sparse(self, cards: Collection[ClaimCard], depth: int) -> bool:
        open_ones = [one for one in cards if _COMPUTE in (one.figure.unit or "") and not _stated_sparsity(one)]
        if any(map(_is_rated_sparse, cards)):
            return True
        if not open_ones or not depth:
            return False
        rows = self.asker.rows("claims/inputs", claim=tuple(one.id for one in open_ones))
        inputs = {name for row in rows if (name := said(row, "input_claim"))} - {one.id for one in cards}
        return bool(inputs) and self._is_any_sparse(read_cards(self.asker, sorted(inputs)).values(), depth - 1)


def _stated_sparsity(card: ClaimCard) -> str:
    return short_name(stated_conditions(card.conditions).get("sparsity", ""))


def _is_rated_sparse(card: ClaimCard) -> bool:
    """Whether a claim says that it counts sparsity, or a data sheet that does confirms it."""
    stated = _stated_sparsity(card)
    return stated == "sparse" or (not stated and WITH_SPARSITY in card.verdict_reason)


def is_stated_peak(figure: TextFigure) -> bool:
    """Whether a text names the number format of a peak, or of what it is for each watt."""
    if not figure.metrics or not figure.subjects or figure.metrics[0].value not in _RATES:
        return False
    is_named = min(figure.metrics[0].confidence, figure.subjects[0].confidence) >= _LIKELY
    is_whole = figure.relation == "absolute" and not figure.is_partial
    return is_named and is_whole and "precision" in figure.conditions


def as_stated_peak(
    checked: CheckedFigure, value: float, published: Sequence[KnownNumber], rates: SparseRates
) -> CheckedFigure | None:
    """The verdict that the peaks of its number format give a figure; None where they say nothing else than is known of it.

    `value` is in canonical units.
    """
    figure = checked.figure
    peaks = [one for one in published if _is_of_format(figure, one)]
    dense = [one for one in peaks if one.conditions.get("sparsity") == "dense"]
    if figure.is_denied or checked.verdict in ("wrong", "disputed"):
        return None
    doubled = next((one for one in dense if _is_twice(value, one.value)), None)
    if figure.conditions.get("sparsity") == "sparse":
        # a peak that is doubtful for want of just these conditions is none where the text gives them
        if doubled is None or checked.verdict not in ("caution", "unknown"):
            return None
        return CheckedFigure(
            figure, checked.line, "unverified", f"twice the dense peak: {_stated(doubled)}", None, checked.same
        )
    return _as_half(checked, value, peaks, rates) or _as_twice(checked, value, dense, doubled)


def _as_half(
    checked: CheckedFigure, value: float, peaks: Sequence[KnownNumber], rates: SparseRates
) -> CheckedFigure | None:
    """A dense peak that is half of the one with sparsity, or that is doubtful only for those that leave sparsity open."""
    figure = checked.figure
    if not _is_own_doubt(checked) or checked.verdict == "confirmed":
        return None
    whole = [one for one in peaks if one.conditions.get("sparsity") != "dense" and _is_twice(one.value, value)]
    sheet = next((one for one in whole if rates.is_claim_sparse(one.known.claim)), None)
    if sheet is not None:
        reason = f"half of {sheet.known.printed}, the rate with sparsity [{sheet.known.claim}]: {sheet.known.reason}"
        return CheckedFigure(figure, checked.line, sheet.known.verdict, reason, None, checked.same)
    dense = [
        one for one in peaks if one.conditions.get("sparsity") == "dense" and abs(one.value - value) <= _ROUNDED * value
    ]
    if not dense or not whole or checked.verdict != "caution":
        return None
    reason = f"{_stated(dense[0])}; {whole[0].known.printed}, twice as much, is given by who leaves sparsity open"
    return CheckedFigure(figure, checked.line, "unverified", reason, None, checked.same)


def _as_twice(
    checked: CheckedFigure, value: float, dense: Sequence[KnownNumber], doubled: KnownNumber | None
) -> CheckedFigure | None:
    """A peak that is twice the dense one, or more, and of which the text does not say that it counts sparsity."""
    figure, is_dense = checked.figure, checked.figure.conditions.get("sparsity") == "dense"
    if not dense or (doubled is None and not is_dense):
        return None
    nearest = doubled or max(dense, key=lambda one: one.value)
    if value < _FAR * nearest.value or (not is_dense and checked.verdict == "caution" and not _is_own_doubt(checked)):
        return None
    how = "twice the dense peak, as with sparsity" if doubled is not None else "far above the dense peak"
    unsaid = "" if is_dense else ", which is not said here"
    use = nearest.known.printed if nearest.known.verdict == "confirmed" else None
    reason = f"{how}{unsaid}: {_stated(nearest)}"
    others = () if checked.same else (nearest.known,)
    return CheckedFigure(figure, checked.line, "caution", reason, use, checked.same, others)


def _is_own_doubt(checked: CheckedFigure) -> bool:
    """Whether a verdict is that of the claims alone: who is said to say it, and "more than", are doubts of another kind."""
    is_of_claims = checked.verdict == "unknown" or checked.reason in {one.reason for one in checked.same}
    return is_of_claims and checked.figure.speaker is None and checked.figure.hedge is None


def _stated(known: KnownNumber) -> str:
    return f"{known.known.printed} without sparsity is stated of {known.label} [{known.known.claim}]"


def _is_twice(value: float, half: float) -> bool:
    return abs(value - 2 * half) <= 2 * _ROUNDED * half


def _is_of_format(figure: TextFigure, known: KnownNumber) -> bool:
    formats = {short_name(one) for one in known.conditions.get("precision", "").split(", ")}
    is_usable = known.metric == figure.metrics[0].value and known.known.verdict != "wrong"
    return is_usable and short_name(figure.conditions["precision"]) in formats
