"""Reads the figures of a visible text: sign, currency, digits, scale, unit and hedge of each, and ranges as one."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from kg.model.hedges import HEDGE_WORDS
from kg.model.inserted_scale import SCALE_WORDS
from kg.reading.currencies import BEFORE, CURRENCY, foreign_behind
from kg.reading.figure_in_view import FigureInView, plain_value
from kg.reading.grouped_digits import ends_phrase, follows_prose, grouped_digits, has_open_group, other_end
from kg.reading.implied_units import implied_units
from kg.reading.joined_figures import DASH, RANGE, joined_range, joined_tolerance
from kg.reading.masks import Masks
from kg.reading.nearby_units import BELOW, MILLION_TOKENS, TIME_APART, WAY, UnitReader
from kg.reading.number_words import WordFigure, word_figures

_MEASURED: Final = (
    r"\s?(?:[kKMGTPE]?(?:i?B(?:/s)?|b(?:it)?/s|bps|Wh?|J|Hz|FLOPS?|FLOP/s|OPS|OP/s)|ms|nm|%|[x×])(?![A-Za-z\d])"
)
"""Units of which people print decimals, and no lists without spaces."""
# thousands behind a comma or a narrow space: "72,428.5", and the decimal comma of "3,35 TB/s" and "4.023,78"; of "1,23"
# and "4,8 GPUs" only the first number is a figure
_DIGITS: Final = rf"(?:\d{{1,3}}(?:[,\u202f\u00a0]\d{{3}})+(?![\d])(?:\.\d+)?|(?<![\d,.])(?:\d{{1,3}}(?:\.\d{{3}})+|\d+),\d{{1,2}}(?={_MEASURED})|(?<![\d,.])\d{{1,3}}(?:\.\d{{3}})+,\d{{1,2}}(?![\d,])|\d+(?:\.\d+)?)"
_EXPONENT: Final = r"(?:\s?\^\s?[-−+⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\s?⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\s?[-−+]\d{1,3}(?![\d,.]*\d))"
"""What follows the 10 of a power: 4 x 1024 GPUs is a count of counts."""
_WORK: Final = r"\s?(?:FLOPs?|FLOPS|flops?|OPs?|OPS|operations?)(?![\w/])"
_LOST: Final = rf"(?P<lost>\s?[123]\d(?![\d,.]*\d)(?(point)|(?={_WORK})))"
"""An exponent that is printed like digits, as in "3.8 × 1025 FLOP": behind a decimal fraction or before operations."""
_BARE: Final = (
    r"(?<=(?<![\w.,])10)(?:\s?\^\s?\d{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?=\s?(?:FLOP|OPs?\b|operation|token|param|J\b|bytes?\b))"
)
"""The exponent of a 10 without a factor; before other words it is the mark of a footnote."""
_POWER: Final = rf"(?:{_BARE}|[eE][+-]?\d{{1,9}}(?![A-Za-z\d])|\s?[x×*·]\s?10(?:{_EXPONENT}|{_LOST}))?"
_AMOUNT: Final = re.compile(
    rf"(?P<currency>{BEFORE}\s?)?(?=[\d,\u202f\u00a0]*(?P<point>\.\d)|)(?P<digits>{_DIGITS}|(?<![\w.])\.\d+){_POWER}"
)
_FACTOR: Final = re.compile(rf"(?P<currency>)(?P<digits>{_DIGITS}|\.\d+)")
"""The same of the first factor of a product, whose second is a figure of its own."""
_WITHOUT_PREFIX: Final = frozenset({"FLOP", "FLOP/s", "OP", "OP/s", "token", "parameter", "B"})
"""Units of figures that people write as powers of ten; 10^24 of a unit with a prefix, or of things, nobody has."""
# meets " million" and "-billion"; not "million" as the beginning of a word ("millionaire")
_SCALE: Final = re.compile(
    r"(?P<gap>[ \u00a0\u202f-]?)(?P<scale>hundred|thousand|million|billion|trillion|Million|Billion|Trillion|Thousand|bn|mn|[百千万亿]{1,2})(?![A-Za-z])"
)
# meets the "B" of "405B", the "k" of "128k+" and of "$190k/server"; not the "T" of "4.8TB" and of "2T/s"
_SCALE_LETTER: Final = re.compile(r"(?P<scale>[kKMBTbm])(?P<plus>\+?)(?![A-Za-z0-9]|/s(?:ec|econd)?\b)")
_FACTORS: Final = {
    "hundred": 2,
    **SCALE_WORDS,
    # meets the "x" of "2.5x" and " times"; not that of "8xA100", nor "4 times a day"
    "k": 3,
    "K": 3,
    "M": 6,
    "m": 6,
    "mn": 6,
    "B": 9,
    "b": 9,
    "bn": 9,
    "T": 12,
    "百": 2,
    "千": 3,
    "万": 4,
    "亿": 8,
}
_TIMES: Final = re.compile(r"\s?(?:[x×X](?![A-Za-z0-9])|[x×](?=er\b)|-?fold\b|[ -]times\b(?! (?:as )?(?:a|per) )|倍)")
_COUNTED: Final = re.compile(r"\s?[x×*]\s?(?=[A-Z\d])")
_PLUS: Final = re.compile(r"\+(?=\s?[A-Za-z%])")
"""Between a figure and its unit: "80+ GB"."""
_HEDGE: Final = re.compile(
    rf"(?<![\w-])(?P<hedge>{'|'.join(re.escape(word) for word in sorted(HEDGE_WORDS, key=len, reverse=True))})\s*(?:(?:an?|the|by|to|approximately)\s+)?$",
    re.IGNORECASE,
)
# meets the minus of " -5"; not the dash of "4-5", nor that of "80%-90%"
_SIGN: Final = re.compile(r"(?<![\w)\]%.])[-−+]$")
_SIGNS: Final = {"+": 1, "-": -1, "−": -1}
_ATTACHED: Final = re.compile(r"(?!-|/(?:M|mn|[Mm]illion)\s)[^\s,;)(\]]+")
"""Signs of a unit that are printed as one with its figure, as in "80GB"; "$2/M tokens" is $2."""
_PARAMETERS: Final = re.compile(
    r"[\s-]*(?:parameters?|params?|dense|MoE|models?|LLMs?|active|activated|total param)\b", re.IGNORECASE
)
_PRICED_BY: Final = re.compile(rf"(?:/|per\b|an?\b(?!{TIME_APART}))\s?(?:1\s?)?({MILLION_TOKENS}|{BELOW})")
_PRICED: Final = re.compile(rf"(?:\s?{_PRICED_BY.pattern}){{1,3}}")


_CHINESE_UNITS: Final = {
    "美元": "USD",
    "元": "CNY",
    "人民币": "CNY",
    "倍": "1",
    "张": "count:gpu",
    "块": "count:gpu",
    "卡": "count:gpu",
    "颗": "count:chip",
    "台": "count:server",
    "瓦": "W",
    "千瓦": "kW",
    "兆瓦": "MW",
    "小时": "h",
    "天": "day",
    "个月": "month",
    "年": "year",
    "秒": "s",
    "毫秒": "ms",
    "参数": "parameter",
    "节点": "count:node",
}
_CHINESE: Final = re.compile(rf"\s?(?:个(?!月))?({'|'.join(sorted(_CHINESE_UNITS, key=len, reverse=True))})")
_FACTOR_OF: Final = re.compile(r"\bfactor of (?:about |around |~|nearly |roughly )?\d+(?:\.\d+)?$")
_LENGTH_NOUN: Final = re.compile(
    r"[\s-]+(?:sequence|seq|context|batch|hidden|head)\s?-?(?:len|length|window|size|dim)", re.IGNORECASE
)


class AmountReader:
    """Reads with one table of units."""

    def __init__(self, reader: UnitReader) -> None:
        self._reader = reader

    def amounts(self, text: str, masks: Masks) -> list[FigureInView]:
        """The figures of a view in order, ranges as one, masked numerals apart."""
        found: list[FigureInView] = []
        for figure in self._printed(text, masks):
            last = found[-1] if found else None
            joined = self._joined(text, last, figure) if last and "masked" not in (last.letter, figure.letter) else None
            if joined:
                found[-1] = joined
            elif last is None or figure.start >= last.end:
                found.append(figure)
        units = implied_units(text, found, self._thing)
        return [replace(one, unit=unit) if unit != one.unit else one for one, unit in zip(found, units, strict=True)]

    def _joined(self, text: str, left: FigureInView, right: FigureInView) -> FigureInView | None:
        """Two figures as one, if they are one: an amount and its tolerance, or the ends of a range."""
        tolerant = joined_tolerance(text, left, right)
        if tolerant is None:
            return self._range(text, left, right)
        if (
            tolerant.unit is None
            and text[left.start - 1 : left.start] == "("
            and text[tolerant.end : tolerant.end + 1] == ")"
        ):
            unit, unit_end = self._unit(text, tolerant.end + 1, None, "")
            return replace(tolerant, unit=unit, unit_end=unit_end)
        return tolerant

    def _range(self, text: str, left: FigureInView, right: FigureInView) -> FigureInView | None:
        """Two figures as one range, if they are one; the sign of money may stand with the first alone: "$2-3/hr"."""
        is_shared = left.unit in CURRENCY.values() and right.unit is None and not right.hedge
        if is_shared and (DASH if right.value == plain_value(right.digits or "0") else RANGE).fullmatch(
            text, left.end, right.start
        ):
            unit, unit_end = self._money(text, right.end, left.unit or "")
            attached = _ATTACHED.match(text[right.end : unit_end])
            right = replace(right, end=right.end + (attached.end() if attached else 0))
            # without a unit the first shares the scale of the second, as in "$1.5-2 million"
            return joined_range(text, replace(left, unit=None), replace(right, unit=unit, unit_end=unit_end))
        return joined_range(text, left, right)

    def _printed(self, text: str, masks: Masks) -> list[FigureInView]:
        """Every figure in digits, then those in words where no digits stand, in order."""
        found: list[FigureInView] = []
        for match in self._matches(text, masks):
            start, end = match.span("digits")
            power = match.group()[match.end("digits") - match.start() :]
            if masks.reason(start, end) is not None:
                found.append(FigureInView(start, end, match["digits"], Fraction(0), letter="masked"))
            elif abs(_exponent(power)) > _MOST_POWER:
                found.append(FigureInView(start, match.end(), match["digits"], Fraction(0), letter="masked"))
            else:
                found.append(self._amount(text, match))
        for word in word_figures(text, self._reader.table):
            if masks.reason(word.start, word.end) is None:
                found.append(self._word(text, word))
        # of two that begin together the longer first: the caller drops what begins inside of
        # another
        return sorted(found, key=lambda one: (one.start, -one.end))

    def _matches(self, text: str, masks: Masks) -> Iterator[re.Match[str]]:
        """The figures in digits; of "2.5 x 1024 GB" the factors one by one, of "3.8 x 1025 FLOP" the power as one."""
        at = 0
        while (match := _AMOUNT.search(text, at)) is not None:
            if match["lost"] and self._unit(text, match.end(), None, "")[0] not in (None, *_WITHOUT_PREFIX):
                match = _FACTOR.match(text, match.start("digits")) or match
            elif (grouped := grouped_digits(text, match)) is not None and self._is_one_number(text, grouped, masks):
                match = grouped
            yield match
            at = match.end()

    def _is_one_number(self, text: str, grouped: re.Match[str], masks: Masks) -> bool:
        """Whether digits with blanks between them are one number, and no two figures of a list or a table."""
        if masks.reason(*grouped.span("digits")) is not None:
            return False
        if has_open_group(grouped):
            return True
        start = grouped.start("currency" if grouped["currency"] else "digits")
        is_alone = not text[:start].strip()
        if not (is_alone or follows_prose(text, start)):
            return False
        if not is_alone and (other := other_end(text, grouped.end())) is not None:
            return self._is_one_number(text, other, masks)
        unit, end = self._unit(text, grouped.end(), _SCALE_LETTER.match(text, grouped.end()), "")
        if is_alone:
            return unit is not None and not text[end:].strip()
        if grouped["currency"]:
            return unit is None
        return unit is not None and (unit.startswith("count:") or ends_phrase(text, end))

    def _word(self, text: str, word: WordFigure) -> FigureInView:
        hedge = _hedge(text, word.start, word.unit_end)
        unit = "count:gpu" if WAY.match(text, word.end) else word.unit
        return FigureInView(word.start, word.end, "", word.value, unit, word.unit_end, word.low, hedge, "word")

    def _thing(self, noun: str, at: int) -> str | None:
        near = self._reader.thing_after(f" {noun}", at)
        return near.unit if near is not None else None

    def _amount(self, text: str, match: re.Match[str]) -> FigureInView:
        """A figure with sign, currency, scale and unit."""
        start, end = match.span()
        currency = "".join((match["currency"] or "").split())
        scale = _SCALE.match(text, end)
        factor, end = (10 ** _power(scale["scale"]), scale.end()) if scale is not None else (1, end)
        letter = _SCALE_LETTER.match(text, end) if scale is None else None
        plus = _PLUS.match(text, end) if letter is None and not currency else None
        unit, unit_end = self._unit(text, plus.end() if plus else end, letter, currency)
        if letter is not None and _is_scale(letter, unit, currency):
            factor, end = 10 ** _FACTORS[letter["scale"]], letter.end("scale")
        value = _value(match["digits"], match.group()[match.end("digits") - match.start() :]) * factor
        start, value = _signed(text, start, value)
        hedge = _hedge(text, start, max(end, unit_end)) or ("at-least" if plus else None)
        foreign, unit_end = _foreign(text, end, currency, unit_end)
        if (attached := _ATTACHED.match(text[end:unit_end])) is not None and not plus:
            end += attached.end()
        scale_letter = letter["scale"] if letter else ""
        return FigureInView(
            start,
            end,
            match["digits"],
            value,
            None if foreign else unit,
            unit_end,
            None,
            hedge,
            scale_letter,
            currency=foreign,
        )

    def _unit(self, text: str, end: int, letter: re.Match[str] | None, currency: str) -> tuple[str | None, int]:
        """The unit next to a figure and where its words end."""
        if currency:
            return self._money(text, letter.end() if letter else end, currency)
        if (times := _TIMES.match(text, end)) is not None and not (
            (counted := _COUNTED.match(text, end)) and self._reader.thing_after(text, counted.end())
        ):
            return "1", times.end()
        if (counted := _COUNTED.match(text, end)) is not None:  # 8 x A100, 18x4: how many of what follows
            return ("count:gpu" if text[counted.end()].isalpha() else None), end
        if letter is not None:
            return self._scaled(text, letter)
        gap = re.match(r"[ \u00a0\u202f]?(?:-(?=[A-Za-z]))?", text[end : end + 2])
        at = end + (gap.end() if gap else 0)
        if (near := self._reader.after(text, at, attached=at == end)) is not None:
            return near.unit, near.end
        if (chinese := _CHINESE.match(text, end)) is not None:
            return _CHINESE_UNITS[chinese[1]], chinese.end()
        if _FACTOR_OF.search(text, max(0, end - 40), end):
            return "1", end
        if (thing := self._reader.thing_after(text, end)) is not None and not _LENGTH_NOUN.match(text, end):
            return thing.unit, thing.end
        return None, end

    def _scaled(self, text: str, letter: re.Match[str]) -> tuple[str | None, int]:
        """The unit after a figure with a letter: 405B parameters, 15T tokens, 128K context, 80G of memory."""
        end = letter.end()
        gap = re.match(r"[\s-]*", text[end : end + 2])
        near = self._reader.after(text, end + (gap.end() if gap else 0), attached=False)
        if near is not None:
            return near.unit, near.end
        if letter["scale"] in "BbMmT" and _PARAMETERS.match(text, end):
            return "parameter", end
        if letter["scale"] in "kK" and re.match(r"[\s-]*(?:context|sequence|long|seq)", text[end : end + 12]):
            return "token", end
        if (thing := self._reader.thing_after(text, end)) is not None:
            return thing.unit, thing.end
        if letter["scale"] in "Bb" and not re.search(r"\btokens?\b", text[max(0, letter.start() - 45) : end + 25]):
            return "parameter", end
        return None, end

    def _money(self, text: str, end: int, currency: str) -> tuple[str | None, int]:
        unit = CURRENCY.get(currency)
        rest = _PRICED.match(text, end, end + 60)
        if unit is None or rest is None:
            return unit, end
        for below in _PRICED_BY.findall(rest.group()):
            found = self._reader.unit_of(unit, (below,))
            if found is not None and found != unit:
                return found, rest.end()
        return unit, end


def _signed(text: str, start: int, value: Fraction) -> tuple[int, Fraction]:
    """Where a figure begins with its sign, and its value."""
    sign = _SIGN.search(text[max(0, start - 24) : start])
    return (start, value) if sign is None else (start - 1, value * _SIGNS[sign.group()])


def _foreign(text: str, end: int, currency: str, unit_end: int) -> tuple[str | None, int]:
    """The currency that has no unit here, before a figure or behind it, and where it or the unit ends."""
    if currency in ("", "$") and (behind := foreign_behind(text, end)) is not None:
        return behind.group().strip(), behind.end()
    return (currency if currency and currency not in CURRENCY else None), unit_end


def _is_scale(letter: re.Match[str], unit: str | None, currency: str) -> bool:
    """Whether the letter behind a figure multiplies it, and does not begin its unit."""
    return (
        unit is None or unit.startswith(("count", "parameter", "token")) or bool(currency) or letter["scale"] in "kKM"
    )


def _value(digits: str, power: str) -> Fraction:
    factor = Fraction(1) if _BARE_SIGN.match(power) else plain_value(digits)
    return factor * Fraction(10) ** _exponent(power)


_BARE_SIGN: Final = re.compile(r"\s?\^|[⁰¹²³⁴⁵⁶⁷⁸⁹]")
_MOST_POWER: Final = 90
"""A figure with a larger exponent is no amount of anything."""


def _exponent(power: str) -> int:
    """The exponent of what is printed behind the digits; 0 where nothing is.

    >>> _exponent("e100"), _exponent(" x 10^24"), _exponent(" × 10⁻³"), _exponent("")
    (100, 24, -3, 0)
    """
    plain = power.translate(_SUPERSCRIPTS)
    if _BARE_SIGN.match(power):
        return int(re.sub(r"[^\d-]", "", plain))
    printed = plain[1:] if plain[:1] in ("e", "E") else plain.partition("10")[2]
    return int(re.sub(r"[^\d-]", "", printed) or "0")


def _power(scale: str) -> int:
    """The power of ten of a scale word; of Chinese signs the sum."""
    return _FACTORS.get(scale.lower()) or sum(_FACTORS[sign] for sign in scale)


_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


_COMPARED: Final = re.compile(
    r"(?:%|\d[x×]|\b(?:percent|times|fold|half|third|quarter|much|many|twice|thrice|doubl\w{1,3}|tripl\w{1,3}|quadrupl\w{1,3}"
    r"|increase|gain|improvement|advantage|rise|jump|speed-?up))\s?$",
    re.IGNORECASE,
)
"""Before "more than", "as much as" or "over", where they compare and are no bound of what follows: 37% more than the 1,425 tok/s."""


def _hedge(text: str, start: int, end: int) -> str | None:
    match = _HEDGE.search(text, max(0, start - 24), start)
    if match is not None and not _COMPARED.search(text, max(0, match.start() - 14), match.start()):
        return HEDGE_WORDS[match["hedge"].lower()]
    return "at-least" if text[end : end + 1] == "+" and not text[end + 1 : end + 2].isalnum() else None
