"""Facts from outside the documents that a plausibility rule may lean on, each with its citation.

Kept as data in ``ontology/references.yaml``; reading that file is left to ``kg.content``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

Event = Literal["announced", "released", "shipped", "reached"]
Limit = Literal["compute-per-power", "bytes-per-parameter-served", "bytes-per-parameter-trained"]


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a fact is printed."""

    publisher: str
    document: str
    locator: str

    @property
    def text(self) -> str:
        """The citation in one line.

        >>> Citation("NVIDIA", "H200 data sheet", "table of specifications").text
        'NVIDIA, H200 data sheet, table of specifications'
        """
        return f"{self.publisher}, {self.document}, {self.locator}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one accelerator in canonical units; of compute the largest that is published (with sparsity)."""

    subject: str
    metric: str
    value: Fraction
    citation: Citation
    precision: str | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """The day on which a thing was announced, released, first shipped or first reached."""

    thing: str
    event: Event
    date: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class References:
    """All outside facts."""

    figures: Mapping[tuple[str, str], tuple[Figure, ...]]
    """By subject and metric."""
    moments: Mapping[str, tuple[Moment, ...]]
    """By thing."""
    predecessors: Mapping[str, tuple[str, Citation]]
    """From a chip family to the one before it."""
    token_tasks: Mapping[str, Citation]
    """Benchmark tasks whose official result is a rate of tokens."""
    limits: Mapping[str, tuple[Fraction, Citation]]
    """Single numbers by name."""
    token_rounds: Mapping[str, str] = field(default_factory=dict)
    """The round from which a task counts tokens, where it did not always."""

    @classmethod
    def of(
        cls, figures: Iterable[Figure] = (), moments: Iterable[Moment] = (), *,
        predecessors: Mapping[str, tuple[str, Citation]] | None = None, token_tasks: Mapping[str, Citation] | None = None,
        limits: Mapping[str, tuple[Fraction, Citation]] | None = None, token_rounds: Mapping[str, str] | None = None,
    ) -> "References":  # fmt: skip
        """Index the facts; what is not given is empty."""
        by_figure: dict[tuple[str, str], tuple[Figure, ...]] = {}
        for figure in figures:
            key = (figure.subject, figure.metric)
            by_figure[key] = (*by_figure.get(key, ()), figure)
        by_thing: dict[str, tuple[Moment, ...]] = {}
        for moment in moments:
            by_thing[moment.thing] = (*by_thing.get(moment.thing, ()), moment)
        return cls(by_figure, by_thing, predecessors or {}, token_tasks or {}, limits or {}, token_rounds or {})

    def counts_tokens(self, task: str | None, rounds: Iterable[str]) -> bool:
        """Whether the official result of a task is a rate of tokens in all of these rounds.

        A task that changed its unit counts tokens only where every round is named and none is before the change.

        >>> facts = References.of(token_tasks={"task/a": Citation("A", "B", "c")}, token_rounds={"task/a": "round/suite-v4.1"})
        >>> [facts.counts_tokens("task/a", rounds) for rounds in (["round/suite-v10.0"], ["round/suite-v3.1", "round/suite-v5.0"], [])]
        [True, False, False]
        """
        if task is None or task not in self.token_tasks:
            return False
        since = self.token_rounds.get(task)
        named = [_version(one) for one in rounds]
        return since is None or (bool(named) and min(named) >= _version(since))


def _version(identifier: str) -> tuple[int, ...]:
    """The numbers of a round: v10.0 comes after v9.1."""
    return tuple(int(part) for part in identifier.rpartition("-v")[2].split(".") if part.isdigit())
