"""Concludes the derived set from the claims of an index, unit by unit (`kg.build.deduction_units`).

A build from nothing, a load by difference and a build on a cluster call the same functions; they differ in the index that
these read. So all of them conclude the same.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Protocol, cast

import orjson

from kg.audit.advice import NOTHING_BELOW, Advice, Below, advise, bears_out, is_listed, worked_out_reason
from kg.audit.auditor import CONFLICT, LINKS, Auditor, by_text
from kg.audit.chains import EndState, Step, Via
from kg.audit.claim_links import premises, repeated
from kg.audit.finding import Finding, read_finding
from kg.audit.measured_rows import MeasuredRows
from kg.audit.objections import refutes
from kg.audit.origins import Echoes
from kg.audit.rules.data_sheets import AGREES
from kg.audit.rules.facts import is_gap
from kg.audit.rules.part import ALWAYS
from kg.build.deduction_units import DeductionUnit, measured_unit, own_mark
from kg.build.refuted import refuting_lines, said_again
from kg.ledger.index import EDGY, ClaimIndex, On, link_mark, mark, tag_mark
from kg.model.comparability import Comparability
from kg.model.derived import Deriver, Keys
from kg.model.derived_records import FindingRecord, StepRecord
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.reference import References
from kg.model.remembered import Remembered
from kg.model.source_links import CitationLinks
from kg.model.units import UnitTable

_REMEMBERED: Final = 1 << 13
"""This many claims are kept as objects; any other is read again."""
_OWN_CODES: Final = frozenset(
    {"arithmetic.consistent", "arithmetic.within-rounding", "arithmetic.not-supported", AGREES}
)
"""Findings that bear on the advice although they are no doubt."""


class ReadIndex(Protocol):
    """What is concluded from: the claims of the whole ledger, or as many as one piece of work needs."""

    def body(self, name: str) -> bytes | None:
        """The record of a claim by id."""
        ...

    def is_busy(self, scope: int) -> bool:
        """Whether something can be found in a scope."""
        ...

    def members(self, scope: int) -> list[ClaimRecord]:
        """The claims of a scope."""
        ...

    def unit(self, unit: int) -> tuple[bytes, bytes | None]:
        """What was concluded in a unit, and the exact figures in it; nothing where nothing was."""
        ...

    def units_about(self, claim: int) -> list[int]:
        """The units that are about a claim."""
        ...


@dataclass(frozen=True, slots=True)
class Background:
    """What the audit needs apart from claims and registry: outside facts with their sources, recorded source links, and
    the rules by which published results may be compared."""

    references: References
    links: tuple[CitationLinks, ...]
    comparability: Comparability


class Deduction:
    """Concludes units from an index."""

    def __init__(
        self,
        index: ReadIndex,
        registry: Mapping[str, ThingRecord],
        units: UnitTable,
        deriver: Deriver,
        background: Background,
    ) -> None:
        self.index, self.deriver, self._units = index, deriver, units
        self._registry, self._rules = registry, background.comparability
        lists = by_text(background.links)
        self.lists = {mark(f"{LINKS}|{text}"): text for text in sorted(lists)}
        """The scopes of the texts whose source links are recorded."""
        self._near: dict[str, ClaimRecord] = {}
        self._seen: OrderedDict[str, ClaimRecord | None] = OrderedDict()
        self._quiet: dict[tuple[Any, ...], Advice] = {}
        self._codes: list[Advice] = []
        self.auditor = Auditor(registry, units, deriver, background.references, lists, self.lookup)
        # An empty set of rows: it is asked only in which groups a claim is.
        self._naming = self.measured_rows()
        self._bearings = Remembered[int, tuple[tuple[Finding, frozenset[str]], ...]]()
        self._refuted = Remembered[str, list[Finding]]()

    def lookup(self, name: str) -> ClaimRecord | None:
        """A claim by id: from the scope that is being judged, from those read last, or from the index."""
        if name in self._near:
            return self._near[name]
        if name in self._seen:
            return self._seen[name]
        body = self.index.body(name)
        found: ClaimRecord | None = orjson.loads(body) if body is not None else None
        self.remember(name, found)
        return found

    def remember(self, name: str, record: ClaimRecord | None) -> None:
        """Keep a claim among those read last."""
        self._seen[name] = record
        if len(self._seen) > _REMEMBERED:
            for _ in range(_REMEMBERED // 4):
                self._seen.popitem(last=False)

    # --- entering claims

    def rows(
        self, number: int, record: ClaimRecord, keys: Keys
    ) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
        """The scopes of a claim, and the targets that it depends on, as rows of the index."""
        auditor = self.auditor
        scopes = [
            # A rule that can find something in one claim alone says ALWAYS; all others need two claims that
            # differ in their tag.
            (mark(name), number, EDGY if tag is ALWAYS else tag_mark(tag))
            for name, tag in auditor.scopes(record)
        ]
        links = [(link_mark(On.REPEATS, one), number) for one in repeated(record)]
        links += [(link_mark(On.MEASURED, one), number) for one in self.groups(record)]
        links += [(link_mark(On.INPUT, one), number) for one, _ in premises(record)]
        links += [(link_mark(On.REGISTRY, one), number) for one in auditor.hangs_on(record)]
        said = auditor.said(keys, record)
        if said is not None:
            links.append((link_mark(On.SAID, said), number))
        return scopes, links

    def conflict_scopes(self, record: ClaimRecord) -> list[int]:
        """The scope in which a claim is compared with others, where it is."""
        return [mark(name) for name, _ in self.auditor.scopes(record) if name.startswith(f"{CONFLICT}|")]

    # --- concluding

    def scope(self, scope: int) -> list[Finding]:
        """The findings of the claims of a scope. On source links there are some even if no claim relies on them."""
        if scope in self.lists:
            members = sorted(self.index.members(scope), key=lambda one: str(one["id"]))
            return self.auditor.judge(f"{LINKS}|{self.lists[scope]}", members)
        # most scopes hold one claim, or claims that cannot differ: they are passed over without reading a record
        if not self.index.is_busy(scope):
            return []
        members = sorted(self.index.members(scope), key=lambda one: str(one["id"]))
        name = next(name for name, _ in self.auditor.scopes(members[0]) if mark(name) == scope)
        # rules look claims of the scope up again and again; the memory of the last ones seen could have let them go
        self._near = {one["id"]: one for one in members}
        try:
            return self.auditor.judge(name, members)
        finally:
            self._near = {}

    def measured_rows(self) -> MeasuredRows:
        """An empty set of rows from published results."""
        return MeasuredRows(self._registry, self.deriver, self._rules)

    def groups(self, record: ClaimRecord) -> tuple[str, ...]:
        """The groups of published results that a claim is in."""
        return self._naming.groups(record)

    def touched_groups(self, groups: Iterable[str]) -> set[str]:
        """The groups whose rows follow from claims of some groups: a price bears on the costs of what is below its subject."""
        given = set(groups)
        prices = {one for one in given if one.startswith("price|")}
        found = given - prices
        if prices:
            names = (*self._registry, *(one.partition("|")[2] for one in prices))
            found.update(f"cost|{name}" for name in names if not prices.isdisjoint(self._naming.pricing(name)))
        return found

    def measured(self, group: str, index: ClaimIndex) -> DeductionUnit:
        """The rows that are computed in a group, from what an index of all claims holds."""
        rows = self.measured_rows()
        is_cost = group.startswith("cost|")
        for one in (group, *(self._naming.pricing(group.partition("|")[2]) if is_cost else ())):
            for number in index.linked(link_mark(On.MEASURED, one)):
                record = index.claim(number)
                if record is not None:
                    rows.add(record)
        return measured_unit(rows.costs() if is_cost else rows.results())

    def echoes(self, records: Iterable[ClaimRecord]) -> Echoes:
        """The clusters and counts of a connected set of claims; the whole set has to be given."""
        return Echoes.of(self.auditor.mention(one) for one in sorted(records, key=lambda one: str(one["id"])))

    def quiet(self, record: ClaimRecord) -> Advice:
        """The advice on a claim without findings or steps: a function of few of its properties, so that most claims share it."""
        # most claims have no finding, and few things tell them apart: each kind of advice is worked out once
        texts = self.auditor.texts
        # The key holds all that `advise` reads of a claim without findings and steps: what it comes to read
        # belongs here too.
        machine, worked_out = texts.is_machine(record), texts.is_worked_out(record)
        key = (
            machine,
            worked_out and worked_out_reason(record),
            is_listed(record),
            "sha256" in record["anchor"],
            record.get("modality"),
            is_gap(record),
        )
        found = self._quiet.get(key)
        if found is None:
            found = self._quiet[key] = advise(
                record, findings=(), steps=(), machine_written=machine, worked_out=worked_out, units=self._units
            )
        return found

    def quiet_code(self, record: ClaimRecord) -> int:
        """The number of the advice on a claim without findings or steps."""
        advice = self.quiet(record)
        if advice not in self._codes:
            self._codes.append(advice)
        return self._codes.index(advice)

    def quiet_of(self, code: int) -> Advice:
        """The advice that has this number."""
        return self._codes[code]

    def advice_now(self, record: ClaimRecord) -> Advice:
        """The advice on a claim from what the index holds."""
        body, exact = self.index.unit(own_mark(record["id"]))
        return self.advice(record, DeductionUnit(body, exact=exact))

    def advice(self, record: ClaimRecord, own: DeductionUnit) -> Advice:
        """The advice on a claim from everything that was concluded about it."""
        name = record["id"]
        lines = [orjson.loads(line) for line in own.body.splitlines()]
        found = [_exact(one, own.exact) for one in lines if one["record"] == "finding" and _bears(one)]
        for unit in self.index.units_about(mark(name)):
            found += [one for one, claims in self._bearing(unit) if name in claims]
        found = list({one.id: one for one in found}.values())
        hops = [one for one in lines if one["record"] == "step"]
        chains = orjson.loads(own.exact).get("chains", 0) if own.exact else 0
        # a verdict rests on where the claim itself was copied from; the steps of its inputs are the inputs' own affair
        steps = list(map(_step, hops[:chains]))
        return advise(
            record,
            findings=sorted(found, key=lambda one: one.id),
            below=self._below(record, (one["reaches"] for one in hops[chains:] if one["is_claim"])),
            steps=steps,
            machine_written=self.auditor.texts.is_machine(record),
            worked_out=self.auditor.texts.is_worked_out(record),
            borne_out=self._borne_out(steps),
            units=self._units,
        )

    def _borne_out(self, steps: Sequence[Step]) -> list[str]:
        """The claims at the first-hand ends of chains that hold by themselves."""
        return [one.reaches for one in steps if one.end_state == "primary" and self._holds(one)]

    def _holds(self, end: Step) -> bool:
        """Whether the claim at the end of a chain recomputes, agrees with a data sheet or is a published measurement."""
        record = self.lookup(end.reaches) if end.is_claim else None
        if record is None or self._refuting(end.reaches):
            return False
        return is_listed(record) or any(map(bears_out, self.auditor.findings(record)[0]))

    def _bearing(self, unit: int) -> tuple[tuple[Finding, frozenset[str]], ...]:
        """The findings of a unit that can bear on advice, with their claims; read once for all of the claims."""
        found = self._bearings.get(unit)
        if found is None:
            body, exact = self.index.unit(unit)
            records = [
                one for one in map(orjson.loads, body.splitlines()) if one["record"] == "finding" and _bears(one)
            ]
            found = tuple((_exact(one, exact), frozenset(each["claim"] for each in one["claims"])) for one in records)
            self._bearings[unit] = found
        return found

    def forget_units(self) -> None:
        """Units in the index changed: what was read of them holds no more."""
        self._bearings.clear()
        self._refuted.clear()

    def forget_refuted(self) -> None:
        """The index shows the units of another claim: what refutes a claim may be among them or not."""
        self._refuted.clear()

    def _below(self, record: ClaimRecord, reached: Iterable[str]) -> Below:
        """The refuted ones among the claims that a claim rests on or restates."""
        # The steps of a chain lead through what speaks against the claim as well. That a counter-argument is
        # refuted takes no ground away.
        if any(role == "contradicting" for _, role in premises(record)):
            reached = self._grounds(record)
        refuting = {name: found for name in reached if (found := self._refuting(name))}
        repeated = self._repeated(record)
        if not refuting and not repeated:
            return NOTHING_BELOW
        if not refuting:
            known = [one for one in self._refuting(repeated[0]) if one.corrected is not None]
            return Below((), repeated, known[0].corrected, known[0].unit) if known else Below(repeated=repeated)
        # what is written of a finding is what any index holds of it, so that every way to build gives the same figure
        right = {
            name: next((one.corrected for one in found if one.corrected is not None), None)
            for name, found in refuting.items()
        }
        value, unit = self.auditor.put_right(record, right)
        return Below(sorted(refuting), repeated, value, unit)

    def _grounds(self, record: ClaimRecord) -> list[str]:
        """What a claim rests on at any depth, without what speaks against it and what that rests on."""
        found: dict[str, None] = {}
        todo = [record]
        while todo:
            below = [name for name, role in premises(todo.pop()) if role != "contradicting" and name not in found]
            found.update(dict.fromkeys(below))
            todo += filter(None, map(self.lookup, below))
        return list(found)

    def _repeated(self, record: ClaimRecord) -> list[str]:
        """The nearest refuted claims of those that a claim restates, at any distance."""
        found, seen, todo = [], {record["id"]}, list(said_again(record))
        while todo:
            name = todo.pop()
            above = self.lookup(name)
            # the figure of the whole may be right of its part
            if name in seen or above is None or above["subject"] != record["subject"]:
                continue
            seen.add(name)
            if self._refuting(name):
                found.append(name)
            else:
                todo += said_again(above)
        return sorted(found)

    def _refuting(self, name: str) -> list[Finding]:
        """The findings that refute a claim, of all claims it was judged with; many claims rest on one, and ask for it."""
        found = self._refuted.get(name)
        if found is None:
            found = self._refuted[name] = self._read_refuting(name)
        return found

    def _read_refuting(self, name: str) -> list[Finding]:
        body, _ = self.index.unit(own_mark(name))
        found = [read_finding(one) for one in map(orjson.loads, refuting_lines(body).get(name, ()))]
        for unit in sorted(self.index.units_about(mark(name))):
            found += [one for one, _ in self._bearing(unit) if one.claim == name and refutes(one)]
        return sorted(found, key=lambda one: one.id)


def _step(record: StepRecord) -> Step:
    return Step(
        record["claim"],
        record["hop"],
        record["reaches"],
        record["is_claim"],
        cast(Via, record["via"]),
        record["fidelity"],
        cast(EndState | None, record["end_state"]),
    )


def _bears(record: FindingRecord) -> bool:
    """Whether a finding can bear on the advice on a claim."""
    return record["severity"] != "info" or record["code"] in _OWN_CODES


def _exact(record: FindingRecord, exact: bytes | None) -> Finding:
    """A finding from its record, with the corrected figure as it was before it was rounded."""
    found = read_finding(record)
    # a finding is written with a rounded figure; judged again from that, the same claim would get another verdict
    given = orjson.loads(exact).get(found.id) if exact and found.corrected is not None else None
    return replace(found, corrected=Fraction(given)) if given else found
