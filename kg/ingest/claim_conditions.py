"""The conditions of a claim template, as functions from the fields of a row to values."""

from collections.abc import Mapping
from typing import Any

from kg.ingest.compute import Compute, Fields, taken
from kg.ingest.mapping import Detailed
from kg.ingest.mapping_part import reference


def condition_makers(given: Mapping[Any, Any]) -> tuple[tuple[str, Compute], ...]:
    """For each condition of a template its name and its function, which gives None where the row does not say it."""
    return tuple((name, _condition(value)) for name, value in given.items())


def _condition(value: object) -> Compute:
    if isinstance(value, Detailed):
        return _detailed(value)
    if isinstance(value, list):
        takes = [taken(one) for one in value]
        return lambda fields: [one for take in takes if (one := take(fields)) is not None] or None
    name = reference(value)
    return taken(value) if name is None else _field_condition(name)


def _field_condition(name: str) -> Compute:
    """A condition that a field gives; a list of one value is that value."""

    def single(fields: Fields) -> Any:
        found = fields.get(name)
        if type(found) is list:
            return found[0] if len(found) == 1 else found or None
        return found

    return single


def _detailed(rule: Detailed) -> Compute:
    """A condition with its status, print and source; with none of them it is its value alone."""
    inner, printed, source = _condition(rule.value), taken(rule.printed), taken(rule.source)

    def detailed(fields: Fields) -> Any:
        one = inner(fields) if rule.value is not None else None
        if one is None and rule.value is not None:
            return None
        whole = {
            "value": one,
            "status": None if rule.status == "stated" else rule.status,
            "printed": printed(fields),
            "from": source(fields),
        }
        kept = {key: part for key, part in whole.items() if part is not None}
        return kept["value"] if set(kept) == {"value"} else kept

    return detailed
