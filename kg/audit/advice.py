"""The verdict on each claim: one of six words, why, and which value to use instead.

In go a claim, the findings on it, its steps and what is refuted below it; `kg.build.deduction` calls `advise` once all
findings of a build are known.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kg.audit.chains import Step, is_computed
from kg.audit.derivation import computations
from kg.audit.finding import Finding
from kg.audit.objections import (
    DOUBTFUL,
    REFUTED,
    accuses,
    disputes,
    doubt_in_words,
    doubts_of,
    gravity,
    is_decided_for,
    is_excused,
    is_of_one_text,
)
from kg.audit.rules.data_sheets import AGREES
from kg.audit.rules.facts import is_gap
from kg.audit.systems import is_about_systems
from kg.audit.wording import printed_form
from kg.model.counting import first_of
from kg.model.derived_records import AdviceRecord
from kg.model.recorded import ClaimRecord
from kg.model.reference import WITH_SPARSITY
from kg.model.units import UnitTable
from kg.model.verdict import Verdict

_NAMED: Final = 3
"""Claims that the reason of a verdict names."""
_OPERATIONS: Final = "OP/s"
_OPEN_UNIT = frozenset({"unit.header", "unit.mixed", "unit.undecided"})
_SAMPLES = re.compile(r"\b(?:sample|query|result)/s")
"""What a column printed that says no unit of its own, where the official result is a rate of tokens."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The verdict that opens a trace, with its reason as one sentence."""

    verdict: Verdict
    reason: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Below:
    """What is refuted of all that a claim rests on."""

    bad: Collection[str] = ()
    """The inputs, at any depth, that are refuted themselves."""
    repeated: Collection[str] = ()
    """What it says again word for word, where that is refuted."""
    put_right: Fraction | None = None
    """What its inputs give, or what it says again is, once those that are refuted are put right, in the canonical unit."""
    unit: str | None = None


NOTHING_BELOW: Final = Below()


def better_value(finding: Finding, record: ClaimRecord, units: UnitTable) -> str | None:
    """The corrected value in the form and unit the claim is printed in; None when there is none."""
    if finding.corrected is None:
        return None
    return printed_form(finding.corrected, finding.unit, record, units) + _under(finding)


def _under(finding: Finding) -> str:
    """What goes with a corrected value: that a rate is the one with sparsity, which is twice the dense one."""
    is_sparse = WITH_SPARSITY in (finding.reference or "") and (finding.unit or "").endswith(_OPERATIONS)
    return f" {WITH_SPARSITY}" if is_sparse else ""


def advise(
    record: ClaimRecord,
    *,
    findings: Iterable[Finding],
    below: Below = NOTHING_BELOW,
    steps: Sequence[Step],
    machine_written: bool,
    worked_out: bool = False,
    borne_out: Collection[str] = (),
    units: UnitTable,
) -> Advice:
    """The advice for one claim; `worked_out`: nobody published its figure (`Texts.is_worked_out`); `borne_out`: the claims that
    `steps` end at and that hold by themselves.
    """
    found, broken = list(findings), sorted(set(below.bad))
    mine = [one for one in found if one.claim == record["id"]]
    return (
        # From what refutes by itself to what only leaves open. A figure that cannot
        # be is wrong, even if all it rests on is right; one that recomputes from wrong inputs
        # must not get as far as confirmed.
        _refuted(record, mine, found, broken, units)
        or _impossible(record, mine, units)
        or _resting(record, mine, below, units)
        or _at_odds(record, mine, found, units)
        or _doubted(record, mine, found, units)
        or _confirmed(record, mine, borne_out, machine_written=machine_written, worked_out=worked_out)
        or _unverified(record, steps, machine_written=machine_written, worked_out=worked_out)
    )


def _refuted(
    record: ClaimRecord, mine: Sequence[Finding], found: Sequence[Finding], broken: Collection[str], units: UnitTable
) -> Advice | None:
    """Wrong, where arithmetic or a unit refutes the figure; with the corrected value wherever any finding has one."""
    for one in mine:
        if one.severity == "violation" and one.code in REFUTED and not is_excused(one, broken):
            # a wrong divisor is a sentence of its own; elsewhere what was computed is the reason
            is_divisor = bool(one.reasons) and one.reasons[0].code.startswith("divisor.")
            reason = one.reasons[0].text if is_divisor else one.message
            # a finding without a value of its own (a contradicted direction)
            # may come with one that has it
            better = better_value(one, record, units) or _any_better(record, mine, units)
            return Advice("wrong", reason, better and in_its_unit(better, {one.code for one in found}))
    return None


def _any_better(record: ClaimRecord, mine: Iterable[Finding], units: UnitTable) -> str | None:
    """The corrected value of the first finding on a claim that has one."""
    return next((text for one in mine if (text := better_value(one, record, units)) is not None), None)


def _every_better(record: ClaimRecord, mine: Iterable[Finding], units: UnitTable) -> str | None:
    """The corrected values of all findings on a claim, from the least to the largest: offline and server differ."""
    # corrected is never None here; the `or 0` is for the type checker only
    found = sorted((one for one in mine if one.corrected is not None), key=lambda one: one.corrected or 0)
    # this step takes the first and the last: what lies between says nothing more
    ends = [text for one in found[:: len(found) - 1 or 1] if (text := better_value(one, record, units)) is not None]
    return " to ".join(dict.fromkeys(ends)) or None


def in_its_unit(better: str, codes: Collection[str]) -> str:
    """A corrected value with what findings say of its unit: where the official result decides it, that unit, said plainly."""
    if "unit.header" in codes and _SAMPLES.search(better):
        return _SAMPLES.sub("token/s", better)
    return f"{better} (its unit is doubtful)" if _OPEN_UNIT.intersection(codes) else better


def _in_tokens(record: ClaimRecord) -> str | None:
    """A printed rate of samples under the unit that its official result is counted in."""
    quantity = record.get("quantity") or {}
    unit = _SAMPLES.sub("token/s", str(quantity.get("unit")))
    return f"{quantity['printed']} {unit}" if unit != quantity.get("unit") and quantity.get("printed") else None


def _resting(record: ClaimRecord, mine: Sequence[Finding], below: Below, units: UnitTable) -> Advice | None:
    """What is said of a figure that falls or stands with others, or that another computation gives."""
    for one in mine:
        if one.code == "arithmetic.inconsistent" and one.is_excused:
            return Advice("caution", one.reasons[0].text)
    put_right = None if below.put_right is None else printed_form(below.put_right, below.unit, record, units)
    # word for word: what is wrong there is wrong here; with inputs of its
    # own that fall it is their case
    if below.repeated and not below.bad:
        return Advice("wrong", f"says again what is wrong: {first_of(sorted(below.repeated), _NAMED)}", put_right)
    if not below.bad:
        return None
    shown = first_of(sorted(below.bad), _NAMED)
    better = _every_better(record, (one for one in mine if one.code == "arithmetic.input-refuted"), units) or put_right
    # "tenfold" of a rack over a server stays true where its figure per accelerator is refuted
    if is_about_systems(record) and any(one.code == "arithmetic.consistent" for one in mine):
        value = f"{better} per accelerator" if better else None
        return Advice(
            "caution", f"holds for whole systems; per accelerator it rests on what is refuted: {shown}", value
        )
    return Advice("caution", f"rests on what is wrong: {shown}", better)


def _impossible(record: ClaimRecord, mine: Sequence[Finding], units: UnitTable) -> Advice | None:
    """Wrong, where a finding says of the figure itself that it cannot be, independent of what it rests on."""
    accusing = [one for one in mine if one.severity != "info" and accuses(one)]
    if not accusing:
        return None
    worst = min(accusing, key=lambda one: (one.severity != "violation", gravity(one), one.code))
    return Advice("wrong", worst.message, _any_better(record, mine, units))


def _at_odds(record: ClaimRecord, mine: Sequence[Finding], found: Sequence[Finding], units: UnitTable) -> Advice | None:
    """Disputed, where the same text gives another figure and neither is better founded."""
    at_odds = [
        one
        for one in found
        if one.code == "conflict.conflict" and is_of_one_text(one) and not is_decided_for(one, record["id"], found)
    ]
    if not at_odds:
        return None
    worst = min(at_odds, key=lambda one: (one.severity != "violation", gravity(one), one.code))
    reason = worst.reasons[0].text if worst.reasons else doubt_in_words(worst, record["id"]) or worst.message
    return Advice("disputed", reason, _any_better(record, mine, units))


def _doubted(record: ClaimRecord, mine: Sequence[Finding], found: Sequence[Finding], units: UnitTable) -> Advice | None:
    """Caution or a dispute, where a finding speaks against the figure without refuting it."""
    doubts = doubts_of(record["id"], found)
    if doubts:
        return _doubtful(record, doubts, units)
    if any(map(_gives, mine)) and any(one.code == "arithmetic.not-supported" for one in mine):
        return Advice("caution", "one computation from other figures gives it, another does not")
    # a missing picture is only a note (`gap.figure`), and notes are no doubts
    if is_gap(record):
        return Advice("caution", DOUBTFUL["gap"])
    if record.get("modality") in ("expected", "assumed"):
        return Advice("caution", f"{record['modality']}, not observed")
    return None


def _doubtful(record: ClaimRecord, doubts: Sequence[Finding], units: UnitTable) -> Advice:
    """The worst of some doubts, those first by which others say otherwise, with the value to use where one is known."""
    name = record["id"]
    # who says otherwise comes before what makes careful: a reader must not take
    # one of two figures for settled
    disputing = [one for one in doubts if disputes(one, record)]
    worst = min(disputing or doubts, key=lambda one: (one.severity != "violation", gravity(one), one.code))
    better = _any_better(record, (one for one in doubts if one.claim == name), units)
    # the digits of a column under the wrong unit are right: only the unit is put right
    if better is None and any(one.code == "unit.header" for one in doubts):
        better = _in_tokens(record)
    return Advice("disputed" if disputing else "caution", doubt_in_words(worst, name) or worst.message, better)


def _gives(finding: Finding) -> bool:
    """Whether a computation gives the printed figure."""
    return finding.code in ("arithmetic.consistent", "arithmetic.within-rounding")


def _confirmed(
    record: ClaimRecord,
    mine: Iterable[Finding],
    borne_out: Collection[str],
    *,
    machine_written: bool,
    worked_out: bool,
) -> Advice | None:
    """Confirmed, where the figure recomputes, is itself a published measurement, or repeats one that does or is."""
    # the maker decides what its product has, whoever copied it and however many say otherwise
    sheet = next((one for one in mine if one.code == AGREES), None)
    if sheet is not None:
        return Advice("confirmed", sheet.message)
    if worked_out:
        return None  # what was computed here recomputes of course, and is in no list of a publisher
    # arithmetic holds wherever a figure is printed; what a publisher lists confirms only the listed figure itself
    if any(map(_gives, mine)):
        return Advice("confirmed", "recomputes from the figures it is derived from")
    if borne_out:
        return Advice("confirmed", f"says the same as {first_of(sorted(borne_out), _NAMED)}, which holds")
    if not machine_written and is_listed(record):
        return Advice("confirmed", "a published measurement, as its publisher lists it")
    return None


def bears_out(finding: Finding) -> bool:
    """Whether a finding on a claim confirms its figure."""
    return finding.code == AGREES or _gives(finding)


def is_listed(record: ClaimRecord) -> bool:
    """Whether a claim is a measurement in a cell of a file known by its digest, not in a passage of a text."""
    return record["kind"] == "measurement" and "sha256" in record["anchor"] and "start" not in record["anchor"]


def _unverified(record: ClaimRecord, steps: Sequence[Step], *, machine_written: bool, worked_out: bool) -> Advice:
    """Unverified, as nothing speaks against it: who was not reached that could confirm it."""
    ends = {step.end_state for step in steps if step.end_state}
    if worked_out:
        return Advice("unverified", worked_out_reason(record))
    # what is said again is as sure as where it is said first: a quotation that is right confirms no figure
    if "primary" in ends:
        return Advice("unverified", _said_first(record, steps))
    if machine_written:
        return Advice("unverified", "printed in a machine-written text only; no primary source was reached")
    if "unopened" in ends:
        return Advice("unverified", "relayed from a source that nobody opened")
    if "sha256" not in record["anchor"]:
        return Advice("unverified", "nobody holds the text it was read from: its place is given in words only")
    return Advice("unverified", "nothing speaks against it; no primary source was reached")


def _said_first(record: ClaimRecord, steps: Iterable[Step]) -> str:
    """Where what a claim repeats is said first, and that nothing confirms it there."""
    first = next(step for step in steps if step.end_state == "primary")
    own_text = first.is_claim and first.reaches.startswith(f"{record['source'].removeprefix('source/')}/")
    if own_text:
        return f"its text says it twice ({first.reaches}); nothing confirms it"
    return f"{'relayed as its source says it' if first.is_claim else 'its source was opened'} ({first.reaches}); nothing confirms it there"


def worked_out_reason(record: ClaimRecord) -> str:
    """How a figure came about that nobody published: by which formula it was computed here, where it was."""
    if not is_computed(record):
        return "computed from other figures; nobody published it"
    _, formula = next(computations(record))
    count = sum(one.get("claim") is not None for one in formula["inputs"].values())
    origin = f" from {count} published figures" if count > 1 else ""
    return f"computed here{origin}: {formula['expression']}"


def advice_record(claim: str, advice: Advice) -> AdviceRecord:
    """The advice on a claim as a record of the derived set."""
    return {
        "record": "advice",
        "claim": claim,
        "verdict": advice.verdict,
        "reason": advice.reason,
        "value": advice.value,
    }
