"""The rows that a directional statement rests on, paired: one of its subject with one of its baseline, like with like.

In go a statement and its rows, out come pairs with their ratio as printed and once both are put right; for the rules on
directions (`direction`) and on lost grounds (`grounds`).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Final

from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import Facts, is_in_reach, is_ratio, is_single, known
from kg.audit.rules.units import JUMP
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord

FAST: Final = frozenset(
    (
        "performance",
        "throughput",
        "training-throughput",
        "inference-speed",
        "training-speed",
        "peak-compute",
        "mfu",
    )
)
"""Metrics that are interchangeable in a statement about speed."""
OPEN_UNIT: Final = "result/s"
"""What a column counts that does not say whether it counts samples or tokens."""
MOST_BASELINES: Final = 16
"""With this many rows of the baseline a row of the subject is compared."""
SPLIT: Final = ("scenario", "task", "model", "round", "precision", "date", "region", "accelerators")
_Key = tuple[str, ...]
_RowsByKey = dict[_Key, list[ClaimRecord]]


@dataclass(frozen=True, slots=True)
class DirectionPair:
    """Subject over baseline of two rows that differ in nothing else, as printed and once both are put right."""

    ratio: Fraction
    corrected: Fraction
    where: str
    per_card: bool
    crosses: bool = False
    """Whether the rows are of the two groups of a column that cannot be of one unit."""


def pairs_of(facts: Facts, claim: ClaimRecord, used: Sequence[ClaimRecord]) -> Iterator[DirectionPair]:
    """Rows of the subject paired with rows of the baseline; a ratio of the two among the inputs is a pair by itself."""
    if claim.get("baseline") is None:
        return
    rows = [row for row in used if is_about(claim["metric"], row["metric"])]
    # of a thing against itself (another year, another software) a ratio
    # does not say which sides it has
    if claim["subject"] != claim["baseline"]:
        for row in rows:
            yield from _pair_of_ratio(facts, claim, row)
    above, below = _both_sides(facts, claim, rows)
    cut = _cut(facts, [row for alike in (*above.values(), *below.values()) for row in alike])
    for key, alike in above.items():
        # bounded, so that a statement over a whole results table stays linear in its rows
        for one, two in product(alike, below.get(key, ())[:MOST_BASELINES]):
            yield from _pair(facts, one, two, cut)


def _pair_of_ratio(facts: Facts, claim: ClaimRecord, row: ClaimRecord) -> Iterator[DirectionPair]:
    """The pair that a row is by itself which compares the same two things."""
    figure = facts.figure(row) if is_ratio(row) and row.get("baseline") is not None else None
    if figure is not None and _is_of_same_two(facts, row, claim):
        yield DirectionPair(figure.value, figure.value, "", True)


def _both_sides(facts: Facts, claim: ClaimRecord, rows: Sequence[ClaimRecord]) -> tuple[_RowsByKey, _RowsByKey]:
    """The single figures of the subject and those of the baseline, by what two of them must share to be compared."""
    above, below = defaultdict[_Key, list[ClaimRecord]](list), defaultdict[_Key, list[ClaimRecord]](list)
    for row in filter(is_single, rows):
        side = side_of(facts, claim, row)
        if side is not None:
            (above if side else below)[_key(claim, row)].append(row)
    return above, below


def _cut(facts: Facts, rows: Sequence[ClaimRecord]) -> Fraction | None:
    """Where the rows of a column without one unit fall into two groups, as `unit.mixed` has it; None where they do not."""
    figures = (facts.figure(row) for row in rows if row["quantity"].get("unit") == OPEN_UNIT)
    values = sorted(one.value for one in figures if one is not None and one.value > 0)
    widest = max(((high / low, high) for low, high in pairwise(values)), default=None)
    return None if widest is None or widest[0] < JUMP else widest[1]


def _is_of_same_two(facts: Facts, row: ClaimRecord, claim: ClaimRecord) -> bool:
    """Whether two comparisons are of the same things, as far as names tell variants apart."""
    return facts.related(row["subject"], claim["subject"]) and facts.related(row["baseline"], claim["baseline"])


def is_about(metric: str, other: str) -> bool:
    """Whether a figure of one metric says something of a statement about the other."""
    return metric == other or (metric in FAST and other in FAST)


def side_of(facts: Facts, claim: ClaimRecord, row: ClaimRecord) -> bool | None:
    """True for a row of the subject, False for one of the baseline, None for neither or for both alike."""
    subject, baseline = claim["subject"], claim.get("baseline", "")
    if subject == baseline:
        return _side_by_conditions(claim, row) if facts.related(row["subject"], subject) else None
    first, second = facts.related(row["subject"], subject), facts.related(row["subject"], baseline)
    if first and second:  # a variant of both, as a virtualised card is: the nearer of the two
        first, second = row["subject"] == subject, row["subject"] == baseline
    return first if first != second else None


def _side_by_conditions(claim: ClaimRecord, row: ClaimRecord) -> bool | None:
    """The side whose conditions the row has; neither where they point to different sides.

    What the baseline leaves unsaid holds for it as for the subject, so only its own conditions tell the two apart.
    """
    sides = set()
    for name in claim.get("baseline_conditions") or {}:
        here, there, given = known(claim, name), known(claim, name, "baseline_conditions"), known(row, name)
        if here != there and given is not None and given in (here, there):
            sides.add(bool(given == here))
    return sides.pop() if len(sides) == 1 else None


def _key(claim: ClaimRecord, row: ClaimRecord) -> _Key:
    """What two rows must share; the condition in which a thing is compared with itself is left out."""
    free = (
        {n for n in SPLIT if known(claim, n) != known(claim, n, "baseline_conditions")}
        if claim["subject"] == claim["baseline"]
        else set()
    )
    shared = [str(known(row, name)) if name not in free else "" for name in SPLIT]
    return (row["metric"], "+".join(sorted(normalisers(row))), str(row.get("statistic")), *shared)


def _pair(facts: Facts, one: ClaimRecord, two: ClaimRecord, cut: Fraction | None) -> Iterator[DirectionPair]:
    a, b = facts.figure(one), facts.figure(two)
    if a is None or b is None or a.kind != b.kind or not b.value or a.value <= 0 or b.value < 0:
        return
    right, left = _put_right(facts, one, a), _put_right(facts, two, b)
    corrected = right / left if left and is_in_reach(right / left) else a.value / b.value
    scenario = known(one, "scenario")
    # a figure that is said to be neither a total nor divided is that
    # of the thing itself (decision 8)
    per_card = bool(normalisers(one) & {"per-chip", "per-superchip"}) or not normalisers(one)
    yield DirectionPair(
        a.value / b.value,
        corrected,
        facts.label(scenario) if isinstance(scenario, str) else "",
        per_card,
        cut is not None
        and OPEN_UNIT == one["quantity"].get("unit") == two["quantity"].get("unit")
        and (a.value < cut) != (b.value < cut),
    )


def _put_right(facts: Facts, row: ClaimRecord, figure: CanonicalFigure) -> Fraction:
    right = facts.corrected(row["id"])
    return figure.value if right is None else right
