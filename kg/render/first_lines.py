"""What answers a question before its rows do, in a line a value: the same on the terminal, on a page and for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.render.sheet_text import extremes
from kg.render.stated_text import multiplied_words, pair_words, stated_words

if TYPE_CHECKING:
    from kg.answers.first_answer import FirstAnswer
    from kg.answers.sheet_rows import SheetRow


def first_lines(found: FirstAnswer) -> tuple[str, ...]:
    """The lines, the one that answers best first."""
    reach = extremes(found.reach) if found.reach is not None else ""
    lines = (
        f"{found.official.worded}, by task, scenario and round" if found.official is not None else "",
        *map(pair_words, found.pairs),
        *multiplied_lines(found),
        *map(stated_words, found.values),
        f"{found.reach.label}{reach}" if found.reach is not None and reach else "",
        found.count,
    )
    return tuple(filter(None, lines))


def multiplied_lines(found: FirstAnswer) -> tuple[str, ...]:
    """What several chips have, computed from the values of one."""
    of_metric = {one.metric: one for one in reversed(found.values)}  # of "power" and "power, max" the first
    return tuple(filter(None, (multiplied_words(one, found.times) for one in of_metric.values())))


def first_json(found: FirstAnswer) -> dict[str, object]:
    """Plain values behind the line that answers; what there is none of is left out."""
    pairs = [
        {"metric": one.metric, "facets": one.facets, "level": one.level, "a": _value(one.a), "b": _value(one.b)}
        for one in found.pairs
    ]
    values = [{"metric": one.metric, "facets": one.facets, "level": one.level, **_value(one)} for one in found.values]
    named = (
        ("sentence", next(iter(first_lines(found)), "")),
        ("side_by_side", pairs),
        ("values", values),
        ("count", found.count),
        ("multiplied", multiplied_lines(found)),
    )
    return {name: one for name, one in named if one}


def _value(row: SheetRow) -> dict[str, object]:
    return {"id": row.of.id, "label": row.of.label, "value": row.value, "verdict": row.verdict}
