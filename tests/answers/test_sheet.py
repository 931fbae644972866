"""Spec sheets: on the small graph, and on rows made for a case."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.answers.claim import Thing
from kg.answers.sheet import UnknownThing, sheet_of, specs, unit_of_most
from kg.answers.sheet_rows import SheetRow
from kg.answers.show import LinkTo, show
from kg.render.sheet_text import sheet_lines, told_apart
from kg.stores.protocol import Answer
from tests.ask.harness import ask_small, questions


class Altered:
    """The small graph, with some cells of the specifications of a thing changed by claim."""

    def __init__(self, **cells: dict[str, Any]) -> None:
        self._cells = {claim.replace("__", "/").replace("_", "."): change for claim, change in cells.items()}

    def __call__(self, name: str, /, **values: Any) -> Answer:
        answer = ask_small(name, **values)
        if name != "specifications/of-thing":
            return answer
        rows = tuple(tuple({**row, **self._cells.get(str(row["claim"]), {})}.values()) for row in answer.dicts())
        return Answer(answer.columns, rows)


def row_of(name: str, metric: str, ask: Any = ask_small) -> SheetRow:
    return next(row for row in specs(ask, name).rows if row.metric == metric)


def test_equal_values_printed_in_different_units_are_one_value_with_both_sources() -> None:
    row = row_of("MID2", "memory-bandwidth")
    same = next(value for value in row.values if value.value == 4.8e12)
    assert same.claims == ("100/bandwidth.mid", "200/bandwidth.mid")
    assert same.sources == ("source/100", "source/200")
    assert (row.low, row.high, row.unit, row.claims, row.sources) == (4.8e12, 5.3e12, "byte/s", 3, 2)


def test_disputed_values_are_told_together_and_their_row_comes_first() -> None:
    ask = Altered(
        **{
            "100__bandwidth_mid": {"verdict": "disputed"},
            "200__bandwidth_mid": {"verdict": "disputed"},
            "200__bandwidth_mid_other": {"verdict": "disputed"},
        }
    )
    row = specs(ask, "MID2").rows[0]
    assert (row.metric, row.verdict, row.value) == ("memory-bandwidth", "disputed", "4.8 TB/s or 5.3 TB/s")
    assert row.others == ()


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "wrong", "value_to_use": None},
        {"canonical_value": None, "canonical_unit": None, "unit": None, "printed": "fast", "modality": "expected"},
    ],
)
def test_a_row_with_nothing_to_use_or_no_more_than_thoughts_comes_last(change: dict[str, Any]) -> None:
    claims = ("100__bandwidth_mid", "200__bandwidth_mid", "200__bandwidth_mid_other")
    before = [one.metric for one in specs(ask_small, "MID2").rows]
    after = [one.metric for one in specs(Altered(**dict.fromkeys(claims, change)), "MID2").rows]
    assert before[0] == after[-1] == "memory-bandwidth" and sorted(before) == sorted(after)


def test_a_value_that_is_disputed_alone_does_not_lead_its_row() -> None:
    row = row_of("MID2", "memory-bandwidth", Altered(**{"200__bandwidth_mid_other": {"verdict": "disputed"}}))
    assert (row.value, row.verdict) == ("4.8 TB/s of Mid SXM", row.values[0].verdict) and row.verdict != "disputed"
    assert [one.shown for one in row.values] == ["4.8 TB/s", "5.3 TB/s"]


def test_of_values_that_stand_alike_the_one_that_says_what_it_holds_for_leads() -> None:
    change = {
        "canonical_value": 6e12,
        "printed": "6.0",
        "unit": "unit/TB/s",
        "conditions": "date=2025-03; buyer=resellers",
    }
    change |= {"verdict": "unverified"}
    same: dict[str, Any] = {"verdict": "unverified"}
    ask = Altered(**{"200__bandwidth_mid": change, "100__bandwidth_mid": same, "200__bandwidth_mid_other": same})
    assert [one.shown for one in row_of("MID2", "memory-bandwidth", ask).values] == ["6.0 TB/s", "4.8 TB/s", "5.3 TB/s"]


def test_of_a_family_whose_variants_differ_each_is_told_with_its_figure() -> None:
    """The figure of one card in the row of the whole family reads as if it were that of all of them."""
    alike: dict[str, Any] = {"verdict": "unverified", "conditions": None}
    ask = Altered(
        **{
            "100__bandwidth_mid": {**alike, "subject": "accelerator/mid-sxm", "subject_label": "MID2 SXM"},
            "200__bandwidth_mid": {**alike, "subject": "accelerator/mid-sxm", "subject_label": "MID2 SXM"},
            "200__bandwidth_mid_other": {**alike, "subject": "accelerator/mid-nvl", "subject_label": "MID2 NVL"},
        }
    )
    row = row_of("MID2", "memory-bandwidth", ask)
    assert (row.value, row.others) == ("5.3 TB/s of MID2 NVL; 4.8 TB/s of MID2 SXM", ())
    own = Altered(**{"200__bandwidth_mid_other": {"subject": "accelerator/mid-nvl", "subject_label": "MID2 NVL"}})
    assert row_of("MID2", "memory-bandwidth", own).value == "5.3 TB/s of MID2 NVL"  # confirmed, which 4.8 is not


def test_a_refuted_figure_is_never_the_value_to_use() -> None:
    corrected = Altered(**{"100__mid_power": {"verdict": "wrong", "value_to_use": "600 W"}})
    alone = Altered(**{"100__mid_power": {"verdict": "wrong"}})
    assert row_of("MID2", "power", corrected).value == "600 W"
    row = row_of("MID2", "power", alone)
    assert (row.value, row.verdict, row.low) == (None, "wrong", None)
    assert any("none usable, not 700 W" in line for line in sheet_lines(specs(alone, "MID2")))


def test_a_sheet_opens_with_the_main_figures_and_their_verdicts() -> None:
    ask = Altered(**{"100__mid_power": {"verdict": "wrong"}, "100__bandwidth_mid": {"verdict": "caution"}})
    opening = " ".join(" ".join(sheet_lines(specs(ask, "MID2"))).partition("specifications")[0].split())
    assert "by Maker: memory bandwidth 5.3 TB/s of Mid SXM (unverified); rental price" in opening
    assert "700 W" not in opening and "power" not in opening  # a refuted figure is no answer


def test_an_empty_cell_is_no_row() -> None:
    assert "memory-capacity" not in {row.metric for row in specs(ask_small, "NEW3").rows}


def test_published_results_are_counted_with_their_best_and_newest() -> None:
    chat = next(one for one in specs(ask_small, "NEW3").published if one.task.id == "task/chat" and one.results == 2)
    assert (chat.low, chat.high, chat.unit, chat.best) == (4000.0, 5000.0, "token/s", "100/run.new.solid.v2")
    assert (chat.best_by.label, chat.newest_round.id) == ("Maker", "round/bench-v2")


def test_a_share_of_an_accelerator_has_its_own_results_and_a_system_those_of_what_is_in_it() -> None:
    shown = show(ask_small, "accelerator/mid-sxm")
    links = (*shown.links, LinkTo("configuration of", Thing("accelerator/new-gpu", "New GPU")))

    def results_of(**facts: str) -> set[str]:
        changed = shown._replace(links=links, facts={**shown.facts, **facts})
        return {one.accelerator.id for one in sheet_of(ask_small, changed, "accelerator/mid-sxm").published}

    assert results_of() == {"accelerator/mid-sxm"}
    assert results_of(kind="configuration") == {"accelerator/mid-sxm"}  # a virtualised one is counted as one
    assert results_of(kind="node", level="node") == {"accelerator/mid-sxm", "accelerator/new-gpu"}


def test_the_best_time_is_the_shortest() -> None:
    time = next(one for one in specs(ask_small, "NEW3").published if one.unit == "s")
    assert (time.scenario, time.best) == (None, "100/run.time")


def test_what_it_is_compared_with_leaves_out_its_own_members() -> None:
    compared = {one.other.id: one.claims for one in specs(ask_small, "MID2").compared}
    assert compared == {"family/new": 3, "accelerator/new-gpu": 1, "system/new-rack": 1}


def test_an_id_covers_what_its_label_covers() -> None:
    assert [row[1:] for row in specs(ask_small, "family/mid").rows] == [
        row[1:] for row in specs(ask_small, "MID2").rows
    ]


def test_a_metric_has_a_row_for_each_thing_largest_first() -> None:
    sheet = specs(ask_small, "memory-bandwidth")
    assert (sheet.kind, [row.of.id for row in sheet.rows]) == ("metric", ["accelerator/mid-sxm"])
    assert sheet.next[0] == "kg show accelerator/mid-sxm"


def test_a_metric_that_nothing_specifies_has_what_texts_say_of_it() -> None:
    rows = specs(ask_small, "training-speed").rows
    assert [(row.of.id, row.facets, row.value, row.sources) for row in rows] == [
        ("system/new-rack", "against Old series", "up to 4x", 1),
        ("family/new", "against Mid series", "2.5x", 1),
        ("system/new-rack", "against Mid series, training", "2.5x", 1),
    ]
    (cost,) = (row for row in specs(ask_small, "throughput").rows if row.facets == "total")
    assert cost.value == "289,712 token/s"


def test_a_metric_sums_up_what_published_files_give_of_it() -> None:
    def asked(name: str, /, **values: Any) -> Answer:
        return ask_small(name, **values, **({"source_form": "report"} if name == "claims/published-of-metric" else {}))

    assert [one.worded for one in specs(asked, "power").summed] == [
        "power total: 1 row, 5,000 W; best and newest Mid SXM, chat, offline, bench-v1",
        "power: 1 row, 700 W; best and newest Mid SXM",
    ]
    assert specs(ask_small, "power").summed == ()


def test_the_prices_of_files_are_summed_up_and_those_of_texts_are_rows() -> None:
    """Hundreds of offers of a catalogue are no specification of a chip: they were listed one after the other."""
    (before,) = (row for row in specs(ask_small, "MID2").rows if row.metric == "rental-price")
    priced = {str(row["source"]) for row in ask_small("specifications/all-claims", thing="MID2", kind="price").dicts()}

    def asked(name: str, /, **values: Any) -> Answer:
        answer = ask_small(name, **values)
        if name != "sources/all":
            return answer
        place = answer.columns.index("form")
        rows = ((*row[:place], "dataset" if row[0] in priced else row[place], *row[place + 1 :]) for row in answer.rows)
        return Answer(answer.columns, tuple(rows))

    sheet = specs(asked, "MID2")
    assert "rental-price" not in {row.metric for row in sheet.rows}
    (summed,) = (one for one in sheet.summed if one.metric == "rental-price")
    assert summed.rows == before.claims and summed.best in before.values[0].claims


def test_a_model_a_task_and_a_round_lead_to_their_benchmark_results() -> None:
    assert specs(ask_small, "model/solid").next[0] == "kg ask benchmarks/best --model model/solid"
    assert specs(ask_small, "task/chat").next[0] == "kg ask benchmarks/best --task task/chat"
    assert specs(ask_small, "round/bench-v1").next[0] == "kg ask benchmarks/round-submitters --round round/bench-v1"
    assert not any("benchmarks" in one for one in specs(ask_small, "NEW3").next)


def test_the_question_named_next_answers_for_metrics_that_nothing_specifies() -> None:
    last = specs(ask_small, "training-speed").next[-1]
    _, _, kind = last.partition(" --kind ")
    assert kind == "comparison"
    assert ask_small("specifications/by-metric", metric="training-speed", kind=kind).rows


def test_shares_and_multiples_are_not_ranked_among_figures_of_the_unit_of_most() -> None:
    watts = SheetRow(
        Thing("a/a", "A"), "power", "accelerator", None, "700 W", "confirmed", "", 700, 700, "W", 1, 1, 1, ()
    )
    share = watts._replace(value="75%", low=0.75, high=0.75, unit="1")
    assert unit_of_most([share, watts, watts]) == "W"
    assert unit_of_most([share._replace(low=None)]) is None


def test_the_long_digits_of_a_file_are_shown_with_a_prefix() -> None:
    claims = {"100__bandwidth_mid": {"printed": "4800000000000.0", "unit": "byte/s"}}
    assert "4.8 TB/s" in [one.shown for one in row_of("MID2", "memory-bandwidth", Altered(**claims)).values]


@pytest.mark.parametrize("name", ["nobody", "source/200", "100/row.each"])
def test_what_is_no_thing_and_no_metric_raises(name: str) -> None:
    with pytest.raises(UnknownThing):
        specs(ask_small, name)


def test_a_sheet_is_json_and_a_frame_and_says_what_it_asked() -> None:
    sheet = specs(ask_small, "MID2")
    text = json.dumps(sheet.to_json())
    assert text == json.dumps(json.loads(text), sort_keys=True)
    assert list(sheet.to_pandas()["metric"]) == [row.metric for row in sheet.rows]
    assert "memory-bandwidth" in sheet._repr_html_()
    assert set(sheet.questions) <= set(questions())


def test_lines_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, sheet_lines(specs(ask_small, "MID2")))) <= 80


def test_a_sheet_follows_the_order_of_data_sheets() -> None:
    metrics = [row.metric for row in specs(ask_small, "MID2").rows]
    assert metrics == ["memory-bandwidth", "power", "memory-type", "rental-price"]


@pytest.mark.parametrize(
    ("printed", "unit", "value", "shown"),
    [
        ("405B", "unit/parameter", 405e9, "405B"),
        ("15T", "unit/token", 15e12, "15T"),
        ("4.8T", "unit/TB/s", 4.8e12, "4.8 TB/s"),
        ("80G", "unit/GB", 80e9, "80 GB"),
    ],
)
def test_a_letter_behind_a_figure_is_left_out_only_where_the_unit_begins_with_it(
    printed: str, unit: str, value: float, shown: str
) -> None:
    ask = Altered(**{"100__mid_power": {"printed": printed, "unit": unit, "canonical_value": value}})
    assert row_of("MID2", "power", ask).value == shown


def test_things_of_one_label_are_counted_or_told_apart_by_their_ids() -> None:
    """Two vendors submit the same system: it stood twice in the list, as if printed by mistake."""
    labels = {"config/a-h200": "H200 (8x)", "config/b-h200": "H200 (8x)", "config/one": "H200 (1x)"}
    assert list(told_apart(labels, wide=False)) == ["H200 (8x) (2 of this name)", "H200 (1x)"]
    assert list(told_apart(labels, wide=True)) == [
        "H200 (8x) [config/a-h200]",
        "H200 (8x) [config/b-h200]",
        "H200 (1x)",
    ]
