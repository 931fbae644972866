"""A calculation that gives nothing says why: an input without a figure, or figures that do not fit together."""

from pathlib import Path

import pytest

from kg.answers.calculation import Calculation, Operand
from kg.model.interval import Interval
from kg.render.finding_card import calculation_lines
from kg.render.judgement_nodes import calculation_line
from kg.render.trace_text import trace_text
from kg.session import open_graph

FIGURE = Interval.exactly(2)


def calculation(baseline: Interval | None) -> Calculation:
    operands = (
        Operand("subject", "4 W", "W", FIGURE, "x/1", None),
        Operand("baseline", "2 s", "s", baseline, "x/2", None),
    )
    return Calculation(
        "x/3", "subject / baseline", True, None, Operand("result", "2x", "x", FIGURE, "x/3", None), operands, None
    )


@pytest.mark.parametrize(
    ("baseline", "lacks"),
    [(None, "nothing: an input is missing"), (FIGURE, "nothing that fits the printed figure")],
)
def test_what_a_calculation_lacks_is_said_in_text_and_picture(baseline: Interval | None, lacks: str) -> None:
    one = calculation(baseline)
    assert any(lacks in line for line in calculation_lines(one))
    assert lacks in calculation_line(one)


def test_a_trace_says_why_a_computation_cannot_be_checked(shipped_store: Path) -> None:
    with open_graph(shipped_store) as graph:
        text = " ".join(trace_text(graph.trace("002/author.b200-h200.sdxl"), lambda *_: None, most=1).split())
    assert "not-checkable (info): the totals are of 7.4 and 7.8 accelerators" in text
