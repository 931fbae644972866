"""The calculation behind a finding, laid out: printed inputs with their intervals, what they give, what is printed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from kg.answers.asking import Asker, Row, grouped, number, said, text
from kg.answers.claim import ClaimCard, read_cards, shown_figure
from kg.answers.findings import FindingCard
from kg.audit.derivation import RESTS_ON
from kg.audit.dimensions import unit_factor
from kg.audit.recompute import DerivationAudit
from kg.errors import KgError
from kg.model.expression import Expression
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord
from kg.model.units import UnitTable

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Operand:
    """One number of a calculation: a printed figure or a constant, and all values it means."""

    name: str
    shown: str
    unit: str | None
    interval: Interval | None
    claim: str | None
    why: str | None


@dataclass(frozen=True, slots=True)
class Calculation:
    """One computation of one claim, in canonical units."""

    claim: str
    expression: str
    stated_by_text: bool
    variant: str | None
    result: Operand
    operands: tuple[Operand, ...]
    computed: Interval | None
    """All that the inputs allow; None where an input is missing, or they do not fit together."""

    @property
    def lacks(self) -> str:
        """Why there is nothing computed."""
        is_missing = any(one.interval is None for one in self.operands)
        return "nothing: an input is missing" if is_missing else "nothing that fits the printed figure"

    def to_json(self) -> dict[str, Any]:
        """Plain values: an interval is a pair of its ends."""
        return {
            "claim": self.claim,
            "expression": self.expression,
            "stated_by_text": self.stated_by_text,
            "variant": self.variant,
            "result": _operand_json(self.result),
            "inputs": [_operand_json(one) for one in self.operands],
            "computed": _ends(self.computed),
        }


def _operand_json(one: Operand) -> dict[str, Any]:
    return {
        "name": one.name,
        "shown": one.shown,
        "unit": one.unit,
        "interval": _ends(one.interval),
        "claim": one.claim,
        "why": one.why,
    }


def _ends(interval: Interval | None) -> list[float | None] | None:
    return (
        None if interval is None else [None if end is None else float(end) for end in (interval.lower, interval.upper)]
    )


def calculations(asker: Asker, units: UnitTable, findings: Iterable[FindingCard]) -> dict[str, Calculation]:
    """From the id of each finding on a computation to the computation."""
    about = {
        one.id: one.derivation for one in findings if one.derivation is not None and one.code.startswith("arithmetic.")
    }
    claims = sorted({name.partition("#")[0] for name in about.values()})
    found: dict[str, Calculation] = {}
    for start in range(0, len(claims), _AT_ONCE):
        found.update(_of_claims(asker, units, tuple(claims[start : start + _AT_ONCE])))
    return {finding: found[name] for finding, name in about.items() if name in found}


def _of_claims(asker: Asker, units: UnitTable, claims: tuple[str, ...]) -> dict[str, Calculation]:
    rows = asker.rows("claims/derivations", claim=claims)
    inputs = grouped(asker.rows("claims/inputs", claim=claims), "derivation")
    needed = {name for some in inputs.values() for row in some if (name := said(row, "input_claim"))}
    names = sorted({*claims, *needed})
    cards: dict[str, ClaimCard] = {}
    for start in range(0, len(names), _AT_ONCE):
        cards.update(read_cards(asker, names[start : start + _AT_ONCE]))
    # only its reading of figures is used here, which looks no other claim up
    reading = _Reading(DerivationAudit(units, lambda _: None), units, cards)
    return {
        text(row, "derivation"): reading.calculation(row, inputs.get(text(row, "derivation"), []))
        for row in rows
        if text(row, "expression") != RESTS_ON and text(row, "claim") in cards
    }


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads rows the way the audit reads records."""

    audit: DerivationAudit
    units: UnitTable
    cards: Mapping[str, ClaimCard]

    def calculation(self, row: Row, inputs: list[Row]) -> Calculation:
        claim = text(row, "claim")
        operands = tuple(
            self._constant(one)
            if said(one, "input_claim") is None
            else self._figure(text(one, "input"), text(one, "input_claim"))
            for one in inputs
        )
        order = {name: place for place, name in enumerate(_names(text(row, "expression")))}
        # inputs that the formula does not name stand behind those that it does
        ordered = tuple(sorted(operands, key=lambda one: (order.get(one.name, 99), one.name)))
        return Calculation(
            claim,
            text(row, "expression"),
            row["stated_by_text"] is not False,
            said(row, "variant"),
            self._figure("result", claim),
            ordered,
            self._computed(text(row, "expression"), ordered, self._figure("result", claim)),
        )

    def _figure(self, name: str, claim: str) -> Operand:
        card = self.cards.get(claim)
        if card is None:
            return Operand(name, "not there", None, None, claim, None)
        figure = card.figure
        values = list(figure.values)
        record = {
            "quantity": {
                "printed": figure.printed,
                "value": None if not values else values[0] if len(values) == 1 else values,
                "unit": figure.unit,
                "hedge": figure.hedge,
                "shape": figure.shape,
                "exact": figure.exact,
            },
            "relation": card.relation,
            "statistic": card.statistic,
        }
        quantity = self.audit.quantity(cast(ClaimRecord, record), name)
        unit = quantity.unit if quantity is not None else figure.unit
        return Operand(
            name,
            figure.shown or figure.term or "no figure",
            unit,
            quantity.interval if quantity is not None else None,
            claim,
            None,
        )

    def _computed(self, expression: str, operands: Sequence[Operand], result: Operand) -> Interval | None:
        """What the formula gives in the unit of the result; None where it cannot be computed or the dimensions do not fit."""
        known = {one.name: one.interval for one in operands if one.interval is not None}
        try:
            parsed = Expression.parse(expression)
            factor = unit_factor(parsed, {one.name: one.unit for one in operands}, result.unit, self.units)
            return parsed.evaluate_intervals(known) * Interval.exactly(factor)
        except KgError:
            return None

    def _constant(self, row: Row) -> Operand:
        value, unit = number(row, "constant"), said(row, "constant_unit")
        interval = None
        if value is not None:
            try:
                # by way of the decimal digits: the binary float 0.1 is not a tenth
                interval = Interval.exactly(self.units.to_canonical(Fraction(str(value)), unit or "1"))
            except KgError:
                interval = None
        digits = "nothing" if value is None else f"{value:,.0f}" if float(value).is_integer() else f"{value:,}"
        return Operand(text(row, "input"), shown_figure(digits, unit) or digits, unit, interval, None, said(row, "why"))


def _names(expression: str) -> tuple[str, ...]:
    try:
        return Expression.parse(expression).names
    except KgError:
        return ()
