"""One numeral as it is printed, with the sign, scale and unit around it: what `kg.model.printed` joins to a figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from kg.errors import ModelError
from kg.model.exact import MOST_POWER
from kg.model.inserted_scale import SCALE_WORDS
from kg.model.units import Unit, UnitMismatch, UnitTable

_SCALES = {"k": 3, "K": 3, "M": 6, "mn": 6, "B": 9, "bn": 9, "T": 12}
_SCALE_WORDS = {"hundred": 2, **SCALE_WORDS}
# Meets the `M` of "3.1M", "k tokens" and "-million people"; neither "MB", which is a unit, nor
# "T4", a name.
SCALE = re.compile(rf"-?({'|'.join([*_SCALE_WORDS, 'bn', 'mn', *'kKMBT'])})(?![A-Za-z0-9])")
# Meets "72,428", "1 380" with a space that is narrow or does not break, "1.2e6" and "3×10^24"; of "7,24" and "0,060"
# only the first digit, since a comma groups three digits, and no group begins with a zero.
NUMERAL = re.compile(
    r"(?P<digits>(?!0)\d{1,3}(?:[,\u2007\u2009\u202f\u00a0]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:[eE](?P<e>[+-]?\d{1,3})(?![A-Za-z\d])|\s*[x×*]\s*10\^(?P<power>[-−]?\d{1,3})(?!\d))?"
)
_BARE_POWER = re.compile(r"(?<![\w.,^×*])(?<![x×*]\s)10\^(?=[-−]?\d{1,3}(?!\d))")
AMOUNT = re.compile(rf"(?P<sign>[-−+]?)\s*(?P<currency>US\$|[$¥€]|RMB\b)?\s*{NUMERAL.pattern}(?P<rest>.*)", re.DOTALL)
# Meets what a count can be of behind its digits: "-GPU", "*H100", "x H100", " GPUs"; neither "%" nor
# "x4", a product.
_THING = re.compile(r"(?![*×x]\s*\d)[-*×x]?\s*[A-Za-z]")
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
PARTS = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_PART = re.compile(rf"(?:(?P<above>one|two|three|four|five|seven|nine)[\s-]+)?(?P<part>{'|'.join(PARTS)})s?")
_NUMBER_WORD = "|".join(sorted({*_CARDINALS, *_SCALE_WORDS, *_TIMES, *PARTS}, key=len)[::-1])
NUMBER_WORDS = re.compile(rf"(?<![a-z])(?:{_NUMBER_WORD})s?(?:[\s-]+(?:{_NUMBER_WORD})s?)*(?=(?:-?fold)?(?![a-z]))")
_ONE = Unit("1", "ratio", Fraction(1))
_PREFIXES = "kKMGTPE"
"""The prefixes of units that are larger than their base."""


def with_factor(text: str) -> str:
    """A power of ten that stands alone, with the factor that goes without saying.

    >>> with_factor("10^25 FLOP"), with_factor("3×10^24")
    ('1×10^25 FLOP', '3×10^24')
    """
    return _BARE_POWER.sub("1×10^", text)


class UnreadableNumber(ModelError):
    """A printed figure that does not parse, or parses in two ways."""

    code = "model.unreadable-number"


@dataclass(frozen=True, slots=True)
class ReadAmount:
    """One numeral with what stands around it."""

    value: Fraction
    place: Fraction | None
    wide_place: Fraction | None
    digits: int
    scale: Fraction | None = None
    unit: Unit | None = None
    reach: Fraction | None = None
    """How far a printed tolerance lets it lie on each side."""

    def times(self, factor: Fraction) -> ReadAmount:
        place, wide = (None if p is None else p * abs(factor) for p in (self.place, self.wide_place))
        return ReadAmount(self.value * factor, place, wide, self.digits, factor, self.unit)


def read_amount(part: str, wanted: Unit | None, table: UnitTable, text: str) -> ReadAmount:
    """Read one end of a figure, in digits or words, with its sign, scale and unit; `text` is the whole print, for errors.

    Raises UnreadableNumber where it reads in no way or in two, and UnitMismatch where its unit is not the wanted one.
    """
    match = AMOUNT.fullmatch(part.strip())
    if match is None:
        amount = read_words(part, text)
        if amount.unit and wanted and not _fits(amount.unit, wanted):
            raise UnitMismatch(f"is a multiple, not a number of {wanted.id}.", given=text, next_step="Give the value.")
        return amount
    numeral = read_numeral(match)
    if match["sign"] in ("-", "−"):
        numeral = ReadAmount(-numeral.value, numeral.place, numeral.wide_place, numeral.digits)
    scale, unit = _read_suffix(match["currency"] or "", match["rest"].strip(), wanted, table, text)
    scaled = numeral if scale is None else numeral.times(scale)
    return ReadAmount(scaled.value, scaled.place, scaled.wide_place, scaled.digits, scale, unit)


def read_numeral(match: re.Match[str]) -> ReadAmount:
    """The number that a match of `NUMERAL` prints, with what its last digit is worth; a scale behind it is not read."""
    plain = re.sub(r"[^\d.]", "", match["digits"])
    whole, _, decimals = plain.partition(".")
    exponent = int((match["e"] or match["power"] or "0").replace("−", "-"))
    if max(abs(exponent), len(whole), len(decimals)) > MOST_POWER:
        raise UnreadableNumber(
            "is out of range.",
            given=match.string.strip()[:40],
            expected=f"0, or a figure between 1e-{MOST_POWER} and 1e{MOST_POWER}",
        )
    # whole numbers first: a fraction that is reduced once costs a third of one that is made of others
    power = exponent - len(decimals)
    above, below = 10 ** max(power, 0), 10 ** max(-power, 0)
    place = Fraction(above, below)
    # "1,500" may be rounded to hundreds: its zeros at the end may say nothing.
    zeros = 0 if decimals or not int(whole) else len(whole) - len(whole.rstrip("0"))
    digits = len(plain.replace(".", "").lstrip("0")) or 1
    value = Fraction(int(f"{whole}{decimals}") * above, below)
    return ReadAmount(value, place, place * 10**zeros if zeros else place, digits)


def _read_suffix(
    currency: str, rest: str, wanted: Unit | None, table: UnitTable, text: str
) -> tuple[Fraction | None, Unit | None]:
    """Split what follows the digits into a scale and a unit; a unit that fits the wanted one wins over a scale."""
    sign = "$" if currency == "US$" else currency
    readings = _suffix_readings(sign, rest, wanted, table)
    if wanted is None:
        return readings[0] if readings else _no_reading(sign, rest, table, text)
    # The wanted unit itself comes before one that is a part of it.
    for scale, unit in sorted(readings, key=lambda reading: reading[1] != wanted):
        # "5 T" wanted in TB and read as 5 trillion: whichever is taken could be wrong by twelve orders of magnitude
        if unit is None and scale and _may_be_unit(rest, scale, wanted, table):
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
    scale = SCALE.match(rest)
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
    # Points are printed with the sign of percent.
    return printed.id == wanted.id or wanted.id.startswith(f"{printed.id}/") or (printed.id, wanted.id) == ("%", "pp")


def _may_be_unit(letter: str, scale: Fraction, wanted: Unit, table: UnitTable) -> bool:
    """Whether a letter may begin a unit of which the figure would be another one: "5 T" of TB, or of GB and TB."""
    if len(letter) != 1 or len(wanted.id) < 2:
        return False
    bases = (wanted.id, wanted.id[1:] if wanted.id[0] in _PREFIXES else wanted.id)
    spelled = {f"{sign}{base}" for sign in {letter, "k" if letter == "K" else letter} for base in bases}
    begun = [unit for one in spelled if (unit := table.find(one)) is not None and unit.kind == wanted.kind]
    is_base = any(base.partition("/")[0] == letter for base in bases)
    return is_base or any(unit.factor != scale * wanted.factor for unit in begun)


def read_words(part: str, text: str) -> ReadAmount:
    """Read a number word; multiples ("tenfold", "twice", "a factor of nine") are ratios, unit 1."""
    # An article says one of a scale ("a million"), which is no word of the number.
    words = re.sub(r"^(?:an?|the)\s+", "", part.strip().lower())
    words, factors = re.subn(r"^factor of\s+|[\s-]*(?:fold|times)$", "", words)
    if (multiple := multiple_in_words(words)) is not None:
        return multiple
    tokens = re.split(r"[\s-]+", words)
    scale = Fraction(1)
    while tokens and tokens[-1] in _SCALE_WORDS:
        scale *= 10 ** _SCALE_WORDS[tokens.pop()]
    count = _cardinal(tokens) if tokens or scale == 1 else 1
    if count is None:
        raise UnreadableNumber("is not a number that can be read.", given=text, next_step="Give the value.")
    amount = with_own_digits(Fraction(count)).times(scale)
    # "fifty to a hundred": a scale that stands alone is the number itself, which no other number shares.
    shared = scale if scale != 1 and count != 1 else None
    return ReadAmount(amount.value, amount.place, amount.wide_place, amount.digits, shared, _ONE if factors else None)


def cardinal(word: str) -> int | None:
    """The number that a word of a count means, none for any other word.

    >>> cardinal("eight"), cardinal("Thirty-two"), cardinal("few")
    (8, 32, None)
    """
    return _cardinal(word.lower().split("-"))


def _cardinal(tokens: Sequence[str]) -> int | None:
    """A number below a hundred: one word, or tens and ones; "two-three" is none."""
    numbers = [_CARDINALS.get(token) for token in tokens]
    match numbers:
        case [int(number)]:
            return number
        case [int(tens), int(ones)] if tens >= 20 and 0 < ones < 10:
            return tens + ones
    return None


def multiple_in_words(word: str) -> ReadAmount | None:
    """What a word for a multiple says, and how precisely.

    People also say one and a half times: who says twice means a value nearer to two than to that.
    """
    value = _TIMES.get(word)
    if value is None and (part := _PART.fullmatch(word)) is not None:
        value = Fraction(_CARDINALS[part["above"] or "one"], PARTS[part["part"]])
    if value is None or (value > 1 and value.denominator > 1):
        return None
    place = Fraction(1, 2) if value.denominator == 1 else Fraction(1, 10)
    return ReadAmount(value, place, place, 1, None, _ONE)


def with_own_digits(value: Fraction) -> ReadAmount:
    """The precision a value has when written out in full; none if it has no end as a decimal."""
    # Halves, eighths and the like end within 30 places; a third never does, and has no last digit.
    if 10**30 % value.denominator:
        return ReadAmount(value, None, None, 0)
    places = next(n for n in range(31) if 10**n % value.denominator == 0)
    digits = str(abs(value.numerator) * (10**places // value.denominator))
    zeros = len(digits) - len(digits.rstrip("0")) if value and not places else 0
    place = Fraction(1, 10**places)
    return ReadAmount(value, place, place * 10**zeros, len(digits))
