"""What words narrow the rows of any question to, and the order that they ask for: dates, the newest, bounds, the highest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kg.ask.bounds import bounds_said, chips_counted, read_bound
from kg.ask.mentions import (
    availability_in,
    dates_in,
    model_kind_in,
    newest_in,
    order_in,
    per_chip_in,
    verdict_in,
)
from kg.ask.metrics_asked import level_asked, metrics_asked
from kg.ask.row_filters import RowFilter, accelerators_filter, bound_filter

if TYPE_CHECKING:
    from kg.ask.named_words import NamedWords
    from kg.ask.question_fit import AskedWords
    from kg.model.units import UnitTable


def filters_said(text: str, asked: AskedWords, named: NamedWords, units: UnitTable | None) -> list[RowFilter]:
    """What the rows of any question are narrowed to, and their order; without `units` to no bound on a figure."""
    bounds = ((given, read_bound(given, units)) for _, given in bounds_said(text)) if units else ()
    values = (bound_filter(given, bound) for given, bound in bounds if bound is not None)
    order = order_in(text)
    if order is not None and not metrics_asked(text, asked, named):
        order = None  # "the most" of nothing that is measured is a way to speak: "most claims"
    level = level_asked(text) if order is not None else None
    left_out = (replace(one.filter, excluded=True) for one in asked.excluded)
    counted = chips_counted(text, (one.key for one in asked.mentions if one.is_hardware))
    chips = accelerators_filter(counted[1]) if counted is not None else None
    found = (dates_in, newest_in, verdict_in, model_kind_in, per_chip_in, availability_in)
    return list(filter(None, (*(one(text) for one in found), *values, *left_out, chips, level, order)))
