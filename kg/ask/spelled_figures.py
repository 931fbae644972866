"""Figures that are spelled out, as data sheets print them: "seven hundred watts" is 700 W, "4.8 terabytes a second" 4.8 TB/s.

Questions know a figure by its print; people who ask write it in words, or in small letters.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from kg.ask.bounds import bounds_said
from kg.ask.mentions import figures_in
from kg.ask.metrics_asked import UNITS_ALONE
from kg.errors import ModelError
from kg.model.amount import NUMBER_WORDS, read_words
from kg.model.inserted_scale import SCALE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model.units import Unit, UnitTable

_MONEY: Final = "$"
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_DIGIT: Final = f"(?:{'|'.join(_DIGITS)})"
# meets "700", "$8000", "3.1 million", "seven hundred" and "four point eight"; not the digits of "H100" and "v5.1"
_NUMBER: Final = re.compile(
    rf"(?<![\w/.,-])(?:(?P<digits>(?:US)?\$? ?\d[\d.,]*\d|\$? ?\d)(?P<scale> (?:{'|'.join(SCALE_WORDS)})\b)?"
    rf"|(?P<words>{NUMBER_WORDS.pattern}(?: and {NUMBER_WORDS.pattern})?)(?P<point> point(?: {_DIGIT})+)?)",
    re.IGNORECASE,
)
# the words behind a number one by one: a unit has no more than four ("dollars a month" has three)
_BEHIND: Final = re.compile(r"[ -]?(?:[A-Za-z%]+(?:/[A-Za-z]+)*)(?:[ -][A-Za-z]+(?:/[A-Za-z]+)*){0,3}")
_RATE: Final = re.compile(r"(?:^|(?<=\w)\s+)(?:per|an?|every|each)\s+", re.IGNORECASE)


def with_figures_printed(text: str, units: UnitTable | None) -> str:
    """The words with each figure that is spelled out as it is printed; those of a bound stay, which is read with its words.

    A unit that no figure is quoted in ("10 minutes") stays too: it is a word of the question.
    """
    if units is None:
        return text
    bounds = [said for said, _ in bounds_said(text)]
    for start, end, printed in reversed(list(_spelled(text, units))):
        if not any(text[start:end] in said for said in bounds):
            text = f"{text[:start]}{printed}{text[end:]}"
    return text


def _spelled(text: str, units: UnitTable) -> Iterator[tuple[int, int, str]]:
    """Where a figure is spelled out, and its print."""
    for number in _NUMBER.finditer(text):
        behind = _BEHIND.match(text, number.end())
        if behind is None or (digits := _in_digits(number)) is None:
            continue
        # the longest unit first: "terabytes per second" are no terabytes
        pieces = re.findall(r"[ -]?[A-Za-z%/]+", behind[0])
        for part in reversed(list(accumulate(pieces))):
            words, typed = part.strip(" -"), f"{number[0]}{part}"
            printed = _printed(digits, words, units)
            if printed is not None and figures_in(printed) != figures_in(typed):
                # "40 PFLOPS" is a print already
                if figures_in(typed) != [typed] or units.find(words) is None:
                    yield number.start(), number.end() + len(part), printed
                break


def _in_digits(number: re.Match[str]) -> str | None:
    """A number in digits, with its scale as it is written; None for words that are a ratio themselves."""
    if number["digits"] is not None:
        return number[0]
    # "two hundred and eighty-eight" is the sum of both, "one hundred thousand" is not
    words = re.sub(r"(?<=hundred) (?:and )?(?=\S)(?!thousand|[mbt]r?illion)", "+", number["words"].casefold())
    try:
        parts = [read_words(one, one) for one in words.split("+")]
    except ModelError:
        return None
    value = sum(one.value for one in parts)
    is_count = all(one.unit is None for one in parts) and value.denominator == 1
    decimals = "".join(str(_DIGITS.index(one)) for one in (number["point"] or "").casefold().split()[1:])
    return f"{value.numerator}{'.' if decimals else ''}{decimals}" if is_count else None


def _printed(digits: str, words: str, units: UnitTable) -> str | None:
    """A figure with the unit that words spell as it is printed, where figures are quoted in it."""
    is_money = _MONEY in digits
    unit = _unit(f"{'USD ' if is_money else ''}{words}", units)
    if unit is None:
        return None
    if unit.id == "1":
        printed = f"{digits} times"
    elif is_money:
        printed = f"{digits}{unit.id.removeprefix('USD')}"
    else:
        printed = f"{digits}%" if unit.id == "%" else f"{digits} {unit.id}"
    quoted = figures_in(printed)
    return printed if quoted in ([printed], [f"{digits}x"]) else None


def _unit(words: str, units: UnitTable) -> Unit | None:
    """The unit that words spell, one of the table or a rate of two: "gigabytes per second", "dollars an hour"."""
    if (found := _of_table(words, units)) is not None:
        return found
    above, *below = _RATE.split(words)
    parts = [_of_table(one, units) for one in (above, *below)]
    ids = [one.id for one in parts if one is not None]
    return units.find("/".join(ids)) if len(ids) == len(parts) > 1 else None


def _of_table(words: str, units: UnitTable) -> Unit | None:
    """The unit of a name in any letters; of letters that are a unit's sign only the usual ones: "gb" is no gigabit."""
    lowered = words.casefold()
    return units.find(words) or units.find(UNITS_ALONE.get(lowered, lowered))
