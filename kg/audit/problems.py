"""Findings to problems: one entry a cause, the most damaging first, for `kg audit` (`kg.answers.problems`).

A cause speaks in many findings: a wrong divisor in eight rows and in every ratio made of them, one misprint in an
arithmetic, a conflict and a plausibility finding. What is counted as damage is what rests on the accused figures, how
far off they are, and how sure it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2, log10
from typing import Final

from kg.audit.disjoint_sets import DisjointSets
from kg.audit.effects import Affected, Impact
from kg.audit.finding import EXCUSES
from kg.audit.outcome import Outcome
from kg.model.recorded import ClaimRecord

_OF_ONE_CAUSE: Final = (
    "plausibility.multi-card",
    "chronology.redated",
    "opposition.counter-example",
    "plausibility.format-unstated",
)
"""Codes that accuse several claims of a text for one reason."""
_OF_A_TEXT: Final = (
    "unit.header",
    "unit.mixed",
    "unit.undecided",
    "gap.",
    "citation.address-differs",
    "citation.cited-not-listed",
    "citation.not-found",
    "naming.",
    "ranges.set",
    "arithmetic.aggregation-ambiguous",
)
"""Codes that say something of a text or a column: what else is wrong with one of its figures is another problem."""
_OF_A_COLUMN: Final = ("unit.header", "unit.mixed", "unit.undecided")
"""Codes that put every figure of a column in doubt: what rests on any of them is to be read again."""
_REFUTING: Final = (
    "arithmetic.inconsistent",
    "arithmetic.input-refuted",
    "unit.slip",
    "identity.compute-per-power",
    "direction.contradicted",
    "direction.reverses-after-correction",
    "conflict.conflict",
    "plausibility.",
    "conflict.restated-differently",
)
"""Codes after which what rests on a figure has lost its ground; after any other it is to be read again."""
# Chosen by reading ranked lists of problems, not fitted (decision 24).
_WEIGHT: Final[Mapping[str, float]] = {
    "arithmetic.inconsistent": 10,
    "arithmetic.input-refuted": 8,
    "arithmetic.not-supported": 4,
    "arithmetic.aggregation-ambiguous": 1,
    "unit.slip": 10,
    "identity.compute-per-power": 10,
    "direction.reverses-after-correction": 10,
    "direction.contradicted": 8,
    "conflict.conflict": 9,
    "conflict.possible": 5,
    "conflict.restated-differently": 4,
    "direction.weak": 5,
    "statement": 6,
    "plausibility": 6,
    "plausibility.multi-card": 9,
    "plausibility.other-format": 9,
    "plausibility.other-subject": 10,
    "plausibility.example-size": 10,
    "identity": 4,
    "whole": 4,
    "ranges": 3,
    "chronology": 4,
    "opposition": 4,
    "gains": 4,
    "gains.above-measured": 6,
    "citation.altered": 2,
    "unit.mixed": 5,
    "unit": 3,
    "citation": 1,
    "naming": 1,
    "gap": 0.5,
    "citation.address-differs": 0.5,
}
"""How much a finding speaks against the figure itself, by code or by its first part."""
_SURE: Final = {"violation": 2.0, "warning": 1.0, "info": 0.3}
_LOST: Final[frozenset[Outcome]] = frozenset({"falls", "reverses", "weakens"})
_ORDER: Final[tuple[Outcome, ...]] = ("reverses", "falls", "weakens", "survives")
_CLOSE, _CLOSE_COUNTS = log10(1.1), 0.25
"""A figure close to the right value misleads hardly anyone: damage grows with the deviation, and counts in full from ten per cent on."""
_ASIDE: Final = 0.5
"""What a problem counts whose claims are all made in passing."""
_READ_AGAIN: Final = 0.25
"""What a dependent counts that is not lost: it has to be read again, no more."""


@dataclass(frozen=True, slots=True)
class Accusation:
    """A finding as far as a problem needs it."""

    id: str
    code: str
    severity: str
    message: str
    source: str
    claims: tuple[tuple[str, str], ...]
    """Claim ids with their roles; the first is what it is about."""
    corrected: Fraction | None = None
    unit: str | None = None
    reasons: tuple[tuple[str, str], ...] = ()
    """Code and text of each explanation, the likeliest first."""
    spread: float = 1.0
    """How many times the largest of its values is the smallest, or the printed one the corrected."""
    turned: bool = False
    """Whether the right value says the opposite of the printed one: lower for higher."""

    @property
    def claim(self) -> str:
        """What it is about."""
        return self.claims[0][0]

    @property
    def weight(self) -> float:
        """How much it speaks against a figure, and how surely."""
        by_code = _WEIGHT.get(self.code, _WEIGHT.get(self.code.partition(".")[0], 1.0))
        return by_code * _SURE.get(self.severity, 0.3) * (0.5 if self.is_excused else 1.0)

    @property
    def is_excused(self) -> bool:
        """Whether something else than the claim it is about is to blame."""
        return any(code in EXCUSES for code, _ in self.reasons)

    @property
    def cause(self) -> str | None:
        """The reason it shares with other findings of its text; None where it has one of its own."""
        if self.code == "arithmetic.inconsistent" and self.reasons and not self.is_excused:
            return f"{self.source}|{self.reasons[0][0]}"
        if _is_one_of(self.code, _OF_ONE_CAUSE) or self.is_of_a_text:
            return f"{self.source}|{self.code}"
        return None

    @property
    def is_of_a_text(self) -> bool:
        """Whether it says something of a text or a column as a whole."""
        return _is_one_of(self.code, _OF_A_TEXT)

    @property
    def is_of_a_column(self) -> bool:
        """Whether it puts every figure of a column in doubt."""
        return _is_one_of(self.code, _OF_A_COLUMN)

    @property
    def refutes(self) -> bool:
        """Whether what rests on the claim it is about has lost its ground."""
        return _is_one_of(self.code, _REFUTING) and not self.is_excused

    @property
    def is_put_right(self) -> bool:
        """Whether it is about a misprint whose right form the same text prints too, so that its readers see through it."""
        text = self.source.removeprefix("source/") + "/"
        others = [name for name, _ in self.claims[1:] if name.startswith(text)]
        is_misprint = self.code == "unit.slip" or any(code == "digits.transposed" for code, _ in self.reasons)
        return is_misprint and self.corrected is not None and bool(others)

    @property
    def names_a_culprit(self) -> bool:
        """Whether it says which figure is wrong, and not only that two do not fit."""
        return not self.code.startswith("conflict.") and not self.is_excused


def _is_one_of(code: str, codes: Iterable[str]) -> bool:
    """Whether a code is one of some codes, or begins with one that ends in a dot."""
    return any(code == one or (one.endswith(".") and code.startswith(one)) for one in codes)


@dataclass(frozen=True, slots=True)
class Problem:
    """One cause: what speaks for it, which claims it accuses, and what falls with them."""

    accusations: tuple[Accusation, ...]
    """The weightiest first."""
    claims: tuple[str, ...]
    """The claims that are accused, the one of the weightiest finding first."""
    corrected: tuple[tuple[str, Accusation], ...]
    """Accused claims with the finding that has the value to use instead."""
    affected: tuple[Affected, ...]
    """What rests on them, what is lost first."""
    damage: float

    @property
    def first(self) -> Accusation:
        """The weightiest finding."""
        return self.accusations[0]

    @property
    def severity(self) -> str:
        """The highest severity."""
        return min((one.severity for one in self.accusations), key=list(_SURE).index)

    @property
    def lost(self) -> tuple[Affected, ...]:
        """What does not survive."""
        return tuple(one for one in self.affected if one.outcome in _LOST)


@dataclass(slots=True)
class Causes:
    """Brings findings together that have one cause; `records` gives the claims."""

    records: Mapping[str, ClaimRecord]
    impact: Callable[[Mapping[str, Fraction | None]], Impact]
    """What follows from corrections; a None withdraws a claim (`kg.audit.impact.ImpactStudy.of`)."""

    def problems(self, accusations: Iterable[Accusation]) -> list[Problem]:
        """The problems of findings of any severity but info, the most damaging first.

        Ties keep the order of the ids, so that the order of the findings does not show.
        """
        found = sorted((one for one in accusations if one.severity != "info"), key=lambda one: one.id)
        problems = [self._problem(group) for group in self._by_cause(found)]
        return sorted(problems, key=lambda one: (-one.damage, one.first.id))

    def _by_cause(self, found: Sequence[Accusation]) -> Iterable[list[Accusation]]:
        """The findings that share a cause, directly or through others."""
        # a conflict names two sides and no culprit: it joins the finding
        # that says which of them is wrong
        culprits = {one.claim for one in found if one.refutes and one.names_a_culprit}
        doubted = {one.claim for one in found if one.code == "arithmetic.not-supported" and one.names_a_culprit}
        mixed = _mixed_columns(found)
        joined = DisjointSets[str]()
        for one in found:
            for key in (*self._keys(one, culprits, doubted), *_columns_of(one, mixed)):
                joined.join(f"finding|{one.id}", key)
        groups: dict[str, list[Accusation]] = {}
        for one in found:
            groups.setdefault(joined.find(f"finding|{one.id}"), []).append(one)
        return groups.values()

    def _keys(self, one: Accusation, culprits: set[str], doubted: set[str]) -> Iterable[str]:
        """What a finding shares with others of its cause."""
        if one.cause is not None:
            yield f"cause|{one.cause}"
        # by the claim it would drag every finding on a figure of the column into one problem
        if one.is_of_a_text:
            return
        yield f"claim|{self._original(one.claim)}"
        # a result falls with its inputs, and figures at odds are explained by the one that is wrong
        blamed = [f"claim|{self._original(name)}" for name, _ in one.claims[1:] if name in culprits]
        if one.code.startswith(("arithmetic.", "direction.")):
            yield from blamed if one.is_excused or not one.code.endswith(".inconsistent") else ()
        elif not one.names_a_culprit and one.claim not in culprits:
            # where several figures are at odds and more than one is wrong, each is a problem of its own
            unsupported = [f"claim|{self._original(name)}" for name, _ in one.claims if name in doubted]
            yield from blamed[:1] or (unsupported if len(unsupported) == 1 else ())

    def _original(self, name: str) -> str:
        """The claim of the same text and figure that a claim says again."""
        seen = {name}
        while (record := self.records.get(name)) is not None:
            above = record.get("same_as") or _same_figure(record, self.records) or _verbatim(record)
            if above is None or above in seen or above not in self.records:
                break
            seen.add(above)
            name = above
        return name

    def _problem(self, group: Sequence[Accusation]) -> Problem:
        # what is said of rows of a mixed column follows from the column
        ordered = tuple(
            sorted(group, key=lambda one: (one.code != "unit.mixed", -one.weight, -abs(log10(one.spread or 1)), one.id))
        )
        # figures at odds accuse nobody: the first represents them
        named = [one.claim for one in ordered if one.names_a_culprit] or [ordered[0].claim]
        accused = tuple(dict.fromkeys(named))
        corrected: dict[str, Accusation] = {}
        for one in ordered:
            if one.corrected is not None:
                corrected.setdefault(one.claim, one)
        affected = self._affected(ordered, accused, corrected)
        far = [self._decades(one) for one in ordered]
        damage = _damage(ordered, accused, affected, far) * self._reach(accused)
        return Problem(ordered, accused, tuple(corrected.items()), affected, damage)

    def _decades(self, one: Accusation) -> float:
        """How far off a figure is; of a change the change counts, since 0.9 and 0.93 are 10 and 7 per cent lower."""
        spread = abs(one.spread)
        relation = self.records[one.claim].get("relation") if one.claim in self.records else None
        if relation in ("increase", "decrease") and one.corrected not in (None, 1) and not one.turned:
            right = float(one.corrected or 0)
            spread = abs((spread * right - 1) / (right - 1))
        return abs(log10(spread)) if spread > 0 else 0.0

    def _reach(self, accused: Sequence[str]) -> float:
        """How many meet what is accused: more where several texts say it, word for word, fewer where it is said in passing."""
        records = [self.records[name] for name in accused if name in self.records]
        repeated = [found for one in records if (found := self.records.get(_verbatim(one) or "")) is not None]
        texts = len({record["source"] for record in (*records, *repeated)})
        return (1 + log2(max(texts, 1)) / 2) * (_ASIDE if records and all(map(_is_aside, records)) else 1)

    def _affected(
        self, group: Sequence[Accusation], accused: Sequence[str], corrected: Mapping[str, Accusation]
    ) -> tuple[Affected, ...]:
        """What rests on the accused figures, or on any of those that are at odds."""
        names = list(accused)
        if not any(one.names_a_culprit for one in group) or group[0].is_of_a_column:
            names = list(dict.fromkeys(name for one in group for name, _ in one.claims))
        # a claim without a right value is withdrawn: nothing may rest on it
        changes = {
            name: corrected[name].corrected if name in corrected else None for name in names if name in self.records
        }
        # a missing table or a link takes no figure away
        if not changes or group[0].code.startswith(("gap.", "citation.", "naming.")):
            return ()
        found = self.impact(changes).affected
        if not any(one.refutes and one.names_a_culprit for one in group):
            # nothing says which figure is wrong, or that one is: what rests on them is to be read again
            found = tuple(replace(one, outcome="survives") for one in found)
        return tuple(sorted(found, key=lambda one: (_ORDER.index(one.outcome), one.hop, one.claim)))


def _mixed_columns(found: Iterable[Accusation]) -> dict[str, str]:
    """From the claims of columns that hold two units to the cause of the finding that says so."""
    return {name: str(one.cause) for one in found if one.code == "unit.mixed" for name, _ in one.claims}


def _columns_of(one: Accusation, mixed: Mapping[str, str]) -> Iterable[str]:
    """The column that a finding about an order falls with: rows of two units carry none."""
    if one.code.startswith("direction."):
        yield from [f"cause|{mixed[name]}" for name, _ in one.claims[1:] if name in mixed][:1]


def _is_aside(record: ClaimRecord) -> bool:
    """Whether a claim answers no question about machines or models: secondary, or of a market that is of neither."""
    return record.get("secondary", False) or (record["kind"] == "market" and record["level"] == "other")


def _verbatim(record: ClaimRecord) -> str | None:
    """The claim of any text that a claim repeats word for word: what is wrong with one is wrong with the other."""
    links = record.get("restates") or ()
    return next(
        (link.get("claim") for link in links if link.get("fidelity") == "identical" and link.get("claim")), None
    )


def _same_figure(record: ClaimRecord, records: Mapping[str, ClaimRecord]) -> str | None:
    """The claim of the same text that a claim repeats with the same figure."""
    printed = (record.get("quantity") or {}).get("value")
    if printed is None:
        return None
    for link in record.get("restates") or ():
        other = records.get(link.get("claim") or "")
        if other is None or (other["source"], other["metric"]) != (record["source"], record["metric"]):
            continue
        if (other.get("quantity") or {}).get("value") == printed:
            return str(other["id"])
    return None


def _damage(
    group: Sequence[Accusation], accused: Sequence[str], affected: Sequence[Affected], far: Iterable[float]
) -> float:
    """How much harm a problem does: how surely, to how many figures, how far off, and what is lost with them."""
    rests = sum(1.0 if one.outcome in _LOST else _READ_AGAIN for one in affected)
    # 1 +, because a figure on which nothing rests is a problem all the same
    size = (1 + log2(1 + rests)) * (1 + log2(len(accused)) / 4)
    return group[0].weight * _agreement(group) * size * _distance(group, max(far))


def _agreement(group: Sequence[Accusation]) -> float:
    """How much surer a problem is for rules of several kinds that speak against one figure by themselves."""
    kinds: dict[str, set[str]] = {}
    for one in group:
        if one.names_a_culprit:
            kinds.setdefault(one.claim, set()).add(one.code)
    for one in group:
        # that others give another figure is a reason of its own, which does not come from the rule that names the figure
        if one.code.startswith("conflict."):
            for name in {name for name, _ in one.claims} & kinds.keys():
                kinds[name].add("conflict")
    return 1 + log2(max(map(len, kinds.values()), default=1)) / 2


def _distance(group: Sequence[Accusation], decades: float) -> float:
    """What the distance from the right value makes of a problem: a slip in the last digit is hardly one, a decade doubles it."""
    named = {one.claim for one in group if one.names_a_culprit}
    # only if all that is accused is such a misprint: one real error among them is not excused by it
    if named and named == {one.claim for one in group if one.is_put_right}:
        return _CLOSE_COUNTS
    if any(one.turned for one in group):
        decades += 1  # who says cheaper of what is dearer misleads more than who gets the amount wrong
    elif 0 < decades < _CLOSE:
        return _CLOSE_COUNTS + (1 - _CLOSE_COUNTS) * decades / _CLOSE
    return 1 + min(2.0, decades)
