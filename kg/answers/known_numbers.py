"""Published values of things, and how a figure that nobody states compares with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from kg.answers.asking import Asker, Row, said, text
from kg.answers.checked_figures import CheckedFigure, KnownValue, TextFigure
from kg.answers.claim import bare
from kg.errors import KgError
from kg.model.condition_line import stated_conditions
from kg.model.counting import counted
from kg.model.printed import read_printed
from kg.model.units import UnitTable
from kg.model.verdict import Verdict, read_verdict
from kg.reading.known_names import NEW

CanonicalBounds = tuple[Fraction, Fraction, Fraction]
"""Lower bound, value, upper bound, in the canonical unit."""
ONE_VALUE: Final = frozenset(
    {"memory-capacity", "memory-bandwidth", "memory-bus-width", "power", "transistors", "die-area", "cores"}
)
"""Metrics that are printed for a chip in one way, so that any other value is out of line."""
_OUT_OF_LINE: Final = 1.25
"""How far above the highest published value, or below the lowest, a figure has to lie that is printed in several ways."""
_SPARSE: Final = 2.1
"""The same for peak compute, which is printed with and without sparsity."""
_TOGETHER: Final = (8, 72, 4, 16, 32, 36, 64)
"""How many devices a system has, those of most systems first."""
_NAMED: Final = 3
"""How many variants of a chip are named that have other values."""
_ROUNDED: Final = 0.01
"""By how much such a sum may be rounded."""
_LOOSE_UNIT: Final = 0.1
"""By how much a binary prefix differs from a decimal one, at most."""


@dataclass(frozen=True, slots=True)
class KnownNumber:
    """A published value of a thing, in canonical units."""

    known: KnownValue
    label: str
    metric: str
    value: float
    lower: float
    upper: float
    number: Fraction | None
    """What was printed, in the unit that it was printed in."""
    kind: str
    conditions: Mapping[str, str]


@dataclass(slots=True)
class PublishedNumbers:
    """The published values of each thing; a thing is asked about once."""

    asker: Asker
    units: UnitTable
    _specifications: dict[str, list[KnownNumber]] = field(default_factory=dict)

    def of(self, subject: str) -> list[KnownNumber]:
        """All that is published of one thing, read once."""
        # a name that nobody knows has no claims
        if subject.startswith(NEW):  # a name that nobody knows has no claims
            return []
        if subject not in self._specifications:
            rows = self.asker.rows("specifications/of-thing", thing=subject)
            self._specifications[subject] = [one for row in rows if (one := self._number(row)) is not None]
        return self._specifications[subject]

    def _number(self, row: Row) -> KnownNumber | None:
        value, unit = row.get("canonical_value"), bare(said(row, "unit"))
        metric = bare(said(row, "metric"))
        if value is None or unit is None or metric is None:
            return None
        try:
            kind = self.units.kind(unit)
        except KgError:
            return None
        label = said(row, "subject_label") or text(row, "subject")
        printed = said(row, "printed") or ""
        shown = printed if any(sign.isalpha() for sign in printed) or unit == "1" else f"{printed} {unit}"
        known = KnownValue(
            text(row, "claim"),
            label,
            metric,
            shown,
            read_verdict(said(row, "verdict")),
            said(row, "verdict_reason") or "",
            text(row, "source"),
            said(row, "value_to_use"),
        )
        number, (lower, upper) = self._printed(printed, unit, float(value))
        return KnownNumber(
            known, label, metric, float(value), lower, upper, number, kind, stated_conditions(said(row, "conditions"))
        )

    def _printed(self, printed: str, unit: str, value: float) -> tuple[Fraction | None, tuple[float, float]]:
        """The number that a claim prints, and the canonical bounds of what it prints; its value alone where that is no number."""
        try:
            # read anew: a row of the question has the value, not the bounds that its print allows
            number = read_printed(printed, unit=unit, table=self.units)
            bounds = number.canonical(self.units)
        except KgError:
            return None, (value, value)
        if isinstance(number.value, tuple) or isinstance(bounds.value, tuple):
            return None, (value, value)
        lower, upper = bounds.lower or bounds.value, bounds.upper or bounds.value
        # bounds without the recorded value come of another reading of the print than that of the claim
        return number.value, (float(lower), float(upper)) if lower <= value <= upper else (value, value)


def is_out_of_line(figure: TextFigure, canonical: CanonicalBounds, published: Sequence[KnownNumber]) -> bool:
    """Whether a value is none of those that are published of the same metric, or far from all where it has several."""
    values = [one.value for one in published]
    # a peak with sparsity is twice the one without, which is no error
    margin = _SPARSE if figure.metrics[0].value == "peak-compute" else _OUT_OF_LINE
    if figure.is_used or figure.is_mean:
        # what was used or measured may be any part of it, and never more
        return bool(values) and float(canonical[0]) > max(values) * margin
    if figure.metrics[0].value in ONE_VALUE:
        return bool(published) and not any(_is_known(figure, canonical, one) for one in published)
    return bool(values) and not min(values) / margin <= float(canonical[1]) <= max(values) * margin


def _is_known(figure: TextFigure, canonical: CanonicalBounds, known: KnownNumber) -> bool:
    """Whether a published value is within what is printed here, or this within what was printed there.

    The same number with a unit of nearly the same size (80 GiB for 80 GB) is the same value, loosely written.
    """
    lower, value, upper = map(float, canonical)
    off = 1e-9 * abs(known.value)
    if lower - off <= known.value <= upper + off or known.lower - off <= value <= known.upper + off:
        return True
    is_near = abs(value - known.value) < _LOOSE_UNIT * abs(known.value)
    return is_near and figure.number is not None and figure.number.value == known.number


def range_of(values: Sequence[KnownNumber]) -> str:
    """The lowest and the highest as they are printed; one print where they are equal."""
    low, high = min(values, key=lambda one: one.value), max(values, key=lambda one: one.value)
    if low.value == high.value:
        return low.known.printed
    return f"{low.known.printed} to {high.known.printed}"


def short_name(value: str) -> str:
    """What an id ends with, in small letters, as a text may name it."""
    return value.rpartition("/")[2].lower()


def _times_as_many(value: float, usable: Sequence[KnownNumber]) -> str | None:
    """Of how many devices together a value may be the sum, with sparsity where a peak is twice as much."""
    largest = max(usable, key=lambda one: one.value)
    is_peak = largest.metric == "peak-compute"
    for times, under in ((1, ""), (2, " with sparsity")) if is_peak else ((1, ""),):
        for devices in _TOGETHER:
            if abs(value - devices * times * largest.value) <= _ROUNDED * value:
                return f"{devices} of them have it together{under}"
    return None


def far_from_known(
    figure: TextFigure, line: int, canonical: CanonicalBounds | None, usable: Sequence[KnownNumber]
) -> CheckedFigure:
    """A figure that is far from all that is published of its thing; who denies what no source gives is right."""
    claims = counted(len({one.known.claim for one in usable}), "claim")
    things = " or ".join(sorted({one.label for one in usable})[:_NAMED])
    verdict: Verdict = "unverified" if figure.is_denied else "caution"
    reason = (
        f"{'the sentence denies it' if figure.is_denied else 'out of line'}: no source gives this for {things}; "
        f"{range_of(usable)} is known ({claims})"
    )
    if canonical is not None and (together := _times_as_many(float(canonical[1]), usable)) is not None:
        reason += f"; {together}"
    return CheckedFigure(figure, line, verdict, reason, None, (), tuple(one.known for one in usable[:3]))
