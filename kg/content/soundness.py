"""What the type of a field cannot show: a value against its printed text, formulas, claims derived from themselves."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import isfinite

from kg.errors import ContentError, KgError
from kg.model.expression import Expression, ExpressionError
from kg.model.printed import read_printed
from kg.model.recorded import ClaimRecord
from kg.model.stated_amounts import with_decimal_point
from kg.model.units import UnitTable


class FigureMismatch(ContentError):
    """The printed text reads as another value than the one given."""

    code = "claim.figure-mismatch"


class DerivationCycle(ContentError):
    """A claim that is derived from itself, through others."""

    code = "claim.cycle"


def figure_mistakes(record: ClaimRecord, units: UnitTable) -> Iterator[KgError]:
    """A given value must be what the printed text reads as; a text that does not read as a number leaves it free."""
    quantity = record.get("quantity") or {}
    value, printed, unit = quantity.get("value"), quantity.get("printed"), quantity.get("unit")
    given = _exact(value)
    # A magnitude ("hundreds of GPUs") has no value that its text reads as.
    if (
        given is None
        or not isinstance(printed, str)
        or not isinstance(unit, str)
        or quantity.get("shape") == "magnitude"
    ):
        return
    # Without the hedge: it widens the bounds of a figure, not its value.
    try:
        read = read_printed(printed, unit=unit, table=units).value
    except KgError:
        return
    # As doubles, which is what a record holds of a third.
    if _double(given) not in (_double(read), _double(_read_with_comma(printed, unit, units))):
        shown = [float(one) for one in read] if isinstance(read, tuple) else float(read)
        yield FigureMismatch(field="quantity.value", given=str(value), expected=f'what "{printed}" says: {shown}')


def formula_mistakes(record: ClaimRecord) -> Iterator[KgError]:
    """Formulas that cannot be read; accepted, they would be met only when the audit computes them."""
    for position, derivation in enumerate(record.get("derivations") or ()):
        try:
            if derivation["expression"] != "rests-on":
                Expression.parse(derivation["expression"])
        except ExpressionError as error:
            error.field = f"derivations.{position}.expression"
            yield error


def _read_with_comma(printed: str, unit: str, units: UnitTable) -> Fraction | tuple[Fraction, ...] | None:
    """What a print says if its comma begins the decimals, as the mapping of a loaded file may state."""
    try:
        return read_printed(with_decimal_point(printed), unit=unit, table=units).value
    except KgError:
        return None


def _double(value: Fraction | tuple[Fraction, ...] | None) -> tuple[float, ...] | None:
    return None if value is None else tuple(map(float, value if isinstance(value, tuple) else (value,)))


def _exact(value: object) -> Fraction | tuple[Fraction, ...] | None:
    """The exact value; None for what the model refuses anyway (other types, no number, ends out of order)."""
    if isinstance(value, list):
        ends = [_exact(one) for one in value]
        numbers = tuple(one for one in ends if isinstance(one, Fraction))
        return numbers if len(numbers) == len(ends) and list(numbers) == sorted(numbers) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return Fraction(str(value))


def cycles(claims: Mapping[str, ClaimRecord]) -> Iterator[tuple[str, ...]]:
    """Circles of derivations, as the ids along them from a claim to what it was computed from; one for each link that closes one.

    Without those links there is none left.
    """
    inputs = {name: _inputs(record) for name, record in claims.items() if record.get("derivations")}
    done: set[str] = set()
    for start, first in inputs.items():
        if start in done:
            continue
        # Depth first, without calls: a chain of derivations may be longer than Python calls itself.
        path, left, places = [start], [iter(first)], {start: 0}
        while path:
            following = next(left[-1], None)
            if following is None:
                left.pop()
                done.add(gone := path.pop())
                del places[gone]
            elif following in places:
                yield (*path[places[following] :], following)
            elif following in inputs and following not in done:
                places[following] = len(path)
                path.append(following)
                left.append(iter(inputs[following]))


_SHOWN = 12
"""Claims of a circle that are named; a longer one is named by its ends."""


def cycle_mistakes(claims: Mapping[str, ClaimRecord], places: Mapping[str, tuple[str, int]]) -> Iterator[KgError]:
    """One error a circle, at the first of its claims that has a place."""
    for circle in cycles(claims):
        path, line = next((places[name] for name in circle if name in places), ("", 0))
        yield DerivationCycle(
            path=path or None,
            line=line or None,
            field=f"{circle[0]}.derivations",
            given=" < ".join(
                circle if len(circle) <= _SHOWN else (*circle[: _SHOWN // 2], "…", *circle[-_SHOWN // 2 :])
            ),
            expected="derivations that lead back to figures, not to themselves",
        )


def _inputs(record: ClaimRecord) -> list[str]:
    return sorted(
        {
            used["claim"]
            for derivation in record.get("derivations") or ()
            for used in derivation["inputs"].values()
            if "claim" in used
        }
    )
