"""Findings about derivations: every derivation of every claim judged, as records that a view and an export can hold."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kg.audit.derivation import RESTS_ON, Derivation, Quantity, Surroundings, Verdict, judge
from kg.errors import KgError
from kg.model.derived import printed_number
from kg.model.triples import number, quoted
from kg.model.units import UnitTable
from kg.model.vocabulary import claim_iri, expand, thing_iri

Json = Mapping[str, Any]
RULE_VERSION = 1
"""Raised whenever a rule changes what it finds; part of the derived stamp."""

_SEVERITY = {
    "inconsistent": "violation", "not-supported": "warning", "aggregation-ambiguous": "warning", "not-checkable": "info",
    "within-rounding": "info", "consistent": "info",
}  # fmt: skip
_MEANS = ("mean", "average", "olympic-mean")


@dataclass(frozen=True, slots=True)
class Finding:
    """One judgement about one derivation of a claim."""

    claim: str
    position: int
    verdict: Verdict
    inputs: tuple[tuple[str, str], ...]
    """Input name and claim id, for inputs that are claims."""
    unit: str | None

    @property
    def code(self) -> str:
        """The stable code of the rule's outcome."""
        return f"arithmetic.{self.verdict.verdict}"

    @property
    def id(self) -> str:
        """The id of the finding: claim, code and which derivation."""
        return f"finding/{self.claim}/{self.code}-{self.position}"

    @property
    def severity(self) -> str:
        """info, warning or violation."""
        return _SEVERITY[self.verdict.verdict]

    def to_json(self) -> dict[str, Any]:
        """The finding as a record of the exchange form."""
        return {
            "record": "finding", "id": self.id, "code": self.code, "rule_version": RULE_VERSION,
            "severity": self.severity, "verdict": self.verdict.verdict, "message": self.verdict.text,
            "derivation": self.position,
            "claims": [{"claim": self.claim, "role": "result"}, *({"claim": c, "role": f"input {n}"} for n, c in self.inputs)],
            "computed": _amount(self.verdict.computed, self.unit), "corrected": self._corrected(),
            "explanations": [
                {"code": one.code, "text": one.text, "corrected": _float(one.corrected)} for one in self.verdict.explanations
            ],
            "missing": list(self.verdict.missing), "basis": "document", "reference": None,
        }  # fmt: skip

    def _corrected(self) -> dict[str, Any] | None:
        amount = _amount(self.verdict.corrected, self.unit)
        return amount and {**amount, "approximate": self.verdict.approximate}


def _float(value: Fraction) -> float:
    return float(value)


def _amount(value: Fraction | None, unit: str | None) -> dict[str, Any] | None:
    return None if value is None else {"value": float(value), "unit": unit}


@dataclass(slots=True)
class DerivationAudit:
    """Judges derivations; `claim` gives the record of an id, or None."""

    units: UnitTable
    claim: Callable[[str], Json | None]
    per_node: Mapping[str, int] = field(default_factory=dict)
    """From a subject to the accelerators of one of its nodes, where the registry says so."""

    def findings(self, records: Iterable[Json]) -> Iterator[Finding]:
        """All findings of the given claims."""
        for record in records:
            for position, given in enumerate(record.get("derivations") or (), 1):
                if given["expression"] != RESTS_ON:
                    yield self._judge(record, position, given)

    def _judge(self, record: Json, position: int, given: Json) -> Finding:
        result = self.quantity(record, "result")
        inputs: dict[str, Quantity | None] = {}
        named: list[tuple[str, str]] = []
        for name, used in given["inputs"].items():
            if "claim" in used:
                named.append((name, used["claim"]))
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
        return Finding(record["id"], position, verdict, tuple(named), result.unit if result else None)

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
        try:
            figure = printed_number(quantity)
            if figure is None:
                return None
            return Quantity.from_printed(label, figure, table=self.units, relation=relation, is_mean=mean)
        except KgError:
            return None


_P = {name: f" <{expand(name)}> " for name in (
    "rdf:type", "dcterms:identifier", "k:code", "k:ruleVersion", "k:severity", "k:verdict", "k:basis", "k:message", "k:about",
    "k:ofDerivation", "k:computedValue", "k:computedUnit", "k:correctedValue", "k:correctedUnit", "k:explanation", "k:rank",
    "k:role", "k:claimInvolved", "k:roleName",
)}  # fmt: skip


def finding_lines(finding: Finding) -> str:
    """The triples of one finding with its explanations and the claims it involves."""
    iri, claim = thing_iri(finding.id), claim_iri(finding.claim)
    node, kind, integer = f"<{iri}>", _P["rdf:type"], f"^^<{expand('xsd:integer')}>"
    out = [
        f"{node}{kind}<{expand('k:Finding')}> .\n{node}{kind}<{expand('k:ArithmeticFinding')}> .\n",
        f"{node}{_P['dcterms:identifier']}{quoted(finding.id)} .\n{node}{_P['k:code']}{quoted(finding.code)} .\n",
        f'{node}{_P["k:ruleVersion"]}"{RULE_VERSION}"{integer} .\n{node}{_P["k:severity"]}{quoted(finding.severity)} .\n',
        f"{node}{_P['k:verdict']}{quoted(finding.verdict.verdict)} .\n{node}{_P['k:basis']}\"document\" .\n",
        f"{node}{_P['k:message']}{quoted(finding.verdict.text)} .\n{node}{_P['k:about']}<{claim}> .\n",
        f"{node}{_P['k:ofDerivation']}<{claim}#derivation-{finding.position}> .\n",
    ]
    for name, value in (("computed", finding.verdict.computed), ("corrected", finding.verdict.corrected)):
        if value is not None:
            out.append(f"{node}{_P[f'k:{name}Value']}{number(float(value))} .\n")
            if finding.unit:
                out.append(f"{node}{_P[f'k:{name}Unit']}{quoted(finding.unit)} .\n")
    for rank, one in enumerate(finding.verdict.explanations, 1):
        inner = f"<{iri}#explanation-{rank}>"
        out.append(f"{node}{_P['k:explanation']}{inner} .\n{inner}{kind}<{expand('k:Explanation')}> .\n")
        out.append(f'{inner}{_P["k:rank"]}"{rank}"{integer} .\n{inner}{_P["k:code"]}{quoted(one.code)} .\n')
        out.append(f"{inner}{_P['k:message']}{quoted(one.text)} .\n{inner}{_P['k:correctedValue']}{number(float(one.corrected))} .\n")
    for name, other in finding.inputs:
        inner = f"<{iri}#role-{name}>"
        out.append(f"{node}{_P['k:role']}{inner} .\n{inner}{kind}<{expand('k:Role')}> .\n")
        out.append(f"{inner}{_P['k:claimInvolved']}<{claim_iri(other)}> .\n{inner}{_P['k:roleName']}{quoted('input ' + name)} .\n")
    return "".join(out)
