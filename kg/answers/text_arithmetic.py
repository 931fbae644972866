"""The arithmetic that a text itself shows, recomputed: quotients, products, sums, percentages, shares, prefixes of units.

Only computations that the text spells out are looked at ("from 44 to 88 GB, a 2x increase", "1,440 / 72 = 20 kW", "7.2 TB/s
(7,200 GB/s)"); what a reader could only guess is left alone. The comparison is that of the audit: intervals of what is
printed, with its explanations of slips.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from kg.answers.ratio_print import as_printed, is_within_hedge, narrowed, readings
from kg.answers.whole_numbers import as_count, is_in_full
from kg.audit.derivation import FITTING, CheckedDerivation, Verdict, judge
from kg.audit.explained_quantity import ExplainedQuantity
from kg.errors import KgError
from kg.model.inserted_scale import with_inserted_scale
from kg.model.interval import Interval
from kg.model.printed import PrintedNumber, Relation, read_printed
from kg.model.units import COUNT_PREFIX, UnitTable

RATIOS: Final[tuple[Relation, ...]] = ("ratio", "increase", "decrease", "times-less", "share-of")
_UNIT: Final = r"(?:\s?[A-Za-zµ%°][A-Za-zµ/%·²³_-]{0,15}){0,2}?"
"""The unit that stands behind a figure; positions of figures do not hold it."""
_OPERATORS: Final = {
    "/": "/",
    "÷": "/",
    "divided by": "/",
    "over": "/",
    "x": "*",
    "×": "*",
    "*": "*",
    "times": "*",
    "multiplied by": "*",
    "+": "+",
    "plus": "+",
    "-": "-",
    "−": "-",
    "–": "-",
    "minus": "-",
}
# meets " / " and " GPUs x ("; not " and "
_OPERATOR: Final = re.compile(
    r"[\s)]*(?:(?:[A-Za-z0-9-]+\s){0,2}?)(?P<op>divided by|multiplied by|times|plus|minus|[/÷×x*+−–-])\s*[(]?\s*"
)
# meets the end of "2 GB + " and "2 x ("; not of "max " or of the "- " that begins an item of a list
_GOES_BEFORE: Final = re.compile(
    r"[\w)%]\s*(?:divided by|multiplied by|\btimes|\bplus|\bminus|[/÷×*+−–-]|(?<![A-Za-z])x)\s*[(]?\s*$"
)
# meets " kW = " and " kW is about "; not " kW, and "
_EQUALS: Final = re.compile(
    rf"{_UNIT}[\s)]*(?:=|≈|equals|is|makes|gives|yields|comes to|which is|that is|or)\s*(?:about|roughly|~)?\s*"
)
# meets " GB to about " behind "from 44"; not " GB. Up to "
_FROM_TO: Final = re.compile(r"[^.;\n]{0,40}?\bto\s+(?:about|roughly|~)?\s*", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom\s+(?:about|roughly|~)?\s*$", re.IGNORECASE)
_OF_ANOTHER: Final = re.compile(
    r"\b(?:with|on|at|using|for|while)\s+(?:only|just|about|nearly|roughly|~)?\s*$", re.IGNORECASE
)
"""Before a ratio of something else than what changes: "from 100 h to 30 h with 4x the GPUs"."""
# meets " TB/s (" and " TB/s (or "; not " TB/s, "
_IN_BRACKETS: Final = re.compile(rf"{_UNIT}\s*\((?:=|i\.e\.,?|or|that is,?|about|~)?\s*")
# meets " GPUs out of the " and " of "; not " GPUs and "
_OF: Final = re.compile(rf"{_UNIT}\s+(?:out\s+)?of\s+(?:the\s+|a\s+total\s+of\s+)?")
_SMALLEST_SCALE: Final = 1000
_SAME_SCALE: Final = 20
"""How far two figures may lie apart of which only the later one prints its scale."""
_REACH: Final = 120
"""Code points around "from A to B" in which its ratio is looked for."""


@dataclass(frozen=True, slots=True)
class TextOperand:
    """A figure of the text that takes part in a computation; `block` says which paragraph or cell it appears in."""

    start: int
    end: int
    printed: str
    number: PrintedNumber | None
    unit: str | None
    relation: str
    block: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A computation that a text shows: its formula in printed figures, whether it fits, and what comes out."""

    start: int
    """Where the result stands."""
    formula: str
    fits: bool
    reason: str
    value_to_use: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"formula": self.formula, "fits": self.fits, "reason": self.reason, "value_to_use": self.value_to_use}


def recompute(text: str, operands: Sequence[TextOperand], units: UnitTable) -> dict[int, Recomputed]:
    """The computations that a text shows, by the start of their result; the first that is spelled out for a result counts."""
    found: dict[int, Recomputed] = {}
    reader = TextArithmetic(text, units)
    known = [one for one in sorted(operands, key=lambda one: one.start) if one.number is not None]
    for at in range(len(known)):
        for one in reader.at(known, at):
            found.setdefault(one.start, one)
    return found


def _is_near(figure: TextOperand, first: TextOperand, last: TextOperand) -> bool:
    """Whether a figure stands within reach of a pair of others."""
    return figure.end > first.start - _REACH and figure.start < last.end + _REACH


@dataclass(frozen=True, slots=True)
class TextArithmetic:
    """Recomputes what one text spells out, with the units of one table."""

    text: str
    units: UnitTable

    def at(self, figures: Sequence[TextOperand], at: int) -> Iterator[Recomputed]:
        """The computations that begin with one figure."""
        following = figures[at + 1 : at + 4]
        one, block = figures[at], figures[at].block
        following = [each for each in following if each.block == block]
        steps: Iterable[Recomputed | None] = ()
        if following:
            steps = (
                self._spelled_out(one, following),
                self._from_to(figures, one, following),
                self._bracketed(one, following[0]),
                self._share(figures, one, following[0]),
            )
        yield from (step for step in steps if step is not None)

    def _between(self, one: TextOperand, other: TextOperand) -> str:
        return self.text[one.end : other.start]

    def _spelled_out(self, one: TextOperand, following: Sequence[TextOperand]) -> Recomputed | None:
        """A and B with an operator between them, and a result behind an equals sign or word."""
        if len(following) < 2:
            return None
        other, result = following[0], following[1]
        sign = _OPERATOR.fullmatch(self._between(one, other))
        if sign is None or _EQUALS.fullmatch(self._between(other, result)) is None:
            return None
        if result.relation not in ("absolute", "ratio") or self._is_part(one, result, following[2:]):
            return None
        operator = _OPERATORS[sign["op"]]
        if not self._dimensions_fit(operator, one, other, result):
            return None
        is_whole = operator != "/" and all(
            self.is_number(each) and is_in_full(each.number) for each in (one, other, result)
        )
        # eight cards are no 7.5, be what each of them has rounded or not
        inputs = {name: counted(each) if self.is_number(each) else each for name, each in (("a", one), ("b", other))}
        shown = f"{named(one)} {operator} {named(other)}"
        return self.judged(f"a {operator} b", result, inputs, shown=shown, is_exact=is_whole)

    def _is_part(self, one: TextOperand, result: TextOperand, behind: Sequence[TextOperand]) -> bool:
        """Whether a computation goes on before its first figure or behind its result: "2 + 3 + 4 = 9", "3 + 4 = 9 - 2"."""
        before = self.text[max(one.block[0], one.start - _REACH) : one.start]
        return _GOES_BEFORE.search(before) is not None or any(
            _OPERATOR.fullmatch(self._between(result, each)) for each in behind
        )

    def _from_to(
        self, figures: Sequence[TextOperand], one: TextOperand, following: Sequence[TextOperand]
    ) -> Recomputed | None:
        """A change from A to B, with the one ratio that appears in the same sentence."""
        other = following[0]
        ratio = self._only_ratio(figures, one, other) if self._is_change(one, other) else None
        if ratio is None:
            return None
        done = self.ratio(ratio, after=other, before=one)
        is_of_another = _OF_ANOTHER.search(self.text[max(0, ratio.start - 24) : ratio.start]) is not None
        return None if is_of_another and done is not None and not done.fits else done

    def _only_ratio(self, figures: Sequence[TextOperand], one: TextOperand, other: TextOperand) -> TextOperand | None:
        """The ratio of a sentence with two more figures.

        With a third figure or a second ratio the sentence says two things, and which belong together is a guess.
        """
        low, high = self._sentence(one.start, other.end)
        inside = [each for each in figures if low <= each.start and each.end <= high]
        near = [each for each in inside if each.block == one.block and _is_near(each, one, other)]
        ratios = [each for each in near if each.relation in RATIOS]
        absolutes = [each for each in inside if each.relation not in RATIOS]
        return ratios[0] if len(ratios) == 1 and len(absolutes) == 2 else None

    def _is_change(self, one: TextOperand, other: TextOperand) -> bool:
        """Whether the words around two figures of one kind say "from A to B"."""
        before = self.text[max(0, one.start - 24) : one.start]
        if _FROM.search(before) is None or _FROM_TO.fullmatch(self._between(one, other)) is None:
            return False
        return self.same_kind(one, other)

    def ratio(
        self, result: TextOperand, *, after: TextOperand, before: TextOperand, is_multiple: bool = False
    ) -> Recomputed | None:
        """A ratio of two figures: it fits if it does in one of the readings that its print allows.

        With `is_multiple` it is that many times the one before, as in "twice as much".
        """
        before = self._in_scale_of(after, before)
        shown = f"{named(after)} against {named(before)}"
        read = {
            name: replace(one, number=as_printed(one.number, result.number))
            for name, one in (("a", after), ("b", before))
        }
        tried: list[Recomputed | None] = []
        for formula, relation in readings(result.number, result.relation, is_multiple=is_multiple):
            done = self.judged(formula, result, read, shown=shown, relation=relation)
            if done is not None and done.fits:
                return done
            tried.append(done)
        return tried[0] if None not in tried else None  # one reading against which nothing speaks is enough

    def _in_scale_of(self, after: TextOperand, before: TextOperand) -> TextOperand:
        """The figure before in the scale of the one after, where that is printed once: "from 10 to 14 billion"."""
        one, other = before.number, after.number
        if one is None or other is None or one.scale != 1 or other.scale < _SMALLEST_SCALE or not one.value:
            return before
        if isinstance(one.value, tuple) or isinstance(other.value, tuple):
            return before
        # "from 500 to 2 million" means 500, since nobody says "from 500 million to 2 million" so
        if not Fraction(1, _SAME_SCALE) <= other.value / other.scale / one.value <= _SAME_SCALE:
            return before
        scaled = with_inserted_scale(before.printed, round(math.log10(other.scale)))
        try:
            return replace(before, printed=scaled, number=read_printed(scaled, unit=before.unit, table=self.units))
        except KgError:
            return before

    def _bracketed(self, one: TextOperand, other: TextOperand) -> Recomputed | None:
        """The same amount twice, in two units of one kind, the second in brackets."""
        if (
            _IN_BRACKETS.fullmatch(self._between(one, other)) is None
            or one.unit == other.unit
            or self.is_number(one)  # 36 superchips are 72 GPUs: counts of different things do not convert
            or not self.same_kind(one, other)
            or one.relation != "absolute"
            or other.relation != "absolute"
            # with more words in the brackets it is not the same amount printed again
            or re.match(rf"{_UNIT}\s*\)", self.text[other.end : other.end + 40]) is None
        ):
            return None
        return self.judged("a", other, {"a": one}, shown=f"{named(one)} in {other.unit}")

    def _share(self, figures: Sequence[TextOperand], one: TextOperand, other: TextOperand) -> Recomputed | None:
        """A of B with the percentage that this is, in brackets before or behind."""
        if (
            _OF.fullmatch(self._between(one, other)) is None
            or one.relation != "absolute"
            or other.relation != "absolute"
        ):
            return None
        if not self.same_kind(one, other):
            return None
        behind = next((each for each in figures if each.start >= other.end), None)
        if behind is None or behind.number is None or behind.number.unit != "%" or behind.block != one.block:
            return None
        if re.fullmatch(rf"{_UNIT}(?:\s[A-Za-z-]+){{0,2}}\s*\(\s*", self._between(other, behind)) is None:
            return None
        return self.judged(
            "a / b", behind, {"a": one, "b": other}, shown=f"{named(one)} of {named(other)}", relation="share-of"
        )

    def _sentence(self, start: int, end: int) -> tuple[int, int]:
        """Where the sentence around a stretch begins and ends."""
        before = max((self.text.rfind(sign, 0, start) for sign in (". ", "; ", "\n", "? ", "! ")), default=-1)
        after = [found for sign in (". ", "; ", "\n", "? ", "! ") if (found := self.text.find(sign, end)) >= 0]
        return before + 1, min(after, default=len(self.text))

    def _dimensions_fit(self, operator: str, one: TextOperand, other: TextOperand, result: TextOperand) -> bool:
        """Whether the kinds of quantity can give that of the result: a sum of one kind, a multiple or part of one thing."""
        if operator in "+-":
            return self.same_kind(one, other) and self.same_kind(one, result)
        if operator == "*":
            pairs = ((one, other), (other, one))
            is_bare = one.unit in (None, "1") and other.unit is None and self.is_number(result)  # 8 x 9 = 72 GPUs
            return is_bare or any(self.same_kind(each, result) and self.is_number(number) for each, number in pairs)
        if self.is_number(result):
            return self.same_kind(one, other)
        return self.same_kind(one, result) and self.is_number(other)

    @staticmethod
    def is_number(one: TextOperand) -> bool:
        """A bare number, or a count of things."""
        return one.unit in (None, "1") or str(one.unit).startswith(COUNT_PREFIX)

    def are_counts(self, *figures: TextOperand) -> bool:
        """Whether all are whole numbers, with or without what they count, that are printed in full."""
        return all(self.is_number(one) and is_in_full(one.number) for one in figures)

    def same_kind(self, one: TextOperand, other: TextOperand) -> bool:
        """Whether two figures are of one kind of quantity."""
        try:
            kinds = {self.units.kind(each.unit) if each.unit else None for each in (one, other)}
        except KgError:
            return False
        return len(kinds) == 1

    def judged(
        self,
        formula: str,
        result: TextOperand,
        inputs: Mapping[str, TextOperand],
        *,
        shown: str,
        relation: str | None = None,
        is_exact: bool = False,
    ) -> Recomputed | None:
        """What the audit says of one computation; None where it cannot be compared.

        One of whole numbers is exact: nothing is rounded in "64 x 8 = 521".
        """
        read = self._quantity("result", result, relation or result.relation)
        given = {name: self._quantity(name, one, "absolute") for name, one in inputs.items()}
        if read is None or any(one is None for one in given.values()):
            return None
        try:
            verdict = judge(CheckedDerivation(formula), read, given)
        except KgError:
            return None
        # zeros at the end of a print may be rounding: the wide bounds take them so
        if verdict.verdict in FITTING or verdict.wide_fits:
            return Recomputed(result.start, shown, True, f"recomputes within the text: {shown}")
        if not is_exact and is_within_hedge(result.number, read.relation, read.value, verdict.computed):
            return None
        return self._not_fitting(result, read, verdict, shown)

    def _not_fitting(
        self, result: TextOperand, read: ExplainedQuantity, verdict: Verdict, shown: str
    ) -> Recomputed | None:
        """What a computation gives instead, and why perhaps; None where it says nothing against the figure."""
        if verdict.verdict != "inconsistent" or verdict.computed is None:
            return None
        value = _shown(read, verdict.computed, result.unit)
        causes = [one.text for one in verdict.explanations if result.unit or one.code != "factor.1024"]
        cause = f"; {causes[0]}" if causes else ""  # a number without a unit has no prefix that could be mixed up
        return Recomputed(result.start, shown, False, f"does not recompute: {shown} gives {value}{cause}", value)

    def _quantity(self, label: str, one: TextOperand, relation: str) -> ExplainedQuantity | None:
        number = narrowed(one.number, relation) if label == "result" and one.number is not None else one.number
        if number is None or isinstance(number.value, tuple):
            return None
        try:
            return ExplainedQuantity.from_printed(label, number, table=self.units, relation=relation)  # type: ignore[arg-type]
        except KgError:
            return ExplainedQuantity.constant(label, number.value) if number.unit is None else None


def counted(one: TextOperand) -> TextOperand:
    """A number of things without room for rounding."""
    return replace(one, number=as_count(one.number))


def named(one: TextOperand) -> str:
    """A figure with its unit."""
    if one.unit in (None, "1") or any(sign.isalpha() or sign in "$%¥€" for sign in one.printed):
        return one.printed
    return f"{one.printed} {str(one.unit).removeprefix(COUNT_PREFIX)}"


def _shown(read: ExplainedQuantity, computed: Fraction, unit: str | None) -> str:
    """The right value as the result is printed."""
    value = read.as_printed(Interval.exactly(computed)).lower
    plain = float(value if value is not None else computed)
    digits = f"{plain:,.4g}" if abs(plain) < 1e4 else f"{plain:,.0f}"
    if unit in (None, "1"):
        return f"{digits}x" if read.relation in RATIOS else digits
    return f"{digits} {str(unit).removeprefix(COUNT_PREFIX)}"
