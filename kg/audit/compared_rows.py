"""Which rows a statement of more or less compares: those of its subject with those of its baseline, like with like."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kg.audit.claim_links import grounds
from kg.model.conditions import condition_value
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import SENSE

_SHARED: Final = ("model", "task", "scenario", "precision", "phase", "benchmark", "round", "workload")
"""Conditions that rows must share to be compared; counts, dates and who ran it may differ."""
_GOOD: Final = {"higher": 1, "lower": -1}
"""The sign of a metric by its better side: with that of a direction it says which way a corrected row would have to move."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows that belong together; `inverted` where less of what they measure is more of what the statement says."""

    subject: str
    baseline: str
    name: str
    inverted: bool = False

    def ratio(self, subject: Interval | None, baseline: Interval | None) -> Interval | None:
        """How the subject stands to the baseline, in the sense of the statement."""
        # a span that holds zero has no quotient, and one of a subject that may be zero says nothing of more or less
        if subject is None or baseline is None or baseline.contains(0) or subject.contains(0):
            return None
        return baseline / subject if self.inverted else subject / baseline


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """Finds the rows of statements among the claims."""

    claims: Mapping[str, ClaimRecord]
    covers: Mapping[str, Collection[str]]
    better: Mapping[str, str]

    def pairs(self, record: ClaimRecord) -> Iterator[Pair]:
        """The pairs below a statement with a direction and a baseline."""
        # a statement with a figure is judged by its figure, not by its direction
        if record.get("quantity") or not record.get("baseline") or record.get("direction") not in (*SENSE, "similar"):
            return
        sides: tuple[list[ClaimRecord], list[ClaimRecord]] = ([], [])
        for name in grounds(record):
            row = self.claims.get(name)
            side = None if row is None or not row.get("quantity") else self._side(record, row)
            if side is not None and row is not None:
                sides[side].append(row)
        apart = _apart(record)
        for one in sides[0]:
            for other in sides[1]:
                inverted = self._inverted(record, one)
                if inverted is not None and _key(one, apart) == _key(other, apart):
                    name = ", ".join(
                        str(value).rpartition("/")[2] for value in _stated(one, ("scenario", "precision", "date"))
                    )
                    yield Pair(one["id"], other["id"], name or one["metric"], inverted)

    def _side(self, record: ClaimRecord, row: ClaimRecord) -> int | None:
        """0 for a row of the subject, 1 for one of the baseline, None for neither or both."""
        if record["baseline"] == record["subject"]:
            return _side_by_conditions(record, row)
        if row.get("relation", "absolute") != "absolute":
            return None
        found = [
            row["subject"] == thing or row["subject"] in self.covers.get(thing, ())
            for thing in (record["subject"], record["baseline"])
        ]
        # a row that is of both (one family covers the other) would be compared with itself
        return found.index(True) if sum(found) == 1 else None

    def _inverted(self, record: ClaimRecord, row: ClaimRecord) -> bool | None:
        """Whether a ratio of these rows has to be turned round; None where it says nothing about the statement."""
        # a latency that falls is a speed that rises: rows of another metric
        # count where both have a better side
        if row["metric"] == record["metric"]:
            return False
        ours, theirs = (_GOOD.get(self.better.get(one["metric"], ""), 0) for one in (record, row))
        return None if not ours * theirs else ours != theirs

    def moves_along(self, record: ClaimRecord, name: str, before: Interval | None, after: Interval | None) -> bool:
        """Whether a correction moves a support of a conclusion in the direction of the conclusion, which then stands."""
        row, sense = self.claims.get(name), SENSE.get(record.get("direction") or "", 0)
        if (
            row is None
            or row["subject"] != record["subject"]
            or before is None
            or after is None
            or before.overlaps(after)
        ):
            return False
        ours, theirs = (_GOOD.get(self.better.get(one["metric"], ""), 0) for one in (record, row))
        risen = before.upper is not None and after.lower is not None and after.lower > before.upper
        return sense * ours != 0 and sense * ours == theirs * (1 if risen else -1)


def _apart(record: ClaimRecord) -> frozenset[str]:
    """The conditions in which a thing is compared with itself: another year, another software."""
    ours, theirs = record.get("conditions") or {}, record.get("baseline_conditions") or {}
    if record["baseline"] != record["subject"]:
        return frozenset()
    return frozenset(
        name for name in {*ours, *theirs} if condition_value(ours.get(name)) != condition_value(theirs.get(name))
    )


def _side_by_conditions(record: ClaimRecord, row: ClaimRecord) -> int | None:
    given = row.get("conditions") or {}
    found = []
    for side in (record.get("conditions") or {}, record.get("baseline_conditions") or {}):
        wanted = {name: condition_value(value) for name, value in side.items() if name in _apart(record)}
        found.append(bool(wanted) and all(condition_value(given.get(name)) == value for name, value in wanted.items()))
    return found.index(True) if sum(found) == 1 else None


def _stated(row: ClaimRecord, names: Collection[str]) -> list[Any]:
    conditions = row.get("conditions") or {}
    return [value for name in names if (value := condition_value(conditions.get(name))) is not None]


def _key(row: ClaimRecord, apart: frozenset[str]) -> tuple[Any, ...]:
    """What two rows must have in common."""
    conditions = row.get("conditions") or {}
    shared = tuple(str(condition_value(conditions.get(name))) for name in _SHARED if name not in apart)
    return (
        row["metric"],
        str(row.get("normaliser")),
        row.get("statistic"),
        row.get("relation", "absolute"),
        row.get("baseline"),
        *shared,
    )
