"""Measured results and the ratios between them: what a ratio claim is held against.

A ratio is formed of two results only where the published rules allow it. What the best results and
the means of several rounds and scenarios give together is a range: a claim inside it is borne out, one that no pair of
submissions comes near is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, Literal

from kg.audit.comparability import ComparabilityReason, Comparable, ComparableResult, judge
from kg.model.comparability import Comparability, round_name
from kg.model.interval import Interval
from kg.model.verdict import MeasuredVerdict, PairVerdict

Basis = Literal["per-accelerator", "per-system"]

NEAR: Final = Fraction(1, 4)
"""How far results not held here could lie from the few that are: results of one chip on one benchmark differ by up to a
third between submitters."""
FEW: Final = 4
"""Pairs from which on their span is taken as it is."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One published result, for one accelerator of the system it was measured on."""

    claim: str
    accelerator: str
    value: Fraction
    accelerators: int
    result: ComparableResult
    entry: str = ""
    submitter: str = ""

    @property
    def total(self) -> Fraction:
        """The result of the whole system."""
        return self.value * self.accelerators

    def on(self, basis: Basis) -> Fraction:
        """The value that a ratio of this basis uses."""
        return self.value if basis == "per-accelerator" else self.total


MeasuredPair = tuple[Measured, Measured, Comparable]


@dataclass(frozen=True, slots=True)
class Ratio:
    """The best result of one side over the best of the other in one scenario and round; the ratio of the means over all
    submissions, and the span of all pairs."""

    scenario: str
    subject: Measured
    baseline: Measured
    value: Fraction
    mean: Fraction
    span: Interval
    pairs: int
    comparable: Comparable

    @property
    def rounds(self) -> tuple[str, ...]:
        """The rounds of the two results."""
        return tuple(dict.fromkeys(round_name(one.result.round or "") for one in (self.subject, self.baseline)))


@dataclass(frozen=True, slots=True)
class Reading:
    """A claim read per accelerator or per system, with the verdict of the pair rules on claim and measurement."""

    basis: Basis
    verdict: PairVerdict
    reason: str
    ratios: tuple[Ratio, ...] = ()
    span: Interval | None = None
    refused: tuple[ComparabilityReason, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether measured results bear the claim out."""
        return self.verdict in ("agree", "explained")


def ratios(
    subject: Sequence[Measured], baseline: Sequence[Measured], basis: Basis, rules: Comparability
) -> tuple[tuple[Ratio, ...], tuple[ComparabilityReason, ...]]:
    """The best ratio in each scenario and round, and why pairs were refused where none was allowed.

    Results of one round are preferred; those of two rounds count only where no round holds both sides.
    """
    found: list[Ratio] = []
    refused: set[ComparabilityReason] = set()
    for scenario in sorted({one.result.scenario or "" for one in (*subject, *baseline)}):
        ours, theirs = (
            [one for one in side if (one.result.scenario or "") == scenario] for side in (subject, baseline)
        )
        allowed, reasons = _allowed_pairs(ours, theirs, rules)
        refused |= reasons
        # between rounds software improves: a ratio over two rounds credits that to the accelerator
        same = [pair for pair in allowed if pair[0].result.round == pair[1].result.round]
        found.extend(_per_round(scenario, same or allowed, basis, apart=not same))
    # once a pair was allowed, what was refused next to it is of no interest to a reader
    return tuple(found), () if found else tuple(sorted(refused))


def _allowed_pairs(
    ours: Iterable[Measured], theirs: Sequence[Measured], rules: Comparability
) -> tuple[list[MeasuredPair], set[ComparabilityReason]]:
    """The pairs that the published rules allow, and the rules that forbid the others."""
    allowed: list[MeasuredPair] = []
    refused: set[ComparabilityReason] = set()
    for one, other in product(ours, theirs):
        verdict = judge(one.result, other.result, rules)
        if verdict.allowed:
            allowed.append((one, other, verdict))
        else:
            refused.update(reason for reason in verdict.reasons if reason.effect == "forbids")
    return allowed, refused


def _per_round(scenario: str, pairs: Iterable[MeasuredPair], basis: Basis, *, apart: bool) -> Iterable[Ratio]:
    groups: dict[tuple[str, str | None], list[MeasuredPair]] = {}
    for pair in pairs:
        # over two rounds each pair has a combination of its own: listed one by one they would
        # be as many ratios of one result
        key = ("" if apart else pair[0].result.round or "", pair[0].result.task)
        groups.setdefault(key, []).append(pair)
    for _, some in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] or "")):
        values = [one.on(basis) / other.on(basis) for one, other, _ in some]
        # the best of each side, not the best quotient, which a weak entry of the other side would
        # make; ids decide between equals, so that the order of the rows does not show
        best = max(some, key=lambda pair: (pair[0].on(basis), pair[1].on(basis), pair[0].claim, pair[1].claim))
        # by claim: a result that meets five of the other side would count five times in the mean
        ours = {one.claim: one.on(basis) for one, _, _ in some}
        theirs = {other.claim: other.on(basis) for _, other, _ in some}
        yield Ratio(
            scenario,
            best[0],
            best[1],
            best[0].on(basis) / best[1].on(basis),
            _mean(ours) / _mean(theirs),
            Interval(min(values), max(values)),
            len(some),
            best[2],
        )


def _mean(values: Mapping[str, Fraction]) -> Fraction:
    return sum(values.values(), Fraction(0)) / len(values)


@dataclass(frozen=True, slots=True)
class Claimed:
    """The ratio that a claim states, and what of it a measurement could not know."""

    figure: Interval
    names_benchmark: bool
    """Whether it is about a benchmark, so that results of the same benchmark can contradict it."""
    differs: tuple[str, ...] = ()
    """Stated conditions that the results do not share, in words."""
    is_order: bool = False
    """Whether it states which side is ahead and no figure: then it holds everywhere or is left open."""


def read(
    claimed: Claimed, subject: Sequence[Measured], baseline: Sequence[Measured], basis: Basis, rules: Comparability
) -> Reading:
    """How a claimed ratio stands against measured results of both sides.

    Agree: the best results of every scenario and round fit. Explained: some do, or the claim lies between the ratios of the
    best results and of the means, in several scenarios or rounds. Conflict: no pair comes near, and the claim is about this
    benchmark. Possible conflict: single pairs reach it only, or something is left open.
    """
    found, refused = ratios(subject, baseline, basis, rules)
    if not found:
        return Reading(basis, "not-comparable", _why_none(subject, baseline, refused), refused=refused)
    span = Interval.hull(one.span for one in found)
    verdict, reason = _by_best(claimed, found) or _by_span(claimed, found, span)
    return Reading(basis, verdict, reason, found, span)


def _by_best(claimed: Claimed, found: Sequence[Ratio]) -> tuple[PairVerdict, str] | None:
    """The verdict of the best results and of the means; None where they decide nothing."""
    # first, because any lower ratio lies inside "up to 30x": results must come near the limit itself
    if (reason := _below_its_limit(claimed.figure, found)) is not None:
        return "possible-conflict", reason
    fitting = [one for one in found if claimed.figure.contains(one.value)]
    if fitting and len(fitting) == len(found):
        return "agree", "the best results fit"
    # who is ahead in one scenario and behind in another is not ahead: of an
    # order there is no more or less
    if fitting and claimed.is_order:
        return "possible-conflict", f"{_between(fitting)}, the other way round"
    # a vendor may have taken the mean of submissions instead of the best: what lies between the two is neither's error
    typical = Interval.hull(Interval.exactly(end) for one in found for end in (one.value, one.mean))
    if fitting or (not claimed.is_order and claimed.figure.overlaps(typical)):
        return "explained", _between(fitting)
    return None


def _by_span(claimed: Claimed, found: Sequence[Ratio], span: Interval) -> tuple[PairVerdict, str]:
    """The verdict of a claim that no best result bears out: a conflict only where nothing is left that could."""
    if claimed.figure.overlaps(span):
        return "possible-conflict", "only single pairs of submissions reach it"
    if claimed.differs:
        return "possible-conflict", "the results differ, and so do " + ", ".join(claimed.differs)
    if not claimed.names_benchmark:
        return "possible-conflict", "the results differ, but the claim names no benchmark"
    if claimed.figure.overlaps(_widened(found)):
        return (
            "possible-conflict",
            "no result held here fits, but few are held and the claim lies within a quarter of them",
        )
    return "conflict", "no comparable results come near"


def _below_its_limit(figure: Interval, found: Sequence[Ratio]) -> str | None:
    """An "up to" is not borne out by results that stay far below it, and not contradicted either."""
    if figure.lower is not None or figure.upper is None:
        return None
    best = max(one.value for one in found)
    return None if best * (1 + NEAR) >= figure.upper else "the results stay far below the limit it names"


def _widened(found: Iterable[Ratio]) -> Interval:
    """The span of all ratios, wider where few pairs stand behind one."""
    spans = []
    for one in found:
        low, high = one.span.lower, one.span.upper
        assert low is not None
        assert high is not None
        # few entries show little of the spread between submitters, so that their span is no bound
        spans.append(one.span if one.pairs >= FEW else Interval(low / (1 + NEAR), high * (1 + NEAR)))
    return Interval.hull(spans)


def _between(fitting: Sequence[Ratio]) -> str:
    if fitting:
        named = sorted({f"{one.scenario.rpartition('/')[2]} of {' and '.join(one.rounds)}" for one in fitting})
        return f"fits {', '.join(named)}; other scenarios or rounds give other ratios"
    return "lies between the ratios of the best results and of the means, over scenarios and rounds"


def _why_none(subject: Sequence[Measured], baseline: Sequence[Measured], refused: Sequence[ComparabilityReason]) -> str:
    if not subject and not baseline:
        return "no measured row of either side"
    if not subject or not baseline:
        return f"no measured row of the {'first' if not subject else 'second'} side"
    if refused:
        return "no pair may be compared: " + "; ".join(dict.fromkeys(reason.text for reason in refused))
    return "no scenario was run on both sides"


_ON_ONE_BASIS_ONLY: Final[tuple[tuple[Basis, Basis, MeasuredVerdict], ...]] = (
    ("per-system", "per-accelerator", "supported-system-only"),
    ("per-accelerator", "per-system", "supported-per-accelerator-only"),
)
"""The basis on which alone a claim holds, the other one, and the verdict."""


def verdict_of(readings: Sequence[Reading], *, stated: Basis | None) -> MeasuredVerdict:
    """The verdict on a claim from its readings; `stated` where its normaliser says which one it means.

    A claim that says per accelerator and holds only for whole systems is reported as such, never as contradicted outright.
    """
    by = {one.basis: one for one in readings}
    holds = {basis for basis, one in by.items() if one.holds}
    if holds and (holds == set(by) or stated in holds):
        return "supported"
    for basis, other, verdict in _ON_ONE_BASIS_ONLY:
        if holds == {basis}:
            # a claim that leaves the basis open is held against the one reading that could be formed
            is_open = other not in by or by[other].verdict == "not-comparable"
            return "supported" if is_open and stated is None else verdict
    decided = {one.verdict for one in readings} - {"not-comparable"}
    return "contradicted" if decided == {"conflict"} else "no-comparable"
