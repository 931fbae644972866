"""A number of a derivation in canonical units, with what its print leaves open; made by `kg.audit.recompute` from a claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from kg.model.interval import Interval
from kg.model.printed import PrintedNumber, Relation
from kg.model.units import COUNT, COUNT_PREFIX, UnitTable

_ONE = Interval.exactly(1)


@dataclass(frozen=True, slots=True)
class ExplainedQuantity:
    """A number that takes part in a derivation, in canonical units; comparisons as metric(subject) / metric(baseline).

    ``is_mean`` marks averages. A count next to averages is one too, even if it prints as a whole number.
    """

    label: str
    value: Fraction | None
    lower: Fraction | None
    upper: Fraction | None
    wide_lower: Fraction | None = None
    wide_upper: Fraction | None = None
    exact: bool = False
    is_mean: bool = False
    unit: str | None = None
    relation: Relation = "absolute"
    printed: PrintedNumber | None = None
    interval: Interval = field(init=False, repr=False, compare=False)
    """All values the figure may mean, read tightly; made once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "interval", Interval(self.lower, self.upper))

    @classmethod
    def constant(cls, label: str, value: Fraction | int, unit: str | None = None) -> ExplainedQuantity:
        """An exact number: a count of things, a defined constant, a conversion factor."""
        exact = Fraction(value)
        return cls(label, exact, exact, exact, exact, exact, exact=True, unit=unit)

    @classmethod
    def from_printed(
        cls,
        label: str,
        number: PrintedNumber,
        *,
        table: UnitTable,
        relation: Relation = "absolute",
        is_mean: bool = False,
    ) -> ExplainedQuantity:
        """The canonical reading of a printed number."""
        ratio = relation in ("ratio", "increase", "decrease", "times-less", "share-of")
        reading = number.canonical_ratio(relation) if ratio else number.canonical(table)
        value = None if isinstance(reading.value, tuple) else reading.value
        counted = number.unit if number.unit and number.unit.startswith(COUNT_PREFIX) else reading.unit
        bounds = (reading.lower, reading.upper, reading.wide_lower, reading.wide_upper)
        return cls(label, value, *bounds, number.exact, is_mean, counted, relation, number)

    @property
    def is_count(self) -> bool:
        """Whether it counts things."""
        return self.unit is not None and (self.unit == COUNT or self.unit.startswith(COUNT_PREFIX))

    def as_printed(self, interval: Interval) -> Interval:
        """What canonical values look like in the form this quantity is printed in ("57" for 1.57 as an increase)."""
        times = 100 if self.printed and self.printed.unit in ("%", "pp") else 1
        match self.relation:
            case "ratio" | "share-of":
                shown = interval
            case "increase":
                shown = interval - _ONE
            case "decrease":
                shown = _ONE - interval
            case "times-less":
                return _ONE / (interval if times == 1 else interval.scaled(Fraction(1, times)))
            case _:
                factor = self.factor
                return interval if factor == 1 else interval.scaled(1 / factor)
        return shown if times == 1 else shown.scaled(times)

    @property
    def factor(self) -> Fraction:
        """What a printed absolute number is multiplied with to be in the canonical unit."""
        if self.printed is None or self.value is None or isinstance(self.printed.value, tuple):
            return Fraction(1)
        if self.value == self.printed.value or not self.printed.value:
            return Fraction(1)
        return self.value / self.printed.value

    @property
    def place(self) -> Fraction:
        """What one unit of the last digit is worth in the printed form, the scale included."""
        if self.printed is not None:
            return self.printed.place or Fraction(0)
        # an exact number has no last digit: the step of its denominator takes the place of one
        return self.interval.width or Fraction(1, 1 if self.value is None else self.value.denominator)
