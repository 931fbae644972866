"""Reads the line of conditions that people read (`kg.model.conditions.conditions_text` writes it)."""

from collections.abc import Mapping
from typing import Final

_STATUSES: Final = (" (inferred)", " (assumed)", " (not-applicable)")
"""How a condition is known: it makes no other condition of it."""


def stated_conditions(conditions: str | None) -> Mapping[str, str]:
    """The conditions of a line of them, by name; what is not stated is none.

    >>> dict(stated_conditions("model=gpt-3 (inferred); precision=unstated; scenario=offline"))
    {'model': 'gpt-3', 'scenario': 'offline'}
    """
    found: dict[str, str] = {}
    for part in (conditions or "").split("; "):
        name, _, value = part.partition("=")
        for status in _STATUSES:
            value = value.removesuffix(status)
        if value and value != "unstated":
            found[name] = value
    return found
