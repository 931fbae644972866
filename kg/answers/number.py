"""An asked number: how it reads, in which buckets it lies, and how well a printed figure fits it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import isclose
from typing import Final, Literal

from kg.errors import KgError
from kg.model.amount import UnreadableNumber
from kg.model.buckets import near_buckets, print_key
from kg.model.printed import read_printed
from kg.model.stated_amounts import with_decimal_point
from kg.model.units import UnitTable

TOLERANCE: Final = 0.005
"""How far a value may lie from the asked one, relative to it."""
_ROUNDING: Final = 1e-9
# meets the end of "2.5x faster than H100" and "72 % of peak"; not "more than 2", where it stands
# before
_BEHIND: Final = re.compile(
    r"(?<=\d|x|%|s)\s+(?:faster|slower|higher|lower|better|worse|cheaper|more|less|fewer|larger|smaller|bigger|greater|longer|shorter"
    r"|than)\b.*$|(?<=[\w%])\s+of\b.*$"
)
"""What a quote says behind a figure of which way it is, of what, or against what."""

# meets "54.2 cents"; not "2 x 8", which has a second number
_CUT_UNIT: Final = re.compile(r"(?P<digits>\d[\d.,]*)\s*(?P<words>[^\W\d]+(?: [^\W\d]+)*)")

# meets "72 GPUs" as 72 and "GPU"; not "GPUs", which has no number before it
_COUNTED: Final = re.compile(r"(?P<number>.*\S)\s+(?P<thing>[A-Za-z][A-Za-z-]*?)s?")

MatchKind = Literal["exact", "same-value", "near"]
_RANK: Final[dict[MatchKind, int]] = {"exact": 0, "same-value": 1, "near": 2}


@dataclass(frozen=True, slots=True)
class AskedNumber:
    """What the asked text says: one value or the two ends of a range, in its unit and in the canonical one."""

    text: str
    values: tuple[float, ...]
    """Empty where the text is a print that reads as no number."""
    unit: str | None
    quantity_kind: str | None
    canonical_values: tuple[float, ...]
    canonical_unit: str | None

    def buckets(self) -> tuple[str, ...]:
        """Where to look: the print, the figure as it is, and its canonical value where a unit is given."""
        raw = [f"raw:{one}" for value in self.values for one in near_buckets(value)]
        kind = self.quantity_kind
        same = [f"{kind}:{one}" for value in self.canonical_values for one in near_buckets(value)] if kind else []
        return tuple(dict.fromkeys([f"print:{print_key(self.text)}", *raw, *same]))

    def is_print(self, printed: str | None) -> bool:
        """Whether this is what is printed, letter by letter."""
        return printed is not None and print_key(printed) == print_key(self.text)


@dataclass(frozen=True, slots=True)
class Match:
    """How a printed figure fits: the same figure, the same value in another unit, or within the tolerance."""

    kind: MatchKind
    value: float
    difference: float
    """Relative to the asked value."""
    is_print: bool = False
    """Whether it is printed just as it is asked for."""

    @property
    def rank(self) -> tuple[bool, int, float]:
        """Best first: the very print, then the same figure, then the same value."""
        return not self.is_print, _RANK[self.kind], abs(self.difference)


def read_asked(text: str, units: UnitTable) -> AskedNumber:
    """Read "72428", "72,428", "1,960 TFLOPS", "2.5x", "4.8 TB/s", "$3.1M", "57%", and quotes of one ("2.5x faster");
    what reads in no other way with a decimal comma or spaces between thousands: "4,8 TB/s", "1 200 W".

    Raises the error of the model when the text is no number.
    """
    text = _BEHIND.sub("", text.strip())
    try:
        number = read_printed(text, table=units)
    except UnreadableNumber:
        pointed = with_decimal_point(text)
        if pointed == text:
            raise
        number = read_printed(pointed, table=units)
    values = number.value if isinstance(number.value, tuple) else (number.value,)
    kind = canonical_unit = None
    canonical: tuple[float, ...] = ()
    if number.unit is not None:
        unit = units.canonical(number.unit)
        kind, canonical_unit = units.kind(number.unit), unit.id
        canonical = tuple(float(units.to_canonical(one, number.unit)) for one in values)
    return AskedNumber(text, tuple(float(one) for one in values), number.unit, kind, canonical, canonical_unit)


def as_printed(text: str) -> AskedNumber:
    """An asked text that reads as no number: only what prints it is found."""
    return AskedNumber(text.strip(), (), None, None, (), None)


def with_cut_unit(text: str, units: UnitTable) -> tuple[AskedNumber, frozenset[str]] | None:
    """A number behind which a unit is cut off ("54.2 cents" of "cents per million tokens"), and the units that it may be.

    The reading has no canonical value, so that no claim states it. None where the words begin no unit.
    """
    found = _CUT_UNIT.fullmatch(text.strip())
    if found is None:
        return None
    whole = units_begun_by(found["words"], units)
    if not whole:
        return None
    return replace(read_asked(found["digits"], units), text=text.strip(), unit=found["words"]), whole


def units_begun_by(words: str, units: UnitTable) -> frozenset[str]:
    """The units that go on where some words end: "cents per million tokens" after "cents", "J/token" after "J"."""
    begun = (f"{words} ".casefold(), f"{words}/".casefold())
    names = ((one.id, name) for one in units.units for name in (one.id, *one.names))
    return frozenset(identifier for identifier, name in names if name.casefold().startswith(begun))


def as_count(text: str, units: UnitTable) -> AskedNumber | None:
    """A number of things ("72 GPUs", "32 experts"); None where no number is before the word.

    Counts of different things do not convert, so that there is no canonical value.
    """
    found = _COUNTED.fullmatch(text.strip())
    if found is None or not is_number(found["number"], units):
        return None
    number = read_asked(found["number"], units)
    return (
        None if number.unit is not None else replace(number, text=text.strip(), unit=f"count:{found['thing'].lower()}")
    )


def is_number(text: str, units: UnitTable) -> bool:
    """Whether a text reads as a number."""
    try:
        read_asked(text, units)
    except KgError:
        return False
    return True


def match_figure(
    asked: AskedNumber, *, value: float, unit: str | None, canonical_value: float | None, quantity_kind: str | None
) -> Match | None:
    """How well a figure fits the asked number; None when it does not, or is of another kind."""
    # without a unit in the question every unit fits: who types "72,428" means its digits
    if asked.unit is None or asked.unit == unit:
        for one in asked.values:
            if (difference := _difference(value, one)) is not None:
                return Match("exact" if _is_same(value, one) else "near", value, difference)
    if canonical_value is not None and quantity_kind is not None and quantity_kind == asked.quantity_kind:
        for one in asked.canonical_values:
            if (difference := _difference(canonical_value, one)) is not None:
                return Match("same-value" if _is_same(canonical_value, one) else "near", canonical_value, difference)
    return None


def digits_differ(asked: AskedNumber, value: float) -> float | None:
    """How far the digits lie from the asked ones, regardless of the unit: 0 where they are the same; None beyond the tolerance."""
    found = [abs(one) for asked_value in asked.values if (one := _difference(value, asked_value)) is not None]
    return min((0.0 if one <= _ROUNDING else one for one in found), default=None)


def _is_same(found: float, asked: float) -> bool:
    """Whether a value is the asked one, or shown as it: computed figures are shown with six digits.

    >>> _is_same(4023.7777777777, 4023.78), _is_same(72428.0, 72428.01)
    (True, False)
    """
    return any(isclose(one, asked, rel_tol=_ROUNDING) for one in (found, float(f"{found:.6g}")))


def _difference(found: float, asked: float) -> float | None:
    if asked == 0:
        return 0.0 if found == 0 else None
    difference = (found - asked) / abs(asked)
    return difference if abs(difference) <= TOLERANCE * (1 + _ROUNDING) else None
