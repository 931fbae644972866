"""Claims of a ratio or an order held against published results: which rows fit, what they give, and whether the rules allow the comparison.

Rows come from saved questions only. A claim that names no model, or is about something that no benchmark measures, is reported
as such; silence never counts against it.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import log
from typing import Any, Final, NamedTuple

from kg.answers.asking import Ask, Asker, Row, plain, read_fields, said, text
from kg.answers.claim import Thing, worded_figure
from kg.answers.hardware import Hardware
from kg.answers.published_rows import measured_rows
from kg.answers.referent import Referent, Scope, scope_of
from kg.answers.stated_ratio import StatedRatio, stated_count
from kg.answers.trace import UnknownClaim
from kg.audit.measured import Basis, Claimed, Measured, Reading, read, verdict_of
from kg.model.comparability import Comparability, round_name
from kg.model.interval import Interval
from kg.model.result import brief
from kg.model.units import UnitTable
from kg.model.verdict import MEASURED_VERDICTS

# accelerators of the server that is meant where nothing says how many
_ONE_SERVER: Final = 8


class UsedRow(NamedTuple):
    """One published row that a ratio was formed of."""

    claim: str
    accelerator: str
    accelerators: int
    per_accelerator: float
    total: float
    unit: str
    round: str
    entry: str
    submitter: str
    availability: str


class MeasuredRatio(NamedTuple):
    """The best row of one side over the best of the other, in one scenario and round; `mean` of the means, `lower` and `upper` over all pairs."""

    scenario: str
    ratio: float
    mean: float
    lower: float
    upper: float
    pairs: int
    subject: UsedRow
    baseline: UsedRow
    comparability: str
    reasons: tuple[str, ...]


class Read(NamedTuple):
    """The claim read per accelerator or per system."""

    basis: str
    verdict: str
    reason: str
    lower: float | None
    upper: float | None
    ratios: tuple[MeasuredRatio, ...]


class Verified(NamedTuple):
    """One claim of a ratio or an order with its verdict."""

    claim: str
    verdict: str
    reason: str
    subject: Thing
    level: str
    baseline: Thing | None
    metric: str
    normaliser: str
    printed: str
    hedge: str | None
    modality: str
    ratio: float | None
    ratio_lower: float | None
    ratio_upper: float | None
    conditions: str | None
    asserted_by: Thing
    source: str
    readings: tuple[Read, ...]
    direction: str | None
    """Of a claim that states an order and no figure: above, below or like what it is compared with."""
    number_verdict: str
    """The verdict of the claim everywhere else; its own document and its inputs enter there too."""
    value_to_use: str | None
    """What its own rows give once they are put right, as `kg trace` says it."""

    @property
    def worded(self) -> str | None:
        """The figure as its author means it; of an order its direction."""
        return worded_figure(self.printed or self.direction, self.hedge, self.modality)

    @property
    def off(self) -> float:
        """How far the claimed ratio is from the nearest that results give, as the logarithm of a factor; 0 where there is no figure."""
        measured = [ratio.ratio for reading in self.readings for ratio in reading.ratios if ratio.ratio > 0]
        if not self.ratio or self.ratio < 0 or not measured:
            return 0.0
        return min(abs(log(self.ratio / one)) for one in measured)


@brief
class Verification(NamedTuple):
    """All claims looked at: what the results contradict first."""

    asked: str | None
    claims: tuple[Verified, ...]
    questions: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have each verdict."""
        found = Counter(one.verdict for one in self.claims)
        return {verdict: found[verdict] for verdict in MEASURED_VERDICTS if found[verdict]}

    @property
    def contradicted(self) -> bool:
        """Whether any claim is contradicted."""
        return any(one.verdict == "contradicted" for one in self.claims)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        whole_result: dict[str, Any] = plain(self)
        return {**whole_result, "counts": self.counts}


def verify(ask: Ask, rules: Comparability, claim: str | None = None) -> Verification:
    """Every claim of a ratio or an order, or one by its id, against the published results that were out when it was made."""
    asker = Asker(ask)
    found = _verify(asker, rules, None if claim is None else (claim,))
    if claim is not None and not found:
        raise _unknown(claim)
    return Verification(claim, found, asker.used)


def _unknown(given: str) -> UnknownClaim:
    return UnknownClaim(
        "is no claim that states a ratio or an order.",
        given=given,
        expected="an id such as 002/author.nvl72-dgx-b200.r1",
        next_step="kg verify without an id looks at all of them",
    )


def verify_meant(ask: Ask, rules: Comparability, meant: Referent, units: UnitTable) -> Verification:
    """The claims that words are about: a claim, or the one claim of a number, is asked for; of anything else those that touch it."""
    if meant.kind == "nothing":
        raise _unknown(meant.text)
    scope, found = scope_of(ask, meant, units), verify(ask, rules)
    if meant.kind == "number" and not scope.claims:
        raise UnknownClaim(
            "is stated by no claim.",
            given=meant.text,
            next_step=f"kg trace {shlex.quote(meant.text)} shows what is near",
        )
    stating = scope.claims or frozenset()
    if meant.kind == "claim" or (len(stating) == 1 and any(one.claim in stating for one in found.claims)):
        return verify(ask, rules, *stating)
    return found._replace(claims=tuple(one for one in found.claims if _touches(scope, one)))


def _touches(scope: Scope, one: Verified) -> bool:
    things = (one.subject.id, one.baseline and one.baseline.id)
    return scope.holds(one.claim, things=things, metric=one.metric, source=one.source)


def verify_claims(ask: Ask, rules: Comparability, claims: Collection[str]) -> dict[str, Verified]:
    """Those of some claims that state a ratio or an order, by id: as many questions for all of them as for one."""
    return {one.claim: one for one in _verify(Asker(ask), rules, claims)} if claims else {}


def _verify(asker: Asker, rules: Comparability, claims: Collection[str] | None) -> tuple[Verified, ...]:
    """The claims looked at, all of them where none is named; what the results contradict first."""
    wanted: dict[str, object] = {} if claims is None else {"claim": sorted(claims)}
    rows = [*asker.rows("benchmarks/ratio-claims", **wanted)]
    rows += [{**_NO_FIGURE, **row} for row in asker.rows("benchmarks/order-claims", **wanted)]
    if not rows:
        return ()
    hardware = Hardware(asker.rows("benchmarks/lineage"))
    stated = {
        text(row, "claim"): StatedRatio(row, hardware) for row in rows
    }  # one of several rows of a claim represents it
    held: dict[bool, list[tuple[Row, Measured]]] = {}
    for trained, question in ((False, "benchmarks/measured"), (True, "benchmarks/measured-times")):
        asked = [one for one in stated.values() if one.barrier is None and one.model and one.trained is trained]
        # of all claims every chip is compared somewhere, and a list of all chips would only slow the engine down
        chips = None if claims is None else sorted(set[str]().union(*(one.chips for one in asked)))
        held[trained] = measured_rows(asker, question, sorted({one.model for one in asked if one.model}), chips)
    labels = _labels(asker, stated.values())
    found = [_verified(one, held[one.trained], rules, labels) for one in stated.values()]
    found.sort(key=lambda one: (MEASURED_VERDICTS.index(one.verdict), not one.readings, -one.off, one.claim))
    return tuple(found)


_NO_FIGURE: Final[Row] = dict.fromkeys(("printed", "hedge", "ratio", "ratio_lower", "ratio_upper"))
"""What an order does not state."""


def _labels(asker: Asker, stated: Iterable[StatedRatio]) -> Callable[[str], Thing]:
    names = {name for one in stated for name in (one.subject, one.baseline, text(one.row, "asserted_by")) if name}
    found = (
        {text(row, "thing"): said(row, "label") for row in asker.rows("entities/labels", thing=sorted(names))}
        if names
        else {}
    )
    return lambda name: Thing(name, found.get(name))


def _verified(
    one: StatedRatio, held: Sequence[tuple[Row, Measured]], rules: Comparability, thing: Callable[[str], Thing]
) -> Verified:
    readings: list[Reading] = []
    if one.barrier is None:
        rows = [made for row, made in held if one.fits(row)]
        readings = [_reading(one, rows, basis, rules) for basis in one.bases]
    verdict = verdict_of(readings, stated=one.basis) if readings else "no-comparable"
    row = one.row
    return read_fields(
        Verified,
        row,
        verdict=verdict,
        reason=one.barrier or _summary(readings),
        subject=thing(one.subject),
        level=one.level,
        baseline=None if one.baseline is None else thing(one.baseline),
        metric=one.metric,
        normaliser=one.normaliser,
        asserted_by=thing(text(row, "asserted_by")),
        readings=tuple(_shown(reading) for reading in readings),
        direction=said(row, "direction") if "direction" in row else None,
        number_verdict=text(row, "verdict", "unverified"),
        value_to_use=said(row, "value_to_use"),
    )


def _reading(one: StatedRatio, rows: Sequence[Measured], basis: Basis, rules: Comparability) -> Reading:
    assert one.baseline is not None
    assert one.figure is not None
    sides = []
    for thing, stated in (
        (one.subject, one.conditions.get("accelerators")),
        (one.baseline, one.baseline_conditions.get("accelerators")),
    ):
        chips = one.hardware.chips(thing)
        own = [row for row in rows if row.accelerator in chips]
        sides.append(_systems(own, one.hardware, thing, stated) if basis == "per-system" else own)
    names_benchmark = said(one.row, "benchmark") is not None or one.task is not None
    is_order = one.row.get("direction") is not None
    claimed = Claimed(one.figure, names_benchmark, one.differs, is_order)
    whole_sides = read(claimed, sides[0], sides[1], basis, rules)
    if whole_sides.holds:
        return whole_sides
    series = [sorted({one.hardware.series(row.accelerator) for row in side}) for side in sides]
    for ours, theirs in product(*series) if max(map(len, series)) > 1 else ():
        parts = [
            [row for row in side if one.hardware.series(row.accelerator) == name]
            for side, name in zip(sides, (ours, theirs), strict=True)
        ]
        reading = read(claimed, parts[0], parts[1], basis, rules)
        if reading.holds:  # an architecture covers each of its series
            names = f"{ours.rpartition('/')[2]} against {theirs.rpartition('/')[2]}"
            return replace(reading, verdict="explained", reason=f"of {names}: {reading.reason}")
    return whole_sides


def _systems(rows: Sequence[Measured], hardware: Hardware, thing: str, stated: str | None) -> list[Measured]:
    """The rows of the system that a name means: as many accelerators as it has; one server where nothing says how many."""
    count = hardware.count(thing) or stated_count(stated)
    if count is not None:
        return [row for row in rows if row.accelerators == count]
    # else smaller machines: a result of several servers says nothing of one
    return [row for row in rows if row.accelerators == _ONE_SERVER] or [
        row for row in rows if row.accelerators < _ONE_SERVER
    ]


def _summary(readings: Sequence[Reading]) -> str:
    """The verdict in one line, with the ratios that the results give."""
    parts = []
    for one in readings:
        if one.ratios:
            values = sorted(ratio.value for ratio in one.ratios)
            best = _range(Interval(values[0], values[-1]))
            whole_span = "" if one.span is None or _range(one.span) == best else f", all pairs {_range(one.span)}"
            parts.append(f"{one.basis.replace('-', ' ')} {best} ({one.verdict}{whole_span}): {one.reason}")
        else:
            parts.append(f"{one.basis.replace('-', ' ')}: {one.reason}")
    return "; ".join(parts)


def _range(span: Interval) -> str:
    low, high = (f"{float(end):.3g}" for end in (span.lower or 0, span.upper or 0))
    return low if low == high else f"{low} to {high}"


def _shown(one: Reading) -> Read:
    return Read(
        one.basis,
        one.verdict,
        one.reason,
        *_ends(one.span),
        tuple(
            MeasuredRatio(
                ratio.scenario,
                float(ratio.value),
                float(ratio.mean),
                float(ratio.span.lower or 0),
                float(ratio.span.upper or 0),
                ratio.pairs,
                _used(ratio.subject),
                _used(ratio.baseline),
                ratio.comparable.verdict,
                tuple(reason.text for reason in ratio.comparable.reasons),
            )
            for ratio in one.ratios
        ),
    )


def _ends(span: Interval | None) -> tuple[float | None, float | None]:
    ends = (None, None) if span is None else (span.lower, span.upper)
    low, high = (None if end is None else float(end) for end in ends)
    return low, high


def _used(one: Measured) -> UsedRow:
    return UsedRow(
        one.claim,
        one.accelerator,
        one.accelerators,
        float(one.value),
        float(one.total),
        one.result.unit or "",
        round_name(one.result.round or ""),
        one.entry,
        one.submitter,
        one.result.availability or "unstated",
    )


def by_reason(claims: Iterable[Verified]) -> Mapping[str, int]:
    """How many claims could not be held against results, by reason, the commonest first."""
    found = Counter(one.reason for one in claims if not one.readings)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
