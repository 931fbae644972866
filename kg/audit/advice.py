"""The verdict on each claim: one of six words, why, and which value to use instead."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kg.audit.chains import Step
from kg.audit.finding import Finding
from kg.audit.rules.facts import is_gap
from kg.model.derived_records import AdviceRecord
from kg.model.finding_roles import is_doubted
from kg.model.units import UnitTable
from kg.model.verdict import Verdict

Json = Mapping[str, Any]

_DOUBTFUL = {
    "gap": "announced, but not there", "conflict": "claims about the same thing differ",
    "conflict.possible": "another claim gives another figure, under conditions that are left open",
    "unit": "its unit is doubtful", "plausibility": "implausible",
    "chronology": "its dates do not fit", "scope": "its scope is doubtful", "citation": "relayed with changes or without a source",
    "naming": "what it is about is named doubtfully", "opposition": "another claim says the opposite",
    "direction": "its own rows do not carry it", "identity": "does not fit other figures", "whole": "parts and whole do not fit",
    "ranges": "announced and used do not fit", "gap.source": "leans on a source that cannot be found",
}  # fmt: skip
"""Kinds of findings that make a reader careful with the claim they are about, the gravest first, and how that is said."""
_DISPUTED = frozenset({"conflict.conflict", "opposition.contradiction"})
"""Findings by which others say otherwise of the same thing under the same conditions, and nothing decides."""
_HARMLESS = frozenset({"citation.address-differs", "citation.listed-not-cited", "citation.cited-not-listed"})
_REFUTED = {
    "arithmetic.inconsistent": "does not recompute", "unit.slip": "printed with the wrong unit",
    "identity.compute-per-power": "contradicts the figures it is made of", "direction.contradicted": "its own rows contradict it",
    "direction.reverses-after-correction": "turns into its opposite once its rows are corrected",
}  # fmt: skip
"""Violations after which a figure should not be used."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The verdict that opens a trace, with its reason as one sentence."""

    verdict: Verdict
    reason: str
    value: str | None = None


def significant(value: Fraction, digits: int = 6) -> str:
    """A computed value to six significant digits, without an exponent where it can be helped.

    >>> significant(Fraction(289712, 72)), significant(Fraction(1, 3)), significant(Fraction(29250000))
    ('4,023.78', '0.333333', '29,250,000')
    """
    number = float(value)
    if number == 0:
        return "0"
    whole = len(str(int(abs(number)))) if abs(number) >= 1 else 0
    places = max(0, digits - whole)
    text = f"{number:,.{places}f}" if abs(number) >= 1e-3 else f"{number:.{digits}g}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _said(finding: Finding, claim: str) -> str | None:
    """How the doubt about a claim is said; None for findings that do not touch its figure, such as the address of a link."""
    if finding.code in _HARMLESS or not _is_against(finding, claim):
        return None
    return _DOUBTFUL.get(finding.code) or _DOUBTFUL.get(finding.code.partition(".")[0])


def _is_against(finding: Finding, claim: str) -> bool:
    """Whether a finding speaks against a claim, and not only against another one for which this is a premise."""
    return claim == finding.claim or any(
        name == claim and is_doubted(finding.code, role) for name, role in finding.claims[1:]
    )


def _gravity(finding: Finding) -> int:
    """The place in the list of doubts: the more it bears on the figure, the earlier."""
    kinds = list(_DOUBTFUL)
    return kinds.index(finding.code if finding.code in _DOUBTFUL else finding.code.partition(".")[0])


def _is_excused(finding: Finding, broken: Collection[str]) -> bool:
    """Whether a claim is not to blame for not recomputing: another computation gives it, or an input does not hold."""
    if finding.code != "arithmetic.inconsistent":
        return False
    return finding.is_excused or any(name in broken for name, _ in finding.claims[1:])


def better_value(finding: Finding, record: Json, units: UnitTable) -> str | None:
    """The corrected value in the form and unit the claim is printed in; None when there is none."""
    unit = (record.get("quantity") or {}).get("unit")
    if finding.corrected is None:
        return None
    return printed_form(finding.corrected, finding.unit, record.get("relation", "absolute"), unit, units)


def printed_form(value: Fraction, canonical: str | None, relation: str, unit: str | None, units: UnitTable) -> str:
    """A canonical value as a claim of this relation and unit would print it."""
    if relation in ("increase", "decrease"):
        change = (value - 1) * 100
        return f"{significant(abs(change), 3)} % {'higher' if change >= 0 else 'lower'}"
    if relation == "share-of":
        return f"{significant(value * 100, 3)} %"
    if relation == "times-less" and value:
        return f"{significant(1 / value, 3)} times lower"
    if relation == "ratio":
        return f"{significant(value, 3)}x"
    known = units.find(unit) if unit else None
    if known is not None and canonical == units.canonical(known.id).id:
        value, shown = value / known.factor, known.id.removeprefix("count:")
    else:
        shown = canonical or ""
    return f"{significant(value)} {shown}".strip()


def advise(
    record: Json,
    *,
    findings: Iterable[Finding],
    bad_below: Iterable[str],
    steps: Iterable[Step],
    machine_written: bool,
    units: UnitTable,
) -> Advice:
    """The advice for one claim. `bad_below` are the inputs (at any depth) that are refuted themselves."""
    found = list(findings)
    mine = [one for one in found if one.claim == record["id"]]
    broken = sorted(set(bad_below))
    for one in mine:
        if one.severity == "violation" and one.code in _REFUTED and not _is_excused(one, broken):
            cause = one.reasons[0].text if one.reasons else "no known slip explains it"
            reason = (
                f"does not recompute: {cause}"
                if one.code == "arithmetic.inconsistent"
                else f"{_REFUTED[one.code]} ({one.code})"
            )
            better = better_value(one, record, units)
            doubtful = any(other.code in ("unit.header", "unit.mixed", "unit.undecided") for other in found)
            return Advice("wrong", reason, f"{better} (its unit is doubtful)" if better and doubtful else better)
    for one in mine:
        if one.code == "arithmetic.inconsistent" and one.is_excused:
            return Advice("caution", one.reasons[0].text)
    if broken:
        shown = ", ".join(broken[:3]) + (f" and {len(broken) - 3} more" if len(broken) > 3 else "")
        right = (better_value(one, record, units) for one in mine if one.code == "arithmetic.input-refuted")
        value = next((text for text in right if text is not None), None)
        return Advice("caution", f"rests on figures that do not recompute: {shown}", value)
    for one in mine:
        if one.code == "arithmetic.not-supported":
            return Advice("caution", "other figures of the same text do not give it")
        if one.code == "arithmetic.aggregation-ambiguous":
            return Advice("caution", "an average whose columns may have been averaged separately")
    name = record["id"]
    doubts = [one for one in found if one.severity != "info" and _said(one, name) is not None]
    if doubts:
        worst = min(doubts, key=lambda one: (one.severity != "violation", _gravity(one), one.code))
        return Advice("disputed" if worst.code in _DISPUTED else "caution", _said(worst, name) or worst.message)
    if is_gap(record):
        return Advice("caution", _DOUBTFUL["gap"])
    if record.get("modality") in ("expected", "assumed"):
        return Advice("caution", f"{record['modality']}, not observed")
    if any(one.code in ("arithmetic.consistent", "arithmetic.within-rounding") for one in mine):
        return Advice("confirmed", "recomputes from the figures it is derived from")
    return _by_source(record, {step.end_state for step in steps if step.end_state}, machine_written=machine_written)


def _by_source(record: Json, ends: Collection[str], *, machine_written: bool) -> Advice:
    """The verdict on a claim that nothing speaks against: by whether its primary source was reached."""
    if "primary" in ends:
        return Advice("confirmed", "its primary source says the same")
    if machine_written:
        return Advice("unverified", "printed in a machine-written text only; no primary source was reached")
    if "unopened" in ends:
        return Advice("unverified", "relayed from a source that nobody opened")
    if "sha256" not in record["anchor"]:
        return Advice("unverified", "nobody holds the text it was read from: its place is given in words only")
    return Advice("unverified", "nothing speaks against it; no primary source was reached")


def advice_record(claim: str, advice: Advice) -> AdviceRecord:
    """The advice on a claim as a record of the derived set."""
    return {"record": "advice", "claim": claim, "verdict": advice.verdict, "reason": advice.reason, "value": advice.value}
