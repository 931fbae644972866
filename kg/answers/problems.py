"""The problems of a graph or a part of it: the findings that have one cause, ordered by what falls with them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import orjson

from kg.answers.asking import Asker, text
from kg.answers.audit import fits_one_of
from kg.answers.claim import values_to_use
from kg.answers.findings import FindingCard, Involved, find_findings
from kg.answers.problem_words import ProblemWriter, ToldProblem
from kg.answers.published import published_sources
from kg.audit.impact import ImpactStudy
from kg.audit.problems import Accusation, Causes, Problem
from kg.audit.propagation import names_below
from kg.errors import UsageError
from kg.ledger.ledger import Ledger
from kg.model.ledger_records import CurrentRecord
from kg.model.names import descendants
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.result import brief

if TYPE_CHECKING:
    from kg.answers.audit import Judged
    from kg.answers.referent import Scope
    from kg.ask.opened import Opened

_MOST_KEPT: Final = 8
"""Of how many sets of findings the problems behind them are kept, where many parts of a graph are asked about in turn."""
_OF_THE_FIGURE: Final = (
    "arithmetic.",
    "identity.compute-per-power",
    "identity.ratio",
    "plausibility.",
    "unit.",
    "whole.below-parts",
)
"""Codes, or how they begin, of findings whose computed value is what the accused figure should be, or its bound."""


@brief
@dataclass(frozen=True, slots=True)
class Problems:
    """The problems asked for, the most damaging first."""

    problems: tuple[ToldProblem, ...]
    found: int
    """How many there are, shown or not."""
    published: int = 0
    """How many more there are of published rows alone, which were not asked for."""
    behind: Mapping[str, int] = field(default_factory=dict)
    """How many findings of each severity the problems are made of, shown or not."""
    published_behind: int = 0
    """How many findings those of published rows are made of."""
    about: str | None = None
    """What was asked for, where it is not the whole."""

    def to_json(self) -> dict[str, Any]:
        """Plain values, in the order of damage."""
        shown = [one.to_json() for one in self.problems]
        return {
            "problems": shown,
            "found": self.found,
            "complete": len(shown) == self.found,
            "published": self.published,
            "behind": dict(self.behind),
            "published_behind": self.published_behind,
            **({"about": self.about} if self.about else {}),
        }


@dataclass(frozen=True, slots=True)
class PackedClaims(Mapping[str, ClaimRecord]):
    """Claims by id, each kept as the bytes of its JSON: as objects, those of all publishers fill a third of a gigabyte."""

    bodies: Mapping[str, bytes]

    def __getitem__(self, name: str) -> ClaimRecord:
        found: ClaimRecord = orjson.loads(self.bodies[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)


@dataclass(frozen=True, slots=True)
class ProblemStudy:
    """What every question about problems needs of a generation: the claims, and what rests on what."""

    claims: Mapping[str, ClaimRecord]
    impact: ImpactStudy
    cards: dict[tuple[str, ...], tuple[FindingCard, ...]] = field(default_factory=dict)
    """The violations and warnings of sources (none: of all), as they are asked for."""
    _known: dict[tuple[str, ...], list[Problem]] = field(default_factory=dict, init=False)

    def findings(self, asker: Asker, codes: Sequence[str], sources: tuple[str, ...]) -> tuple[FindingCard, ...]:
        """The violations and warnings of an audit."""
        if sources not in self.cards:
            cards = find_findings(asker, severity=("violation", "warning"), source=sources)
            self.cards[sources] = cards
        return tuple(one for one in self.cards[sources] if one.code in codes)

    def problems(self, cards: Sequence[FindingCard]) -> list[Problem]:
        """The problems behind some findings; of those that were asked for last they are known."""
        key = tuple(one.id for one in cards)
        found = self._known.pop(key, None)
        if found is None:
            found = Causes(self.claims, self.impact.of).problems(map(_accusation, cards))
            for longest_ago in list(self._known)[: 1 - _MOST_KEPT]:
                self._known.pop(longest_ago, None)
        self._known[key] = found
        return found


def read_study(graph: "Opened") -> ProblemStudy:
    """Read the claims of a graph once, for any number of questions."""
    registry: dict[str, ThingRecord] = {}
    rests: dict[str, list[str]] = {}

    def pack(record: CurrentRecord) -> bytes:
        if record["record"] == "claim":
            # most published rows rest on nothing; an older revision may have
            rests.pop(record["id"], None)
            if names := names_below(record):
                rests[record["id"]] = names
            return orjson.dumps(record)
        registry[record["id"]] = record
        return b""

    bodies = {name: body for name, body in Ledger(graph.ledger_folder()).packed(pack).items() if body}
    rows = Asker(graph.ask).rows("audit/better")
    better = {text(row, "metric").removeprefix("metric/"): text(row, "better") for row in rows}
    claims = PackedClaims(bodies)
    return ProblemStudy(claims, ImpactStudy(claims, graph.lexicon.units, descendants(registry), better, rests))


def problems_of(
    graph: "Opened",
    judged: "Judged",
    study: ProblemStudy,
    *,
    things: Sequence[str] = (),
    scope: "Scope | None" = None,
    published: bool = False,
    most: int | None = None,
) -> Problems:
    """The problems behind the violations and warnings of an audit; with `things` or a `scope` those that touch it.

    Those of published rows alone are counted only, unless they or their source are asked for, or there is nothing else.
    """
    asker = Asker(graph.ask)
    codes = sorted({one.code for one in judged.counts if one.severity != "info"})
    if not codes:
        return Problems((), 0)
    cards = _within(study.findings(asker, codes, judged.sources), judged)
    is_asked = _asked_for(asker, study.claims, things, scope)
    found = [problem for problem in study.problems(cards) if any(map(is_asked, problem.claims))]
    found, left = (found, []) if published else _without_rows(asker, found, study.claims, judged)
    chosen = found if most is None else found[:most]
    to_use = values_to_use(asker, (name for one in chosen for name, _ in one.corrected if name in study.claims))
    telling = ProblemWriter(graph, {one.id: one for one in cards}, study.claims, _unit_doubts(cards), to_use, is_asked)
    behind = _behind(found)
    return Problems(
        tuple(telling.told(one, rank) for rank, one in enumerate(chosen, 1)),
        len(found),
        len(left),
        dict(Counter(behind.values())),
        # a finding may be part of several problems: one behind a shown problem is not counted again
        len(_behind(left).keys() - behind.keys()),
    )


def _without_rows(
    asker: Asker, problems: list[Problem], claims: Mapping[str, ClaimRecord], judged: "Judged"
) -> tuple[list[Problem], list[Problem]]:
    """The problems to list, and those of published rows alone; where nothing else is wrong, these are the answer."""
    files = published_sources(asker)
    kept: list[Problem] = []
    of_rows: list[Problem] = []
    for one in problems:
        (of_rows if _is_of_rows(one, claims, files, judged) else kept).append(one)
    return (kept, of_rows) if kept else (problems, [])


def _within(cards: tuple[FindingCard, ...], judged: "Judged") -> tuple[FindingCard, ...]:
    """The findings that fit what the audit was narrowed to."""
    if judged.within is None:
        return cards
    return tuple(one for one in cards if fits_one_of(judged.within, one))


def _behind(problems: Iterable[Problem]) -> dict[str, str]:
    """The findings of problems with their severities; one may be part of several problems."""
    return {one.id: one.severity for problem in problems for one in problem.accusations}


def _is_of_rows(problem: Problem, claims: Mapping[str, ClaimRecord], files: frozenset[str], judged: "Judged") -> bool:
    """Whether only published rows are involved, of sources that nobody asked for."""
    asked = {*judged.sources, *(judged.within.sources if judged.within is not None else ())}
    names = {name for one in problem.accusations for name, _ in one.claims}
    # a finding on a whole text names no claim: it is of the source that it was found in
    sources = {claims[name]["source"] if name in claims else problem.first.source for name in names}
    return not sources & asked and sources <= files


def _unit_doubts(cards: Iterable[FindingCard]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for card in cards:
        if card.code.startswith("unit."):
            for name in (card.claim, *(one.claim for one in card.claims)):
                found.setdefault(name, set()).add(card.code)
    return found


def _accusation(card: FindingCard) -> Accusation:
    named = tuple((one.claim, one.role) for one in card.claims)
    if card.claim not in (name for name, _ in named):
        # the accused claim comes first: the cause of a problem is looked for from there
        named = ((card.claim, "about"), *named)
    first = [pair for pair in named if pair[0] == card.claim][:1]
    return Accusation(
        card.id,
        card.code,
        card.severity,
        card.message,
        card.source,
        (*first, *(pair for pair in named if pair not in first)),
        None if card.corrected_value is None else Fraction(card.corrected_value),
        card.corrected_unit,
        tuple((one.code, one.message) for one in card.explanations),
        _spread(card),
        _turned(card),
    )


def _spread(card: FindingCard) -> float:
    """How far off: the printed value against the corrected one, or the values of a conflict or a column against one another."""
    own, right = _own_and_right(card)
    if right and own:
        return abs(own / right)
    if card.code.startswith("plausibility.") and card.computed_unit == "1" and card.computed_value:
        return card.computed_value  # how many times the bound the figure is
    if card.code.startswith("conflict.") or card.code == "unit.mixed":
        values = [abs(one.canonical_value) for one in card.claims if one.canonical_value]
        return max(values) / min(values) if values else 1.0
    return 1.0


def _turned(card: FindingCard) -> bool:
    """Whether a ratio is above one where the right one is below, or the reverse."""
    own, right = _own_and_right(card)
    # below one and above one say opposite things of two machines only where a baseline is named
    of_two = any(one.baseline for one in card.claims if one.claim == card.claim)
    is_computed = card.code.startswith(("arithmetic.", "identity."))
    return of_two and bool(own and right) and (own - 1) * (right - 1) < 0 and is_computed


def _own_and_right(card: FindingCard) -> tuple[float, float]:
    """The value of the accused claim and the one it should have; zeros where they cannot be set against each other."""
    own = next((one for one in card.claims if one.claim == card.claim), None)
    corrected = card.corrected_value is not None
    right, unit = (
        (card.corrected_value, card.corrected_unit) if corrected else (card.computed_value, card.computed_unit)
    )
    same_unit = own is not None and (corrected or own.canonical_unit == unit)
    is_own = card.code.startswith(_OF_THE_FIGURE)
    return (_nearest(own, right or 0.0), right or 0.0) if own and same_unit and is_own else (0.0, 0.0)


def _nearest(claim: Involved, right: float) -> float:
    """The value of a claim, or the end of its range that is nearest to another value; zero where it has none."""
    if claim.canonical_value is not None:
        return claim.canonical_value
    ends = [one for one in (claim.canonical_lower, claim.canonical_upper) if one is not None]
    return min(ends, key=lambda one: abs(one - right), default=0.0)


def _covered(asker: Asker, things: Sequence[str]) -> frozenset[str]:
    """The things of these names with their variants and wholes; a name that is no thing is refused."""
    found: set[str] = set()
    for one in things:
        rows = asker.rows("names/resolve", thing=[one])
        if not rows:
            raise UsageError("is not the name of a thing.", given=one, next_step=f"kg find {one}")
        found.update(text(row, "entity") for row in rows)
    return frozenset(found)


def _asked_for(
    asker: Asker, claims: Mapping[str, ClaimRecord], things: Sequence[str], scope: "Scope | None"
) -> Callable[[str], bool]:
    """Whether a claim is about what was asked for: one of the things, and what the scope holds; all are where nothing was."""
    wanted = _covered(asker, things)

    def is_asked(name: str) -> bool:
        record = claims.get(name)
        if record is None:
            return not wanted and scope is None
        about = [record.get("subject"), record.get("baseline"), *(record.get("subjects") or ())]
        if wanted and wanted.isdisjoint(about):
            return False
        return scope is None or scope.holds(
            name, things=about, metric=record.get("metric"), source=record.get("source")
        )

    return is_asked
