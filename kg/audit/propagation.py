"""Carries corrections from claim to claim: through computations, compared rows, stated conclusions and repetitions.

`kg.audit.impact` makes one `Propagation` a question and judges each claim after all that it rests on.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from kg.audit.claim_links import grounds, premises, repeated
from kg.audit.compared_rows import ComparedRows
from kg.audit.derivation import RESTS_ON
from kg.audit.effects import Affected, Touched, Via
from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.outcome import Outcome, judge_direction, judge_figure, judge_ratio, together, worsened
from kg.audit.recompute import DerivationAudit
from kg.audit.systems import LEVELS, is_about_systems, totals_of
from kg.errors import KgError
from kg.model.expression import Expression
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord, DerivationInputRecord, DerivationRecord
from kg.model.vocabulary import RATIO_RELATIONS


def names_below(record: ClaimRecord) -> list[str]:
    """Every claim that a claim names as an input, an upstream or a twin, once."""
    return list(dict.fromkeys((*(name for name, _ in premises(record)), *repeated(record))))


@dataclass(slots=True)
class Propagation:
    """One pass over what some corrections reach: the values and outcomes so far."""

    claims: Mapping[str, ClaimRecord]
    rows: ComparedRows
    figures: DerivationAudit
    corrections: Mapping[str, Fraction | None]
    audited: Collection[str] = ()
    """Claims that the audit corrects; of those that hold for whole systems, the correction is read of one accelerator."""
    after: dict[str, Interval | None] = field(init=False)
    outcome: dict[str, Outcome] = field(init=False)
    per_accelerator: dict[str, Interval | None] = field(default_factory=dict)
    """What statements about systems, which stand, come to when they are read of one accelerator."""
    found: list[Affected] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.after = {
            name: None if value is None else Interval.exactly(value) for name, value in self.corrections.items()
        }
        self.outcome = {}
        for name, value in self.after.items():
            quantity = self._quantity(name)
            self.outcome[name] = "falls" if quantity is None else judge_figure(quantity.interval, value)
        for name in self.audited:
            record, quantity = self.claims[name], self._quantity(name)
            if self._stands_for_systems(record, quantity, self._computations(record)[1]):
                # it keeps its value for what compares systems; read of one accelerator, its
                # correction counts for what rests on it
                self.outcome[name], self.per_accelerator[name] = "weakens", self.after.pop(name)

    def _quantity(self, name: str) -> ExplainedQuantity | None:
        record = self.claims.get(name)
        return None if record is None else self.figures.quantity(record, name)

    def before(self, name: str) -> Interval | None:
        """The value of a claim as printed."""
        quantity = self._quantity(name)
        if quantity is None:
            return None
        return Interval.exactly(quantity.value) if quantity.value is not None else quantity.interval

    def now(self, name: str) -> Interval | None:
        """The value of a claim after the changes."""
        return self.after[name] if name in self.after else self.before(name)

    def _changed(self, name: str) -> bool:
        return name in self.after or self.outcome.get(name, "survives") != "survives"

    def judge(self, name: str, hop: int) -> None:
        """Work out what becomes of one claim once all below it are known."""
        record = self.claims[name]
        computed, unchanged = self._computations(record)
        # a computation says more than the rows a conclusion was read from: rows count only where there is none
        touched = computed or self._rows(record)
        quantity = self._quantity(name)
        via, outcome = self._by_inputs(record)
        if touched:
            via, outcome = "derivation" if computed else "conclusion", together(one.outcome for one in touched)
        holds = None if quantity is None else self._holds(quantity.interval, computed, outcome)
        if outcome in ("falls", "reverses") and self._stands_for_systems(record, quantity, unchanged):
            # read per accelerator it is lost, read per system it stands: what compares it has its value as it was
            outcome, holds, self.per_accelerator[name] = "weakens", True, _span_of(computed)
        elif _is_moved(computed, outcome, holds=holds):
            self.after[name] = _span_of(computed)
        self.outcome[name] = outcome
        self.found.append(
            Affected(
                name,
                hop,
                via,
                outcome,
                (record.get("quantity") or {}).get("printed") or record.get("cue"),
                None if quantity is None else quantity.unit,
                holds,
                tuple(touched),
                tuple(unchanged),
                _fitted(quantity, computed),
                tuple(filter(self._changed, names_below(record))),
            )
        )

    def _stands_for_systems(
        self, record: ClaimRecord, quantity: ExplainedQuantity | None, unchanged: Iterable[tuple[str, Interval]]
    ) -> bool:
        """Whether totals, which nothing changes, bear a statement about whole systems out."""
        if quantity is None or not is_about_systems(record):
            return False
        totals = {
            derivation.get("variant") or str(position)
            for position, derivation in enumerate(record.get("derivations") or (), 1)
            if totals_of(derivation, self.claims.get) is not None
        }
        return any(name in totals and quantity.interval.overlaps(value) for name, value in unchanged)

    @staticmethod
    def _holds(printed: Interval, computed: Iterable[Touched], outcome: Outcome) -> bool:
        # a figure given in two ways holds as long as one of them still gives it
        values = [one.after for one in computed]
        return (
            any(value is not None and printed.overlaps(value) for value in values) if values else outcome == "survives"
        )

    def _computations(self, record: ClaimRecord) -> tuple[list[Touched], list[tuple[str, Interval]]]:
        touched: list[Touched] = []
        unchanged: list[tuple[str, Interval]] = []
        for position, derivation in enumerate(record.get("derivations") or (), 1):
            if derivation["expression"] == RESTS_ON:
                continue
            name = derivation.get("variant") or str(position)
            before = self._compute(record, derivation, self.before)
            # `now` falls back to the print: where no input moved, before and after
            # would be one computation done twice
            if any(given.get("claim") in self.after for given in derivation["inputs"].values()):
                after = self._compute(record, derivation, self.now)
                touched.append(
                    Touched(name, derivation["expression"], before, after, self._outcome(record, before, after))
                )
            elif before is not None:
                unchanged.append((name, before))
        return touched, unchanged

    def _outcome(self, record: ClaimRecord, before: Interval | None, after: Interval | None) -> Outcome:
        quantity = self._quantity(record["id"])
        if quantity is None:
            direction = record.get("direction")
            judged = judge_direction(direction, before, after) if direction and before is not None else None
            # words that no ratio judges fall only with what cannot be computed any longer
            return judged or ("survives" if after is not None else "falls")
        judge = judge_ratio if record.get("relation") in RATIO_RELATIONS else judge_figure
        # judged on both sides, so that a figure that was wrong all along
        # is not put down to this change
        return worsened(judge(quantity.interval, before), judge(quantity.interval, after))

    def _compute(
        self, record: ClaimRecord, derivation: DerivationRecord, value: Callable[[str], Interval | None]
    ) -> Interval | None:
        inputs: dict[str, Interval] = {}
        for name, given in derivation["inputs"].items():
            if "claim" in given:
                amount = value(given["claim"])
            else:
                amount = self._constant(given)
            if amount is None:
                return None
            inputs[name] = amount
        try:
            return Expression.parse(self.figures.formula(record, derivation)).evaluate_intervals(inputs)
        except KgError:
            return None

    def _constant(self, given: DerivationInputRecord) -> Interval | None:
        try:
            return Interval.exactly(self.figures.units.to_canonical(Fraction(str(given["constant"])), given["unit"]))
        except KgError:
            return None

    def _rows(self, record: ClaimRecord) -> list[Touched]:
        """A statement of more or less against the ratios of the rows it rests on."""
        touched: list[Touched] = []
        for pair in self.rows.pairs(record):
            if pair.subject not in self.after and pair.baseline not in self.after:
                continue
            before, after = (pair.ratio(value(pair.subject), value(pair.baseline)) for value in (self.before, self.now))
            outcome = judge_direction(record["direction"], before, after) if before is not None else None
            if outcome is not None:
                touched.append(Touched(pair.name, f"{pair.subject} / {pair.baseline}", before, after, outcome))
        return touched

    def _by_inputs(self, record: ClaimRecord) -> tuple[Via, Outcome]:
        """A conclusion stands or falls with what supports it; a repetition with what it repeats."""
        supports = list(grounds(record))
        if any(map(self._changed, supports)):
            return "conclusion", together(self._support(record, name) for name in dict.fromkeys(supports))
        # what is put right of one card may well be true of the system that it is said of again
        is_system = record["level"] in LEVELS
        said_again = [
            name
            for name in repeated(record)
            if not (is_system and self.claims.get(name, record)["level"] == "accelerator")
        ]
        if any(name in self.outcome for name in said_again):
            return "repeats", together(self.outcome.get(name, "survives") for name in said_again)
        return "conclusion" if supports else "derivation", "survives"

    def _support(self, record: ClaimRecord, name: str) -> Outcome:
        """What one support is worth now: one that moves further in the direction of the conclusion is worth no less."""
        outcome = self.outcome.get(name, "survives")
        # a statement about systems stands, but what concludes from it on one accelerator
        # uses its figure per accelerator
        after = self.after.get(name, self.per_accelerator.get(name))
        if outcome == "survives" or after is None:
            return outcome
        return "survives" if self.rows.moves_along(record, name, self.before(name), after) else outcome


def _is_moved(computed: Iterable[Touched], outcome: Outcome, *, holds: bool | None) -> bool:
    """Whether a computed figure is another one now; what was wrong before and gives the same still is no consequence."""
    return any(one.before != one.after for one in computed) and (outcome != "survives" or not holds)


def _fitted(printed: ExplainedQuantity | None, computed: Iterable[Touched]) -> bool | None:
    """Whether one of some computations gave what is printed before anything changed; None where no figure is."""
    if printed is None:
        return None
    return any(one.before is not None and printed.interval.overlaps(one.before) for one in computed)


def _span_of(computed: Iterable[Touched]) -> Interval | None:
    """What several derivations give now: without choosing one, what builds on the claim gets the span of all."""
    values = [one.after for one in computed if one.after is not None]
    return Interval.hull(values) if values else None
