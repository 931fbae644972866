"""Ratio claims against measured rows: one case a file, and what must hold for any rows."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import strategies as st

from kg.audit.comparability import ComparableResult
from kg.audit.measured import Claimed, Measured, ratios, read, verdict_of
from kg.content.comparability import read_comparability
from kg.content.folders import Content
from kg.model.comparability import Comparability
from kg.model.interval import Interval
from kg.model.verdict import MEASURED_VERDICTS
from tests.sampling import generated

Json = dict[str, Any]
CHECKOUT = Path(__file__).resolve().parents[2]
CASES = sorted((CHECKOUT / "tests" / "cases" / "verification").glob("*.yaml"))


@cache
def rules() -> Comparability:
    return read_comparability(Content(CHECKOUT))


def row(side: str, number: int, given_row: list[Any], task: str = "task/mlperf-deepseek-r1") -> Measured:
    value, count, scenario, round_, submitter = given_row
    result = ComparableResult(
        suite="benchmark/mlperf-inference",
        task=task,
        round=f"round/mlperf-inference-{round_}",
        scenario=f"scenario/{scenario}",
        division="closed",
        category="datacenter",
        availability="available",
        unit="token/s",
        accelerators=count,
        power=False,
    )
    return Measured(f"{side}/{number}", f"accelerator/{side}", Fraction(str(value)), count, result, submitter=submitter)


def ends(claimed: list[float | None]) -> Interval:
    return Interval(*(None if end is None else Fraction(str(end)) for end in claimed))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_verdicts(path: Path) -> None:
    case: Json = yaml.safe_load(path.read_text(encoding="utf-8"))
    task = case.get("task", "task/mlperf-deepseek-r1")
    sides = [[row(side, n, one, task) for n, one in enumerate(case[side])] for side in ("subject", "baseline")]
    claimed = Claimed(ends(case["claimed"]), case.get("names_benchmark", True), tuple(case.get("differs", ())))
    readings = []
    for basis in case["bases"]:
        ours = sides[0]
        if basis == "per-system" and "system_size" in case:
            ours = [one for one in ours if one.accelerators == case["system_size"]]
        readings.append(read(claimed, ours, sides[1], basis, rules()))
    assert {one.basis: one.verdict for one in readings} == {name: case["expect"][name] for name in case["bases"]}
    assert verdict_of(readings, stated=case.get("stated")) == case["expect"]["verdict"]


def test_every_verdict_has_a_case() -> None:
    seen = {yaml.safe_load(path.read_text(encoding="utf-8"))["expect"]["verdict"] for path in CASES}
    assert seen == set(MEASURED_VERDICTS)


def test_gb200_on_deepseek_r1_gives_4023_8_for_one_of_72() -> None:
    rack, node = (
        row("a", 1, [Fraction(289712, 72), 72, "offline", "v5.1", "n"]),
        row("b", 1, ["4172.375", 8, "offline", "v5.1", "n"]),
    )
    assert round(float(rack.value), 1) == 4023.8 and rack.total == 289712
    (each,), _ = ratios([rack], [node], "per-accelerator", rules())
    (whole,), _ = ratios([rack], [node], "per-system", rules())
    assert round(float(each.value), 3) == 0.964 and round(float(whole.value), 2) == 8.68
    assert [reason.rule for reason in whole.comparable.reasons] == ["accelerators"]


def test_a_refused_pair_says_which_rule_refuses_it() -> None:
    sdxl = "task/mlperf-stable-diffusion-xl"
    found, refused = ratios(
        [row("a", 1, [2, 8, "offline", "v6.0", "n"], sdxl)],
        [row("b", 1, [1, 8, "offline", "v5.1", "n"], sdxl)],
        "per-accelerator",
        rules(),
    )
    assert found == () and [reason.rule for reason in refused] == ["rounds"]


rows = st.lists(
    st.tuples(
        st.integers(1, 5000),
        st.sampled_from([4, 8, 72]),
        st.sampled_from(["offline", "server"]),
        st.sampled_from(["v5.1", "v6.0"]),
        st.just("s"),
    ).map(list),
    max_size=5,
)


@generated(
    ours=rows, theirs=rows, basis=st.sampled_from(["per-accelerator", "per-system"]), low=st.integers(1, 40), few=25
)
def test_a_claim_that_some_allowed_pair_bears_out_is_never_in_conflict(
    ours: Any, theirs: Any, basis: Any, low: int
) -> None:
    sides = [[row(name, n, one) for n, one in enumerate(some)] for name, some in (("a", ours), ("b", theirs))]
    found, _ = ratios(sides[0], sides[1], basis, rules())
    claimed = Claimed(Interval(Fraction(low, 10), Fraction(low + 2, 10)), names_benchmark=True)
    reading = read(claimed, sides[0], sides[1], basis, rules())
    assert all(one.span.contains(one.value) and one.span.contains(one.mean) for one in found)
    if any(claimed.figure.overlaps(one.span) for one in found):
        assert reading.verdict != "conflict"
    if found and all(claimed.figure.contains(one.value) for one in found):
        assert reading.verdict == "agree"


@generated(ours=rows, theirs=rows, low=st.integers(1, 60), few=25)
def test_without_a_benchmark_in_the_claim_nothing_is_contradicted(ours: Any, theirs: Any, low: int) -> None:
    sides = [[row(name, n, one) for n, one in enumerate(some)] for name, some in (("a", ours), ("b", theirs))]
    claimed = Claimed(Interval(Fraction(low), Fraction(low + 1)), names_benchmark=False)
    readings = [read(claimed, sides[0], sides[1], basis, rules()) for basis in ("per-accelerator", "per-system")]
    assert verdict_of(readings, stated=None) != "contradicted"


@generated(ours=rows, theirs=rows, few=25)
def test_swapping_the_sides_turns_the_span_over(ours: Any, theirs: Any) -> None:
    sides = [[row(name, n, one) for n, one in enumerate(some)] for name, some in (("a", ours), ("b", theirs))]
    forth, _ = ratios(sides[0], sides[1], "per-accelerator", rules())
    back, _ = ratios(sides[1], sides[0], "per-accelerator", rules())
    assert [one.scenario for one in forth] == [one.scenario for one in back]
    for one, other in zip(forth, back, strict=True):
        assert (one.span.lower, one.span.upper) == (1 / other.span.upper, 1 / other.span.lower)  # type: ignore[operator]
