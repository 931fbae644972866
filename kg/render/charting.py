"""The charts by name, and what the words after each mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kg.errors import UsageError
from kg.render.charts import Chart, Plan, draw
from kg.render.gain_chart import NEWER, OLDER, gain_plan
from kg.render.number_line import claim_line_plan, number_line_plan
from kg.render.result_chart import results_plan
from kg.render.timeline_chart import timeline_plan

if TYPE_CHECKING:
    from kg.ask.opened import Opened

CHARTS: Final = ("results", "number-line", "timeline", "gain")


def chart(graph: Opened, name: str, words: Sequence[str] = (), *, form: str = "svg") -> Chart:
    """Draw a chart by its name; what the words mean depends on the chart."""
    return draw(plan(graph, name, words), form)


def plan(graph: Opened, name: str, words: Sequence[str] = ()) -> Plan:
    """The rows of a chart, before it is drawn."""
    most = {"results": 2, "number-line": 2, "timeline": 1, "gain": 2}.get(name)
    if most is None:
        raise UsageError("is not a chart.", field="--chart", given=name, expected=", ".join(CHARTS))
    if len(words) > most:
        raise UsageError(
            field=f"--chart {name}",
            given=" ".join(words),
            expected=f"at most {most} words; a name of several words in quotes",
        )
    if name == "results":
        return results_plan(graph, words)
    if name == "timeline":
        return timeline_plan(graph, words[0] if words else None)
    if name == "gain":
        return gain_plan(graph, *(words if len(words) == 2 else (NEWER, OLDER)))
    if not words:
        raise UsageError(
            field="--chart number-line", expected="a thing and a metric (H200 memory-bandwidth), or a claim id"
        )
    return claim_line_plan(graph, words[0]) if len(words) == 1 else number_line_plan(graph, words[0], words[1])
