"""The slips that could have printed a result: a closed list of other ways to compute a number from the same inputs.

In go a derivation and what stands around it, out come hypotheses, each with the number that its slip would give;
`kg.audit.explanation` decides which of them may be believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal, get_args

from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.surroundings import Surroundings
from kg.audit.wording import grouped
from kg.model.expression import Expression, ExpressionError, ExpressionName, Node, Number, Operation
from kg.model.interval import Interval
from kg.model.printed import PrintedNumber
from kg.model.units import COUNT

# HGX and DGX servers hold 8, a GB200 tray holds 4.
USUAL_NODES = (8, 4)
USUAL_SUPERCHIPS = (2,)

# Written from the most to the least telling; a search that runs out of budget gives up the last ones.
ExplanationCode = Literal[
    "divisor.per-node",
    "divisor.nodes",
    "divisor.per-superchip",
    "percentage-points",
    "percent.of-ratio",
    "increment.as-ratio",
    "ratio.as-increment",
    "factor.1000",
    "factor.unit",
    "operands.swapped",
    "percent.other-base",
    "sparse.dense",
    "multi-card-total",
    "other.subject",
    "neighbour.value",
    "digits.transposed",
    "baseline.missing",
    "factor.1024",
    "divisor.other",
    "truncation",
]
CODES: tuple[ExplanationCode, ...] = get_args(ExplanationCode)
_CONVERSIONS = frozenset(map(Fraction, (24, 60, 365, 3600, 8760, 86400)))
"""Numbers that a formula writes out to get from one unit of time to another; other numbers in it are counts."""
_PLAIN = (None, "1", "%")
# Things that are counted in powers of two: 128k tokens are 131,072. No TFLOPS is one of 1024.
_BINARY_UNITS = frozenset({None, "byte", "byte/s", "token", "parameter", COUNT})


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A number that a slip would give; ``chance`` is set where the leading digits do not tell it."""

    code: ExplanationCode
    text: str
    point: Fraction
    interval: Interval
    target: Interval | None = None
    chance: Fraction | None = None


@dataclass(frozen=True, slots=True)
class SlipSearch:
    """The hypotheses on one result; `point` and `interval` are what its inputs give, as printed and as rounded."""

    expression: Expression
    result: ExplainedQuantity
    inputs: dict[str, ExplainedQuantity]
    surroundings: Surroundings
    point: Fraction
    interval: Interval
    factor: Fraction = Fraction(1)

    def evaluate(
        self, node: Node, inputs: dict[str, ExplainedQuantity] | None = None
    ) -> tuple[Fraction, Interval] | None:
        """Value and interval of a part of the expression in the unit of the result, or None where it has none."""
        expression, given = Expression("", node), self.inputs if inputs is None else inputs
        values = {name: q.value for name, q in given.items() if q.value is not None}
        try:
            point = expression.evaluate({name: values[name] for name in expression.names})
            interval = expression.evaluate_intervals({name: q.interval for name, q in given.items()})
        except (ExpressionError, KeyError):
            return None
        return (point, interval) if self.factor == 1 else (point * self.factor, interval.scaled(self.factor))

    def times(self, code: ExplanationCode, text: str, factor: Fraction | int) -> Hypothesis:
        return Hypothesis(code, text, self.point * factor, self.interval.scaled(factor))

    def hypotheses(self) -> Iterator[Hypothesis]:
        yield from self.divisors()
        yield from self.relations()
        yield from self.factors()
        yield from self.operands()
        yield from self.neighbours()
        yield from self.digits()

    def divisors(self) -> Iterator[Hypothesis]:
        """Another divisor than the stated count of things."""
        quotient = self.expression.as_quotient()
        if quotient is None or not _is_count(quotient[1], self.inputs):
            return
        total = self.evaluate(quotient[0])
        if total is None:
            return
        divided, but = self.divided_total(quotient[0]), self.instead_of(quotient[1])
        yield from self.known_divisors(divided, but, total)
        yield from self.other_divisors(divided, but, total)

    @property
    def node_sizes(self) -> tuple[int, ...]:
        """How many accelerators a node may have: the known number, else the usual ones."""
        known = self.surroundings.accelerators_per_node
        return USUAL_NODES if known is None else (known,)

    @property
    def superchip_sizes(self) -> tuple[int, ...]:
        """How many accelerators a superchip may have; none where the system is known to have no superchips (0)."""
        known = self.surroundings.accelerators_per_superchip
        if known is None:
            return USUAL_SUPERCHIPS
        return (known,) if known else ()

    def known_divisors(self, divided: str, but: str, total: tuple[Fraction, Interval]) -> Iterator[Hypothesis]:
        """The counts a system has in addition to that of its accelerators: of a node, of nodes, of a superchip."""
        per_node, nodes = self.surroundings.accelerators_per_node, self.surroundings.nodes
        for n in self.node_sizes:
            one_node = f"{'a usual number of' if per_node is None else 'the'} accelerators of one node"
            yield self.divided("divisor.per-node", f"{divided} by {n}, {one_node}{but}", total, n)
        if nodes is not None:
            yield self.divided("divisor.nodes", f"{divided} by the {nodes} nodes{but}", total, nodes)
        elif per_node is not None:
            # total / (accelerators / n) is n times the right value:
            # nodes need not be known for that
            yield self.times("divisor.nodes", f"divided by nodes of {per_node} accelerators", per_node)
        for n in self.superchip_sizes:
            yield self.times("divisor.per-superchip", f"divided by superchips of {n} accelerators", n)

    def other_divisors(self, divided: str, but: str, total: tuple[Fraction, Interval]) -> Iterator[Hypothesis]:
        """Any whole number that the printed result allows.

        Its chance is the width of the quotients in question: a figure of two digits allows many whole numbers, one of six
        at most one, so that only the second is evidence.
        """
        if self.result.lower is None or self.result.upper is None or not self.result.lower > 0 < total[0]:
            return
        ratio = total[1] / self.result.interval
        if ratio.width is None:
            return
        tried = {*self.node_sizes, self.surroundings.nodes}
        for n in whole_numbers(ratio):
            if n > 1 and n not in tried:
                # the known counts above have a better reason
                hypothesis = self.divided("divisor.other", f"{divided} by {n}{but}", total, n)
                yield replace(hypothesis, chance=ratio.width)

    def divided_total(self, total: Node) -> str:
        """What was divided, with grouped digits where it is one figure: the beginning of a sentence."""
        given = self.inputs.get(total.name) if isinstance(total, ExpressionName) else None
        shown = grouped(given.printed.text) if given is not None and given.printed is not None else "the total"
        return f"{shown} was divided"

    def instead_of(self, count: Node) -> str:
        """The end of that sentence: the count by which it should have been divided."""
        found = self.evaluate(count)
        whole = found is not None and found[0].denominator == 1
        return f", but the system has {int(found[0]):,} accelerators" if found is not None and whole else ""

    def divided(self, code: ExplanationCode, text: str, total: tuple[Fraction, Interval], n: int) -> Hypothesis:
        return Hypothesis(code, text, total[0] / n, total[1].scaled(Fraction(1, n)))

    def relations(self) -> Iterator[Hypothesis]:
        """One way of stating a comparison taken for another."""
        small, large = Fraction(1, 100), Fraction(100)
        match self.result.relation:
            case "increase":
                yield from self.change_mistaken(1)
            case "decrease":
                yield from self.change_mistaken(-1)
            case "ratio" | "share-of":
                change, ratio = self.change, (self.point, self.interval)
                mixed = "percent are printed as a ratio, or the reverse"
                yield _scaled("increment.as-ratio", "the change is printed as the ratio", change)
                yield _scaled("percent.of-ratio", mixed, ratio, large)
                yield _scaled("percent.of-ratio", mixed, ratio, small)
                yield _scaled("percent.of-ratio", "the change in percent is printed as a ratio", change, large)
            case "times-less" if self.point and self.point < 1:
                one = Interval.exactly(1)
                # "4 times less" is printed for "5 times less": canonically 1/4 for 1/5
                value, interval = 1 / (1 / self.point - 1), one / (one / self.interval - one)
                yield Hypothesis("increment.as-ratio", "the change is printed as the ratio", value, interval)
            # the canonical value is a hundredth of what is printed in percent
            case _ if self.prints_percent:
                yield self.times("percent.of-ratio", "a ratio is printed as percent", small)
                yield self.times("percent.of-ratio", "percent are printed as a ratio", large)

    @property
    def prints_percent(self) -> bool:
        """Whether the result is printed in percent."""
        return self.result.printed is not None and self.result.printed.unit == "%"

    @property
    def change(self) -> tuple[Fraction, Interval]:
        """By how much the computed ratio differs from 1, without its sign."""
        one = Interval.exactly(1)
        # results are printed without a sign: 0.4 lower and 0.4 higher print alike
        return (self.point - 1, self.interval - one) if self.point >= 1 else (1 - self.point, one - self.interval)

    def change_mistaken(self, sign: Literal[1, -1]) -> Iterator[Hypothesis]:
        """What a printed increase (1) or decrease (-1) may have been computed as."""
        one, small, ratio = Interval.exactly(1), Fraction(1, 100), (self.point, self.interval)

        def changed(code: ExplanationCode, text: str, part: tuple[Fraction, Interval], scale: Fraction) -> Hypothesis:
            # an increase of x is the ratio 1 + x: results are held against ratios
            plain = _scaled(code, text, part, scale)
            return replace(plain, point=1 + sign * plain.point, interval=one + plain.interval.scaled(sign))

        code: ExplanationCode = "percent.of-ratio" if self.prints_percent else "ratio.as-increment"
        yield changed(code, "the ratio itself is printed as the change", ratio, Fraction(1))
        yield changed("percent.of-ratio", "the change as a factor is printed as percent", self.change, small)
        yield changed("percent.of-ratio", "the ratio is printed as percent", ratio, small)
        if self.point:
            text = "the change is taken in percent of the other side"
            # (a - b) / a in place of (a - b) / b is 1 - 1 / r; as an increase
            # that is the ratio 1 + (1 - 1 / r)
            yield Hypothesis("percent.other-base", text, 2 - 1 / self.point, one + one - one / self.interval)
        if pair := self.percentages():
            text = "the difference of two percentages is printed as percent"
            yield Hypothesis("percentage-points", text, 1 + pair[0] / 100, one + pair[1].scaled(small))

    def percentages(self) -> tuple[Fraction, Interval] | None:
        """Upper minus lower part of a quotient of two percentages."""
        quotient = self.expression.as_quotient()
        if quotient is None or not all(
            isinstance(n, ExpressionName) and self.inputs[n.name].unit == "%" for n in quotient
        ):
            return None
        above, below = self.evaluate(quotient[0]), self.evaluate(quotient[1])
        return None if above is None or below is None else (above[0] - below[0], above[1] - below[1])

    def factors(self) -> Iterator[Hypothesis]:
        """A factor that got lost or was applied twice."""
        # prefixes differ by a thousand; two of them are skipped where peta is printed for giga
        for power in (3, -3, 6, -6):
            yield self.times("factor.1000", f"off by a factor of {10 ** abs(power):,}", Fraction(10) ** power)
        yield from self.unit_factors()
        if self.surroundings.may_be_sparse:
            yield self.times("sparse.dense", "the figure with sparsity is printed for the one without", 2)
            yield self.times("sparse.dense", "the figure without sparsity is printed for the one with", Fraction(1, 2))
        if self.surroundings.cards is not None:
            cards = self.surroundings.cards
            yield self.times("multi-card-total", f"the total of {cards} cards is printed for one", cards)
            yield self.times("multi-card-total", f"one of {cards} cards is printed for all", Fraction(1, cards))
        if self.result.unit in _BINARY_UNITS:
            for factor in (Fraction(1024), *(Fraction(1024, 1000) ** n for n in (1, 2, 3))):
                yield self.times("factor.1024", "units of 1024 and of 1000 are mixed", factor)
                yield self.times("factor.1024", "units of 1024 and of 1000 are mixed", 1 / factor)

    def unit_factors(self) -> Iterator[Hypothesis]:
        """A factor between units left out, or applied the other way round: the 3,600 of USD/h over token/s."""
        for factor in dict.fromkeys((self.factor, *_literal_factors(self.expression.root))):
            if factor <= 0 or factor == 1:
                continue
            size = max(factor, 1 / factor)
            # powers of ten are prefixes, which `factor.1000` tries
            if set(str(size)[1:]) <= {"0"}:
                continue
            shown = f"{int(size) if size.denominator == 1 else float(size):,}"
            done, instead = ("divided", "multiplied") if factor < 1 else ("multiplied", "divided")
            yield self.times("factor.unit", f"the factor {shown} between the units is left out", 1 / factor)
            text = f"{instead} by {shown}, the factor between the units, instead of {done}"
            # applied the other way round it is missing once and too much once
            yield self.times("factor.unit", text, 1 / factor**2)

    def operands(self) -> Iterator[Hypothesis]:
        """Operands exchanged, or one left out."""
        names, root = self.expression.names, self.expression.root
        text = "the operands are exchanged"
        if len(names) == 2:
            swapped = {names[0]: self.inputs[names[1]], names[1]: self.inputs[names[0]]}
            if found := self.evaluate(root, swapped):
                yield Hypothesis("operands.swapped", text, *found)
        elif self.expression.as_quotient() and self.point:
            yield Hypothesis("operands.swapped", text, 1 / self.point, Interval.exactly(1) / self.interval)
        quotient = self.expression.as_quotient()
        # what is divided by something in a unit has another unit than the result: no figure can be both
        if quotient and self.is_plain(quotient[1]) and (found := self.evaluate(quotient[0])):
            yield Hypothesis("baseline.missing", "the division is left out", *found)

    def is_plain(self, divisor: Node) -> bool:
        """Whether a divisor is a named number without a unit: a count, a ratio, or a figure of no known unit."""
        names = Expression("", divisor).names
        return bool(names) and all((q := self.inputs[name]).is_count or q.unit in _PLAIN for name in names)

    def neighbours(self) -> Iterator[Hypothesis]:
        """The figure of a neighbour, as the result or in place of an input."""
        around = self.surroundings
        for other in around.other_subjects:
            if other.value is not None:
                text = f"the figure is that of another subject: {other.label}"
                yield Hypothesis("other.subject", text, other.value, other.interval)
        for other in around.neighbours:
            if other.value is not None:
                text = f"the figure is the one printed next to it: {other.label}"
                yield Hypothesis("neighbour.value", text, other.value, other.interval)
        for name, other in around.input_neighbours:
            if found := self.evaluate(self.expression.root, {**self.inputs, name: other}):
                yield Hypothesis("neighbour.value", f"computed with {other.label} as {name}", *found)

    def digits(self) -> Iterator[Hypothesis]:
        """Two digits exchanged in the printed result, or zeros in place of digits that were cut off."""
        number = self.result.printed
        if number is None or isinstance(number.value, tuple) or not number.place or not number.value:
            return
        # a number word has no digits that could be exchanged
        if any(letter.isdigit() for letter in number.text):
            yield from self.exchanged_digits(number, number.value, number.place)
        if number.wide != number.interval and number.wide_upper is not None and number.value > 0:
            yield self.cut_off(number.value, number.wide_upper)

    def exchanged_digits(self, number: PrintedNumber, value: Fraction, place: Fraction) -> Iterator[Hypothesis]:
        """Each pair of unlike neighbouring digits exchanged."""
        # in units of the last place, so that a scale word adds no digits: 1.23 million has three
        units = value / place
        if units.denominator != 1:
            return
        width = len(str(max(number.scale / place, Fraction(1)).numerator))  # "0.12" has a digit before its point
        digits = str(abs(units.numerator)).rjust(width, "0")
        for i, (left, right) in enumerate(pairwise(digits)):
            if left != right:
                meant = int(digits[:i] + right + left + digits[i + 2 :]) * place * (1 if value > 0 else -1)
                text = f"{left} and {right} are exchanged in {number.text}"
                # the slip is on the printed side: the computed value must fit the
                # figure with its digits put back
                target = Interval.around(meant, place / 2)
                yield Hypothesis("digits.transposed", text, self.point, self.interval, target=target)

    def cut_off(self, value: Fraction, rounded_up: Fraction) -> Hypothesis:
        """The printed value as the lower end of one step of its last digit, which reaches twice as far as rounding does."""
        cut = Interval(value, value + (rounded_up - value) * 2)
        text = "the digits after the last printed one are cut off, not rounded"
        chance = (cut.width or Fraction(0)) / value
        return Hypothesis("truncation", text, self.point, self.interval, target=cut, chance=chance)


def _literal_factors(node: Node) -> Iterator[Fraction]:
    """The conversions written into a product or quotient, each as what it multiplies the rest with."""
    if isinstance(node, Number):
        if node.value in _CONVERSIONS:
            yield node.value
    elif isinstance(node, Operation) and node.operator in "*/":
        yield from _literal_factors(node.left)
        for value in _literal_factors(node.right):
            yield value if node.operator == "*" else 1 / value


def _scaled(
    code: ExplanationCode, text: str, part: tuple[Fraction, Interval], scale: Fraction = Fraction(1)
) -> Hypothesis:
    return Hypothesis(code, text, part[0] * scale, part[1].scaled(scale))


def whole_numbers(interval: Interval) -> tuple[int, ...]:
    """The whole numbers inside an interval, none if there are more than 20, one of which would fit by chance.

    >>> whole_numbers(Interval(Fraction("7.99"), Fraction("8.01"))), whole_numbers(Interval(None, Fraction(1)))
    ((8,), ())
    """
    if interval.lower is None or interval.upper is None:
        return ()
    first, last = -(-interval.lower // 1), interval.upper // 1
    return tuple(range(first, last + 1)) if last - first < 20 else ()


def _is_count(node: Node, inputs: dict[str, ExplainedQuantity]) -> bool:
    if isinstance(node, Number):
        return node.value not in _CONVERSIONS
    return isinstance(node, ExpressionName) and inputs[node.name].is_count
