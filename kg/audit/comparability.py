"""Whether two benchmark results may be compared by the published rules, and what must be said with them.

Three answers: comparable, comparable when the differences are named, not comparable. What a result leaves open is reported
apart from what differs, so that silence is neither a barrier nor a licence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from kg.model.comparability import Comparability, Compares, benchmark_of, round_name

Verdict = Literal["comparable", "named", "not-comparable"]
TRAINING: Final = "benchmark/mlperf-training"
"""The suite whose results are times of whole systems."""


@dataclass(frozen=True, slots=True)
class ComparableResult:
    """What the rules look at in one result; None is what the result does not say."""

    suite: str | None = None
    task: str | None = None
    round: str | None = None
    scenario: str | None = None
    division: str | None = None
    category: str | None = None
    availability: str | None = None
    unit: str | None = None
    accelerators: int | None = None
    power: bool | None = None
    """Whether power was measured in the same run."""
    mixed: bool = False
    """Several kinds of accelerators in one system."""
    limited: bool = False
    """Entered with lowered power limits."""


@dataclass(frozen=True, slots=True, order=True)
class ComparabilityReason:
    """One rule that bears on a pair, with what each side says; an empty side says nothing."""

    rule: str
    effect: Literal["forbids", "named", "unstated"]
    name: str
    left: str = ""
    right: str = ""

    @property
    def text(self) -> str:
        """The reason in one line.

        >>> ComparabilityReason("scenario", "forbids", "scenario", "scenario/offline", "scenario/server").text
        'another scenario: offline and server'
        """
        sides = [side.rpartition("/")[2] for side in (self.left, self.right)]
        if self.effect == "unstated":
            return (
                f"{self.name} unstated" if not any(sides) else f"{self.name} stated on one side only: {''.join(sides)}"
            )
        if not any(sides) or sides[0] == sides[1]:
            return self.name
        return f"another {self.name}: {sides[0]} and {sides[1]}"

    def swapped(self) -> "ComparabilityReason":
        """The same, seen from the other result."""
        return ComparabilityReason(self.rule, self.effect, self.name, self.right, self.left)


@dataclass(frozen=True, slots=True)
class Comparable:
    """The verdict on a pair with every rule that bears on it: what forbids first, then what must be named or is open."""

    verdict: Verdict
    reasons: tuple[ComparabilityReason, ...] = ()

    @property
    def allowed(self) -> bool:
        """Whether a ratio of the two may be formed."""
        return self.verdict != "not-comparable"

    def swapped(self) -> "Comparable":
        """The same, seen from the other result."""
        return Comparable(self.verdict, tuple(one.swapped() for one in self.reasons))


_ORDER = {"forbids": 0, "named": 1, "unstated": 2}


def judge(one: ComparableResult, other: ComparableResult, rules: Comparability) -> Comparable:
    """What the rules say of two results; symmetric.

    >>> from kg.model.comparability import Rule, ComparabilityTable
    >>> rules = Comparability((Rule("scenario", "scenario", "forbids", "one scenario", "", True),), ())
    >>> judge(ComparableResult(scenario="scenario/offline"), ComparableResult(scenario="scenario/server"), rules).verdict
    'not-comparable'
    """
    # sorted, so that judging (b, a) gives the same reasons as (a, b) with the sides exchanged
    reasons = sorted(_reasons(one, other, rules), key=lambda reason: (_ORDER[reason.effect], reason.rule, reason.name))
    effects = {reason.effect for reason in reasons}
    verdict: Verdict = "not-comparable" if "forbids" in effects else "named" if "named" in effects else "comparable"
    return Comparable(verdict, tuple(reasons))


def _reasons(one: ComparableResult, other: ComparableResult, rules: Comparability) -> Iterator[ComparabilityReason]:
    for name in ("suite", "scenario", "division", "category", "unit", "availability"):
        if name in ("scenario", "category") and one.suite == other.suite == TRAINING:
            continue  # training has neither
        yield from _plain(name, getattr(one, name), getattr(other, name), rules)
    if one.task and other.task:
        (left, target), (right, asked) = benchmark_of(one.task), benchmark_of(other.task)
        yield from _plain("benchmark", left, right, rules)
        if left == right:
            # most benchmarks have one accuracy target and no suffix for it:
            # two without are no open question
            yield from _plain("target", target, asked, rules, open_is_fine=target is None and asked is None)
    elif one.task or other.task:
        yield ComparabilityReason("benchmark", "unstated", "benchmark", one.task or "", other.task or "")
    yield from _rounds(one, other, rules)
    yield from _numbers(one, other, rules)
    if (one.mixed or other.mixed) and (rule := rules.rule("mixed", "forbids")):
        yield ComparabilityReason(rule.id, "forbids", "several kinds of accelerators in one system")


def _plain(
    name: Compares, left: str | None, right: str | None, rules: Comparability, *, open_is_fine: bool = False
) -> Iterator[ComparabilityReason]:
    rule = rules.rule(name, "forbids") or rules.rule(name, "named")
    if rule is None or (left == right and left is not None) or open_is_fine:
        return
    if left is None or right is None:
        yield ComparabilityReason(rule.id, "unstated", name, left or "", right or "")
    else:
        yield ComparabilityReason(rule.id, rule.effect, name, left, right)


def _rounds(one: ComparableResult, other: ComparableResult, rules: Comparability) -> Iterator[ComparabilityReason]:
    if one.round is None or other.round is None:
        yield ComparabilityReason("rounds", "unstated", "round", one.round or "", other.round or "")
        return
    left, right = round_name(one.round), round_name(other.round)
    if left == right:
        return
    # MLCommons allows two rounds next to each other only where the benchmark did not change between them, and then with
    # both rounds named
    unchanged = _is_unchanged_between(left, right, one, other, rules=rules)
    rule = rules.rule("round", "named" if unchanged else "forbids")
    if rule is not None:
        yield ComparabilityReason(rule.id, "named" if unchanged else "forbids", "round", left, right)


def _is_unchanged_between(
    left: str, right: str, one: ComparableResult, other: ComparableResult, *, rules: Comparability
) -> bool:
    """Whether the rules list the benchmark of both results as the same in two rounds."""
    suites = {suite for suite in (one.suite, other.suite) if suite is not None}
    benchmarks = {benchmark_of(task)[0] for task in (one.task, other.task) if task is not None}
    if len(suites) != 1 or not benchmarks:
        return False
    category = one.category if one.category == other.category else None
    return all(rules.unchanged(min(suites), category, benchmark, left, right) for benchmark in benchmarks)


def _numbers(one: ComparableResult, other: ComparableResult, rules: Comparability) -> Iterator[ComparabilityReason]:
    if one.accelerators is not None and other.accelerators is not None and one.accelerators != other.accelerators:
        # time to train falls with the number of accelerators, but not in proportion, so that no
        # division mends it; a rate of Inference can be divided
        timed = TRAINING in (one.suite, other.suite)
        rule = rules.rule("scale", "forbids") if timed else rules.rule("accelerators", "named")
        if rule is not None:
            yield ComparabilityReason(
                rule.id, rule.effect, "number of accelerators", str(one.accelerators), str(other.accelerators)
            )
    if one.power is not None and other.power is not None and one.power != other.power:
        rule = rules.rule("power", "forbids")
        if rule is not None:
            words = {True: "measured with power", False: "measured without power"}
            yield ComparabilityReason(rule.id, "forbids", "kind of run", words[one.power], words[other.power])
    # read from the name or the boundary of a system (`is_limited`): silence means not limited
    if one.limited != other.limited and (rule := rules.rule("limited", "named")):
        left, right = ("lowered" if side.limited else "not lowered" for side in (one, other))
        yield ComparabilityReason(rule.id, "named", "power limit", left, right)
