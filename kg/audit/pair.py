"""The verdict of two claims about one thing: agree, conflict, explained, possible-conflict, not-comparable. Symmetric;
`kg.audit.conflicts` asks it for every pair of statements that it brings together.

Disjoint figures conflict only where nothing that could tell the claims apart is different or left open. Which difference
accounts for them, or what would have to be known, is named.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from kg.audit.comparable import ComparableFigure
from kg.audit.conditions import Compared, Values, compare, state_of
from kg.audit.reach import can_carry
from kg.audit.subjects import Subjects
from kg.audit.typo_explanations import swapped
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
# What is supposed is not at odds with what is; what is expected may have come
# true, which is an open question.
_HYPOTHETICAL: Final = frozenset({"assumed", "required", "recommended"})
_OFFICIAL: Final = ("availability", "benchmark", "division", "model", "scenario", "task")
"""What must be one between official results, in the order in which it is named."""


class Judgement(NamedTuple):
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


def judge(one: ComparableFigure, other: ComparableFigure, subjects: Subjects, *, are_apart: bool = False) -> Judgement:
    """The verdict of two claims; `are_apart` where it is known that no value fits both."""
    repeats = one.origin == other.origin and (one.kind, one.relation) == (other.kind, other.relation)
    # a repetition is held against what it repeats even where the rules would keep two separate claims apart
    barrier = "" if repeats else _barrier(one, other, subjects)
    if barrier:
        return Judgement("not-comparable", reason=barrier)
    if not repeats and one.count and other.count and one.count != other.count:
        # runs of 8 and of 16 accelerators meet in what one accelerator does
        one, other, are_apart = one.each, other.each, False
    compared = _compared(one, other, subjects)
    if not are_apart and one.overlaps(other, subjects):
        return _overlapping(compared, repeats=repeats)
    if repeats:
        reason = "one repeats the other with another figure"
        return Judgement("conflict", *_by_state(compared), reason, repeats=True)
    return _disjoint(one, other, compared)


def _disjoint(one: ComparableFigure, other: ComparableFigure, compared: Sequence[Compared]) -> Judgement:
    """The verdict of two claims whose figures share no value and of which neither repeats the other."""
    if "mean" in (one.statistic, other.statistic) and one.statistic != other.statistic:
        # single results scatter around a mean: their distance says nothing about either
        return Judgement("not-comparable", reason="a mean and a single result")
    # a chip supports FP8 and FP4; it has one type of memory
    if one.kind == "term" and one.metric not in _ONE_TERM:
        return Judgement("not-comparable", reason="a thing can have both")
    differing, unstated = _by_state(compared)
    if not differing and not unstated:
        return Judgement("conflict")
    explained = bool(differing) and can_carry(one, other, differing)
    return Judgement("explained" if explained else "possible-conflict", differing, unstated)


def _by_state(compared: Iterable[Compared]) -> tuple[tuple[Compared, ...], tuple[Compared, ...]]:
    """Conditions that differ, and conditions that one side leaves open."""
    some = tuple(compared)
    differing = tuple(c for c in some if c.state == "different" and not _is_misprint(c))
    return differing, tuple(c for c in some if c.state == "unstated")


def _is_misprint(compared: Compared) -> bool:
    """Whether two counts are the same digits, two of them exchanged, so that one of them is hardly another condition."""
    return compared.left.isdigit() and compared.right.isdigit() and swapped(compared.left, compared.right)


def _overlapping(compared: Sequence[Compared], *, repeats: bool) -> Judgement:
    """Figures that share a value agree, unless they are of two things: 141 GB a chip is no support for 141 GB a server."""
    differing, unstated = _by_state(compared)
    # a level left open is enough: one figure of a chip and of its family says nothing twice
    apart = [c.name for c in compared if c.name in IDENTITY and c.state == "different" or c.name == "level"]
    if apart:
        reason = f"one figure for two things: another {apart[0]}"
        return Judgement("not-comparable", differing, unstated, reason, repeats)
    return Judgement("agree", differing, unstated, "one repeats the other" if repeats else "", repeats)


def _barrier(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> str:
    """Why two claims must not be compared, or nothing."""
    for reason, differ in _FRAME_BARRIERS:
        if differ(one, other):
            return reason
    if _kinship(one, other, subjects) == "other":
        return "another thing"
    if one.baseline and other.baseline and subjects.kinship(one.baseline, other.baseline) == "other":
        return "another baseline"
    # normalisers of a level (chip, node, rack) can be converted; per token or per watt cannot
    rates = (one.normaliser ^ other.normaliser) - set(_PER_LEVEL)
    if rates and one.normaliser and other.normaliser:
        return "another normaliser"
    if not any(name == "benchmark" for name, _ in one.values):
        return ""
    return _official(dict(one.values), dict(other.values), subjects)


def _is_other_metric(one: ComparableFigure, other: ComparableFigure) -> bool:
    bridged = BRIDGES.get(one.metric) == other.metric or BRIDGES.get(other.metric) == one.metric
    return one.metric != other.metric and not bridged


_FRAME_BARRIERS: Final[tuple[tuple[str, Callable[[ComparableFigure, ComparableFigure], bool]], ...]] = (
    ("other metric", _is_other_metric),
    ("other kind of quantity", lambda one, other: one.kind != other.kind),
    ("a ratio or difference and an absolute figure", lambda one, other: one.relation != other.relation),
    ("one denies what the other affirms", lambda one, other: one.negated != other.negated),
)
"""Why two claims are not comparable on any subject, in the order in which it is named."""


def _official(one: Values, other: Values, subjects: Subjects) -> str:
    """MLPerf compares only results of one benchmark task (each has its own model), scenario and division."""
    if "benchmark" not in one or "benchmark" not in other:
        return ""
    suites = {value for side in (one, other) for value in side.get("benchmark", ())}
    if not any(value.startswith("benchmark/mlperf") for value in suites):
        return ""
    both = (name for name in _OFFICIAL if name in one and name in other)
    apart = next((name for name in both if state_of(name, one[name], other[name], subjects) == "different"), None)
    return f"MLPerf compares only within one {apart}" if apart is not None else ""


def _kinship(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> str:
    if one.subjects == other.subjects:
        return "same"
    # of a set nobody can say which member the other claim would meet
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
        subjects.compared[key] = conditions
    found = [*_statement(one, other, subjects), *conditions]
    if one.baseline_values != other.baseline_values:
        for c in compare(dict(one.baseline_values), dict(other.baseline_values), subjects):
            # what is left open of a baseline is a question only where a thing is compared with
            # itself: its conditions are then all that sets the two sides apart
            if c.state == "different" or (one.baseline in one.subjects and c.state == "unstated"):
                found.append(Compared(f"baseline {c.name}", c.state, c.left, c.right))
    return found


def _statement(one: ComparableFigure, other: ComparableFigure, subjects: Subjects) -> list[Compared]:
    """What differs in the statements themselves: the thing, its level, the metric, how it is counted, how sure it is."""
    kinship = _kinship(one, other, subjects)
    # "per GPU" of a rack and of its GPU are one figure: levels differ in name only
    both_per = bool(
        one.normaliser & other.normaliser - {"total"}
        and (kinship != "parts" or subjects.holds(min(one.subjects), min(other.subjects)))
    )
    found = _by_kinship(kinship, one, other, subjects, both_per=both_per)
    # a purchase price below the cost of capital is explained by what the
    # latter includes; one above it is not
    if one.metric != other.metric and not _exceeds(one, other):
        found.append(Compared("metric", "different", one.metric, other.metric))
    if one.level != other.level and kinship not in ("parts", "platform") and not both_per:
        found.append(Compared("level", _level_state(one, other), one.level, other.level))
    found += _normaliser(one, other)
    if one.statistic != other.statistic:
        found.append(Compared("statistic", _state(one.statistic, other.statistic), one.statistic, other.statistic))
    if one.modality != other.modality:
        found.extend(_modality(one, other))
    if one.relation == "ratio":
        found.extend(_baseline(one, other, subjects))
    return found


def _state(left: object, right: object) -> Literal["different", "unstated"]:
    return "different" if left and right else "unstated"


def _level_state(one: ComparableFigure, other: ComparableFigure) -> Literal["different", "unstated"]:
    """A claim about a whole family leaves open which member, and so which level, is meant."""
    return "unstated" if "family" in (one.level, other.level) else "different"


def _by_kinship(
    kinship: str, one: ComparableFigure, other: ComparableFigure, subjects: Subjects, *, both_per: bool
) -> list[Compared]:
    """What the relation between the two things leaves different or open."""
    if kinship == "same":
        return []
    names = [", ".join(sorted(map(subjects.label, side.subjects))) for side in (one, other)]
    match kinship:
        case "broader":
            return [Compared("variant", "unstated", *names)]
        case "variants":
            return [Compared("variant", "different", *names)]
        case "platform" | "other":
            return [Compared("subject", "unstated", *names)]
        case "parts" if not both_per:
            return [Compared("level", _level_state(one, other), *names)]
    return []


def _normaliser(one: ComparableFigure, other: ComparableFigure) -> list[Compared]:
    """Two normalisers of one level (per node, per server) are one; a normaliser next to none leaves the question open."""
    if one.normaliser == other.normaliser:
        return []
    state = _state(one.normaliser, other.normaliser)
    levels = [{_PER_LEVEL.get(n) for n in side.normaliser} for side in (one, other)]
    if state == "different" and levels[0] == levels[1]:
        return []
    return [Compared("normaliser", state, ", ".join(sorted(one.normaliser)), ", ".join(sorted(other.normaliser)))]


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
