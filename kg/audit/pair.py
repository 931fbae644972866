"""The verdict of two claims about one thing: agree, conflict, explained, possible-conflict, not-comparable.

Disjoint figures conflict only where nothing that could tell the claims apart is different or left open. Which difference
accounts for them, or what would have to be known, is named.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kg.audit.comparable import ComparableFigure
from kg.audit.conditions import Compared, Values, compare
from kg.audit.reach import can_carry
from kg.audit.subjects import Subjects
from kg.model.verdict import PairVerdict

NEEDED: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    **dict.fromkeys(("peak-compute", "energy-efficiency"), (("precision",), ("sparsity",))),
    **dict.fromkeys(
        (
            "throughput",
            "performance",
            "inference-speed",
            "training-speed",
            "training-throughput",
            "latency",
            "mfu",
            "time-per-output-token",
            "energy-per-token",
            "performance-per-watt",
            "scaling-efficiency",
            "cost-effectiveness",
        ),
        (("model", "task", "workload"),),
    ),
    **dict.fromkeys(
        ("market-share", "market-size", "domestic-share", "investment", "inference-cost"), (("date", "period"),)
    ),
    **dict.fromkeys(
        ("purchase-price", "capital-cost", "tco", "cost"), (("includes", "excludes", "boundary"), ("buyer", "customer"))
    ),
    "rental-price": (("provider", "customer"), ("term", "offer")),
    "training-time": (("accelerators",), ("model", "workload")),
}
"""What must be said for a figure of a metric to be definite: one name of each group."""
BRIDGES: Final[Mapping[str, str]] = {"purchase-price": "capital-cost"}
"""Metrics of one thing of which the second includes the first and more."""
IDENTITY: Final = frozenset({"level", "normaliser", "variant", "metric", "baseline"})
"""What must be one before equal figures are an agreement."""
_ONE_TERM: Final = frozenset({"memory-type", "architecture", "process-node"})
"""Metrics of which a thing has one value; of any other a thing can have several terms."""
_PER_LEVEL: Final[Mapping[str, str]] = {
    "per-chip": "accelerator",
    "per-superchip": "superchip",
    "per-node": "node",
    "per-server": "node",
    "per-rack": "rack",
    "total": "total",
    "per-run": "total",
}
_HYPOTHETICAL: Final = frozenset({"assumed", "required", "recommended"})
REMEMBERED: Final = 1 << 14
_OFFICIAL: Final = ("benchmark", "task", "model", "scenario", "division", "availability")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of a pair, what differs and what is open; `repeats` where one claim repeats the other."""

    verdict: PairVerdict
    differing: tuple[Compared, ...] = ()
    unstated: tuple[Compared, ...] = ()
    reason: str = ""
    repeats: bool = False

    def swapped(self) -> "Judgement":
        """The same, seen from the other claim."""
        differing, unstated = (tuple(one.swapped() for one in some) for some in (self.differing, self.unstated))
        return Judgement(self.verdict, differing, unstated, self.reason, self.repeats)


def judge(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> Judgement:
    """The verdict of two claims."""
    repeats = one.origin == other.origin and (one.kind, one.relation) == (other.kind, other.relation)
    barrier = "" if repeats else _barrier(one, other, subjects)
    if barrier:
        return Judgement("not-comparable", reason=barrier)
    if not repeats and one.count and other.count and one.count != other.count:
        # runs of 8 and of 16 accelerators meet in what one accelerator does
        one, other = one.each, other.each
    compared = _compared(one, other, subjects)
    differing = tuple(c for c in compared if c.state == "different")
    unstated = tuple(c for c in compared if c.state == "unstated")
    if one.overlaps(other, subjects):
        apart = [c.name for c in compared if c.name in IDENTITY and c.state == "different" or c.name == "level"]
        if apart:
            return Judgement(
                "not-comparable", differing, unstated, f"one figure for two things: another {apart[0]}", repeats
            )
        return Judgement("agree", differing, unstated, "one repeats the other" if repeats else "", repeats)
    if repeats:
        return Judgement("conflict", differing, unstated, "one repeats the other with another figure", repeats=True)
    if "mean" in (one.statistic, other.statistic) and one.statistic != other.statistic:
        return Judgement("not-comparable", reason="a mean beside a single result")
    if one.kind == "term" and one.metric not in _ONE_TERM:
        return Judgement("not-comparable", reason="a thing can have both")
    if not differing and not unstated:
        return Judgement("conflict")
    explained = bool(differing) and can_carry(one, other, differing)
    return Judgement("explained" if explained else "possible-conflict", differing, unstated)


def _barrier(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> str:
    """Why two claims must not be compared, or nothing."""
    if (
        one.metric != other.metric
        and BRIDGES.get(one.metric) != other.metric
        and BRIDGES.get(other.metric) != one.metric
    ):
        return "other metric"
    if one.kind != other.kind:
        return "other kind of quantity"
    if one.relation != other.relation:
        return "a ratio or difference beside an absolute figure"
    if one.negated != other.negated:
        return "one denies what the other affirms"
    if _kinship(one, other, subjects) == "other":
        return "another thing"
    if one.baseline and other.baseline and subjects.kinship(one.baseline, other.baseline) == "other":
        return "another baseline"
    rates = (one.normaliser ^ other.normaliser) - set(_PER_LEVEL)
    if rates and one.normaliser and other.normaliser:
        return "another normaliser"
    if not any(name == "benchmark" for name, _ in one.values):
        return ""
    return _official(dict(one.values), dict(other.values), subjects)


def _official(one: Values, other: Values, subjects: Subjects) -> str:
    """MLPerf compares only results of one benchmark task (each has its own model), scenario and division."""
    if "benchmark" not in one or "benchmark" not in other:
        return ""
    suites = {value for side in (one, other) for value in side.get("benchmark", ())}
    if not any(value.startswith("benchmark/mlperf") for value in suites):
        return ""
    left, right = ({name: side[name] for name in _OFFICIAL if name in side} for side in (one, other))
    apart = [c.name for c in compare(left, right, subjects) if c.state == "different"]
    return f"MLPerf compares only within one {apart[0]}" if apart else ""


def _kinship(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> str:
    if one.subjects == other.subjects:
        return "same"
    if len(one.subjects) > 1 or len(other.subjects) > 1:
        return "other"
    return subjects.kinship(next(iter(one.subjects)), next(iter(other.subjects)))


def _compared(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> list[Compared]:
    """Everything that tells two claims apart: the statement first, then the conditions."""
    key = (one.values, other.values, one.metric)
    conditions = subjects.compared.get(key)
    if conditions is None:
        # the same few sets of conditions are compared again and again
        conditions = tuple(compare(dict(one.values), dict(other.values), subjects, needed=NEEDED.get(one.metric, ())))
        if len(subjects.compared) > REMEMBERED:
            subjects.compared.clear()
        subjects.compared[key] = conditions
    found = [*_statement(one, other, subjects), *conditions]
    if one.baseline_values != other.baseline_values:
        for c in compare(dict(one.baseline_values), dict(other.baseline_values), subjects):
            if c.state == "different" or (one.baseline in one.subjects and c.state == "unstated"):
                found.append(Compared(f"baseline {c.name}", c.state, c.left, c.right))
    return [c for c in found if c.state != "equal"]


def _statement(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> list[Compared]:
    found = []
    names = [", ".join(sorted(map(subjects.label, side.subjects))) for side in (one, other)]
    kinship = _kinship(one, other, subjects)
    both_per = one.normaliser & other.normaliser - {"total"} and (
        kinship != "parts" or subjects.holds(min(one.subjects), min(other.subjects))
    )
    if kinship in ("broader", "variants"):
        found.append(Compared("variant", "unstated" if kinship == "broader" else "different", *names))
    elif kinship in ("platform", "other"):
        found.append(Compared("subject", "unstated", *names))
    elif kinship == "parts" and not both_per:
        found.append(Compared("level", "unstated" if "family" in (one.level, other.level) else "different", *names))
    if one.metric != other.metric and not _exceeds(one, other):
        found.append(Compared("metric", "different", one.metric, other.metric))
    if one.level != other.level and kinship != "parts" and not both_per and kinship != "platform":
        found.append(
            Compared(
                "level", "unstated" if "family" in (one.level, other.level) else "different", one.level, other.level
            )
        )
    if one.normaliser != other.normaliser:
        state: Literal["different", "unstated"] = "different" if one.normaliser and other.normaliser else "unstated"
        if {_PER_LEVEL.get(n) for n in one.normaliser} != {
            _PER_LEVEL.get(n) for n in other.normaliser
        } or state == "unstated":
            found.append(
                Compared("normaliser", state, ", ".join(sorted(one.normaliser)), ", ".join(sorted(other.normaliser)))
            )
    if one.statistic != other.statistic:
        found.append(
            Compared(
                "statistic",
                "different" if one.statistic and other.statistic else "unstated",
                one.statistic,
                other.statistic,
            )
        )
    if one.modality != other.modality:
        found.extend(_modality(one, other))
    if one.relation == "ratio":
        found.extend(_baseline(one, other, subjects))
    return found


def _exceeds(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Whether a part of a cost lies above the cost that includes it, which no inclusion accounts for."""
    part, whole = (one, other) if BRIDGES.get(one.metric) == other.metric else (other, one)
    if BRIDGES.get(part.metric) != whole.metric or part.figure is None or whole.figure is None:
        return False
    low, high = part.figure.lower, whole.figure.upper
    return low is not None and high is not None and low > high


def _modality(one: ComparableFigure, other: ComparableFigure) -> list[Compared]:
    supposed = (one.modality in _HYPOTHETICAL, other.modality in _HYPOTHETICAL)
    if supposed[0] != supposed[1]:
        return [Compared("modality", "different", one.modality, other.modality)]
    if "expected" in (one.modality, other.modality):
        return [Compared("modality", "unstated", one.modality, other.modality)]
    return []


def _baseline(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> list[Compared]:
    names = [subjects.label(side.baseline) for side in (one, other)]
    if not (one.baseline and other.baseline):
        return [Compared("baseline", "unstated", *names)]
    kinship = subjects.kinship(one.baseline, other.baseline)
    if kinship == "same" or (kinship == "parts" and one.normaliser & other.normaliser - {"total"}):
        return []
    return [Compared("baseline", "unstated" if kinship in ("broader", "platform") else "different", *names)]
