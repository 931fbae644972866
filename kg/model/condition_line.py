"""Reads the line of conditions that people read (`kg.model.conditions.conditions_text` writes it)."""

from collections.abc import Iterator, Mapping
from typing import Final

from kg.model.vocabulary import CONDITION_NAMES

_STATUSES: Final = (" (inferred)", " (assumed)", " (not-applicable)")
"""How a condition is known: it makes no other condition of it."""


def stated_conditions(conditions: str | None) -> Mapping[str, str]:
    """The conditions of a line of them, by name; what is not stated is none.

    >>> dict(stated_conditions("model=gpt-3 (inferred); precision=unstated; scenario=offline"))
    {'model': 'gpt-3', 'scenario': 'offline'}
    >>> dict(stated_conditions("software=TensorRT 10; CUDA 12; precision=fp8"))
    {'software': 'TensorRT 10; CUDA 12', 'precision': 'fp8'}
    """
    found: dict[str, str] = {}
    for part in _parts(conditions or ""):
        name, _, value = part.partition("=")
        for status in _STATUSES:
            value = value.removesuffix(status)
        if value and value != "unstated":
            found[name] = value
    return found


def _parts(line: str) -> Iterator[str]:
    """The conditions of a line, each with its name; a value may hold the signs between two of them."""
    part = ""
    for piece in line.split("; "):
        if part and piece.partition("=")[0] not in CONDITION_NAMES:
            part = f"{part}; {piece}"
            continue
        if part:
            yield part
        part = piece
    if part:
        yield part
