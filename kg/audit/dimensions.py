"""Whether the formula of a derivation fits the units of its inputs and of its result, and the exact factor between them.

`kg.audit.recompute` asks it for every derivation; where the dimensions do not fit it raises `WrongDimension`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kg.audit.claim_links import Lookup
from kg.audit.normalisers import normalisers
from kg.model.dimension import NUMBER, Dimension, Dimensions, WrongDimension, dimension_of, literals, normalised
from kg.model.expression import Expression
from kg.model.recorded import ClaimRecord, DerivationInputRecord, DerivationRecord
from kg.model.units import UnitTable
from kg.model.vocabulary import RATIO_RELATIONS

Sides = tuple[Mapping[str, Dimension], Dimension]


@dataclass(slots=True)
class FormulaCheck:
    """Holds formulas against units; `claim` gives the record of an id, or None."""

    units: UnitTable
    claim: Lookup
    _dimensions: Dimensions | None = field(default=None, repr=False, compare=False)
    _found: dict[Any, Fraction | WrongDimension] = field(default_factory=dict, repr=False, compare=False)
    """The factor or the error of each formula by its units: tables repeat a few of them row by row."""

    def factor(self, record: ClaimRecord, given: DerivationRecord) -> Fraction:
        """What the formula is multiplied with to be in the canonical unit of the result, remembered by its units."""
        key = (
            given["expression"],
            _unit_key(record),
            *(self._input_key(name, one) for name, one in given["inputs"].items()),
        )
        if key not in self._found:
            try:
                self._found[key] = self._factor(record, given)
            # an error is kept as a result is: a column of such a formula
            # is refused once, not row by row
            except WrongDimension as cause:
                self._found[key] = cause
        found = self._found[key]
        if isinstance(found, WrongDimension):
            raise found
        return found

    def _input_key(self, name: str, used: DerivationInputRecord) -> tuple[Any, ...]:
        if "claim" in used:
            return name, _unit_key(self.claim(used["claim"]))
        # a constant may itself be the factor between two units, a count never is
        return name, used["unit"], None if used["unit"].startswith("count:") else used["constant"]

    def _factor(self, record: ClaimRecord, given: DerivationRecord) -> Fraction:
        """What the formula is multiplied with to be in the canonical unit of the result: 1/3600 for USD/h over token/s.

        One where a unit is not known, and where the formula writes the factor out itself. Raises WrongDimension where
        no factor leads from what the formula gives to what the result is.
        """
        # authors print a rate of one chip with and without the "per chip", so that both readings are tried
        plain, per = self._sides(record, given, per=False), self._sides(record, given, per=True)
        if plain is None or per is None:
            return Fraction(1)
        expression = Expression.parse(given["expression"])
        try:
            factor = _between(expression, *plain)
        except WrongDimension:
            # the second reading is the same formula: it has nothing to add
            if plain == per:
                raise
            factor = _between(expression, *per)
        return _left_out(factor, literals(expression) | _constants(given))

    def _sides(self, record: ClaimRecord, given: DerivationRecord, *, per: bool) -> Sides | None:
        """The dimensions of inputs and result; with `per` those that their normalisers mean. None where one is not known."""
        inputs: dict[str, Dimension] = {}
        for name, used in given["inputs"].items():
            other = self.claim(used["claim"]) if "claim" in used else None
            found = self._of_unit(used["unit"]) if "claim" not in used else self._of_claim(other, per=per)
            if found is None:
                return None
            inputs[name] = found
        result = self._of_claim(record, per=per)
        return None if result is None else (inputs, result)

    def _of_claim(self, record: ClaimRecord | None, *, per: bool) -> Dimension | None:
        if record is None:
            return None
        # canonical ratios are plain numbers, with no unit of their sides
        if record.get("relation") in RATIO_RELATIONS:
            return NUMBER
        unit = (record.get("quantity") or {}).get("unit")
        found = self._of_unit(unit) if unit is not None else None
        if found is None or not per:
            return found
        return normalised(found, normalisers(record))

    def _of_unit(self, unit: str) -> Dimension | None:
        if self._dimensions is None:
            self._dimensions = Dimensions(self.units)
        return self._dimensions.of(unit)


def unit_factor(
    expression: Expression, inputs: Mapping[str, str | None], result: str | None, units: UnitTable
) -> Fraction:
    """The factor of a formula whose inputs and result are in these units; one where a unit is not known."""
    known = Dimensions(units)
    found = {name: one for name, unit in inputs.items() if unit is not None and (one := known.of(unit)) is not None}
    whole = known.of(result) if result is not None else None
    if whole is None or any(name not in found for name in expression.names):
        return Fraction(1)
    return _left_out(_between(expression, found, whole), literals(expression))


def _left_out(factor: Fraction, written: frozenset[Fraction]) -> Fraction:
    # a formula that writes the 3600 out, or divides by it, has converted already
    return Fraction(1) if factor in written or 1 / factor in written else factor


def _between(expression: Expression, inputs: Mapping[str, Dimension], result: Dimension) -> Fraction:
    found = dimension_of(expression, inputs)
    if found.exponents != result.exponents:
        raise WrongDimension(
            f"the formula gives {found}, the result is in {result}.", given=str(found), expected=str(result)
        )
    return found.factor / result.factor


def _unit_key(record: ClaimRecord | None) -> Any:
    """All that decides the dimension of a figure."""
    if record is None:
        return None
    unit = (record.get("quantity") or {}).get("unit")
    return unit, record.get("relation") in RATIO_RELATIONS, normalisers(record)


def _constants(given: DerivationRecord) -> frozenset[Fraction]:
    return frozenset(
        Fraction(str(used["constant"]))
        for used in given["inputs"].values()
        if isinstance(used.get("constant"), int | float) and not used["unit"].startswith("count:")
    )
