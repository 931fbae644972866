"""Small arithmetic expressions over named inputs: ``total / accelerators``, ``(after - before) / before``.

Parsed by recursive descent with limits on length and depth; nothing is ever executed as code. Evaluated exactly, on
numbers or on intervals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Literal

from kg.errors import ModelError
from kg.model.exact import MOST_POWER
from kg.model.interval import Interval

MAX_LENGTH = 500
MAX_DEPTH = 40
MAX_CORNER_NAMES = 8
MAX_TERMS = 200
_LARGEST = 10 ** (2 * MOST_POWER)

# Meets numbers, names and signs with the space before them; `1.5x` and `1.2.3` begin no token, so
# that they are refused.
_TOKEN = re.compile(r"\s*(?:(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?![\w.]))|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/()]))")
Operator = Literal["+", "-", "*", "/"]

# A sum of products: the names multiplied in each term, with its factor.
_Terms = dict[tuple[str, ...], Fraction]
_UNIT: _Terms = {(): Fraction(1)}


class ExpressionError(ModelError):
    """An expression that cannot be read, or a value it needs that is not there."""

    code = "model.expression"


class DivisionByZero(ExpressionError):
    """A divisor that is zero exactly as printed."""

    code = "model.division-by-zero"


class _NotLinear(Exception):
    """Some name would stand twice in one term; never leaves this module."""


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class ExpressionName:
    """A named input."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands joined by an operator; a leading minus is zero minus its operand."""

    operator: Operator
    left: Node
    right: Node


Node = Number | ExpressionName | Operation


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression.

    >>> share = Expression.parse("(after - before) / before")
    >>> share.names
    ('after', 'before')
    >>> share.evaluate({"after": Fraction(54), "before": Fraction(34)})
    Fraction(10, 17)
    >>> share.evaluate_intervals({"after": Interval(Fraction(3), Fraction(4)), "before": Interval.exactly(2)})
    Interval('0.5', '1')
    """

    text: str
    root: Node
    occurrences: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The named inputs as often as they are named."""
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The named inputs, each once, in order of appearance."""

    def __post_init__(self) -> None:
        occurrences = tuple(_names(self.root))
        object.__setattr__(self, "occurrences", occurrences)
        object.__setattr__(self, "names", tuple(dict.fromkeys(occurrences)))

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Read an expression; a mistake names its position."""
        if len(text) > MAX_LENGTH:
            raise ExpressionError(f"is longer than {MAX_LENGTH} characters.", given=f"{text[:20]}…", field="expression")
        return _parsed(text)

    def evaluate(self, values: Mapping[str, Fraction]) -> Fraction:
        """The exact value for exact inputs; raises DivisionByZero, and ExpressionError where an input is missing or
        the value is beyond 1e200."""
        return _in_reach(_evaluate(self.root, values))

    def evaluate_intervals(self, values: Mapping[str, Interval]) -> Interval:
        """All values the expression can take while each input moves within its own interval.

        Plain interval arithmetic treats a name that occurs twice as two inputs and comes out too wide. An expression
        that is a quotient of terms linear in each name rises or falls with each of them, regardless of the others, so
        that its values at the corners of the box hold its exact ends. Raises ExpressionError as `evaluate` does, but
        for a division by zero, which leaves no ends.
        """
        found = self._interval(values)
        for end in (found.lower, found.upper):
            if end is not None:
                _in_reach(end)
        return found

    def _interval(self, values: Mapping[str, Interval]) -> Interval:
        plain = _evaluate_interval(self.root, values)
        boxes = [values[name] for name in self.names]
        # Where each name stands once plain arithmetic is exact already; without ends there are no
        # corners.
        if (
            len(self.occurrences) == len(boxes)
            or len(boxes) > MAX_CORNER_NAMES
            or not all(box.is_bounded for box in boxes)
        ):
            return plain
        try:
            above, below = _as_linear_quotient(self.root)
        except _NotLinear:
            return plain
        ends = [[end for end in (box.lower, box.upper) if end is not None] for box in boxes]
        corners = [dict(zip(self.names, corner, strict=True)) for corner in product(*ends)]
        divisors = [_sum_terms(below, corner) for corner in corners]
        # Between corners with divisors of both signs the quotient has no end.
        if min(divisors) <= 0 <= max(divisors):
            return plain
        found = [_sum_terms(above, corner) / divisor for corner, divisor in zip(corners, divisors, strict=True)]
        return Interval(min(found), max(found))

    def as_quotient(self) -> tuple[Node, Node] | None:
        """Numerator and divisor where the outermost operation is a division, else None."""
        root = self.root
        return (root.left, root.right) if isinstance(root, Operation) and root.operator == "/" else None

    def __str__(self) -> str:
        return self.text


class _Parser:
    """Recursive descent: sums of products of factors."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0
        self.token: str | None = None
        self.kind: str | None = None
        self.start = 0
        self.advance()

    def advance(self) -> None:
        self.start = len(self.text) - len(self.text[self.position :].lstrip())
        if self.start == len(self.text):
            self.token = self.kind = None
            return
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            raise self.mistake(self.text[self.start], "a name, a number, + - * / or a parenthesis")
        self.token, self.kind, self.position = match.group().strip(), match.lastgroup, match.end()

    def mistake(self, given: str | None, expected: str) -> ExpressionError:
        what = f"at position {self.start + 1} of {self.text!r} does not belong there."
        if given is None:
            return ExpressionError(f"{self.text!r} ends too early.", field="expression", expected=expected)
        return ExpressionError(what, field="expression", given=given, expected=expected)

    def parse(self) -> Node:
        node = self.sum()
        if self.token is not None:
            raise self.mistake(self.token, "an operator or the end")
        return node

    def sum(self) -> Node:
        node = self.product()
        while self.token == "+" or self.token == "-":
            operator: Operator = "+" if self.token == "+" else "-"
            self.advance()
            node = Operation(operator, node, self.product())
        return node

    def product(self) -> Node:
        node = self.factor()
        while self.token == "*" or self.token == "/":
            operator: Operator = "*" if self.token == "*" else "/"
            self.advance()
            node = Operation(operator, node, self.factor())
        return node

    def factor(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"is nested deeper than {MAX_DEPTH}.", field="expression", given=self.text)
        token, kind = self.token, self.kind
        if token is None or token in (")", "*", "/", "+"):
            raise self.mistake(token, "a name, a number or an opening parenthesis")
        self.advance()
        node: Node
        if kind == "number":
            node = Number(Fraction(token))
        elif kind == "name":
            node = ExpressionName(token)
        elif token == "-":
            node = Operation("-", Number(Fraction(0)), self.factor())
        else:
            node = self.sum()
            if self.token != ")":
                raise self.mistake(self.token, "a closing parenthesis")
            self.advance()
        self.depth -= 1
        return node


@lru_cache(maxsize=1 << 12)
def _parsed(text: str) -> Expression:
    """The few forms of expressions are written again and again, with the same names."""
    return Expression(text, _Parser(text).parse())


def _names(node: Node) -> Iterator[str]:
    if isinstance(node, ExpressionName):
        yield node.name
    elif isinstance(node, Operation):
        yield from _names(node.left)
        yield from _names(node.right)


def _missing(name: str) -> ExpressionError:
    return ExpressionError("has no value.", field="inputs", given=name, next_step="Name it among the inputs.")


def _in_reach(value: Fraction) -> Fraction:
    """A value that can be written as a double, also next to the smallest figure."""
    if abs(value.numerator) > _LARGEST * value.denominator:
        raise ExpressionError(f"gives more than 1e{2 * MOST_POWER}.", field="expression")
    return value


def _evaluate(node: Node, values: Mapping[str, Fraction]) -> Fraction:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, ExpressionName):
        if node.name not in values:
            raise _missing(node.name)
        return values[node.name]
    left, right = _evaluate(node.left, values), _evaluate(node.right, values)
    match node.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            if right == 0:
                raise DivisionByZero("divides by zero.", field="expression")
            return left / right


def _evaluate_interval(node: Node, values: Mapping[str, Interval]) -> Interval:
    if isinstance(node, Number):
        return Interval.exactly(node.value)
    if isinstance(node, ExpressionName):
        if node.name not in values:
            raise _missing(node.name)
        return values[node.name]
    return _combine(node.operator, _evaluate_interval(node.left, values), _evaluate_interval(node.right, values))


def _combine(operator: Operator, left: Interval, right: Interval) -> Interval:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right


def _as_linear_quotient(node: Node) -> tuple[_Terms, _Terms]:
    """The expression as one quotient of sums in which no term has a name twice; raises _NotLinear if it has none."""
    if isinstance(node, Number):
        return {(): node.value}, _UNIT
    if isinstance(node, ExpressionName):
        return {(node.name,): Fraction(1)}, _UNIT
    (left, left_below), (right, right_below) = _as_linear_quotient(node.left), _as_linear_quotient(node.right)
    match node.operator:
        case "*":
            return _multiply_terms(left, right), _multiply_terms(left_below, right_below)
        case "/":
            return _multiply_terms(left, right_below), _multiply_terms(left_below, right)
        case "+" | "-" if left_below == right_below:
            return _add_terms(left, right, node.operator), left_below
        case "+" | "-":
            left, right = _multiply_terms(left, right_below), _multiply_terms(right, left_below)
            return _add_terms(left, right, node.operator), _multiply_terms(left_below, right_below)


def _multiply_terms(left: _Terms, right: _Terms) -> _Terms:
    terms: _Terms = {}
    for (a, x), (b, y) in product(left.items(), right.items()):
        names = tuple(sorted((*a, *b)))
        if len(set(names)) < len(names) or len(terms) > MAX_TERMS:
            raise _NotLinear
        terms[names] = terms.get(names, Fraction(0)) + x * y
    return terms


def _add_terms(left: _Terms, right: _Terms, operator: Operator) -> _Terms:
    terms = dict(left)
    for names, factor in right.items():
        terms[names] = terms.get(names, Fraction(0)) + (factor if operator == "+" else -factor)
    return terms


def _sum_terms(terms: _Terms, values: Mapping[str, Fraction]) -> Fraction:
    return sum((factor * prod(values[name] for name in names) for names, factor in terms.items()), Fraction(0))
