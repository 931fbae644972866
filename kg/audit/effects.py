"""The values of an impact study (`kg.audit.impact`): changes, the claims they reach, and what becomes of each."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from kg.audit.outcome import Outcome
from kg.model.interval import Interval

Via = Literal["derivation", "conclusion", "repeats"]


@dataclass(frozen=True, slots=True)
class Change:
    """A claim that is corrected, or withdrawn where `after` is None; values in the canonical unit."""

    claim: str
    before: Interval | None
    after: Fraction | None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """One computation or one pair of rows that has another value now."""

    name: str
    expression: str
    before: Interval | None
    after: Interval | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Affected:
    """One claim that depends on a change."""

    claim: str
    hop: int
    via: Via
    outcome: Outcome
    printed: str | None
    unit: str | None
    holds: bool | None
    """Whether the printed figure still fits; None for a claim without one."""
    touched: tuple[Touched, ...]
    unchanged: tuple[tuple[str, Interval], ...]
    """Other computations of the same claim that the change does not reach, with what they give."""
    fitted: bool | None
    """Whether a computation gave the printed figure before the changes; None for a claim without one."""
    because: tuple[str, ...]
    """The claims below it that changed."""


@dataclass(frozen=True, slots=True)
class Impact:
    """All that follows from some changes."""

    changes: tuple[Change, ...]
    affected: tuple[Affected, ...]

    def of(self, claim: str) -> Affected | None:
        """What becomes of one claim, or None where nothing reaches it."""
        return next((one for one in self.affected if one.claim == claim), None)

    def to_json(self) -> dict[str, Any]:
        """Plain values, stable and sorted: an amount is a number, a range a pair."""
        return {
            "changes": [
                {
                    "claim": one.claim,
                    "before": _amount(one.before),
                    "after": None if one.after is None else float(one.after),
                    "unit": one.unit,
                }
                for one in self.changes
            ],
            "affected": [_affected_json(one) for one in self.affected],
        }


def _affected_json(one: Affected) -> dict[str, Any]:
    return {
        "claim": one.claim,
        "hop": one.hop,
        "via": one.via,
        "outcome": one.outcome,
        "printed": one.printed,
        "unit": one.unit,
        "holds": one.holds,
        "because": list(one.because),
        "touched": [
            {
                "name": t.name,
                "expression": t.expression,
                "before": _amount(t.before),
                "after": _amount(t.after),
                "outcome": t.outcome,
            }
            for t in one.touched
        ],
        "unchanged": [{"name": name, "value": _amount(value)} for name, value in one.unchanged],
    }


def _amount(interval: Interval | None) -> float | list[float | None] | None:
    if interval is None:
        return None
    low, high = (None if end is None else float(end) for end in (interval.lower, interval.upper))
    return low if low == high else [low, high]
