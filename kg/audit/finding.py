"""A finding: one judgement of one rule about one or more claims, each with a role; regenerated, never edited."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from kg.__about__ import RULES_VERSION
from kg.model import derived_records
from kg.model.derived_records import Amount, FindingRecord

Severity = derived_records.Severity

EXCUSES: Final = frozenset({"input.refuted", "derivation.fits"})
"""Explanations of a result that does not recompute by which the result itself is not to blame."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One possible explanation, best first, with the value it leads to."""

    code: str
    text: str
    corrected: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgement. The first of `claims` is what it is about; `key` tells findings of one code and claim apart."""

    code: str
    verdict: str
    severity: Severity
    message: str
    claims: tuple[tuple[str, str], ...]
    """Claim ids with their roles."""
    key: str = "1"
    computed: Fraction | None = None
    corrected: Fraction | None = None
    approximate: bool = False
    unit: str | None = None
    reasons: tuple[Reason, ...] = ()
    missing: tuple[str, ...] = ()
    derivation: int | None = None
    """Which derivation of the first claim, counted from 1."""
    basis: Literal["document", "reference"] = "document"
    reference: str | None = None

    @property
    def claim(self) -> str:
        """The claim it is about."""
        return self.claims[0][0]

    @property
    def is_excused(self) -> bool:
        """Whether something else than the claim it is about is to blame."""
        return any(one.code in EXCUSES for one in self.reasons)

    @property
    def id(self) -> str:
        """The id: claim, code and key."""
        # made of what a finding is about, not of its message: it stays one
        # finding when the wording changes
        return f"finding/{self.claim}/{self.code}-{self.key}"

    def to_json(self) -> FindingRecord:
        """The finding as a record of the exchange form."""
        # fractions end here: a double holds more digits than any figure is printed with
        corrected = _amount(self.corrected, self.unit)
        return {
            "record": "finding",
            "id": self.id,
            "code": self.code,
            "rule_version": RULES_VERSION,
            "severity": self.severity,
            "verdict": self.verdict,
            "message": self.message,
            "derivation": self.derivation,
            "claims": [{"claim": claim, "role": role} for claim, role in self.claims],
            "computed": _amount(self.computed, self.unit),
            "corrected": None if corrected is None else {**corrected, "approximate": self.approximate},
            "explanations": [
                {
                    "code": one.code,
                    "text": one.text,
                    "corrected": None if one.corrected is None else float(one.corrected),
                }
                for one in self.reasons
            ],
            "missing": list(self.missing),
            "basis": self.basis,
            "reference": self.reference,
        }


def _amount(value: Fraction | None, unit: str | None) -> Amount | None:
    return None if value is None else {"value": float(value), "unit": unit}


def read_finding(record: FindingRecord) -> Finding:
    """A finding from its record; figures come back as the floats that were written."""

    def exact(amount: Amount | None) -> Fraction | None:
        return None if amount is None else Fraction(amount["value"])

    computed, corrected = record["computed"], record["corrected"]
    return Finding(
        code=record["code"],
        verdict=record["verdict"],
        severity=record["severity"],
        message=record["message"],
        claims=tuple((one["claim"], one["role"]) for one in record["claims"]),
        # an id is made of claim, code and key, so that the key is what is left of it
        key=record["id"].removeprefix(f"finding/{record['claims'][0]['claim']}/{record['code']}-"),
        computed=exact(computed),
        corrected=exact(corrected),
        approximate=bool(corrected and corrected.get("approximate")),
        unit=(computed and computed["unit"]) or (corrected and corrected["unit"]) or None,
        reasons=tuple(
            Reason(one["code"], one["text"], None if one["corrected"] is None else Fraction(one["corrected"]))
            for one in record["explanations"]
        ),
        missing=tuple(record["missing"]),
        derivation=record["derivation"],
        basis=record["basis"],
        reference=record["reference"],
    )
