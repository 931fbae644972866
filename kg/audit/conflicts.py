"""Claims about one thing to findings: one for each set of values that do not fit together. `kg.audit.auditor` calls it.

A group is a series (or a thing without one) and a metric, so that statement keys that differ by a silence still meet.
Equal claims count once; the work grows with the number of claims, not with that of their pairs.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from kg.audit.claim_links import Lookup
from kg.audit.comparable import ComparableFigure, read_comparable
from kg.audit.conflict_text import ConflictEdge, ConflictFindings, Statement
from kg.audit.disjoint_sets import DisjointSets
from kg.audit.fidelity import OF_THE_WHOLE
from kg.audit.finding import Finding
from kg.audit.pair import BRIDGES, judge
from kg.audit.subjects import Subjects
from kg.model.derived import CanonicalFigure, Deriver
from kg.model.recorded import ClaimRecord, ThingRecord

ALL_PAIRS: Final = 24
"""Up to this many different statements in a group all pairs are judged; beyond, each against the widest and the loosest."""
# Frames that state little could be any of the others, so their ends meet all statements.
LOOSEST: Final = 2
SETTINGS: Final = frozenset(
    {
        "accelerators-used",
        "batch-size",
        "parallelism-degree",
        "sequence-length",
        "training-tokens",
        "test-coverage",
        "elapsed-time",
        "availability",
        "work-time",
        "latency",
        "hidden-dimension",
    }
)
"""Metrics that a run or a text chooses: two values are two choices, unless everything stated is equal."""
REPORTED: Final = frozenset(
    {
        "date",
        "model",
        "precision",
        "accelerators",
        "level",
        "baseline",
        "metric",
        "subject",
        "round",
        "task",
        "scenario",
    }
)
"""Conditions whose change is reported of a repetition that keeps the figure."""
UNCARRIED: Final = "uncarried"
"""Figures that differ in something that is stated, but that cannot carry a difference of this size."""
# What sets two figures of one text apart by itself: no finding says that
# a rack has more than its chip.
APART: Final = frozenset({"level", "normaliser", "variant"})
VERDICTS: Final = ("conflict", "possible-conflict", "explained")
STEPS: Final = (*VERDICTS, UNCARRIED)
"""In this order figures are brought together; what one step has joined a later one does not take up again."""


def _is_never_total(_: ClaimRecord) -> bool:
    return False


class ConflictAudit:
    """Judges groups; `lookup` gives the record of any claim, also outside the group.

    `is_total` tells of a figure under the name of one card whether it is that of several: it is another quantity, and
    saying that "nothing differs" from the figure of one card would be untrue.
    """

    def __init__(
        self,
        registry: Mapping[str, ThingRecord],
        deriver: Deriver,
        lookup: Lookup,
        *,
        is_total: Callable[[ClaimRecord], bool] = _is_never_total,
    ) -> None:
        self._is_total = is_total
        self._subjects, self._deriver, self._lookup = Subjects(registry), deriver, lookup
        self._findings = ConflictFindings(self._subjects, lookup)

    def key(self, record: ClaimRecord) -> str | None:
        """The group of a claim, None where it has no figure. A changed claim touches its old group and its new one only."""
        quantity = record.get("quantity")
        if not quantity or quantity.get("absent"):
            return None
        metric, subject = record["metric"], record["subject"]
        # coverage is said of a maker's software and of its chips: only the maker is common to both
        if metric == "framework-coverage":
            subject = self._subjects.linked(subject, "maker") or subject
        return f"{BRIDGES.get(metric, metric)}|{self._subjects.root(subject)}"

    def group(self, records: Iterable[ClaimRecord]) -> Iterator[Finding]:
        """The findings of one whole group."""
        records = sorted(records, key=lambda record: str(record["id"]))
        if self._quiet(records):
            return
        comparables = [comparable for record in records if (comparable := self._read(record)) is not None]
        yield from self._repeated(comparables)
        parts: dict[tuple[str, str, bool], list[ComparableFigure]] = defaultdict(list)
        for comparable in comparables:
            parts[comparable.kind, comparable.relation, comparable.negated].append(comparable)
        for _, members in sorted(parts.items()):
            if len(members) > 1:
                yield from self._part(members)

    def _quiet(self, records: list[ClaimRecord]) -> bool:
        """Whether a glance shows that nothing is to be found: no repetition, one speaker, and a value that fits all figures."""
        if any("restates" in record or "same_as" in record for record in records):
            return False
        if len(records) == 1:
            return True
        if len({(record["asserted_by"], record["source"]) for record in records}) > 1:
            return False
        # figures of equal records are one object of the deriver's memory: by identity most groups of rows shrink to one
        figures = {id(figure): figure for record in records if (figure := self._deriver.canonical(record)) is not None}
        if len(figures) == 1 and all(record["quantity"].get("value") is not None for record in records):
            return True
        return len(figures) == len(records) and _have_one_value_in_common(figures.values())

    def _read(self, record: ClaimRecord) -> ComparableFigure | None:
        if self._is_total(record):
            return None
        return read_comparable(record, deriver=self._deriver, subjects=self._subjects, lookup=self._lookup)

    def _repeated(self, comparables: list[ComparableFigure]) -> Iterator[Finding]:
        """Repetitions that keep the figure and change what it is about."""
        for comparable in comparables:
            record = self._lookup(comparable.id)
            above = (
                self._lookup(comparable.origin)
                if comparable.origin != comparable.id and record is not None and not record.get("same_as")
                else None
            )
            origin = self._read(above) if above is not None else None
            if origin is not None:
                judgement = judge(origin, comparable, self._subjects)
                # a chip is said to have the scale-up domain of its
                # system: that is no change of subject
                reported = REPORTED - {"level", "subject"} if origin.metric in OF_THE_WHOLE else REPORTED
                changed = [one for one in judgement.differing if one.name in reported and one.left and one.right]
                if judgement.repeats and judgement.verdict != "conflict" and changed:
                    yield self._findings.restated(origin, comparable, changed)

    def _part(self, members: list[ComparableFigure]) -> Iterator[Finding]:
        """Findings of claims whose figures are of one kind."""
        contents = _contents(members)
        yield from self._agreed(members, contents)
        statements = _statements(members, contents)
        # a batch size of 8 here and of 32 there are two choices; only a
        # flat contradiction is a finding
        steps = STEPS[:1] if members[0].metric in SETTINGS else STEPS
        edges = self._judged(statements, steps)
        accused: set[int] = set()
        # one set of sets for all steps: figures that a conflict has joined are not
        # reported as possibly at odds again
        joined: DisjointSets[int] = DisjointSets()
        for verdict in steps:
            chosen = _joining(verdict, edges, joined)
            if verdict == UNCARRIED:
                # a value that a graver finding names already needs no second one that is weaker
                chosen = [edge for edge in chosen if not accused & {edge.one, edge.other}]
            for together in _grouped(chosen, joined):
                finding = self._findings.found(verdict, together, statements)
                if finding.severity != "info":
                    accused.update(place for edge in together for place in (edge.one, edge.other))
                yield finding

    def _judged(self, statements: list[Statement], steps: Sequence[str]) -> list[ConflictEdge]:
        """The pairs of statements that do not fit and that a finding may name."""
        edges = [
            edge
            for edge in self._edges(statements, steps)
            if edge.judgement.verdict in VERDICTS and not self._plain(edge, statements)
        ]
        # what one finding accuses no other acquits: a figure at odds with another is not explained by a third
        at_odds = {place for e in edges if e.judgement.verdict == "conflict" for place in (e.one, e.other)}
        return [e for e in edges if e.judgement.verdict != "explained" or not at_odds & {e.one, e.other}]

    def _edges(self, statements: list[Statement], steps: Sequence[str]) -> Iterator[ConflictEdge]:
        for one, other in _pairs(statements):
            a, b = statements[one].comparable, statements[other].comparable
            # where something is stated on one side only, the pair is no flat contradiction, and nothing else is asked for
            is_open = len(steps) == 1 and a.origin != b.origin and a.stated != b.stated
            if not is_open and not a.overlaps(b, self._subjects):
                yield ConflictEdge(one, other, judge(a, b, self._subjects, are_apart=True))

    def _plain(self, edge: ConflictEdge, statements: list[Statement]) -> bool:
        """Whether one text itself gives two figures for two levels, variants or normalisers: nothing is left to explain."""
        judgement = edge.judgement
        if judgement.verdict != "explained" or not APART & {
            one.name for one in (*judgement.differing, *judgement.unstated)
        }:
            return False
        names = (*statements[edge.one].names, *statements[edge.other].names)
        return len({(self._lookup(name) or {}).get("source") for name in names}) == 1

    def _agreed(self, members: list[ComparableFigure], contents: list[int]) -> Iterator[Finding]:
        """One figure from more than one speaker, under the same conditions, none of whom repeats another."""
        alike: dict[int, list[ComparableFigure]] = defaultdict(list)
        for content, comparable in zip(contents, members, strict=True):
            alike[content].append(comparable)
        for comparables in alike.values():
            if len({comparable.origin for comparable in comparables}) > 1:
                records = [record for comparable in comparables if (record := self._lookup(comparable.id)) is not None]
                # one speaker who gives the figure twice agrees with nobody
                if len({(record["asserted_by"], record["source"]) for record in records}) > 1:
                    yield self._findings.agreed(
                        Statement(comparables[0], tuple(comparable.id for comparable in comparables)),
                        len({s.origin for s in comparables}),
                    )


def _contents(members: list[ComparableFigure]) -> list[int]:
    """The content of each claim as a number, equal ones as the same: they are hashed here and nowhere else."""
    numbers: dict[tuple[Any, ...], int] = {}
    return [numbers.setdefault(comparable.content, len(numbers)) for comparable in members]


def _statements(members: list[ComparableFigure], contents: list[int]) -> list[Statement]:
    """Each different statement with the claims that make it; claims of a shared origin stay apart from equal ones of others."""
    shared: dict[str, int] = defaultdict(int)
    for comparable in members:
        shared[comparable.origin] += 1
    groups: dict[tuple[int, str], list[ComparableFigure]] = defaultdict(list)
    for content, comparable in zip(contents, members, strict=True):
        # Whether one repeats the other is read from the first claim of a statement:
        # merged with equal claims of others an original would lose that. A claim that
        # nobody repeats joins its equals.
        groups[content, comparable.origin if shared[comparable.origin] > 1 else ""].append(comparable)
    return [
        Statement(comparables[0], tuple(comparable.id for comparable in comparables)) for comparables in groups.values()
    ]


def _pairs(statements: list[Statement]) -> Iterable[tuple[int, int]]:
    """The pairs to judge: all of a small group; of a large one each statement with the outermost of its own frame, of its
    origin, and of the few frames that say much less than others and so could be any of them."""
    if len(statements) <= ALL_PAIRS:
        return combinations(range(len(statements)), 2)
    frames: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    origins: dict[str, list[int]] = defaultdict(list)
    for n, statement in enumerate(statements):
        frames[statement.comparable.frame].append(n)
        origins[statement.comparable.origin].append(n)
    places = [*frames.values(), *(some for some in origins.values() if len(some) > 1)]
    meetings = [(some, set(_outermost(some, statements))) for some in places]
    # frames against frames would be quadratic in a table with a frame for each row
    meetings.append(([*range(len(statements))], _ends_of_loosest(frames.values(), statements)))
    return sorted({(min(a, b), max(a, b)) for some, ends in meetings for a in some for b in ends if a != b})


def _ends_of_loosest(frames: Iterable[list[int]], statements: list[Statement]) -> set[int]:
    """The outermost statements of the frames that state fewer than half as many conditions as the fullest."""
    stated = {frame[0]: (len(statements[frame[0]].comparable.values), frame) for frame in frames}
    most = max(count for count, _ in stated.values())
    loose = sorted((count, first) for first, (count, _) in stated.items() if count * 2 < most)[:LOOSEST]
    return {end for _, first in loose for end in _outermost(stated[first][1], statements)}


def _joining(verdict: str, edges: Sequence[ConflictEdge], joined: DisjointSets[int]) -> list[ConflictEdge]:
    """Bring together what one step joins, and give the edges that its findings name."""
    chosen = [e for e in edges if _step(e) == verdict and joined.find(e.one) != joined.find(e.other)]
    for edge in chosen:
        joined.join(edge.one, edge.other)
    if verdict != "conflict":
        return chosen
    # the text of a conflict names what differs between all its pairs, not only between those that joined it
    return [edge for edge in edges if edge.judgement.verdict == verdict]


def _grouped(edges: Iterable[ConflictEdge], joined: DisjointSets[int]) -> list[list[ConflictEdge]]:
    """The edges of each joined set, in the order of the sets."""
    groups: dict[int, list[ConflictEdge]] = defaultdict(list)
    for edge in edges:
        groups[joined.find(edge.one)].append(edge)
    return [group for _, group in sorted(groups.items())]


def _have_one_value_in_common(figures: Collection[CanonicalFigure]) -> bool:
    """Whether figures of one kind and unit, at least one of them bounded, all hold some value."""
    if len({(figure.kind, figure.unit) for figure in figures}) != 1:
        return False
    lows = [figure.lower for figure in figures if figure.lower is not None]
    highs = [figure.upper for figure in figures if figure.upper is not None]
    if not lows or not highs:
        return bool(lows or highs)
    # strictly: figures that share an edge only are at odds (`ComparableFigure.overlaps`)
    return max(lows) < min(highs)


def _outermost(places: list[int], statements: list[Statement]) -> list[int]:
    """The statement that ends first and the one that begins last: any figure that fits both fits all."""
    ends, starts = [], []
    for n in places:
        figure = statements[n].comparable.figure
        if figure is None:
            return places[:2]
        if figure.upper is not None:
            ends.append((figure.upper, n))
        if figure.lower is not None:
            starts.append((figure.lower, n))
    return [some[0][1] for some in (sorted(ends)[:1], sorted(starts)[-1:]) if some]


def _step(edge: ConflictEdge) -> str:
    """The step in which two figures are brought together."""
    judged = edge.judgement
    return UNCARRIED if judged.verdict == "possible-conflict" and judged.differing else judged.verdict
