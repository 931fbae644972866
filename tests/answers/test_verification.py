"""Ratio claims of the shipped content against the shipped headline results; and what keeps a claim from being judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.answers.hardware import Hardware
from kg.answers.trace import UnknownClaim
from kg.answers.verification import Verified, verify, verify_claims
from kg.content.comparability import read_comparability
from kg.content.folders import find_content
from kg.render.impact_text import impact_lines
from kg.render.verify_text import verification_lines
from kg.session import Graph, open_graph
from kg.stores.oxigraph import OxigraphStore
from kg.stores.protocol import Answer
from tests.sampling import some


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def claims(graph: Graph) -> dict[str, Verified]:
    return {one.claim: one for one in graph.verify().claims}


def test_every_ratio_claim_has_a_verdict(graph: Graph, claims: dict[str, Verified]) -> None:
    questions = ("benchmarks/ratio-claims", "benchmarks/order-claims")
    asked = {row["claim"] for question in questions for row in graph.ask(question).dicts()}
    assert set(claims) == asked and len(claims) > 100
    assert all(one.reason for one in claims.values())


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("002/author.nvl72-dgx-b200.r1", "supported-system-only"),
        ("002/report.llama2.b200-h200", "supported"),
        ("002/report.llama2.gb200-h200", "supported"),
        ("002/report.sdxl.b200-h100", "supported"),
        ("002/author.nvl72-dgx-b200.l405", "no-comparable"),
        ("004/app.h200.llama-2-70b-speed", "no-comparable"),
        ("004/app.mi300x.r1-throughput-ratio", "no-comparable"),
        ("004/app.nvl72.token-speed", "no-comparable"),
    ],
)
def test_known_claims_have_the_verdict_that_the_official_rows_give(
    claims: dict[str, Verified], claim: str, verdict: str
) -> None:
    assert claims[claim].verdict == verdict, claims[claim].reason


def test_a_claim_of_an_order_is_held_against_results_and_carries_its_verdict(claims: dict[str, Verified]) -> None:
    below = claims["002/report.l405.h200-below-h100"]
    assert (below.direction, below.printed, below.worded, below.number_verdict) == ("lower", "", "lower", "wrong")
    borne_out = claims["002/report.gptj.sxm-over-pcie"]
    assert borne_out.direction == "higher" and borne_out.verdict in ("supported", "no-comparable")


def test_what_totals_bear_out_is_no_contradiction_anywhere(graph: Graph, claims: dict[str, Verified]) -> None:
    """Verify, trace and impact say one thing of a statement about whole systems."""
    tenfold = "002/author.nvl72-dgx-b200.r1"
    assert claims[tenfold].verdict == "supported-system-only"
    (traced,) = graph.trace(tenfold).claims
    assert traced.claim.verdict == claims[tenfold].number_verdict == "caution"
    assert traced.claim.verdict_reason.startswith("holds for whole systems; per accelerator")
    affected = graph.impact(sources=["source/002"]).impact.of(tenfold)
    assert affected is not None and (affected.outcome, affected.holds) == ("weakens", True)


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("002/author.nvl72-dgx-b200.r1", "1.02x to 1.21x per accelerator"),
        ("002/author.nvl72-dgx-b200.l405", "0.964x to 0.991x per accelerator"),
    ],
)
def test_verify_trace_and_impact_give_one_value_to_use(
    graph: Graph, claims: dict[str, Verified], claim: str, value: str
) -> None:
    (traced,) = graph.trace(claim).claims
    assert traced.claim.value_to_use == claims[claim].value_to_use == value
    lines = "\n".join(
        verification_lines(verified := graph.verify(claim), verified.claims, verified.claims, brief=False)
    )
    assert value in lines.replace("\n", " ")
    found = graph.impact(claim)
    (change,) = found.impact.changes
    low, high = (float(one.rstrip("x")) for one in value.split()[:3:2])
    assert found.assumed[claim] == "corrected" and change.after is not None
    assert low <= round(float(change.after), 3) <= high + 0.01


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        ("002/r1.gb200.offline.per-accelerator", "72,428 sample/s but 4,023.78 token/s (corrected)"),
        ("004/compute.h200.fp8.32", "32 PFLOP/s but 3.958 PFLOP/s with sparsity (corrected)"),
        ("004/efficiency.b200.fp4", "20 PFLOP/s/W but 20 TFLOP/s/W (corrected)"),
    ],
)
def test_impact_corrects_a_figure_to_the_value_that_trace_says_to_use(graph: Graph, claim: str, shown: str) -> None:
    found = graph.impact(claim)
    (traced,) = graph.trace(claim).claims
    assert traced.claim.value_to_use is not None and f" but {traced.claim.value_to_use} " in shown
    assert f"is not {shown}" in " ".join(" ".join(impact_lines(found, found.by_outcome())).split())


def test_no_result_later_than_the_rounds_of_a_text_is_held_against_it(claims: dict[str, Verified]) -> None:
    tenfold = claims["002/author.nvl72-dgx-b200.r1"]
    rounds = {end.round for one in tenfold.readings for ratio in one.ratios for end in (ratio.subject, ratio.baseline)}
    assert rounds == {"v5.1"}


def test_tenfold_holds_for_whole_racks_and_not_for_one_gpu(claims: dict[str, Verified]) -> None:
    one = claims["002/author.nvl72-dgx-b200.r1"]
    each, system = one.readings
    assert (each.basis, each.verdict, system.basis, system.verdict) == (
        "per-accelerator",
        "conflict",
        "per-system",
        "explained",
    )
    offline = next(
        ratio for ratio in system.ratios if ratio.scenario == "scenario/offline" and ratio.subject.round == "v5.1"
    )
    assert (offline.subject.total, offline.subject.accelerators, offline.subject.entry) == (289712, 72, "5.1-0071")
    assert round(offline.subject.per_accelerator, 1) == 4023.8 and offline.baseline.accelerators == 8


def test_all_rows_used_are_claims_of_the_graph_that_rest_on_a_total(graph: Graph, claims: dict[str, Verified]) -> None:
    used = {
        end.claim
        for one in claims.values()
        for reading in one.readings
        for ratio in reading.ratios
        for end in (ratio.subject, ratio.baseline)
    }
    held = {row["claim"] for row in graph.ask("claims/card", claim=sorted(used)).dicts()}
    assert used and held == used
    assert {
        row["claim"] for row in graph.ask("claims/inputs", claim=sorted(used)).dicts() if row["input"] == "total"
    } == used


def test_a_claim_that_names_no_benchmark_is_never_contradicted(claims: dict[str, Verified]) -> None:
    silent = [one for one in claims.values() if "benchmark=" not in (one.conditions or "")]
    assert silent and all(one.verdict != "contradicted" for one in silent)


def test_one_claim_can_be_asked_for_and_an_unknown_one_is_refused(graph: Graph) -> None:
    found = graph.verify("002/report.sdxl.b200-h100")
    assert [one.claim for one in found.claims] == [
        "002/report.sdxl.b200-h100"
    ] and "benchmarks/measured" in found.questions
    for claim in ("002/nothing", "002/r1.gb200.offline.total"):
        with pytest.raises(UnknownClaim, match="states a ratio"):
            graph.verify(claim)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (("GB200", "H200"), lambda one: one.baseline is not None and "h200" in one.subject.id + one.baseline.id),
        (("source/002",), lambda one: one.source == "source/002"),
        (("metric/throughput",), lambda one: one.metric == "throughput"),
    ],
)
def test_words_are_read_as_on_the_command_line(
    graph: Graph, claims: dict[str, Verified], words: tuple[str, ...], kept: Callable[[Verified], bool]
) -> None:
    found = graph.verify(*words)
    assert found.asked is None and 0 < len(found.claims) < len(claims)
    assert all(kept(one) and claims[one.claim] == one for one in found.claims)
    assert graph.verify(" ".join(words)) == found


def test_a_number_of_one_claim_is_that_claim_and_what_nobody_knows_is_refused(graph: Graph) -> None:
    number = "1.7"
    asked = graph.verify(number)
    stating = {one.claim.id for one in graph.trace(number).claims}
    assert {one.claim for one in asked.claims} <= stating
    for unknown in ("zzz", "123,456,789,123"):
        with pytest.raises(UnknownClaim):
            graph.verify(unknown)


@pytest.mark.parametrize("step", some(15))
def test_some_claims_at_once_are_what_they_are_among_all(graph: Graph, claims: dict[str, Verified], step: int) -> None:
    assert graph.verified([*claims, "002/r1.gb200.offline.total"]) == claims
    asked = list(claims)[::step]
    each = {claim: found for claim in asked for found in graph.verified([claim]).values()}
    assert each == {claim: claims[claim] for claim in asked}
    assert graph.verified([]) == {}


def test_many_claims_take_as_many_questions_as_one(graph: Graph, claims: dict[str, Verified]) -> None:
    def questions(asked: list[str]) -> Counter[str]:
        counted: Counter[str] = Counter()

        def ask(name: str, /, **values: Any) -> Answer:
            counted[name] += 1
            return graph.ask(name, **values)

        verify_claims(ask, read_comparability(find_content()), asked)
        return counted

    with_readings = [claim for claim, one in claims.items() if one.readings]
    assert len(with_readings) > 10 and max(questions(with_readings).values()) == 1


def test_the_result_is_stable_json(graph: Graph) -> None:
    one, other = (graph.verify().to_json() for _ in range(2))
    assert one == other and one["counts"]["supported"] >= 4


RATIO: dict[str, Any] = {
    "claim": "c/1",
    "subject": "accelerator/a",
    "level": "accelerator",
    "baseline": "accelerator/b",
    "baseline_level": "accelerator",
    "metric": "metric/throughput",
    "better": "higher",
    "normaliser": "unstated",
    "printed": "2x",
    "hedge": "none",
    "ratio": 2.0,
    "ratio_lower": 1.5,
    "ratio_upper": 2.5,
    "modality": "stated",
    "polarity": "affirmed",
    "benchmark": "benchmark/mlperf-inference",
    "round": None,
    "task": None,
    "model": "model/m",
    "scenario": None,
    "phase": "unstated",
    "workload": "unstated",
    "conditions": "unstated",
    "baseline_conditions": "unstated",
    "asserted_by": "org/x",
    "source": "source/c",
    "said_on": "unstated",
    "verdict": "confirmed",
    "value_to_use": None,
}
ROW: dict[str, Any] = {
    "claim": "r/a",
    "accelerator": "accelerator/a",
    "accelerator_label": "A",
    "task": "task/mlperf-deepseek-r1",
    "model": "model/m",
    "scenario": "scenario/offline",
    "round": "round/mlperf-inference-v5.1",
    "accelerators": 8.0,
    "canonical_value": 200.0,
    "canonical_unit": "token/s",
    "benchmark": "benchmark/mlperf-inference",
    "division": "division/closed",
    "category": "datacenter",
    "availability": "available",
    "includes": "none",
    "boundary": "none",
    "precision": None,
    "entry": "1",
    "submitter": "org/s",
    "submitter_label": "S",
    "system": "unstated",
    "source": "source/r",
    "said_on": "2025-09-09",
}
OTHER = {**ROW, "claim": "r/b", "accelerator": "accelerator/b", "canonical_value": 100.0}


def told(claim: dict[str, Any], *rows: dict[str, Any], lineage: Iterable[dict[str, Any]] = ()) -> Verified:
    """The verdict on one claim against rows that a graph might hold."""

    def ask(name: str, /, **_: Any) -> Answer:
        held = {
            "benchmarks/ratio-claims": [{**RATIO, **claim}],
            "benchmarks/measured": list(rows),
            "benchmarks/lineage": list(lineage),
        }
        found = held.get(name, [])
        columns = tuple(found[0]) if found else ()
        return Answer(columns, tuple(tuple(row.values()) for row in found))

    (one,) = verify(ask, read_comparability(find_content())).claims
    return one


def test_rows_that_fit_support_a_claim() -> None:
    assert told({}, ROW, OTHER).verdict == "supported"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ({"baseline": None}, "names nothing to compare with"),
        ({"metric": "metric/power"}, "no published results of power"),
        ({"normaliser": "per-watt"}, "no published results per-watt"),
        ({"model": None}, "names no model"),
        ({"polarity": "negated"}, "denies"),
        ({"baseline": "accelerator/a"}, "same hardware"),
        ({"ratio_lower": None, "ratio_upper": None}, "no bounds"),
    ],
)
def test_what_no_result_can_bear_on_says_why(claim: dict[str, Any], reason: str) -> None:
    one = told(claim, ROW, OTHER)
    assert one.verdict == "no-comparable" and reason in one.reason and one.readings == ()


def test_results_that_came_out_later_do_not_count() -> None:
    assert told({"said_on": "2025-08-20"}, ROW, OTHER).reason.endswith("no measured row of either side")
    assert (
        told({"said_on": "2025"}, ROW, OTHER).verdict
        == told({"said_on": "2025-09-09"}, ROW, OTHER).verdict
        == "supported"
    )


def test_results_of_rounds_that_the_claim_does_not_span_do_not_count() -> None:
    spans = "model=m; rounds=mlperf-inference-v5.0, mlperf-inference-v5.1 (inferred)"
    later = [
        {**row, "claim": f"{row['claim']}.later", "round": "round/mlperf-inference-v6.0", "canonical_value": 150.0}
        for row in (ROW, OTHER)
    ]
    assert told({}, ROW, OTHER, *later).readings[0].lower == 1.0
    assert told({"conditions": spans}, ROW, OTHER, *later).readings[0].lower == 2.0
    assert told({"conditions": "rounds=mlperf-inference-v5.0"}, ROW, OTHER).readings[0].verdict == "not-comparable"


@pytest.mark.parametrize(
    "more",
    [{"division": "Open "}, {"boundary": "lowered power limit"}, {"system": "DGX-H100 MaxQ"}, {"accelerators": None}],
)
def test_rows_that_stand_for_no_accelerator_are_left_out(more: dict[str, Any]) -> None:
    assert told({}, {**ROW, **more}, OTHER).reason.endswith("no measured row of the first side")


def test_a_task_round_or_scenario_that_the_claim_names_narrows_the_rows() -> None:
    server = [
        {**row, "claim": row["claim"] + ".s", "scenario": "scenario/server", "canonical_value": value}
        for row, value in ((ROW, 900.0), (OTHER, 100.0))
    ]
    assert told({}, ROW, OTHER, *server).readings[0].verdict == "explained"
    assert told({"scenario": "scenario/offline"}, ROW, OTHER, *server).readings[0].verdict == "agree"
    assert told({"task": "task/other"}, ROW, OTHER).readings[0].verdict == "not-comparable"
    assert told({"round": "round/mlperf-inference-v5.0"}, ROW, OTHER).readings[0].verdict == "not-comparable"
    guessed = {"round": "round/mlperf-inference-v5.0", "conditions": "round=mlperf-inference-v5.0 (inferred)"}
    assert told(guessed, ROW, OTHER).readings[0].verdict == "agree"


def test_a_claim_about_an_architecture_may_be_about_one_of_its_series() -> None:
    links = [
        ("family/new", "chip-family", "family/arch"),
        ("family/newest", "chip-family", "family/arch"),
        ("accelerator/a", "accelerator", "family/new"),
        ("accelerator/z", "accelerator", "family/newest"),
        ("accelerator/b", "accelerator", "family/old"),
        ("family/old", "chip-family", "family/older-arch"),
    ]
    lineage = [
        {"thing": thing, "kind": kind, "link": "member-of", "other": other, "count": None}
        for thing, kind, other in links
    ]
    newest = {**ROW, "claim": "r/z", "accelerator": "accelerator/z", "canonical_value": 900.0}
    claim = {"subject": "family/arch", "baseline": "family/older-arch"}
    one = told(claim, ROW, newest, OTHER, lineage=lineage)
    assert [(each.verdict, each.reason) for each in one.readings if each.lower is not None] == [
        ("explained", "of new against old: the best results fit")
    ]


def test_hardware_stands_for_its_chips_and_a_rack_for_those_in_it() -> None:
    links = [
        ("accelerator/g", "accelerator", "member-of", "family/g", None),
        ("system/rack", "rack", "member-of", "family/g", None),
        ("system/rack", "rack", "part", "accelerator/g", 72),
        ("system/node", "node", "member-of", "family/h", None),
        ("accelerator/h", "accelerator", "member-of", "family/h", None),
        ("config/8x", "configuration", "configuration-of", "family/h", 8),
    ]
    hardware = Hardware(dict(zip(("thing", "kind", "link", "other", "count"), one, strict=True)) for one in links)
    assert hardware.chips("system/rack") == {"accelerator/g"} and hardware.count("system/rack") == 72
    assert "accelerator/h" in hardware.chips("system/node") and hardware.count("system/node") is None
    assert "accelerator/g" in hardware.chips("family/g") and "system/rack" not in hardware.chips("family/g")
    assert "accelerator/h" in hardware.chips("config/8x") and hardware.count("config/8x") == 8
    assert hardware.is_whole("system/rack", "rack") and not hardware.is_whole("accelerator/g", "accelerator")


def test_what_is_asked_without_values_is_read_once(shipped_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    select = OxigraphStore.select

    def counted(store: OxigraphStore, text: str, **options: Any) -> Answer:
        asked.append(text)
        return select(store, text, **options)

    monkeypatch.setattr(OxigraphStore, "select", counted)
    with open_graph(shipped_store) as graph:
        first = graph.ask("benchmarks/lineage")
        assert asked and graph.ask("benchmarks/lineage") is first
        count = len(asked)
        assert graph.ask("benchmarks/lineage", thing=["system/nvidia-gb200-nvl72"]).rows != first.rows
        assert len(asked) > count
