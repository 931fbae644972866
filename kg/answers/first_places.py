"""Which accelerator is first by the rows of one question, the cheapest or the fastest: how often, where two or more can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.stores.protocol import Answer, Cell

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
    >>> cheapest(Answer(columns, rows[2:])), cheapest(Answer(columns, ())), cheapest(Answer(columns, rows, complete=False))
    ('', '', '')
    """
    if not answer.rows or not answer.complete:
        return ""
    priced = [row for row in answer.dicts() if row["bound"] == "low"]
    cases = _cases(priced)
    named, compared = _most_often(cases, highest=False)
    if not compared:
        return ""
    accelerators = len({name for case in cases for name in case})
    return (
        f"cheapest by the lowest rental price: {named} of {counted(compared, 'case')} that can be compared;"
        f" {counted(accelerators, 'accelerator')} have a price"
    )


def fastest(answer: Answer) -> str:
    """One line that says which accelerator is first of each task, scenario and round most often, each per accelerator.

    >>> from kg.stores.protocol import Answer
    >>> columns = ("task", "scenario", "round", "accelerator_label", "value")
    >>> fastest(Answer(columns, (("t", "s", "r", "B200", 90.0), ("t", "s", "r", "H100", 40.0), ("u", "s", "r", "H100", 7.0))))
    'first per accelerator: B200 in 1 of 1 case with two accelerators or more'
    >>> rows = (("t", "s", "r", "B200", None), ("t", "s", "r", "H100", 40.0), ("u", "s", "r", "H100", 7.0))
    >>> fastest(Answer(columns, rows)), fastest(Answer(columns, ())), fastest(Answer(columns, rows, complete=False))
    ('', '', '')
    """
    if not answer.rows or not answer.complete:
        return ""
    named, compared = _most_often(_cases(answer.dicts()), highest=True)
    of = f"{counted(compared, 'case')} with two accelerators or more"
    return f"first per accelerator: {named} of {of}" if compared else ""


def _cases(rows: Iterable[Mapping[str, Cell]]) -> list[dict[str, list[float]]]:
    """The values of each accelerator by task, scenario and round."""
    cases: dict[tuple[str, ...], dict[str, list[float]]] = {}
    for row in rows:
        if row["value"] is not None:
            case = cases.setdefault(tuple(str(row[name]) for name in _ALIKE), {})
            case.setdefault(str(row["accelerator_label"]), []).append(float(str(row["value"])))
    return list(cases.values())


def _most_often(cases: Sequence[Mapping[str, list[float]]], *, highest: bool) -> tuple[str, int]:
    """Who is first in most of the cases that have two accelerators or more, and how many these are."""
    compared = [case for case in cases if len(case) > 1]
    sign = -1 if highest else 1
    ranked = ([(min(sign * one for one in values), name) for name, values in case.items()] for case in compared)
    wins = Counter(min(one)[1] for one in ranked).most_common(_MOST_NAMED)
    return ", ".join(f"{name} in {count}" for name, count in wins), len(compared)
