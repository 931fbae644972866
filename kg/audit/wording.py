"""Figures in words: canonical values in; out, the form and unit that the claim next to it prints, with the digits a reader
needs. Findings, results and pictures use it, so that one figure looks the same everywhere."""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from kg.model.recorded import ClaimRecord, QuantityRecord
from kg.model.units import Unit, UnitTable

_SCALES: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12, "million": 10**6, "billion": 10**9}
_SCALED = re.compile(r"(\$?)\s*[\d.,]+([- ]?)(million|billion|[kKMBT])\b.*")
_PREFIX = re.compile(r"^(?:[kMGTPE](?=[A-Z]))?")
_RATIO_FORM: Final = re.compile(r"(\d[\d.,]*)(x| % higher| % lower| times lower| %)")
_READABLE: Final = (Fraction(1), Fraction(10_000))
"""Between these a figure needs no other prefix."""


_PREFIXES: Final = ((10**18, "E"), (10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"))
_PREFIXED: Final[Mapping[str, str]] = {
    name: name.replace("byte", "B") for name in ("FLOP/s", "FLOP/s/W", "OP/s", "byte", "byte/s", "bit/s", "Hz", "W")
}
"""The units that take a prefix, and what they are called with one; large numbers of anything else are printed in words."""
_COUNTED: Final = ("parameter", "token", "transistor")
_NUMBERS: Final = ((10**12, "trillion"), (10**9, "billion"))
_MEASURED_DIGITS: Final = 8
"""A measurement printed with more digits than this is not meant to that precision."""


def text_of(value: Fraction) -> str:
    """A figure to four significant digits, without an exponent up to where no word for it is in use.

    >>> text_of(Fraction(680 * 10**9)), text_of(Fraction(289712, 72)), text_of(Fraction(1, 3)), text_of(Fraction(1, 30000))
    ('680 billion', '4,024', '0.3333', '0.00003333')
    >>> text_of(Fraction(38 * 10**24))
    '3.8e25'
    """
    number, whole = float(value), abs(value.numerator) // value.denominator
    if whole >= 10**18:  # counts of operations this large are printed in powers of ten
        return f"{number:.4g}".replace("e+", "e")
    for size, name in _NUMBERS:
        if whole >= size:
            return f"{text_of(value / size)} {name}"
    return _plain(f"{number:.4g}") if abs(number) < 1000 else f"{number:,.0f}"


def with_prefix(value: Fraction, unit: str | None) -> tuple[Fraction, str]:
    """An amount in the prefix that people give it in, and the unit with it; "" for a ratio or a bare count.

    Compute is given in tera as far as four digits go, as data sheets do; everything else in the largest prefix that fits.

    >>> with_prefix(Fraction(1671 * 10**12), "FLOP/s"), with_prefix(Fraction(48 * 10**11), "byte/s"), with_prefix(Fraction(2), "1")
    ((Fraction(1671, 1), 'TFLOP/s'), (Fraction(24, 5), 'TB/s'), (Fraction(2, 1), ''))
    >>> with_prefix(Fraction(405 * 10**9), "parameter")
    (Fraction(405, 1), 'billion parameter')
    """
    bare = "" if unit in (None, "1", "count") else str(unit).removeprefix("count:")
    name = _PREFIXED.get(bare)
    if name is None:
        sizes = _NUMBERS if bare in _COUNTED and abs(value) < 10**18 else ()
        return next(((value / size, f"{word} {bare}") for size, word in sizes if abs(value) >= size), (value, bare))
    for size, prefix in _PREFIXES:
        least = 10 * size if "FLOP" in bare and size > 10**12 else size
        if abs(value) >= least:
            return value / size, f"{prefix}{name}"
    return value, bare


def amount_of(value: Fraction, unit: str | None) -> str:
    """A canonical amount as a person writes it, to four significant digits.

    >>> amount_of(Fraction(2 * 10**16), "FLOP/s/W"), amount_of(Fraction(4023), "sample/s"), amount_of(Fraction(3, 2), "1")
    ('20 PFLOP/s/W', '4,023 sample/s', '1.5')
    """
    scaled, name = with_prefix(value, unit)
    return f"{text_of(scaled)} {name}".rstrip()


def corrected_in_words(value: Fraction, unit: str | None, relation: str = "absolute") -> str:
    """A corrected figure next to a printed one: with its unit only where a prefix is needed, since a column's may be in doubt.

    >>> corrected_in_words(Fraction(2 * 10**13), "FLOP/s/W"), corrected_in_words(Fraction(4024), "sample/s")
    ('20 TFLOP/s/W', '4,024')
    >>> corrected_in_words(Fraction(9318, 10000), "1", "decrease")
    '6.82 % lower'
    """
    return ratio_form(value, relation) or (amount_of(value, unit) if unit in _PREFIXED else text_of(value))


def print_of(quantity: QuantityRecord) -> str:
    """What a quantity prints; where nothing prints it, its value as people give it, its term or its date.

    >>> print_of({"printed": "4.8T", "value": 4.8, "unit": "TB/s"}), print_of({"value": 4.8e12, "unit": "byte/s"})
    ('4.8T', '4.8 TB/s')
    >>> print_of({"value": [2.2, 2.6], "unit": "1"}), print_of({"date": "2025-08"})
    ('2.2 to 2.6', '2025-08')
    """
    value, unit = quantity.get("value"), quantity.get("unit")
    if quantity.get("printed") or value is None:
        return str(quantity.get("printed") or quantity.get("term") or quantity.get("date"))
    scaled = [with_prefix(Fraction(str(one)), unit) for one in (value if isinstance(value, list) else [value])]
    return " to ".join(f"{significant(one)} {name}".rstrip() for one, name in scaled)


def printed_figure(record: ClaimRecord) -> str:
    """The figure of a claim as it is printed, with its unit where the column holds it."""
    quantity = record["quantity"]
    printed = shortened(print_of(quantity), quantity.get("unit"))
    return printed if any(sign.isalpha() for sign in printed) else f"{printed} {quantity['unit']}"


WRITTEN_BY_MACHINE: Final = re.compile(r"\d{10,}(\.\d+)?|\d(\.\d+)?e\+?\d{2}")
"""Numbers as programs write them: more digits than a person groups, or a power of ten."""


def shortened(printed: str, unit: str | None = None) -> str:
    """A printed figure as people read it: in the prefix of its unit where a program wrote it out, else to six digits.

    >>> shortened("10400.9988793425"), shortened("72428.00"), shortened("about 3")
    ('10,401', '72428.00', 'about 3')
    >>> shortened("1307400000000000.0", "FLOP/s"), shortened("1.5e+16", "FLOP/s"), shortened("405000000000", "parameter")
    ('1,307 TFLOP/s', '15 PFLOP/s', '405 billion parameter')
    >>> shortened("23.49432373046875 GB")
    '23.4943 GB'
    """
    if WRITTEN_BY_MACHINE.fullmatch(printed):
        return amount_of(Fraction(printed), unit)
    number, _, name = printed.partition(" ")
    # more digits than these are those of a floating-point number, not of a measurement
    if sum(map(str.isdigit, number)) <= _MEASURED_DIGITS or not re.fullmatch(r"\d+\.\d+", number):
        return printed
    return f"{significant(Fraction(number))} {name}".rstrip()


def grouped(printed: str) -> str:
    """A bare printed number in a sentence of ours: digits grouped, without the empty decimals of a table; any other text as it is.

    >>> grouped("289712.00"), grouped("31486.55"), grouped("72"), grouped("289,712"), grouped("4.8 TB/s")
    ('289,712', '31,486.55', '72', '289,712', '4.8 TB/s')
    """
    if not re.fullmatch(r"\d{4,9}(\.\d+)?", printed):
        return printed
    whole, _, decimals = printed.partition(".")
    return f"{int(whole):,}" + (f".{decimals}" if decimals.strip("0") else "")


def _plain(text: str) -> str:
    """A number without its exponent."""
    return f"{Decimal(text):f}"


def significant(value: Fraction, digits: int = 6) -> str:
    """A computed value to six significant digits, without an exponent.

    >>> significant(Fraction(289712, 72)), significant(Fraction(1, 3)), significant(Fraction(29250000)), significant(Fraction(1, 30000))
    ('4,023.78', '0.333333', '29,250,000', '0.0000333333')
    >>> significant(Fraction(1, 300))
    '0.00333333'
    """
    number = float(value)
    if number == 0:
        return "0"
    text = f"{number:,.{max(0, digits - 1 - Decimal(number).adjusted())}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def printed_form(value: Fraction, canonical: str | None, record: ClaimRecord, units: UnitTable) -> str:
    """A canonical value as a claim would print it: a ratio as people say it, an amount in its unit and scale."""
    return ratio_form(value, record.get("relation", "absolute")) or _amount_form(value, canonical, record, units)


def ratio_form(value: Fraction, relation: str) -> str | None:
    """A ratio as people say it in a relation; None where a claim of it states an amount.

    >>> ratio_form(Fraction(6, 5), "ratio"), ratio_form(Fraction(6, 5), "increase"), ratio_form(Fraction(1), "absolute")
    ('1.2x', '20 % higher', None)
    """
    match relation:
        case "increase" | "decrease":
            change = (value - 1) * 100
            return f"{significant(abs(change), 3)} % {'higher' if change >= 0 else 'lower'}"
        case "share-of":
            return f"{significant(value * 100, 3)} %"
        case "times-less" if value:
            return f"{significant(1 / value, 3)} times lower"
        case "ratio":
            return f"{significant(value, 3)}x"
    return None


def ratio_of(text: str) -> Fraction | None:
    """The ratio that `ratio_form` gives as a text; None for any other text.

    >>> [ratio_of(one) for one in ("1.2x", "20 % higher", "10.5 % lower", "4 times lower", "25 %", "20 W")]
    [Fraction(6, 5), Fraction(6, 5), Fraction(179, 200), Fraction(1, 4), Fraction(1, 4), None]
    """
    found = _RATIO_FORM.fullmatch(text)
    if found is None:
        return None
    figure = Fraction(found[1].replace(",", ""))
    match found[2]:
        case "x":
            return figure
        case " % higher":
            return 1 + figure / 100
        case " % lower":
            return 1 - figure / 100
        case " times lower":
            return 1 / figure if figure else None
    return figure / 100


def _amount_form(value: Fraction, canonical: str | None, record: ClaimRecord, units: UnitTable) -> str:
    """An amount in the unit and the scale word that its claim prints, where these are of the canonical unit."""
    quantity = record.get("quantity") or {}
    known = units.find(quantity["unit"]) if quantity.get("unit") else None
    # a corrected value in another unit than the print cannot be scaled to it: its own unit is shown
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
    # a prefix and a stem may spell a unit of another kind
    return [one for one in found if one is not None and one.kind == unit.kind]


_TIMES: Final[tuple[tuple[int, int, str], ...]] = ((3, 86400, "days"), (2, 3600, "h"), (2, 60, "min"))
"""From this many of a unit of time on, a time is given in it: the seconds of one, and its name."""


def long_time(value: float | Fraction, unit: str | None, *, of_run: bool = False) -> tuple[float, str] | None:
    """A time in the unit that the field prints it in, minutes, hours or days; None where it is short or no time.

    Of a training run the field prints minutes, however few.

    >>> long_time(656, "s"), long_time(39348, "s"), long_time(21.5, "s"), long_time(656, "W")
    ((10.933333333333334, 'min'), (10.93, 'h'), None, None)
    >>> long_time(15, "s", of_run=True)
    (0.25, 'min')
    """
    if unit == "s":
        for least, seconds, name in _TIMES:
            if abs(float(value)) >= least * seconds:
                return float(value) / seconds, name
    return (float(value) / 60, "min") if of_run and unit == "s" else None
