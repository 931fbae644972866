"""`kg conflicts`, `kg origins` and `kg impact` on the shipped content."""

import json

import pytest

from tests.cli.conftest import Kg

MEASURED = ("002/l405.gb200.offline.per-accelerator", "002/author.nvl72-dgx-b200.l405")


def test_a_hard_conflict_gives_exit_code_one_where_that_is_asked_for(kg: Kg) -> None:
    hard, explained = kg("conflicts", "--verdict", "conflict"), kg("conflicts", "--verdict", "explained", "--exit-code")
    asked = kg("conflicts", "--verdict", "conflict", "--exit-code")
    assert (hard.returncode, explained.returncode, asked.returncode) == (0, 0, 1)
    assert "conflict (violation, same thing)" in hard.stdout and "explained (info, related)" in explained.stdout


def test_a_metric_or_a_name_narrows_the_groups(kg: Kg) -> None:
    every = json.loads(kg("conflicts", "--format", "json").stdout)
    for asked in ("memory-bandwidth", "memory bandwidth", "H200"):
        some = json.loads(kg("conflicts", asked, "--format", "json").stdout)
        assert 0 < len(some["groups"]) < len(every["groups"])
    metric = json.loads(kg("conflicts", "memory-bandwidth", "--format", "json").stdout)
    assert metric["metric"] == "memory-bandwidth" and metric["subjects"] == []


def test_who_states_otherwise_than_a_publisher_comes_first(kg: Kg) -> None:
    done = kg("conflicts", "SemiAnalysis")
    assert "002, 003 and 006 state otherwise in 2 groups" in " ".join(done.stdout.split())
    first = json.loads(kg("conflicts", "SemiAnalysis", "--format", "json").stdout)["groups"][0]
    assert {one["claim"]["source"] for one in first["members"]} > {"source/001"}


def test_the_h200_bandwidths_stand_in_one_group_with_speaker_and_place(kg: Kg) -> None:
    groups = json.loads(kg("conflicts", "memory-bandwidth", "--format", "json").stdout)["groups"]
    h200 = [
        one for group in groups for one in group["members"] if one["claim"]["subject"].startswith("family/nvidia-h200")
    ]
    values = {one["claim"]["canonical_value"] for one in h200}
    assert {4.8e12, 5.3e12, 1.4e12} <= values
    assert all(one["claim"]["start"] is not None and one["claim"]["asserted_by"] for one in h200)


def test_an_unknown_name_is_no_mistake(kg: Kg) -> None:
    done = kg("conflicts", "H2000")
    assert done.returncode == 0 and "H2000: no such name or metric; near:" in done.stderr
    assert kg("conflicts", "--verdict", "perhaps").returncode == 2


def test_copies_are_one_origin(kg: Kg) -> None:
    found = json.loads(kg("origins", "000/mistral.impact.training-speed.h200", "--format", "json").stdout)
    assert (found["mentions"], found["origins"], found["end_states"]) == (3, 1, ["unopened"])
    chain = next(one["chain"] for one in found["members"] if one["claim"] == found["asked"])
    assert [(hop["hop"], hop["reached"], hop["fidelity"]) for hop in chain] == [
        (1, "000/mistral.training-speed.h200", "wording-altered"),
        (2, "unresolved/coreweave-mistral-case-study", "unverified"),
    ]


def test_a_claim_said_once_counts_once(kg: Kg) -> None:
    found = json.loads(kg("origins", "001/llama3-405b.cost.total", "--format", "json").stdout)
    assert (found["mentions"], found["origins"]) == (1, 1)
    machine = json.loads(kg("origins", "002/r1.gb200.offline.per-accelerator", "--format", "json").stdout)
    assert machine["origins"] <= machine["mentions"]


def test_correcting_the_divisors_turns_the_conclusions(kg: Kg) -> None:
    found = json.loads(kg("impact", "--source", "002", "--format", "json").stdout)
    affected = {one["claim"]: one for one in found["affected"]}
    dense = affected["002/author.nvl72-dgx-b200.l405"]
    assert (dense["outcome"], dense["holds"]) == ("weakens", True)  # its totals stand, read per accelerator it is lost
    after = sorted(round(one["after"], 2) for one in dense["touched"])
    assert after == [0.96, 0.99]
    sparse = sorted(round(one["after"], 2) for one in affected["002/author.nvl72-dgx-b200.r1"]["touched"])
    assert sparse == [1.02, 1.21]
    reverse = {one["name"]: round(one["after"], 1) for one in affected["002/report.l405.h200-below-h100"]["touched"]}
    assert reverse["offline"] == 1.4
    assert {one["source"] for one in found["affected"]} == {"source/002"}
    assert sum(found["counts"].values()) == len(found["affected"])


def test_a_given_value_is_read_as_it_would_be_printed(kg: Kg) -> None:
    one, other = (
        json.loads(kg("impact", "002/r1.gb200.offline.total", "--value", value, "--format", "json").stdout)
        for value in ("100000", "100,000 sample/s")
    )
    assert one == other and one["changes"][0]["after"] == 100000 and one["changes"][0]["assumed"] == "given"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("impact", "002/nothing"), "Accepted: a claim, a number"),
        (("impact", MEASURED[0], MEASURED[1], "--value", "3"), "one claim"),
        (("impact", "002/r1.gb200.offline.total", "--value", "3 W"), "W"),
        (("origins", "nothing"), "kg find"),
    ],
)
def test_what_cannot_be_asked_is_refused(kg: Kg, arguments: tuple[str, ...], told: str) -> None:
    done = kg(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_candidates_are_corrected_in_the_form_that_is_printed(kg: Kg) -> None:
    shown = {line.split()[0]: " ".join(line.split()) for line in kg("impact").stdout.splitlines() if "/" in line}
    assert "10% 6.82 % lower" in shown["001/llama3-70b.mfu.fp8.drop"]
    assert "20 PFLOPS/W 20 TFLOP/s/W" in shown["004/efficiency.b200.fp4"]
    rows = {one["claim"]: one for one in json.loads(kg("impact", "--format", "json").stdout)}
    assert rows["001/llama3-70b.mfu.fp8.drop"]["corrected_as_printed"] == "6.82 % lower"
    assert rows["001/llama3-70b.mfu.fp8.drop"]["corrected"] < 1


def test_what_survives_says_why(kg: Kg) -> None:
    lines = [line.rstrip() for line in kg("impact", "004/efficiency.b200.fp4", "--wide").stdout.splitlines()]
    assert "  Reason" not in lines
    assert any(line.endswith("all that it rests on survives") for line in lines)


def test_groups_show_what_differs(kg: Kg) -> None:
    twice = kg("conflicts", "performance", "--format", "csv").stdout
    assert "against NVIDIA H200" in twice and "against AMD Instinct" in twice
    speed = " ".join(kg("conflicts", "inference-speed", "--wide").stdout.split())
    assert "inference speed of NVIDIA H200 series against NVIDIA H100 series" in speed
    assert "1.595 to 1.905" in speed
    told = kg("conflicts", "data-transfer-efficiency", "--wide").stdout
    assert "data transfer efficiency and memory bandwidth of" in " ".join(told.split())


def test_impact_without_a_claim_lists_candidates(kg: Kg) -> None:
    rows = json.loads(kg("impact", "--format", "json").stdout)
    assert "002/r1.gb200.offline.per-accelerator" in {one["claim"] for one in rows}
    counts = [one["dependents"] for one in rows]
    assert counts == sorted(counts, reverse=True) and counts[0] > 1


def test_the_list_of_corrections_gives_the_value_that_trace_gives(kg: Kg) -> None:
    listed = {one["claim"]: one["corrected_as_printed"] for one in json.loads(kg("impact", "--format", "json").stdout)}
    assert listed["002/r1.gb200.offline.per-accelerator"] == "4,023.78 token/s"
    for claim in list(listed)[:3]:
        assert f"Value to use: {listed[claim]}." in " ".join(kg("trace", claim).stdout.split())
