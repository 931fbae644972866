"""The value of a figure as a claims file has it: only where the printed text does not parse to it."""

from kg.errors import KgError, UsageError
from kg.model.json_types import Json
from kg.model.printed import read_printed
from kg.model.units import UnitTable
from kg.reading.proposals_file import ProposedFigure


def value_of_figure(figure: ProposedFigure, unit: str | None, units: UnitTable) -> Json:
    """The keys of a value that the reader of the report understood otherwise than its print; none where both agree.

    Raises UsageError for a figure whose table prints two scales.
    """
    if figure.value is None and figure.scaled_by is not None:
        raise UsageError(
            field="value",
            given=f"{figure.printed}, {figure.scaled_by}",
            expected="one scale",
            next_step="reject it, and write the claim with its value: kg add",
        )
    try:
        number = read_printed(figure.whole_print, unit=unit, hedge=figure.hedge, table=units)
    except KgError:
        number = None
    if figure.value is None or (number is not None and _same(number.value, figure.value)):
        return {}
    if isinstance(figure.value, tuple):
        return {"value": [_plain(one) for one in figure.value], "shape": "span"}
    return {"value": _plain(figure.value)}


def _same(one: object, other: float | tuple[float, float]) -> bool:
    if isinstance(one, tuple) != isinstance(other, tuple) or one is None:
        return False
    pairs = zip(one, other, strict=True) if isinstance(one, tuple) and isinstance(other, tuple) else [(one, other)]
    return all(abs(float(a) - float(b)) <= 1e-9 * max(abs(float(b)), 1.0) for a, b in pairs)  # type: ignore[arg-type]


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
