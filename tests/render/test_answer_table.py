"""Rows of saved questions for people: labels, figures with units, what is alike told once."""

from kg.render.answer_table import answer_table, ids_to_name
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
        "task/mlperf-deepseek-r1",
        "scenario/offline",
        "time per output token",
        "4,023.78 token/s",
        None,
        "x/B200",
    )


def test_a_figure_that_nobody_printed_is_shown_as_computed() -> None:
    columns = ("claim", "printed", "unit", "canonical_value", "canonical_unit")
    rows = (("x/a", "$2", "unit/USD/h", 2.0, "USD/h"), ("x/b", None, "unit/USD/h", 1.7463, "USD/h"))
    told = ("x/c", None, None, None, None)
    table = answer_table(Answer(columns, (*rows, told)), ("claim", "printed"))
    assert table.rows == (("x/a", "$2"), ("x/b", "1.7463 USD/h (computed)"), ("x/c", None))


def test_a_figure_of_several_accelerators_together_says_how_many_they_are() -> None:
    columns = ("claim", "subject_label", "level", "normaliser", "printed", "unit", "conditions")
    rows = (
        ("x/a", "B200", "accelerator", "total", "10401", "unit/W", "accelerators=8; task=rgat"),
        ("x/b", "B200", "accelerator", "per-chip", "900", "unit/W", "accelerators=8"),
        ("x/c", "NVL72", "rack", "total", "120", "unit/kW", "accelerators=72"),
        ("x/d", None, "accelerator", None, "1", None, None),
    )
    table = answer_table(Answer(columns, rows), ("claim", "subject_label"))
    assert [subject for _, subject in table.rows] == ["8x B200", "B200", "NVL72", None]


def test_what_is_alike_in_many_rows_is_told_once() -> None:
    rows = (row("B200", 1), row("H200", 1), row("H100", 1, scenario="server"))
    table = answer_table(Answer(COLUMNS, rows), ())
    assert table.alike == (("task", "task/mlperf-deepseek-r1"), ("metric", "time per output token"))
    assert table.columns == ("accelerator", "scenario", "value", "conditions", "claim")  # a figure is read row by row


def test_two_rows_are_told_as_they_are() -> None:
    assert answer_table(Answer(COLUMNS, (row("B200", 1), row("H200", 1))), ()).alike == ()


def test_what_is_not_stated_is_not_shown_and_long_labels_lose_what_stands_in_brackets() -> None:
    long = "NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"
    (shown,) = answer_table(
        Answer(COLUMNS, (row(long, 1, conditions="division=unstated; model=x"),)), ("accelerator_label", "conditions")
    ).rows
    assert shown == ("NVIDIA GB200 GPU", "model: x")


def test_figures_verdicts_and_claims_are_never_left_out() -> None:
    columns = ("subject_label", "task", "metric", "printed", "conditions", "source", "verdict", "claim")
    table = answer_table(
        Answer(columns, (("H200", "task/a", "metric/b", "1", "c=d", "source/002", "wrong", "x/y"),)), ()
    )
    assert table.spare == ("conditions", "source", "metric", "claim")


def test_things_are_read_by_name_and_sources_typed_by_their_digits_with_their_names_below() -> None:
    columns = ("task", "scenario", "round", "accelerator", "source", "other")
    given = ("task/t", "scenario/offline", "round/r", "accelerator/a", "source/002", "002/a.claim")
    answer = Answer(columns, (given, (*given[:4], "source/004", None)))
    labels = {one: f"the {one.partition('/')[2]}" for row in answer.rows for one in map(str, row[:5])}
    assert set(labels) == set(ids_to_name(answer, ())), "a claim has no name"
    table = answer_table(answer, (), labels)
    assert table.rows[0] == ("the t", "the offline", "the r", "the a", "002", "002/a.claim")
    assert table.sources == (("002", "the 002"), ("004", "the 004"))


def test_a_list_that_gives_names_next_to_ids_keeps_both() -> None:
    answer = Answer(("task", "label"), (("task/t", "The T"),))
    assert answer_table(answer, (), {"task/t": "The T"}).rows == (("task/t", "The T"),)


def test_one_figure_over_another_reads_as_a_multiple_and_is_never_left_out() -> None:
    table = answer_table(Answer(("model", "per_system", "change", "count"), (("model/m", 0.931759, 12.0, 8),)), ())
    assert table.rows == (("model/m", "0.932x", "12x", 8),) and table.spare == ()


def test_what_is_usual_is_not_told() -> None:
    rows = (("a", "stated", "round/r"), ("b", "stated", "round/r"), ("c", "stated", "round/r"))
    assert answer_table(Answer(("subject", "modality", "round"), rows), ()).alike == (("round", "round/r"),)


def test_a_figure_alone_is_a_value_and_has_its_digits_grouped() -> None:
    columns = ("claim", "canonical_value", "corrected_value")
    table = answer_table(Answer(columns, (("x/y", 72428.0, 4023.777),)), ())
    assert (table.columns, table.rows) == (("claim", "value", "corrected_value"), (("x/y", "72,428", "4,023.78"),))


def test_a_narrow_screen_keeps_what_says_of_which_benchmark_a_result_is() -> None:
    """A change stood beside the value of one round and was from another: 0.997x next to v5.1, asked for v4.1 and v5.1."""
    columns = ("accelerator_label", "task", "scenario", "round", "previous_round", "change", "division", "availability")
    later = ("H100", "task/a", "scenario/offline", "round/x-v5.1", "round/x-v5.0", 0.997, "division/closed", "preview")
    table = answer_table(Answer(columns, (later, later)), columns, {"division/closed": "Closed division"})
    assert table.spare == ("availability",)
    assert table.rows[0][4:7] == ("v5.0", "0.997x", "Closed division")


_RESULT = ("entry", "accelerator_label", "system", "result", "canonical_value", "canonical_unit", "submitter")


def test_a_result_that_two_files_of_a_round_list_is_shown_once() -> None:
    rows = (
        ("1-01", "GB200", "(72x GB200, TensorRT)", 289712.0, 4023.78, "token/s", "org/a"),
        ("1-01", "GB200", "(72x GB200 TensorRT)", 289712.0, 4023.78, "token/s", "org/a"),
        ("1-02", "GB300", "(8x GB300, TensorRT)", 48047.0, 6005.88, "token/s", "org/b"),
    )
    shown = ("accelerator_label", "system", "result", "canonical_value")
    table = answer_table(
        Answer(_RESULT, rows), shown, heads={"canonical_value": "per accelerator", "result": "system result"}
    )
    assert table.columns == ("accelerator", "system", "system result", "per accelerator")
    assert [row[2] for row in table.rows] == ["289,712 token/s", "48,047 token/s"] and table.repeated == 1


def test_what_only_the_first_rows_have_in_common_is_no_heading_of_all() -> None:
    rows = tuple(
        (f"1-0{n}", "H100", "s", float(n), float(n), "token/s", "org/a" if n < 4 else "org/b") for n in range(5)
    )
    whole, shown = Answer(_RESULT, rows), ("entry", "submitter", "accelerator_label")
    cut = Answer(_RESULT, rows[:3], complete=False)
    assert answer_table(cut, shown).alike == (("submitter", "org/a"), ("accelerator", "H100"))
    assert answer_table(cut, shown, whole=whole).alike == (("accelerator", "H100"),)


def test_a_hedge_is_part_of_what_was_printed() -> None:
    columns = ("claim", "printed", "hedge", "unit")
    rows = (("x/a", "2", "less-than", "unit/GB"), ("x/b", "2x", None, None))
    assert answer_table(Answer(columns, rows), ("claim", "printed")).rows == (("x/a", "less than 2 GB"), ("x/b", "2x"))


def test_how_many_accelerators_a_result_is_of_is_left_out_of_no_narrow_screen() -> None:
    columns = ("claim", "task", "accelerators", "value", "submitter")
    rows = (("x/a", "t", 72.0, 1.0, "org/a"), ("x/b", "u", 8.0, 2.0, "org/b"))
    assert answer_table(Answer(columns, rows), ()).spare == ("submitter",)
