"""The claims whose value is that of a figure: looked up by buckets, then held against what either prints.

Whether they are of the same thing and metric is another question (`kg.answers.claim_match`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from kg.answers.asking import Asker, Row, text
from kg.answers.checked_figures import TextFigure
from kg.answers.claim import ClaimCard, bare, read_cards
from kg.answers.figure_match import (
    is_same_print,
    same_value,
    values_meet,
    values_of_number,
)
from kg.answers.known_numbers import CanonicalBounds
from kg.answers.telling_digits import is_telling
from kg.errors import KgError
from kg.model.buckets import bucket, near_buckets, print_key
from kg.model.printed import PrintedNumber
from kg.model.units import Unit, UnitTable
from kg.model.vocabulary import RATIO_RELATIONS

_AT_ONCE: Final = 400
MIXED_UP: Final = frozenset({"result-rate", "token-rate", "sample-rate", "query-rate"})
"""Kinds of quantity that reports of benchmarks take for one another: a telling figure of one may be that of another."""
_OF_COMPARISONS: Final = frozenset({"ratio", "utilisation"})


_Canonical = tuple[str | None, CanonicalBounds | None]


@dataclass(slots=True)
class NearClaims:
    """Finds the claims near figures, by the questions of a graph; what was looked up for one figure is kept for the next."""

    asker: Asker
    units: UnitTable
    _claims_in: dict[str, list[str]] = field(default_factory=dict)
    """The claims that lie in each bucket that was asked for."""
    _cards: dict[str, ClaimCard] = field(default_factory=dict)
    _canonical: dict[tuple[int, str | None, str], tuple[PrintedNumber | None, _Canonical]] = field(default_factory=dict)
    """By the identity of a number, which is kept with them: hashing its fractions takes as long as working it out."""

    def of(self, figures: Sequence[TextFigure]) -> dict[int, list[ClaimCard]]:
        """The claims whose value lies near that of a figure, by the place of the figure in the list."""
        wanted: dict[str, set[int]] = {}
        for at, figure in enumerate(figures):
            for name in self._buckets(figure):
                wanted.setdefault(name, set()).add(at)
        self._look_up([name for name in wanted if name not in self._claims_in])
        possible: dict[str, set[int]] = {}
        for name, places in wanted.items():
            for claim in self._claims_in[name]:
                possible.setdefault(claim, set()).update(places)
        self._read([name for name in possible if name not in self._cards])
        # a bucket is wider than what is printed: each claim is held against each figure again
        found: dict[int, list[ClaimCard]] = {}
        for name in sorted(possible):
            for at in sorted(possible[name]) if name in self._cards else ():
                if self._fits(figures[at], self._cards[name]):
                    found.setdefault(at, []).append(self._cards[name])
        return found

    def _look_up(self, buckets: Sequence[str]) -> None:
        """Find the claims of buckets that were not asked for yet."""
        names = sorted(buckets)
        self._claims_in.update({name: [] for name in names})
        for start in range(0, len(names), _AT_ONCE):
            asked = names[start : start + _AT_ONCE]
            for row in self.asker.rows("trace/number", bucket=tuple(asked)):
                for name in set(_buckets_of(row)).intersection(asked):
                    self._claims_in[name].append(text(row, "claim"))

    def _read(self, claims: Sequence[str]) -> None:
        """Read the cards of claims that were not met yet."""
        names = sorted(claims)
        for start in range(0, len(names), _AT_ONCE):
            self._cards.update(read_cards(self.asker, names[start : start + _AT_ONCE]))

    def _buckets(self, figure: TextFigure) -> list[str]:
        # by print and by bare value too: a claim whose unit is unknown has no canonical value to be found by
        found = [f"print:{print_key(figure.printed)}"]
        for value in values_of_number(figure.number):
            found += [f"raw:{one}" for one in near_buckets(float(value))]
        kind, canonical = self.canonical(figure)
        if kind is not None and canonical is not None:
            kinds = sorted(_OF_COMPARISONS) if figure.relation in RATIO_RELATIONS else [kind]
            found += [f"{name}:{one}" for name in kinds for one in near_buckets(float(canonical[1]))]
        return found

    def canonical(self, figure: TextFigure) -> _Canonical:
        """The kind of quantity, and lower bound, value and upper bound in its canonical unit; no bounds without one value."""
        # a figure is held against many claims
        key = id(figure.number), figure.unit, figure.relation
        if key not in self._canonical:
            self._canonical[key] = figure.number, self._worked_out(figure)
        return self._canonical[key][1]

    def _worked_out(self, figure: TextFigure) -> _Canonical:
        number = figure.number
        if number is None or isinstance(number.value, tuple) or figure.unit is None:
            return None, None
        try:
            kind = self.units.kind(figure.unit)
            if figure.relation in RATIO_RELATIONS:
                read = number.canonical_ratio(figure.relation)  # type: ignore[arg-type]
            else:
                read = number.canonical(self.units)
        except KgError:
            return None, None
        if isinstance(read.value, tuple):
            return kind, None
        return kind, (read.lower or read.value, read.value, read.upper or read.value)

    def _fits(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim has the value of a figure within what either prints, in the same kind of quantity."""
        compares, known = figure.relation in RATIO_RELATIONS, card.figure
        if compares != (card.relation in RATIO_RELATIONS) or self._is_another_kind(figure, card):
            return False
        in_any_unit = not compares and is_telling(figure.printed)
        if in_any_unit and same_value(figure, card) and self._may_be_its_unit(figure, card):
            return True  # a unit that was printed wrongly once is put right by the next who writes it down
        if (is_same := _how_held(figure.number)) is not None:
            return is_same(figure, card) and figure.unit == bare(known.unit)
        kind, canonical = self.canonical(figure)
        if canonical is None or known.canonical_value is None or known.quantity_kind is None:
            return None in (figure.unit, known.canonical_value) and same_value(figure, card)
        return (compares or kind == known.quantity_kind) and values_meet(canonical, known)

    def _units(self, figure: TextFigure, card: ClaimCard) -> tuple[Unit | None, Unit | None]:
        """The units of a figure and of a claim; None for one that has none, or none that is known."""
        return self.units.find(figure.unit or ""), self.units.find(bare(card.figure.unit) or "")

    def _may_be_its_unit(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether the unit of a figure may be that of a claim: not another prefix of one that nothing makes doubtful."""
        mine, other = self._units(figure, card)
        is_prefix = mine is not None and other is not None and mine.kind == other.kind and mine.id != other.id
        return not is_prefix or card.verdict in ("wrong", "disputed", "caution")

    def _is_another_kind(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim is of another kind of quantity than the unit of a figure, as far as both have a unit."""
        mine, other = self._units(figure, card)
        if mine is None or other is None or mine.kind == other.kind:
            return False
        if figure.relation in RATIO_RELATIONS:
            return not {mine.kind, other.kind} <= _OF_COMPARISONS  # "+76%" and "1.76x" say the same
        return not {mine.kind, other.kind} <= MIXED_UP


def _how_held(number: PrintedNumber | None) -> Callable[[TextFigure, ClaimCard], bool] | None:
    """How a number without one exact value ("dozens", a span) is held against a claim; None for any other."""
    if number is not None and number.shape == "magnitude":
        return is_same_print
    return same_value if number is not None and isinstance(number.value, tuple) else None


def _buckets_of(row: Row) -> Iterator[str]:
    """The buckets that a claim lies in, as `trace/number` gives it."""
    if row["printed"] is not None:
        yield f"print:{print_key(str(row['printed']))}"
    if row["value"] is not None:
        yield f"raw:{bucket(float(row['value']))}"
    if row["canonical_value"] is not None and row["quantity_kind"] is not None:
        yield f"{row['quantity_kind']}:{bucket(float(row['canonical_value']))}"
