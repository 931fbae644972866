"""How a figure may have been misprinted: by a factor of a thousand, a percentage that is meant as a factor, or more for less."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from kg.answers.checked_figures import Ranked, TextFigure
from kg.answers.figure_match import SURE, is_named_for_certain
from kg.answers.telling_digits import significant_digits
from kg.model.printed import PrintedNumber

_POWERS: Final = (3, -3, 6, -6)
"""The powers of ten between neighbouring prefixes and words of scale: MB and GB, million and billion."""
_FACTORS: Final = {power: Fraction(10) ** power for power in _POWERS}
_OPPOSITE: Final[Mapping[str, str]] = {
    "increase": "decrease",
    "decrease": "increase",
    "ratio": "times-less",
    "times-less": "ratio",
}
"""Relations that are printed with one figure and say the opposite: 36% more, and 36% less."""
_LEAST_DIGITS: Final = 2
"""Significant digits from which the digits of another value are hardly the same by chance."""
_LIKELY: Final = 0.5
"""The confidence of a metric from which what a figure is of is clear enough to call it a slip."""
_OF_A_SHEET: Final[Mapping[str, str]] = {
    "data-size": "memory-capacity",
    "data-rate": "memory-bandwidth",
    "power": "power",
    "compute": "peak-compute",
}
"""What a data sheet gives in units of each kind: "192 GB and 5.3 GB/s" of a chip are its memory and the bandwidth of it."""


def read_by_unit(figure: TextFigure, kind: str | None) -> TextFigure:
    """A figure whose metric the text leaves open, read as what a data sheet gives in its unit; any other as it is."""
    metric = _OF_A_SHEET.get(kind or "")
    if figure.relation != "absolute" or figure.is_partial or figure.per is not None or not figure.metrics:
        return figure
    first = figure.metrics[0]
    # words that name another metric count for more than the unit
    is_open = first.value == metric or (
        first.confidence < _LIKELY and any(one.value == metric for one in figure.metrics)
    )
    if metric is None or not is_open or first.confidence >= SURE:
        return figure
    return replace(figure, metrics=(Ranked(metric, SURE), *(one for one in figure.metrics if one.value != metric)))


@dataclass(frozen=True, slots=True)
class Slip:
    """A figure as it would be without one slip, and how the print differs from it, in words."""

    figure: TextFigure
    words: str


def slips(figure: TextFigure) -> Iterator[Slip]:
    """The slips that a figure may be printed with, where its subject and metric are named."""
    number = figure.number
    if number is None or isinstance(number.value, tuple) or not _is_told_enough(figure):
        return
    if figure.relation == "increase" and figure.unit == "%" and number.value > 100:
        # only above 100 % is a percentage the print of a factor: 60% for 0.6x nobody writes as a gain
        words = f"{figure.printed} more is {float(number.value) / 100 + 1:.3g}x, not {float(number.value) / 100:.3g}x"
        yield Slip(replace(figure, relation="ratio"), words)
    if (opposite := _OPPOSITE.get(figure.relation)) is not None:
        yield Slip(replace(figure, relation=opposite), "the other way round")
    is_amount = figure.relation == "absolute" and figure.unit is not None and not figure.is_partial
    if is_amount and figure.metrics[0].confidence >= _LIKELY:
        yield from (Slip(replace(figure, number=_scaled(number, power)), _times(power)) for power in _POWERS)


def _is_told_enough(figure: TextFigure) -> bool:
    """Whether subject and metric are named, by words or by digits that tell, and the figure is not denied."""
    if figure.is_denied or not figure.metrics or not figure.subjects or figure.subjects[0].confidence < SURE:
        return False
    return is_named_for_certain(figure) or significant_digits(figure.printed) >= _LEAST_DIGITS


def _times(power: int) -> str:
    """How often the print goes into the figure without the slip, or that into the print."""
    return f"{10**power:,} times less than" if power > 0 else f"{10**-power:,} times"


def _scaled(number: PrintedNumber, power: int) -> PrintedNumber:
    """A printed number times a power of ten, bounds included."""
    factor = _FACTORS[power]
    given = ((name, getattr(number, name)) for name in ("value", "lower", "upper", "wide_lower", "wide_upper", "place"))
    return replace(number, **{name: value * factor for name, value in given if value is not None})
