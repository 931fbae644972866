"""Every derivation of every claim judged: the arithmetic findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kg.audit.derivation import RESTS_ON, Derivation, Quantity, Surroundings, Verdict, judge
from kg.audit.finding import Finding, Reason, Severity
from kg.errors import KgError
from kg.model.derived import printed_number
from kg.model.units import UnitTable

Json = Mapping[str, Any]

_SEVERITY: dict[str, Severity] = {
    "inconsistent": "violation", "not-supported": "warning", "aggregation-ambiguous": "warning", "not-checkable": "info",
    "within-rounding": "info", "consistent": "info",
}  # fmt: skip
_REMEMBERED = 1 << 15
_MEANS = ("mean", "average", "olympic-mean")


@dataclass(slots=True)
class DerivationAudit:
    """Judges derivations; `claim` gives the record of an id, or None."""

    units: UnitTable
    claim: Callable[[str], Json | None]
    per_node: Mapping[str, int] = field(default_factory=dict)
    """From a subject to the accelerators of one of its nodes, where the registry says so."""
    _figures: dict[tuple[Any, ...], Quantity | None] = field(default_factory=dict, repr=False, compare=False)
    """Figures read before, by everything that makes them."""

    def findings(self, records: Iterable[Json]) -> Iterator[Finding]:
        """All findings of the given claims."""
        for record in records:
            for position, given in enumerate(record.get("derivations") or (), 1):
                if given["expression"] != RESTS_ON:
                    yield self._judge(record, position, given)

    def _judge(self, record: Json, position: int, given: Json) -> Finding:
        result = self.quantity(record, "result")
        inputs: dict[str, Quantity | None] = {}
        named: list[tuple[str, str]] = [(record["id"], "result")]
        for name, used in given["inputs"].items():
            if "claim" in used:
                named.append((used["claim"], f"input {name}"))
                other = self.claim(used["claim"])
                inputs[name] = self.quantity(other, name) if other is not None else None
            else:
                inputs[name] = self._constant(name, used)
        around = Surroundings(accelerators_per_node=self.per_node.get(record["subject"]))
        derivation = Derivation(given["expression"], given.get("stated_by_text", True), around)
        try:
            verdict = judge(derivation, result, inputs)
        except KgError as cause:
            verdict = Verdict("not-checkable", "missing", f"cannot be computed: {cause.message or cause.code}")
        return Finding(
            code=f"arithmetic.{verdict.verdict}", verdict=verdict.verdict, severity=_SEVERITY[verdict.verdict],
            message=verdict.text, claims=tuple(named), key=str(position), computed=verdict.computed,
            corrected=verdict.corrected, approximate=verdict.approximate, unit=result.unit if result else None,
            reasons=tuple(Reason(one.code, one.text, one.corrected) for one in verdict.explanations),
            missing=verdict.missing, derivation=position,
        )  # fmt: skip

    def _constant(self, name: str, used: Json) -> Quantity | None:
        try:
            unit = used["unit"]
            value = self.units.to_canonical(Fraction(str(used["constant"])), unit)
            return Quantity.constant(name, value, unit if unit.startswith("count:") else self.units.canonical(unit).id)
        except KgError:
            return None

    def quantity(self, record: Json, label: str) -> Quantity | None:
        """The figure of a claim as the audit sees it; None without a number in a sound unit."""
        quantity = record.get("quantity")
        if not quantity or quantity.get("value") is None:
            return None
        relation = record.get("relation", "absolute")
        if relation in ("points", "difference", "order"):
            relation = "absolute"
        aggregation = (record.get("conditions") or {}).get("aggregation")
        mean = record.get("statistic") in _MEANS or (isinstance(aggregation, str) and aggregation.startswith("mean"))
        value = quantity["value"]
        key = (
            label, quantity.get("printed"), tuple(value) if isinstance(value, list) else value, quantity.get("unit"),
            quantity.get("hedge"), quantity.get("exact", False), quantity.get("shape"), relation, mean,
        )  # fmt: skip
        if key not in self._figures:
            if len(self._figures) > _REMEMBERED:
                self._figures.clear()
            self._figures[key] = self._read(quantity, label, relation, is_mean=mean)
        return self._figures[key]

    def _read(self, quantity: Json, label: str, relation: Any, *, is_mean: bool) -> Quantity | None:
        try:
            figure = printed_number(quantity)
            if figure is None:
                return None
            return Quantity.from_printed(label, figure, table=self.units, relation=relation, is_mean=is_mean)
        except KgError:
            return None
