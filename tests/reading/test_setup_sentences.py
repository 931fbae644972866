"""What is said once and holds for several figures: setups, notes, headings, columns of lengths; and levels, divisors, modality."""

import pytest

from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.proposal import ClaimProposal
from kg.reading.propose import propose
from kg.reading.report import read_report
from kg.reading.stated_conditions import stated


def read(text: str, printed: str, knowledge: ReadingKnowledge) -> ClaimProposal:
    """The proposal for the first figure printed so, of a text in Markdown."""
    report = read_report(text.encode(), "markdown")
    figures = find_figures(report, knowledge.vocabulary.units, knowledge.names)
    return next(one for one in propose(report, figures, knowledge) if one.figure.printed == printed)


def conditions(made: ClaimProposal) -> dict[str, str]:
    return {name: found[0].value for name, found in made.conditions.items()}


LENGTHS = [
    ("with 1,024 input tokens and 256 output tokens", "1024 in, 256 out"),
    ("2,048 input and 128 output tokens", "2048 in, 128 out"),
    ("ISL/OSL = 1k/8k", "1000 in, 8000 out"),
    ("an input length of 512 and an output length of 64", "512 in, 64 out"),
    ("prompts had 4,096 input tokens, and answers 512 output tokens", "4096 in, 512 out"),
]


@pytest.mark.parametrize(("text", "value"), LENGTHS)
def test_lengths_of_input_and_output_are_one_condition(text: str, value: str) -> None:
    assert [one.value for one in stated(text) if one.name == "sequence_length"] == [value]


def test_rates_and_prices_of_tokens_are_no_lengths() -> None:
    for text in (
        "1,200 input tokens/s and 300 output tokens/s",
        "$2 per million input tokens and $8 per million output",
    ):
        assert [one for one in stated(text) if one.name == "sequence_length"] == []


def test_what_holds_for_all_runs_is_said_once(knowledge: ReadingKnowledge) -> None:
    text = "# Round\n\nAll runs use FP8 unless noted.\n\n## Llama 3.1 70B, batch size 4\n\nThe H200 makes 3,370 tokens/s.\n"
    found = conditions(read(text, "3,370", knowledge))
    assert (found["precision"], found["model"], found["batch"]) == ("precision/fp8", "model/llama-3-1-70b", "4")


def test_a_setup_that_names_several_values_says_none(knowledge: ReadingKnowledge) -> None:
    text = "# Round\n\nAll runs use FP8 or BF16.\n\n## Speed\n\nThe H200 makes 3,370 tokens/s.\n"
    assert "precision" not in conditions(read(text, "3,370", knowledge))


def test_how_something_was_run_holds_for_the_sentences_behind_it(knowledge: ReadingKnowledge) -> None:
    text = (
        "We served Llama 3.1 405B in FP8 with 1,024 input and 256 output tokens. At a batch size of 64, the B200 makes"
        " 1,120 tokens per second. At a concurrency of 4 it makes 92 tokens per second."
    )
    found = conditions(read(text, "1,120", knowledge))
    assert (found["model"], found["precision"]) == ("model/llama-3-1-405b", "precision/fp8")
    assert (found["sequence_length"], found["batch"]) == ("1024 in, 256 out", "64")
    later = conditions(read(text, "92", knowledge))
    assert later["concurrency"] == "4" and "batch" not in later


def test_the_note_of_a_row_goes_before_what_holds_for_all(knowledge: ReadingKnowledge) -> None:
    text = (
        "# Round\n\nAll runs use FP8.\n\n| Accelerator | Throughput (tokens/s) |\n|---|--:|\n| H200 SXM | 3,370 |\n"
        "| MI300X [^1] | 3,060 |\n\n[^1]: In BF16, since FP8 was not accurate.\n"
    )
    assert conditions(read(text, "3,370", knowledge))["precision"] == "precision/fp8"
    assert conditions(read(text, "3,060", knowledge))["precision"] == "precision/bf16"


def test_columns_of_lengths_are_one_condition(knowledge: ReadingKnowledge) -> None:
    text = "| Accelerator | ISL | OSL | Throughput (tokens/s) |\n|---|--:|--:|--:|\n| H200 SXM | 1024 | 128 | 3,370 |\n"
    assert conditions(read(text, "3,370", knowledge))["sequence_length"] == "1024 in, 128 out"


def test_the_unit_and_the_baseline_of_a_table_are_in_its_caption_and_its_header(knowledge: ReadingKnowledge) -> None:
    text = (
        "Time to first token in milliseconds:\n\n| | H100 SXM | L40S |\n|---|--:|--:|\n| Mean | 41 | 97 |\n"
        "| Relative to H100 SXM | 1.00x | 2.37x |\n"
    )
    mean, relative = read(text, "97", knowledge), read(text, "2.37x", knowledge)
    assert mean.figure.unit == "ms"
    firsts = [one.value for name in ("subject", "metric", "statistic") if (one := mean.first(name))]
    assert firsts == ["accelerator/nvidia-l40s", "latency", "mean"]
    firsts = [one.value for name in ("subject", "baseline", "metric") if (one := relative.first(name))]
    assert firsts == ["accelerator/nvidia-l40s", "accelerator/nvidia-h100-sxm-80gb", "latency"]


STATED = [
    ("One B200 costs $4.99 per hour.", "$4.99", {"metric": "rental-price", "normaliser": "per-chip"}),
    ("The H100 stays at $2.39 per GPU-hour.", "$2.39", {"normaliser": "per-gpu-hour", "level": "accelerator"}),
    ("With the H200 each user sees 92 tokens per second.", "92", {"normaliser": "per-user"}),
    ("The H200 makes 1,420 tokens per second per GPU.", "1,420", {"normaliser": "per-chip", "level": "accelerator"}),
    ("With the H200, a single node can handle 128 requests.", "128", {"level": "node"}),
    ("The H200 reached an MFU of 41% on one node.", "41%", {"normaliser": None}),
    ("The B200 will draw 1,000 W.", "1,000", {"modality": "expected"}),
    ("If one A100 costs $1 per hour, it would pay.", "$1", {"modality": "assumed"}),
    ("Sales will reach $310 billion, up from $165 billion.", "$165 billion", {"modality": None}),
    ("Serving on the H200 costs $0.42 per million output tokens.", "$0.42", {"metric": "inference-cost"}),
    ("Training on the H200 costs $0.42 per million tokens.", "$0.42", {"metric": "training-cost"}),
    ("The median latency of the H200 was 1.9 s.", "1.9", {"statistic": "median"}),
    ("The H200 draws 700 W at most.", "700", {"statistic": "max"}),
    ("Each server has eight H200 GPUs.", "eight", {"metric": "component-count"}),
    ("They ran it on 16 MI355X for a day.", "16", {"metric": "accelerators-used", "normaliser": "total"}),
]


@pytest.mark.parametrize(("text", "printed", "fields"), STATED)
def test_a_sentence_says_what_a_figure_is_per_and_how_sure_it_is(
    knowledge: ReadingKnowledge, text: str, printed: str, fields: dict[str, str | None]
) -> None:
    made = read(text, printed, knowledge)
    defaults = {"normaliser": "unstated", "modality": "stated"}
    for name, value in fields.items():
        found = made.first(name)
        assert (found.value if found else None) in (value, defaults.get(name) if value is None else value), name


def test_the_name_of_a_chip_that_ends_with_s_counts_nothing(knowledge: ReadingKnowledge) -> None:
    made = read("| | L40S |\n|---|--:|\n| p99 | 188 |\n", "188", knowledge)
    assert made.figure.unit is None


def test_open_is_a_division_only_of_a_benchmark(knowledge: ReadingKnowledge) -> None:
    assert "division" not in conditions(read("# Open results\n\nThe H200 makes 3,370 tokens/s.\n", "3,370", knowledge))


def test_a_ratio_counts_no_accelerators_and_a_model_is_no_task(knowledge: ReadingKnowledge) -> None:
    assert [one for one in stated("That is 1.4x the H200.") if one.name == "accelerators"] == []
    found = conditions(read("# DeepSeek-R1\n\nThe H200 makes 3,370 tokens/s.\n", "3,370", knowledge))
    assert found["model"] == "model/deepseek-r1" and "task" not in found


def test_what_holds_for_all_is_not_taken_where_something_nearer_is_said(knowledge: ReadingKnowledge) -> None:
    text = "All runs use FP8.\n\nIn BF16 the H200 took 7.5 hours to train Llama 3.1 70B. Its MFU was 36%.\n"
    assert conditions(read(text, "36%", knowledge)).get("precision") != "precision/fp8"
