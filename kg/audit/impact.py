"""If a claim is wrong: what depends on it, with the values before and after, and what becomes of each conclusion.

Follows derivations, the rows below statements of more or less, stated conclusions (`rests-on`) and repetitions.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from kg.audit.derivation import RESTS_ON
from kg.audit.finding import Finding
from kg.audit.outcome import Outcome, judge_direction, judge_figure, judge_ratio, together, worsened
from kg.audit.recompute import DerivationAudit
from kg.audit.rows import Rows
from kg.errors import KgError
from kg.model.expression import Expression
from kg.model.interval import Interval
from kg.model.units import UnitTable
from kg.model.vocabulary import RATIO_RELATIONS

Json = Mapping[str, Any]
Via = Literal["derivation", "conclusion", "repeats"]


@dataclass(frozen=True, slots=True)
class Change:
    """A claim that is corrected, or withdrawn where `after` is None; values in the canonical unit."""

    claim: str
    before: Interval | None
    after: Fraction | None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """One computation or one pair of rows that has another value now."""

    name: str
    expression: str
    before: Interval | None
    after: Interval | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Affected:
    """One claim that depends on a change."""

    claim: str
    hop: int
    via: Via
    outcome: Outcome
    printed: str | None
    unit: str | None
    holds: bool | None
    """Whether the printed figure still fits; None for a claim without one."""
    touched: tuple[Touched, ...]
    unchanged: tuple[tuple[str, Interval], ...]
    """Other computations of the same claim that the change does not reach, with what they give."""
    because: tuple[str, ...]
    """The claims below it that changed."""


@dataclass(frozen=True, slots=True)
class Impact:
    """All that follows from some changes."""

    changes: tuple[Change, ...]
    affected: tuple[Affected, ...]

    def of(self, claim: str) -> Affected | None:
        """What becomes of one claim, or None where nothing reaches it."""
        return next((one for one in self.affected if one.claim == claim), None)

    def to_json(self) -> dict[str, Any]:
        """Plain values, stable and sorted: an amount is a number, a range a pair."""
        return {
            "changes": [{"claim": c.claim, "before": _amount(c.before), "after": None if c.after is None else float(c.after), "unit": c.unit} for c in self.changes],
            "affected": [_affected_json(one) for one in self.affected],
        }  # fmt: skip


def _affected_json(one: Affected) -> dict[str, Any]:
    return {
        "claim": one.claim, "hop": one.hop, "via": one.via, "outcome": one.outcome, "printed": one.printed, "unit": one.unit,
        "holds": one.holds, "because": list(one.because),
        "touched": [
            {"name": t.name, "expression": t.expression, "before": _amount(t.before), "after": _amount(t.after), "outcome": t.outcome}
            for t in one.touched
        ],
        "unchanged": [{"name": name, "value": _amount(value)} for name, value in one.unchanged],
    }  # fmt: skip


def _amount(interval: Interval | None) -> float | list[float | None] | None:
    if interval is None:
        return None
    low, high = (None if end is None else float(end) for end in (interval.lower, interval.upper))
    return low if low == high else [low, high]


def corrections_of(findings: Iterable[Finding]) -> dict[str, Fraction]:
    """The corrected values of results that do not recompute; an ambiguous average has none."""
    found: dict[str, Fraction] = {}
    for one in findings:
        if one.code == "arithmetic.inconsistent" and one.corrected is not None:
            found.setdefault(one.claim, one.corrected)
    return found


@dataclass(slots=True)
class ImpactStudy:
    """The claims with the index of what rests on what, for any number of questions."""

    claims: Mapping[str, Json]
    units: UnitTable
    covers: Mapping[str, Collection[str]] = field(default_factory=dict)
    """What lies below a thing (kg.model.names.descendants)."""
    better: Mapping[str, str] = field(default_factory=dict)
    """Which direction of a metric is better: higher, lower or neither."""
    _audit: DerivationAudit = field(init=False)
    _dependents: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._audit, self._dependents = DerivationAudit(self.units, self.claims.get), {}
        for name, record in self.claims.items():
            for below in _below(record):
                self._dependents.setdefault(below, []).append(name)

    def canonical(self, claim: str, value: Fraction | int | float) -> Fraction | None:
        """A new value of a claim, given in the unit and relation it is printed in, in canonical form."""
        record = self.claims[claim]
        changed = {"value": value if isinstance(value, int) else float(value), "unit": (record.get("quantity") or {}).get("unit", "1")}
        quantity = self._audit.quantity({**record, "quantity": changed}, "value")
        return None if quantity is None else quantity.value

    def of(self, corrections: Mapping[str, Fraction | None]) -> Impact:
        """What follows from the corrections taken together; a None withdraws the claim."""
        run = _Run(self, corrections)
        hops = self._reached(corrections)
        for name in self._ordered(hops):
            if name not in corrections:
                run.judge(name, hops[name])
        changes = []
        for name, value in sorted(corrections.items()):
            quantity = self._audit.quantity(self.claims[name], "value") if name in self.claims else None
            changes.append(Change(name, run.before(name), value, quantity.unit if quantity else None))
        return Impact(tuple(changes), tuple(sorted(run.found, key=lambda one: (one.hop, one.claim))))

    def _reached(self, names: Iterable[str]) -> dict[str, int]:
        hops = dict.fromkeys(sorted(names), 0)
        level, hop = list(hops), 0
        while level:
            hop, following = hop + 1, []
            for name in level:
                for other in self._dependents.get(name, ()):
                    if other not in hops:
                        hops[other] = hop
                        following.append(other)
            level = following
        return hops

    def _ordered(self, names: Collection[str]) -> list[str]:
        """Each claim after all it rests on; those of a circle in the order of their names."""
        waiting = {name: len({below for below in _below(self.claims.get(name, {})) if below in names}) for name in names}
        ready, done = sorted((name for name, count in waiting.items() if not count), reverse=True), []
        while ready or waiting:
            name = ready.pop() if ready else min(waiting)
            if waiting.pop(name, None) is None:
                continue
            done.append(name)
            for other in self._dependents.get(name, ()):
                if other in waiting:
                    waiting[other] -= 1
                    if waiting[other] == 0:
                        ready.append(other)
        return done


def impact_of(
    claim: str, new_value: Fraction | None, study: ImpactStudy, *, corrected: Mapping[str, Fraction] | None = None
) -> Impact:
    """What follows if one claim has another (canonical) value; without one, its corrected value, else it is withdrawn."""
    value = new_value if new_value is not None else (corrected or {}).get(claim)
    return study.of({claim: value})


def _below(record: Json) -> list[str]:
    """Every claim that a claim names as an input, an upstream or a twin, once."""
    names = [
        given["claim"]
        for derivation in record.get("derivations") or ()
        for given in derivation["inputs"].values()
        if "claim" in given
    ]
    names += [one["claim"] for one in record.get("restates") or () if "claim" in one]
    names += [record["same_as"]] if record.get("same_as") else []
    return list(dict.fromkeys(names))


@dataclass(slots=True)
class _Run:
    """One pass over what is reached: the values and outcomes so far."""

    study: ImpactStudy
    corrections: Mapping[str, Fraction | None]
    after: dict[str, Interval | None] = field(init=False)
    outcome: dict[str, Outcome] = field(init=False)
    found: list[Affected] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.after = {name: None if value is None else Interval.exactly(value) for name, value in self.corrections.items()}
        self.outcome = {}
        for name, value in self.after.items():
            quantity = self._quantity(name)
            self.outcome[name] = "falls" if quantity is None else judge_figure(quantity.interval, value)

    def _quantity(self, name: str) -> Any:
        record = self.study.claims.get(name)
        return None if record is None else self.study._audit.quantity(record, name)

    def before(self, name: str) -> Interval | None:
        """The value of a claim as printed."""
        quantity = self._quantity(name)
        if quantity is None:
            return None
        return Interval.exactly(quantity.value) if quantity.value is not None else quantity.interval

    def now(self, name: str) -> Interval | None:
        """The value of a claim after the changes."""
        return self.after[name] if name in self.after else self.before(name)

    def judge(self, name: str, hop: int) -> None:
        """Work out what becomes of one claim once all below it are known."""
        record = self.study.claims[name]
        because = tuple(below for below in _below(record) if below in self.after or self.outcome.get(below, "survives") != "survives")
        computed, unchanged = self._computations(record)
        rows = [] if computed else self._rows(record)
        touched, quantity = (*computed, *rows), self._quantity(name)
        if touched:
            via, outcome = ("derivation" if computed else "conclusion"), together(one.outcome for one in touched)
        else:
            via, outcome = self._by_inputs(record)
        holds = None if quantity is None else self._holds(quantity.interval, computed, outcome)
        if computed and (outcome != "survives" or not holds):
            values = [one.after for one in computed if one.after is not None]
            self.after[name] = Interval.hull(values) if values else None
        self.outcome[name] = outcome
        printed = (record.get("quantity") or {}).get("printed") or record.get("cue")
        self.found.append(Affected(
            name, hop, via, outcome, printed, quantity.unit if quantity else None, holds, touched, tuple(unchanged), because,  # type: ignore[arg-type]
        ))  # fmt: skip

    @staticmethod
    def _holds(printed: Interval, computed: Iterable[Touched], outcome: Outcome) -> bool:
        values = [one.after for one in computed]
        return any(value is not None and printed.overlaps(value) for value in values) if values else outcome == "survives"

    def _computations(self, record: Json) -> tuple[list[Touched], list[tuple[str, Interval]]]:
        touched: list[Touched] = []
        unchanged: list[tuple[str, Interval]] = []
        for position, derivation in enumerate(record.get("derivations") or (), 1):
            if derivation["expression"] == RESTS_ON:
                continue
            name = derivation.get("variant") or str(position)
            before = self._compute(derivation, self.before)
            if any(given.get("claim") in self.after for given in derivation["inputs"].values()):
                after = self._compute(derivation, self.now)
                touched.append(Touched(name, derivation["expression"], before, after, self._outcome(record, before, after)))
            elif before is not None:
                unchanged.append((name, before))
        return touched, unchanged

    def _outcome(self, record: Json, before: Interval | None, after: Interval | None) -> Outcome:
        quantity = self._quantity(record["id"])
        if quantity is None:
            direction = record.get("direction")
            judged = judge_direction(direction, before, after) if direction and before is not None else None
            return judged or ("survives" if after is not None else "falls")
        judge = judge_ratio if record.get("relation") in RATIO_RELATIONS else judge_figure
        return worsened(judge(quantity.interval, before), judge(quantity.interval, after))

    def _compute(self, derivation: Json, value: Any) -> Interval | None:
        inputs: dict[str, Interval] = {}
        for name, given in derivation["inputs"].items():
            if "claim" in given:
                amount = value(given["claim"])
            else:
                constant = self.study._audit._constant(name, given)
                amount = None if constant is None else constant.interval
            if amount is None:
                return None
            inputs[name] = amount
        try:
            return Expression.parse(derivation["expression"]).evaluate_intervals(inputs)
        except KgError:
            return None

    def _rows(self, record: Json) -> list[Touched]:
        """A statement of more or less against the ratios of the rows it rests on."""
        rows, touched = Rows(self.study.claims, self.study.covers, self.study.better), []
        for pair in rows.pairs(record):
            if pair.subject not in self.after and pair.baseline not in self.after:
                continue
            before, after = (pair.ratio(value(pair.subject), value(pair.baseline)) for value in (self.before, self.now))
            outcome = judge_direction(record["direction"], before, after) if before is not None else None
            if outcome is not None:
                touched.append(Touched(pair.name, f"{pair.subject} / {pair.baseline}", before, after, outcome))
        return touched

    def _by_inputs(self, record: Json) -> tuple[Via, Outcome]:
        """A conclusion stands or falls with what supports it; a repetition with what it repeats."""
        supports = [
            given["claim"]
            for derivation in record.get("derivations") or ()
            if derivation["expression"] == RESTS_ON
            for given in derivation["inputs"].values()
            if given.get("role") != "contradicting"
        ]
        if supports:
            return "conclusion", together(self._support(record, name) for name in dict.fromkeys(supports))
        if record.get("derivations"):
            return "conclusion", "survives"
        return "repeats", together(self.outcome.get(name, "survives") for name in _below(record))

    def _support(self, record: Json, name: str) -> Outcome:
        """What one support is worth now: one that moves further in the direction of the conclusion is worth no less."""
        outcome = self.outcome.get(name, "survives")
        if outcome == "survives" or name not in self.after:
            return outcome
        rows = Rows(self.study.claims, self.study.covers, self.study.better)
        return "survives" if rows.moves_along(record, name, self.before(name), self.after[name]) else outcome
