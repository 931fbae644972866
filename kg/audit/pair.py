"""The verdict of two claims about one thing: agree, conflict, explained, possible-conflict, not-comparable.

Disjoint figures conflict only where nothing that could tell the claims apart is different or left open. Which difference
accounts for them, or what would have to be known, is named.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Literal

from kg.audit.conditions import Compared, Values, compare, said
from kg.audit.subjects import Subjects
from kg.model.derived import Deriver
from kg.model.interval import Interval
from kg.model.vocabulary import RATIO_RELATIONS

Json = Mapping[str, Any]
Verdict = Literal["agree", "conflict", "explained", "possible-conflict", "not-comparable"]
Lookup = Callable[[str], Json | None]

NEEDED: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    **dict.fromkeys(("peak-compute", "energy-efficiency"), (("precision",), ("sparsity",))),
    **dict.fromkeys((
        "throughput", "performance", "inference-speed", "training-speed", "training-throughput", "latency", "mfu",
        "time-per-output-token", "energy-per-token", "performance-per-watt", "scaling-efficiency", "cost-effectiveness",
    ), (("model", "task", "workload"),)),
    **dict.fromkeys(("market-share", "market-size", "domestic-share", "investment", "inference-cost"), (("date", "period"),)),
    **dict.fromkeys(("purchase-price", "capital-cost", "tco", "cost"), (("includes", "excludes", "boundary"), ("buyer", "customer"))),
    "rental-price": (("provider", "customer"), ("term", "offer")),
    "training-time": (("accelerators",), ("model", "workload")),
}  # fmt: skip
"""What must be said for a figure of a metric to be definite: one name of each group."""
BRIDGES: Final[Mapping[str, str]] = {"purchase-price": "capital-cost"}
"""Metrics of one thing of which the second includes the first and more."""
_ONE_TERM: Final = frozenset({"memory-type", "architecture", "process-node"})
"""Metrics of which a thing has one value; of any other a thing can have several terms."""
_PER_LEVEL: Final[Mapping[str, str]] = {
    "per-chip": "accelerator", "per-superchip": "superchip", "per-node": "node", "per-server": "node", "per-rack": "rack",
    "total": "total", "per-run": "total",
}  # fmt: skip
_HYPOTHETICAL: Final = frozenset({"assumed", "required", "recommended"})
_CHIPS: Final = frozenset({"gpu", "chip", "accelerator", "card"})
_OFFICIAL: Final = ("benchmark", "task", "scenario", "division", "availability")


@dataclass(frozen=True, slots=True)
class Side:
    """A claim as a pair sees it. Same content, same verdicts: the id takes no part."""

    id: str = field(compare=False)
    origin: str
    subjects: frozenset[str]
    level: str
    metric: str
    kind: str
    relation: str
    figure: Interval | None
    terms: frozenset[str]
    normaliser: frozenset[str]
    statistic: str
    modality: str
    negated: bool
    baseline: str
    values: tuple[tuple[str, frozenset[str]], ...]
    baseline_values: tuple[tuple[str, frozenset[str]], ...]

    def overlaps(self, other: "Side", subjects: Subjects) -> bool:
        """Whether some value fits both figures."""
        if self.figure is not None and other.figure is not None:
            return _share(self.figure, other.figure)
        return bool(self.terms & other.terms) or any(subjects.broader(a, b) for a in self.terms for b in other.terms)


def _share(one: Interval, other: Interval) -> bool:
    """Whether two figures have a value in common; of what rounds to neighbouring digits only the edge is, and it rounds one way."""
    return one.overlaps(other) and (one.width == 0 or other.width == 0 or not one.touches(other))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of a pair, what differs and what is open; `repeats` where one claim repeats the other."""

    verdict: Verdict
    differing: tuple[Compared, ...] = ()
    unstated: tuple[Compared, ...] = ()
    reason: str = ""
    repeats: bool = False

    def swapped(self) -> "Judgement":
        """The same, seen from the other claim."""
        sides = (tuple(one.swapped() for one in some) for some in (self.differing, self.unstated))
        return Judgement(self.verdict, *sides, self.reason, self.repeats)


def origin_of(record: Json, lookup: Lookup) -> str:
    """The claim that a claim repeats, at the end of the chain; one that repeats several is its own."""
    name, seen = record["id"], {record["id"]}
    while True:
        targets = [record["same_as"]] if record.get("same_as") else [r["claim"] for r in record.get("restates") or () if r.get("claim")]
        if len(targets) != 1 or targets[0] in seen:
            return str(min(seen)) if targets and targets[0] in seen else str(name)
        name = targets[0]
        seen.add(name)
        above = lookup(name)
        if above is None:
            return str(name)
        record = above


def read_side(record: Json, *, deriver: Deriver, subjects: Subjects, lookup: Lookup) -> Side | None:
    """A claim made ready for comparison; None where it has no figure, term or date."""
    quantity = record.get("quantity") or {}
    figure, terms, kind = _figure(record, quantity, deriver)
    if figure is None and not terms:
        return None
    relation = record.get("relation", "absolute")
    fixed, above = record, lookup(record["same_as"]) if record.get("same_as") else None
    if above is not None and above["metric"] == record["metric"]:
        fixed = {**above, **record, "conditions": {**(above.get("conditions") or {}), **(record.get("conditions") or {})}}
    normaliser = fixed.get("normaliser", "unstated")
    statistic = fixed.get("statistic") or next(
        (str(up["statistic"]) for r in record.get("restates") or () if r.get("claim") and (up := lookup(r["claim"])) and up.get("statistic")), ""
    )  # fmt: skip
    return Side(
        id=record["id"], origin=origin_of(record, lookup), level=record["level"], metric=record["metric"], kind=kind,
        subjects=frozenset(record.get("subjects") or (record["subject"],)),
        relation="ratio" if relation in RATIO_RELATIONS else relation, figure=figure, terms=terms,
        normaliser=frozenset(normaliser if isinstance(normaliser, list) else (normaliser,)) - {"unstated"},
        statistic="" if statistic == "peak" else statistic, modality=record.get("modality", "stated"), negated=record.get("polarity") == "negated",
        baseline=record.get("baseline") or "",
        values=tuple(sorted(said(fixed.get("conditions"), subjects, as_of=record.get("as_of")).items())),
        baseline_values=tuple(sorted(said(record.get("baseline_conditions"), subjects).items())),
    )  # fmt: skip


def _figure(record: Json, quantity: Json, deriver: Deriver) -> tuple[Interval | None, frozenset[str], str]:
    if quantity.get("value") is not None:
        canonical = deriver.canonical(record)
        if canonical is None:
            return None, frozenset(), ""
        unit, kind = quantity.get("unit") or "", canonical.kind
        if unit.startswith("count:"):
            thing = unit.removeprefix("count:")
            kind = f"count of {'chip' if thing in _CHIPS else thing}s"
        return Interval(canonical.lower, canonical.upper), frozenset(), kind
    if quantity.get("date"):
        return _months(quantity["date"]), frozenset(), "date"
    terms = frozenset(quantity.get("set") or ([quantity["term"]] if quantity.get("term") else ()))
    return None, terms, "term"


def _months(day: str) -> Interval:
    """A date as the months it may lie in, counted from the year 0.

    >>> _months("2025-Q2")
    Interval('24303', '24305')
    """
    year, _, rest = day.partition("-")
    first, months = int(year) * 12, 12
    if rest[:1] in ("Q", "H"):
        months = 3 if rest[0] == "Q" else 6
        first += (int(rest[1]) - 1) * months
    elif rest:
        first, months = first + int(rest[:2]) - 1, 1
    return Interval(Fraction(first), Fraction(first + months - 1))


def judge(one: Side, other: Side, subjects: Subjects) -> Judgement:
    """The verdict of two claims."""
    repeats = one.origin != "" and one.origin == other.origin
    if repeats and (one.kind, one.relation) == (other.kind, other.relation):
        found = [c for c in _compared(one, other, subjects) if c.state == "different"]
        if one.overlaps(other, subjects):
            return Judgement("agree", tuple(found), reason="one repeats the other", repeats=True)
        return Judgement("conflict", tuple(found), reason="one repeats the other with another figure", repeats=True)
    barrier = _barrier(one, other, subjects)
    if barrier:
        return Judgement("not-comparable", reason=barrier)
    compared = _compared(one, other, subjects)
    differing = tuple(c for c in compared if c.state == "different")
    unstated = tuple(c for c in compared if c.state == "unstated")
    if one.overlaps(other, subjects):
        return Judgement("agree", differing, unstated)
    if one.kind == "term" and one.metric not in _ONE_TERM:
        return Judgement("not-comparable", reason="a thing can have both")
    verdict: Verdict = "explained" if differing else "possible-conflict" if unstated else "conflict"
    return Judgement(verdict, differing, unstated)


def _barrier(one: Side, other: Side, subjects: Subjects) -> str:
    """Why two claims must not be compared, or nothing."""
    if one.metric != other.metric and BRIDGES.get(one.metric) != other.metric and BRIDGES.get(other.metric) != one.metric:
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
    return _official(dict(one.values), dict(other.values), subjects)


def _official(one: Values, other: Values, subjects: Subjects) -> str:
    """MLPerf compares only results of one benchmark task, scenario and division."""
    suites = {value for side in (one, other) for value in side.get("benchmark", ())}
    if not any(value.startswith("benchmark/mlperf") for value in suites) or not ("benchmark" in one and "benchmark" in other):
        return ""
    left, right = ({name: side[name] for name in _OFFICIAL if name in side} for side in (one, other))
    apart = [c.name for c in compare(left, right, subjects) if c.state == "different"]
    return f"MLPerf compares only within one {apart[0]}" if apart else ""


def _kinship(one: Side, other: Side, subjects: Subjects) -> str:
    if one.subjects == other.subjects:
        return "same"
    if len(one.subjects) > 1 or len(other.subjects) > 1:
        return "other"
    return subjects.kinship(next(iter(one.subjects)), next(iter(other.subjects)))


def _compared(one: Side, other: Side, subjects: Subjects) -> list[Compared]:
    """Everything that tells two claims apart: the statement first, then the conditions."""
    found = [*_statement(one, other, subjects), *compare(dict(one.values), dict(other.values), subjects, needed=NEEDED.get(one.metric, ()))]
    if one.baseline_values != other.baseline_values:
        for c in compare(dict(one.baseline_values), dict(other.baseline_values), subjects):
            if c.state == "different" or (one.baseline in one.subjects and c.state == "unstated"):
                found.append(Compared(f"baseline {c.name}", c.state, c.left, c.right))
    return [c for c in found if c.state != "equal"]


def _statement(one: Side, other: Side, subjects: Subjects) -> list[Compared]:
    found = []
    names = [", ".join(sorted(map(subjects.label, side.subjects))) for side in (one, other)]
    kinship = _kinship(one, other, subjects)
    both_per = one.normaliser & other.normaliser - {"total"} and (kinship != "parts" or subjects.holds(min(one.subjects), min(other.subjects)))
    if kinship in ("broader", "variants"):
        found.append(Compared("variant", "unstated" if kinship == "broader" else "different", *names))
    elif kinship in ("platform", "other"):
        found.append(Compared("subject", "unstated", *names))
    elif kinship == "parts" and not both_per:
        found.append(Compared("level", "unstated" if "family" in (one.level, other.level) else "different", *names))
    if one.metric != other.metric and not _exceeds(one, other):
        found.append(Compared("metric", "different", one.metric, other.metric))
    if one.level != other.level and kinship != "parts" and not both_per and kinship != "platform":
        found.append(Compared("level", "unstated" if "family" in (one.level, other.level) else "different", one.level, other.level))
    if one.normaliser != other.normaliser:
        state: Literal["different", "unstated"] = "different" if one.normaliser and other.normaliser else "unstated"
        if {_PER_LEVEL.get(n) for n in one.normaliser} != {_PER_LEVEL.get(n) for n in other.normaliser} or state == "unstated":
            found.append(Compared("normaliser", state, ", ".join(sorted(one.normaliser)), ", ".join(sorted(other.normaliser))))
    if one.statistic != other.statistic:
        found.append(Compared("statistic", "different" if one.statistic and other.statistic else "unstated", one.statistic, other.statistic))
    if one.modality != other.modality:
        found.extend(_modality(one, other))
    if one.relation == "ratio":
        found.extend(_baseline(one, other, subjects))
    return found


def _exceeds(one: Side, other: Side) -> bool:
    """Whether a part of a cost lies above the cost that includes it, which no inclusion accounts for."""
    part, whole = (one, other) if BRIDGES.get(one.metric) == other.metric else (other, one)
    low, high = part.figure and part.figure.lower, whole.figure and whole.figure.upper
    return BRIDGES.get(part.metric) == whole.metric and low is not None and high is not None and low > high


def _modality(one: Side, other: Side) -> list[Compared]:
    supposed = (one.modality in _HYPOTHETICAL, other.modality in _HYPOTHETICAL)
    if supposed[0] != supposed[1]:
        return [Compared("modality", "different", one.modality, other.modality)]
    if "expected" in (one.modality, other.modality):
        return [Compared("modality", "unstated", one.modality, other.modality)]
    return []


def _baseline(one: Side, other: Side, subjects: Subjects) -> list[Compared]:
    names = [subjects.label(side.baseline) for side in (one, other)]
    if not (one.baseline and other.baseline):
        return [Compared("baseline", "unstated", *names)]
    kinship = subjects.kinship(one.baseline, other.baseline)
    if kinship == "same" or (kinship == "parts" and one.normaliser & other.normaliser - {"total"}):
        return []
    return [Compared("baseline", "unstated" if kinship in ("broader", "platform") else "different", *names)]
