"""Figures printed with a tolerance ("700 ± 10 W"): the amount, and how far the text lets it lie on each side."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kg.model.amount import NUMERAL, SCALE, UnreadableNumber, read_numeral

PLUS_MINUS: Final = r"(?:±|\+\s?/?\s?[-−–])"
_SIGN: Final = re.compile(rf"\s*{PLUS_MINUS}\s*")
_BRACKETED: Final = re.compile(r"\((?P<inside>[^()]*)\)")
_FIGURE: Final = re.compile(rf"\D*?{NUMERAL.pattern}(?P<rest>\D*)", re.DOTALL)
_MARGIN: Final = re.compile(rf"{NUMERAL.pattern}(?P<rest>\D.*|)", re.DOTALL)
_PARTS_OF_HUNDRED: Final = frozenset({"%", "pp", "%/year"})
MOST_SHARE: Final = 100
"""Up to here "98.5 ± 0.3%" is a percentage and its tolerance; "700 ± 5%" is a part of seven hundred."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A figure apart from its tolerance.

    ``figure`` is printed as without it ("700 W"), ``number`` its digits alone. ``margin`` is in the scale and unit of the
    figure, or in percent of it.
    """

    figure: str
    number: Fraction
    margin: Fraction
    is_relative: bool

    def reach(self, value: Fraction) -> Fraction:
        """How far from the value of the figure, in any unit, the tolerance reaches."""
        if self.is_relative:
            return abs(value) * self.margin / 100
        return self.margin * abs(value / self.number) if self.number and value else self.margin


def split_tolerance(text: str, unit: str | None) -> Tolerance | None:
    """A print as figure and tolerance, None where it has none; `unit` is the stated one.

    Raises UnreadableNumber where it is not clear what the tolerance is of.

    >>> (split_tolerance("(700 ± 10) W", None) or 0).figure, (split_tolerance("700 W ± 5%", None) or 0).is_relative
    ('700 W', True)
    """
    parts = _SIGN.split(_BRACKETED.sub(r"\g<inside>", text))
    if len(parts) == 1:
        return None
    figure, margin = _FIGURE.fullmatch(parts[0]), _MARGIN.fullmatch(parts[1])
    if len(parts) != 2 or figure is None or margin is None:
        raise UnreadableNumber("has a tolerance, but not one number before it and one behind.", given=text)
    number, reach = read_numeral(figure).value, read_numeral(margin).value
    own, behind = figure["rest"].strip(), margin["rest"].strip()
    if behind == "%" and own != "%" and (own or _is_part(number, unit)):
        return Tolerance(parts[0], number, reach, is_relative=True)
    if not _is_of_one_scale(own, behind) or margin["power"] or margin["e"]:
        raise UnreadableNumber("has a tolerance in another unit or scale.", given=text, next_step="Give the value.")
    return Tolerance(parts[0] if own else f"{parts[0]}{margin['rest']}", number, reach, is_relative=False)


def _is_of_one_scale(own: str, behind: str) -> bool:
    """Whether the words behind the figure and those behind the tolerance put both in one unit and scale."""
    if not own:
        return True
    return own == behind if behind else SCALE.match(own) is None


def _is_part(number: Fraction, unit: str | None) -> bool:
    """Whether a percentage behind a bare number is a part of that number."""
    return number > MOST_SHARE if unit is None else unit not in _PARTS_OF_HUNDRED
