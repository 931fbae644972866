"""If a claim is wrong: what depends on it, with the values before and after, and what becomes of each conclusion.

Follows derivations, the rows below statements of more or less, stated conclusions (`rests-on`) and repetitions.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from kg.audit.compared_rows import ComparedRows
from kg.audit.effects import Change, Impact
from kg.audit.finding import Finding
from kg.audit.propagation import Propagation, names_below
from kg.audit.recompute import DerivationAudit
from kg.model.recorded import ClaimRecord, QuantityRecord
from kg.model.units import UnitTable


def corrections_of(findings: Iterable[Finding]) -> dict[str, Fraction]:
    """The corrected values of results that do not recompute; an ambiguous average has none."""
    found: dict[str, Fraction] = {}
    for one in findings:
        if one.code == "arithmetic.inconsistent" and one.corrected is not None:
            found.setdefault(one.claim, one.corrected)
    return found


@dataclass(slots=True)
class ImpactStudy:
    """The claims with the index of what rests on what, for any number of questions."""

    claims: Mapping[str, ClaimRecord]
    units: UnitTable
    covers: Mapping[str, Collection[str]] = field(default_factory=dict)
    """What lies below a thing (kg.model.names.descendants)."""
    better: Mapping[str, str] = field(default_factory=dict)
    """Which direction of a metric is better: higher, lower or neither."""
    rests: Mapping[str, Sequence[str]] | None = None
    """What each claim rests on, where that is known already."""
    _figures: DerivationAudit = field(init=False)
    _dependents: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._figures, self._dependents = DerivationAudit(self.units, self.claims.get), {}
        rests = self.rests
        if rests is None:
            rests = {name: names_below(record) for name, record in self.claims.items()}
        for name, found in rests.items():
            for below in found:
                self._dependents.setdefault(below, []).append(name)

    def canonical(self, claim: str, value: Fraction | float) -> Fraction | None:
        """A new value of a claim, given in the unit and relation it is printed in, in canonical form."""
        record = self.claims[claim]
        # without `printed`: a new value is exact, and has no digits that could be rounded
        changed: QuantityRecord = {
            "value": value if isinstance(value, int) else float(value),
            "unit": (record.get("quantity") or {}).get("unit", "1"),
        }
        quantity = self._figures.quantity({**record, "quantity": changed}, "value")
        return None if quantity is None else quantity.value

    def of(self, corrections: Mapping[str, Fraction | None], *, audited: Collection[str] = ()) -> Impact:
        """What follows from the corrections taken together; a None withdraws the claim.

        Corrections of `audited` are what the audit puts a claim right with: read of one accelerator, where the claim holds
        for whole systems.
        """
        rows = ComparedRows(self.claims, self.covers, self.better)
        run = Propagation(self.claims, rows, self._figures, corrections, audited)
        hops = self._reached(corrections)
        for name in self._ordered(hops):
            # what is corrected is given: it does not follow from its own inputs in this question
            if name not in corrections:
                run.judge(name, hops[name])
        changes = []
        for name, value in sorted(corrections.items()):
            quantity = self._figures.quantity(self.claims[name], "value") if name in self.claims else None
            changes.append(Change(name, run.before(name), value, quantity.unit if quantity else None))
        return Impact(tuple(changes), tuple(sorted(run.found, key=lambda one: (one.hop, one.claim))))

    def _reached(self, names: Iterable[str]) -> dict[str, int]:
        hops = dict.fromkeys(sorted(names), 0)
        level, hop = list(hops), 0
        while level:
            hop, following = hop + 1, []
            for name in level:
                for other in self._dependents.get(name, ()):
                    if other not in hops:
                        hops[other] = hop
                        following.append(other)
            level = following
        return hops

    def _ordered(self, names: Collection[str]) -> list[str]:
        """Each claim after all it rests on; those of a circle in the order of their names."""
        waiting = {
            name: len({below for below in names_below(self.claims.get(name, {})) if below in names}) for name in names
        }
        ready, done = sorted((name for name, count in waiting.items() if not count), reverse=True), []
        while ready or waiting:
            # nothing is ready only in a circle: breaking it at the smallest id
            # gives every run the same order
            name = ready.pop() if ready else min(waiting)
            if waiting.pop(name, None) is None:
                continue
            done.append(name)
            for other in self._dependents.get(name, ()):
                if other in waiting:
                    waiting[other] -= 1
                    if waiting[other] == 0:
                        ready.append(other)
        return done
