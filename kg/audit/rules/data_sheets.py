"""Figures of one card that its maker prints in a data sheet: what says the same is confirmed by it."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, is_single, known
from kg.audit.rules.part import SINGLE, Alone, AuditPart
from kg.model.derived import CanonicalFigure
from kg.model.interval import is_at_most
from kg.model.recorded import ClaimRecord
from kg.model.reference import Figure as PublishedFigure

AGREES: Final = "identity.data-sheet"
ADDITIVE: Final = ("memory-bandwidth", "memory-capacity", "peak-compute", "power")
"""Metrics of a data sheet that add up over cards."""


def is_of_one_card(claim: ClaimRecord) -> bool:
    """Whether a figure is said of a single accelerator."""
    return (
        claim["level"] == "accelerator"
        and is_single(claim)
        and claim.get("normaliser", "per-chip") in ("per-chip", "unstated")
    )


def published_of_one_card(facts: Facts, claim: ClaimRecord) -> list[PublishedFigure]:
    """The published figures of one card in the formats of a claim: half of a printed one may be that of a sibling."""
    stated = known(claim, "precision")
    formats = stated if isinstance(stated, list) else [stated]
    published = facts.published(claim["subject"], claim["metric"])
    return [one for one in published if one.precision is None or one.precision in formats]


def may_be(figure: CanonicalFigure | None, value: Fraction) -> bool:
    """Whether a printed figure may be a value, once that is rounded; one with an open end says too little."""
    if figure is None or figure.lower is None or figure.upper is None:
        return False
    return is_at_most(figure.lower, value) and is_at_most(value, figure.upper)


def _agrees(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A figure that the maker's data sheet gives for the very thing; the sheet of a series says nothing of its other forms."""
    # a peak with sparsity is not what a text means that says it is without
    if not is_of_one_card(claim) or known(claim, "sparsity") == "dense":
        return
    # the thing or what it is a configuration of; `published` goes on to
    # the series, which is another card
    things = (claim["subject"], facts.registry.get(claim["subject"], {}).get("of"))
    for one in published_of_one_card(facts, claim):
        if one.subject in things and may_be(facts.figure(claim), one.value):
            yield Finding(
                AGREES,
                "consistent",
                "info",
                f"{one.citation.publisher}'s {one.citation.document} is cited with the same ({one.citation.locator}; not opened here)",
                ((claim["id"], "about"),),
                basis="reference",
                reference=one.citation.text,
            )
            return


PARTS: Final[tuple[AuditPart, ...]] = ()
ALONE: Final = (Alone("data-sheets/agrees", _agrees, ADDITIVE, sorts=SINGLE),)
