"""Which accelerator is first by the rows of one question, the cheapest or the fastest: how often, where two or more can be compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kg.answers.claim import shown_value
from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.stores.protocol import Answer, Cell

_ALIKE: Final = ("task", "scenario", "round")
"""What two results have in common that may be compared."""
_MOST_NAMED: Final = 3
# meets "are per accelerator results official"
_ASKS_OFFICIAL: Final = re.compile(
    r"\s*(?:is|are|does|do)\b(?=.*\bofficial)(?=.*\bper[ -](?:accelerator|chip|gpu))", re.IGNORECASE
)
_OPEN: Final = "division/open"
_CLOSED: Final = "division/closed"
_FEWEST_RANKED: Final = 2


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


def over(answer: Answer) -> str:
    """One line that says between which factors results of one accelerator are over those of another; empty where none pair.

    >>> from kg.stores.protocol import Answer
    >>> over(Answer(("task", "per_accelerator"), (("t", 2.987), ("t", 3.5), ("u", 1.53))))
    '1.53x to 3.5x per accelerator, in 3 pairs of results of one task, scenario and round'
    """
    factors = [float(str(row["per_accelerator"])) for row in answer.dicts() if row["per_accelerator"] is not None]
    if not factors or not answer.complete:
        return ""
    low, high = (f"{one:.3g}x" for one in (min(factors), max(factors)))
    between = low if low == high else f"{low} to {high}"
    pairs = counted(len(factors), "pair")
    return f"{between} per accelerator, in {pairs} of results of one task, scenario and round"


def highest(answer: Answer) -> str:
    """One line with the highest system result and the highest per accelerator, of results of one task and scenario; open ones
    only where there are no others.

    >>> from kg.stores.protocol import Answer
    >>> columns = ("task", "scenario", "division", "result", "canonical_value", "canonical_unit", "accelerators", "entry")
    >>> rows = (("t", "s", "division/closed", 800.0, 100.0, "token/s", 8.0, "1-01"), ("t", "s", "division/closed", 5040.0, 70.0, "token/s", 72.0, "1-02"))
    >>> more = tuple((*row, chip, who) for row, chip, who in zip(rows, ("GB300", "GB200"), ("A", "B")))
    >>> highest(Answer((*columns, "accelerator_label", "submitter_label"), more))
    'highest system result: 5,040 token/s on 72 GB200 (B, 1-02); highest per accelerator: 100 token/s on 8 GB300 (A, 1-01)'
    >>> highest(Answer((*columns, "accelerator_label", "submitter_label"), more[:1]))
    'system result: 800 token/s on 8 GB300 (A, 1-01); per accelerator 100 token/s'
    """
    rows = [row for row in answer.dicts() if row["result"] is not None and row["canonical_value"] is not None]
    rows = [row for row in rows if row["division"] != _OPEN] or rows
    if not answer.complete or len({(row["task"], row["scenario"], row["canonical_unit"]) for row in rows}) != 1:
        return ""
    of_system, of_one = (max(rows, key=lambda row: float(str(row[name]))) for name in ("result", "canonical_value"))
    result, each = _shown(of_system, "result"), _shown(of_one, "canonical_value")
    alike = {(row["entry"], row["result"]) for row in rows}
    if len(alike) == 1:
        return f"system result: {result} {_by(of_system)}; per accelerator {each}"
    return f"highest system result: {result} {_by(of_system)}; highest per accelerator: {each} {_by(of_one)}"


def _shown(row: Mapping[str, Cell], column: str) -> str:
    return shown_value(float(str(row[column])), str(row["canonical_unit"]))


def _by(row: Mapping[str, Cell]) -> str:
    """The accelerators of a result, who submitted it and as which entry; an open one says so."""
    number = "" if row["accelerators"] is None else f"{_number(row)} "
    entry = "" if row["entry"] is None else f", {row['entry']}"
    is_open = ", open division" if row["division"] == _OPEN else ""
    return f"on {number}{_chip(row)} ({_submitter(row)}{entry}{is_open})"


def whether_official(text: str) -> str:
    """The answer to words that ask whether figures of one accelerator are official; empty for others.

    >>> whether_official("are per accelerator results official"), whether_official("official results per GPU of the H100")
    ('no: MLPerf publishes results of systems, which alone are official; those per accelerator are computed from them', '')
    """
    if not _ASKS_OFFICIAL.match(text):
        return ""
    return "no: MLPerf publishes results of systems, which alone are official; those per accelerator are computed from them"


def most_results(answer: Answer) -> str:
    """One line with who has most results of all divisions, how many of them are open, and who has most closed ones.

    >>> from kg.stores.protocol import Answer
    >>> rows = (("G", "division/open", 800), ("G", "division/closed", 41), ("Dell", "division/closed", 78))
    >>> most_results(Answer(("submitter_label", "division", "results"), rows))
    'most results: G, 841, of which 800 are open; in the closed division: Dell, 78'
    >>> most_results(Answer(("submitter_label", "division", "results"), rows[2:]))
    'most results: Dell, 78'
    """
    by_division: dict[Cell, Counter[str]] = {}
    for row in answer.dicts():
        by_division.setdefault(row["division"], Counter())[str(row["submitter_label"])] += int(str(row["results"]))
    if not by_division or not answer.complete:
        return ""
    ((most, count),) = sum(by_division.values(), Counter[str]()).most_common(1)
    opened = by_division.get(_OPEN, Counter())[most]
    closed = by_division.get(_CLOSED, Counter()).most_common(1)
    parts = [f"most results: {most}, {count:,}" + (f", of which {opened:,} are open" if opened else "")]
    parts += [f"in the closed division: {name}, {number:,}" for name, number in closed if name != most]
    return "; ".join(parts)


def shortest(answer: Answer) -> str:
    """One line with the shortest time to train and by how many accelerators; empty where rows are of several tasks.

    >>> from kg.stores.protocol import Answer
    >>> columns = ("task", "canonical_value", "canonical_unit", "accelerators", "accelerator_label", "submitter_label")
    >>> shortest(Answer(columns, (("t", 1178.4, "s", 8192.0, "H100", "NVIDIA"), ("t", 3192.0, "s", 1024.0, "GB200", "IBM"))))
    'shortest: 19.64 min by 8,192 H100 (NVIDIA); GB200: 53.2 min by 1,024 (IBM)'
    >>> rows = (("t", 60.0, "s", 8.0, "GB200", "NVIDIA"), ("t", 150.0, "s", 8.0, "H100", "Dell"), ("t", 50.0, "s", 64.0, "H100", "Dell"))
    >>> shortest(Answer(columns, rows))
    'shortest: 50 s by 64 H100 (Dell); GB200: 60 s by 8 (NVIDIA); on 8 each GB200 takes 60 s, H100 2.5 min: 2.5x faster'
    """
    rows = [row for row in answer.dicts() if row["canonical_value"] is not None]
    if len(rows) < _FEWEST_RANKED or not answer.complete or len({row["task"] for row in rows}) > 1:
        return ""
    first, *others = _shortest_of_each(rows)
    number = "" if first["accelerators"] is None else f"{_number(first)} "
    parts = [f"shortest: {_shown(first, 'canonical_value')} by {number}{_chip(first)} ({_submitter(first)})"]
    if len(others) == 1:
        (other,) = others
        times = f"{_shown(other, 'canonical_value')} by {_number(other)}" if other["accelerators"] is not None else ""
        parts += [f"{_chip(other)}: {times} ({_submitter(other)})"] if times else []
        parts += _on_as_many(rows)
    return "; ".join(parts)


def _shortest_of_each(rows: Iterable[Mapping[str, Cell]]) -> list[Mapping[str, Cell]]:
    """The shortest time of each accelerator, the shortest of all first."""
    found: dict[str, Mapping[str, Cell]] = {}
    for row in sorted(rows, key=lambda row: float(str(row["canonical_value"]))):
        found.setdefault(str(row["accelerator_label"]), row)
    return list(found.values())


def _on_as_many(rows: Iterable[Mapping[str, Cell]]) -> list[str]:
    """Of two accelerators, how much faster one is on the largest number that both were run on."""
    by_number: dict[float, list[Mapping[str, Cell]]] = {}
    for row in rows:
        if row["accelerators"] is not None:
            by_number.setdefault(float(str(row["accelerators"])), []).append(row)
    pairs = {number: found for number, some in by_number.items() if len(found := _shortest_of_each(some)) > 1}
    if not pairs:
        return []
    number = max(pairs)
    one, other = pairs[number][:2]
    ratio = float(str(other["canonical_value"])) / float(str(one["canonical_value"]))
    times = (_shown(row, "canonical_value") for row in (one, other))
    taken = ", ".join(
        f"{_chip(row)} {'takes ' if row is one else ''}{time}" for row, time in zip((one, other), times, strict=True)
    )
    return [f"on {number:,.0f} each {taken}: {ratio:.3g}x faster"]


def _number(row: Mapping[str, Cell]) -> str:
    return f"{float(str(row['accelerators'])):,.0f}"


def _chip(row: Mapping[str, Cell]) -> str:
    return str(row["accelerator_label"]).partition(" (")[0]


def _submitter(row: Mapping[str, Cell]) -> str:
    return str(row["submitter_label"]).partition(" (")[0]


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
