"""Dimensions of units and of expressions over them: what may be computed, and the exact factor that a result needs.

A dimension is a product of base units: second, joule, byte, metre, a currency, and one for each thing that is counted by name
in a unit (token, sample, query, result, FLOP). Plain counts, parameters, ratios and percentages have none: dividing by
72 accelerators changes what a figure is of, not its unit. What a compound unit is made of is read from its id (`USD/h`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kg.errors import ModelError
from kg.model.expression import Expression, ExpressionName, Node, Number, Operation
from kg.model.units import COUNT_PREFIX, UnitTable

_BASES: Final[Mapping[str, tuple[Fraction, Mapping[str, int]]]] = {
    "s": (Fraction(1), {"s": 1}),
    "J": (Fraction(1), {"J": 1}),
    "W": (Fraction(1), {"J": 1, "s": -1}),
    "Hz": (Fraction(1), {"s": -1}),
    "byte": (Fraction(1), {"byte": 1}),
    "bit": (Fraction(1, 8), {"byte": 1}),
    "m": (Fraction(1), {"m": 1}),
    "m2": (Fraction(1), {"m": 2}),
    "USD": (Fraction(1), {"USD": 1}),
    "CNY": (Fraction(1), {"CNY": 1}),
    "token": (Fraction(1), {"token": 1}),
    "sample": (Fraction(1), {"sample": 1}),
    "query": (Fraction(1), {"query": 1}),
    "result": (Fraction(1), {"result": 1}),
    "FLOP": (Fraction(1), {"FLOP": 1}),
    "parameter": (Fraction(1), {}),
    "count": (Fraction(1), {}),
    "1": (Fraction(1), {}),
    "%": (Fraction(1, 100), {}),
    "pp": (Fraction(1, 100), {}),
}
"""The units that others are made of: their factor to the base units, and the exponents of those."""


class WrongDimension(ModelError):
    """An expression whose parts, or whose result, have other dimensions than they must."""

    code = "model.dimension"


@dataclass(frozen=True, slots=True)
class Dimension:
    """A factor to the base units, and the exponent of each of them; exponents of zero are left out."""

    factor: Fraction
    exponents: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, factor: Fraction, exponents: Mapping[str, int]) -> Dimension:
        """Sorted, without what cancels."""
        return cls(factor, tuple(sorted((base, power) for base, power in exponents.items() if power)))

    def times(self, other: Dimension, power: int = 1) -> Dimension:
        """The product with a power of another."""
        exponents = dict(self.exponents)
        for base, given in other.exponents:
            exponents[base] = exponents.get(base, 0) + power * given
        return Dimension.of(self.factor * other.factor**power, exponents)

    def __str__(self) -> str:
        above = [_power(base, power) for base, power in self.exponents if power > 0]
        below = [_power(base, -power) for base, power in self.exponents if power < 0]
        return "/".join([" ".join(above) or "1", *below])


NUMBER: Final = Dimension(Fraction(1), ())


def _power(base: str, power: int) -> str:
    return base if power == 1 else f"{base}^{power}"


class Dimensions:
    """The dimensions of the units of one table."""

    def __init__(self, units: UnitTable) -> None:
        self._units = units
        self._known: dict[str, Dimension | None] = {}

    def of(self, unit: str) -> Dimension | None:
        """The dimension of the canonical unit of the kind of a unit; None for dates, temperatures and what is not known."""
        if unit.startswith(COUNT_PREFIX):
            return NUMBER
        if unit not in self._known:
            self._known[unit] = self._read(self._units.canonical(unit).id)
        return self._known[unit]

    def _read(self, canonical: str) -> Dimension | None:
        found = NUMBER
        for position, part in enumerate(canonical.split("/")):
            one = self._part(part)
            if one is None:
                return None
            found = found.times(one, -1 if position else 1)
        return found

    def _part(self, name: str) -> Dimension | None:
        base = _BASES.get(name)
        if base is not None:
            return Dimension.of(*base)
        # A unit that is no base itself (`kWh`) is its factor times the base of its kind.
        unit = self._units.find(name)
        known = _BASES.get(self._units.canonical(name).id) if unit is not None else None
        return None if unit is None or known is None else Dimension.of(unit.factor * known[0], known[1])


def dimension_of(expression: Expression, inputs: Mapping[str, Dimension]) -> Dimension:
    """The dimension of an expression; raises WrongDimension where things are added that cannot be.

    >>> hour, second = Dimension.of(Fraction(1, 3600), {"USD": 1, "s": -1}), Dimension.of(Fraction(1), {"token": 1, "s": -1})
    >>> found = dimension_of(Expression.parse("rent / rate"), {"rent": hour, "rate": second})
    >>> str(found), found.factor
    ('USD/token', Fraction(1, 3600))
    """
    return _walk(expression.root, inputs)


def _walk(node: Node, inputs: Mapping[str, Dimension]) -> Dimension:
    if isinstance(node, Number):
        return NUMBER
    if isinstance(node, ExpressionName):
        return inputs[node.name]
    left, right = _walk(node.left, inputs), _walk(node.right, inputs)
    if node.operator == "*":
        return left.times(right)
    if node.operator == "/":
        return left.times(right, -1)
    # Zero has any dimension: `-x` is read as zero minus x.
    if _is_zero(node.left):
        return right
    if left.exponents != right.exponents or left.factor != right.factor:
        raise WrongDimension(f"{left} and {right} cannot be added.", given=str(right), expected=str(left))
    return left


def _is_zero(node: Node) -> bool:
    """Whether a node is the zero that a leading minus is subtracted from."""
    return isinstance(node, Number) and node.value == 0


_PER: Final[Mapping[str, Dimension]] = {
    "per-watt": Dimension.of(Fraction(1), {"J": 1, "s": -1}),
    "per-dollar": Dimension.of(Fraction(1), {"USD": 1}),
    "per-token": Dimension.of(Fraction(1), {"token": 1}),
    "per-million-tokens": Dimension.of(Fraction(10**6), {"token": 1}),
    "per-gb": Dimension.of(Fraction(10**9), {"byte": 1}),
    # A mean month of the Gregorian calendar in seconds: 365.2425 days of 86,400 by 12.
    "per-month": Dimension.of(Fraction(2629746), {"s": 1}),
    "per-gpu-hour": Dimension.of(Fraction(3600), {"s": 1}),
}
"""What a normaliser divides by where the unit does not say so; the others divide by a plain count."""


def normalised(dimension: Dimension, normalisers: Iterable[str]) -> Dimension:
    """The dimension of a figure with what its normalisers divide it by.

    >>> str(normalised(Dimension.of(Fraction(1), {"USD": 1}), ["per-million-tokens", "per-chip"]))
    'USD/token'
    """
    for name in normalisers:
        if name in _PER:
            dimension = dimension.times(_PER[name], -1)
    return dimension


def literals(expression: Expression) -> frozenset[Fraction]:
    """The numbers that an expression writes out, such as a factor of conversion."""
    return frozenset(_literals(expression.root))


def _literals(node: Node) -> Iterator[Fraction]:
    if isinstance(node, Number):
        yield node.value
    elif isinstance(node, Operation):
        yield from _literals(node.left)
        yield from _literals(node.right)
