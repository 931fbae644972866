"""A figure of a text is only held against claims of its own kind of quantity, its own metric and its own conditions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kg.answers.asking import Asker
from kg.answers.check import FigureCheck
from kg.answers.checked_figures import CheckedFigure, Ranked, TextFigure, Unchecked
from kg.answers.checked_text import check_reading
from kg.answers.claim import ClaimCard, Thing
from kg.answers.claim_match import is_cluster_named
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.errors import KgError, UsageError
from kg.mcp.answers import check_answer
from kg.model.printed import PrintedNumber
from kg.reading.deadline import Deadline
from kg.reading.errors import ReportTooLarge
from kg.render.check_page import check_page
from kg.render.check_words import answer, figures_table, terminal
from kg.session import Graph, open_graph
from kg.stores.worker import Messages
from tests.sampling import some

UNITS = read_vocabulary(find_content()).units
MIXED_UP = {"result-rate", "token-rate", "sample-rate", "query-rate"}
"""Reports give MLPerf results now in one of these units, now in another."""
Said = list[tuple[Any, CheckedFigure]]
KINDS = tuple(kind for kind, _ in UNITS.canonical_ids if kind != "calendar")


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def claims(graph: Graph) -> dict[str, Any]:
    """The claims of the shipped content that give one value in a unit."""
    return {
        one["id"]: one
        for one in graph.records()
        if one["record"] == "claim"
        and one["quantity"] is not None
        and isinstance(one["quantity"].get("value"), int | float)
        and one["quantity"].get("unit")
        and one["quantity"].get("printed")
    }


def as_figure(claim: Any, unit: str, **changed: Any) -> TextFigure:
    """What a claim says, as a figure of a text in some unit."""
    printed, value = claim["quantity"]["printed"], Fraction(str(claim["quantity"]["value"]))
    fields = {
        "subjects": (Ranked(claim["subject"], 1.0),),
        "metrics": (Ranked(claim["metric"], 1.0),),
        "baselines": (Ranked(claim["baseline"], 1.0),) if claim.get("baseline") else (),
        "conditions": {name: str(value) for name, value in (claim.get("conditions") or {}).items()},
    }
    number = PrintedNumber(printed, value, value, value, value, value, unit=unit)
    return TextFigure(0, 1, printed, number, unit, None, claim.get("relation", "absolute"), **{**fields, **changed})


def checked(graph: Graph, figures: Sequence[TextFigure]) -> tuple[CheckedFigure, ...]:
    return FigureCheck(Asker(graph.ask), UNITS, lambda name: (name,)).check(figures, {}, lambda _: 1)


@pytest.fixture(scope="module", params=some(6))
def said_again(request: pytest.FixtureRequest, graph: Graph, claims: dict[str, Any]) -> Said:
    """Claims, and what is known of each when a text says it in its own unit."""
    given = list(claims.values())[:: request.param]
    assert len(given) > 500 / request.param
    return list(zip(given, checked(graph, [as_figure(one, one["quantity"]["unit"]) for one in given]), strict=True))


def test_most_claims_said_again_in_their_own_unit_are_found(said_again: Said) -> None:
    given = [(claim, found) for claim, found in said_again if claim["metric"] != "accelerators-used"]
    missed = [claim["id"] for claim, found in given if claim["id"] not in {one.claim for one in found.same}]
    # small counts and words of conditions are left open; without the others the next test would compare nothing
    assert len(missed) < len(given) / 2, missed[:20]


def test_what_others_say_stands_next_to_a_disputed_figure_and_to_no_other(said_again: Said) -> None:
    found = [one for _, one in said_again if one.same]
    assert {bool(one.others) for one in found if one.verdict != "disputed"} == {False}
    disputed = [one for one in found if one.others]
    assert disputed
    for one in disputed:
        assert one.same[0].metric in {other.metric for other in one.others}
        assert not {own.claim for own in one.same} & {other.claim for other in one.others}


@pytest.mark.parametrize("share", some(12))
@pytest.mark.parametrize("step", [1, 5, 11])
def test_no_figure_is_held_against_a_value_of_another_kind(
    graph: Graph, claims: dict[str, Any], step: int, share: int
) -> None:
    canonical = dict(UNITS.canonical_ids)
    figures = []
    for at, claim in list(enumerate(claims.values()))[step % share :: share]:
        own = KINDS.index(UNITS.kind(claim["quantity"]["unit"]))
        figures.append(as_figure(claim, canonical[KINDS[(own + step + at % 3) % len(KINDS)]]))
    for one in checked(graph, figures):
        mine = UNITS.kind(one.figure.unit or "")
        for known in (*one.same, *one.others):
            other = UNITS.kind(claims[known.claim]["quantity"]["unit"]) if known.claim in claims else mine
            allowed = {mine} | (MIXED_UP if mine in MIXED_UP else set())
            allowed |= {"ratio", "utilisation"} if one.figure.relation != "absolute" else set()
            assert other in allowed, (one.figure.printed, one.figure.unit, known)


def test_a_range_is_not_the_value_at_its_end(graph: Graph) -> None:
    (said,) = graph.check("The H100 NVL draws 350-400 W.").figures
    assert said.verdict == "unknown"


def test_the_unit_of_one_figure_is_not_that_of_the_next(graph: Graph) -> None:
    bandwidth, memory = graph.check("H200 has 4.8 GB/s of memory bandwidth and 141 GB.").figures
    assert (bandwidth.verdict, memory.verdict, memory.figure.unit) == ("wrong", "confirmed", "GB")
    assert {one.metric for one in memory.same} == {"memory-capacity"}


def test_a_length_in_a_table_of_runs_is_no_number_of_chips(graph: Graph) -> None:
    table = (
        "# H100 80GB\n\n| Model | SeqLen (T) | # GPUs | GPU |\n|---|---|---|---|\n| 70b | 2048 | 512 | h100_80gb |\n"
    )
    found = {one.figure.printed: one.verdict for one in graph.check(table).figures}
    assert found["2048"] == "unknown" and found["512"] == "unknown"


@pytest.mark.parametrize(
    "text",
    ["For the MI250X the published peak is 60 W above its TDP.", "AMD MI325X with TUNABLE_OP=1, 1000 W of power."],
)
def test_differences_and_settings_are_not_out_of_line(graph: Graph, text: str) -> None:
    assert graph.check(text).counts()["caution"] == 0


OUT_OF_LINE = [
    ("The H200 draws 1,000 W.", "1,000", "700W is known"),
    ("The H200 draws 750 W.", "750", "700W is known"),
    ("The H200 draws between 800 W and 1,200 W.", "800", "700W is known"),
    ("The A100 offers 2.0 TB/s of memory bandwidth, H100 SXM 3.9 TB/s.", "3.9", "3350 GB/s is known"),
    ("H200 has 160 GB of HBM3e memory.", "160", "141GB is known"),
    ("The A100 SXM 80GB has a TDP of 300 W.", "300", "400 W is known"),
    ("The H100 PCIe has a TDP of 700 W.", "700", "350 W is known"),
    ("It is less than a node has. The H200 has 160 GB of memory. Nodes hold 2 TB.", "160", "141GB is known"),
]


@pytest.mark.parametrize(("text", "printed", "known"), OUT_OF_LINE, ids=[one[0] for one in OUT_OF_LINE])
def test_a_figure_that_no_source_gives_is_told_with_what_is_known(
    graph: Graph, text: str, printed: str, known: str
) -> None:
    (said,) = [one for one in graph.check(text).figures if one.figure.printed == printed]
    assert said.verdict == "caution"
    assert "no source gives this" in said.reason and known in said.reason and " claim" in said.reason
    assert said.others


MEASURED = [
    ("GB200 was up to 3.4x faster per GPU than H200 in MLPerf Inference v5.0.", "unknown", "2.75x to 3.37x"),
    ("The B200 is 20% faster than the H200 in inference.", "unknown", "computed from official results of the two"),
    (
        "The GB200 is 9x faster per GPU than the H200 in inference.",
        "caution",
        "computed from official results of the two",
    ),
    ("The GB200 is 9x faster than the H200 in training.", "unknown", ""),
]
"""Ratios that nobody states, with the verdict and what published rows give of the two."""


@pytest.mark.parametrize(("text", "verdict", "given"), MEASURED, ids=[one[0] for one in MEASURED])
def test_a_ratio_that_nobody_states_stands_next_to_what_was_measured(
    graph: Graph, text: str, verdict: str, given: str
) -> None:
    said = graph.check(text).figures[0]
    assert said.verdict == verdict and given in said.reason
    assert given or "official" not in said.reason


IN_LINE = [
    "The H100 has a TDP of 350 W, the A100 one of 300 W.",
    "The H100 SXM has a TDP of 700 W, the A100 SXM 80GB one of 400 W.",
    "The H200 has 4.8 TB/s of memory bandwidth and 141 GB.",
    "The H200 draws 0.7 kW.",
    "H100 SXM has 3.4 TB/s of memory bandwidth.",
    "The H200 beats the H100: 141 GB against 80 GB, 4.8 TB/s against 3.35 TB/s.",
    "H100 SXM has 3.35 TB/s of memory bandwidth.",
    "The H200 has 141GiB of HBM3e memory.",
]


RANGES = [
    "The B200 draws between 700 W and 1,200 W.",
    "The power of the B200 ranges from 0.7 kW to 1,200 W.",
]
"""Ends of a range within which the known value lies."""
OF_ANOTHER = [
    "A node of eight H200 holds 1,128 GB of memory.",
    "A rack with 4 H200 servers draws 40.8 kW.",
    "The H200 raises its memory from 80 GB to 141 GB.",
    "We rented an H200 for a week. Its power at the wall was 9.8 kW.",
    "An H100 SXM draws 700 W; eight of them need 5.6 kW.",
    "With 8 B200 GPUs at 1,000 W apiece, the accelerators alone take 8 kW.",
]
"""What several together have, and what there was before."""


@pytest.mark.parametrize("text", [*IN_LINE, *RANGES, *OF_ANOTHER])
def test_a_known_value_however_rounded_is_not_out_of_line(graph: Graph, text: str) -> None:
    assert not [one.figure.printed for one in graph.check(text).figures if "no source gives" in one.reason]


def test_over_devices_that_are_used_is_no_bound_of_them(graph: Graph) -> None:
    (used,) = graph.check("Training ran over 72 GPUs in a single NVL72 rack.").figures
    (bound,) = graph.check("The GB200 NVL72 has over 72 GPUs.").figures
    assert (used.verdict, bound.verdict) == ("unverified", "caution")


SAID_AGAIN = [
    ("An order of magnitude in words.", "The NVIDIA GB200 NVL72 reaches exascale of peak compute.", "exascale"),
    ("A letter of scale without a unit.", "HBM3e reaches 2T of largest model supported.", "2T"),
    (
        "Alike but for a condition that the text names.",
        "With 20 petaflops, NVIDIA B200 series leads in peak compute per accelerator (FP8).",
        "20",
    ),
]


@pytest.mark.parametrize(("text", "printed"), [one[1:] for one in SAID_AGAIN], ids=[one[0] for one in SAID_AGAIN])
def test_a_wrong_figure_is_caught_however_it_is_written(graph: Graph, text: str, printed: str) -> None:
    assert {one.figure.printed: one.verdict for one in graph.check(text).figures}[printed] == "wrong"


def test_a_condition_that_the_text_does_not_name_leaves_it_open_which_claim_is_meant(graph: Graph) -> None:
    (said,) = graph.check("The NVIDIA B200 series reaches 20 petaflops of peak compute per accelerator.").figures
    assert said.verdict == "caution"


def test_the_graph_is_not_asked_for_names_that_it_does_not_know(graph: Graph, claims: dict[str, Any]) -> None:
    claim = next(iter(claims.values()))

    def asked(new: int) -> int:
        count = 0

        def ask(question: str, /, **values: Any) -> Any:
            nonlocal count
            count += 1
            return graph.ask(question, **values)

        names = [claim["subject"], *(f"new:Chip {number}" for number in range(new))]
        figures = [as_figure(claim, claim["quantity"]["unit"], subjects=(Ranked(name, 1.0),)) for name in names]
        FigureCheck(Asker(ask), UNITS, lambda name: (name,)).check(figures, {}, lambda _: 1)
        return count

    assert 0 < asked(10) == asked(20)


def test_half_a_pair_of_code_units_is_an_error_of_ours(graph: Graph) -> None:
    with pytest.raises(KgError, match="byte 0xed at 9"):
        graph.check("H200 has \ud800 141 GB of memory.")


def test_the_name_of_a_file_is_no_text_without_a_figure(graph: Graph) -> None:
    with pytest.raises(UsageError, match=r"check\(Path\('report.md'\)\)"):
        graph.check("report.md")
    assert len(graph.check("H200 has 141 GB of memory.").figures) == 1


@pytest.mark.parametrize(
    ("text", "verdict", "reason", "value"),
    [
        ("The H200 delivers 1979 TFLOPS of dense FP16.", "wrong", "the text says without", "989.5 TFLOP/s"),
        ("The H200 delivers 1979 TFLOPS of FP16 with sparsity.", "confirmed", "data sheet", None),
        ("The training speed of GB200 NVL72 is 2.5x that of the H100.", "unknown", "against NVIDIA H200", None),
        ("GB200 NVL72 trains models 2.5x faster than the H200.", "caution", "", None),
        (
            "Mistral trained models 2.5x faster on the GB200 NVL72 than on H100s.",
            "unknown",
            "against NVIDIA H200",
            None,
        ),
        (
            "NVIDIA will hold less than 90% of the AI chip market in 2025.",
            "caution",
            "over 90% [expected] is stated, not less than it",
            None,
        ),
        ("The H200's inference speed is 90% faster than that of the H100.", "caution", "another claim", None),
        ("The H200 is 90% faster than the H100.", "caution", "stated as inference speed, which is not said", None),
        ("The H200's training is 90% faster than that of the H100.", "unknown", "as inference speed", None),
        (
            "By May 2025, the GB200 NVL72 had surpassed the H100 in performance per TCO by 1.5x.",
            "unknown",
            "for 2025-07",
            None,
        ),
        ("By August 2025, performance per TCO of the GB200 NVL72 was 1.5x that of the H100.", "unverified", "", None),
        (
            "A single GB200 GPU serves gpt-oss-120b at 1.5 million tokens per second.",
            "unknown",
            "is stated of NVIDIA GB200 NVL72",
            None,
        ),
        (
            "GB200 NVL72 gives 2.6x more performance per GPU than the H200.",
            "caution",
            "is stated against NVIDIA Hopper",
            None,
        ),
        (
            "GB200 NVL72 training costs 1.6x to 1.7x more per GPU than the H100.",
            "caution",
            "is stated as capital cost",
            None,
        ),
        ("A GB200 NVL72 draws 1,200 W.", "unknown", "is stated of one NVIDIA GB200 GPU", None),
        ("A GB200 NVL72 draws 1,200 W per GPU.", "unverified", "", None),
        ("The average US household consumed 10,791 MWh in 2022.", "unknown", "", None),
        ("Meta trained Llama 3 405B on 16,000 H100s.", "unverified", "", None),
        ("Training Llama 3 405B takes 8.8 Joules per token.", "unverified", "", None),
        ("Training Llama 3 405B takes 8.8 kJ per token.", "caution", "1,000 times 8.8 J/token", None),
        ("NVIDIA will hold over 90% of the AI chip market in 2025.", "caution", "another claim", None),
        ("AMD says the H200 has 141 GB of memory.", "caution", "AMD is not known to say so", None),
        ("The H200 has 141 GB of memory, Nvidia said.", "confirmed", "", None),
        ("According to AMD, the MI355X has 288 GB of memory.", "unverified", "", None),
        (
            "The B200 does not have 288 GB of memory.",
            "unverified",
            "the sentence denies it: no source gives this",
            None,
        ),
        ("SemiAnalysis says the all-in capital cost per H100 server is $250k.", "unverified", "", None),
        (
            "According to Nvidia, performance per TCO of the GB200 NVL72 was 1.5x that of the H100 in July 2025.",
            "caution",
            "Nvidia is not known to say so, SemiAnalysis does",
            None,
        ),
        ("The MI300X has 36% less memory than the H200.", "wrong", "the other way round", "36% more"),
        (
            "Performance per TCO of GB200 NVL72 reached 1.5x that of the H100 by May 2025.",
            "unknown",
            "for 2025-07",
            None,
        ),
        ("Performance per TCO of GB200 NVL72 was 1.5x that of the H100 in July 2025.", "unverified", "", None),
        ("An H200 rents for $9200 per month.", "unknown", "rental server with 8 H200", None),
        ("B200 offline DeepSeek-R1 gives 3935.82 tokens/s.", "unverified", "the value to use", None),
        ("The A100 gives 624 TFLOPS of BF16 with sparsity.", "unverified", "twice the dense peak: 312", None),
        ("A B200 gives 20 PFLOPS of dense FP4.", "caution", "far above the dense peak: 9000", None),
        ("The H100 SXM gives 1,979 TFLOPS of dense FP16.", "caution", "twice the dense peak, as with sparsity", None),
        ("The H100 PCIe has a BW of 3.35 TB/s.", "caution", "no source gives this", None),
        (
            "In MLPerf Inference v5.0, GB200 NVL72 reached 289,712 tokens/s on DeepSeek-R1 offline.",
            "caution",
            "is the published result of mlperf inference v5.1",
            None,
        ),
        ("GB200 NVL72 reached 289,712 tokens/s on DeepSeek-R1 offline in v5.1.", "confirmed", "", None),
        (
            "Per GPU, GB200 NVL72 delivers 289,712 tokens/s on DeepSeek-R1 offline.",
            "wrong",
            "sum of 72",
            "4,023.78 token/s",
        ),
        ("B200 has 20 PFLOPS/W.", "wrong", "", "20 TFLOP/s/W"),
        (
            "GB200 reaches 289,712 tokens per second per accelerator on DeepSeek-R1 offline.",
            "wrong",
            "the sum of 72 accelerators",
            "4,023.78 token/s",
        ),
        (
            "GB200 does not reach 289,712 tokens/s/GPU on DeepSeek-R1 offline.",
            "unverified",
            "denies it, as does what is known",
            None,
        ),
        ("GB200 reaches 289,712 tokens/s on DeepSeek-R1 offline.", "confirmed", "a published measurement", None),
        ("GB200 NVL72 costs $3.1M per GPU.", "caution", "stated of one rack, not per GPU", None),
        ("GB200 NVL72 trains at 1,960 TFLOPS per GPU.", "caution", "its scope is doubtful", None),
        ("The B200 has 208 million transistors.", "caution", "1,000 times less than 208 billion", None),
        ("The B200 does not have 208 million transistors.", "unknown", "", None),
        ("An H100 draws 700 kW.", "wrong", "1,000 times 700W", "700W"),
        ("The H100 SXM has 3.35 GB/s of bandwidth.", "wrong", "1,000 times less than", "3350 GB/s"),
        ("GB200 NVL72 is 160% faster than Hopper per GPU.", "unverified", "", None),
        ("GB200 NVL72 is 260% faster than Hopper per GPU.", "caution", "260% more is 3.6x, not 2.6x", None),
        ("GB200 NVL72 gives 2.6x more performance per GPU than Hopper.", "unverified", "", None),
        ("The capital cost per GPU of the GB200 NVL72 is 1.6x to 1.7x that of the H100.", "confirmed", "", None),
        ("In 2023 an H100 server cost $190k.", "unknown", "for 2025-08-20", None),
        ("Eight H200 draw 700 W.", "unknown", "is stated of one NVIDIA H200", None),
        ("The H200 has more than 141 GB of memory.", "caution", "itself is stated, not more than it", None),
        ("The H200 has no less than 141 GB of memory.", "confirmed", "", None),
        ("In 2025 an H100 server cost $190k.", "unverified", "", None),
        ("The bare H100 server costs $250k.", "unknown", "as capital cost", None),
        ("An H100 server costs $190k all-in, with storage and networking.", "unknown", "as purchase price", None),
        ("An H100 server costs $190k.", "unverified", "", None),
        ("The all-in capital cost per H100 server is $250k.", "unverified", "", None),
        ("A B200 has 1.5 TB of memory.", "caution", "no source gives this", None),
        ("B200 cards have 1.5 TB of memory in total.", "confirmed", "", None),
        ("The H200 does not have 141 GB of memory.", "caution", "the sentence denies what is stated", None),
        ("The H100 SXM never drew 700 W.", "caution", "the sentence denies what is stated", None),
        ("It is untrue that the B200 draws 1000 W.", "caution", "the sentence denies what is stated", None),
        ("The power of the H100 SXM does not exceed 700 W.", "confirmed", "", None),
        (
            "The GB200 does not reach 72,428 tokens per second per accelerator on DeepSeek-R1 offline.",
            "unverified",
            "denies it, as does what is known",
            None,
        ),
    ],
)
def test_what_a_text_says_otherwise_is_told(
    graph: Graph, text: str, verdict: str, reason: str, value: str | None
) -> None:
    """Sparsity, baseline, metric, month, a server for a chip, a slip, a figure that is right, what a price includes, a denial."""
    (said,) = graph.check(text).figures
    assert (said.verdict, said.value_to_use) == (verdict, value), said.reason
    assert reason in said.reason
    assert not reason.startswith(("against", "as", "for", "rental")) or said.others, "the claim stands beside it"


@pytest.mark.parametrize(
    ("text", "verdict", "metrics"),
    [
        ("GB200 NVL72 racks cost $3.1M.", "caution", {"purchase-price"}),
        ("H100 servers cost $190k.", "unverified", {"purchase-price"}),
        ("All in, GB200 NVL72 racks cost $3.9M.", "caution", {"capital-cost"}),
        ("The GB200 NVL72 has 72 GPUs.", "confirmed", {"component-count"}),
        ("The GB200 NVL72 links 72 Blackwell GPUs.", "confirmed", {"component-count"}),
        ("The GB200 NVL72 has 18 GPUs.", "unknown", set()),
        ("The GB200 NVL72 has 72 chips.", "confirmed", {"component-count"}),
        ("The GB200 NVL72 has 72 Grace CPUs.", "unknown", set()),
        ("The GB200 NVL72 has 72 nodes.", "unknown", set()),
        ("Two H100 cost $3.1M.", "unknown", set()),
    ],
)
def test_a_word_that_leaves_the_metric_open_is_matched_with_what_it_may_mean(
    graph: Graph, text: str, verdict: str, metrics: set[str]
) -> None:
    """What costs may be bought, owned or trained; what "has 72 GPUs" need not have used them in a run."""
    said = graph.check(text).figures[-1]
    assert (said.verdict, {one.metric for one in said.same}) == (verdict, metrics), said.reason


def test_each_of_several_peaks_has_the_format_and_sparsity_that_are_said_of_it(graph: Graph) -> None:
    text = (
        "# Peak compute, dense and sparse\n\nThe H200 gives 1,979 TFLOPS in FP16 with sparsity. The MI355X reaches "
        "10.1 PFLOPS in FP4 and 5 PFLOPS in FP8. The A100 gives 312 TFLOPS of dense BF16 and 624 TFLOPS with sparsity."
    )
    found = {one.figure.printed: one for one in graph.check(text).figures}
    assert {printed: one.verdict for printed, one in found.items()} == {
        "1,979": "confirmed",
        "10.1": "unverified",
        "5": "unverified",
        "312": "unverified",
        "624": "unverified",
    }
    assert found["5"].figure.conditions["precision"] == "precision/fp8"
    assert [found[one].figure.conditions.get("sparsity") for one in ("1,979", "10.1", "312", "624")] == [
        "sparse",
        None,
        "dense",
        "sparse",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The TDP of the H100 SXM is 700 W; the PCIe card is limited to 350 W.", "is stated of NVIDIA H100 PCIe"),
        ("The H100 PCIe consumes 700 W when used.", "no source gives this"),
        ("The B300 has 8 TB/s of bandwidth. With 8 TB/s of bandwidth, the H200 is fast.", "8TB/s is stated of"),
        ("The H200 has 4.8 TB/s of bandwidth. At 4.8 TB/s, the B200 is slow.", "is stated of NVIDIA H200"),
        ("A Trainium2 pod has 256 chips.", "nobody states it"),
        ("Trainium2 has 64 chips in an UltraServer.", "nobody states it"),
        ("The GB300 NVL72 ran DeepSeek-R1 offline with 72 GPUs.", "is stated of NVIDIA GB300"),
        ("The H200 has faster Llama 2 70B inference than the H100, 1.9x.", "another claim gives another figure"),
    ],
)
def test_a_reason_is_of_the_thing_that_is_meant(graph: Graph, text: str, reason: str) -> None:
    """Another card of the family, everyday counts of other things, a run of a rack, a phase that is named."""
    said = graph.check(text).figures[-1]
    assert reason in said.reason and "as accelerators used" not in said.reason


def test_a_cell_is_of_the_thing_that_its_column_names(graph: Graph) -> None:
    """Though the heading names another, and the column beside it has the very value."""
    table = "## AMD Instinct MI355X\n\n| Item | MI300X | MI325X | MI355X |\n|---|---|---|---|\n"
    rows = "| Memory capacity | 192 GB | 192 GB | 288 GB |\n| Memory bandwidth | 5.3 TB/s | 5.3 TB/s | 8 TB/s |\n"
    found = [one.verdict for one in graph.check(table + rows).figures]
    assert found == ["confirmed", "caution", "unverified", "confirmed", "caution", "confirmed"]


def test_what_is_in_the_bracket_behind_a_name_is_of_it(graph: Graph) -> None:
    text = "The MI325X (256 GB, 6 TB/s, 1,000 W) follows the MI300X (192 GB, 5.3 TB/s, 1,000 W)."
    found = [one.verdict for one in graph.check(text).figures]
    assert found == ["confirmed", "confirmed", "confirmed", "confirmed", "confirmed", "caution"]


def test_what_there_was_no_time_for_is_counted_and_fails(graph: Graph) -> None:
    text = "".join(f"The H200 has {number} GB of memory.\n\n" for number in range(101, 351))
    now = iter([True])
    checker = graph._text_checker()
    reading = checker._session.read(text.encode(), "markdown")
    deadline = Deadline(30)
    deadline.is_over = lambda: next(now)  # type: ignore[method-assign]
    done = check_reading(
        graph.ask, UNITS, lambda name: (name,), reading.report, reading.proposals, name="text", deadline=deadline
    )
    assert [one.line for one in done.figures] == list(range(1, 401, 2))
    assert done.unchecked == Unchecked(50, 401, 30)
    assert answer(done).endswith("; 50 figures from line 401 on were not checked in 30 s.")
    assert figures_table(done).rows[-1][:6] == (
        401,
        None,
        None,
        None,
        "not checked",
        "50 figures from line 401 on were not checked in 30 s",
    )
    assert done.to_json()["unchecked"] == {"figures": 50, "line": 401, "seconds": 30}
    assert done.fails("wrong") and not graph.check(text[:30]).fails("wrong")


def test_a_text_that_is_not_read_in_time_is_refused_by_its_own_name(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        with pytest.raises(ReportTooLarge, match=r'^text: "not read in 1e-06 s"'):
            graph.check("The H200 has 141 GB of memory.", timeout_seconds=1e-6)

    refused()
    # a process that has answered before anybody looks, as on a machine with much to do
    run = Messages.run
    monkeypatch.setattr(Messages, "run", lambda self, seconds: run(self, max(30, seconds)))
    refused()
    assert graph.check("The H200 has 141 GB of memory.", timeout_seconds=60).unchecked is None


def test_equal_figures_are_looked_up_once(graph: Graph, claims: dict[str, Any]) -> None:
    claim = next(iter(claims.values()))
    asked: list[str] = []

    def ask(question: str, /, **values: Any) -> Any:
        asked.append(question)
        return graph.ask(question, **values)

    def count(figures: int) -> int:
        asked.clear()
        same = [as_figure(claim, claim["quantity"]["unit"])] * figures
        FigureCheck(Asker(ask), UNITS, lambda name: (name,)).check(same, {}, lambda _: 1)
        return len(asked)

    assert count(1) == count(250)


@pytest.mark.parametrize(
    ("text", "subject", "is_named"),
    [
        ("the colossus cluster runs 100,000 h100s", "new:Colossus", True),
        ("colossus: 100,000 h100s", "family/nvidia-h100", True),
        ("the stargate cluster runs 100,000 h100s", "new:Stargate", False),
        ("nvidia sold 100,000 h100s", "family/nvidia-h100", False),
        # which of both the figure belongs to is not said by what is before one of them
        ("colossus 100,000 h100s, meta 100,000 h100s", "family/nvidia-h100", False),
        ("phase 100,000", "new:Phase", False),
    ],
)
def test_a_published_cluster_is_meant_by_the_word_that_tells_it_from_others(
    text: str, subject: str, is_named: bool
) -> None:
    figure = TextFigure(0, 7, "100,000", None, None, None, "absolute", subjects=(Ranked(subject, 0.9),), words=text)
    card = cast("ClaimCard", SimpleNamespace(subjects=(Thing("cluster/some", "xAI Colossus Memphis Phase 1"),)))
    assert is_cluster_named(figure, card) is is_named


REFUTED = [
    "In MLPerf Inference, one system reached 289,712 tokens per second, or 72,428 per chip.",
    "Training is four times faster than with Hopper. In MLPerf Inference, one system reached 72,428 per chip.",
    "Each chip made 72,428 tokens/s.",
    "Tests gave 72428 samples/s for each GPU.",
    "A server with eight chips reached 72,428.",
    "The MI355X reaches 72,428 tokens/s on DeepSeek-R1.",
    "The number of 72,428.00 samples/s is quoted often.",
    "With 289,712 / 4 = 72,428 tokens/s, it is the fastest chip.",
]


@pytest.mark.parametrize("text", REFUTED)
def test_the_very_figure_of_a_wrong_claim_is_shown_whatever_it_is_said_of(graph: Graph, text: str) -> None:
    checked = graph.check(text)
    (said,) = [
        one for one in checked.figures if one.figure.printed.startswith("72") and one.figure.printed[-2:] != "12"
    ]
    assert said.verdict in ("caution", "wrong") and said.value_to_use == "4,023.78 token/s"
    assert "wrong" in {one.verdict for one in (*said.same, *said.others)}
    shown = "\n".join(terminal(checked))
    assert "72428.00 sample/s (wrong)" in shown and "4,023.78" in shown
    assert "002/r1.gb200.offline.per-accelerator" in check_page([checked])
    told = check_answer(graph, text, 20)
    (number,) = [one for one in told.figures if one.value_to_use == "4,023.78 token/s"]
    assert "wrong" in (number.verdict, *number.reason.split()) or "divided by 4" in number.reason
    assert f"{answer(checked).removeprefix('text: ')}" == told.sentence[:1].lower() + told.sentence[1:]


@pytest.mark.parametrize(
    "text",
    [
        "One system reached 289,712 tokens per second.",  # published results confirm it of some system
        "It is not true that one system reached 72,428 per chip.",
        "One system reached 72,000 tokens per second.",
        "One system reached 7,242 tokens per second.",
    ],
)
def test_another_figure_is_not_that_of_a_wrong_claim(graph: Graph, text: str) -> None:
    assert not [one for one in graph.check(text).figures if one.verdict == "caution"]


@pytest.mark.parametrize(
    ("text", "sentence", "hidden"),
    [
        ("The H200 has 141 GB.", "1 figure, known here: none wrong, 1 confirmed.", "1 figure (1 confirmed)"),
        ("A Foo7 has 143 GB.", "1 figure, not known here.", "1 figure (1 unknown)"),
        ("A Foo7 has 143 GB and 13 TB/s.", "2 figures, none known here.", "2 figures (2 unknown)"),
        (
            "The H200 has 141 GB. A Foo7 has 143 GB and 13 TB/s.",
            "1 of 3 figures is known here: none wrong, 1 confirmed; 2 unknown.",
            "3 figures (1 confirmed, 2 unknown)",
        ),
        (
            "The H200 has 141 GB and 4.8 GB/s of bandwidth. A Foo7 has 143 GB.",
            "2 of 3 figures are known here: 1 wrong, 1 confirmed; 1 unknown.",
            "2 more figures (1 confirmed, 1 unknown)",
        ),
    ],
)
def test_what_nobody_knows_is_not_counted_among_what_is_not_wrong(
    graph: Graph, text: str, sentence: str, hidden: str
) -> None:
    checked = graph.check(text)
    assert answer(checked) == f"text: {sentence}"
    assert list(terminal(checked))[-1] == f"{hidden}: --verbose shows them."


def test_a_thing_that_has_no_name_is_not_that_of_the_sentence_before(graph: Graph) -> None:
    text = "The H200 has 141 GB. Another system has 141 GB. It is faster than with the H200. Its rival has 141 GB."
    own, other, _ = graph.check(text).figures
    assert own.verdict == "confirmed" and not other.figure.subjects


SLIPS_BY_UNIT = [
    ("The MI300X has 192 GB and 5.3 GB/s.", "5.3", "wrong"),
    ("The MI300X (192 GB, 5.3 GB/s) is AMD's.", "5.3", "wrong"),
    ("The H100 SXM: 80 GB, 3.35 GB/s, 700 W.", "3.35", "wrong"),
    ("AMD's MI355X offers 288 GB and 8 GB/s.", "8", "wrong"),
    ("The H200 comes with 141 GB and 4,800 TB/s.", "4,800", "wrong"),
    ("The MI300X has 192 TB and 5.3 TB/s.", "192", "wrong"),
    ("The H100 has 80 TB and 3.35 TB/s.", "80", "wrong"),
    ("The H200 delivers 989 GFLOPS.", "989", "caution"),
    ("The MI300X has 192 GB and 5.3 TB/s.", "5.3", "confirmed"),
    ("The MI300X reaches 5.3 GB/s over PCIe.", "5.3", "unknown"),
    ("The MI300X reads 5.3 GB/s from disk.", "5.3", "unknown"),
    ("The H200 loads 141 MB from the file.", "141", "unknown"),
    ("The MI355X moves 8 GB/s per lane.", "8", "unknown"),
    ("The H200 keeps 141 MB of activations.", "141", "unknown"),
    ("The H100 holds 80 MB of weights.", "80", "unknown"),
    ("The H100 handles an 80 MB batch.", "80", "unknown"),
    ("The B200 sustains 8 GB/s when writing results.", "8", "unknown"),
    ("The H100 idles at 70 W.", "70", "unknown"),
    ("The H200 has 141 MB of HBM3e memory.", "141", "wrong"),
    ("Copying to the MI300X runs at 5.3 GB/s.", "5.3", "unknown"),
]


@pytest.mark.parametrize(("text", "printed", "verdict"), SLIPS_BY_UNIT, ids=[one[0] for one in SLIPS_BY_UNIT])
def test_the_unit_alone_tells_what_a_data_sheet_gives(graph: Graph, text: str, printed: str, verdict: str) -> None:
    (said,) = [one for one in graph.check(text).figures if one.figure.printed.split()[0] == printed]
    assert said.verdict == verdict and (verdict != "wrong" or "1,000 times" in said.reason)


@pytest.mark.parametrize(
    "text",
    [
        "The GB200 NVL72 rack is faster than the H100. The rack joins 72 Blackwell GPUs and 36 Grace CPUs.",
        "The GB200 NVL72 is a rack. It holds 72 Blackwell GPUs.",
        "The GB200 NVL72 was shown in Taipei. The system links 72 Blackwell GPUs with NVLink.",
        "The GB200 NVL72 ships soon. Each rack has 72 Blackwell GPUs.",
        "The GB200 NVL72 costs more. The new rack packs 72 Blackwell GPUs.",
    ],
)
def test_a_count_of_parts_behind_the_rack_is_that_of_the_rack(graph: Graph, text: str) -> None:
    said = next(one for one in graph.check(text).figures if one.figure.printed == "72")
    assert said.verdict == "confirmed" and said.figure.subjects[0].value == "system/nvidia-gb200-nvl72"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Nvidia sold 72 Blackwell GPUs to them.", "NVIDIA Blackwell GPU (variant unstated)"),
        ("The MI300X has 193 parts.", "AMD Instinct MI300X"),
        ("The Foo-7 accelerator has 143 GB.", "Foo-7"),
    ],
)
def test_who_states_a_figure_of_nothing_is_told_of_what_it_was_looked_for(graph: Graph, text: str, named: str) -> None:
    (said,) = graph.check(text).figures
    assert said.verdict == "unknown" and said.reason.startswith("nobody states it of ") and named in said.reason


COMPARED = [
    ("The H200 offers 50 percent more memory than the H100.", "caution", "76.2 % more"),
    ("The H200 has twice the memory of the H100.", "caution", "1.76x"),
    ("The H200 has three times the memory of the H100.", "caution", "1.76x"),
    ("Compared with the H100, the H200 has twice the memory.", "caution", "1.76x"),
    ("Memory capacity of the H200 is double that of the H100.", "caution", "1.76x"),
    ("The B200 draws twice the power of the H100.", "caution", "1.43x to 2.86x"),
    ("The B200 has 20% more memory bandwidth than the H200.", "caution", "66.7 % more"),
    ("The MI300X has half the memory of the H200.", "caution", "1.36x"),
    ("The H200 has 76 percent more memory than the H100.", "confirmed", None),
    ("The H200 has 1.8 times the memory of the H100.", "confirmed", None),
    ("The H200 has nearly double the memory of the H100.", "confirmed", None),
    ("The MI300X has 2.4 times the memory of the H100.", "confirmed", None),
    ("The B200 draws 43 percent more power than the H100.", "unverified", None),
    ("The B200 has a third more memory than the H200.", "unverified", None),
    ("The H100 draws 30% less power than the B200.", "unverified", None),
    ("The H100 has 67% more memory bandwidth than the A100.", "unverified", None),
    ("The H200 has twice as many users as the H100.", "unknown", None),
    ("The B200 uses half the power of the H100 for each token.", "unknown", None),
]


@pytest.mark.parametrize(("text", "verdict", "use"), COMPARED, ids=[one[0] for one in COMPARED])
def test_a_ratio_of_two_chips_is_held_against_their_published_values(
    graph: Graph, text: str, verdict: str, use: str | None
) -> None:
    (said,) = graph.check(text).figures
    assert (said.verdict, said.value_to_use) == (verdict, use), said.reason


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("The B200 is 30 times faster than the H100.", "caution", "1.59x to 4.4x"),
        ("GB300 is 50 times faster than Hopper.", "caution", "3.24x to 5.53x"),
        ("The B200 is 15x faster than the H100 at inference.", "caution", "1.59x to 4.4x"),
        ("GB300 is 4 times faster than Hopper.", "unknown", "3.24x to 5.53x"),
        ("The B200 is 30 times faster than the H100 in training.", "unknown", "30x is stated against"),
        ("An H100 costs about $190,000.", "caution", "of H100 server (8 GPUs), a whole node, not of one device"),
        ("A server with eight H100s costs about $190,000.", "unknown", "is stated of H100 server"),
        ("You pay $190k for an H100.", "caution", "of H100 server (8 GPUs), a whole node, not of one device"),
        ("A GB200 GPU costs $3.1 million.", "caution", "a whole rack, not of one device"),
        ("According to NVIDIA, a GB200 GPU consumes 1,200W.", "unverified", ""),
        ("Nvidia says a GB200 GPU draws 1,200 W.", "unverified", ""),
        ("SemiAnalysis says a GB200 GPU consumes 1,200 W.", "unverified", ""),
        ("NVIDIA says the H200 has 141 GB.", "confirmed", "NVIDIA's H200 data sheet"),
        ("AMD says the MI355X has 288 GB.", "unverified", ""),
    ],
)
def test_what_else_is_known_of_a_figure_is_said(graph: Graph, text: str, verdict: str, reason: str) -> None:
    (said,) = graph.check(text).figures
    assert said.verdict == verdict and reason in said.reason
