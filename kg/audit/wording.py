"""How a computed figure is worded: in the form and unit that the claim next to it prints, with the digits a reader needs."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from kg.model.units import Unit, UnitTable

_SCALES: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12, "million": 10**6, "billion": 10**9}
_SCALED = re.compile(r"(\$?)\s*[\d.,]+([- ]?)(million|billion|[kKMBT])\b.*")
_PREFIX = re.compile(r"^(?:[kMGTPE](?=[A-Z]))?")
_READABLE: Final = (Fraction(1), Fraction(10_000))
"""Between these a figure needs no other prefix."""


def text_of(value: Fraction) -> str:
    """A figure to four significant digits.

    >>> text_of(Fraction(20_000_000_000_000_000)), text_of(Fraction(289712, 72)), text_of(Fraction(1, 3))
    ('2e+16', '4,024', '0.3333')
    """
    number = float(value)
    return f"{number:,.4g}" if abs(number) < 1000 or abs(number) >= 1e9 else f"{number:,.0f}"


def significant(value: Fraction, digits: int = 6) -> str:
    """A computed value to six significant digits, without an exponent where it can be helped.

    >>> significant(Fraction(289712, 72)), significant(Fraction(1, 3)), significant(Fraction(29250000))
    ('4,023.78', '0.333333', '29,250,000')
    """
    number = float(value)
    if number == 0:
        return "0"
    whole = len(str(int(abs(number)))) if abs(number) >= 1 else 0
    places = max(0, digits - whole)
    text = f"{number:,.{places}f}" if abs(number) >= 1e-3 else f"{number:.{digits}g}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def printed_form(value: Fraction, canonical: str | None, record: Mapping[str, Any], units: UnitTable) -> str:
    """A canonical value as a claim would print it: a ratio as people say it, an amount in its unit and scale."""
    relation = record.get("relation", "absolute")
    if relation in ("increase", "decrease"):
        change = (value - 1) * 100
        return f"{significant(abs(change), 3)} % {'higher' if change >= 0 else 'lower'}"
    if relation == "share-of":
        return f"{significant(value * 100, 3)} %"
    if relation == "times-less" and value:
        return f"{significant(1 / value, 3)} times lower"
    if relation == "ratio":
        return f"{significant(value, 3)}x"
    quantity = record.get("quantity") or {}
    known = units.find(quantity["unit"]) if quantity.get("unit") else None
    if known is None or canonical != units.canonical(known.id).id:
        return f"{significant(value)} {canonical or ''}".strip()
    scaled = _in_scale(value / known.factor, str(quantity.get("printed") or ""))
    if scaled is not None:
        return scaled if scaled.startswith("$") else f"{scaled} {known.id.removeprefix('count:')}"
    readable = _as_printed(value, quantity.get("value"), known, units) or _readable(value, known, units)
    return f"{significant(value / readable.factor)} {readable.id.removeprefix('count:')}".strip()


def _in_scale(value: Fraction, printed: str) -> str | None:
    """An amount in the scale word that is printed; None where none is.

    >>> _in_scale(Fraction(29250000), "$29.1M"), _in_scale(Fraction(524288), "500k"), _in_scale(Fraction(9), "$9")
    ('$29.25M', '524.288k', None)
    """
    match = _SCALED.fullmatch(printed.strip())
    if match is None:
        return None
    return f"{match[1]}{significant(value / _SCALES[match[3]])}{match[2]}{match[3]}"


def _as_printed(value: Fraction, printed: object, unit: Unit, units: UnitTable) -> Unit | None:
    """The prefix with which the corrected figure has the digits that are printed: 4.8 GB/s is put right as 4.8 TB/s."""
    if not isinstance(printed, int | float) or not printed:
        return None
    said = Fraction(str(printed))
    return next((one for one in _relatives(unit, units) if value / one.factor == said), None)


def _readable(value: Fraction, unit: Unit, units: UnitTable) -> Unit:
    """The unit of the same name with another prefix in which an amount is read with ease, else the unit itself."""
    low, high = _READABLE
    if low <= abs(value / unit.factor) < high or not value:
        return unit
    return next((one for one in _relatives(unit, units) if low <= abs(value / one.factor) < 1000), unit)


def _relatives(unit: Unit, units: UnitTable) -> list[Unit]:
    """The units of one name with any prefix, the smallest first."""
    stem = _PREFIX.sub("", unit.id, count=1)
    found = (units.find(f"{prefix}{stem}") for prefix in ("", "k", "M", "G", "T", "P", "E"))
    return [one for one in found if one is not None and one.kind == unit.kind]


_TIMES: Final[tuple[tuple[int, int, str], ...]] = ((3, 86400, "days"), (2, 3600, "h"), (2, 60, "min"))
"""From this many of a unit of time on, a time is given in it: the seconds of one, and its name."""


def long_time(value: float | Fraction, unit: str | None) -> tuple[float, str] | None:
    """A time in the unit that the field prints it in, minutes, hours or days; None where it is short or no time.

    >>> long_time(656, "s"), long_time(39348, "s"), long_time(21.5, "s"), long_time(656, "W")
    ((10.933333333333334, 'min'), (10.93, 'h'), None, None)
    """
    if unit == "s":
        for least, seconds, name in _TIMES:
            if abs(float(value)) >= least * seconds:
                return float(value) / seconds, name
    return None
