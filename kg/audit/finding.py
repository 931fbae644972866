"""A finding: one judgement of one rule about one or more claims, each with a role; regenerated, never edited."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from kg.__about__ import RULES_VERSION
from kg.model.vocabulary import FINDING_CLASS, claim_iri, expand, thing_iri
from kg.projection.literals import number, quoted

Severity = Literal["info", "warning", "violation"]
CLASSES: Final = FINDING_CLASS
"""The class of a finding, by the first word of its code."""


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
        return f"finding/{self.claim}/{self.code}-{self.key}"

    def to_json(self) -> dict[str, Any]:
        """The finding as a record of the exchange form."""
        corrected = _amount(self.corrected, self.unit)
        return {
            "record": "finding", "id": self.id, "code": self.code, "rule_version": RULES_VERSION, "severity": self.severity,
            "verdict": self.verdict, "message": self.message, "derivation": self.derivation,
            "claims": [{"claim": claim, "role": role} for claim, role in self.claims],
            "computed": _amount(self.computed, self.unit),
            "corrected": corrected and {**corrected, "approximate": self.approximate},
            "explanations": [
                {"code": one.code, "text": one.text, "corrected": None if one.corrected is None else float(one.corrected)}
                for one in self.reasons
            ],
            "missing": list(self.missing), "basis": self.basis, "reference": self.reference,
        }  # fmt: skip


def _amount(value: Fraction | None, unit: str | None) -> dict[str, Any] | None:
    return None if value is None else {"value": float(value), "unit": unit}


_P = {name: f" <{expand(name)}> " for name in (
    "rdf:type", "dcterms:identifier", "k:code", "k:ruleVersion", "k:severity", "k:verdict", "k:basis", "k:message", "k:about",
    "k:ofDerivation", "k:computedValue", "k:computedUnit", "k:correctedValue", "k:correctedUnit", "k:explanation", "k:rank",
    "k:role", "k:claimInvolved", "k:roleName", "k:reference",
)}  # fmt: skip


def _subject_iri(name: str) -> str:
    """A finding is about a claim, or about a text as a whole."""
    return thing_iri(name) if name.startswith(("source/", "unresolved/")) else claim_iri(name)


def finding_lines(finding: Finding) -> str:
    """The triples of one finding with its explanations and the claims it involves."""
    iri, claim = thing_iri(finding.id), _subject_iri(finding.claim)
    node, kind, integer = f"<{iri}>", _P["rdf:type"], f"^^<{expand('xsd:integer')}>"
    out = [
        f"{node}{kind}<{expand('k:Finding')}> .\n{node}{kind}<{expand(CLASSES[finding.code.partition('.')[0]])}> .\n"
    ]
    out.append(f'{node}{_P["k:ruleVersion"]}"{RULES_VERSION}"{integer} .\n{node}{_P["k:about"]}<{claim}> .\n')
    texts: Mapping[str, str | None] = {
        "dcterms:identifier": finding.id, "k:code": finding.code, "k:severity": finding.severity, "k:verdict": finding.verdict,
        "k:basis": finding.basis, "k:message": finding.message, "k:reference": finding.reference,
    }  # fmt: skip
    out.extend(f"{node}{_P[term]}{quoted(text)} .\n" for term, text in texts.items() if text is not None)
    if finding.derivation is not None:
        out.append(f"{node}{_P['k:ofDerivation']}<{claim}#derivation-{finding.derivation}> .\n")
    for name, value in (("computed", finding.computed), ("corrected", finding.corrected)):
        if value is not None:
            out.append(f"{node}{_P[f'k:{name}Value']}{number(float(value))} .\n")
            if finding.unit:
                out.append(f"{node}{_P[f'k:{name}Unit']}{quoted(finding.unit)} .\n")
    for rank, one in enumerate(finding.reasons, 1):
        inner = f"<{iri}#explanation-{rank}>"
        out.append(f"{node}{_P['k:explanation']}{inner} .\n{inner}{kind}<{expand('k:Explanation')}> .\n")
        out.append(f'{inner}{_P["k:rank"]}"{rank}"{integer} .\n{inner}{_P["k:code"]}{quoted(one.code)} .\n')
        out.append(f"{inner}{_P['k:message']}{quoted(one.text)} .\n")
        if one.corrected is not None:
            out.append(f"{inner}{_P['k:correctedValue']}{number(float(one.corrected))} .\n")
    for position, (other, role) in enumerate(finding.claims[1:], 1):
        inner = f"<{iri}#role-{position}>"
        out.append(f"{node}{_P['k:role']}{inner} .\n{inner}{kind}<{expand('k:Role')}> .\n")
        out.append(
            f"{inner}{_P['k:claimInvolved']}<{_subject_iri(other)}> .\n{inner}{_P['k:roleName']}{quoted(role)} .\n"
        )
    return "".join(out)
