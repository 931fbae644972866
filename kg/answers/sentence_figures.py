"""The figures of a text sentence by sentence, and the words before, between and behind them."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.answers.text_arithmetic import RATIOS, Recomputed, TextArithmetic, TextOperand, counted
from kg.model.units import COUNT_PREFIX

ABOUT: Final = r"(?:\s*(?:only|just|about|roughly|nearly|almost|some|around|approximately|~|≈))?\s*"
"""What goes before a figure and changes nothing of it."""
UNIT: Final = r"(?:\s?[A-Za-zµ%°][A-Za-zµ/%·²³_-]{0,15}){0,4}?"
"""Behind a figure: its unit, and words that belong to it."""
_SEVERAL_WITH: Final = re.compile(
    rf"\b(?!consists\b)[A-Za-z]+s,?\s(?:each\s)?(?:with|of|having|holding|containing){ABOUT}$", re.IGNORECASE
)
"""Before a count of what is in each of several things: "two racks of 72 GPUs"."""
# ends at "72 GPUs. The"; not behind "vs.", "ca." and "approx."
_SENTENCE_END: Final = re.compile(r"(?<!\bvs)(?<!\bca)(?<!\bapprox)[.;?!](?=\s)")


@dataclass(frozen=True, slots=True)
class SentenceFigures:
    """The figures of one sentence, in order, and those of the sentence before it in the same paragraph."""

    figures: tuple[TextOperand, ...]
    earlier: tuple[TextOperand, ...]

    @property
    def ratios(self) -> list[TextOperand]:
        """The figures that compare."""
        return [one for one in self.figures if one.relation in RATIOS]

    @property
    def amounts(self) -> list[TextOperand]:
        """The figures that do not."""
        return [one for one in self.figures if one.relation not in RATIOS]


@dataclass(frozen=True, slots=True)
class SentenceReader:
    """The sentences of one text, with what their words say around figures."""

    base: TextArithmetic

    @property
    def text(self) -> str:
        """The text that the sentences are of."""
        return self.base.text

    def sentences(self, operands: Sequence[TextOperand]) -> Iterator[SentenceFigures]:
        """The sentences that hold figures, paragraph by paragraph."""
        blocks: dict[tuple[int, int], list[TextOperand]] = defaultdict(list)
        for one in sorted(operands, key=lambda one: one.start):
            if one.number is not None:
                blocks[one.block].append(one)
        for (start, end), figures in blocks.items():
            cuts = [match.end() for match in _SENTENCE_END.finditer(self.text, start, end)]
            held: dict[int, list[TextOperand]] = defaultdict(list)
            for one in figures:
                held[bisect_right(cuts, one.start)].append(one)
            for at in sorted(held):
                yield SentenceFigures(tuple(held[at]), tuple(held.get(at - 1, ())))

    def between(self, one: TextOperand, other: TextOperand) -> str:
        """The words from one figure to another."""
        return self.text[one.end : other.start]

    def behind(self, one: TextOperand) -> str:
        """The words that follow a figure."""
        return self.text[one.end : one.end + 60]

    def before(self, one: TextOperand) -> str:
        """The words of the same paragraph that lead to a figure."""
        return self.text[max(one.block[0], one.start - 60) : one.start]

    def is_nested(self, sentence: SentenceFigures, count: TextOperand) -> bool:
        """Whether a count is that of each of several things: two racks with 72 GPUs have more than 72."""
        if _SEVERAL_WITH.search(self.before(count)) is not None:
            return True
        earlier = [one for one in sentence.figures if one.end <= count.start]
        if not earlier or earlier[-1].relation != "absolute":
            return False
        unit = str(earlier[-1].unit)
        return unit.startswith(COUNT_PREFIX) and unit != count.unit

    def of_kind(self, figures: Sequence[TextOperand], like: TextOperand) -> list[TextOperand]:
        """Those figures that are of the kind of quantity of another."""
        return [one for one in figures if self.base.same_kind(one, like)]


def with_one_unit(one: TextOperand, other: TextOperand) -> tuple[TextOperand, TextOperand]:
    """Two figures of which one prints the unit of both: "100 against 300 tokens/s"."""
    if one.unit is None and other.unit is not None:
        return in_unit(one, other.unit), other
    if other.unit is None and one.unit is not None:
        return one, in_unit(other, one.unit)
    return one, other


def size_of(one: TextOperand) -> float:
    """What figures are sorted by: the value, of a range the lower one."""
    value = one.number.value if one.number is not None else None
    return float(value[0] if isinstance(value, tuple) else value or 0)


def summed(
    arithmetic: TextArithmetic, parts: Sequence[TextOperand], total: TextOperand, shown: str
) -> Recomputed | None:
    """What the sum of some figures says of the total that is printed; numbers of things are added exactly."""
    is_exact = total.unit is not None and arithmetic.are_counts(*parts, total)
    inputs = {f"a{number}": counted(one) if is_exact else one for number, one in enumerate(parts)}
    return arithmetic.judged(" + ".join(inputs), total, inputs, shown=shown, is_exact=is_exact)


def exactly(one: TextOperand) -> TextOperand:
    """A figure whose zeros at the end are meant."""
    number = one.number
    return replace(one, number=number and replace(number, wide_lower=number.lower, wide_upper=number.upper))


def in_unit(one: TextOperand, unit: str | None) -> TextOperand:
    """The same figure read in another unit."""
    return replace(one, unit=unit, number=one.number and replace(one.number, unit=unit))
