"""Which published results of one accelerator may be its best.

A round is printed more than once: the page of a round rounds to two decimals what its summary gives with six digits. So a
best result is chosen in two stages: of the prints of one run the most exact, and of the runs the best.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Final

from kg.audit.comparability import ComparableResult

_ENTRY_ID: Final = re.compile(r"v?\d+\.\d+-\d+")
_NO_LETTER: Final = re.compile(r"\W+")
_PRUNED_AT: Final = 64
"""Results are looked through first when there are this many, then whenever they have doubled: for each new one it would be
quadratic in the entries of a round."""


@dataclass(frozen=True)
class Kept:
    """One result of an accelerator."""

    claim: str
    source: str
    accelerator: str
    value: Fraction
    accelerators: int
    unit: str
    model: str
    submitter: str
    entry: str
    system: str
    result: ComparableResult

    @property
    def total(self) -> Fraction:
        """The result of the whole system."""
        return self.value * self.accelerators

    @property
    def has_entry_id(self) -> bool:
        """Whether its entry has the id that MLCommons gave it, by which a result is to be quoted."""
        return _ENTRY_ID.fullmatch(self.entry) is not None

    @property
    def run(self) -> tuple[str, str, int, Fraction]:
        """What identifies a run in every list that has it."""
        return self.accelerator, self.submitter, self.accelerators, self.value

    @cached_property
    def decimals(self) -> int:
        """Decimals of the result of the whole system; what is computed per accelerator has no print of its own."""
        # twelve digits: a value over 72 and times 72 again is the printed one only up to the precision of a float
        exponent = Decimal(f"{float(self.total):.12g}").normalize().as_tuple().exponent
        return max(0, -int(exponent))

    @cached_property
    def system_words(self) -> str:
        """The name of the system without commas and spaces, which the files of a round set differently."""
        return _NO_LETTER.sub("", self.system.casefold())

    def rounds(self, other: "Kept") -> bool:
        """Whether it is a less exact print of the same run. Its id is left aside: two files of v5.1 give three ids in
        different order."""
        return (
            self.decimals < other.decimals
            and self.source != other.source
            and (self.accelerators, self.submitter, self.model) == (other.accelerators, other.submitter, other.model)
            and self.system_words == other.system_words
            and abs(self.total - other.total) <= Fraction(1, 2 * 10**self.decimals)
        )


class Contenders:
    """The results of one accelerator in one cell, in any order; those that cannot be the best are forgotten."""

    def __init__(self) -> None:
        self._results: list[Kept] = []
        self._limit = _PRUNED_AT

    def add(self, one: Kept) -> None:
        """Take one result."""
        self._results.append(one)
        if len(self._results) > self._limit:
            # each kind of run by itself: a run with power may exceed all those without, and is not preferred to them
            self._results = [one for power in (False, True) for one in _pruned(self._of_kind(power))]
            self._limit = max(_PRUNED_AT, 2 * len(self._results))

    def best(self) -> Kept:
        """The best per accelerator, measured with power only where no other run is there; of equals that of the larger system, then
        the one that has the id of its entry."""
        return _first(self._results)

    def best_of_largest(self) -> Kept:
        """The best in the system with most accelerators."""
        return _first(self._of_largest())

    def _of_kind(self, power: bool) -> list[Kept]:
        return [one for one in self._results if bool(one.result.power) is power]

    def _of_largest(self) -> list[Kept]:
        return _largest(self._results)


def _largest(results: list[Kept]) -> list[Kept]:
    most = max(one.accelerators for one in results)
    return [one for one in results if one.accelerators == most]


def _pruned(results: list[Kept]) -> list[Kept]:
    """Those that may be the best, or the best of the largest system."""
    if not results:
        return []
    largest = _largest(results)
    floor, floor_of_largest = _floor(results), _floor(largest)
    most = largest[0].accelerators
    return [
        one for one in results if _reach(one) >= (min(floor, floor_of_largest) if one.accelerators == most else floor)
    ]


def _reach(one: Kept) -> Fraction:
    """A value that no other print of the run exceeds, with room: rounding moves the total by a half at most."""
    return one.value + Fraction(1, one.accelerators)


def _floor(results: list[Kept]) -> Fraction:
    """What the best reaches at least, whichever prints of a run are among the results."""
    return max(one.value - Fraction(1, one.accelerators) for one in results)


def _first(results: list[Kept]) -> Kept:
    def rank(one: Kept) -> tuple[bool, Fraction, int, bool, str]:
        # rows compare the best of one accelerator with that of another, and a run with power with no other kind
        return bool(one.result.power), -one.value, -one.accelerators, not one.has_entry_id, one.claim

    exact = sorted(results, key=rank)
    return next(one for one in exact if not any(one.rounds(other) for other in results))
