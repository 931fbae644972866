"""A linear ranker: candidates have features that hold or do not, each feature a weight; the sum orders, the odds are shares.

The weights are learnt by `kg.reading.learn` and shipped as `ranker.json`. Applying them needs nothing but Python.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from kg.errors import ContentError

Features = tuple[str, ...]
Item = TypeVar("Item")
SHIPPED = Path(__file__).with_name("ranker.json")


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights by field and feature; a feature without a weight says nothing."""

    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def score(self, name: str, features: Iterable[str]) -> float:
        """The sum of the weights of what holds."""
        weights = self.weights.get(name, {})
        # most features have no weight: those are left out without a step of Python for each
        return sum(filter(None, map(weights.get, features)), 0.0)

    def rank(self, name: str, candidates: Sequence[tuple[Item, Features]]) -> list[tuple[Item, float]]:
        """The candidates, best first, each with its share of the odds; equals stay in the order given.

        >>> Ranker({"metric": {"near": 2.0}}).rank("metric", [("power", ("far",)), ("mfu", ("near",))])[0][0]
        'mfu'
        """
        if not candidates:
            return []
        scores = [self.score(name, features) for _, features in candidates]
        most = max(scores)
        # relative to the best, so that no power overflows; the shares are the same
        odds = [math.exp(score - most) for score in scores]
        total = sum(odds)
        order = sorted(range(len(candidates)), key=lambda index: -scores[index])
        return [(candidates[index][0], odds[index] / total) for index in order]

    def probability(self, name: str, features: Iterable[str]) -> float:
        """How likely one candidate is by itself, not compared with others."""
        # beyond 30 the probability is 0 or 1 in every digit that is shown
        score = max(-30.0, min(30.0, self.score(name, features)))
        return 1 / (1 + math.exp(-score))


def read_ranker(path: Path) -> Ranker:
    """Read weights from a file as `kg.reading.learn` writes it. Raises ContentError where it holds something else."""
    try:
        return Ranker(msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, float]]))
    except (msgspec.MsgspecError, RecursionError) as cause:
        raise ContentError(
            path=str(path),
            given=str(cause)[:80],
            expected="weights by field and feature, as kg review --learn writes them",
            next_step="delete it, and learn from your reviews again",
        ) from cause


@cache
def shipped_ranker() -> Ranker:
    """The ranker of the package."""
    return read_ranker(SHIPPED)
