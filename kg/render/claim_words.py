"""A claim in a few words, as pages and lists put it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kg.answers.claim import worded_figure
from kg.model.condition_line import stated_conditions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.answers.claim import ClaimCard
    from kg.stores.protocol import Cell

RELATIONS = {"ratio": "", "times-less": "lower", "increase": "higher", "decrease": "lower"}
"""What a figure of a comparison means, in a word behind it."""

_PRINTED, _HEDGE = "printed", "hedge"
_COUNTED = ("level", "normaliser", "conditions")
"""Columns that say how many accelerators have a figure together."""


class ClaimWords(NamedTuple):
    """The figure, what it is a figure of, under which conditions, and who says it."""

    figure: str
    of: str
    conditions: str
    speaker: str


def claim_words(card: ClaimCard) -> ClaimWords:
    """The words of a claim; conditions that are not stated are left out."""
    figure = card.worded or ""
    # Without a unit the figure is of words, and the statement says more.
    if card.figure.unit is None and card.statement:
        figure = card.statement
    relation = RELATIONS.get(card.relation, "") if card.baseline is not None else ""
    subject = subject_words(card)
    against = f" against {card.baseline.name}" if card.baseline is not None else ""
    speaker = card.asserted_by.name
    if card.attributed_to is not None:
        speaker += f", quoting {card.attributed_to.name}"
    return ClaimWords(
        f"{figure} {relation}".strip(),
        f"{measure_words(card)} of {subject}{against}",
        condition_words(card.conditions),
        speaker,
    )


def subject_words(card: ClaimCard) -> str:
    """What a claim is about; of a result of several accelerators together, how many."""
    return counted_subject(_names(card), card.level, card.normaliser, card.conditions)


def _names(card: ClaimCard) -> str:
    return " and ".join(one.name for one in card.subjects)


def subject_cell(columns: Sequence[str], row: Sequence[Cell], shown: Cell) -> Cell:
    """The subject of a row as it is shown; with how many there are of it, where its columns tell that."""
    if shown is None or not set(columns).issuperset(_COUNTED):
        return shown
    level, normaliser, conditions = (row[columns.index(name)] for name in _COUNTED)
    return counted_subject(str(shown), level, normaliser, conditions)


def counted_subject(name: str, level: Cell, normaliser: Cell, conditions: Cell) -> str:
    """An accelerator with the number of them that have a figure together: no single B200 draws 10 kW.

    >>> counted_subject("B200", "accelerator", "total", "accelerators=8; task=rgat")
    '8x B200'
    >>> counted_subject("B200", "accelerator", "per-chip", "accelerators=8")
    'B200'
    """
    if normaliser != "total" or level != "accelerator":
        return name
    count = stated_conditions(str(conditions or "")).get("accelerators", "").removesuffix(".0")
    return f"{count}x {name}" if count.isdecimal() and count != "1" else name


def subject_at_level(card: ClaimCard) -> str:
    """What a claim is about with its level; the number of accelerators says more than that they are some."""
    counted, name = subject_words(card), _names(card)
    return f"{counted} together" if counted != name else f"{name}, level {card.level}"


def measure_words(card: ClaimCard) -> str:
    """What is measured, of what statistic, and per what."""
    statistic = f"{card.statistic.replace('-', ' ')} " if card.statistic else ""
    return f"{statistic}{metric_per(card.metric, 'unstated' if card.normaliser == 'total' else card.normaliser)}"


def metric_per(metric: str, normaliser: str) -> str:
    """A metric and what it is per, which some names of metrics say already.

    >>> metric_per("throughput", "per-chip"), metric_per("performance-per-tco", "per-tco"), metric_per("power", "unstated")
    ('throughput per chip', 'performance per tco', 'power')
    """
    said = normaliser == "unstated" or metric.endswith(normaliser)
    return (metric if said else f"{metric} {normaliser}").replace("-", " ")


def condition_words(conditions: str | None) -> str:
    """Conditions for people; that one is not stated is left out.

    >>> condition_words("accelerators_mean=72.0; model=unstated; phase=training")
    'mean number of accelerators: 72; phase: training'
    """
    parts = (one.partition("=") for one in (conditions or "").split("; ") if one)
    return "; ".join(
        f"{_NAMES.get(name, name.replace('_', ' '))}: {value.removesuffix('.0') if name in _NAMES else _listed(value)}"
        if equals
        else name
        for name, equals, value in parts
        if value != "unstated"
    )


def hedged(columns: Sequence[str], row: Sequence[Cell], shown: str) -> str:
    """A printed figure with the word that limits it before it, where the row has it: "less than 2x" is not 2x.

    >>> hedged(("printed", "hedge"), ("2x", "less-than"), "2x"), hedged(("printed",), ("2x",), "2x")
    ('less than 2x', '2x')
    """
    hedge = row[columns.index(_HEDGE)] if _HEDGE in columns else None
    return worded_figure(shown, None if hedge is None else str(hedge)) or shown


def cell_in_words(columns: Sequence[str], row: Sequence[Cell], place: int) -> Cell:
    """A cell as people read it: a line of conditions in words, a print with its hedge, a subject with its number."""
    name, cell = columns[place], row[place]
    if name.endswith("conditions") and isinstance(cell, str):
        return condition_words(cell)
    if name == _PRINTED and isinstance(cell, str):
        return hedged(columns, row, cell)
    return subject_cell(columns, row, cell) if name == "subject_label" else cell


def _listed(value: str) -> str:
    """Several ids that begin alike, with what they share said once.

    >>> _listed("mlperf-inference-v4.1, mlperf-inference-v5.0"), _listed("fp8, bf16"), _listed("vllm-0.6")
    ('mlperf-inference-v4.1, v5.0', 'fp8, bf16', 'vllm-0.6')
    """
    ids = value.split(", ")
    shared = f"{ids[0].rpartition('-')[0]}-"
    if len(ids) == 1 or not all(one.startswith(shared) and one != shared for one in ids):
        return value
    return ", ".join([ids[0], *(one.removeprefix(shared) for one in ids[1:])])


_NAMES = {"accelerators_mean": "mean number of accelerators", "accelerators": "accelerators"}
"""Numbers among the conditions, in words."""
