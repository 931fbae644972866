"""Which accelerator costs least by the rows of one question: how often it does where two or more can be compared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

_ALIKE: Final = ("task", "scenario", "round")
"""What two results have in common that may be compared."""
_MOST_NAMED: Final = 3


def cheapest(answer: Answer) -> str:
    """One line that says which accelerator is cheapest, by the lowest price known of each; empty where none can be compared.

    >>> from kg.stores.protocol import Answer
    >>> columns = ("task", "scenario", "round", "bound", "accelerator_label", "value")
    >>> rows = (("t", "s", "r", "low", "B200", 0.05), ("t", "s", "r", "low", "H100", 0.1), ("u", "s", "r", "low", "H100", 0.1))
    >>> cheapest(Answer(columns, rows))
    'cheapest by the lowest rental price: B200 in 1 of 1 case that can be compared; 2 accelerators have a price'
    """
    if not answer.rows or not answer.complete:
        return ""
    cases: dict[tuple[str, ...], dict[str, float]] = {}
    for row in answer.dicts():
        if row["bound"] == "low" and row["value"] is not None:
            case = cases.setdefault(tuple(str(row[name]) for name in _ALIKE), {})
            name, value = str(row["accelerator_label"]), float(str(row["value"]))
            case[name] = min(value, case.get(name, value))
    compared = [case for case in cases.values() if len(case) > 1]
    if not compared:
        return ""
    wins = Counter(min(case, key=case.__getitem__) for case in compared).most_common(_MOST_NAMED)
    named = ", ".join(f"{name} in {count}" for name, count in wins)
    priced = len({name for case in cases.values() for name in case})
    return (
        f"cheapest by the lowest rental price: {named} of {counted(len(compared), 'case')} that can be compared;"
        f" {counted(priced, 'accelerator')} have a price"
    )
