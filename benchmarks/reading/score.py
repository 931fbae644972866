"""Counts of what was right, and the examples of what was not."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that was read wrongly: where, the figure as printed, what was right, and what was proposed."""

    document: str
    start: int
    printed: str
    right: str
    proposed: str


@dataclass(slots=True)
class ReadingTally:
    """Right and all by what is measured, and the misses."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    misses: dict[str, list[Miss]] = field(default_factory=lambda: defaultdict(list))

    def count(self, name: str, *, right: bool, miss: Miss | None = None) -> bool:
        """Count one answer; a wrong one is kept as an example. Gives back whether it was right."""
        self.asked[name] += 1
        self.right[name] += right
        if not right and miss is not None:
            self.misses[name].append(miss)
        return right

    def share(self, name: str) -> float | None:
        """The share that was right, None where nothing was asked."""
        return self.right[name] / self.asked[name] if self.asked[name] else None

    def add(self, others: Iterable["ReadingTally"]) -> "ReadingTally":
        """The same with what others counted."""
        for other in others:
            self.right.update(other.right)
            self.asked.update(other.asked)
            for name, misses in other.misses.items():
                self.misses[name].extend(misses)
        return self


def f1(precision: float | None, recall: float | None) -> float | None:
    """The harmonic mean of both."""
    if precision is None or recall is None or precision + recall == 0:
        return None
    return 2 * precision * recall / (precision + recall)
