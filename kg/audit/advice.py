"""Whether a number can be used: yes, with care, or no; why, and which value to use instead."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from kg.audit.chains import Step
from kg.audit.finding import Finding
from kg.model.triples import quoted
from kg.model.vocabulary import claim_iri, expand

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation that opens a trace."""

    use: Literal["yes", "with-care", "no"]
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


def advise(
    record: Json, *, findings: Iterable[Finding], bad_below: Iterable[str], steps: Iterable[Step], machine_written: bool
) -> Advice:
    """The advice for one claim. `bad_below` are the inputs (at any depth) that do not recompute."""
    found = list(findings)
    for one in found:
        if one.verdict == "inconsistent":
            corrected = one.corrected
            cause = one.reasons[0].text if one.reasons else "no known slip explains it"
            return Advice(
                "no", f"does not recompute: {cause}",
                None if corrected is None else f"{significant(corrected)} {one.unit or ''}".strip(),
            )  # fmt: skip
    broken = sorted(set(bad_below))
    if broken:
        shown = ", ".join(broken[:3]) + (f" and {len(broken) - 3} more" if len(broken) > 3 else "")
        return Advice("with-care", f"rests on figures that do not recompute: {shown}")
    for one in found:
        if one.verdict == "not-supported":
            return Advice("with-care", "other figures of the same text do not give it")
        if one.verdict == "aggregation-ambiguous":
            return Advice("with-care", "an average whose columns may have been averaged separately")
    ends = {step.end_state for step in steps if step.end_state}
    if machine_written and "primary" not in ends:
        return Advice("with-care", "printed in a machine-written text only; no primary record was reached")
    if "unopened" in ends and "primary" not in ends:
        return Advice("with-care", "relayed from a source that nobody opened")
    if record.get("modality") in ("expected", "assumed"):
        return Advice("with-care", f"{record['modality']}, not observed")
    if found:
        return Advice("yes", "recomputes from the figures it is derived from")
    return Advice("yes", "nothing recorded speaks against it")


_USE, _REASON, _VALUE = (f" <{expand(name)}> " for name in ("k:use", "k:useReason", "k:useValue"))


def advice_lines(claim: str, advice: Advice) -> str:
    """The triples of the advice on a claim."""
    node = f"<{claim_iri(claim)}>"
    text = f"{node}{_USE}\"{advice.use}\" .\n{node}{_REASON}{quoted(advice.reason)} .\n"
    return text + (f"{node}{_VALUE}{quoted(advice.value)} .\n" if advice.value else "")
