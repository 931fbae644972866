"""The verdict on each claim: one of six words, why, and which value to use instead.

In go a claim, the findings on it, its steps and what is refuted below it; `kg.build.deduction` calls `advise` once all
findings of a build are known.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kg.audit.chains import Step
from kg.audit.finding import Finding
from kg.audit.rules.data_sheets import AGREES
from kg.audit.rules.facts import is_gap
from kg.audit.systems import is_about_systems
from kg.audit.wording import printed_form
from kg.model.counting import first_of
from kg.model.derived_records import AdviceRecord
from kg.model.finding_roles import HOLDS, OTHER_SIDE_DOUBTED, is_doubted
from kg.model.recorded import ClaimRecord
from kg.model.units import UnitTable
from kg.model.verdict import Verdict

_DOUBTFUL = {
    "arithmetic.not-supported": "other figures of the same text do not give it",
    "arithmetic.aggregation-ambiguous": "an average whose columns may have been averaged separately",
    "gap": "announced, but not there",
    "conflict": "claims about the same thing differ",
    "conflict.possible": "another claim gives another figure, under conditions that are left open",
    "unit.header": "printed as samples a second, where the official result counts tokens",
    "unit": "its unit is doubtful",
    "format": "its number format or sparsity is doubtful",
    "plausibility.jump-rounds": "more than five times away from the results of another round",
    "plausibility.jump-scenarios": "more than five times away from the results of another scenario",
    "plausibility": "its figure is implausible",
    "chronology": "its dates do not fit",
    "scope": "its scope is doubtful",
    "citation": "relayed with changes or without a source",
    "naming": "what it is about is named doubtfully",
    "opposition": "another claim says the opposite",
    "direction.ground-implausible": "what it rests on is implausible",
    "direction": "its own rows do not carry it",
    "identity": "does not fit other figures",
    "gains.no-baseline": "what it is compared with is not said",
    "gains.product": "the gains of its parts make another figure",
    "gains.apart": "the text gives another multiple of the same two",
    "gains": "far above what was measured of the same two",
    "whole": "parts and whole do not fit",
    "ranges": "announced and used do not fit",
    "gap.source": "leans on a source that cannot be found",
}
"""Kinds of findings that make a reader careful with the claim they are about, the most severe first, and how that is said."""
_GROUNDS: Final = "direction.grounds-against"
_DISPUTED = frozenset(
    {
        "conflict.conflict",
        "opposition.contradiction",
        "arithmetic.not-supported",
        _GROUNDS,
        "gains.above-measured",
        "gains.product",
        "identity.ratio",
        "identity.time-per-token",
        "whole.shares",
        "ranges.outside",
        "chronology.interval",
        "chronology.elapsed",
    }
)
"""Findings by which others, or other figures of the same thing, say otherwise under the same conditions, and nothing decides."""
_DECIDED_BY_MAKER = ("conflict.conflict", "conflict.possible", "gap.source", "citation.")
"""Findings that others give another figure, or that nothing leads to its origin: the data sheet of the maker answers both."""
_HARMLESS = frozenset({"citation.address-differs", "citation.listed-not-cited", "citation.cited-not-listed"})
_REFUTED = frozenset(
    {
        "arithmetic.inconsistent",
        "unit.slip",
        "identity.compute-per-power",
        "direction.contradicted",
        "direction.reverses-after-correction",
    }
)
"""Violations after which a figure should not be used; each says in its message what refutes it."""
_ACCUSING: Final = ("plausibility.", "whole.below-parts")
"""Codes, or how they begin, of findings by which a figure cannot be."""
REFUTING: Final = (*sorted(_REFUTED), *_ACCUSING)
"""Codes, or how they begin, of findings that may refute a claim (`refutes`)."""


_NAMED: Final = 3
"""Claims that the reason of a verdict names."""
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
    """The place in the list of doubts, which begins with what bears most on the figure."""
    kinds = list(_DOUBTFUL)
    return kinds.index(finding.code if finding.code in _DOUBTFUL else finding.code.partition(".")[0])


def _is_excused(finding: Finding, broken: Collection[str]) -> bool:
    """Whether a claim is not to blame for not recomputing: another computation gives it, or an input does not hold."""
    if finding.code != "arithmetic.inconsistent":
        return False
    return finding.is_excused or any(name in broken for name, _ in finding.claims[1:])


def better_value(finding: Finding, record: ClaimRecord, units: UnitTable) -> str | None:
    """The corrected value in the form and unit the claim is printed in; None when there is none."""
    if finding.corrected is None:
        return None
    return printed_form(finding.corrected, finding.unit, record, units)


def refutes(finding: Finding) -> bool:
    """Whether a finding leaves the claim that it is about refuted, so that nothing rests on it any longer.

    >>> from dataclasses import replace
    >>> wrong = Finding("plausibility.multi-card", "suspicious", "warning", "the total of 8 cards", (("a/1", "about"),))
    >>> refutes(wrong), refutes(replace(wrong, severity="info")), refutes(replace(wrong, code="conflict.possible"))
    (True, False, False)
    """
    if finding.severity == "info":
        return False
    is_refuting = finding.severity == "violation" and finding.code in _REFUTED and not finding.is_excused
    return is_refuting or _accuses(finding)


def advise(
    record: ClaimRecord,
    *,
    findings: Iterable[Finding],
    below: Below = NOTHING_BELOW,
    steps: Iterable[Step],
    machine_written: bool,
    worked_out: bool = False,
    units: UnitTable,
) -> Advice:
    """The advice for one claim; `worked_out`: nobody published its figure (`Texts.is_worked_out`)."""
    found, broken = list(findings), sorted(set(below.bad))
    mine = [one for one in found if one.claim == record["id"]]
    return (
        # From what refutes by itself to what only leaves open. A figure that cannot
        # be is wrong, whatever it rests on; one that recomputes from wrong inputs
        # must not get as far as confirmed.
        _refuted(record, mine, found, broken, units)
        or _impossible(record, mine, units)
        or _resting(record, mine, below, units)
        or _at_odds(record, mine, found, units)
        or _doubted(record, mine, found, units)
        or _confirmed(record, mine, steps, machine_written=machine_written, worked_out=worked_out)
        or _unverified(record, steps, machine_written=machine_written, worked_out=worked_out)
    )


def _refuted(
    record: ClaimRecord, mine: Sequence[Finding], found: Sequence[Finding], broken: Collection[str], units: UnitTable
) -> Advice | None:
    """Wrong, where arithmetic or a unit refutes the figure; with the corrected value wherever any finding has one."""
    for one in mine:
        if one.severity == "violation" and one.code in _REFUTED and not _is_excused(one, broken):
            # a wrong divisor is a sentence of its own; elsewhere what was computed is the reason
            is_divisor = bool(one.reasons) and one.reasons[0].code.startswith("divisor.")
            reason = one.reasons[0].text if is_divisor else one.message
            # a finding without a value of its own (a contradicted direction)
            # may stand beside one that has it
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
    accusing = [one for one in mine if one.severity != "info" and _accuses(one)]
    if not accusing:
        return None
    worst = min(accusing, key=lambda one: (one.severity != "violation", _gravity(one), one.code))
    return Advice("wrong", worst.message, _any_better(record, mine, units))


def _at_odds(record: ClaimRecord, mine: Sequence[Finding], found: Sequence[Finding], units: UnitTable) -> Advice | None:
    """Disputed, where the same text gives another figure and neither is better founded."""
    at_odds = [
        one
        for one in found
        if one.code == "conflict.conflict" and _is_of_one_text(one) and not _is_decided_for(one, record["id"], found)
    ]
    if not at_odds:
        return None
    worst = min(at_odds, key=lambda one: (one.severity != "violation", _gravity(one), one.code))
    reason = worst.reasons[0].text if worst.reasons else _said(worst, record["id"]) or worst.message
    return Advice("disputed", reason, _any_better(record, mine, units))


def _accuses(finding: Finding) -> bool:
    """Whether a finding says of the figure it is about that it cannot be.

    A jump with as much support on either side says it of none.
    """
    if any(role == OTHER_SIDE_DOUBTED for _, role in finding.claims):
        return False
    return finding.code.startswith(_ACCUSING)


def _is_of_one_text(finding: Finding) -> bool:
    """Whether figures at odds all appear in one text, so that one of them is a misprint and none is better founded."""
    return len({name.partition("/")[0] for name, _ in finding.claims}) == 1


def _is_decided_for(finding: Finding, claim: str, found: Iterable[Finding] = ()) -> bool:
    """Whether a conflict is decided for a claim: several texts say the same, and whoever says otherwise says it as well.

    4.8 TB/s in two texts is not disputed by the one of them that prints 5.3 TB/s in another place. Nor is a figure disputed
    by one that cannot be, where the finding which says so names the figure as the one that holds.
    """
    if finding.code.startswith(_DECIDED_BY_MAKER) and _is_in_data_sheet(claim, found):
        return True
    if finding.code not in ("conflict.conflict", "conflict.restated-differently"):
        return False
    beaten = {one.claim for one in found if (claim, HOLDS) in one.claims}
    sides = [(name, role.partition(":")[0]) for name, role in finding.claims]
    own = [side for name, side in sides if name == claim]
    if beaten and all(name in beaten or side in own for name, side in sides):
        return True
    return bool(own) and _only_ours_is_in_two_texts(sides, own[-1])


def _is_in_data_sheet(claim: str, found: Iterable[Finding]) -> bool:
    """Whether the maker of a thing prints what the claim says of it."""
    return any(one.code == AGREES and one.claim == claim for one in found)


def _only_ours_is_in_two_texts(sides: Iterable[tuple[str, str]], own: str) -> bool:
    """Whether two texts print the value `own` of a conflict, and each other value is in one of these texts only."""
    if not all(side.startswith("value ") for _, side in sides):
        return False
    texts: dict[str, set[str]] = {}
    for name, side in sides:
        texts.setdefault(side, set()).add(name.partition("/")[0])
    ours = texts.pop(own)
    # one text on the other side that also says ours is a misprint of its own; a second one would be a dispute
    return len(ours) > 1 and all(len(other) == 1 and other <= ours for other in texts.values())


def _doubted(record: ClaimRecord, mine: Sequence[Finding], found: Sequence[Finding], units: UnitTable) -> Advice | None:
    """Caution or a dispute, where a finding speaks against the figure without refuting it."""
    doubts = _doubts(record["id"], found)
    if doubts:
        return _doubtful(record, doubts, units)
    if any(map(_gives, mine)) and any(one.code == "arithmetic.not-supported" for one in mine):
        return Advice("caution", "one computation from other figures gives it, another does not")
    # a missing picture is only a note (`gap.figure`), and notes are no doubts
    if is_gap(record):
        return Advice("caution", _DOUBTFUL["gap"])
    if record.get("modality") in ("expected", "assumed"):
        return Advice("caution", f"{record['modality']}, not observed")
    return None


def _doubts(name: str, found: Sequence[Finding]) -> list[Finding]:
    """The findings that speak against a claim and are not decided for it."""
    against = [one for one in found if one.severity != "info" and _said(one, name) is not None]
    return [one for one in against if not _is_decided_for(one, name, found)]


def _doubtful(record: ClaimRecord, doubts: Sequence[Finding], units: UnitTable) -> Advice:
    """The worst of some doubts, those first by which others say otherwise, with the value to use where one is known."""
    name = record["id"]
    # who says otherwise comes before what makes careful: a reader must not take
    # one of two figures for settled
    disputing = [one for one in doubts if _disputes(one, record)]
    worst = min(disputing or doubts, key=lambda one: (one.severity != "violation", _gravity(one), one.code))
    better = _any_better(record, (one for one in doubts if one.claim == name), units)
    # the digits of a column under the wrong unit are right: only the unit is put right
    if better is None and any(one.code == "unit.header" for one in doubts):
        better = _in_tokens(record)
    return Advice("disputed" if disputing else "caution", _said(worst, name) or worst.message, better)


def _disputes(finding: Finding, record: ClaimRecord) -> bool:
    """Whether others say otherwise; grounds dispute the figure that they do not give, and words only to some degree."""
    return finding.code in _DISPUTED and (finding.code != _GROUNDS or "quantity" in record)


def _gives(finding: Finding) -> bool:
    """Whether a computation gives the printed figure."""
    return finding.code in ("arithmetic.consistent", "arithmetic.within-rounding")


def _confirmed(
    record: ClaimRecord, mine: Iterable[Finding], steps: Iterable[Step], *, machine_written: bool, worked_out: bool
) -> Advice | None:
    """Confirmed, where the figure recomputes, is itself a published measurement, or is what its primary source says."""
    # the maker decides what its product has, whoever copied it and however many say otherwise
    sheet = next((one for one in mine if one.code == AGREES), None)
    if sheet is not None:
        return Advice("confirmed", sheet.message)
    if worked_out:
        return None  # what was computed here recomputes of course, and is in no list of a publisher
    # arithmetic holds wherever a figure is printed; what a publisher lists confirms only the listed figure itself
    if any(map(_gives, mine)):
        return Advice("confirmed", "recomputes from the figures it is derived from")
    if any(step.end_state == "primary" for step in steps):
        return Advice("confirmed", "its primary source says the same")
    if not machine_written and is_listed(record):
        return Advice("confirmed", "a published measurement, as its publisher lists it")
    return None


def is_listed(record: ClaimRecord) -> bool:
    """Whether a claim is a measurement in a cell of a file known by its digest, not in a passage of a text."""
    return record["kind"] == "measurement" and "sha256" in record["anchor"] and "start" not in record["anchor"]


def _unverified(record: ClaimRecord, steps: Iterable[Step], *, machine_written: bool, worked_out: bool) -> Advice:
    """Unverified, as nothing speaks against it: who was not reached that could confirm it."""
    ends = {step.end_state for step in steps if step.end_state}
    if worked_out:
        return Advice("unverified", "computed from other figures; nobody published it")
    if machine_written:
        return Advice("unverified", "printed in a machine-written text only; no primary source was reached")
    if "unopened" in ends:
        return Advice("unverified", "relayed from a source that nobody opened")
    if "sha256" not in record["anchor"]:
        return Advice("unverified", "nobody holds the text it was read from: its place is given in words only")
    return Advice("unverified", "nothing speaks against it; no primary source was reached")


def advice_record(claim: str, advice: Advice) -> AdviceRecord:
    """The advice on a claim as a record of the derived set."""
    return {
        "record": "advice",
        "claim": claim,
        "verdict": advice.verdict,
        "reason": advice.reason,
        "value": advice.value,
    }
