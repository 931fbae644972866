"""Titles and summaries against the rows that they sum up: multiples and words, of accelerators and of whole systems.

A text that calls one thing twice as fast as another, or only faster, and prints rows of both, says with them what it is
right to say. Rows per accelerator are held against what is said of accelerators, totals against what is said of systems.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import SCOPE, Facts, compatible, is_ratio, is_single, known
from kg.audit.rules.gains import Gain, shown_gain
from kg.audit.rules.part import AuditPart, Scope
from kg.audit.systems import is_about_systems
from kg.audit.wording import text_of
from kg.model.conditions import count_value
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord

ROWS: Final = ("throughput",)
HEADLINES: Final = (*ROWS, "performance", "inference-speed")
"""Metrics in which a text sums up rows of results."""
WORDS: Final = {"higher": Interval(Fraction(1), None), "lower": Interval(None, Fraction(1))}
"""What a title without a figure says of the ratio of two rows."""
WORK: Final = (*(name for name in SCOPE if name != "accelerators"), "round")
"""Conditions that tell the work of two rows apart; how many accelerators did it is held against the two sides apart."""
Rows = tuple[Gain, Gain]


def _summed_up(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if "baseline" not in claim:
        if claim["metric"] in ROWS and is_single(claim):
            yield claim["source"], "row"
    elif (is_ratio(claim) or _is_worded(claim)) and not any(
        name in claim for name in ("same_as", "restates", "derivations")
    ):
        yield claim["source"], "headline"


def _is_worded(claim: ClaimRecord) -> bool:
    """Whether a claim calls one thing more or less than another and gives no figure."""
    return claim.get("direction") in WORDS and (claim.get("quantity") or {}).get("value") is None


def _headlines(facts: Facts) -> Iterator[Finding]:
    """A comparison that nobody computed, against what the rows of the same text give of the two at like work."""
    rows: dict[str, list[Gain]] = defaultdict(list)
    stated: list[tuple[Interval, ClaimRecord]] = []
    for claim in facts.of_metrics(*HEADLINES):
        figure = facts.figure(claim)
        if "baseline" in claim and _is_worded(claim):
            stated.append((WORDS[claim["direction"]], claim))
        elif "baseline" in claim and figure is not None:
            stated.append((figure.interval, claim))
        elif figure is not None:
            rows[facts.root(claim["subject"])].append((figure, claim))
    for said, claim in stated:
        above, below = (rows[facts.root(claim[side])] for side in ("subject", "baseline"))
        pairs = [(one, two) for one in above for two in below if _is_pair(facts, claim, one, two)]
        if pairs and claim["subject"] != claim["baseline"]:
            yield _headline(said, claim, pairs)


def _is_pair(facts: Facts, claim: ClaimRecord, one: Gain, two: Gain) -> bool:
    """Whether two rows differ in nothing but the thing, and are of what a comparison is of."""
    (above, ours), (below, theirs) = one, two
    return (
        above.kind == below.kind
        and bool(below.value)
        and all(ours.get(name) == theirs.get(name) for name in ("metric", "level", "normaliser", "statistic"))
        and _is_row_of(facts, claim, claim["subject"], ours)
        and _is_row_of(facts, claim, claim["baseline"], theirs)
        and all(known(ours, name) == known(theirs, name) for name in WORK)
        and compatible(claim, ours, WORK)
    )


def _is_row_of(facts: Facts, claim: ClaimRecord, thing: str, row: ClaimRecord) -> bool:
    """Whether a row is of one side of a comparison: the total of a system where systems are compared, else per accelerator."""
    if not is_about_systems(claim):
        return "per-chip" in normalisers(row)
    if normalisers(row) != {"total"}:
        return False
    count = known(row, "accelerators") or known(row, "accelerators_mean")
    size = facts.accelerators_in(thing)
    # tables name the accelerator and print of how many the total is
    return row["subject"] == thing or (bool(size) and count_value(count) == size)


def _headline(said: Interval, claim: ClaimRecord, pairs: Sequence[Rows]) -> Finding:
    # one fitting pair is enough: nothing says which rows the title is about
    fitting = next((pair for pair in pairs if (pair[0][0].interval / pair[1][0].interval).overlaps(said)), None)
    (above, ours), (below, theirs) = fitting or pairs[0]
    stated = str(claim["direction"]) if _is_worded(claim) else shown_gain(claim)
    return Finding(
        "identity.ratio" if fitting is None else "identity.holds",
        "tension" if fitting is None else "consistent",
        "warning" if fitting is None else "info",
        f"the rows of the same text give {text_of(above.value / below.value)}, the statement is: {stated}",
        ((claim["id"], "ratio"), (ours["id"], "subject"), (theirs["id"], "baseline")),
        computed=above.value / below.value,
        unit="1",
    )


PARTS: Final = (AuditPart("headlines/rows", _summed_up, _headlines, HEADLINES),)
ALONE: Final = ()
