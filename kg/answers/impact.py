"""What follows if claims are wrong: the records of the ledger, their corrected values, and the study of the audit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kg.answers.asking import Asker, text
from kg.answers.claim import bare
from kg.answers.trace import UnknownClaim
from kg.audit.effects import Affected
from kg.audit.impact import Impact, ImpactStudy, corrections_of
from kg.audit.outcome import OUTCOMES
from kg.audit.recompute import DerivationAudit, surroundings
from kg.errors import UsageError
from kg.ledger.ledger import Ledger
from kg.model.names import descendants
from kg.model.printed import read_printed
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.result import brief

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
    questions: tuple[str, ...]

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
    candidates = [text(row, "claim") for one in sources for row in asker.rows("audit/impact-candidates", source=one)]
    names = list(dict.fromkeys([*claims, *candidates]))
    if value is not None and len(names) != 1:
        raise UsageError(field="--value", given=value, expected="one claim, whose value it is")
    better = {bare(text(row, "metric")) or "": text(row, "better") for row in asker.rows("audit/better")}
    study = ImpactStudy(records, graph.lexicon.units, descendants(registry), better)
    corrections: dict[str, Fraction | None]
    if value is not None:
        corrections = {name: _canonical(study, records[name], value) for name in names}
        assumed = dict.fromkeys(names, "given")
    else:
        right = _right(graph, records, registry, [records[name] for name in names])
        corrections = {name: right.get(name) for name in names}
        assumed = {name: "withdrawn" if new is None else "corrected" for name, new in corrections.items()}
    impact = study.of(corrections)
    changed = sorted({*corrections, *(one.claim for one in impact.affected)})
    taken = {name: records[name] for name in changed}
    return Consequences(impact, taken, _labels(taken.values(), registry), assumed, asker.used)


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


def _right(
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
