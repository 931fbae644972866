"""Records of claims and their derivations in, arithmetic findings out: one a derivation.

`kg.audit.auditor` asks for findings; impact studies and calculations use its figures and formulas.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, cast

from kg.audit.claim_links import Lookup
from kg.audit.counts import total_counts, unlike_counts
from kg.audit.derivation import (
    FITTING,
    NO_FIT,
    NOT_GIVEN,
    RESTS_ON,
    CheckedDerivation,
    Verdict,
    blaming,
    computations,
    judge,
)
from kg.audit.dimensions import FormulaCheck
from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.finding import Finding, Reason, Severity
from kg.audit.surroundings import Surroundings
from kg.audit.wording import corrected_in_words, printed_form
from kg.errors import KgError
from kg.model.derived import printed_number
from kg.model.dimension import WrongDimension
from kg.model.finding_roles import INPUT
from kg.model.printed import Relation
from kg.model.recorded import (
    ClaimRecord,
    DerivationInputRecord,
    DerivationRecord,
    QuantityRecord,
)
from kg.model.remembered import Remembered
from kg.model.units import UnitTable

_SEVERITY: dict[str, Severity] = {
    "inconsistent": "violation",
    "not-supported": "warning",
    "aggregation-ambiguous": "warning",
    "not-checkable": "info",
    "input-refuted": "warning",
    "within-rounding": "info",
    "consistent": "info",
}
_MEANS = ("mean", "average", "olympic-mean")
_NAME: Final = re.compile(r"[a-z_]\w*")


@dataclass(slots=True)
class DerivationAudit:
    """Judges derivations; `claim` gives the record of an id, or None."""

    units: UnitTable
    claim: Lookup
    around: Mapping[str, Surroundings] = field(default_factory=dict)
    """What the registry says stands around the subjects it knows."""
    _check: FormulaCheck = field(init=False, repr=False, compare=False)
    _figures: Remembered[tuple[Any, ...], ExplainedQuantity | None] = field(
        default_factory=Remembered, repr=False, compare=False
    )
    """Figures read before, by everything that makes them."""
    _judged: Remembered[tuple[str, int], Verdict] = field(default_factory=Remembered, repr=False, compare=False)
    """Verdicts on derivations as they stand, without explanations, by claim and position: others ask for them again."""

    def __post_init__(self) -> None:
        self._check = FormulaCheck(self.units, self.claim)

    def findings(self, records: Iterable[ClaimRecord]) -> Iterator[Finding]:
        """All findings of the given claims."""
        for record in records:
            for position, given in computations(record):
                yield self._judge(record, position, given)

    def forget(self) -> None:
        """Claims have changed: what was worked out from them holds no more."""
        # figures stay: they are kept by what is printed, not by whose claim prints it
        self._judged.clear()

    def _judge(self, record: ClaimRecord, position: int, given: DerivationRecord) -> Finding:
        result = self.quantity(record, "result")
        used = ((one["claim"], f"{INPUT} {name}") for name, one in given["inputs"].items() if "claim" in one)
        verdict, severity, reasons = self._outcome(record, position, given, result)
        return Finding(
            code=f"arithmetic.{verdict.verdict}",
            verdict=verdict.verdict,
            severity=severity,
            message=self._in_figures(record, verdict, result),
            claims=((record["id"], "result"), *used),
            key=str(position),
            computed=verdict.computed,
            corrected=verdict.corrected,
            approximate=verdict.approximate,
            unit=result.unit if result else None,
            reasons=reasons,
            missing=verdict.missing,
            derivation=position,
        )

    def _in_figures(self, record: ClaimRecord, verdict: Verdict, result: ExplainedQuantity | None) -> str:
        """The verdict in words; where a result does not fit, with what the inputs give and what is printed."""
        printed = (record.get("quantity") or {}).get("printed")
        is_at_odds = NO_FIT in verdict.text or NOT_GIVEN in verdict.text
        if not is_at_odds or verdict.computed is None or result is None or not printed:
            return verdict.text
        given = printed_form(verdict.computed, result.unit, record, self.units).replace(" count:", " ")
        text = verdict.text.replace(NO_FIT, f"the inputs give {given}, printed is {printed}", 1)
        return text.replace(NOT_GIVEN, f"the rows used give {given}, printed is {printed}", 1)

    def _outcome(
        self,
        record: ClaimRecord,
        position: int,
        given: DerivationRecord,
        result: ExplainedQuantity | None,
    ) -> tuple[Verdict, Severity, tuple[Reason, ...]]:
        """The verdict of one derivation in the light of its inputs and of the other derivations of the result."""
        # before any arithmetic: such a quotient may fit by chance and would confirm a comparison of two systems
        counts = unlike_counts(record, given, self.claim)
        if counts is not None:
            return Verdict("not-checkable", "unlike-counts", counts), "info", ()
        verdict = self._as_it_stands(record, position, given)
        if verdict.verdict != "not-checkable" and (refuted := self._refuted_inputs(record, given)):
            return self._on_refuted(record, given, result, self._inputs(given), verdict=verdict, refuted=refuted)
        if verdict.verdict in ("inconsistent", "not-supported") and (other := self._fitting(record, given)) is not None:
            cause = Reason(code="derivation.fits", text=f"one computation does not give it, another one does ({other})")
            if verdict.verdict == "inconsistent":
                return blaming(verdict, cause.text), _SEVERITY["inconsistent"], (cause,)
            text = f"{verdict.text.partition(';')[0]}; another computation does ({other})"
            weight: Severity = "warning" if self._fits_seldom(record) else "info"
            return replace(verdict, text=text, explanations=()), weight, (cause,)
        if verdict.verdict in ("inconsistent", "not-supported"):
            verdict = self._verdict(record, given, result, self._inputs(given), is_explained=True)
        reasons = tuple(Reason(one.code, one.text, one.corrected) for one in verdict.explanations)
        return verdict, _SEVERITY[verdict.verdict], reasons

    def _on_refuted(
        self,
        record: ClaimRecord,
        given: DerivationRecord,
        result: ExplainedQuantity | None,
        inputs: Mapping[str, ExplainedQuantity | None],
        *,
        verdict: Verdict,
        refuted: Mapping[str, Verdict],
    ) -> tuple[Verdict, Severity, tuple[Reason, ...]]:
        """What becomes of a result with its refuted inputs put right: it holds after all, or falls with them."""
        right = {name: cause.corrected for name, cause in refuted.items()}
        # a result that fits a refuted input does not hold either: what counts
        # is whether it fits the right one
        after = self._verdict(record, given, result, _with(right, given, inputs))
        text = f"its input {', '.join(map(self._in_words, refuted))} does not recompute"
        if after.verdict in FITTING:
            text, corrected, severity = f"{text}; with that put right the result fits", None, "info"
        elif after.computed is None or verdict.computed is None:
            corrected, severity = None, "warning"
        else:
            corrected, severity = after.computed, "warning"
            unit = None if result is None else result.unit
            before, now = (corrected_in_words(value, unit) for value in (verdict.computed, corrected))
            text = f"{text}: as printed the inputs give {before}, put right {now}"
            if (other := self._fitting(record, given)) is not None:
                text = f"{text}; what is printed is {other}"
        found = Verdict(
            "input-refuted", verdict.reason, text, verdict.computed, verdict.interval, corrected, approximate=True
        )
        return found, cast(Severity, severity), (Reason(code="input.refuted", text=text, corrected=corrected),)

    def put_right(
        self, record: ClaimRecord, corrections: Mapping[str, Fraction | None]
    ) -> tuple[Fraction | None, str | None]:
        """What the inputs of a claim give with some of them put right, and its unit.

        None where one of them is not known, nothing is computed from them, or two computations give different figures.
        """
        result = self.quantity(record, "result")
        found: set[Fraction | None] = set()
        for given in record.get("derivations") or () if result is not None else ():
            if any(one.get("claim") in corrections for one in given["inputs"].values()):
                found.add(
                    None
                    if given["expression"] == RESTS_ON or unlike_counts(record, given, self.claim) is not None
                    else self._verdict(record, given, result, _with(corrections, given, self._inputs(given))).computed
                )
        # two computations that disagree once put right would need a winner
        value = found.pop() if len(found) == 1 else None
        return value, result.unit if value is not None and result is not None else None

    def _inputs(self, given: DerivationRecord) -> dict[str, ExplainedQuantity | None]:
        inputs: dict[str, ExplainedQuantity | None] = {}
        for name, used in given["inputs"].items():
            if "claim" in used:
                other = self.claim(used["claim"])
                inputs[name] = self.quantity(other, name) if other is not None else None
            else:
                inputs[name] = self._constant(name, used)
        return inputs

    def _as_it_stands(self, record: ClaimRecord, position: int, given: DerivationRecord) -> Verdict:
        """The verdict of a derivation with its inputs as they are printed, without explanations; remembered."""
        key = record["id"], position
        found = self._judged.get(key)
        if found is None:
            found = self._verdict(record, given, self.quantity(record, "result"), self._inputs(given))
            self._judged[key] = found
        return found

    def _verdict(
        self,
        record: ClaimRecord,
        given: DerivationRecord,
        result: ExplainedQuantity | None,
        inputs: Mapping[str, ExplainedQuantity | None],
        *,
        is_explained: bool = False,
    ) -> Verdict:
        # what a text denies is not its figure: arithmetic that gives it bears the denial out as little as it refutes it
        if record.get("polarity") == "negated":
            return Verdict("not-checkable", "denied", "the text denies the figure")
        around = self.around.get(record["subject"])
        try:
            factor = self._check.factor(record, given)
            stated = given.get("stated_by_text", True)
            checked = CheckedDerivation(given["expression"], stated, around, factor)
            return judge(checked, result, inputs, is_explained=is_explained)
        except WrongDimension as cause:
            return Verdict("not-checkable", "dimensions", f"the dimensions do not fit: {cause.message}")
        except KgError as cause:
            return Verdict("not-checkable", "missing", f"cannot be computed: {cause.message or cause.code}")

    def formula(self, record: ClaimRecord, given: DerivationRecord) -> str:
        """The expression in canonical units, with the factor that they need where the text leaves it out."""
        factor = self._check.factor(record, given)
        expression = str(given["expression"])
        return expression if factor == 1 else f"{factor.numerator} * ({expression}) / {factor.denominator}"

    def _refuted_inputs(self, record: ClaimRecord, given: DerivationRecord) -> dict[str, Verdict]:
        """The inputs that do not recompute themselves, each with the verdict that refutes it."""
        names = {one["claim"] for one in given["inputs"].values() if "claim" in one} - {record["id"]}
        return {name: verdict for name in sorted(names) if (verdict := self._refuting(name)) is not None}

    def _fitting(self, record: ClaimRecord, given: DerivationRecord) -> str | None:
        """The expression of another derivation that gives the result from inputs that hold.

        A figure that is only taken over from elsewhere (of the size of a model, say) is no computation.
        """
        for position, one in computations(record):
            # an expression that is the name of an input takes it over and computes nothing
            if one is given or one["expression"] in one["inputs"]:
                continue
            if unlike_counts(record, one, self.claim) is not None:
                continue
            fits = self._as_it_stands(record, position, one).verdict in FITTING
            if fits and not self._refuted_inputs(record, one):
                return self._in_printed_figures(one)
        return None

    def _in_words(self, name: str) -> str:
        printed = ((self.claim(name) or {}).get("quantity") or {}).get("printed")
        return f"{printed} [{name}]" if printed else name

    def _in_printed_figures(self, given: DerivationRecord) -> str:
        """The formula of a derivation with the printed figures in it, and of how many accelerators its totals are."""
        shown = _NAME.sub(lambda found: self._printed(given["inputs"].get(found[0])) or found[0], given["expression"])
        counts = total_counts(given, self.claim)
        return shown if counts is None else f"{shown}, totals of {counts}"

    def _printed(self, used: DerivationInputRecord | None) -> str | None:
        record = self.claim(used["claim"]) if used and "claim" in used else None
        return ((record or {}).get("quantity") or {}).get("printed")

    def _fits_seldom(self, record: ClaimRecord) -> bool:
        """Whether most computations of a figure from unrefuted inputs miss it, so that one that gives it is a choice."""
        verdicts = [
            self._as_it_stands(record, position, one).verdict
            for position, one in computations(record)
            if unlike_counts(record, one, self.claim) is None
        ]
        missed = sum(one in ("not-supported", "inconsistent") for one in verdicts)
        return missed > 2 * sum(one in FITTING for one in verdicts)

    def _refuting(self, name: str) -> Verdict | None:
        """The verdict by which a claim does not recompute, where no computation of it fits."""
        record = self.claim(name)
        if record is None or "derivations" not in record:
            return None
        verdicts = [self._as_it_stands(record, position, given) for position, given in computations(record)]
        # texts give several ways to one figure; as long as one of them gives it the figure is not refuted
        if any(one.verdict in FITTING for one in verdicts):
            return None
        return next((one for one in verdicts if one.verdict == "inconsistent"), None)

    def _constant(self, name: str, used: DerivationInputRecord) -> ExplainedQuantity | None:
        try:
            unit = used["unit"]
            value = self.units.to_canonical(Fraction(str(used["constant"])), unit)
            return ExplainedQuantity.constant(
                name, value, unit if unit.startswith("count:") else self.units.canonical(unit).id
            )
        except KgError:
            return None

    def quantity(self, record: ClaimRecord, label: str) -> ExplainedQuantity | None:
        """The figure of a claim as the audit sees it; None without a number in a sound unit."""
        quantity = record.get("quantity")
        if not quantity or quantity.get("value") is None:
            return None
        relation = record.get("relation", "absolute")
        # points and differences keep the unit of what they differ in: they are computed like an absolute figure
        if relation in ("points", "difference", "order"):
            relation = "absolute"
        aggregation = (record.get("conditions") or {}).get("aggregation")
        # tables give means in a column (`statistic`) or say so of all rows
        # (`aggregation: mean over submissions`)
        mean = record.get("statistic") in _MEANS or (isinstance(aggregation, str) and aggregation.startswith("mean"))
        value = quantity["value"]
        key = (
            label,
            quantity.get("printed"),
            tuple(value) if isinstance(value, list) else value,
            quantity.get("unit"),
            quantity.get("hedge"),
            quantity.get("exact", False),
            quantity.get("shape"),
            relation,
            mean,
        )
        if key not in self._figures:
            self._figures[key] = self._read(quantity, label, relation, is_mean=mean)
        return self._figures[key]

    def _read(
        self, quantity: QuantityRecord, label: str, relation: Relation, *, is_mean: bool
    ) -> ExplainedQuantity | None:
        try:
            figure = printed_number(quantity)
            if figure is None:
                return None
            return ExplainedQuantity.from_printed(label, figure, table=self.units, relation=relation, is_mean=is_mean)
        except KgError:
            return None


def _with(
    corrections: Mapping[str, Fraction | None],
    given: DerivationRecord,
    inputs: Mapping[str, ExplainedQuantity | None],
) -> dict[str, ExplainedQuantity | None]:
    """The inputs of a derivation with some of them put right; one that is refuted without a right value is missing."""
    right = dict(inputs)
    for label, one in given["inputs"].items():
        name = one.get("claim", "")
        if name in corrections:
            old, value = inputs[label], corrections[name]
            right[label] = None if old is None or value is None else ExplainedQuantity.constant(label, value, old.unit)
    return right
