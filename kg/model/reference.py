"""Facts from outside the documents that a plausibility rule may lean on, each with its citation.

Kept as data in ``ontology/references.yaml``; reading that file is left to ``kg.content``.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from kg.model.comparability import round_order

Event = Literal["announced", "released", "shipped", "reached"]
TOKENS: Final = "token/s"
WITH_SPARSITY: Final = "with sparsity"
"""How the place of a figure in its data sheet says that it is a rate with sparsity, twice the dense one."""
Limit = Literal[
    "compute-per-power",
    "bytes-per-parameter-served",
    "bytes-per-parameter-trained",
    "bandwidth-of-lpddr5x",
    "memory-of-one-accelerator",
    "tokens-per-parameter",
]


@dataclass(frozen=True, slots=True)
class ReferenceCitation:
    """Where a fact is printed."""

    publisher: str
    document: str
    locator: str

    @property
    def text(self) -> str:
        """The citation in one line.

        >>> ReferenceCitation("NVIDIA", "H200 data sheet", "table of specifications").text
        'NVIDIA, H200 data sheet, table of specifications'
        """
        return f"{self.publisher}, {self.document}, {self.locator}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one accelerator in canonical units; of compute the largest that is published (with sparsity)."""

    subject: str
    metric: str
    value: Fraction
    citation: ReferenceCitation
    precision: str | None = None

    @property
    def under(self) -> str:
        """What goes with its value, behind a space: that it is a rate with sparsity."""
        return f" {WITH_SPARSITY}" if WITH_SPARSITY in self.citation.locator else ""


@dataclass(frozen=True, slots=True)
class Moment:
    """The day on which a thing was announced, released, first shipped or first reached."""

    thing: str
    event: Event
    date: str
    citation: ReferenceCitation


@dataclass(frozen=True, slots=True)
class ResultUnit:
    """The unit in which official results of some tasks are counted; no rounds named: in all of them."""

    tasks: frozenset[str]
    rounds: frozenset[str]
    scenarios: frozenset[str]
    unit: str
    citation: ReferenceCitation

    def holds_under(self, scenario: str | None) -> bool:
        """Whether the rule may decide about a scenario; None where a claim names none, which excludes nothing."""
        return scenario is None or not self.scenarios or scenario in self.scenarios


@dataclass(frozen=True, slots=True)
class References:
    """All outside facts."""

    figures: Mapping[tuple[str, str], tuple[Figure, ...]]
    """By subject and metric."""
    moments: Mapping[str, tuple[Moment, ...]]
    """By thing."""
    predecessors: Mapping[str, tuple[str, ReferenceCitation]]
    """From a chip family to the one before it."""
    result_units: Mapping[str, tuple[ResultUnit, ...]]
    """By benchmark task, what its official results are counted in."""
    limits: Mapping[str, tuple[Fraction, ReferenceCitation]]
    """Single numbers by name."""

    @classmethod
    def of(
        cls,
        figures: Iterable[Figure] = (),
        moments: Iterable[Moment] = (),
        *,
        predecessors: Mapping[str, tuple[str, ReferenceCitation]] | None = None,
        result_units: Iterable[ResultUnit] = (),
        limits: Mapping[str, tuple[Fraction, ReferenceCitation]] | None = None,
    ) -> "References":
        """Index the facts; what is not given is empty."""
        by_figure: dict[tuple[str, str], tuple[Figure, ...]] = {}
        for figure in figures:
            key = (figure.subject, figure.metric)
            by_figure[key] = (*by_figure.get(key, ()), figure)
        by_thing: dict[str, tuple[Moment, ...]] = {}
        for moment in moments:
            by_thing[moment.thing] = (*by_thing.get(moment.thing, ()), moment)
        by_task: dict[str, tuple[ResultUnit, ...]] = {}
        for rule in result_units:
            for task in rule.tasks:
                by_task[task] = (*by_task.get(task, ()), rule)
        return cls(by_figure, by_thing, predecessors or {}, by_task, limits or {})

    def result_unit(self, task: str | None, rounds: Collection[str], scenario: str | None) -> ResultUnit | None:
        """What official results of a task are counted in; None where no rule decides.

        Every round that is named needs a rule, save those before the task was there, and all rules that fit must agree: a
        task that counts tokens under one scenario only is decided where the scenario is known, one that changed where the
        round is.

        >>> cited, old, new = ReferenceCitation("A", "B", "c"), frozenset({"round/a-v1"}), frozenset({"round/a-v2"})
        >>> rules = [ResultUnit(frozenset({"task/a"}), old, frozenset({"scenario/s"}), "query/s", cited),
        ...          ResultUnit(frozenset({"task/a"}), new, frozenset({"scenario/s"}), "token/s", cited)]
        >>> facts = References.of(result_units=rules)
        >>> [found and found.unit for found in (facts.result_unit("task/a", rounds, "scenario/s") for rounds in (
        ...     ["round/a-v1"], ["round/a-v2"], ["round/a-v1", "round/a-v2"], ["round/a-v3"], []))]
        ['query/s', 'token/s', None, None, None]
        """
        rules = [rule for rule in self.result_units.get(task or "", ()) if rule.holds_under(scenario)]
        known = {one for rule in rules for one in rule.rounds}
        named = _since_first(rounds, known)
        fitting = [rule for rule in rules if not rounds or not rule.rounds or named & rule.rounds]
        covered = named <= known or not all(rule.rounds for rule in fitting)
        agreed = len({rule.unit == TOKENS for rule in fitting}) == 1
        return fitting[0] if covered and agreed else None

    def counts_tokens(self, task: str | None) -> bool:
        """Whether results of a task are counted in tokens in any round or scenario."""
        return any(rule.unit == TOKENS for rule in self.result_units.get(task or "", ()))


def _since_first(rounds: Collection[str], known: Collection[str]) -> set[str]:
    """The rounds in which a task can have been run: those that a rule names, and all after the first of these."""
    first = min(map(round_order, known), default=())
    return {one for one in rounds if one in known or round_order(one) >= first}
