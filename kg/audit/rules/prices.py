"""Prices of one accelerator by the hour: an offer far from every other offer of it.

Prices of one accelerator differ: by provider, by what else is in the machine, by what is counted as one of them. They do not
leave a gap. A price that is threefold away from the next and fivefold from the middle stands alone, as one with a misplaced
point does.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import median_low
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import Facts, involved, is_single, known
from kg.audit.rules.part import SINGLE, AuditPart, Scope
from kg.audit.wording import text_of
from kg.model.recorded import ClaimRecord

GAP: Final = 3
"""A price at least this factor from the next one is isolated."""
FAR: Final = 5
"""A price at least this factor from the median of all others is an outlier. Both are asked: with them no published row was
accused, and a point that is misplaced still is (decision 22)."""
FEWEST: Final = 4
"""This many offers show what an accelerator costs."""
ODD: Final = Fraction(1, 4)
"""A larger share of the offers is a market of its own."""
OF_ONE: Final = frozenset({"per-chip", "per-gpu-hour"})
Row = tuple[Fraction, str, ClaimRecord]
"""The price of one accelerator, the offer that it is of, and the claim."""


def _priced(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    row = _row(facts, claim)
    if row is not None:
        yield f"{row[1]}|{known(claim, 'term')}", row[0]


def _row(facts: Facts, claim: ClaimRecord) -> tuple[Fraction, str, str] | None:
    """Price of one accelerator, the accelerator, and the offer; None where a price is of something else."""
    figure, offer = facts.figure(claim), known(claim, "offer")
    if figure is None or figure.value <= 0 or figure.unit != "USD/h" or not isinstance(offer, str):
        return None
    # spot and on demand are two markets: without its term nothing says which prices are near
    if not is_single(claim) or known(claim, "term") is None:
        return None
    if normalisers(claim) and normalisers(claim) <= OF_ONE:
        return figure.value, claim["subject"], offer
    record = facts.registry.get(claim["subject"], {})
    count, of = record.get("count"), record.get("of")
    if normalisers(claim) == {"total"} and count and of is not None:
        return figure.value / count, of, offer
    return None


def _alone(facts: Facts) -> Iterator[Finding]:
    rows = [
        (row[0], row[2], claim)
        for claim in facts.by_metric.get("rental-price", ())
        if (row := _row(facts, claim)) is not None
    ]
    rows.sort(key=lambda row: (row[0], row[2]["id"]))
    if len({offer for _, offer, _ in rows}) < FEWEST:
        return
    # from both ends, because a point slips either way
    yield from _beyond(rows, dearer=False)
    yield from _beyond(rows[::-1], dearer=True)


def _beyond(rows: Sequence[Row], *, dearer: bool) -> Iterator[Finding]:
    """The rows before the first gap, from an end of all prices; none where they are many."""
    # offers, not rows: a machine that is listed in many regions is one offer
    most = ODD * len({offer for _, offer, _ in rows})
    for position in range(1, len(rows)):
        accused, rest = rows[:position], rows[position:]
        if len({offer for _, offer, _ in accused}) > most:
            return
        if _times(accused[-1][0], rest[0][0]) >= GAP:
            middle = _middle(rest)
            if _times(accused[-1][0], middle) >= FAR:
                yield from (_finding(row, rest, middle, dearer=dearer) for row in accused)
            return


def _middle(rows: Sequence[Row]) -> Fraction:
    """The middle of what each provider asks: one that lists an accelerator in fifty regions is one."""
    asked: dict[object, list[Fraction]] = defaultdict(list)
    for value, _, claim in rows:
        asked[known(claim, "provider")].append(value)
    return median_low([median_low(values) for values in asked.values()])


def _times(one: Fraction, other: Fraction) -> Fraction:
    return max(one, other) / min(one, other)


def _finding(row: Row, rest: Sequence[Row], middle: Fraction, *, dearer: bool) -> Finding:
    value, _, claim = row
    times = f"{text_of(value / middle)} times" if dearer else f"1/{text_of(middle / value)} of"
    return Finding(
        "plausibility.jump-prices",
        "suspicious",
        "warning",
        f"{text_of(value)} USD an hour for one accelerator is {times} what others ask in the middle, and none is near: the next of {len(rest)} prices is {text_of(rest[0][0])}",
        ((claim["id"], "suspect"), *involved((one for _, _, one in rest), "other offer")),
    )


PARTS: Final = (AuditPart("prices/offers", _priced, _alone, ("rental-price",), sorts=SINGLE),)
ALONE: Final = ()
