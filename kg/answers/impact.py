"""What follows if claims are wrong: the records of the ledger, their corrected values, and the study of the audit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from kg.answers.asking import Asker, number, text
from kg.answers.claim import bare, values_to_use
from kg.answers.trace import UnknownClaim
from kg.audit.derivation import RESTS_ON
from kg.audit.effects import Affected, Impact
from kg.audit.impact import ImpactStudy, corrections_of
from kg.audit.outcome import OUTCOMES
from kg.audit.recompute import DerivationAudit
from kg.audit.surroundings import surroundings
from kg.audit.wording import ratio_of
from kg.errors import UsageError
from kg.ledger.ledger import Ledger
from kg.model.names import descendants
from kg.model.printed import read_printed
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.result import brief
from kg.model.vocabulary import RATIO_RELATIONS

if TYPE_CHECKING:
    from kg.ask.opened import Opened


@brief
@dataclass(frozen=True, slots=True)
class Consequences:
    """The impact, and what is needed to show it: labels by id and why each change was assumed."""

    impact: Impact
    claims: Mapping[str, ClaimRecord]
    """The records of all claims that take part."""
    labels: Mapping[str, str]
    assumed: Mapping[str, str]
    """For each changed claim: `given`, `corrected` or `withdrawn`."""
    right: Mapping[str, str]
    """The value to use of each corrected claim, as `kg trace` says it."""
    questions: tuple[str, ...]
    also_wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each computed figure, the other figures it is computed from that are wrong too and that nothing here corrects."""

    def by_outcome(self) -> list[Affected]:
        """All claims that are touched, those that reverse or fall first, then the nearest."""
        return sorted(self.impact.affected, key=lambda one: (-OUTCOMES.index(one.outcome), one.hop, one.claim))

    def to_json(self) -> dict[str, Any]:
        """Plain values, stable and sorted."""
        whole = self.impact.to_json()
        for one in whole["changes"]:
            one["assumed"] = self.assumed[one["claim"]]
        for one in whole["affected"]:
            record = self.claims[one["claim"]]
            one |= {
                "metric": record["metric"],
                "subject": record["subject"],
                "source": record["source"],
                "statement": record.get("statement"),
                "also_wrong": list(self.also_wrong.get(one["claim"], ())),
            }
        counts: dict[str, int] = {}
        for affected in self.impact.affected:
            counts[affected.outcome] = counts.get(affected.outcome, 0) + 1
        return {**whole, "counts": counts, "questions": list(self.questions)}


def impact_of_claims(
    graph: "Opened", claims: Sequence[str], *, value: str | None = None, sources: Sequence[str] = ()
) -> Consequences:
    """What follows if claims are corrected together; `sources` adds every figure of a text that does not recompute.

    `value` is the new value of a single claim, as it would be printed. Without one a claim takes the value that its own
    inputs give, and one that has none is withdrawn.
    """
    asker = Asker(graph.ask)
    records, registry = _records(graph)
    _check_known(claims, records)
    names = list(dict.fromkeys([*claims, *_not_recomputing(asker, sources)]))
    if value is not None and len(names) != 1:
        raise UsageError(field="--value", given=value, expected="one claim, whose value it is")
    better = {bare(text(row, "metric")) or "": text(row, "better") for row in asker.rows("audit/better")}
    study = ImpactStudy(records, graph.lexicon.units, descendants(registry), better)
    corrections: dict[str, Fraction | None]
    if value is not None:
        corrections = {name: _canonical(study, records[name], value) for name in names}
        assumed = dict.fromkeys(names, "given")
    else:
        # later ones win: what the inputs of a claim give exactly, over a rounded value of a
        # finding, over one in words
        right = _offered(asker, names, study) | _stated(asker, names)
        right |= _right(graph, records, registry, [records[name] for name in names])
        corrections = {name: right.get(name) for name in names}
        assumed = {name: "withdrawn" if new is None else "corrected" for name, new in corrections.items()}
    corrected = sorted(name for name, how in assumed.items() if how == "corrected")
    impact = study.of(corrections, audited=corrected)
    changed = sorted({*corrections, *(one.claim for one in impact.affected)})
    taken = {name: records[name] for name in changed}
    told = values_to_use(asker, corrected)
    also_wrong = _also_wrong(asker, impact, records)
    return Consequences(impact, taken, _labels(taken.values(), registry), assumed, told, asker.used, also_wrong)


def _not_recomputing(asker: Asker, sources: Sequence[str]) -> list[str]:
    return [text(row, "claim") for one in sources for row in asker.rows("audit/impact-candidates", source=one)]


def _also_wrong(asker: Asker, impact: Impact, records: Mapping[str, ClaimRecord]) -> dict[str, tuple[str, ...]]:
    """What else is wrong below the figures that are computed anew: with that left as it is they come out wrong again."""
    known = {*(one.claim for one in impact.changes), *(one.claim for one in impact.affected)}
    below = {one.claim: [name for name in _used(records[one.claim]) if name not in known] for one in impact.affected}
    wanted = sorted(set(chain.from_iterable(below.values())))
    rows = asker.rows("claims/card", claim=wanted) if wanted else ()
    wrong = {text(row, "claim") for row in rows if row["verdict"] == "wrong"}
    found = {claim: tuple(name for name in names if name in wrong) for claim, names in below.items()}
    return {claim: names for claim, names in found.items() if names}


def _used(record: ClaimRecord) -> list[str]:
    """The claims that a claim is computed from, each once."""
    computed = [one for one in record.get("derivations") or () if one["expression"] != RESTS_ON]
    return list(
        dict.fromkeys(given["claim"] for one in computed for given in one["inputs"].values() if "claim" in given)
    )


def _offered(asker: Asker, names: Sequence[str], study: ImpactStudy) -> dict[str, Fraction]:
    """The values to use of claims that no finding puts right itself: of another unit, or of inputs put right."""
    found: dict[str, Fraction | None] = {}
    for name, value in values_to_use(asker, names).items():
        quantity = study.claims[name].get("quantity") or {}
        printed, figure = str(quantity.get("printed") or ""), quantity.get("value")
        if printed and value.startswith(f"{printed} ") and isinstance(figure, int | float):
            # only the unit was wrong: the digits, and all that is computed from them, stand
            found[name] = study.canonical(name, figure)
        elif study.claims[name].get("relation") in RATIO_RELATIONS:
            found[name] = ratio_of(value)
    return {name: value for name, value in found.items() if value is not None}


def _check_known(claims: Iterable[str], records: Mapping[str, ClaimRecord]) -> None:
    for name in claims:
        if name not in records:
            raise UnknownClaim(
                "is not the id of a claim.",
                given=name,
                expected="an id such as 002/r1.gb200.offline.per-accelerator",
                next_step="kg impact without a claim lists figures that do not recompute and that others rest on",
            )


def _labels(records: Iterable[ClaimRecord], registry: Mapping[str, ThingRecord]) -> dict[str, str]:
    """The names of what some claims are about, are compared with, appear in and are asserted by."""
    named = {
        name
        for record in records
        for name in (record["subject"], record.get("baseline"), record["source"], record["asserted_by"])
    }
    return {name: registry[name]["label"] for name in sorted(filter(None, named)) if name in registry}


def _records(graph: "Opened") -> tuple[dict[str, ClaimRecord], dict[str, ThingRecord]]:
    """Claims, and entities with sources, by id."""
    claims: dict[str, ClaimRecord] = {}
    registry: dict[str, ThingRecord] = {}
    for record in Ledger(graph.ledger_folder()).current():
        if record["record"] == "claim":
            claims[record["id"]] = record
        else:
            registry[record["id"]] = record
    return claims, registry


def _stated(asker: Asker, names: Sequence[str]) -> dict[str, Fraction]:
    """The values that findings of any rule put claims right with, the first of each."""
    found: dict[str, Fraction] = {}
    for row in asker.rows("claims/findings", claim=sorted(names)) if names else ():
        value = number(row, "corrected_value")
        # a note corrects nothing, and of a finding on several claims the value is that of the one
        # it is about
        if value is not None and row["severity"] != "info" and row["about"] == row["claim"]:
            found.setdefault(text(row, "claim"), Fraction(repr(value)))
    return found


def _right(
    # as exact values: through a rounded one, what is computed further would differ in its last
    # digits
    graph: "Opened",
    claims: Mapping[str, ClaimRecord],
    registry: Mapping[str, ThingRecord],
    changed: Sequence[ClaimRecord],
) -> dict[str, Fraction]:
    """The exact values that the inputs of the changed claims give, where what is printed does not recompute."""
    audit = DerivationAudit(graph.lexicon.units, claims.get, surroundings(registry))
    return corrections_of(audit.findings(changed))


def _canonical(study: ImpactStudy, record: ClaimRecord, value: str) -> Fraction:
    """A new value as it would be printed: digits in the unit of the claim, else a figure with a unit of its own."""
    quantity = record.get("quantity") or {}
    if quantity.get("value") is None:
        raise UsageError(
            field="--value",
            given=value,
            expected="a claim with a figure",
            next_step="leave --value out to withdraw the claim",
        )
    figure = read_printed(value.strip(), table=study.units)
    if isinstance(figure.value, tuple):
        raise UsageError(field="--value", given=value, expected=f"one number in {quantity['unit']}")
    number = figure.value
    if figure.unit is not None and figure.unit != quantity["unit"]:
        number *= study.units.factor(figure.unit, quantity["unit"])
    found = study.canonical(record["id"], int(number) if number.denominator == 1 else number)
    if found is None:
        raise UsageError(field="--value", given=value, expected=f"a number in {quantity.get('unit')}")
    return found
