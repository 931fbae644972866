"""Jumps: results of one accelerator and benchmark that are more than five times apart where they should be near.

Three looks at the results of one accelerator, benchmark and unit: between submitters of one round and scenario, between the
scenarios Offline and Server of one round, between rounds. A jump does not say which side is wrong: the one that fewer
results support, and of those a figure that a loader put right before one that stands as printed.

Publishers without rounds and submitters are looked at row by row: next to the rows of the same publisher for the same thing
under the same conditions, of other days, regions or software.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median_low
from typing import Final

from kg.audit.finding import Finding, Severity
from kg.audit.normalisers import normalisers
from kg.audit.rules.facts import Facts, each, involved, known, lone_ends
from kg.audit.rules.part import SINGLE, AuditPart, Scope
from kg.audit.wording import text_of
from kg.model.comparability import base_division, benchmark_of, round_order
from kg.model.counting import counted
from kg.model.finding_roles import OTHER_SIDE_DOUBTED
from kg.model.recorded import ClaimRecord, DerivationRecord

METRICS: Final = ("throughput", "accelerator-time")
"""What does not grow with the number of accelerators: a rate of one of them, and the time of a training run times their number."""
RESULTS: Final = ("throughput", "training-time")
"""What these are computed from."""
FIVEFOLD: Final = 5
"""Serving stacks alone make a distance of five, and no two scenarios of an entry are further apart than 2.2 (decision 22)."""
CORRECTION: Final = "correction"
"""The variant of a derivation by which a loader puts right what is printed."""
FEWEST: Final = 2
"""This many results of others make a neighbourhood."""
MANY: Final = 3
"""This many other submitters, none of them near, outweigh one."""
PEER_METRICS: Final = ("throughput", "training-throughput", "time-per-output-token", "rental-price")
"""Rates and prices; how long a first token takes grows a hundredfold with the load that its row does not state."""
VARIES: Final = frozenset({"framework", "parallelism", "region", "software"})
"""Conditions in which rows of one publisher may differ and still be near."""
Cell = tuple[str, str]
"""Round, and scenario (of a training run the number of accelerators)."""
Row = tuple[Fraction, ClaimRecord]
Rows = Sequence[Row]
Results = Mapping[Cell, Rows]


def _result(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "throughput" and claim.get("normaliser") != "per-chip" or claim.get("statistic"):
        return
    task, cell = known(claim, "task"), _cell(claim)
    # an entry with a power limit is slow on purpose
    if not isinstance(task, str) or cell is None or known(claim, "boundary") is not None:
        return
    division = known(claim, "division")
    # in the open division the model may be another one: any distance is possible
    if base_division(division if isinstance(division, str) else None) == "open":
        return
    figure = facts.figure(claim)
    if figure is not None and figure.value > 0:
        yield f"{claim['metric']}|{claim['subject']}|{benchmark_of(task)[0]}|{figure.unit}", figure.value


def _cell(claim: ClaimRecord) -> Cell | None:
    """The round and the scenario that a result is of; None where they are not certain.

    A training run has no scenario: its time depends on the number of accelerators, so only equal numbers are near.
    """
    found = known(claim, "round")
    near = known(claim, "scenario" if claim["metric"] == "throughput" else "accelerators")
    return (found, str(near)) if isinstance(found, str) and near is not None else None


def _jumps(facts: Facts) -> Iterator[Finding]:
    results: dict[Cell, list[tuple[Fraction, ClaimRecord]]] = defaultdict(list)
    for claim, figure in facts.figured(facts.of_metrics(*METRICS)):
        if (cell := _cell(claim)) is not None:
            results[cell].append((figure.value, claim))
    yield from _between_submitters(facts, results)
    yield from _between_scenarios(facts, results)
    yield from _between_rounds(facts, results)


def _between_submitters(facts: Facts, results: Results) -> Iterator[Finding]:
    for rows in results.values():
        speakers = list(dict.fromkeys(claim["asserted_by"] for _, claim in rows))
        submitters = len(speakers) - 1
        for speaker in speakers if submitters >= FEWEST else ():
            others = [row for row in rows if row[1]["asserted_by"] != speaker]
            values = [other for other, _ in others]
            if _apart(min(values), max(values)):
                continue  # others who differ among themselves are no neighbourhood
            # the median, because one other outlier would move a mean; the low one is a value that somebody printed
            middle = median_low(values)
            for value, claim in rows:
                if claim["asserted_by"] == speaker and _apart(value, middle):
                    yield _from_submitters(facts, (value, claim), others, middle, submitters=submitters)


def _from_submitters(facts: Facts, row: Row, others: Rows, middle: Fraction, *, submitters: int) -> Finding:
    value, claim = row
    text = f"{_times(value, middle)} the median of {len(others)} results of other submitters for the same accelerator, benchmark, round and scenario"
    # serving stacks alone make a distance of five; nobody who is near, among several or of a figure as printed, is more
    alone = all(_apart(value, other) for other, _ in others)
    accused = alone and (submitters >= MANY or _corrected(facts, claim))
    code = "plausibility.far-from-submitters" if accused else "plausibility.jump-submitters"
    severity: Severity = "warning" if accused else "info"
    return _finding(facts, code, text, [row], others, open_=False, severity=severity)


def _peer(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    """The rows that a row is held against: all but the day and what varies is the same."""
    conditions = claim.get("conditions") or {}
    # results with a round are looked at by round and scenario above
    if known(claim, "round") is not None or not conditions:
        return
    figure = facts.figure(claim)
    if figure is None or figure.value <= 0:
        return
    stated = (f"{name}={known(claim, name)}" for name in sorted(set(conditions) - VARIES))
    basis = ",".join(sorted(normalisers(claim)))
    whose = (claim["source"], claim["metric"], claim["subject"], basis, claim.get("statistic") or "", figure.unit)
    yield "|".join((*whose, *stated)), figure.value


def _from_peers(facts: Facts) -> Iterator[Finding]:
    rows = [(figure.value, claim) for claim, figure in facts.figured(facts.of_metrics(*PEER_METRICS))]
    ends = lone_ends(value for value, _ in rows)
    for value, claim in rows:
        if value not in ends:
            continue
        others = [(other, one) for other, one in rows if one is not claim]
        values = sorted(other for other, _ in others)
        if len(values) < FEWEST or _apart(values[0], values[-1]):
            continue  # rows that differ among themselves are no neighbourhood
        middle = median_low(values)
        if _apart(value, middle):
            text = f"{_times(value, middle)} the median of {len(others)} other rows of the same publisher for the same thing and conditions"
            yield _finding(facts, "plausibility.jump-rows", text, [(value, claim)], others, open_=False)


def _between_scenarios(facts: Facts, results: Results) -> Iterator[Finding]:
    for (round_, scenario), rows in results.items():
        served = results.get((round_, "scenario/server"))
        if scenario != "scenario/offline" or served is None:
            continue
        sides = [(rows, served, "round")]
        if not _apart(_middle(rows), _middle(served)):
            # one result among several moves no median; within an entry the two are at most 2.2 times apart (1,025 pairs)
            own = _by_entry(served)
            sides = [
                ([row], own[entry], "entry")
                for entry, found in _by_entry(rows).items()
                for row in found
                if entry in own
            ]
        for offline, server, near in sides:
            where = (f"of the same {near} under Offline", f"of the same {near} under Server")
            yield from _between(facts, results, offline, server, code="plausibility.jump-scenarios", where=where)


def _by_entry(rows: Rows) -> Mapping[tuple[str, str], Rows]:
    """Results by the source that lists them and the entry they were submitted as; those without one are left out."""
    found: dict[tuple[str, str], list[tuple[Fraction, ClaimRecord]]] = defaultdict(list)
    for value, claim in rows:
        if isinstance(entry := known(claim, "entry"), str):
            found[claim["source"], entry].append((value, claim))
    return found


def _middle(rows: Rows) -> Fraction:
    return median_low([value for value, _ in rows])


def _middle_of(rows: Rows) -> str:
    return "the result" if len(rows) == 1 else f"the median of {counted(len(rows), 'result')}"


def _between_rounds(facts: Facts, results: Results) -> Iterator[Finding]:
    by_scenario: dict[str, list[str]] = defaultdict(list)
    for round_, scenario in results:
        by_scenario[scenario].append(round_)
    for scenario, rounds in by_scenario.items():
        for earlier, later in pairwise(sorted(rounds, key=round_order)):
            before, after = results[earlier, scenario], results[later, scenario]
            yield from _between(
                facts,
                results,
                before,
                after,
                code="plausibility.jump-rounds",
                where=("of the round before under the same scenario", "of the next round under the same scenario"),
            )


def _between(
    facts: Facts,
    results: Results,
    left: Rows,
    right: Rows,
    *,
    code: str,
    where: tuple[str, str],
) -> Iterator[Finding]:
    """The two medians where they are apart; the side that fewer results support is the one accused.

    `where` says of each side where it is, seen from the other.
    """
    one, other = _middle(left), _middle(right)
    if not _apart(one, other):
        return
    supported, contrary = _support(facts, results, one, left), _support(facts, results, other, right)
    # on a tie both are doubtful; naming the earlier side keeps the finding the same in every run
    if supported <= contrary:
        accused, rest, times, place = left, right, _times(one, other), where[1]
    else:
        accused, rest, times, place = right, left, _times(other, one), where[0]
    text = f"{_middle_of(accused)} is {times} {_middle_of(rest)} {place}"
    # how many rows a side has decides who is named first, but is no evidence: a slip of a
    # loader is in all rows of its column
    yield _finding(facts, code, text, accused, rest, open_=supported[:2] == contrary[:2])


def _support(facts: Facts, results: Results, middle: Fraction, rows: Rows) -> tuple[int, bool, int]:
    """How many results of other cells lie near, whether the rows stand as printed, and how many they are."""
    mine = {claim["id"] for _, claim in rows}
    # a figure that a loader put right is evidence for the loader's rule, not for its neighbours
    near = sum(
        not _apart(value, middle) and not _corrected(facts, claim)
        for cell in results.values()
        for value, claim in cell
        if claim["id"] not in mine
    )
    return near, not all(_corrected(facts, claim) for _, claim in rows), len(rows)


def _corrected(facts: Facts, claim: ClaimRecord) -> bool:
    """Whether a figure, or what it is computed from, was put right by a loader."""
    given = claim.get("derivations", ())
    return any(one.get("variant") == CORRECTION for one in given) or any(
        other.get("variant") == CORRECTION
        for one in given
        for used in one["inputs"].values()
        for other in _derivations(facts, used.get("claim"))
    )


def _derivations(facts: Facts, claim: str | None) -> Sequence[DerivationRecord]:
    record = facts.lookup(claim) if claim is not None else None
    return record.get("derivations", ()) if record is not None else ()


def _apart(one: Fraction, other: Fraction) -> bool:
    return max(one, other) > FIVEFOLD * min(one, other)


def _times(one: Fraction, other: Fraction) -> str:
    return f"{text_of(one / other)} times" if one >= other else f"1/{text_of(other / one)} of"


def _finding(
    facts: Facts,
    code: str,
    text: str,
    accused: Rows,
    rest: Rows,
    *,
    open_: bool,
    severity: Severity = "warning",
) -> Finding:
    """One jump; `open_` where nothing tells which side is wrong, so that both are doubtful."""
    claims = sorted((claim for _, claim in accused), key=lambda claim: (not _corrected(facts, claim), claim["id"]))
    first, *more = claims
    others = [claim for _, claim in rest]
    put_right = "; the figure was put right by the loader" if _corrected(facts, first) else ""
    return Finding(
        code,
        "suspicious",
        severity,
        f"{text}{put_right}",
        (
            (first["id"], "suspect"),
            *each(more, "doubtful: same side"),
            *((name, "doubtful: same side") for name in _inputs(facts, claims)),
            *(each(others, OTHER_SIDE_DOUBTED) if open_ else involved(others, "other side")),
        ),
    )


def _inputs(facts: Facts, claims: Sequence[ClaimRecord]) -> list[str]:
    """The totals that claims are computed from: a result is as doubtful as the print behind it.

    How many accelerators there were is no result, and stays out of doubt.
    """
    used = (
        facts.lookup(given["claim"])
        for claim in claims
        for one in claim.get("derivations", ())
        for given in one["inputs"].values()
        if "claim" in given
    )
    return sorted({one["id"] for one in used if one is not None and one["metric"] in RESULTS})


PARTS: Final = (
    AuditPart("jumps/results", _result, _jumps, METRICS, sorts=SINGLE),
    AuditPart("jumps/rows", _peer, _from_peers, PEER_METRICS, sorts=SINGLE),
)
ALONE: Final = ()
