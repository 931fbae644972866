"""Groups of claims around a statement, and one finding for the values of a group that do not fit together.

A group is a series (or a thing without one) and a metric, so that statement keys that differ by a silence still meet.
Equal claims count once; the work grows with the number of claims, not with that of their pairs.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from kg.audit.conflict_text import Telling
from kg.audit.finding import Finding
from kg.audit.pair import BRIDGES, Judgement, Lookup, Side, judge, read_side
from kg.audit.subjects import Subjects
from kg.model.derived import Deriver

Json = Mapping[str, Any]

ALL_PAIRS: Final = 24
"""Up to so many different statements in a group all pairs are judged; beyond, each against the widest and the loosest."""
_LOOSEST: Final = 4
SETTINGS: Final = frozenset({
    "accelerators-used", "batch-size", "parallelism-degree", "sequence-length", "training-tokens", "test-coverage", "elapsed-time",
    "availability", "work-time", "latency", "hidden-dimension",
})  # fmt: skip
"""Metrics that a run or a text chooses: two values are two choices, unless everything stated is equal."""
_TELLING: Final = frozenset({"date", "model", "precision", "accelerators", "level", "baseline", "metric", "subject", "round", "task", "scenario"})
_APART: Final = frozenset({"level", "normaliser", "variant"})
_VERDICTS: Final = ("conflict", "possible-conflict", "explained")


@dataclass(frozen=True, slots=True)
class Edge:
    """Two statements of a group that do not fit, by their places in the group."""

    one: int
    other: int
    judgement: Judgement


class ConflictAudit:
    """Judges groups; `lookup` gives the record of any claim, also outside the group."""

    def __init__(self, registry: Mapping[str, Json], deriver: Deriver, lookup: Lookup) -> None:
        self._subjects, self._deriver, self._lookup = Subjects(registry), deriver, lookup
        self._telling = Telling(self._subjects, lookup)

    def key(self, record: Json) -> str | None:
        """The group of a claim, None where it has no figure. A changed claim touches its old group and its new one only."""
        quantity = record.get("quantity")
        if not quantity or quantity.get("absent"):
            return None
        metric, subject = record["metric"], record["subject"]
        if metric == "framework-coverage":
            subject = self._subjects.linked(subject, "maker") or subject
        return f"{BRIDGES.get(metric, metric)}|{self._subjects.root(subject)}"

    def findings(self, records: Iterable[Json]) -> Iterator[Finding]:
        """All findings of the given claims, group by group."""
        groups: dict[str, list[Json]] = defaultdict(list)
        for record in records:
            key = self.key(record)
            if key is not None:
                groups[key].append(record)
        for key in sorted(groups):
            yield from self.group(groups[key])

    def group(self, records: Iterable[Json]) -> Iterator[Finding]:
        """The findings of one whole group."""
        records = sorted(records, key=lambda record: str(record["id"]))
        if len(records) > 1 or any("restates" in r or "same_as" in r for r in records):
            sides = [side for record in records if (side := self._read(record)) is not None]
            yield from self._repeated(sides)
            parts: dict[tuple[str, str, bool], list[Side]] = defaultdict(list)
            for side in sides:
                parts[side.kind, side.relation, side.negated].append(side)
            for _, members in sorted(parts.items()):
                if len(members) > 1:
                    yield from self._part(members)

    def _read(self, record: Json) -> Side | None:
        return read_side(record, deriver=self._deriver, subjects=self._subjects, lookup=self._lookup)

    def _repeated(self, sides: list[Side]) -> Iterator[Finding]:
        """Repetitions that keep the figure and change what it is about."""
        for side in sides:
            above = self._lookup(side.origin) if side.origin != side.id else None
            origin = self._read(above) if above is not None else None
            if origin is not None:
                judgement = judge(origin, side, self._subjects)
                changed = [one for one in judgement.differing if one.name in _TELLING and one.left and one.right]
                if judgement.repeats and judgement.verdict == "agree" and changed:
                    yield self._telling.restated(origin, side, changed)

    def _part(self, members: list[Side]) -> Iterator[Finding]:
        """Findings of claims whose figures are of one kind."""
        told = _told(members)
        statements = list(told)
        yield from self._agreed(members)
        edges = [edge for edge in self._edges(statements) if edge.judgement.verdict in _VERDICTS and not self._plain(edge, statements, told)]
        joined = _Joined(len(statements))
        choice = statements[0].metric in SETTINGS
        for verdict in _VERDICTS[: 1 if choice else 3]:
            chosen = [e for e in edges if e.judgement.verdict == verdict and joined.root(e.one) != joined.root(e.other)]
            if chosen and verdict == "conflict":
                chosen = [edge for edge in edges if edge.judgement.verdict == verdict]
            for edge in chosen:
                joined.join(edge.one, edge.other)
            found: dict[int, list[Edge]] = defaultdict(list)
            for edge in chosen:
                found[joined.root(edge.one)].append(edge)
            for _, some in sorted(found.items()):
                yield self._telling.found(verdict, some, statements, told)

    def _edges(self, statements: list[Side]) -> Iterator[Edge]:
        for one, other in _pairs(statements, self._subjects):
            a, b = statements[one], statements[other]
            if not a.overlaps(b, self._subjects):
                yield Edge(one, other, judge(a, b, self._subjects))

    def _plain(self, edge: Edge, statements: list[Side], told: Mapping[Side, list[str]]) -> bool:
        """Whether one text itself gives two figures for two levels, variants or normalisers: nothing is left to explain."""
        if edge.judgement.verdict != "explained" or not _APART & {one.name for one in edge.judgement.differing}:
            return False
        names = (*told[statements[edge.one]], *told[statements[edge.other]])
        return len({(self._lookup(name) or {}).get("source") for name in names}) == 1

    def _agreed(self, members: list[Side]) -> Iterator[Finding]:
        """One figure from more than one speaker, under the same conditions, none of whom repeats another."""
        alike: dict[Side, list[Side]] = defaultdict(list)
        for side in members:
            alike[replace(side, origin="")].append(side)
        for sides in alike.values():
            if len({side.origin for side in sides}) > 1:
                records = [record for side in sides if (record := self._lookup(side.id)) is not None]
                if len({(record["asserted_by"], record["source"]) for record in records}) > 1:
                    yield self._telling.agreed(sides[0], [side.id for side in sides], len({side.origin for side in sides}))


def _told(members: list[Side]) -> dict[Side, list[str]]:
    """Each different statement with the claims that make it; claims of one origin stay apart from equal ones of others."""
    shared: dict[str, int] = defaultdict(int)
    for side in members:
        shared[side.origin] += 1
    told: dict[Side, list[str]] = {}
    for side in members:
        alone = replace(side, origin="") if shared[side.origin] == 1 else side
        told.setdefault(alone, []).append(side.id)
    return told


def _pairs(statements: list[Side], subjects: Subjects) -> Iterator[tuple[int, int]]:
    """The pairs to judge: all of a small group; of a large one each statement with the outermost of its own frame and of
    the frames that say least."""
    count = len(statements)
    if count <= ALL_PAIRS:
        yield from combinations(range(count), 2)
        return
    frames: dict[Side, list[int]] = defaultdict(list)
    for n, side in enumerate(statements):
        frames[replace(side, figure=None, terms=frozenset(), origin="")].append(n)
    ends = {frame: _outermost(places, statements) for frame, places in frames.items()}
    loosest = sorted(frames, key=lambda frame: (len(frame.values), repr(sorted(map(str, frame.values)))))[:_LOOSEST]
    seen = set()
    for frame, places in frames.items():
        for outer in {*ends[frame], *(end for loose in loosest for end in ends[loose])}:
            for place in places:
                pair = (min(place, outer), max(place, outer))
                if pair[0] != pair[1] and pair not in seen:
                    seen.add(pair)
                    yield pair


def _outermost(places: list[int], statements: list[Side]) -> tuple[int, ...]:
    """The statement that ends first and the one that begins last: whatever fits both fits all."""
    bounded = [n for n in places if statements[n].figure is not None]
    if not bounded:
        return tuple(places[:2])
    figures = {n: statements[n].figure for n in bounded}
    ends = [(figure.upper, n) for n, figure in figures.items() if figure is not None and figure.upper is not None]
    starts = [(figure.lower, n) for n, figure in figures.items() if figure is not None and figure.lower is not None]
    return tuple(dict.fromkeys([*([min(ends)[1]] if ends else ()), *([max(starts)[1]] if starts else ())]))


class _Joined:
    """Which places belong together."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def root(self, place: int) -> int:
        """The smallest place of those joined with this one."""
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place

    def join(self, one: int, other: int) -> None:
        """Say that two belong together."""
        low, high = sorted((self.root(one), self.root(other)))
        self._above[high] = low


def conflict_findings(claims: Mapping[str, Json], registry: Mapping[str, Json], deriver: Deriver) -> Iterator[Finding]:
    """Every agreement, conflict, possible conflict and explained difference among claims, one finding per group of values."""
    yield from ConflictAudit(registry, deriver, claims.get).findings(claims.values())
