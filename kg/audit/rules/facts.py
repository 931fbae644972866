"""What the rules read: the claims of one scope, the registry, figures and published facts, indexed once.

Made by `kg.audit.auditor`; the functions below answer what many rules ask of one claim or of two.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Any, Final, Literal, TypeGuard

from kg.audit.claim_links import Lookup
from kg.model.derived import CanonicalFigure, Deriver
from kg.model.names import name_key
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.reference import Figure as PublishedFigure
from kg.model.reference import References, ResultUnit
from kg.model.vocabulary import RATIO_RELATIONS

UNKNOWN: Final = ("unstated", "not-applicable")
PRIOR: Final = "reference/prior-generation"
Side = Literal["conditions", "baseline_conditions"]
Sort = Literal["single", "ratio", "other"]
"""What a claim gives: one absolute number, a ratio of two things as a number, or anything else."""
SCOPE: Final = (
    "model",
    "task",
    "scenario",
    "phase",
    "workload",
    "precision",
    "accelerators",
    "context_length",
    "sequence_length",
)
"""Conditions under which a figure is another figure."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a rule may look at; nothing in it changes."""

    registry: Mapping[str, ThingRecord]
    deriver: Deriver
    references: References
    lookup: Lookup
    """The record of any claim, for what a claim links to."""
    corrected: Callable[[str], Fraction | None]
    """What a figure is once its derivation is put right, in the canonical unit."""
    claims: Mapping[str, ClaimRecord] = field(default_factory=dict)
    """The claims of one scope, by id."""
    by_metric: Mapping[str, Sequence[ClaimRecord]] = field(default_factory=dict)
    worded: Sequence[ClaimRecord] = ()
    """Claims with a direction."""
    linked: Sequence[ClaimRecord] = ()
    """Claims that repeat others."""
    _lineages: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    _roots: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    _published: dict[tuple[str, str], Sequence[PublishedFigure]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _largest: dict[tuple[str, str], PublishedFigure | None] = field(default_factory=dict, repr=False, compare=False)
    _named: dict[tuple[str, ...], Mapping[str, str]] = field(default_factory=dict, repr=False, compare=False)
    _wholes: dict[str, list[ThingRecord]] = field(default_factory=dict, repr=False, compare=False)
    _result_units: dict[tuple[str | None, tuple[str, ...], str | None], ResultUnit | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    def within(self, claims: Iterable[ClaimRecord]) -> "Facts":
        """The same, with the claims of one scope."""
        known: dict[str, ClaimRecord] = {}
        by_metric: dict[str, list[ClaimRecord]] = defaultdict(list)
        worded, linked = [], []
        for claim in claims:
            known[claim["id"]] = claim
            by_metric[claim["metric"]].append(claim)
            if "direction" in claim:
                worded.append(claim)
            if "restates" in claim:
                linked.append(claim)
        # what is remembered of the registry goes along: it holds for every scope
        return replace(self, claims=known, by_metric=by_metric, worded=worded, linked=linked)

    def figure(self, claim: ClaimRecord) -> CanonicalFigure | None:
        """The figure of a claim in its canonical unit."""
        return self.deriver.canonical(claim)

    def figured(self, claims: Iterable[ClaimRecord]) -> Iterator[tuple[ClaimRecord, CanonicalFigure]]:
        """The claims that have a canonical figure, each with it."""
        for claim in claims:
            figure = self.figure(claim)
            if figure is not None:
                yield claim, figure

    def of_metrics(self, *metrics: str) -> list[ClaimRecord]:
        """The claims of some metrics."""
        return [claim for metric in metrics for claim in self.by_metric.get(metric, ())]

    def lineage(self, thing: str) -> tuple[str, ...]:
        """The thing, what it is a configuration or variant of, its family, and so on upwards."""
        found = self._lineages.get(thing)
        if found is None:
            chain: list[str] = [thing]
            # the list grows while it is walked: nearest first, and a circle
            # of curated links ends by itself
            for one in chain:
                record = self.registry.get(one, {})
                above = (record.get("of"), record.get("variant_of"), record.get("member_of"))
                chain.extend(up for up in above if up and up not in chain)
            found = self._lineages[thing] = tuple(chain)
        return found

    def published(self, thing: str, metric: str) -> Sequence[PublishedFigure]:
        """The outside figures of a thing, or of the nearest thing above it that has some."""
        key = thing, metric
        found = self._published.get(key)
        if found is None:
            figures = self.references.figures
            found = next((some for one in self.lineage(thing) if (some := figures.get((one, metric)))), ())
            self._published[key] = found
        return found

    def largest(self, thing: str, metric: str) -> PublishedFigure | None:
        """The largest of the outside figures of a thing."""
        key = thing, metric
        if key not in self._largest:
            self._largest[key] = max(self.published(thing, metric), key=lambda one: one.value, default=None)
        return self._largest[key]

    def result_unit(self, task: str | None, rounds: tuple[str, ...], scenario: str | None) -> ResultUnit | None:
        """What official results of a task are counted in; None where no rule decides."""
        key = task, rounds, scenario
        if key not in self._result_units:
            self._result_units[key] = self.references.result_unit(*key)
        return self._result_units[key]

    def root(self, thing: str) -> str:
        """The chip family of a thing, or what it is a configuration of, or itself."""
        found = self._roots.get(thing)
        if found is None:
            chain = self.lineage(thing)
            # the nearest family that is no form of another (A100, not A100 SXM): an architecture above it holds chips that
            # must not be mixed
            known = ((one, self.registry.get(one, {})) for one in chain)
            families = (one for one, of in known if of.get("kind") == "chip-family" and "variant_of" not in of)
            found = self._roots[thing] = next(families, self.registry.get(thing, {}).get("of") or thing)
        return found

    def named(self, kinds: tuple[str, ...]) -> Mapping[str, str]:
        """From the names of the things of some kinds to their ids."""
        found = self._named.get(kinds)
        if found is None:
            found = self._named[kinds] = {
                name_key(text): identifier
                # of two things with one name the last id counts in every order of loading
                for identifier, record in sorted(self.registry.items())
                if record.get("kind") in kinds
                for text in (record["label"], *record.get("aliases", ()))
            }
        return found

    def wholes(self, part: str) -> Sequence[ThingRecord]:
        """The things that hold a part, as the registry has them; all parts are looked up once."""
        # one pass over the registry for all claims: a pass for each of them would be quadratic
        if not self._wholes:
            # an entry under no name marks a registry without parts as read
            self._wholes[""] = []
            for record in self.registry.values():
                for name in dict.fromkeys(one["part"] for one in record.get("parts", ())):
                    self._wholes.setdefault(name, []).append(record)
        return self._wholes.get(part, ())

    def accelerators_in(self, thing: str) -> int:
        """How many accelerators a thing is made of, by its parts; 0 where the registry names none."""
        parts = self.registry.get(thing, {}).get("parts", ())
        return int(sum(part["count"] for part in parts if self.kind(part["part"]) == "accelerator"))

    def related(self, one: str, other: str) -> bool:
        """Whether one of two things is a kind, variant or configuration of the other."""
        return one == other or one in self.lineage(other) or other in self.lineage(one)

    def label(self, thing: str) -> str:
        """The preferred name of a thing."""
        return str(self.registry.get(thing, {}).get("label", thing))

    def kind(self, thing: str) -> str:
        """The kind of a thing; empty when the registry does not hold it."""
        return str(self.registry.get(thing, {}).get("kind", ""))


def known(claim: ClaimRecord, name: str, side: Side = "conditions") -> Any:
    """The value of a condition, or None where it is not known.

    >>> known({"conditions": {"phase": {"value": "training", "status": "inferred"}}}, "phase")
    'training'
    """
    value = (claim.get(side) or {}).get(name)
    if isinstance(value, dict):
        return None if value.get("status") in UNKNOWN else value.get("value")
    return value


def compatible(one: ClaimRecord, other: ClaimRecord, names: Iterable[str] = SCOPE) -> bool:
    """Whether no condition is known on both sides and different."""
    if "conditions" not in one or "conditions" not in other:
        return True
    return not any(_differ(known(one, name), known(other, name)) for name in names)


def _differ(a: object, b: object) -> bool:
    if a is None or b is None:
        return False
    left, right = (set(map(str, v if isinstance(v, list) else [v])) for v in (a, b))
    return left.isdisjoint(right)


_NUMBER: Final = (int, float)


def is_single(claim: ClaimRecord) -> bool:
    """Whether the claim gives one absolute number: neither a ratio, a pair, an order of magnitude, nor one that it denies."""
    quantity = claim.get("quantity")
    return (
        quantity is not None
        and claim.get("polarity") != "negated"
        and isinstance(quantity.get("value"), _NUMBER)
        and quantity.get("shape") is None
        and claim.get("relation", "absolute") == "absolute"
    )


def is_ratio(claim: ClaimRecord) -> bool:
    """Whether the claim gives metric(subject) over metric(baseline) as a number, and does not deny it."""
    if claim.get("relation") not in RATIO_RELATIONS:  # as of most claims
        return False
    return (claim.get("quantity") or {}).get("value") is not None and claim.get("polarity") != "negated"


def sort_of(claim: ClaimRecord) -> Sort:
    """The sort of a claim.

    >>> sort_of({"quantity": {"value": 2}}), sort_of({"quantity": {"value": 2}, "relation": "ratio"}), sort_of({"direction": "higher"})
    ('single', 'ratio', 'other')
    """
    if "quantity" not in claim:
        return "other"
    return "single" if is_single(claim) else "ratio" if is_ratio(claim) else "other"


def lone_ends(values: Iterable[Fraction]) -> set[Fraction]:
    """The least and the greatest of some values, each where no other equals it.

    A rule that leaves out one figure and asks whether the others agree need try no more: without any other figure both
    ends are still there. Trying each would be quadratic, and a publisher lists one thing a thousand times.

    >>> sorted(map(int, lone_ends(map(Fraction, (3, 1, 2, 3))))), sorted(map(int, lone_ends(map(Fraction, (3, 1, 2)))))
    ([1], [1, 3])
    """
    ordered = sorted(values)
    return {end for end in (ordered[0], ordered[-1]) if ordered.count(end) == 1}


_REACH: Final = 10**200
"""Figures lie between 1e-100 and 1e100 (`kg.model.exact`), their quotients within this; a double ends at 1e308."""


def is_in_reach(value: Fraction) -> bool:
    """Whether a quotient of quotients can be written down at all."""
    return abs(value) <= _REACH


CURATORS: Final = "org/accelkg-curators"
_READABLE: Final = 12
"""Beyond so many claims of one role the sentence of a finding has to do."""


def is_below(other: CanonicalFigure, figure: CanonicalFigure) -> bool:
    """Whether one figure is below another, however both are rounded."""
    return other.upper is not None and figure.lower is not None and other.upper < figure.lower


def is_gap(claim: ClaimRecord) -> bool:
    """Whether the curators remark that something is announced and not there; no claim of the author of the text."""
    return claim.get("asserted_by") == CURATORS and claim.get("direction") == "absent"


def involved(claims: Iterable[ClaimRecord], role: str) -> tuple[tuple[str, str], ...]:
    """The first claims of a role that decides no verdict: premises, examples."""
    return tuple((claim["id"], role) for claim in islice(claims, _READABLE))


def each(claims: Iterable[ClaimRecord], role: str) -> tuple[tuple[str, str], ...]:
    """All claims of a role that decides a verdict: a row of a doubtful column is doubtful in whatever place it is."""
    return tuple((claim["id"], role) for claim in claims)


def is_whole(value: object) -> TypeGuard[int | float]:
    """Whether a recorded value is a whole number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
