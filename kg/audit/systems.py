"""Whether a claim compares whole systems and whether totals bear it out; asked by verdicts, impact studies and grounds.

What totals bear out holds, even if figures per accelerator fall.
"""

from collections.abc import Callable
from typing import Final

from kg.audit.claim_links import Lookup
from kg.audit.normalisers import normalisers
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord, DerivationInputRecord, DerivationRecord

LEVELS: Final = frozenset({"node", "server", "rack", "pod", "system", "cluster", "superpod"})
"""Levels above a single accelerator and a superchip."""
_EACH: Final = frozenset({"per-chip", "per-superchip"})


def is_about_systems(record: ClaimRecord) -> bool:
    """Whether a claim compares whole systems and does not say that it means one accelerator of them."""
    return record.get("level") in LEVELS and not _EACH & normalisers(record)


def is_of_totals(derivation: DerivationRecord, lookup: Lookup) -> bool:
    """Whether a computation divides the total of one system by that of another, and by no count."""
    names = [given["claim"] for given in derivation["inputs"].values() if "claim" in given]
    records = [record for name in names if (record := lookup(name)) is not None]
    # only the plain quotient: any further term may turn totals into something per accelerator
    return derivation["expression"] == "subject / baseline" and all(
        normalisers(record) == {"total"} for record in records
    )


def totals_bear_out(
    record: ClaimRecord,
    lookup: Lookup,
    figure: Callable[[ClaimRecord], CanonicalFigure | None],
) -> bool:
    """Whether a statement about systems is what the totals of the two systems give."""
    claimed = figure(record)
    if claimed is None or not is_about_systems(record):
        return False
    for derivation in record.get("derivations") or ():
        if is_of_totals(derivation, lookup):
            ends = [_figure(derivation["inputs"].get(name), lookup, figure) for name in ("subject", "baseline")]
            if all(end is not None and end.value for end in ends):
                assert ends[0] is not None
                assert ends[1] is not None
                if claimed.interval.contains(ends[0].value / ends[1].value):
                    return True
    return False


def _figure(
    given: DerivationInputRecord | None,
    lookup: Lookup,
    figure: Callable[[ClaimRecord], CanonicalFigure | None],
) -> CanonicalFigure | None:
    record = lookup(given["claim"]) if given and "claim" in given else None
    return None if record is None else figure(record)
