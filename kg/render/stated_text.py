"""What is stated of one thing, of two next to each other, or of several chips, in a line a metric."""

from __future__ import annotations

from typing import Final

from kg.answers.claim import shown_value
from kg.answers.comparison_matrix import MatrixRow
from kg.answers.sheet_rows import SheetRow
from kg.answers.stated_values import other_figures
from kg.model.counting import first_of

_MOST_OTHERS: Final = 3


def pair_words(pair: MatrixRow) -> str:
    """What is stated of two things for one metric, each with its verdict."""
    return f"{_metric_words(pair.a)}: {_value_words(pair.a)}, {_value_words(pair.b)}"


def _metric_words(one: SheetRow) -> str:
    """The metric of a value, with what makes it a value of its own; its level where that is none of one accelerator."""
    facets = one.facets or ""
    level = None if one.level == "accelerator" or facets.startswith("per-") else one.level
    return ", ".join(filter(None, (one.metric.replace("-", " "), facets, level)))


def _value_words(one: SheetRow) -> str:
    return f"{one.of.name} {one.value or 'none usable'} ({one.verdict})"


def stated_words(one: SheetRow) -> str:
    """What is stated of one thing for one metric, with its verdict, and what else is stated of it."""
    others = [f"{other.shown} ({other.verdict})" for other in other_figures(one)]
    also = f"; also {first_of(others, _MOST_OTHERS)}" if others else ""
    return f"{_metric_words(one)}: {_value_words(one)}{also}"


def multiplied_words(one: SheetRow, count: int) -> str:
    """What several chips have, from the one figure that is stated of one; empty where it is of a system, or of several figures."""
    value = one.values[0]
    if count == 1 or one.level != "accelerator" or one.told != 1 or value.value is None or one.value != value.shown:
        return ""
    of = f"{count:,} × {one.value} = {shown_value(value.value * count, value.unit)}"
    return f"{_metric_words(one)}: {of} for {count:,} {one.of.name}, computed from the figure of one ({one.verdict})"
