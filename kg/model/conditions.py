"""Conditions: the line that people read, one value as recorded, and a count as a number."""

from collections.abc import Mapping
from fractions import Fraction

from kg.model.exact import exact_number
from kg.model.identifiers import is_entity_id
from kg.model.recorded import ConditionDetailRecord, ConditionsRecord, ConditionValue


def condition_value(given: ConditionValue | ConditionDetailRecord | None) -> ConditionValue | None:
    """The value of a condition as recorded, with or without its standing; None where none is known."""
    return given.get("value") if isinstance(given, dict) else given


def count_value(value: object) -> Fraction | None:
    """A count, however it is recorded: a number, or text of one; None for other words.

    >>> count_value(72) == count_value("72.0"), count_value("about 60"), count_value("1e999999999")
    (True, None, None)
    """
    try:
        return exact_number(str(value))
    except ValueError:
        return None


def conditions_text(conditions: ConditionsRecord) -> str:
    """The conditions in one readable line, sorted by name.

    >>> conditions_text({"scenario": "scenario/offline", "accelerators": 72})
    'accelerators=72; scenario=offline'
    """
    parts = []
    for name in sorted(conditions):
        given = conditions[name]
        value, status = (
            (given.get("value"), given.get("status", "stated")) if isinstance(given, Mapping) else (given, "stated")
        )
        shown = ", ".join(_short(one) for one in (value if isinstance(value, list) else [value]) if one is not None)
        parts.append(f"{name}={shown or status}" + (f" ({status})" if shown and status != "stated" else ""))
    return "; ".join(parts)


def _short(value: object) -> str:
    return str(value).split("/", 1)[1] if is_entity_id(value) else str(value)


def condition_word(value: object) -> str:
    """A condition as text, the same for 72 and 72.0.

    >>> condition_word(72), condition_word(72.0), condition_word(60.5), condition_word(True), condition_word("FP8")
    ('72', '72', '60.5', 'true', 'FP8')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
