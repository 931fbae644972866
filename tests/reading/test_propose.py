"""Candidates of fields on texts of our own: prose, tables by rows and by columns, comparisons, conditions."""

from dataclasses import replace

import pytest

from kg.reading.candidates_conditions import seen_conditions
from kg.reading.figure import ReportFigure
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.passage import Passage, PassageReader
from kg.reading.proposal import ClaimProposal
from kg.reading.propose import propose
from kg.reading.text import Block, ReportText
from tests.reading.conftest import figure, prose, table


def proposal(
    knowledge: ReadingKnowledge, report: ReportText, printed: str, unit: str, relation: str = "absolute"
) -> ClaimProposal:
    (made,) = propose(report, [figure(report, printed, unit, relation)], knowledge)
    return made


def first(made: ClaimProposal, name: str) -> str | None:
    candidate = made.first(name)
    return candidate.value if candidate else None


def test_a_cell_is_said_of_the_name_of_its_row_in_the_metric_of_its_column(knowledge: ReadingKnowledge) -> None:
    report = table(("Chip", "Memory bandwidth (TB/s)", "TDP (W)"), ("H200", "4.8", "700"), ("MI300X", "5.3", "750"))
    made = proposal(knowledge, report, "5.3", "TB/s")
    assert (first(made, "subject"), first(made, "metric")) == ("accelerator/amd-mi300x", "memory-bandwidth")
    assert made.fields["subject"][0].reason == "header of the row"
    assert first(proposal(knowledge, report, "700", "W"), "metric") == "power"


def test_a_table_turned_round_names_its_chips_in_columns(knowledge: ReadingKnowledge) -> None:
    report = table(("", "H200", "MI300X"), ("Memory capacity", "141 GB", "192 GB"), ("TDP", "700 W", "750 W"))
    made = proposal(knowledge, report, "192", "GB")
    assert (first(made, "subject"), first(made, "metric")) == ("accelerator/amd-mi300x", "memory-capacity")


def test_a_row_nobody_knows_is_a_new_name(knowledge: ReadingKnowledge) -> None:
    report = table(("Chip", "Memory (GB)"), ("H200", "141"), ("Zeta Z900", "512"))
    assert first(proposal(knowledge, report, "512", "GB"), "subject") == "new:Zeta Z900"


@pytest.mark.parametrize(
    ("text", "printed", "subject", "baseline"),
    [
        ("The B200 is 2.5x faster than the H100 in inference.", "2.5x", "family/nvidia-b200", "family/nvidia-h100"),
        (
            "Compared to the H100, the H200 delivers 1.9x the throughput.",
            "1.9x",
            "family/nvidia-h200",
            "family/nvidia-h100",
        ),
    ],
)
def test_a_ratio_has_its_baseline(
    knowledge: ReadingKnowledge, text: str, printed: str, subject: str, baseline: str
) -> None:
    made = proposal(knowledge, prose(text), printed, "1", "ratio")
    assert (first(made, "subject"), first(made, "baseline")) == (subject, baseline)


def test_an_absolute_figure_has_no_baseline(knowledge: ReadingKnowledge) -> None:
    made = proposal(knowledge, prose("The H200 has 141 GB of memory, more than the H100."), "141", "GB")
    assert first(made, "subject") == "family/nvidia-h200"
    assert first(made, "metric") == "memory-capacity"
    assert "baseline" not in made.fields


def test_a_metric_is_one_that_the_unit_can_measure(knowledge: ReadingKnowledge) -> None:
    made = proposal(knowledge, prose("Memory bandwidth and power of the H100: it draws 700 W."), "700", "W")
    assert {candidate.value for candidate in made.fields["metric"]} <= {
        metric.id for metric in knowledge.vocabulary.metrics.values() if "power" in metric.kinds
    }


def test_what_is_no_claim_has_no_fields(knowledge: ReadingKnowledge) -> None:
    report = prose("Released in 2024 with the H200.")
    date = figure(report, "2024", None)
    date = type(date)(date.start, date.end, date.printed, None, None, None, "absolute", date.block, "date")
    (made,) = propose(report, [date], knowledge)
    assert made.fields == {}


def test_shares_of_candidates_lie_between_none_and_all(knowledge: ReadingKnowledge) -> None:
    made = proposal(knowledge, prose("The B200 beats the H100 and the H200 with 192 GB of HBM3e."), "192", "GB")
    for candidates in made.fields.values():
        assert all(0 <= candidate.confidence <= 1 for candidate in candidates)
        assert [one.confidence for one in candidates] == sorted((one.confidence for one in candidates), reverse=True)


def test_the_corner_of_a_table_gives_the_unit_that_its_columns_leave_out(knowledge: ReadingKnowledge) -> None:
    report = table(("Chip \\ TFLOPS", "fp8", "bf16"), ("H200", "1979", "989"), ("MI300X", "2610", "1300"))
    (made,) = propose(report, [figure(report, "989", None)], knowledge)
    assert (first(made, "unit"), first(made, "metric")) == ("TFLOP/s", "peak-compute")
    assert made.fields["unit"][0].reason == "the corner of the table"
    assert [candidate.value for candidate in made.conditions["precision"]][:1] == ["precision/bf16"]


@pytest.mark.parametrize("unit", [None, "TFLOP/s"])
def test_rates_of_whole_numbers_count_operations_whatever_the_table_calls_them(
    knowledge: ReadingKnowledge, unit: str | None
) -> None:
    report = table(("Chip \\ TFLOPS", "int8", "bf16"), ("H200", "1979", "989"), ("MI300X", "2600", "1300"))
    whole, half = propose(report, [figure(report, "1979", unit), figure(report, "989", unit)], knowledge)
    assert (first(whole, "unit"), first(whole, "metric")) == ("TOP/s", "peak-compute")
    assert whole.fields["unit"][0].reason == "whole numbers in the header" and first(half, "unit") == "TFLOP/s"


def test_a_variant_that_nobody_knows_is_not_read_as_the_chip_that_it_is_a_variant_of(
    knowledge: ReadingKnowledge,
) -> None:
    report = table(("Chip", "TDP (W)"), ("H200", "700"), ("H200 Ultra 999GB", "900"))
    assert first(proposal(knowledge, report, "900", "W"), "subject") == "new:H200 Ultra 999GB"


@pytest.mark.parametrize(("printed", "precision"), [("3958", "fp8"), ("1979", "fp16"), ("989", "tf32")])
def test_of_a_list_each_figure_holds_at_the_precision_of_its_own_part(
    knowledge: ReadingKnowledge, printed: str, precision: str
) -> None:
    text = (
        "The H100 provides 3958 TFLOPS at FP8 precision, 1979 TFLOPS at FP16 precision, 989 TFLOPS at TF32 precision."
    )
    made = proposal(knowledge, prose(text), printed, "TFLOP/s")
    assert made.conditions["precision"][0].value == f"precision/{precision}"


def test_a_task_is_named_where_its_model_is_called_by_another_name(knowledge: ReadingKnowledge) -> None:
    rows = (("Accelerator", "Scenario", "Total (samples/s)"), ("H200", "Offline", "17.9"), ("L40S", "Offline", "3.8"))
    parts = table(*rows, headings=("4.3. Stable-Diffusion-XL Model",)).blocks
    lead = "SD-XL is a model that makes pictures of words."
    shifted = [replace(one, start=one.start + len(lead) + 1, end=one.end + len(lead) + 1) for one in parts]
    text = f"{lead}\n{table(*rows).text}"
    blocks = (Block("paragraph", 0, len(lead), ("4.3. Stable-Diffusion-XL Model",)), *shifted)
    report = ReportText(text, "0" * 64, "0" * 64, "text", blocks)
    seen = seen_conditions(passage_of(report, figure(report, "17.9", "sample/s"), knowledge), knowledge, None)
    (task,) = [one for one in seen if one.value == "task/mlperf-stable-diffusion-xl"]
    (model,) = [one for one in seen if one.value == "model/stable-diffusion-xl"]
    assert "lead" in task.features and task.distance == model.distance


def passage_of(report: ReportText, of: ReportFigure, knowledge: ReadingKnowledge) -> Passage:
    return PassageReader(report, knowledge.names.scan_all, knowledge.terms.scan).read(of)


DIVIDED = [
    ("The new GB200 costs 17% less per GB.", "17%", "decrease", "per-gb", "cost-per-memory"),
    ("The B200 costs 25% less per generated token than the H100.", "25%", "decrease", "per-token", "inference-cost"),
    ("The B200 uses 30% less energy per token.", "30%", "decrease", "per-token", "energy-per-token"),
    ("The H100 is 20% cheaper per hour than an A100.", "20%", "decrease", "unstated", "rental-price"),
    ("It gives 2.3x more tokens per second per dollar.", "2.3x", "ratio", "per-dollar", "throughput"),
    ("The B200 is 1.8x faster than an H200 per GPU.", "1.8x", "ratio", None, None),
    ("Serving is 12% cheaper per million tokens.", "12%", "decrease", "per-million-tokens", "inference-cost"),
    ("It needs 40% less energy per query than the H200.", "40%", "decrease", "per-request", "energy-use"),
]


@pytest.mark.parametrize(("text", "printed", "relation", "normaliser", "metric"), DIVIDED)
def test_what_a_comparison_is_per_stands_behind_its_comparative(
    knowledge: ReadingKnowledge, text: str, printed: str, relation: str, normaliser: str | None, metric: str | None
) -> None:
    made = proposal(knowledge, prose(text), printed, "1" if printed.endswith("x") else "%", relation)
    assert metric is None or first(made, "metric") == metric
    assert normaliser is None or first(made, "normaliser") == normaliser


def test_figures_in_a_bracket_are_of_the_name_before_it(knowledge: ReadingKnowledge) -> None:
    text = "Supported are Google - Koala 4 (26B MoE, 31B Dense) - Koala 3 (4B, 12B, 28B) and more."
    for printed, name in (("26B", "Koala 4"), ("31B", "Koala 4"), ("4B", "Koala 3"), ("28B", "Koala 3")):
        made = proposal(knowledge, prose(text), printed, "parameter")
        assert first(made, "subject") == f"new:{name}", printed


@pytest.mark.parametrize(
    ("text", "printed", "relation", "metric"),
    [
        ("The B200 is fast while using only 1.7x the power of the H100.", "1.7x", "ratio", "power"),
        ("It has 1.4x as much memory bandwidth as the H100.", "1.4x", "ratio", "memory-bandwidth"),
        ("The rack makes 37% more than the 1,425 tok/s of the B200 server.", "37%", "increase", "throughput"),
        ("The B200 server reaches 11,400 tok/s, a 2.2x gain.", "2.2x", "ratio", "throughput"),
        (
            "The H100 rents for $2.10 an hour, down from $2.99 per hour, a drop of 30%.",
            "30%",
            "decrease",
            "rental-price",
        ),
        ("The B200 draws 30% less power than the rack.", "30%", "decrease", "power"),
    ],
)
def test_a_multiple_is_of_the_metric_that_stands_behind_it(
    knowledge: ReadingKnowledge, text: str, printed: str, relation: str, metric: str
) -> None:
    made = proposal(knowledge, prose(text), printed, "1" if printed.endswith("x") else "%", relation)
    assert first(made, "metric") == metric


@pytest.mark.parametrize(
    ("printed", "unit", "relation", "subject"),
    [
        ("31,900", "token/s", "absolute", "new:8-GPU H200 node"),
        ("1.42", "1", "ratio", "new:8-GPU H200 node"),
        ("22,500", "token/s", "absolute", "new:H100 node"),
    ],
)
def test_a_figure_behind_a_verb_is_of_what_stands_before_it(
    knowledge: ReadingKnowledge, printed: str, unit: str, relation: str, subject: str
) -> None:
    text = (
        "On our chat workload an 8-GPU H200 node served 31,900 tokens per second, 1.42 times the 22,500 tokens per"
        " second of the H100 node next to it."
    )
    assert first(proposal(knowledge, prose(text), printed, unit, relation), "subject") == subject


def test_a_server_that_one_landlord_calls_by_its_chips_is_not_his_in_other_texts(knowledge: ReadingKnowledge) -> None:
    made = proposal(knowledge, prose("We rented an 8×H200 server that draws 7.8 kW."), "7.8", "kW")
    assert not (first(made, "subject") or "").startswith("config/omniyq")


def test_who_made_the_thing_is_no_customer_of_it(knowledge: ReadingKnowledge) -> None:
    report = prose("According to NVIDIA, an H100 of Mistral AI makes 3,000 tokens per second.")
    seen = seen_conditions(
        passage_of(report, figure(report, "3,000", "token/s"), knowledge), knowledge, "family/nvidia-h100"
    )
    assert [one.value for one in seen if one.name == "customer"] == ["org/mistral-ai"]


@pytest.mark.parametrize(
    ("text", "printed", "unit", "relation", "subject"),
    [
        (
            "The H200 made 9,840 tokens/s and the MI300X 8,100 tokens/s. Power draw was 690 W and 735 W.",
            "735",
            "W",
            "absolute",
            "accelerator/amd-mi300x",
        ),
        (
            "The H200 made 9 tokens/s, the MI300X 8 tokens/s and the A100 4 tokens/s. Against the A100 that is 2.25x and 2x.",
            "2.25x",
            "1",
            "ratio",
            "family/nvidia-h200",
        ),
        (
            "We saw 34,420 tokens/s for the H200 box and 31,128 tokens/s for MI300X.",
            "31,128",
            "token/s",
            "absolute",
            "accelerator/amd-mi300x",
        ),
        (
            "On DeepSeek-R1 it reports 1,120 tokens per second per H100 and 3,450 per B200.",
            "3,450",
            "token/s",
            "absolute",
            "family/nvidia-b200",
        ),
        (
            "The B300 beats the NVL72. The MI355X offers 288 GB and 8 TB/s.",
            "8",
            "TB/s",
            "absolute",
            "accelerator/amd-mi355x",
        ),
        (
            "The B300 beats the NVL72. The MI355X offers 288 GB of HBM3E and 8 TB/s.",
            "8",
            "TB/s",
            "absolute",
            "accelerator/amd-mi355x",
        ),
    ],
)
def test_figures_in_a_row_are_of_the_things_in_their_turn(
    knowledge: ReadingKnowledge, text: str, printed: str, unit: str, relation: str, subject: str
) -> None:
    assert first(proposal(knowledge, prose(text), printed, unit, relation), "subject") == subject


def test_a_number_before_a_comma_is_no_batch_and_what_is_per_gpu_no_count(knowledge: ReadingKnowledge) -> None:
    report = prose("With BF16, batch size 64, it makes 12,072 per GPU and 9,840 tokens/s.")
    seen = seen_conditions(passage_of(report, figure(report, "9,840", "token/s"), knowledge), knowledge, None)
    assert {(one.name, one.value) for one in seen if one.name in ("batch", "accelerators")} == {("batch", "64")}


def test_what_a_thing_is_rated_at_has_no_condition_of_a_run_told_elsewhere(knowledge: ReadingKnowledge) -> None:
    report = prose("On DeepSeek-R1 the H200 is fast. It has 141 GB of memory.")
    passage = passage_of(report, figure(report, "141", "GB"), knowledge)
    named = [
        {one.name for one in seen_conditions(passage, knowledge, None, metric)}
        for metric in ("throughput", "memory-capacity")
    ]
    assert ["model" in one for one in named] == [True, False]


def test_dense_beside_a_number_format_is_a_setting_and_no_kind_of_model(knowledge: ReadingKnowledge) -> None:
    report = table(("Chip", "FP8 dense (PFLOPS)"), ("H200", "1.98"))
    seen = seen_conditions(
        passage_of(report, figure(report, "1.98", "PFLOP/s"), knowledge), knowledge, None, "peak-compute"
    )
    assert {(one.name, one.value) for one in seen} == {("precision", "precision/fp8"), ("sparsity", "dense")}


@pytest.mark.parametrize(("printed", "phase"), [("61.2k", "prefill"), ("12.9k", "decode")])
def test_each_of_two_figures_has_the_phase_that_stands_behind_it(
    knowledge: ReadingKnowledge, printed: str, phase: str
) -> None:
    report = prose("An H100 box takes in 61.2k tokens/s in prefill, and gives out 12.9k tokens/s while decoding.")
    passage = passage_of(report, figure(report, printed, "token/s"), knowledge)
    seen = seen_conditions(passage, knowledge, None, "throughput")
    assert [one.value for one in seen if one.name == "phase"] == [phase]


def test_a_phase_before_its_only_figure_stays_its_own(knowledge: ReadingKnowledge) -> None:
    report = prose("During decoding 8 of the 24 nodes gave 9,840 tokens/s.")
    seen = seen_conditions(passage_of(report, figure(report, "9,840", "token/s"), knowledge), knowledge, None)
    assert ("phase", "decode") in {(one.name, one.value) for one in seen}


def test_what_is_spent_a_day_is_a_cost(knowledge: ReadingKnowledge) -> None:
    made = proposal(knowledge, prose("All in all the service costs $61,400 per day to run."), "$61,400", "USD/day")
    assert first(made, "metric") == "cost"


def test_rows_of_a_table_that_was_pasted_without_its_header_are_read_one_by_one(knowledge: ReadingKnowledge) -> None:
    report = prose("| H100 | 80 GB |\n| H200 | 141 GB |\n| MI300X | 192 GB |")
    passage = passage_of(report, figure(report, "141", "GB"), knowledge)
    assert [near.mention.printed for near in passage.names if near.zone in ("before", "after")] == ["H200"]


def test_of_a_long_list_in_one_sentence_the_nearest_names_are_looked_at(knowledge: ReadingKnowledge) -> None:
    report = prose(", ".join(["H200"] * 60) + " hold 141 GB of memory, " + ", ".join(["H100"] * 60) + " hold less.")
    passage = passage_of(report, figure(report, "141", "GB"), knowledge)
    assert [len(passage.named_in(zone)) for zone in ("before", "after")] == [24, 24]
    assert first(proposal(knowledge, report, "141", "GB"), "subject") == "family/nvidia-h200"
