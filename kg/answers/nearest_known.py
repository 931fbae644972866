"""The values that are published of what a text names, and whether a figure is out of line with all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.answers.checked_figures import TextFigure
from kg.answers.figure_match import BOUNDED, is_named_for_certain, is_same_condition
from kg.answers.known_numbers import KnownNumber, PublishedNumbers, is_out_of_line
from kg.answers.near_claims import NearClaims

_CARD: Final = "accelerator/"


@dataclass(frozen=True, slots=True)
class NearestKnown:
    """Finds them by thing and metric. `covers` gives a thing with all below it: members, variants, configurations."""

    near: NearClaims
    numbers: PublishedNumbers
    covers: Callable[[str], Sequence[str]]

    def out_of_line(self, figure: TextFigure, nearest: Sequence[KnownNumber]) -> list[KnownNumber] | None:
        """The values that are published of the thing, where a figure of a metric that is named for certain is far from all."""
        if not figure.subjects or not figure.metrics or not is_named_for_certain(figure):
            return None
        if not nearest:
            nearest = self._of_variants(figure)
            # they differ, and one may be missing: only what is far above all of them is out of line
            figure = replace(figure, is_used=True)
        kind, canonical = self.near.canonical(figure)
        if not nearest or nearest[0].kind != kind or canonical is None:
            return None
        # a range is out of line where all of it is, from the lower bound of one end to the upper
        # one of the other
        if figure.other_end is not None and (other := self.near.canonical(replace(figure, number=figure.other_end))[1]):
            canonical = min(canonical[0], other[0]), canonical[1], max(canonical[2], other[2])
        usable = [one for one in nearest if one.kind == kind and one.known.verdict != "wrong"]
        return usable if is_out_of_line(figure, canonical, usable) else None

    def _of_variants(self, figure: TextFigure) -> list[KnownNumber]:
        """The values that are published of the cards of a series, where a text names that."""
        named = figure.subjects[0].value
        # of the memory too many variants are sold to know them all
        is_of_series = named.startswith("family/") and figure.metrics[0].value in BOUNDED
        cards = self.covers(named) if is_of_series else ()
        return [known for one in cards if one.startswith(_CARD) for known in self.nearest(figure, one)]

    def _one_of(self, figure: TextFigure) -> str:
        """What a figure is of: the thing that is named first, or the accelerator in it where the text says it of each."""
        named = figure.subjects[0].value
        if figure.per is None or not named.startswith("system/"):
            return named
        inside = [one for one in self.covers(named) if one.startswith(_CARD)]
        return inside[0] if len(inside) == 1 else named

    def nearest(self, figure: TextFigure, thing: str | None = None) -> list[KnownNumber]:
        """The values that are published of the first subject, or of another thing, and of the metric; nearest first."""
        if not figure.subjects or not figure.metrics:
            return []
        _, canonical = self.near.canonical(figure)
        found = [
            one
            for one in self.numbers.of(thing or self._one_of(figure))
            if one.metric == figure.metrics[0].value and _agrees(figure, one)
        ]
        at = float(canonical[1]) if canonical is not None else 0.0
        return sorted(found, key=lambda one: (abs(one.value - at), one.known.claim))


def _agrees(figure: TextFigure, known: KnownNumber) -> bool:
    return all(
        name not in known.conditions or is_same_condition(name, value, known.conditions[name])
        for name, value in figure.conditions.items()
    )
