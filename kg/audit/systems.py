"""Whether a claim compares whole systems and whether totals bear it out; asked by verdicts, impact studies and grounds.

What totals bear out holds, even if figures per accelerator fall.
"""

from collections.abc import Callable
from typing import Final

from kg.audit.claim_links import Lookup, divided
from kg.audit.normalisers import normalisers
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord, DerivationRecord

LEVELS: Final = frozenset({"node", "server", "rack", "pod", "system", "cluster", "superpod"})
"""Levels above a single accelerator and a superchip."""
_EACH: Final = frozenset({"per-chip", "per-superchip"})


def is_about_systems(record: ClaimRecord) -> bool:
    """Whether a claim compares whole systems and does not say that it means one accelerator of them."""
    return record.get("level") in LEVELS and not _EACH & normalisers(record)


def totals_of(derivation: DerivationRecord, lookup: Lookup) -> tuple[ClaimRecord, ClaimRecord] | None:
    """The totals of two systems that a computation divides by one another; None where it divides anything else."""
    # only the plain quotient: any further term may turn totals into something per accelerator
    rows = divided(derivation, lookup)
    return rows if rows is not None and all(normalisers(row) == {"total"} for row in rows) else None


def totals_bear_out(
    record: ClaimRecord, lookup: Lookup, figure: Callable[[ClaimRecord], CanonicalFigure | None]
) -> bool:
    """Whether a statement about systems is what the totals of the two systems give."""
    claimed = figure(record)
    if claimed is None or not is_about_systems(record):
        return False
    totals = (totals_of(derivation, lookup) for derivation in record.get("derivations") or ())
    ends = (map(figure, pair) for pair in totals if pair is not None)
    return any(
        above is not None and below is not None and below.value and claimed.interval.contains(above.value / below.value)
        for above, below in ends
    )
