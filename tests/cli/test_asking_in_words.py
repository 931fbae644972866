"""`kg ask` with plain words: what answers them, and that every option given reaches it."""

import json
import re

import pytest

from kg.model.condition_line import stated_conditions
from kg.model.dates import may_lie_within
from tests.cli.conftest import Kg


def test_another_command_is_run_with_the_options_that_were_given(kg: Kg) -> None:
    words = ("ask", "what is wrong in 002")
    short = kg(*words, "--limit", "2", "--timeout", "30", "--format", "markdown")
    direct = kg("audit", "--source", "source/002", "--limit", "2", "--timeout", "30", "--format", "markdown")
    assert (short.returncode, short.stdout) == (0, direct.stdout) and short.stdout.startswith("# Problems")
    assert ".." not in short.stdout.splitlines()[2]
    assert short.stderr.startswith("asked: kg audit --source source/002 --format markdown --limit 2 --timeout 30.0\n")
    assert short.stdout != kg(*words).stdout == kg("audit", "--source", "source/002").stdout


def test_an_option_that_the_other_command_does_not_have_is_refused_and_not_passed_over(kg: Kg) -> None:
    done = kg("ask", "what is wrong in 002", "--newest")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No such option: --newest" in done.stderr and "kg audit --help" in done.stderr


def test_programs_get_the_rows_of_questions_only_and_are_told_the_command(kg: Kg) -> None:
    done = kg("ask", "what is wrong in 002", "--format", "json")
    assert (done.returncode, done.stdout) == (2, "") and "kg audit --source source/002" in done.stderr


def test_a_figure_is_traced_in_the_form_that_was_asked_for(kg: Kg) -> None:
    found = json.loads(kg("ask", "who was first to say 72,428", "--format", "json").stdout)
    assert found == json.loads(kg("trace", "72,428", "--format", "json").stdout)
    assert kg("ask", "who was first to say 72,428").stderr.startswith("asked: kg trace 72,428\n")


@pytest.mark.parametrize("words", [("latest mlperf results of the B200",), ("mlperf results of the B200", "--newest")])
def test_newest_keeps_the_last_round_of_each_benchmark(kg: Kg, words: tuple[str, ...]) -> None:
    asked = json.loads(kg("ask", *words, "--format", "json").stdout)
    every = json.loads(kg("ask", "benchmarks/measured", "--only", "b200", "--format", "json").stdout)
    rounds = {row["round"] for row in every if row["round"] is not None}
    kept = {row["round"] for row in asked["rows"]}
    assert asked["question"]["name"] == "benchmarks/measured" and kept < rounds
    assert kept == {
        max(one for one in rounds if one.rsplit("-v")[0] == each) for each in {one.rsplit("-v")[0] for one in rounds}
    }


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("what does unverified mean", "unverified"),
        ('what does "caution" mean here?', "caution"),
        ("what is an echo", "echo"),
        ("what is sparsity", "sparsity"),
        ("what is the offline scenario", "offline"),
    ],
)
def test_what_a_word_means_is_told_by_explain(kg: Kg, text: str, word: str) -> None:
    done = kg("ask", text)
    assert (done.returncode, done.stdout) == (0, kg("explain", word).stdout)
    assert done.stderr == f"asked: kg explain {word}\n"


@pytest.mark.parametrize("text", ["what is a token", "what does rack mean", "what is wrong"])
def test_what_a_word_means_that_nothing_explains_is_asked_back(kg: Kg, text: str) -> None:
    assert kg("ask", text).returncode == 2


def test_three_things_are_compared_by_what_is_stated_of_each(kg: Kg) -> None:
    done = kg("ask", "compare MI300X, MI325X and MI355X memory")
    assert done.stdout.splitlines()[:3] == [
        f"memory capacity: AMD Instinct {one}"
        for one in ("MI300X 192 GB (confirmed)", "MI325X 256 GB (confirmed)", "MI355X 288 GB (unverified)")
    ]
    asked = json.loads(kg("ask", "H100 vs H200 vs B200", "--format", "json").stdout)
    assert asked["question"]["command"] == "kg ask comparisons/of-thing --thing h100 --only h200 --only b200"
    assert [one["label"] for one in asked["values"] if one["metric"] == "memory-capacity"] == [
        f"NVIDIA {one} series" for one in ("H100", "H200", "B200")
    ]


def test_a_unit_that_is_wished_is_said_not_to_be_considered(kg: Kg) -> None:
    done = kg("ask", "H200 bandwidth in GB/s")
    assert done.stdout.startswith("memory bandwidth: NVIDIA H200 series 4.8 TB/s")
    assert "not considered: in GB/s\n" in done.stderr
    assert "not considered: median\n" in kg("ask", "median H100 rental price").stderr
    assert "not considered: in euro\n" in kg("ask", "H100 price in euro").stderr  # prices are shown as they are printed


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("show me all numbers about MI325X", "kg ask specifications/all-claims --thing mi325x"),
        ("where does the H100 price come from", "kg ask prices/claims --only h100"),
        ("who says the H200 is faster", "kg ask comparisons/of-thing --thing h200"),
        ("minimum H100 price", "kg ask prices/claims --metric purchase-price --only h100 --lowest"),
        (
            "max memory of any AMD GPU",
            "kg ask specifications/by-metric --metric memory-capacity --only amd --only accelerator --highest",
        ),
        ("B200 FP4 compute", "kg ask claims/of-metric --thing b200 --metric peak-compute --only fp4"),
    ],
)
def test_what_is_known_is_not_asked_back(kg: Kg, text: str, command: str) -> None:
    assert f"asked: {command}\n" in kg("ask", text, "--limit", "1").stderr


def test_the_rows_about_a_thing_are_left_out(kg: Kg) -> None:
    asked = json.loads(kg("ask", "memory of every GPU not made by NVIDIA", "--format", "json").stdout)
    every = json.loads(kg("ask", "memory of every GPU", "--format", "json").stdout)["rows"]
    left_out = [row for row in every if row["subject"].startswith("accelerator/nvidia-")]
    assert asked["rows"] and not any(one in asked["rows"] for one in left_out)
    assert kg("ask", "specifications/by-metric", "--metric", "power", "--without", "nothing like it").returncode == 2


def test_two_orders_at_once_are_refused(kg: Kg) -> None:
    done = kg("ask", "memory capacity", "--highest", "--lowest")
    assert (done.returncode, "one order of the rows" in done.stderr) == (2, True)


def test_rows_are_put_in_order_by_a_column_of_numbers_that_the_question_has(kg: Kg) -> None:
    measured = ("ask", "benchmarks/measured", "--model", "model/deepseek-r1", "--format", "json")
    rows = json.loads(kg(*measured, "--highest", "--by", "result").stdout)
    values = [row["result"] for row in rows]
    assert len(values) > 5 and values == sorted(values, reverse=True)
    for given, named in ((("--by", "result"), "--highest"), (("--highest", "--by", "wins"), "canonical_value")):
        refused = kg(*measured, *given)
        assert (refused.returncode, named in refused.stderr) == (2, True), given
    assert kg(*measured, "--highest", "--by", "entry").returncode == 2


@pytest.mark.parametrize(
    "words", [("which chip has the most memory",), ("memory capacity", "--only", "accelerator", "--highest")]
)
def test_the_highest_figures_come_first_and_refuted_ones_last(kg: Kg, words: tuple[str, ...]) -> None:
    rows = json.loads(kg("ask", *words, "--format", "json").stdout)["rows"]
    sound = [row["canonical_value"] for row in rows if row["verdict"] not in ("wrong", "disputed")]
    assert len(sound) > 5 and sound == sorted(sound, reverse=True) and len({row["canonical_unit"] for row in rows}) == 1
    assert {row["level"] for row in rows} == {"accelerator"}
    places = [row["verdict"] in ("wrong", "disputed") for row in rows]
    assert places == sorted(places)


def test_a_question_without_a_round_or_a_day_refuses_newest(kg: Kg) -> None:
    done = kg("ask", "systems/parts", "--thing", "system/dgx-h200", "--newest")
    assert done.returncode == 2 and "--newest" in done.stderr and "no column" in done.stderr


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("H100 FP8 tflops", "kg ask claims/of-metric --thing h100 --metric peak-compute --only fp8"),
        ("which is faster in FP8, H200 or B200", "kg ask comparisons/compare --a h200 --b b200 --only fp8"),
    ],
)
def test_a_precision_that_is_named_narrows_the_rows(kg: Kg, text: str, command: str) -> None:
    answer = json.loads(kg("ask", text, "--format", "json").stdout)
    assert answer["question"]["command"] == command and answer["rows"]
    precisions = [row["conditions"].partition("precision=")[2].partition(";")[0] for row in answer["rows"]]
    assert all("fp8" in one.split(", ") for one in precisions)
    assert all("fp8" in one["facets"] for one in answer.get("values", []))


@pytest.mark.parametrize("text", ["which hbm generation does the H200 use", "type of memory of the H200"])
def test_the_type_of_a_memory_is_not_its_size(kg: Kg, text: str) -> None:
    answer = json.loads(kg("ask", text, "--format", "json").stdout)
    assert {row["metric"] for row in answer["rows"]} == {"metric/memory-type"}
    size = json.loads(kg("ask", "how much hbm does the H200 have", "--format", "json").stdout)
    assert size["question"]["values"] == {"thing": "h200", "metric": ["memory-capacity"]}


def test_a_picture_of_a_source_is_asked_for_by_its_digits(kg: Kg) -> None:
    done = kg("view", "source", "005", "-o", "source.html")
    assert done.returncode == 0 and "written to source.html" in done.stderr
    unknown = kg("view", "source", "999", "-o", "source.html")
    assert unknown.returncode == 2 and "is no name of a source" in unknown.stderr


def test_a_count_of_what_is_asked_for_is_not_traced_and_a_number_that_is_asked_about_is(kg: Kg) -> None:
    done = kg("ask", "rent for 8 H100 per month")
    assert done.stdout.startswith("rental price, per-node: Omniyq rental server with 8 H100 $ 8000/month")
    assert "asked: kg trace" not in done.stderr
    assert kg("ask", "where does the number 141 come from").stderr.startswith("asked: kg trace 141\n")


def test_a_number_is_traced_with_what_was_named_beside_it(kg: Kg) -> None:
    done = kg("ask", "who says the MI300X is 1.5x")
    assert done.stderr == "asked: kg trace 1.5x --about MI300X\n"
    assert done.stdout == kg("trace", "1.5x", "--about", "MI300X").stdout
    every = json.loads(kg("trace", "1.5x", "--format", "json").stdout)
    found = json.loads(kg("trace", "1.5x", "--about", "MI300X", "--format", "json").stdout)
    assert found["about"] == ["MI300X"] and 0 < found["found"] == every["found"] - found["others"]
    assert {one["claim"]["subjects"][0]["id"] for one in found["claims"]} == {"accelerator/amd-mi300x"}


def test_words_behind_a_number_narrow_it_or_are_said_to_be_passed_over(kg: Kg) -> None:
    """The words of the documents were refused: "ends in % MFU, which is neither a scale nor a unit"."""
    found = json.loads(kg("trace", "43% MFU", "--format", "json").stdout)
    assert (found["asked"], found["about"]) == ("43%", ["MFU"])
    assert found == json.loads(kg("trace", "43%", "--about", "MFU", "--format", "json").stdout)
    assert {one["claim"]["metric"] for one in found["claims"]} == {"mfu"}
    done = kg("trace", "$250k per server")
    assert done.stderr == "not considered: per server\n" and "001/capex.h100-server" in done.stdout
    assert kg("trace", "12 monkeys").returncode == 2


def test_a_number_that_nobody_states_of_a_thing_is_unknown_and_the_others_are_counted(kg: Kg) -> None:
    done = kg("ask", "did NVIDIA claim 1.5x for GB300")
    first, _, rest = done.stdout.partition("\n\n")
    assert " ".join(first.split()) == (
        "1.5x about NVIDIA and GB300 is unknown. No claim about NVIDIA and GB300 states it."
    )
    assert rest.endswith(
        "claims of something else state it too: kg trace 1.5x\nWhat is stated of GB300: kg show GB300\n"
    )
    assert kg("trace", "9.9x", "--about", "H200").stdout.endswith("\n\nWhat is stated of H200: kg show H200\n")
    asked = kg("ask", "is the B200 15x faster than the H100")
    official = "Computed from official results: B200 over H100 1.59x to 4.4x in throughput per accelerator."
    assert official in " ".join(asked.stdout.partition("\n\n")[0].split())
    assert "\nby task, scenario and round: kg compare B200 H100" in asked.stderr
    assert kg("trace", "1.5x", "--about", "Zork").returncode == 2


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("which GPUs have 80 to 100 GB", "specifications/by-metric --metric memory-capacity --value '>=80 GB' --value '<=100 GB'"),
        ("chips with more than 4 TB/s", "specifications/by-metric --metric memory-bandwidth --value '>4 TB/s'"),
        ("accelerators over 1 kW", "--metric power --value '>1 kW'"),
        ("what was published in March 2025", "sources/all --since 2025-03 --until 2025-03"),
    ],
)  # fmt: skip
def test_a_unit_alone_means_the_metric_of_a_data_sheet_and_a_month_is_a_date(kg: Kg, text: str, command: str) -> None:
    assert command in kg("ask", text).stderr.splitlines()[0]


@pytest.mark.parametrize(
    ("text", "command", "count"),
    [
        ("which systems use 72 accelerators", "systems/accelerators --accelerators 72", 1),
        ("systems with more than 8 GPUs", "systems/accelerators --accelerators '>8'", 2),
        ("results on 72 GB200", "benchmarks/measured --only gb200 --accelerators 72", 16),
        ("power of 8 H100", "claims/of-metric --thing h100 --metric power", None),
    ],
)
def test_a_number_of_accelerators_keeps_the_results_and_systems_of_it(
    kg: Kg, text: str, command: str, count: int | None
) -> None:
    asked = kg("ask", text, "--format", "json")
    assert command in asked.stderr
    rows = json.loads(asked.stdout)["rows"]
    numbers = {row.get("accelerators") for row in rows}
    assert numbers == {None} if count is None else (len(rows) == count and min(numbers) >= 8)


def test_a_computed_row_is_of_no_number_of_accelerators(kg: Kg) -> None:
    refused = kg("ask", "benchmarks/best", "--accelerators", "8")
    assert refused.returncode == 2 and "has no column to keep rows by" in refused.stderr
    assert kg("ask", "benchmarks/measured", "--accelerators", "many").returncode == 2
    empty = kg("ask", "benchmarks/measured", "--accelerators", "7").stderr
    assert "nothing is stated that fits accelerators 7" in empty


@pytest.mark.parametrize(
    "command", [("ask", "prices/claims", "--since"), ("ask", "prices/claims", "--until"), ("audit", "--since")]
)
@pytest.mark.parametrize("given", ["abc", "2025-13", "2025-02-30", "0000"])
def test_what_is_no_date_is_refused(kg: Kg, command: tuple[str, ...], given: str) -> None:
    done = kg(*command, given)
    assert done.returncode == 2 and f'{command[-1]}: "{given}" is no date' in done.stderr


def test_a_date_in_part_is_kept_where_it_may_be_within(kg: Kg) -> None:
    """What is said of a quarter was left out of its year: "Q" sorts behind every month; so was what is of a year before the text."""
    asked = ("ask", "prices/claims", "--format", "json")
    days = {
        row["claim"]: [one for one in (row["said_on"], stated_conditions(row["conditions"]).get("date")) if one]
        for row in json.loads(kg(*asked).stdout)
    }
    for since, until in (("2025-05", "2025-12"), ("2024", "2024"), ("2025-08-20", "2025-08-20")):
        rows = json.loads(kg(*asked, "--since", since, "--until", until).stdout)
        within = {claim for claim, of in days.items() if any(may_lie_within(one, since, until) for one in of)}
        assert {row["claim"] for row in rows} == within and within


def test_how_many_chips_were_used_is_a_count_on_the_model_that_is_named(kg: Kg) -> None:
    """The value of all runs of the H100, which was said first, is none of GPT-3; how many claims use it counts claims."""
    done = kg("ask", "how many H100 were used to train GPT-3")
    assert done.stderr.startswith(
        "asked: kg ask claims/of-metric --thing h100 --metric accelerators-used --only 'gpt 3'"
    )
    assert "128 gpu" in done.stdout and "2,304 gpu" not in done.stdout
    asked = kg("ask", "how many GPUs were used to train Llama 3 405B").stderr
    assert "asked: kg ask claims/of-metric --thing 'llama 3 405b' --metric accelerators-used" in asked
    assert "accelerators-used" not in kg("ask", "how many claims use H100").stderr.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("how reliable is the GB200 NVL72", "kg ask claims/of-metric --thing 'gb200 nvl72' --metric reliability"),
        ("how reliable are the sources", "kg ask sources/verdicts"),
        ("which report is wrong most often", "kg ask sources/verdicts"),
        ("what is claimed about the SuperPOD", "kg ask specifications/all-claims --thing superpod"),
        (
            "does the H200 support FP4",
            "kg ask claims/of-metric --thing h200 --metric peak-compute --metric technology-support --only fp4",
        ),
        (
            "dense FP8 of B200",
            "kg ask claims/of-metric --thing b200 --metric peak-compute --only fp8 --only sparsity/dense",
        ),
        (
            "when did GB200 start shipping",
            "kg ask claims/of-metric --thing gb200 --metric availability --metric release-date --only dated",
        ),
        (
            "how many GPUs did Meta use to train Llama 3 405B",
            "kg ask claims/of-metric --thing 'llama 3 405b' --metric accelerators-used --only meta",
        ),
        (
            "GB200 NVL72 cost per GPU",
            "kg ask prices/claims --metric purchase-price --only 'gb200 nvl72' --only per-chip",
        ),
        (
            "does the MI300X have more memory than the H200",
            "kg ask comparisons/compare --a mi300x --b h200 --only memory-capacity",
        ),
        (
            "which has higher memory bandwidth, H200 or MI300X",
            "kg ask comparisons/compare --a h200 --b mi300x --only memory-bandwidth",
        ),
        (
            "how much more power does a GB200 NVL72 use than an H100 server",
            "kg ask comparisons/compare --a 'gb200 nvl72' --b 'h100 server' --only power",
        ),
        (
            "which is more power efficient, H200 or B200",
            "kg ask comparisons/compare --a h200 --b b200 --only performance-per-watt",
        ),
        ("what does GB200 NVL72 cost to own", "kg ask prices/claims --metric tco --only 'gb200 nvl72'"),
        ("how many chips does CloudMatrix have", "kg ask systems/parts --thing cloudmatrix"),
        ("is 20 PFLOPS for B200 FP4 sparse or dense", "kg trace '20 PFLOPS' --about B200 --about FP4"),
        # no figure is named that could be traced: what is stated says which one holds, and who says it
        (
            "which number should I use for GB200 NVL72 power",
            "kg ask claims/of-metric --thing 'gb200 nvl72' --metric power",
        ),
        ("can we quote the H100 TDP", "kg ask claims/of-metric --thing h100 --metric power"),
        (
            "who said the MI300X memory bandwidth",
            "kg ask claims/of-metric --thing mi300x --metric memory-bandwidth",
        ),
        ("is the H200 memory figure correct?", "kg ask claims/of-metric --thing h200 --metric memory-capacity"),
        ("should I trust the 72428 figure", "kg trace 72428"),
    ],
)
def test_these_words_are_answered_by_that_question(kg: Kg, words: str, command: str) -> None:
    assert f"asked: {command}\n" in kg("ask", words).stderr


def test_a_dense_peak_is_asked_for_without_the_others(kg: Kg) -> None:
    rows = json.loads(kg("ask", "dense FP8 of B200", "--format", "json").stdout)["rows"]
    assert rows and {stated_conditions(row["conditions"])["sparsity"] for row in rows} == {"dense"}


def test_a_count_of_chips_to_replace_is_no_figure_that_was_printed(kg: Kg) -> None:
    done = kg("ask", "how many B200s replace 8000 H100s")
    assert "kg trace" not in done.stderr and not done.stdout and "comparisons/compare" in done.stderr


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (
            "what did sources say of B200 power in May 2025",
            r"dated 2025-05; without dated 2025-05 there are \d+ rows \(\d+ un",
        ),
        ("is the B200 faster than H200 at stable diffusion", r"without only stable diffusion there are \d+ rows"),
        ("how many GPUs in a SuperPOD", r"what is stated of superpod: kg show superpod"),
        ("when was the H200 announced", r"only dated; without only dated there is 1 row"),
        ("GB200 NVL72 cost per GPU", r"only per-chip; .*without only per-chip there are \d+ rows"),
    ],
)
def test_that_nothing_is_stated_comes_first_with_what_is_nearest(kg: Kg, words: str, nearest: str) -> None:
    first, second, *_ = kg("ask", words).stderr.splitlines()
    assert first == "no rows" and second.startswith("nothing is stated") and re.search(nearest, second)


@pytest.mark.parametrize(
    ("words", "alike"),
    [
        ("is the B200 faster than H200 at stable diffusion", "stable diffusion xl"),
        ("GPT-3.5 inference cost", "gpt 3.5 level models"),
    ],
)
def test_a_name_without_rows_is_told_with_those_that_begin_with_it_and_have_some(
    kg: Kg, words: str, alike: str
) -> None:
    said = kg("ask", words).stderr.splitlines()[2]
    assert said.endswith(f"of what is named alike there are rows: {alike}")


def test_when_a_product_came_out_is_answered_by_what_names_a_time(kg: Kg) -> None:
    rows = json.loads(kg("ask", "when did GB200 start shipping", "--format", "json").stdout)["rows"]
    assert "mid-February this year" in {row["printed"] for row in rows}
    assert "among the first to gain access" not in {row["printed"] for row in rows}


def test_a_name_of_several_systems_shows_each_of_them(kg: Kg) -> None:
    done = kg("show", "SuperPOD")
    assert "system/nvidia-dgx-superpod-gb200" in done.stdout and "system/nvidia-dgx-superpod-h100" in done.stdout
    assert "nothing is stated that fits thing superpod" in kg("ask", "how many GPUs in a SuperPOD").stderr


def test_a_first_value_is_not_said_where_an_option_narrows_the_rows(kg: Kg) -> None:
    assert kg("ask", "H200 power").stdout.startswith("power: NVIDIA H200 series 700 W (confirmed)\n")
    narrowed = kg("ask", "H200 power", "--only", "002")
    assert narrowed.stdout.startswith("metric: power; source: 002\n") and "1200 W" in narrowed.stdout


@pytest.mark.parametrize(
    ("text", "options", "first"),
    [
        ("how many claims are wrong", (), r"50 claims$"),
        ("how many sources are there", (), r"\d\d sources$"),
        ("how many submitters were in v5.1", (), r"10 submitters$"),
        ("how many results did Dell submit", (), r"10 results$"),
        (
            "which results changed between v5.0 and v5.1",
            (),
            r"19 results can be compared: 15 rose \(up to 1.47x\), 4 fell",
        ),
        ("how many claims are wrong", ("--limit", "1"), r"50 claims$"),  # of all, however few are shown
        ("how many accelerators does the GB200 NVL72 have", (), r"(?!\d+ accelerators)"),  # nor those of several rows
    ],
)
def test_how_many_there_are_is_the_first_line(kg: Kg, text: str, options: tuple[str, ...], first: str) -> None:
    done = kg("ask", text, *options)
    assert done.returncode == 0 and re.match(first, done.stdout.splitlines()[0]), done.stdout


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "what is the TDP of 8 H100",
            "power: 8 × 700 W = 5,600 W for 8 NVIDIA H100 series, computed from the figure of one",
        ),
        ("8x H200 memory", "memory capacity: 8 × 141 GB = 1.128 TB for 8 NVIDIA H200 series"),
        ("B200 TDP", "power: NVIDIA B200 series 1000 W (confirmed)"),
        ("H200 vs B200 memory bandwith", "memory bandwidth: NVIDIA H200 series 4.8 TB/s"),  # not their capacity
        ("GB200 NVL72 price", "purchase price, per-rack: NVIDIA GB200 NVL72 $3.1M (caution); also $10M (caution)"),
        ("interconnect bandwidth of H100", "interconnect bandwidth, cluster: NVIDIA EOS cluster 400 Gbit/s"),
        ("NVLink bandwidth of H100", "no claim here names NVIDIA NVLink;"),
        ("how much power does an NVL72 rack draw", "no figure is stated;"),
        (
            "which chip is cheapest per token",
            "cheapest by the lowest rental price: NVIDIA B200 SXM 180GB in 13 of 13 cases",
        ),
        ("which report is the most reliable", "wrong most often: 003 in 8 of 117 claims, 002 in 20 of 436"),
        ("TDP of H100 and B200", "power: NVIDIA H100 series 700 W (confirmed)\npower: NVIDIA B200 series 1000 W"),
        ("who won MLPerf v5.1", "first per accelerator: NVIDIA G"),
        ("B200 vs MI355X", "memory capacity: NVIDIA B200 series 192 GB (unverified), AMD Instinct MI355X 288 GB"),
        ("who quotes 000", "no text here cites source/000"),
        ("what is MFU", "model FLOPs utilisation is stated from "),
    ],
)
def test_what_a_person_wants_to_know_is_the_first_line(kg: Kg, text: str, first: str) -> None:
    done = kg("ask", text)
    assert done.returncode == 0 and done.stdout.startswith(first), done.stdout


def test_a_name_alone_is_asked_about_and_a_part_of_a_name_leads_to_the_whole(kg: Kg) -> None:
    assert kg("ask", "CoreWeave").stderr.startswith("asked: kg ask claims/of-speaker --organisation coreweave\n")
    assert kg("ask", "zorkmid").returncode == 2
    assert "of what is named alike there are rows: deepseek r1" in kg("ask", "MLPerf results for DeepSeek").stderr
    assert kg("ask", "is 20 PFLOPS/W correct").stdout.startswith("20 PFLOPS/W is wrong.")


def test_a_count_that_nothing_is_computed_from_is_said_to_be_passed_over(kg: Kg) -> None:
    assert "not considered: 8\n" in kg("ask", "price of 8 H100").stderr
    assert "values by chip: kg ask specifications/by-metric --metric mfu\n" in kg("ask", "what is MFU").stderr
