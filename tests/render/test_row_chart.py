"""The chart of the rows of a question: it is of what they measure, and not of the first number that stands in a row."""

from kg.render.row_chart import row_chart
from kg.stores.protocol import Answer

COLUMNS = ("accelerator_label", "accelerators", "result", "canonical_value", "canonical_unit", "submitter_label")
ROWS = (
    ("GB300", 8.0, 64510.0, 8063.75, "token/s", "Nebius"),
    ("GB300", 288.0, 1555110.0, 5399.69, "token/s", "NVIDIA"),
)


def test_the_figures_are_charted_and_not_the_number_of_accelerators() -> None:
    chart = row_chart(Answer(COLUMNS, ROWS), "Results", heads={"canonical_value": "per accelerator"})
    assert chart is not None and "per accelerator" in chart.title
    assert [row.label for row in chart.rows] == ["8x GB300, Nebius", "288x GB300, NVIDIA"]
    assert [shown in row.svg for row, shown in zip(chart.rows, ("8,064", "5,400"), strict=True)] == [True, True]


def test_rows_in_the_order_of_a_column_are_charted_by_it() -> None:
    chart = row_chart(Answer(COLUMNS, ROWS), "Results", ranked="result")
    assert chart is not None
    assert [shown in row.svg for row, shown in zip(chart.rows, ("64,510", "1,555,110"), strict=True)] == [True, True]
