"""Ratios of published results in words; those with a system that cannot be had yet (MLPerf's preview) are marked."""

from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from kg.answers.asking import Asker, said, text
from kg.model.condition_line import stated_conditions


class OfResults(Protocol):
    """What compares two results."""

    @property
    def claim(self) -> str:
        """The result of the one."""

    @property
    def against_claim(self) -> str:
        """The result of the other."""


_Ratio = TypeVar("_Ratio", bound=OfResults)


def marked_span(lowest: float, highest: float, previews: Collection[float] = ()) -> str:
    """The least and the largest ratio in words, those of preview systems marked.

    >>> marked_span(1.452, 1.4926, (1.4926,)), marked_span(3.0, 3.0)
    ('1.45x to 1.49x (with a preview system)', '3x')
    """
    marked = (f"{end:.3g}x{' (with a preview system)' if end in previews else ''}" for end in (lowest, highest))
    return " to ".join(dict.fromkeys(marked))


def previews_among(asker: Asker, ratios: Iterable[_Ratio]) -> list[_Ratio]:
    """Those of some ratios that are of a system which cannot be had yet."""
    given = list(ratios)
    claims = sorted({claim for one in given for claim in (one.claim, one.against_claim) if claim})
    rows = asker.rows("claims/card", claim=claims) if claims else ()
    previews = {text(row, "claim") for row in rows if _is_preview(said(row, "conditions"))}
    return [one for one in given if not previews.isdisjoint((one.claim, one.against_claim))]


def _is_preview(conditions: str | None) -> bool:
    return stated_conditions(conditions).get("availability", "").casefold() == "preview"
