"""Sentences about MLPerf results: what they state of an entry is held against it, and a figure of one device against one of several."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.answers.asking import Asker
from kg.answers.checked_figures import CheckedFigure, Ranked, TextFigure
from kg.answers.claim import ClaimCard, read_cards
from kg.answers.each_device import each_device
from kg.answers.entry_match import EntryMatch
from kg.answers.entry_words import EntryWords, entry_words
from kg.answers.measured_gains import MeasuredGain, MeasuredGains
from kg.answers.published_ratios import PublishedRatio
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.printed import read_printed
from kg.session import Graph, open_graph

UNITS = read_vocabulary(find_content()).units
GB200 = "mlcommons-inference-v5.1/5.1-0071.deepseek-r1.offline.result"


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    with open_graph(shipped_store) as opened:
        yield opened


def checked(graph: Graph, text: str, printed: str) -> CheckedFigure:
    """The one figure of a text that is printed so."""
    (said,) = [one for one in graph.check(text).figures if one.figure.printed == printed]
    return said


TOTAL_OF_EACH = [
    ("Each GB200 GPU delivers 289,712 tokens/s on DeepSeek-R1 Offline.", "4,023.78 token/s"),
    ("A single GB300 chip reached 420,659 tokens/s on DeepSeek-R1 Offline.", "5,842.49 token/s"),
    ("One H200 GPU delivers 34,029.4 tokens/s on Llama 2 70B Server.", "4,253.68 token/s"),
    ("One H200 on Llama 2 70B Server reaches 34,029.4 tokens/s.", "4,253.68 token/s"),
    ("Every GB200 in the rack reached 289,712 tokens/s on DeepSeek-R1 Offline.", "4,023.78 token/s"),
    ("GB300 reached 420,659 tokens/s per card on DeepSeek-R1 Offline.", "5,842.49 token/s"),
    ("GB300 reached 420,659 tokens/s on a single GPU on DeepSeek-R1 Offline.", "5,842.49 token/s"),
    ("GB200 reached 289,712 tokens/s per GB200 GPU on DeepSeek-R1 Offline.", "4,023.78 token/s"),
    ("Eight H200 GPUs reached 34,029.4 tokens/s apiece on Llama 2 70B Server.", "4,253.68 token/s"),
    ("Eight H200 GPUs reached 34,029.4 tokens/s each on Llama 2 70B Server.", "4,253.68 token/s"),
    ("GB300 reached 420,659 tokens/s (per accelerator) on DeepSeek-R1 Offline.", "5,842.49 token/s"),
    ("On a per-GPU basis, the GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline.", "4,023.78 token/s"),
    ("The per-chip throughput of the GB300 on DeepSeek-R1 Offline is 420,659 tokens/s.", "5,842.49 token/s"),
    ("An individual B200 reached 33,379 tokens/s on DeepSeek-R1 Offline in v5.1.", "4,172.38 token/s"),
    # a superchip has one accelerator or two, which the words do not say
    ("Each GB200 superchip delivers 289,712 tokens/s on DeepSeek-R1 Offline.", None),
]
EACH_OF_TOTAL = [
    ("8x B200 reached 4,172 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.", "33,379 token/s"),
    ("A GB200 NVL72 rack reached 4,023.78 tokens/s on DeepSeek-R1 Offline.", "289,712 token/s"),
    ("Eight B200 GPUs reached 4,172 tokens/s on DeepSeek-R1 Offline.", "33,379 token/s"),
    ("The DGX B200 system reached 4,172 tokens/s on DeepSeek-R1 Offline.", "33,379 token/s"),
    ("72 GB300 GPUs together reached 5,842.49 tokens/s on DeepSeek-R1 Offline.", "420,659 token/s"),
    ("An 8-GPU B200 server reached 4,172 tokens/s on DeepSeek-R1 Offline.", "33,379 token/s"),
    ("A server with eight H200 reached 4,253.67 tokens/s on Llama 2 70B Server.", "34,029.4 token/s"),
    ("B200 x8 reached 4,172.38 tokens/s on DeepSeek-R1 Offline.", "33,379 token/s"),
    ("With 72 GPUs, the GB300 reached 5,842.49 tokens/s on DeepSeek-R1 Offline.", "420,659 token/s"),
    ("The B200 node reached 4,172 tokens/s on DeepSeek-R1 Offline in total.", "33,379 token/s"),
]


def rate_in(text: str) -> str:
    """The figure before "tokens/s"."""
    before = text.partition(" tokens/s")[0].split()
    return before[-1]


@pytest.mark.parametrize(("text", "value"), [*TOTAL_OF_EACH, *EACH_OF_TOTAL])
def test_a_figure_of_one_accelerator_is_none_of_several_nor_the_other_way(
    graph: Graph, text: str, value: str | None
) -> None:
    said = checked(graph, text, rate_in(text))
    assert (said.verdict, said.value_to_use) == ("wrong", value), said.reason


TRUE = [
    "Each GB200 NVL72 rack delivers 289,712 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.",
    "A single GB300 NVL72 reached 420,659 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.",
    "One system with 8 H200 GPUs delivers 34,029.4 tokens/s on Llama 2 70B Server in MLPerf Inference v5.1.",
    "GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline on 72 GPUs.",
    "Eight B200 together reach 33,379 tokens/s on DeepSeek-R1 Offline.",
    "NVIDIA's GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline in the closed division of v5.1.",
    "NVIDIA submitted 289,712 tokens/s with 72 GB200 GPUs on DeepSeek-R1 Offline in the closed division.",
    "The available GB300 system with 72 GPUs reached 420,659 tokens/s on DeepSeek-R1 Offline.",
    "NVIDIA's GB300 system (72 GPUs) reached 420,659 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.",
    "A 72-GPU GB300 machine reached 420,659 tokens/s on DeepSeek-R1 Offline.",
    "AMD's MI300X reached 27,803.9 tokens/s on Llama 2 70B Offline in MLPerf Inference v5.1.",
    "8x B200 reached 33,379 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.",
    "MLCommons reports 420,659 tokens/s for the GB300 on DeepSeek-R1 Offline.",
    "Meta's Llama 2 70B runs at 34,029.4 tokens/s on the H200 in the Server scenario.",
    "Unlike the open division, NVIDIA's closed GB300 entry reached 420,659 tokens/s on DeepSeek-R1 Offline.",
    "While Dell ran eight H200, NVIDIA's 72 GB200 GPUs reached 289,712 tokens/s on DeepSeek-R1 Offline.",
    "AMD's MI325X submission and NVIDIA's H200 were close; the H200 reached 34,029.4 tokens/s on Llama 2 70B Server.",
    "With vLLM v0.9 the H200 reached 34,029.4 tokens/s on Llama 2 70B Server.",
    "The 72-GPU GB300 NVL72 rack reached 420,659 tokens/s on DeepSeek-R1 Offline.",
]
TRUE_OF_EACH = [
    "Each GB200 GPU delivers 4,023.78 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.",
    "8x B200 reached 4,172 tokens/s per GPU on DeepSeek-R1 Offline in MLPerf Inference v5.1.",
    "The B200 reached 4,172 tokens/s on DeepSeek-R1 Offline.",
    "The per-GPU throughput of 8x B200 is 4,172 tokens/s on DeepSeek-R1 Offline.",
    "Each GPU of a GB200 NVL72 rack delivers 4,023.78 tokens/s on DeepSeek-R1 Offline.",
]


@pytest.mark.parametrize("text", [*TRUE, *TRUE_OF_EACH])
def test_what_an_entry_bears_out_stays_as_it_is(graph: Graph, text: str) -> None:
    said = checked(graph, text, rate_in(text))
    assert said.verdict == ("confirmed" if text in TRUE else "unverified"), said.reason


OF_ANOTHER_ENTRY = [
    ("NVIDIA GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline in the open division of MLPerf Inference v5.1.", "of the closed division, not of the open one"),
    ("NVIDIA GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline (open division).", "of the closed division, not of the open one"),
    ("In the open division, NVIDIA GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline.", "of the closed division, not of the open one"),
    ("NVIDIA GB300 reached 420,659 tokens/s on DeepSeek-R1 Offline in MLPerf Open.", "of the closed division, not of the open one"),
    ("Dell's GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.", "of NVIDIA, not of Dell"),
    ("GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline, submitted by Supermicro.", "of NVIDIA, not of Supermicro"),
    ("CoreWeave's GB300 system reached 420,659 tokens/s on DeepSeek-R1 Offline.", "of NVIDIA, not of CoreWeave"),
    ("Supermicro's 8x B200 system reached 33,379 tokens/s on DeepSeek-R1 Offline.", "of NVIDIA, not of Supermicro"),
    ("The Dell GB200 NVL72 reached 289,712 tokens/s on DeepSeek-R1 Offline.", "of NVIDIA, not of Dell"),
    ("The preview GB300 system reached 420,659 tokens/s on DeepSeek-R1 Offline.", "of an available system, not of a preview system"),
    ("8x GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.1.", "of 72 accelerators, not of 8"),
    ("GB200 reached 289,712 tokens/s on DeepSeek-R1 Offline with 36 GPUs.", "of 72 accelerators, not of 36"),
    ("GB200 reached 289,712 tokens/s on DeepSeek-R1 Server in MLPerf Inference v5.1.", "of the Offline scenario, not of Server"),
    ("GB300 reached 420,659 tokens/s on DeepSeek-R1 Offline in MLPerf Inference v5.0.", "of MLPerf Inference v5.1, not of MLPerf Inference v5.0"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "difference"), OF_ANOTHER_ENTRY)
def test_a_result_of_another_entry_than_the_sentence_states_is_a_caution(
    graph: Graph, text: str, difference: str
) -> None:
    said = checked(graph, text, rate_in(text))
    assert said.verdict == "caution" and f" is the published result {difference} [" in said.reason, said.reason


def test_conditions_of_an_entry_are_compared_only_where_both_state_them(graph: Graph) -> None:
    asker = Asker(graph.ask)
    (card,) = read_cards(asker, [GB200]).values()
    number = read_printed("289,712 tokens/s", table=UNITS)

    def verdict(words: EntryWords, *cards: ClaimCard) -> str:
        figure = TextFigure(
            0, 1, "289,712", number, "token/s", None, "absolute", (Ranked(card.subject.id, 1.0),), entry=words
        )
        return EntryMatch(asker).of_named_entry(CheckedFigure(figure, 1, "confirmed", "as listed"), cards).verdict

    def under(name: str, other: str) -> ClaimCard:
        known = dict(part.split("=", 1) for part in (card.conditions or "").split("; "))
        return card._replace(conditions="; ".join(f"{one}={value}" for one, value in {**known, name: other}.items()))

    assert verdict(EntryWords(division="open"), card) == "caution"
    assert verdict(EntryWords(division="open"), under("division", "open")) == "confirmed"
    # one of several entries with the figure suffices
    assert verdict(EntryWords(division="open"), card, under("division", "open")) == "confirmed"
    assert verdict(EntryWords(division="closed"), under("division", "closed-power")) == "confirmed"
    assert verdict(EntryWords(availability="preview"), under("availability", "Preview")) == "confirmed"
    assert verdict(EntryWords(availability="available"), under("availability", "preview")) == "caution"
    # the chip is NVIDIA's, whoever ran it; who is said to submit it is another matter
    joint = card._replace(asserted_by=card.asserted_by._replace(id="org/dell-mangoboost"))
    assert verdict(EntryWords(owners=("NVIDIA",)), joint) == "confirmed"
    assert verdict(EntryWords(submitters=("NVIDIA",)), joint) == "caution"
    assert verdict(EntryWords(submitters=("Dell",)), joint) == "confirmed"
    # half a rack may have run of a rack that is named
    part = under("accelerators", "36")
    assert verdict(EntryWords(rack=72), part) == "caution"
    assert (
        verdict(EntryWords(rack=72), part._replace(conditions=f"{part.conditions}; tested_on=GB200 NVL72 (36x)"))
        == "confirmed"
    )


def test_words_close_to_a_figure_count_before_those_of_another() -> None:
    text = "MI355X got 93,045 tokens/s in the open division on 64 GPUs, against # tokens/s in the closed division on 8 GPUs"
    before, after = text.split("#")
    assert entry_words(before, after).division == "closed" and entry_words(before, after).accelerators == 8
    assert (
        entry_words("It got ", " tokens/s in the open division, against 80,000 in the closed division").division
        == "open"
    )
    assert entry_words("In the open and closed divisions it got ", " tokens/s").division is None
    assert entry_words("Two servers with eight H200 each reached ", " tokens/s").accelerators is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Eight H200, each with 141 GB, reached ", " tokens/s"),
        ("The rack reached ", " tokens/s with each GPU delivering 4,253"),
        ("A single node with eight H200 GPUs reached ", " tokens/s"),
        ("Each H200-based server reached ", " tokens/s"),
        ("One H200 result is ", " tokens/s"),
        ("H200 reached ", " tokens/s and 4,253 per GPU"),
        ("With one GPU per node the cluster reached ", " tokens/s"),
        ("Two DGX systems reached ", " tokens/s each"),
        ("Each TPU v5e pod delivers ", " samples/s"),
        ("H200 reached ", " tokens/s in a single submission"),
    ],
)
def test_what_is_said_of_a_whole_is_not_said_of_each_device(before: str, after: str) -> None:
    assert each_device(before, after) is None


GAINS = [
    ("GB200 NVL72 is up to 30x faster than H200 on Llama 3.1 405B Server in MLPerf Inference v5.0.", "caution", "per system, not per accelerator: 3.37x per accelerator, 30.4x per system"),
    ("GB200 NVL72 is up to 30x faster than H200 per GPU on Llama 3.1 405B Server in MLPerf Inference v5.0.", "caution", "; computed from official results of the two: 3.37x per accelerator (ll"),
    ("GB200 NVL72 is 3.37x faster than H200 on Llama 3.1 405B Server in MLPerf Inference v5.0.", "unverified", "3.37x per accelerator, 30.4x per system"),
    ("The GB200 NVL72 delivers 3.37x the throughput of the H200 per GPU on Llama 3.1 405B Server in MLPerf Inference v5.0.", "confirmed", "as computed from official results of the two: 3.37x per accelerator (ll"),
    ("GB200 NVL72 is up to 50x faster than H200 on Llama 3.1 405B Server in MLPerf Inference v5.0.", "unknown", "3.37x per accelerator, 30.4x per system"),
    ("GB300 is 1.45x faster per GPU than GB200 on DeepSeek-R1 Offline in MLPerf Inference v5.1.", "confirmed", "as computed from official results of the two: 1.45x"),
    ("GB300 is 45% faster per GPU than GB200 on DeepSeek-R1 Offline in MLPerf Inference v5.1.", "confirmed", "as computed from official results of the two: 1.45x"),
    ("GB200 was up to 3.4x faster per GPU than H200 on Llama 3.1 405B in MLPerf Inference v5.0.", "unverified", "2.75x to 3.37x per accelerator (llama-3-1-405b"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "verdict", "given"), GAINS)
def test_a_ratio_that_nobody_states_is_held_against_results_of_its_workload(
    graph: Graph, text: str, verdict: str, given: str
) -> None:
    (said,) = graph.check(text).figures
    assert said.verdict == verdict and given in said.reason, said.reason


def test_a_task_that_bears_the_name_of_its_model_narrows_the_results(graph: Graph) -> None:
    text = "In MLPerf v5.1 the B200 reaches {} times the throughput of the H200 per accelerator on {}."
    # the shipped results of the two are of other tasks
    assert "official results" not in graph.check(text.format(1.3, "Whisper")).figures[0].reason
    assert "1.54x to 4.2x" in graph.check(text.format(1.3, "it")).figures[0].reason
    figure = TextFigure(
        0, 1, "2.7", read_printed("2.7x", table=UNITS), "1", None, "ratio",
        (Ranked("family/nvidia-b200", 1.0),), (Ranked("throughput", 1.0),), (Ranked("family/nvidia-h200", 1.0),),
        sentence="B200 reaches 2.7x the throughput of H200 on Llama 2 70B Interactive.",
    )  # fmt: skip
    gain = MeasuredGains(Asker(graph.ask)).of(figure)
    assert gain is not None and gain.is_of_workload and {one.model for one in gain.ratios} == {"model/llama-2-70b"}


def test_ratios_with_a_preview_system_stand_apart() -> None:
    had = PublishedRatio("task/t", "scenario/offline", "round/r", "a", "b", 1.452, 1.452, "had", "against")
    preview = had._replace(per_accelerator=1.4926, per_system=0.166, claim="preview")
    gain = MeasuredGain((had, preview), ("t", "r", "offline"), True, frozenset({preview}))
    assert gain.worded() == (
        "computed from official results of the two: 1.45x per accelerator (t, r, offline); 1.49x with a preview system"
    )
    assert (
        MeasuredGain((preview,), (), True, frozenset({preview}))
        .worded()
        .endswith("1.49x per accelerator of preview systems")
    )

    def verdict(value: str) -> str:
        number = read_printed(f"{value}x", table=UNITS)
        figure = TextFigure(0, 1, value, number, "1", None, "ratio", per="GPU")
        return gain.judged(figure, is_of_system=False)[0]

    assert (verdict("1.45"), verdict("1.49"), verdict("1.47"), verdict("3")) == (
        "confirmed",
        "caution",
        "unknown",
        "caution",
    )


@pytest.mark.parametrize(
    "text",
    [
        "In DeepSeek-R1 Offline, 58,582 tokens/s (Nebius, v6.0) and 33,379 tokens/s (NVIDIA, v5.1) were reached with eight B200.",
        "On DeepSeek-R1 with eight B200 the Server throughput (18,592 tokens/s) was just 56 % of offline throughput (33,379 tokens/s) in MLPerf v5.1.",
        "Nebius reached 58,582 tokens/s on DeepSeek-R1 Offline in MLPerf v6.0 with eight B200, more than NVIDIA's DGX B200 a round earlier (33,379 tokens/s).",
        "On Llama 3.1 405B Offline in MLPerf v5.1 that is 193 tokens/s for GB200 against 70 for H200.",
        "On Llama 2 70B the H200 beat the H100 by just 6 % in MLPerf v5.1 (33,072 vs 31,106 tokens/s), despite 43 % more bandwidth.",
        "Bandwidth of the H200 is 43 % higher than that of the H100, yet it won by 12 % only (34,988 against 31,307 tokens/s).",
        "The rack costs $3.9M over 72 GPUs.",
    ],
)  # fmt: skip
def test_what_a_sentence_says_of_another_result_is_held_against_none(graph: Graph, text: str) -> None:
    assert not {one.verdict for one in graph.check(text).figures} & {"wrong", "disputed"}
    cautions = [one for one in graph.check(text).figures if one.verdict == "caution" and one.figure.printed != "$3.9M"]
    assert cautions == [], cautions[0].reason


def test_figures_of_another_kind_than_a_share_is_of_are_not_computed_with_it(graph: Graph) -> None:
    wrong = "The H200 has 50 % more memory: 141 GB against 80 GB."
    assert [one.verdict for one in graph.check(wrong).figures if one.figure.printed.startswith("50")] == ["wrong"]
