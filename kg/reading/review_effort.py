"""What a review took, from its log: minutes before the screen, keys an accepted claim, corrections by field."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from kg.reading.review_log import Decision

BREAK_SECONDS: Final = 300.0
"""Seconds without a decision from which the reviewer was elsewhere: that time is reported, and not counted."""


@dataclass(frozen=True, slots=True)
class ReviewEffort:
    """Of the decisions that stand: how many claims were accepted and figures rejected, and what that took.

    `minutes` counts the time from opening a review, or from the decision before, to each decision that was logged with
    its time, undone ones too; `breaks` are those that took longer than five minutes and are left out, `untimed` those
    of logs that were written before times were. `keys` is the median of keys an accepted claim, None without claims.
    """

    accepted: int
    rejected: int
    minutes: float
    breaks: int
    untimed: int
    keys: float | None
    corrected: Mapping[str, int]

    def line(self) -> str:
        """The sentence that a terminal prints."""
        parts = [f"{self.minutes:.1f} minutes for {self.accepted} accepted and {self.rejected} rejected"]
        if self.breaks:
            parts.append(f"{self.breaks} breaks of over {BREAK_SECONDS / 60:.0f} minutes left out")
        if self.untimed:
            parts.append(f"{self.untimed} decisions without a time")
        if self.keys is not None:
            parts.append(f"{self.keys:g} keys an accepted claim (median)")
            changes = ", ".join(f"{name} {count}" for name, count in self.corrected.items())
            parts.append(f"corrected: {changes or 'nothing'}")
        return "; ".join(parts)


def effort_of(decisions: Sequence[Decision]) -> ReviewEffort:
    """Count a log, whoever wrote it."""
    undone = {one.undoes for one in decisions if one.action == "undo"}
    standing = [one for one in decisions if one.action in ("accept", "reject") and one.number not in undone]
    accepted = [one for one in standing if one.action == "accept"]
    timed = [one.seconds for one in decisions if one.seconds is not None]
    return ReviewEffort(
        len(accepted),
        len(standing) - len(accepted),
        sum(one for one in timed if one <= BREAK_SECONDS) / 60,
        sum(one > BREAK_SECONDS for one in timed),
        len(decisions) - len(timed),
        _keys_of_one(decisions, accepted),
        _corrected(accepted),
    )


def _keys_of_one(decisions: Sequence[Decision], accepted: Sequence[Decision]) -> float | None:
    """The median of keys that were pressed for the figure of an accepted claim."""
    keys: dict[int, int] = defaultdict(int)
    for one in decisions:
        keys[one.figure] += one.keys
    return median(keys[one.figure] for one in accepted) if accepted else None


def _corrected(accepted: Sequence[Decision]) -> dict[str, int]:
    """In how many accepted claims each field was taken otherwise than proposed, the most frequent first."""
    counts: Counter[str] = Counter()
    for one in accepted:
        names = {*one.proposed, *one.taken}
        counts.update(name for name in names if one.proposed.get(name) != one.taken.get(name))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
