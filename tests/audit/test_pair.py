"""Verdicts of pairs: one case a file, and the laws."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import strategies as st

from kg.audit.conditions import IMPLIED
from kg.model.verdict import PAIR_VERDICTS
from tests.audit.conflict_cases import CASES, claim, judged
from tests.sampling import generated

Json = Any
SCALES = {"TB/s": 1, "GB/s": 1000, "MB/s": 10**6, "PFLOP/s": 1, "TFLOP/s": 1000}
UNITS = {"memory-bandwidth": ["TB/s", "GB/s", "MB/s"], "peak-compute": ["PFLOP/s", "TFLOP/s"]}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_verdict_both_ways(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    one, other = (
        claim(name, case.get("both", {}), case[side]) for name, side in (("a/one", "one"), ("b/other", "other"))
    )
    expect = case["expect"]
    found = judged(one, other)
    assert found.verdict == expect["verdict"], found
    assert {c.name for c in found.differing} >= set(expect.get("differing", [])), found
    assert {c.name for c in found.unstated} >= set(expect.get("unstated", [])), found
    assert judged(other, one) == found.swapped()


def test_every_verdict_has_cases() -> None:
    seen = [yaml.safe_load(path.read_text(encoding="utf-8"))["expect"]["verdict"] for path in CASES]
    assert all(seen.count(verdict) >= 6 for verdict in PAIR_VERDICTS)


conditions = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.sampled_from(["precision/fp8", "precision/fp4", ["precision/fp8", "precision/int8"]]),
        "sparsity": st.sampled_from(
            ["structured", "none", {"status": "unstated"}, {"value": "none", "status": "assumed"}]
        ),
        "task": st.sampled_from(["task/t", "task/u"]),
        "model": st.sampled_from(["model/m", "model/other"]),
        "scenario": st.sampled_from(["scenario/offline", "scenario/server"]),
        "phase": st.sampled_from(["training", "pre-training", "inference"]),
        "date": st.sampled_from(["2024", "2024-12", "2025"]),
        "accelerators": st.sampled_from([8, 64, "16k", "8 to 64"]),
        "includes": st.sampled_from(["rack", "rack, networking"]),
        "excludes": st.sampled_from(["networking"]),
    },
)


@st.composite
def claims(draw: st.DrawFn, name: str, metric: str) -> Json:
    digits = draw(st.sampled_from(["1.4", "4.8", "4.80", "5.3", "32"]))
    unit = draw(st.sampled_from(UNITS[metric]))
    value = float(digits) * draw(st.sampled_from([1, SCALES[unit]]))
    quantity: Json = {"printed": digits, "value": value, "unit": unit}
    if hedge := draw(st.sampled_from([None, None, None, "over", "up-to", "about"])):
        quantity["hedge"] = hedge
    return claim(
        name,
        {
            "metric": metric,
            "quantity": quantity,
            "conditions": draw(conditions),
            "subject": draw(
                st.sampled_from(
                    ["family/h", "accelerator/h-sxm", "accelerator/h-pcie", "superchip/g", "accelerator/g-gpu"]
                )
            ),
            "normaliser": draw(st.sampled_from(["per-chip", "total", "unstated"])),
            "modality": draw(st.sampled_from(["stated", "expected", "assumed"])),
        },
    )


pairs = st.sampled_from(sorted(UNITS)).flatmap(
    lambda metric: st.tuples(claims("a/one", metric), claims("b/other", metric))
)


@generated(pairs, few=40, many=300)
def test_verdict_is_symmetric(pair: tuple[Json, Json]) -> None:
    one, other = pair
    assert judged(other, one) == judged(one, other).swapped()


@generated(pairs, st.data(), few=40, many=300)
def test_verdict_is_unchanged_by_another_unit(pair: tuple[Json, Json], data: st.DataObject) -> None:
    one, other = pair
    unit = data.draw(st.sampled_from(UNITS[one["metric"]]))
    quantity = one["quantity"]
    factor = SCALES[unit] / SCALES[quantity["unit"]]
    rewritten = one | {"quantity": quantity | {"value": float(f"{quantity['value'] * factor:.12g}"), "unit": unit}}
    assert judged(rewritten, other) == judged(one, other)


def without(record: Json, name: str, how: str) -> Json:
    left: Any = {key: value for key, value in record["conditions"].items() if key != name}
    return record | {"conditions": {**left, **({name: {"status": "unstated"}} if how == "unstated" else {})}}


@generated(pairs, st.data(), few=40, many=500)
def test_silence_never_makes_agreement_nor_a_conflict_of_less(pair: tuple[Json, Json], data: st.DataObject) -> None:
    """What one side leaves out may turn a conflict into a possible one, and a difference into an open question."""
    one, other = pair
    names = sorted(one["conditions"])
    if not names:
        one, names = one | {"conditions": {"phase": "training"}}, ["phase"]
    name = data.draw(st.sampled_from(names))
    before = judged(one, other).verdict
    after = judged(without(one, name, data.draw(st.sampled_from(["gone", "unstated"]))), other).verdict
    allowed = {
        "agree": {"agree"},
        "conflict": {"conflict", "possible-conflict"},
        "possible-conflict": {"possible-conflict", "conflict"},
        "explained": {"explained", "possible-conflict", "conflict"},
        "not-comparable": {"not-comparable", "explained", "possible-conflict", "agree"},
    }
    assert after in allowed[before]
    stated = all(not isinstance(side["conditions"].get(name, {}), dict) for side in (one, other))
    implied = any(left in one["conditions"] for left, _, given in IMPLIED if given == name)  # then it is still said
    if before == "conflict" and stated and name != "task" and not implied:
        assert after == "possible-conflict"


@generated(pairs, few=40, many=300)
def test_agreement_and_conflict_follow_the_figures(pair: tuple[Json, Json]) -> None:
    one, other = pair
    verdict = judged(one, other).verdict
    equal = judged(one, other | {"quantity": one["quantity"]}).verdict
    assert equal in ("agree", "not-comparable")
    assert (
        verdict != "conflict" or judged(one, one | {"id": "b/other", "quantity": other["quantity"]}).verdict != "agree"
    )
