"""A peak that a text calls dense or sparse, next to the dense peaks of that number format that are published of the thing.

With sparsity NVIDIA's and AMD's chips are rated at twice the dense peak, so that each of both follows from the other.
"""

from collections.abc import Sequence
from typing import Final

from kg.answers.checked_figures import CheckedFigure, TextFigure
from kg.answers.known_numbers import KnownNumber, short_name

_LIKELY: Final = 0.5
"""The confidence of thing and metric that is enough: of "dense" next to it, reading thinks of a class of models."""
_ROUNDED: Final = 0.01
"""By how much twice a dense peak may be off, as data sheets round both."""
_FAR: Final = 1.25
"""From how many times the largest dense peak of its format on a figure is none."""


def is_stated_peak(figure: TextFigure) -> bool:
    """Whether a text names number format and sparsity of a peak."""
    if not figure.metrics or not figure.subjects or figure.metrics[0].value != "peak-compute":
        return False
    is_named = min(figure.metrics[0].confidence, figure.subjects[0].confidence) >= _LIKELY
    is_whole = figure.relation == "absolute" and not figure.is_partial
    return is_named and is_whole and {"precision", "sparsity"} <= figure.conditions.keys()


def as_stated_peak(checked: CheckedFigure, value: float, published: Sequence[KnownNumber]) -> CheckedFigure | None:
    """The verdict that dense peaks of its number format give a figure; None where they say nothing else than is known of it.

    `value` is in canonical units.
    """
    figure = checked.figure
    dense = [one for one in published if _is_dense_of_format(figure, one)]
    if not dense or figure.is_denied:
        return None
    doubled = next((one for one in dense if abs(value - 2 * one.value) <= 2 * _ROUNDED * one.value), None)
    nearest = doubled or max(dense, key=lambda one: one.value)
    stated = f"{nearest.known.printed} without sparsity is stated of {nearest.label} [{nearest.known.claim}]"
    if figure.conditions["sparsity"] == "sparse":
        # a peak that is doubtful for want of just these conditions is none where the text gives them
        if doubled is None or checked.verdict not in ("caution", "unknown"):
            return None
        return CheckedFigure(figure, checked.line, "unverified", f"twice the dense peak: {stated}", None, checked.same)
    if value < _FAR * nearest.value or checked.verdict in ("wrong", "disputed"):
        return None
    how = "twice the dense peak, as with sparsity" if doubled is not None else "far above the dense peak"
    use = nearest.known.printed if nearest.known.verdict == "confirmed" else None
    return CheckedFigure(figure, checked.line, "caution", f"{how}: {stated}", use, checked.same, (nearest.known,))


def _is_dense_of_format(figure: TextFigure, known: KnownNumber) -> bool:
    stated = known.conditions
    formats = {short_name(one) for one in stated.get("precision", "").split(", ")}
    is_usable = known.metric == "peak-compute" and known.known.verdict != "wrong"
    return is_usable and stated.get("sparsity") == "dense" and short_name(figure.conditions["precision"]) in formats
