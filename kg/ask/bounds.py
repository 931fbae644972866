"""Bounds on figures: how words say them ("more than 100 GB"), how an option gives them (">100 GB"), and what they keep."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Final

from kg.errors import UsageError
from kg.model.inserted_scale import SCALE_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kg.model.units import UnitTable

_WORDS: Final = {
    ">": r"(?:more|greater|higher|larger|bigger|faster|longer) than|over|above|beyond|exceeding|exceeds?",
    ">=": r"at least|no less than|minimum of",
    "<": r"(?:less|fewer|lower|smaller|cheaper|slower|shorter) than|under|below",
    "<=": r"at most|no more than|up to|maximum of",
}
_FIGURE: Final = r"[$€]? ?\d[\d.,]*\d|[$€]? ?\d"
_PER: Final = r"(?:per|an?|/) ?(?:million |gpu[- ])?\w+"
_UNIT: Final = rf"(?:\s?(?:{_PER}|%|(?:[mb]illion|thousand|trillion) [^\W\d_]+(?: {_PER})?|(?!of\b)[^\W\d_]+(?:/[^\W\d_]+)*(?: {_PER}| parameters| params)?))?"
_SAID: Final = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<w{n}>{words})" for n, words in enumerate(_WORDS.values()))
    + rf")\s+(?P<figure>(?:{_FIGURE}){_UNIT})",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    rf"\b(?:(?P<both>between)|with|having|ha[sv]e?|carry(?:ing)?|from)\s+(?P<low>{_FIGURE}){_UNIT}\s*(?(both)and|(?:to|-|–))"
    rf"\s*(?P<high>{_FIGURE})(?P<unit>{_UNIT})",
    re.IGNORECASE,
)
_BEHIND: Final = {
    ">=": r"(?:or|and) (?:more|above|over|higher|up|upwards)|and upwards|at least",
    "<=": r"(?:or|and) (?:less|fewer|below|under|lower)|at (?:the )?most",
}
_SAID_BEHIND: Final = re.compile(
    rf"(?<![\w.,])(?P<figure>(?:{_FIGURE}){_UNIT})\s+(?:"
    + "|".join(f"(?P<w{n}>{words})" for n, words in enumerate(_BEHIND.values()))
    + r")\b",
    re.IGNORECASE,
)
"""A bound that is said behind its figure: "1000 watts or more"."""
_COUNT: Final = re.compile(r"\b(?:top|first|best|last|worst)\s+\d+\b", re.IGNORECASE)
"""How many rows are wanted, the best first: no bound of a figure, and nothing that a question has to take up."""
_GIVEN: Final = re.compile(r"\s*(>=|<=|>|<)\s*(\S.*?)\s*")
_PARTS: Final = re.compile(r"(?P<money>[$€])?\s*(?P<number>\d[\d.,]*)\s*(?P<unit>.*)")
_SHORT: Final = {**SCALE_WORDS, "k": 3, "m": 6, "b": 9, "bn": 9, "t": 12}
"""How counts and prices are shortened: 500B parameters, $3M."""
_MONEY: Final = re.compile(r"(?:us[ -]?)?(?:dollars?|usd|bucks)(?=$|[ /])\s*", re.IGNORECASE)
_RATE: Final = re.compile(r"(?:(?:per|an?)\b|/) ?(.+)", re.IGNORECASE)
_RATED: Final = {"hour": "h", "hr": "h", "second": "s", "sec": "s", "million tokens": "Mtoken", "mtok": "Mtoken"}
"""How a unit names what it is a rate of, where people say it longer."""
_OF_EACH: Final = frozenset({"accelerator", "card", "chip", "gpu", "node", "rack", "server"})
"""What a figure may be said of that is no part of its unit: 30 kW per rack."""
_CHIPS: Final = r"(?:accelerators?|cards?|chips?|gpus?|tpus?)\b"
_CHIPS_COUNTED: Final = re.compile(
    rf"(?<![\w.,/-])(?P<count>\d[\d,]*)(?:[ -]?x)?[ -]{_CHIPS}(?![ -]?h(?:ou)?rs?\b)", re.IGNORECASE
)
"""A number of accelerators: "72 GPUs", "8-GPU"; "64 GPU hours" is a time."""
_COUNT_GIVEN: Final = re.compile(r"\s*(>=|<=|>|<|=)?\s*(\d[\d,]*)\s*")
_TESTS: Final[dict[str, Callable[[Fraction, Fraction], bool]]] = {">": gt, ">=": ge, "<": lt, "<=": le, "=": eq}


@dataclass(frozen=True, slots=True)
class ValueBound:
    """A bound on figures of one kind, in its canonical unit."""

    operator: str
    value: Fraction
    unit: str

    def keeps(self, value: float, unit: str) -> bool:
        """Whether a canonical value is within it; one of another kind is not.

        >>> over = ValueBound(">", Fraction(700), "W")
        >>> over.keeps(1000.0, "W"), over.keeps(700.0, "W"), over.keeps(1000.0, "byte")
        (True, False, False)
        """
        return unit == self.unit and _TESTS[self.operator](Fraction(value), self.value)


def bounds_said(text: str) -> Iterator[tuple[str, str]]:
    """The bounds among words: each as it was said, and as an option gives it.

    >>> list(bounds_said("chips over 100 GB that draw at most 1.2 kW"))
    [('over 100 GB', '>100 GB'), ('at most 1.2 kW', '<=1.2 kW')]
    >>> list(bounds_said("which H100 costs less than $2 per hour")), list(bounds_said("top 5 chips, over the H100"))
    ([('less than $2 per hour', '<$2 per hour')], [])
    >>> list(bounds_said("chips that draw 1000 watts or more"))
    [('1000 watts or more', '>=1000 watts')]
    >>> list(bounds_said("GPUs with between 80 and 100 GB"))
    [('between 80 and 100 GB', '>=80 GB'), ('between 80 and 100 GB', '<=100 GB')]
    >>> list(bounds_said("which GPUs have 80 to 100 GB")), list(bounds_said("the text gives 10-20 %"))
    ([('have 80 to 100 GB', '>=80 GB'), ('have 80 to 100 GB', '<=100 GB')], [])
    """
    for found in _BETWEEN.finditer(text):
        for operator, end in ((">=", "low"), ("<=", "high")):
            yield found[0].strip(), f"{operator}{found[end].strip()}{found['unit']}"
    for pattern, signs in ((_SAID, _WORDS), (_SAID_BEHIND, _BEHIND)):
        for found in pattern.finditer(text):
            operator = next(sign for n, sign in enumerate(signs) if found[f"w{n}"])
            yield found[0].strip(), f"{operator}{found['figure'].strip()}"


def counts_said(text: str) -> list[str]:
    """The words that say how many rows are wanted.

    >>> counts_said("top 5 accelerators by power")
    ['top 5']
    """
    return _COUNT.findall(text)


def read_bound(given: str, units: UnitTable) -> ValueBound | None:
    """A bound as an option gives it; None where the figure has no unit that is known, which a bound cannot do without."""
    parts = _GIVEN.fullmatch(given)
    figure = None if parts is None else _PARTS.fullmatch(parts[2])
    if parts is None or figure is None:
        return None
    try:
        number = Fraction(figure["number"].rstrip(".,").replace(",", ""))
    except ValueError:
        return None
    quantity = _in_unit(number, figure["unit"].strip(), units, is_money=figure["money"] == "$")
    return None if quantity is None else ValueBound(parts[1], *quantity)


def get_bound(given: str, units: UnitTable) -> ValueBound:
    """A bound as an option gives it; another text is refused."""
    found = read_bound(given, units)
    if found is None:
        accepted = "a comparison with a number and its unit, such as '>100 GB' or '<=700 W'"
        raise UsageError(field="--value", given=given, expected=accepted)
    return found


def get_count(given: str, field: str) -> ValueBound:
    """A bound on a number of accelerators as an option gives it; another text is refused.

    >>> get_count("72", "--accelerators").operator, get_count(">= 1,024", "--accelerators").value
    ('=', Fraction(1024, 1))
    """
    found = _COUNT_GIVEN.fullmatch(given)
    if found is None:
        raise UsageError(field=field, given=given, expected="a number, alone or with a comparison, such as 72 or '>=8'")
    return ValueBound(found[1] or "=", Fraction(found[2].replace(",", "")), "accelerator")


def chips_counted(text: str, things: Iterable[str] = ()) -> tuple[str, str] | None:
    """The number of accelerators that words ask for, as it was said and as an option gives it; the first one.

    It is said with a word for accelerators or before one of `things`, the keys of hardware that is named.

    >>> chips_counted("which systems have 72 GPUs"), chips_counted("results with at least 64 accelerators")
    (('72 GPUs', '72'), ('at least 64 accelerators', '>=64'))
    >>> chips_counted("results of Llama on 8x H100", ["h100"]), chips_counted("the top 5 chips")
    (('8x H100', '8'), None)
    """
    bounds = ((said, given) for said, given in bounds_said(text) if _CHIPS_COUNTED.search(said))
    if (bound := next(bounds, None)) is not None:
        said, given = bound
        return said, re.sub(r"[^\d<>=,].*", "", given)
    named = "|".join(re.escape(one) for one in things)
    of_things = re.compile(rf"(?<![\w.,/-])(?P<count>\d[\d,]*)(?: ?[x×])? (?:{named})(?![\w-])", re.IGNORECASE)
    without_ranks = _COUNT.sub(" ", text)
    found = _CHIPS_COUNTED.search(without_ranks) or (of_things.search(without_ranks) if named else None)
    return None if found is None else (found[0], found["count"].rstrip(","))


def _in_unit(number: Fraction, unit: str, units: UnitTable, *, is_money: bool) -> tuple[Fraction, str] | None:
    """A number in the canonical unit of the one that is printed; the first of the words behind it that name one count."""
    short, _, rest = unit.partition(" ")
    # "B" shortens a number before what is counted ("500 B parameters") or money; alone it is a unit
    is_shortened = is_money or units.find(rest) is not None or _MONEY.match(rest) is not None
    if is_shortened and short.casefold() in _SHORT:
        number, unit = number * 10 ** _SHORT[short.casefold()], rest
    unit = _MONEY.sub("USD ", unit, count=1).strip() if not is_money else f"USD {unit}".strip()
    first, _, rest = unit.partition(" ")
    rate = _RATE.match(rest)
    rated = "" if rate is None else re.sub(r"^gpu[- ]", "", rate[1].casefold())
    named = [unit, f"{first}/{_RATED.get(rated, rated)}"] if rate is not None else [unit]
    if rate is None or rated in _OF_EACH:
        named.append(first)
    known = next((one for one in named if one and units.find(one) is not None), None)
    return None if known is None else (units.to_canonical(number, known), units.canonical(known).id)
