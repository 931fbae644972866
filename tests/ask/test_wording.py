"""Questions in plain words: a hundred needs in three wordings each, others that were not looked at when words were chosen, and what is no question."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import yaml

from kg.ask.examples import example_stems, wording_examples
from kg.ask.mentions import dates_in, in_digits
from kg.ask.metrics_asked import with_metric_meant, without_wishes
from kg.ask.plain_words import stems
from kg.ask.spelling import as_spelled, with_models_joined
from kg.ask.unsure_question import UnsureQuestion
from kg.ask.wording import Wordings, understood
from kg.content.entities import read_registry
from kg.content.folders import Content, find_content
from kg.content.vocabulary import read_vocabulary
from kg.errors import UsageError
from kg.model.names import all_names, name_key
from tests.ask.harness import CHECKOUT, ask_small, metrics, questions

HELD_OUT = CHECKOUT / "tests" / "cases" / "wordings-held-out.txt"
FILE = CHECKOUT / "tests" / "cases" / "wordings.yaml"


@cache
def vocabulary() -> tuple[dict[str, tuple[str, ...]], dict[str, str], list[list[str]]]:
    """Names, metrics and words of metrics, as `Wordings` takes them."""
    names = {one.key: one.names for one in all_names(read_registry(Content(CHECKOUT)).records)}
    keys: dict[str, str] = {}
    for name, one in metrics().items():
        keys |= {name_key(word): name for word in (name, one["label"])}
    words = [[name_key(one["label"]), *map(name_key, one.get("synonyms", ()))] for one in metrics().values()]
    return names, keys, words


@cache
def wordings() -> Wordings:
    return Wordings(questions().values(), *vocabulary())


@cache
def with_units() -> Wordings:
    return Wordings(questions().values(), *vocabulary(), read_vocabulary(find_content()).units)


@cache
def cases() -> dict[str, Any]:
    given: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return given


@cache
def held_out() -> list[tuple[str, str, str]]:
    """Wordings, the questions that answer each, and what the values hold."""
    lines = [line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if "|" in line and line[0] != "#"]
    return [
        (text.strip(), wanted.strip(), values.strip()) for text, wanted, values in (one.split("|") for one in lines)
    ]


def told(kind: str) -> list[tuple[str, str | None, dict[str, str]]]:
    return [(text, one.get("question"), one.get("values", {})) for one in cases()[kind] for text in one["asked"]]


def answered(kind: str, step: int) -> tuple[int, int, list[str]]:
    """How many are ranked first, how many are answered rightly, and those answered with a wrong question or wrong values."""
    first = right = 0
    wrong = []
    for text, name, values in told(kind)[::step]:
        readings, taken = wordings().understood(text)
        best = taken or readings[0]
        fits = best.question.name == name and {(k, str(v)) for k, v in best.values.items()} <= set(values.items())
        first += fits
        right += fits and taken is not None
        wrong += [f"{text}: {best.command}"] if taken is not None and not fits else []
    return first, right, wrong


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
def test_a_hundred_needs_in_three_wordings_are_understood(step: int) -> None:
    assert len(cases()["needs"]) >= 100 and all(len(one["asked"]) == 3 for one in cases()["needs"])
    first, right, wrong = answered("needs", step)
    assert (first >= 285 // step, right >= 275 // step, len(wrong) <= 6 / step) == (True, True, True), (
        first,
        right,
        wrong,
    )


def test_no_wording_that_is_tested_was_taught() -> None:
    taught = {stems for one in questions().values() for stems in map(tuple, map(example_stems, one.asked))}
    tested = [text for text, _, _ in (*told("needs"), *held_out())]
    same = [text for text in tested if tuple(wordings().asked_words(text).stems) in taught]
    assert same == []


def test_wordings_written_before_they_were_measured_are_ranked_first_and_seldom_answered_wrongly() -> None:
    first, wrong = 0, []
    for text, wanted, values in held_out():
        readings, taken = wordings().understood(text)
        best = taken or readings[0]
        given = name_key(f"{best.values} {best.filters}").replace(" ", "-")
        fits = best.question.name in wanted.split(", ") and all(one in given for one in values.split(", "))
        first += fits
        wrong += [] if fits or taken is None else [f"{text}: {taken.command}"]
    assert first >= 0.9 * len(held_out()) and len(wrong) <= 0.05 * len(held_out()), (first, wrong)


def test_what_each_question_is_taught_leads_to_it_without_that_wording() -> None:
    """Every tenth wording left out of what is taught, ten times: the law that the file of wordings has to keep."""
    taught = [(one.name, text) for one in questions().values() for text in one.asked]
    right = 0
    for fold in range(10):
        left_out = dict(taught[fold::10][::-1])
        kept = [
            replace(one, asked=tuple(t for t in one.asked if (one.name, t) not in set(taught[fold::10])))
            for one in questions().values()
        ]
        model = wording_examples([one for one in kept if one.words or one.asked])
        assert left_out
        for name, text in taught[fold::10]:
            likely = model.likelihoods(example_stems(text))
            right += max(likely, key=likely.__getitem__) == name
    assert right >= 0.8 * len(taught), right / len(taught)


def test_the_wordings_of_the_same_questions_are_counted_once() -> None:
    """A server counted all of them anew for each question in words: as long as it took to answer many of them."""
    every = list(questions().values())
    assert wording_examples(every) is wording_examples(list(every)) is not wording_examples(every[1:])


def test_what_is_no_question_of_ours_is_not_answered() -> None:
    assert [text for text, _, _ in told("strange") if wordings().understood(text)[1] is not None] == []


def test_every_word_of_a_header_leads_to_its_question() -> None:
    for one in questions().values():
        assert all(list(stems(words)) or " " in words for words in one.words), one.name


def test_names_fill_the_parameters_in_the_order_they_are_said() -> None:
    taken, *others = understood(ask_small, questions().values(), "which claims compare NEW3 against MID2?")
    assert (taken.question.name, taken.values) == ("comparisons/compare", {"a": "new3", "b": "mid2"})
    assert taken.command == "kg ask comparisons/compare --a new3 --b mid2" and len(others) == 2


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("H200 server vs offline", "kg ask benchmarks/measured --only h200 --only server --only offline"),
        ("what did Google submit", "kg ask benchmarks/measured --only google"),
        ("what did Intel submit in v5.1", "kg ask benchmarks/measured --only intel --only v5.1"),
    ],
)
def test_results_of_both_that_are_named_and_of_a_submitter_are_listed(text: str, command: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is not None and taken.command == command


@pytest.mark.parametrize(
    "text",
    [
        "what is inference",  # a noun: nobody asks for rows of it
        "chips without nvlink",  # a question knows claims without a figure, which says nothing of links
        "results without power",
        "H200 bandwidth per dollar",  # no bandwidth is divided by money
        "cost per watt of the H100",
        "claims that are not from NVIDIA",  # no question lists all claims but those of somebody
    ],
)
def test_what_would_be_answered_with_something_else_is_asked_back(text: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is None


def test_words_behind_without_may_be_those_of_a_question() -> None:
    _, taken = wordings().understood("comparisons without a baseline")
    assert taken is not None and taken.question.name == "comparisons/unnamed-baseline"


def test_a_metric_is_none_of_a_comparison_whose_wordings_have_its_words_apart() -> None:
    readings = wordings().readings("Blackwell vs Hopper energy per token")
    compared = next(one for one in readings if one.question.name == "comparisons/compare")
    assert compared.metrics == {"energy-per-token"}


def test_a_question_of_one_direction_takes_no_metric_of_the_other() -> None:
    better = {"training-compute": "neither", "latency": "lower"}
    found = Wordings(questions().values(), *vocabulary(), better=better)
    readings = found.readings("largest training run compute")
    assert "comparisons/best-reductions" not in {one.question.name for one in readings if one.metrics}
    assert any(one.question.name == "comparisons/best-reductions" for one in found.readings("largest cut of latency"))


def test_a_unit_that_a_figure_is_wanted_in_means_its_metric_and_money_of_elsewhere_is_a_wish() -> None:
    named, units = with_units().named, with_units().units
    said, wishes = without_wishes("B200 FP4 in PFLOPS", units)
    assert with_metric_meant(said, named, units, wishes) == "B200 FP4 of peak compute"
    assert without_wishes("H100 price in euro", units) == ("H100 price", ("in euro",))


@pytest.mark.parametrize(
    "text", ["what does Mistral say about GB200", "is the MI300X compared to Intel chips anywhere"]
)
def test_an_organisation_is_no_side_of_a_comparison(text: str) -> None:
    readings, taken = wordings().understood(text)
    assert (taken or readings[0]).question.name != "comparisons/compare"


@pytest.mark.parametrize("text", ["best restaurants nearby", "", "?", "\u202e \x00", "a " * 1000])
def test_unsure_words_are_refused_and_not_answered(text: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert "kg ask" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("what do the texts say about Llama 2 70B", "models/claims-of-model"),
        ("what do we know about the Gaudi 3", "specifications/all-claims"),
        ("H200", "specifications/all-claims"),
    ],
)
def test_a_thing_that_is_named_alone_is_asked_for_with_all_its_claims(text: str, question: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is not None and taken.question.name == question


@pytest.mark.parametrize(
    "text", ["what did MLPerf measure for the B200", "gaps in the published results of the MI355X"]
)
def test_what_is_there_and_what_is_not_there_are_not_mistaken(text: str) -> None:
    _, taken = wordings().understood(text)
    denies = taken is not None and taken.question.name in ("benchmarks/never-measured", "coverage/absent-cells")
    assert taken is None or denies == text.startswith("gaps")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("what else falls if 4,100 tokens per second is wrong?", "kg impact 4,100"),
        ("which problems are the worst?", "kg audit"),
        ("what falls if 4,100 is wrong", "kg impact 4,100"),
        ("impact of 4,100", "kg impact 4,100"),
        ("MID2 memory bandwidth 141 GB on 16k NEW3", "kg trace '141 GB'"),
        ("which claims rest on 4,100?", "kg impact 4,100"),
        ("errors in 002", "kg audit --source source/002"),
        ("what's wrong in 002", "kg audit --source source/002"),
        ("what do published results contradict of the claims?", "kg verify"),
        ("is the gain of the NEW3 over the MID2 confirmed by published results?", "kg verify new3 mid2"),
        ("how do I add a pdf of mine", "kg read FILE"),
        ("download all claims as csv", "kg export csv"),
    ],
)
def test_words_for_another_command_are_answered_with_it(text: str, command: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert caught.value.next_step == command


def test_a_figure_in_words_that_mean_no_question_leads_to_trace() -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), "who said 4.8 TB/s first")
    assert "kg trace '4.8 TB/s'" in str(caught.value)


@pytest.mark.parametrize("text", ["who was first to say 2.5x faster", "which claims depend on 289,712"])
def test_a_figure_that_is_quoted_is_not_passed_over_by_a_question_of_all_figures(text: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert caught.value.figures


def test_another_word_for_a_metric_names_it_alone() -> None:
    _, taken = wordings().understood("sort accelerators by TDP")
    assert taken is not None and taken.command == "kg ask specifications/by-metric --metric power"


def test_two_things_alone_are_compared() -> None:
    taken, *_ = understood(ask_small, questions().values(), "NEW3 or MID2?")
    assert (taken.question.name, taken.values) == ("comparisons/compare", {"a": "new3", "b": "mid2"})


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("purchase prices of the MID2", "kg ask prices/claims --metric purchase-price --only mid2"),
        ("who disagrees about the MID2", "kg ask audit/conflicts --subject family/mid"),
        ("rental prices since 2024", "kg ask prices/claims --metric rental-price --since 2024"),
        ("rental prices in 2024-05", "kg ask prices/claims --metric rental-price --since 2024-05 --until 2024-05"),
        ("latest mlperf results of the MID2", "kg ask benchmarks/measured --only mid2 --newest"),
        ("rental prices before 2025", "kg ask prices/claims --metric rental-price --until 2024"),
        ("rental prices before March 2025", "kg ask prices/claims --metric rental-price --until 2025-02-28"),
        ("rental prices after 2024-02-28", "kg ask prices/claims --metric rental-price --since 2024-02-29"),
    ],
)
def test_what_no_parameter_takes_narrows_the_rows(text: str, command: str) -> None:
    assert understood(ask_small, questions().values(), text)[0].command == command


@pytest.mark.parametrize("day", ["after 2024-02-30", "since 2024-99", "before 31 June 2025"])
def test_a_day_that_no_calendar_has_is_refused(day: str) -> None:
    with pytest.raises(UsageError, match="is no date"):
        dates_in(f"rental prices {day}")


@pytest.mark.parametrize("word", ["market", "decode", "maybe", "Junction"])
def test_a_word_that_begins_as_a_month_is_none(word: str) -> None:
    assert in_digits(f"in {word} 2025") == f"in {word} 2025"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("show entry 5.1-0071", "kg ask benchmarks/measured --only 5.1-0071"),
        (
            "results of the B200 in the closed division",
            "kg ask benchmarks/measured --only b200 --only 'closed division'",
        ),
        (
            "who submitted to MLPerf Inference v5.1",
            "kg ask benchmarks/round-submitters --round round/mlperf-inference-v5.1",
        ),
        (
            "compare Inference v4.1 and v5.0 of the B200 on Llama 2 70B offline",
            (
                "kg ask benchmarks/rounds --thing b200 --model model/llama-2-70b --scenario scenario/offline"
                " --only v4.1 --only v5.0"
            ),
        ),
    ],
)
def test_entries_divisions_and_rounds_of_mlperf_are_taken_up(text: str, command: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is not None and taken.command == command
    assert wordings().figures_in(text) == []


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (
            "memory size of every GPU except the B200 and H100",
            "kg ask specifications/by-metric --metric memory-capacity --without b200 --without h100",
        ),
        (
            "fastest non-NVIDIA accelerator on Llama 2 70B",
            "kg ask benchmarks/best --model model/llama-2-70b --without nvidia",
        ),
        (
            "best results of the B200 not in the server scenario",
            "kg ask benchmarks/best --only b200 --without server",
        ),
    ],
)
def test_what_is_left_out_is_no_name_of_what_is_asked_about(text: str, command: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is not None and taken.command == command


@pytest.mark.parametrize("text", ["memory size of chips without HBM", "power of racks not including cooling"])
def test_a_denial_that_leaves_out_no_thing_is_asked_back(text: str) -> None:
    assert wordings().understood(text)[1] is None


def test_a_model_that_wordings_have_as_an_example_is_not_passed_over() -> None:
    assert wordings().understood("top result for mixtral on the H100")[1] is None
    assert wordings().understood("mixtral H100")[1] is None


def test_another_name_of_a_metric_fills_it_and_is_no_other_word() -> None:
    _, taken = wordings().understood("memory size of every GPU")
    assert taken is not None and taken.command == "kg ask specifications/by-metric --metric memory-capacity"


def test_a_thing_that_no_parameter_takes_is_not_passed_over() -> None:
    taken = wordings().readings("how much power does a B200 draw")[0]
    assert (taken.question.name, [one.options for one in taken.filters]) == ("energy/claims", [("--only", "b200")])


def test_a_published_name_that_is_a_word_of_questions_names_nothing() -> None:
    names, metrics, metric_words = vocabulary()
    crowded = Wordings(questions().values(), {**names, "fast": ("model/epoch-fast",)}, metrics, metric_words)
    assert all("model" not in one.kinds for one in crowded.asked_words("how fast is the H200").mentions)


def test_readings_that_name_the_same_agree_and_are_answered() -> None:
    _, taken = wordings().understood("what peak compute has B200 in FP8")
    assert taken is not None and taken.share < 0.6 and {"b200", "peak-compute", "fp8"} == taken.names


def test_the_whole_is_asked_for_its_parts_whichever_is_named_first() -> None:
    _, taken = wordings().understood("how many B200s does a DGX B200 contain")
    assert taken is not None and taken.command == "kg ask systems/parts --thing 'dgx b200' --only b200s"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("what is tokens per second per user", "kg ask entities/metric --metric inference-speed"),
        ("what is energy efficiency", "kg ask entities/metric --metric energy-efficiency"),
        ("who manufactures the Trainium2", "kg ask entities/card --thing accelerator/aws-trainium2"),
        ("which accelerators does AMD make", "kg ask entities/links --thing org/amd"),
        ("what does source 005 say about power", "kg ask sources/claims --source source/005 --only power"),
        (
            "what FP8 performance does the B200 have",
            "kg ask claims/of-metric --thing b200 --metric peak-compute --only fp8",
        ),
        (
            "what is the FP4 compute of the GB200",
            "kg ask claims/of-metric --thing gb200 --metric peak-compute --only fp4",
        ),
        ("which claims compare the MI300X with the H200", "kg ask comparisons/compare --a mi300x --b h200"),
        ("what is the MFU of DeepSeek 670B", "kg ask claims/of-metric --thing 'deepseek 670b' --metric mfu"),
        ("how many sources mention the MI300X", "kg ask sources/of-thing --thing mi300x"),
        ("is the H20 a member of the Hopper family", "kg ask systems/members --thing hopper --only h20"),
        ("which report has the most errors", "kg ask sources/verdicts"),
        (
            "how much more memory does the H200 have than the H100",
            "kg ask comparisons/compare --a h200 --b h100 --only memory-capacity",
        ),
        ("peak FP8 of the H100 SXM", "kg ask claims/of-metric --thing 'h100 sxm' --metric peak-compute --only fp8"),
        (
            "how does the H200 differ from the H100 in bandwidth",
            "kg ask comparisons/compare --a h200 --b h100 --only memory-bandwidth",
        ),
        (
            "which claims about H200 power are unverified",
            "kg ask specifications/all-claims --thing h200 --only power --only unverified",
        ),
        ("how many claims are confirmed for each source", "kg ask sources/verdicts --only confirmed"),
        ("latest source about Blackwell", "kg ask sources/of-thing --thing blackwell --newest"),
        (
            "dense FP8 of the H100",
            "kg ask claims/of-metric --thing h100 --metric peak-compute --only fp8 --only sparsity/dense",
        ),
        (
            "which chip has more memory than the H200",
            "kg ask specifications/by-metric --metric memory-capacity --only accelerator --highest",
        ),
        (
            "which accelerators draw less power than the B200",
            "kg ask specifications/by-metric --metric power --only accelerator --lowest",
        ),
        (
            "which chips are cheaper than the H100",
            "kg ask prices/claims --metric purchase-price --only accelerator --lowest",
        ),
        ("sparse vs dense compute of the H200", "kg ask claims/of-metric --thing h200 --metric peak-compute"),
        ("MoE against dense models on GB200", "kg ask models/moe-against-dense --only gb200"),
        ("list all MoE models", "kg ask models/parameters --only moe-model"),
        ("which dense models are there", "kg ask models/parameters --only dense-model"),
        (
            "what is the cheapest GPU per hour",
            "kg ask prices/claims --metric rental-price --only accelerator --lowest",
        ),
        (
            "what is the MFU of GPT-3 training on H100",
            "kg ask claims/of-metric --thing h100 --metric mfu --only 'gpt 3'",
        ),
        ("price of an H200 card", "kg ask prices/claims --only h200"),
        ("what does 000 say about DeepL", "kg ask sources/claims --source source/000 --only deepl"),
        ("NVIDIA claims about energy", "kg ask energy/claims --only nvidia"),
        ("energy to train GPT-3", "kg ask energy/claims --only 'gpt 3'"),
        (
            "is MLPerf v5.1 comparable with v5.0",
            "kg ask benchmarks/changes --previous_round round/mlperf-inference-v5.0 --round round/mlperf-inference-v5.1",
        ),
        ("best price performance", "kg ask prices/per-million-tokens"),
        ("cost per token B200 vs H100", "kg ask prices/per-million-tokens --only b200 --only h100"),
        ("price difference H100 H200", "kg ask prices/claims --only h100 --only h200"),
        ("what is FP4", "kg ask entities/card --thing precision/fp4"),
        ("what is the offline scenario", "kg ask entities/card --thing scenario/offline"),
        ("who won MLPerf v6.0", "kg ask benchmarks/best --round round/mlperf-inference-v6.0"),
        ("submitters of training v5.0", "kg ask benchmarks/round-submitters --round round/mlperf-training-v5.0"),
        ("Dell results on H200", "kg ask benchmarks/measured --only dell --only h200"),
        ("who quotes 000", "kg ask sources/citing --origin source/000"),
        ("what does 000 rely on", "kg ask sources/citing --source source/000"),
        ("is 001 cited by 000", "kg ask sources/citing --origin source/001 --source source/000"),
        (
            "which numbers moved between v5.1 and v5.0",
            "kg ask benchmarks/changes --previous_round round/mlperf-inference-v5.0 --round round/mlperf-inference-v5.1",
        ),
        ("what is the price of a B200 GPU", "kg ask prices/claims --only b200"),
        (
            "fastest training of Llama 3.1 405B",
            "kg ask benchmarks/measured-times --model model/llama-3-1-405b --lowest",
        ),
        (
            "best training result Llama 3.1 405B",
            "kg ask benchmarks/measured-times --model model/llama-3-1-405b --lowest",
        ),
        (
            "best MLPerf training score for Llama 2 70B",
            "kg ask benchmarks/measured-times --model model/llama-2-70b --lowest",
        ),
        (
            "GB300 deepseek-r1 v6.0",
            "kg ask benchmarks/measured --model model/deepseek-r1 --round round/mlperf-inference-v6.0 --only gb300",
        ),
        (
            "GB300 deepseek-r1 results in v6.0",
            "kg ask benchmarks/measured --model model/deepseek-r1 --round round/mlperf-inference-v6.0 --only gb300",
        ),
        (
            "preview results in v5.1",
            "kg ask benchmarks/measured --round round/mlperf-inference-v5.1 --only preview",
        ),
        ("which results are preview", "kg ask benchmarks/measured --only preview"),
        ("power results in MLPerf v5.1", "kg ask benchmarks/results --metric power --only v5.1"),
    ],
)
def test_an_analyst_gets_what_was_asked_for(text: str, command: str) -> None:
    _, taken = wordings().understood(text)
    assert taken is not None and taken.command == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("errors of SemiAnalysis", "kg audit semianalysis"),
        ("which claims of the SemiAnalysis report are wrong", "kg audit semianalysis"),
        ("what should I not quote", "kg audit"),
        ("who disagrees with 004", "kg conflicts source/004"),
        ("what falls if the H200 memory is wrong", "kg impact h200"),
        ("claims about training speed", "kg show training-speed"),
    ],
)
def test_a_command_takes_who_or_what_was_named(text: str, command: str) -> None:
    assert wordings().other_command(text) == command


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("wich source is the most reliable", "which source is the most reliable"),
        ("H200 memroy bandwith", "H200 memory bandwidth"),
        ("wat is the price of a B200", "what is the price of a B200"),  # and no watt
        ("differnce between GB200 and B200", "difference between GB200 and B200"),
        ("GB200 delivery date", "GB200 delivery date"),
        ("best price/performance", "best price performance"),
        ("who made the claim", "who claims"),
        # what is no slip: an id, a unit, a name that nobody knows, a short word that is another one
        ("source/000 and mlcommons/h200 in tokens/s", "source/000 and mlcommons/h200 in tokens/s"),
        ("price of the Rubin, of cars and of Comparo", "price of the Rubin, of cars and of Comparo"),
    ],
)
def test_slips_of_the_keys_are_put_right_and_names_are_left(text: str, spelled: str) -> None:
    assert as_spelled(text, wordings().named) == spelled


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("mi 300 x memory", "mi300x memory"),
        ("H-200 memory", "H200 memory"),
        ("power of the gb 200 nvl72", "power of the gb200 nvl72"),
        ("does the H 100 draw a 100 watts", "does the H100 draw a 100 watts"),
        ("the A-100, the top 100 and 4.8 TB", "the A100, the top 100 and 4.8 TB"),
        ("RTX 4090 of 2024-05", "RTX 4090 of 2024-05"),
    ],
)
def test_a_model_that_is_written_in_pieces_is_one_name(text: str, joined: str) -> None:
    assert with_models_joined(text, wordings().named) == joined


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("nvdia h100 meomry bandwith", "nvidia h100 memory bandwidth"),
        ("nvidias market share", "nvidia market share"),
        ("amds power", "amd power"),
        ("inner power of intel", "inner power of intel"),
    ],
)
def test_a_maker_is_known_with_a_slip_or_an_s(text: str, spelled: str) -> None:
    assert as_spelled(text, wordings().named) == spelled


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("what is the biggest contradiction", "kg conflicts"),
        ("where do the reports disagree most", "kg conflicts"),
        ("the most serious disagreement", "kg conflicts"),
        ("what is the worst conflict about the MID2", "kg conflicts mid2"),
    ],
)
def test_what_is_disputed_most_is_what_the_conflicts_begin_with(text: str, command: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert (caught.value.command or "").casefold() == command


def test_a_figure_is_passed_over_however_often_wordings_have_it() -> None:
    """Each of these was answered with all powers of the H100: wordings know a bound of 100."""
    for text in ("does the H100 draw 100 W", "does the H100 use 300 W"):
        assert with_units().understood(text)[1] is None, text


def test_how_reliable_a_text_is_nobody_states_as_a_metric() -> None:
    for text in ("how reliable is SemiAnalysis", "how reliable is source 001"):
        assert wordings().understood(text)[1] is None and (wordings().other_command(text) or "").startswith(
            "kg audit "
        ), text
    assert wordings().understood("how reliable is the GB200")[1] is not None


def test_what_is_confirmed_is_not_answered_with_problems() -> None:
    assert wordings().other_command("which claims about Blackwell are confirmed") is None


@pytest.mark.parametrize(
    "text", ["results of MLPerf 5.0", "who is in mlperf inference v5.1", "which GPUs draw more than 700 W"]
)
def test_neither_a_round_nor_a_bound_is_a_figure_to_trace(text: str) -> None:
    assert wordings().figures_in(text) == []


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("cheapest GPU to rent", "kg ask prices/claims --metric rental-price --only accelerator --lowest"),
        ("top 3 most expensive servers to rent", "kg ask prices/claims --metric rental-price --only node --highest"),
        ("cheapest server to rent per month", "kg ask prices/claims --metric rental-price --only node --lowest"),
        ("cheapest GPU", "kg ask prices/claims --metric purchase-price --only accelerator --lowest"),
        (
            "which chip is the most expensive",
            "kg ask prices/claims --metric purchase-price --only accelerator --highest",
        ),
        ("which GPU costs the most?", "kg ask prices/claims --metric purchase-price --only accelerator --highest"),
        ("priciest server", "kg ask prices/claims --metric purchase-price --only node --highest"),
        ("what is the cheapest rack?", "kg ask prices/claims --metric purchase-price --only rack --lowest"),
        ("which servers are cheapest", "kg ask prices/claims --metric purchase-price --only node --lowest"),
        ("is B200 memory 192 GB or 180 GB", "kg ask claims/of-metric --thing b200 --metric memory-capacity"),
        ("nvl72 kW", "kg ask claims/of-metric --thing nvl72 --metric power"),
        ("H200 TB/s", "kg ask claims/of-metric --thing h200 --metric memory-bandwidth"),
        ("is the H200 700 W or 1000 W", "kg ask claims/of-metric --thing h200 --metric power"),
    ],
)
def test_the_metric_that_is_meant_is_asked_for(text: str, command: str) -> None:
    known = with_units()
    said = with_metric_meant(text, known.named, known.units)
    _, taken = with_units().understood(said)
    assert taken is not None and taken.command == command


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("what is not known about MID2", "none takes up not known"),
        ("problems with all chips except the MID2", ""),  # the audit leaves nothing out
    ],
)
def test_all_but_what_is_named_is_not_answered_with_it(text: str, missed: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert missed in str(caught.value) and caught.value.command is None
    assert "kg find" not in str(caught.value)


def test_what_a_question_says_itself_is_no_exception_of_it() -> None:
    _, taken = wordings().understood("which sources were cited but not opened")
    assert taken is not None and taken.question.name == "sources/unopened"


def test_a_bound_narrows_the_rows() -> None:
    units = read_vocabulary(find_content()).units
    taken, *_ = understood(ask_small, questions().values(), "power of chips above 700 W", units=units)
    assert taken.command == "kg ask energy/claims --metric power --value '>700 W'"


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("memory bandwidth of the MID2 with liquid cooling", "liquid"),
        ("who disagrees about the MID2 zorkmid", "zorkmid"),
    ],
)
def test_what_the_likeliest_question_passes_over_is_asked_back(text: str, missed: str) -> None:
    with pytest.raises(UnsureQuestion) as caught:
        understood(ask_small, questions().values(), text)
    assert missed in str(caught.value), caught.value
