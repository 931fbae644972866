"""Numbers as they are printed: the value, and all values that would be printed the same way.

A printed number means what rounds to it, half a unit of its last digit on each side. Trailing zeros of a whole
number are read tightly; the wide reading is kept next to it. Where a text does not parse to its value, or its suffix
could be a scale or a unit ("4.8T"), the caller states the value and the text only says how precise it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NoReturn

from kg.errors import ModelError
from kg.model.exact import MOST_POWER, exact_number
from kg.model.hedges import FROM_BELOW, HEDGES, LOWER, STRICT_LOWER, STRICT_UPPER, UPPER, split_hedge
from kg.model.inserted_scale import INSERTED
from kg.model.interval import Interval
from kg.model.units import Unit, UnitMismatch, UnitTable

Shape = Literal["interval", "span", "magnitude"]
Relation = Literal[
    "ratio", "increase", "decrease", "times-less", "share-of", "difference", "points", "order", "absolute"
]
Exact = int | str | Decimal | Fraction
Value = Fraction | tuple[Fraction, Fraction]
# Who says "nearly ten" means less than ten, and not so little that another round figure would be nearer.
_NEARLY = Fraction(9, 10)

_SCALES = {"k": 3, "K": 3, "M": 6, "mn": 6, "B": 9, "bn": 9, "T": 12}
_SCALE_WORDS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALE = re.compile(rf"-?({'|'.join([*_SCALE_WORDS, 'bn', 'mn', *'kKMBT'])})(?![A-Za-z0-9])")
_NUMERAL = re.compile(
    r"(?P<digits>\d{1,3}(?:[,\u202f\u00a0]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:[eE](?P<e>[+-]?\d{1,3})(?![A-Za-z\d])|\s*[x×*]\s*10\^(?P<power>[-−]?\d{1,3})(?!\d))?"
)
_AMOUNT = re.compile(rf"(?P<sign>[-−+]?)\s*(?P<currency>US\$|[$¥€]|RMB\b)?\s*{_NUMERAL.pattern}(?P<rest>.*)", re.DOTALL)
_RANGE_REST = re.compile(
    r"(?P<unit>\D*?)\s*(?:[-–—~]|\bto\b|\band\b)\s*(?P<right>(?:US\$|[$¥€])?\s*\.?\d.*)", re.DOTALL
)
_THING = re.compile(r"[-*×x]?\s*[A-Za-z]")
_TIMES_THINGS = re.compile(r"[*×]\s*[A-Za-z]")

_SMALL = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_CARDINALS = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_TIMES = {
    "once": Fraction(1),
    "twice": Fraction(2),
    "thrice": Fraction(3),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "half": Fraction(1, 2),
    "halved": Fraction(1, 2),
    "halving": Fraction(1, 2),
    "double": Fraction(2),
    "doubles": Fraction(2),
    "doubled": Fraction(2),
    "doubling": Fraction(2),
    "triple": Fraction(3),
    "triples": Fraction(3),
    "tripled": Fraction(3),
    "quadruple": Fraction(4),
}
_ONE = Unit("1", "ratio", Fraction(1))


class UnreadableNumber(ModelError):
    """A printed figure that does not parse, or parses in two ways."""

    code = "model.unreadable-number"


@dataclass(frozen=True, slots=True)
class Canonical:
    """A printed number in the canonical unit of its kind, or as metric(subject) / metric(baseline)."""

    value: Value
    lower: Fraction | None
    upper: Fraction | None
    wide_lower: Fraction | None
    wide_upper: Fraction | None
    unit: str | None


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A figure as printed, its exact value, and the values that would print the same.

    ``value`` is a pair for a range. ``place`` is what one unit of the last printed digit is worth, the scale
    included; ``digits`` counts the significant digits. ``wide_lower`` and ``wide_upper`` read trailing zeros of a
    whole number as rounded; elsewhere they equal ``lower`` and ``upper``.
    """

    text: str
    value: Value
    lower: Fraction | None
    upper: Fraction | None
    wide_lower: Fraction | None
    wide_upper: Fraction | None
    exact: bool = False
    unit: str | None = None
    shape: Shape | None = None
    place: Fraction | None = None
    digits: int = 0
    hedge: str | None = None
    scale: Fraction = Fraction(1)

    @property
    def interval(self) -> Interval:
        """The tight reading."""
        return Interval(self.lower, self.upper)

    @property
    def wide(self) -> Interval:
        """The wide reading."""
        return Interval(self.wide_lower, self.wide_upper)

    def canonical(self, table: UnitTable) -> Canonical:
        """Value and bounds in the canonical unit; without a unit they stay as they are."""
        if self.unit is None:
            return self._mapped(lambda interval: interval, None)
        unit = table.canonical(self.unit)
        factor = table.factor(self.unit, unit.id)
        if factor == 1:  # most figures are printed in the canonical unit
            return Canonical(self.value, self.lower, self.upper, self.wide_lower, self.wide_upper, unit.id)
        return self._mapped(lambda interval: interval.scaled(factor), unit.id)

    def canonical_ratio(self, relation: Relation) -> Canonical:
        """What a relation says about metric(subject) / metric(baseline), bounds included.

        "57 %" more is 1.57, less is 0.43; "5x" less is 0.2; "26 %" of is 0.26.
        """
        one, part = Interval.exactly(1), Fraction(1, 100 if self.unit in ("%", "pp") else 1)
        formulas: dict[str, Callable[[Interval], Interval]] = {
            "ratio": lambda printed: printed.scaled(part),
            "share-of": lambda printed: printed.scaled(part),
            "increase": lambda printed: one + printed.scaled(part),
            "decrease": lambda printed: one - printed.scaled(part),
            "times-less": lambda printed: one / _positive(printed).scaled(part),
        }
        if relation not in formulas:
            raise ModelError("does not say how often one value goes into another.", given=relation, field="relation")
        return self._mapped(formulas[relation], "1")

    def _mapped(self, formula: Callable[[Interval], Interval], unit: str | None) -> Canonical:
        tight, wide = formula(self.interval), formula(self.wide)
        image = formula(Interval(*self.value) if isinstance(self.value, tuple) else Interval.exactly(self.value))
        if image.lower is None or image.upper is None:
            raise UnreadableNumber("is not above zero, so nothing can be that many times less.", given=self.text)
        value = (image.lower, image.upper) if isinstance(self.value, tuple) else image.lower
        return Canonical(value, tight.lower, tight.upper, wide.lower, wide.upper, unit)


@dataclass(frozen=True, slots=True)
class _Amount:
    """One numeral with what stands around it."""

    value: Fraction
    place: Fraction | None
    wide_place: Fraction | None
    digits: int
    scale: Fraction | None = None
    unit: Unit | None = None

    def times(self, factor: Fraction) -> _Amount:
        place, wide = (None if p is None else p * abs(factor) for p in (self.place, self.wide_place))
        return _Amount(self.value * factor, place, wide, self.digits, factor, self.unit)


def read_printed(
    text: str,
    *,
    unit: str | None = None,
    hedge: str | None = None,
    exact: bool = False,
    shape: Shape | None = None,
    table: UnitTable,
) -> PrintedNumber:
    """Read a figure as printed: "$3.1M", "1.6x to 1.7x", "15-20%", "tenfold", "~2k"; "512 [thousand]" of a scaled table.

    A stated unit must fit the printed one. A range is read as ``shape`` interval unless another is stated.
    """
    wanted = table.get(unit) if unit else None
    body, printed_hedge = split_hedge(INSERTED.sub(r" \g<scale>", text.strip()))
    if hedge is not None and printed_hedge is not None and hedge != printed_hedge:
        raise UnreadableNumber(f"already says {printed_hedge}.", given=text, field="hedge", expected=printed_hedge)
    amounts = _same_scale([_read_amount(part, wanted, table, text) for part in _split_range(body)], text)
    found = {amount.unit.id for amount in amounts if amount.unit}
    if len(found) > 1:
        raise UnreadableNumber("has two units; it is two figures, not a range.", given=text)
    unit_id = wanted.id if wanted else next(iter(found), None)
    return _assemble(text, amounts, unit=unit_id, hedge=hedge or printed_hedge, exact=exact, shape=shape)


def _same_scale(amounts: list[_Amount], text: str) -> list[_Amount]:
    """Both ends of a range in one scale: "2 to 3 million" means millions twice, "2 million to 3" could mean either."""
    if len(amounts) != 2:
        return amounts
    low, high = amounts
    if high.scale and not low.scale:
        return [low.times(high.scale), high]
    if low.scale and not high.scale:
        raise UnreadableNumber("has a scale on its first number only.", given=text, next_step="Give the value.")
    return amounts


def printed_with_value(
    text: str,
    value: Exact | tuple[Exact, Exact],
    *,
    unit: str | None = None,
    hedge: str | None = None,
    exact: bool = False,
    shape: Shape | None = None,
    table: UnitTable | None = None,
) -> PrintedNumber:
    """A figure whose value is stated, because its text does not parse to it; its digits still say how precise it is.

    >>> number = printed_with_value("4.8T", "4.8", unit="TB/s")
    >>> number.interval, number.place
    (Interval('4.75', '4.85'), Fraction(1, 10))
    >>> printed_with_value("500k", 500000).interval
    Interval('499500', '500500')
    >>> printed_with_value("millions", (10**6, 10**9), shape="magnitude").interval
    Interval('1000000', '1000000000')
    """
    if unit and table is not None:
        unit = table.get(unit).id
    values = [_exact(v, text) for v in (value if isinstance(value, tuple) else (value,))]
    numerals = [_read_numeral(match) for match in _NUMERAL.finditer(text)]
    amounts = []
    for index, number in enumerate(values):
        numeral = numerals[index] if len(numerals) >= len(values) else None
        if numeral is None or not numeral.value or not number:
            word = _multiple(text.strip().lower())
            amounts.append(word if word is not None and word.value == number else _own_digits(number))
        else:
            amounts.append(numeral.times(number / numeral.value))
    return _assemble(text, amounts, unit=unit, hedge=hedge, exact=exact or shape == "magnitude", shape=shape)


def _assemble(
    text: str, amounts: list[_Amount], *, unit: str | None, hedge: str | None, exact: bool, shape: Shape | None
) -> PrintedNumber:
    """Join the amounts of a figure, one or two, and let hedge and exactness set the bounds."""
    low, high = amounts[0], amounts[-1]
    is_pair = len(amounts) == 2
    if is_pair:
        _check_order(low.value, high.value, text)
    if hedge is not None and hedge not in HEDGES:
        raise ModelError("is not a known hedge.", given=hedge, field="hedge", expected=", ".join(sorted(HEDGES)))
    halves, wide = (
        tuple(_half(place, exact=exact) for place in places)
        for places in ((low.place, high.place), (low.wide_place, high.wide_place))
    )
    lower, upper = _bounds(low, high, half_low=halves[0], half_high=halves[1], hedge=hedge)
    wide_lower, wide_upper = _bounds(low, high, half_low=wide[0], half_high=wide[1], hedge=hedge)
    return PrintedNumber(
        text=text,
        value=(low.value, high.value) if is_pair else low.value,
        lower=lower,
        upper=upper,
        wide_lower=wide_lower,
        wide_upper=wide_upper,
        exact=exact and shape != "magnitude",
        unit=unit,
        shape=shape or ("interval" if is_pair else None),
        place=max((amount.place for amount in amounts if amount.place is not None), default=None),
        digits=min(amount.digits for amount in amounts),
        hedge=hedge,
        scale=high.scale or Fraction(1),
    )


def _check_order(low: Fraction, high: Fraction, text: str) -> None:
    if low > high:
        raise UnreadableNumber("is a range from high to low.", given=text, next_step="Give the value as a pair.")
    if low == high:
        raise UnreadableNumber("is a range with equal ends.", given=text)


def _bounds(
    low: _Amount, high: _Amount, *, half_low: Fraction, half_high: Fraction, hedge: str | None
) -> tuple[Fraction | None, Fraction | None]:
    """Half a unit below the low amount and above the high one, unless the hedge says otherwise."""
    if hedge in FROM_BELOW:
        return min(low.value * _NEARLY, low.value - half_low), high.value
    lower = low.value if hedge in STRICT_LOWER else low.value - half_low
    upper = high.value if hedge in STRICT_UPPER else high.value + half_high
    return None if hedge in STRICT_UPPER | UPPER else lower, None if hedge in STRICT_LOWER | LOWER else upper


def _half(place: Fraction | None, *, exact: bool) -> Fraction:
    """How far the value may lie from the print: half of the last place, nothing where the figure is exact."""
    return Fraction(0) if exact or place is None else place / 2


def _split_range(body: str) -> list[str]:
    body = re.sub(r"^(between|from)\s+", "", body)
    match = _AMOUNT.fullmatch(body)
    if match is None:
        return re.split(r"\s+(?:to|and)\s+|\s*[–—]\s*", body, maxsplit=1)
    rest = _RANGE_REST.fullmatch(match["rest"])
    return [body] if rest is None else [body[: match.start("rest")] + rest["unit"], rest["right"]]


def _read_amount(part: str, wanted: Unit | None, table: UnitTable, text: str) -> _Amount:
    match = _AMOUNT.fullmatch(part.strip())
    if match is None:
        amount = _read_words(part, text)
        if amount.unit and wanted and not _fits(amount.unit, wanted):
            raise UnitMismatch(f"is a multiple, not a number of {wanted.id}.", given=text, next_step="Give the value.")
        return amount
    numeral = _read_numeral(match)
    if match["sign"] in ("-", "−"):
        numeral = _Amount(-numeral.value, numeral.place, numeral.wide_place, numeral.digits)
    scale, unit = _read_suffix(match["currency"] or "", match["rest"].strip(), wanted, table, text)
    scaled = numeral if scale is None else numeral.times(scale)
    return _Amount(scaled.value, scaled.place, scaled.wide_place, scaled.digits, scale, unit)


def _read_numeral(match: re.Match[str]) -> _Amount:
    plain = re.sub(r"[^\d.]", "", match["digits"])
    whole, _, decimals = plain.partition(".")
    exponent = int((match["e"] or match["power"] or "0").replace("−", "-"))
    if max(abs(exponent), len(whole), len(decimals)) > MOST_POWER:
        raise UnreadableNumber(
            "is out of range.",
            given=match.string.strip()[:40],
            expected=f"0, or a figure between 1e-{MOST_POWER} and 1e{MOST_POWER}",
        )
    power = Fraction(10) ** exponent
    place = power / 10 ** len(decimals)
    zeros = 0 if decimals or not int(whole) else len(whole) - len(whole.rstrip("0"))
    digits = len(plain.replace(".", "").lstrip("0")) or 1
    return _Amount(Fraction(f"0{plain}") * power, place, place * 10**zeros, digits)


def _read_suffix(
    currency: str, rest: str, wanted: Unit | None, table: UnitTable, text: str
) -> tuple[Fraction | None, Unit | None]:
    """Split what follows the digits into a scale and a unit; a unit that fits the wanted one wins over a scale."""
    sign = "$" if currency == "US$" else currency
    readings = _suffix_readings(sign, rest, wanted, table)
    if wanted is None:
        return readings[0] if readings else _no_reading(sign, rest, table, text)
    for scale, unit in sorted(readings, key=lambda reading: reading[1] != wanted):
        # "5 T" wanted in tesla and read as 5 trillion: whichever is taken could be wrong by twelve orders of magnitude
        if unit is None and scale and _may_be_unit(rest, wanted):
            raise UnreadableNumber(
                f"may be scaled, or be a short form of {wanted.id}.", given=text, next_step="Give the value."
            )
        if unit is None or _fits(unit, wanted):
            return scale, unit
    if readings:
        printed = next(unit.id for _, unit in readings if unit)
        raise UnitMismatch(f"is printed in {printed}, not in {wanted.id}.", given=text, field="unit", expected=printed)
    return _no_reading(sign, rest, table, text)


def _no_reading(sign: str, rest: str, table: UnitTable, text: str) -> NoReturn:
    near = table.nearest(f"{sign}{rest}")
    raise UnreadableNumber(
        f'ends in "{sign}{rest}", which is neither a scale nor a unit.',
        given=text,
        next_step=f'Did you mean "{near}"? If not, give the value.' if near else "Give the value.",
    )


def _suffix_readings(
    sign: str, rest: str, wanted: Unit | None, table: UnitTable
) -> list[tuple[Fraction | None, Unit | None]]:
    """Every way to read what follows the digits, the likeliest first where no unit is wanted."""
    readings: list[tuple[Fraction | None, Unit | None]] = []
    if (plain := _find_unit(sign, rest, table)) is not None or not rest + sign:
        readings.append((None, plain))
    elif _begins_a_name(f"{sign}{rest}", wanted):
        readings.append((None, wanted))
    scale = _SCALE.match(rest)
    if scale is not None:
        tail = rest[scale.end() :].strip(" -")
        factor = Fraction(10) ** (_SCALES | _SCALE_WORDS)[scale.group(1)]
        unit = _find_unit(sign, tail, table)
        if unit is not None or not tail + sign or _counts_things(tail, wanted):
            # a bare "M" is a million before it is a metre
            readings.insert(0 if rest == scale.group() else len(readings), (factor, unit))
        return readings
    if not readings and not sign and (_counts_things(rest, wanted) or _TIMES_THINGS.match(rest)):
        return [(None, None)]
    return readings


def _counts_things(rest: str, wanted: Unit | None) -> bool:
    """Whether what follows the digits is a word for what the wanted unit counts."""
    return wanted is not None and bool(wanted.thing) and _THING.match(rest) is not None


def _begins_a_name(spelling: str, unit: Unit | None) -> bool:
    """Whether a name of the unit goes on behind the spelling with what it is per: "tokens" of tokens per second."""
    if unit is None:
        return False
    return any(name.startswith((f"{spelling} per ", f"{spelling}/")) for name in unit.names)


def _find_unit(sign: str, tail: str, table: UnitTable) -> Unit | None:
    spellings = (f"{sign}{tail}", f"{sign} {tail}".strip(), tail.lstrip("- ") if not sign else f"{sign}{tail}")
    return next((unit for spelling in spellings if spelling and (unit := table.find(spelling)) is not None), None)


def _fits(printed: Unit, wanted: Unit) -> bool:
    """Whether the printed unit is the wanted one, or the part of it above the line ("$" of USD/h)."""
    return printed.id == wanted.id or wanted.id.startswith(f"{printed.id}/") or (printed.id, wanted.id) == ("%", "pp")


def _may_be_unit(letter: str, wanted: Unit) -> bool:
    return (
        len(letter) == 1
        and len(wanted.id) > 1
        and wanted.id[0] in {letter, letter.lower() if letter == "K" else letter}
    )


def _read_words(part: str, text: str) -> _Amount:
    """Read a number word; multiples ("tenfold", "twice", "a factor of nine") are ratios, unit 1."""
    words = re.sub(r"^(?:an?|the)\s+", "", part.strip().lower())
    words, factors = re.subn(r"^factor of\s+|[\s-]*(?:fold|times)$", "", words)
    if (multiple := _multiple(words)) is not None:
        return multiple
    tokens = re.split(r"[\s-]+", words)
    scale = Fraction(1)
    while len(tokens) > 1 and tokens[-1] in _SCALE_WORDS:
        scale *= 10 ** _SCALE_WORDS[tokens.pop()]
    if not all(token in _CARDINALS or (token in _SCALE_WORDS and tokens == [token]) for token in tokens):
        raise UnreadableNumber("is not a number that can be read.", given=text, next_step="Give the value.")
    total = 10 ** _SCALE_WORDS[tokens[0]] if tokens[0] in _SCALE_WORDS else sum(_CARDINALS[t] for t in tokens)
    amount = _own_digits(Fraction(total)).times(scale)
    return _Amount(amount.value, amount.place, amount.wide_place, amount.digits, None, _ONE if factors else None)


def _multiple(word: str) -> _Amount | None:
    """What a word for a multiple says, and how precisely.

    People also say one and a half times: who says twice means a value nearer to two than to that.
    """
    if (value := _TIMES.get(word)) is None:
        return None
    place = Fraction(1, 2) if value.denominator == 1 else Fraction(1, 10)
    return _Amount(value, place, place, 1, None, _ONE)


def _own_digits(value: Fraction) -> _Amount:
    """The precision a value has when written out in full; none if it has no end as a decimal."""
    if 10**30 % value.denominator:
        return _Amount(value, None, None, 0)
    places = next(n for n in range(31) if 10**n % value.denominator == 0)
    digits = str(abs(value.numerator) * (10**places // value.denominator))
    zeros = len(digits) - len(digits.rstrip("0")) if value and not places else 0
    place = Fraction(1, 10**places)
    return _Amount(value, place, place * 10**zeros, len(digits))


def _exact(value: Exact, text: str) -> Fraction:
    if isinstance(value, float):  # a caller without types; a float has already lost digits
        raise ModelError("is a binary float.", field="value", given=text, next_step="Give a string or a Decimal.")
    try:
        return value if isinstance(value, Fraction) else exact_number(str(value))
    except ValueError as error:
        raise UnreadableNumber("is not a number.", field="value", given=str(value)) from error


def _positive(printed: Interval) -> Interval:
    """A factor is above zero even where only its upper bound is stated."""
    lower = Fraction(0) if printed.lower is None or printed.lower < 0 else printed.lower
    return Interval(lower, printed.upper)
