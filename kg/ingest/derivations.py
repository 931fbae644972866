"""How the derivations of a mapping's claims are computed for a row."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kg.errors import KgError
from kg.ingest.compute import Compute, exact, holds_all, plain, taken
from kg.ingest.errors import MappingError
from kg.ingest.mapping import ClaimRule, Derived, Input
from kg.ingest.row_view import RowView
from kg.model.expression import Expression
from kg.model.json_types import Json


def check_derivation(where: str, rule: Derived, earlier: set[str]) -> None:
    """Refuse a derivation that takes a claim made after it, or whose inputs are not the names of its expression."""
    for key, used in rule.inputs.items():
        if used.claim is not None and used.claim not in earlier:
            raise MappingError(
                field=f"{where}.derivations.{key}",
                given=used.claim,
                expected=f"a claim above: {', '.join(sorted(earlier))}",
            )
    if rule.expression == "rests-on":
        return
    try:
        names = set(Expression.parse(rule.expression).names)
    except KgError as cause:
        raise MappingError(
            field=f"{where}.derivations.expression", given=rule.expression, expected=str(cause.message)
        ) from cause
    if names != set(rule.inputs):
        raise MappingError(
            field=f"{where}.derivations.inputs",
            given=", ".join(sorted(rule.inputs)),
            expected=", ".join(sorted(names)),
        )


def compiled_derivations(rule: ClaimRule) -> Callable[[RowView], tuple[list[Json], int | float | None] | None]:
    """The derivations of a claim that hold, with the figure where none is printed; None when it cannot be computed."""
    makers = tuple(_derivation(one) for one in rule.derivations)
    computes = rule.value is None and rule.term is None and rule.statement is None

    def derive(row: RowView) -> tuple[list[Json], int | float | None] | None:
        derived: list[Json] = []
        value = None
        for make in makers:
            one = make(row, computes and not derived)
            if one is not None:
                derived.append(one[0])
                if computes and len(derived) == 1:
                    value = one[1]
        return None if computes and value is None else (derived, value)

    return derive


@dataclass(frozen=True, slots=True)
class _DerivationInput:
    """One input of a derivation: a claim that the same row made, or a constant."""

    used: Input
    constant: Compute
    why: Compute
    unit: Compute

    def read(self, row: RowView) -> tuple[Json, Any] | None:
        """The recorded form and the value; None where the row has none."""
        if self.used.claim is None:
            value = self.constant(row.fields)
            if value is None:
                return None
            return {"constant": value, "unit": self.unit(row.fields), "why": self.why(row.fields)}, value
        claim = row.made.get(self.used.claim)
        if claim is None:
            return None
        recorded = {"claim": claim["id"]} if self.used.role is None else {"claim": claim["id"], "role": self.used.role}
        return recorded, (claim.get("quantity") or {}).get("value")


def _read_inputs(
    inputs: Iterable[tuple[str, _DerivationInput]], row: RowView, *, numbers: bool
) -> tuple[Json, tuple[tuple[str, int | float], ...]] | None:
    """The recorded inputs and their values; None where one is missing or, of an expression, no number."""
    given: Json = {}
    values: list[tuple[str, int | float]] = []
    for key, one in inputs:
        read = one.read(row)
        if read is None:
            return None
        given[key], value = read
        if numbers:
            if not isinstance(value, int | float) or isinstance(value, bool):
                return None
            values.append((key, value))
    return given, tuple(values)


def _derivation(rule: Derived) -> Callable[[RowView, bool], tuple[Json, int | float | None] | None]:
    """The recorded form of a derivation with its value; None when it does not hold or an input is missing."""
    when, note = holds_all(rule.when), taken(rule.note)
    expression = Expression.parse(rule.expression) if rule.expression != "rests-on" else None
    inputs = tuple(
        (key, _DerivationInput(used, taken(used.constant), taken(used.why), taken(used.unit)))
        for key, used in rule.inputs.items()
    )
    fixed: Json = {} if rule.stated_by_text else {"stated_by_text": False}
    if rule.variant is not None:
        fixed["variant"] = rule.variant
    fixed["expression"] = rule.expression

    # the rows of one table divide the same few figures again and again
    @lru_cache(maxsize=4096)
    def evaluate(values: tuple[tuple[str, int | float], ...]) -> int | float | None:
        assert expression is not None
        try:
            return plain(expression.evaluate({name: exact(value) for name, value in values}))
        except (KgError, OverflowError):
            return None

    def derive(row: RowView, wanted: bool) -> tuple[Json, int | float | None] | None:
        if when is not None and not when(row.fields):
            return None
        read = _read_inputs(inputs, row, numbers=expression is not None)
        if read is None:
            return None
        given, values = read
        record = {**fixed, "inputs": given}
        if (remark := note(row.fields)) is not None:
            record["note"] = remark
        if expression is None or not wanted:
            return record, None
        found = evaluate(values)
        return None if found is None else (record, found)

    return derive
