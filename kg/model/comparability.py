"""The published rules on which benchmark results may be compared, as values.

Kept as data in ``ontology/comparability.yaml``; reading that file is left to ``kg.content``, judging two results to ``kg.audit``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Effect = Literal["forbids", "named"]
Compares = Literal[
    "suite",
    "benchmark",
    "target",
    "round",
    "scenario",
    "division",
    "category",
    "availability",
    "accelerators",
    "power",
    "power-source",
    "unit",
    "mixed",
    "limited",
    "derived",
    "scale",
    "training-score",
]
"""What a rule looks at; each is one property of a result."""

# Meets "task/mlperf-training-llama3.1-405b" and "task/mlperf-llama2-70b-99.9", whose 99.9 is the
# target.
_TASK: Final = re.compile(r"(?:task/)?(?:mlperf-)?(?:training-)?(?P<name>.+?)(?:-(?P<target>99(?:\.9)?))?")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in our own words: what must be one, what happens where it is not, and where the rule stands."""

    id: str
    compares: Compares
    effect: Effect
    text: str
    source: str
    opened: bool


@dataclass(frozen=True, slots=True)
class ComparabilityTable:
    """The rounds of one suite in order, and per benchmark the spans of rounds in which nothing changed."""

    suite: str
    category: str | None
    rounds: tuple[str, ...]
    spans: Mapping[str, tuple[tuple[str, ...], ...]]
    """By name and other names of the benchmark."""

    def unchanged(self, benchmark: str, one: str, other: str) -> bool | None:
        """Whether nothing changed between two rounds; None where the table does not hold the benchmark in both."""
        spans = self.spans.get(benchmark, ())
        held = {name for span in spans for name in span}
        if one not in held or other not in held:
            return None
        return any(one in span and other in span for span in spans)


@dataclass(frozen=True, slots=True)
class Comparability:
    """All rules and tables."""

    rules: tuple[Rule, ...]
    tables: tuple[ComparabilityTable, ...]

    def rule(self, compares: Compares, effect: Effect) -> Rule | None:
        """The rule on one property with one effect."""
        return next((one for one in self.rules if one.compares == compares and one.effect == effect), None)

    def unchanged(self, suite: str, category: str | None, benchmark: str, one: str, other: str) -> bool | None:
        """Whether nothing changed in a benchmark between two rounds; where the category is not known, in each of them."""
        told = [
            table.unchanged(benchmark, one, other)
            for table in self.tables
            if table.suite == suite and category in (None, table.category) and benchmark in table.spans
        ]
        return next((answer for answer in told if not answer), True) if told else None


def benchmark_of(task: str) -> tuple[str, str | None]:
    """The benchmark that a task runs, and the share of the reference accuracy that it asks for.

    >>> benchmark_of("task/mlperf-llama2-70b-99.9"), benchmark_of("task/mlperf-deepseek-r1")
    (('llama2-70b', '99.9'), ('deepseek-r1', None))
    >>> benchmark_of("task/mlperf-training-llama3.1-405b"), benchmark_of("task/mlperf-llama2-70b-interactive-99")
    (('llama3.1-405b', None), ('llama2-70b', '99'))
    """
    found = _TASK.fullmatch(task)
    assert found is not None
    return found["name"].removesuffix("-interactive"), found["target"]


def round_name(identifier: str) -> str:
    """The version of a round, as tables name it.

    >>> round_name("round/mlperf-inference-v5.1"), round_name("v6.0")
    ('v5.1', 'v6.0')
    """
    return identifier.rpartition("/")[2].rpartition("-")[2]


def round_order(identifier: str) -> tuple[int, ...]:
    """What sorts rounds by their version.

    >>> sorted(["round/a-v10.0", "round/a-v9.1"], key=round_order)
    ['round/a-v9.1', 'round/a-v10.0']
    >>> round_order("round/a-v\N{SUPERSCRIPT TWO}.1")
    (1,)
    """
    return tuple(int(part) for part in identifier.rpartition("-v")[2].split(".") if part.isdecimal())


def base_division(division: str | None) -> str | None:
    """The division whose rules hold: runs with power measurement are a division of their own under the same rules.

    >>> base_division("division/closed-power"), base_division("Closed "), base_division(None)
    ('closed', 'closed', None)
    """
    return None if division is None else division.rpartition("/")[2].strip().casefold().removesuffix("-power")


def measures_power(division: str | None) -> bool:
    """Whether power was measured in all runs of a division."""
    return division is not None and division.endswith("-power")
