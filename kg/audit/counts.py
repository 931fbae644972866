"""Totals of unlike numbers of accelerators, which give no ratio per accelerator; asked by `kg.audit.recompute` before it
computes."""

from fractions import Fraction
from typing import Final

from kg.audit.claim_links import Lookup, divided
from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import known
from kg.model.conditions import count_value
from kg.model.recorded import ClaimRecord, DerivationRecord

_SINGLE: Final = ("accelerator", "superchip")
"""Levels at which a figure is that of one unit, unless it is said to be a total."""
_RATES: Final = frozenset({"throughput", "performance", "training-throughput", "inference-speed", "training-speed"})
"""Metrics of which a system has more, the more accelerators it has; what a whole run takes or costs is none of them."""


def unlike_counts(record: ClaimRecord, given: DerivationRecord, claim: Lookup) -> str | None:
    """Why a derivation cannot give the ratio of a claim about single accelerators; None where it can.

    Dividing the totals of a run on 4 and of one on 8 accelerators compares two systems, not two accelerators.
    """
    shown = total_counts(given, claim) if _is_per_accelerator(record) else None
    return None if shown is None else f"the totals are of {shown}, so that their ratio is not that of two accelerators"


def total_counts(given: DerivationRecord, claim: Lookup) -> str | None:
    """The unlike numbers of accelerators of the two totals that a derivation divides, in words; None where they are equal or open."""
    counts = [_count(row) for row in divided(given, claim) or () if _is_total_rate(row)]
    # one total next to a figure per accelerator, or a count that is not known, proves nothing
    if len(counts) != 2 or counts[0] is None or counts[1] is None or counts[0] == counts[1]:
        return None
    return f"{float(counts[0]):g} and {float(counts[1]):g} accelerators"


def _is_total_rate(row: ClaimRecord) -> bool:
    return row["metric"] in _RATES and normalisers(row) == {"total"}


def _is_per_accelerator(record: ClaimRecord) -> bool:
    """Whether a claim compares single accelerators; a series compared with one is meant chip by chip."""
    levels = {record.get("level"), record.get("baseline_level")}
    of_one = bool(levels & {*_SINGLE}) and levels <= {*_SINGLE, "family", None}
    return record.get("relation", "absolute") != "absolute" and of_one and "total" not in normalisers(record)


def _count(row: ClaimRecord) -> Fraction | None:
    """How many accelerators a total is of, on average where the row is one."""
    for name in ("accelerators", "accelerators_mean"):
        count = known(row, name)
        if isinstance(count, int | float | str):
            return count_value(count)
    return None
