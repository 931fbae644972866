"""Rows of saved questions for people: labels, figures with units, what is alike told once."""

from kg.render.answer_table import answer_table
from kg.stores.protocol import Answer, Cell

COLUMNS = ("accelerator", "accelerator_label", "task", "scenario", "metric", "value", "unit", "conditions", "claim")


def row(label: str, value: float, *, scenario: str = "offline", conditions: str | None = None) -> tuple[Cell, ...]:
    return (
        f"accelerator/{label}",
        label,
        "task/mlperf-deepseek-r1",
        f"scenario/{scenario}",
        "metric/time-per-output-token",
        value,
        "unit/token/s",
        conditions,
        f"x/{label}",
    )


def test_a_label_stands_for_its_id_and_a_unit_with_its_figure() -> None:
    table = answer_table(Answer(COLUMNS, (row("B200", 4023.778), row("H200", 12.5))), ())
    assert table.columns == ("accelerator", "task", "scenario", "metric", "value", "conditions", "claim")
    assert table.rows[0] == (
        "B200",
        "mlperf-deepseek-r1",
        "offline",
        "time per output token",
        "4,023.78 token/s",
        None,
        "x/B200",
    )


def test_what_is_alike_in_many_rows_is_told_once() -> None:
    rows = (row("B200", 1), row("H200", 1), row("H100", 1, scenario="server"))
    table = answer_table(Answer(COLUMNS, rows), ())
    assert table.alike == (("task", "mlperf-deepseek-r1"), ("metric", "time per output token"))
    assert table.columns == ("accelerator", "scenario", "value", "conditions", "claim")  # a figure is read row by row


def test_two_rows_are_told_as_they_are() -> None:
    assert answer_table(Answer(COLUMNS, (row("B200", 1), row("H200", 1))), ()).alike == ()


def test_what_is_not_stated_is_not_shown_and_long_labels_lose_what_stands_in_brackets() -> None:
    long = "NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"
    (shown,) = answer_table(
        Answer(COLUMNS, (row(long, 1, conditions="division=unstated; model=x"),)), ("accelerator_label", "conditions")
    ).rows
    assert shown == ("NVIDIA GB200 GPU", "model=x")


def test_figures_verdicts_and_claims_are_never_left_out() -> None:
    columns = ("subject_label", "task", "metric", "printed", "conditions", "source", "verdict", "claim")
    table = answer_table(
        Answer(columns, (("H200", "task/a", "metric/b", "1", "c=d", "source/002", "wrong", "x/y"),)), ()
    )
    assert table.spare == ("conditions", "source", "metric", "claim")
