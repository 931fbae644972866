"""Rows derived from results: the best of each accelerator, gains, costs, work per energy; each with the claims it rests on."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.audit.measured_rows import MeasuredRows
from kg.content.comparability import read_comparability
from kg.content.folders import Content
from kg.model.derived import Deriver
from kg.model.units import UnitTable
from kg.projection.derived import derived_lines

Json = Any
CHECKOUT = Path(__file__).resolve().parents[2]
REGISTRY: dict[str, Json] = {
    str(one["id"]): {"record": "entity", "label": one["id"], **one}
    for one in (
        {"id": "family/h", "kind": "chip-family"},
        {"id": "accelerator/h-sxm", "kind": "accelerator", "member_of": "family/h"},
        {"id": "accelerator/b", "kind": "accelerator"},
        {"id": "config/8x-h", "kind": "configuration", "of": "family/h", "count": 8},
        {
            "id": "config/mixed",
            "kind": "configuration",
            "of": "accelerator/b",
            "parts": [{"part": "accelerator/b", "count": 8}, {"part": "accelerator/h-sxm", "count": 8}],
        },
        {"id": "model/dense", "kind": "dense-model"},
        {"id": "model/picture", "kind": "diffusion-model"},
    )
}


@cache
def deriver() -> Deriver:
    return Deriver(
        UnitTable.from_mapping(yaml.safe_load((CHECKOUT / "ontology" / "units.yaml").read_text(encoding="utf-8")))
    )


def result(name: str, accelerator: str, value: float, **more: Any) -> Json:
    conditions = {
        "benchmark": "benchmark/mlperf-inference",
        "round": "round/mlperf-inference-v5.1",
        "task": "task/mlperf-llama2-70b-99.9",
        "model": "model/dense",
        "scenario": "scenario/offline",
        "division": "division/closed",
        "category": "datacenter",
        "availability": "available",
        "accelerators": 8,
        "entry": name,
    } | more
    return {
        "record": "claim",
        "id": f"d/{name}",
        "kind": "measurement",
        "subject": accelerator,
        "level": "accelerator",
        "metric": "throughput",
        "normaliser": "per-chip",
        "quantity": {"value": value, "unit": more.pop("unit", "token/s")},
        "source": "source/d",
        "conditions": {key: one for key, one in conditions.items() if one is not None and key != "unit"},
        "asserted_by": "org/x",
    }


def price(name: str, subject: str, value: float, unit: str, normaliser: str) -> Json:
    return {
        "record": "claim",
        "id": f"p/{name}",
        "kind": "price",
        "subject": subject,
        "level": "node",
        "metric": "rental-price",
        "normaliser": normaliser,
        "quantity": {"value": value, "unit": unit},
        "source": "source/p",
        "asserted_by": "org/x",
    }


def rows(*claims: Json, kind: str | None = None) -> list[Json]:
    found = MeasuredRows(REGISTRY, deriver(), read_comparability(Content(CHECKOUT)))
    for one in claims:
        found.add(one)
    return [one for one in found.records() if kind is None or one["kind"] == kind]


def test_the_best_of_an_accelerator_counts_the_results_it_was_chosen_from() -> None:
    (best,) = rows(
        result("1", "accelerator/b", 100),
        result("2", "accelerator/b", 120),
        result("3", "accelerator/b", 90),
        kind="best",
    )
    assert (best["claim"], best["value"], best["results"], best["unit"]) == ("d/2", 120.0, 3, "token/s")


def test_results_that_two_tables_of_a_round_list_are_counted_once() -> None:
    listed = [result(str(n), "accelerator/b", 100 + n) for n in range(3)]
    again = [{**one, "id": f"page/{n}", "source": "source/page"} for n, one in enumerate(listed[:2])]
    (best,) = rows(*listed, *again, kind="best")
    assert (best["claim"], best["results"]) == ("d/2", 3)


@pytest.mark.parametrize(
    "more",
    [
        {"division": "division/open"},
        {"division": "Open"},
        {"boundary": "lowered power limit"},
        {"tested_on": "DGX MaxQ"},
        {"accelerators": None},
        {"accelerators": "about 8"},
        {"round": None},
        {"scenario": None},
    ],
)
def test_what_does_not_stand_for_the_accelerator_is_left_out(more: Json) -> None:
    assert rows(result("1", "accelerator/b", 100, **more)) == []


def test_a_result_of_nothing_is_none() -> None:
    assert rows(result("1", "accelerator/b", 0)) == []


def test_a_mixed_system_stands_for_no_accelerator() -> None:
    assert rows(result("1", "config/mixed", 100)) == []


def test_a_round_is_compared_with_the_one_before_only_where_nothing_changed() -> None:
    older = result("1", "accelerator/b", 100, round="round/mlperf-inference-v5.0")
    later = result("2", "accelerator/b", 150)
    found = {one["round"]: one for one in rows(older, later, kind="best")}
    now = found["round/mlperf-inference-v5.1"]
    assert (now["change"], now["previous_claim"], now["previous_round"]) == (1.5, "d/1", "round/mlperf-inference-v5.0")
    assert "change" not in found["round/mlperf-inference-v5.0"]
    sdxl = {"task": "task/mlperf-stable-diffusion-xl", "model": "model/picture"}
    left = [
        result("1", "accelerator/b", 1, round="round/mlperf-inference-v5.1", **sdxl),
        result("2", "accelerator/b", 2, round="round/mlperf-inference-v6.0", **sdxl),
    ]
    assert not any("change" in one for one in rows(*left, kind="best"))


def test_a_gain_is_told_per_accelerator_and_per_system_with_both_claims() -> None:
    (gain,) = rows(
        result("1", "accelerator/b", 300, accelerators=72), result("2", "accelerator/h-sxm", 100), kind="gain"
    )
    assert (gain["value"], gain["per_system"], gain["claim"], gain["against_claim"]) == (3.0, 27.0, "d/1", "d/2")
    assert gain["inverse"] == pytest.approx(1 / 3) and gain["inverse_per_system"] == pytest.approx(1 / 27)


def test_gains_are_told_of_all_models_of_datacenters_and_of_the_strict_target() -> None:
    both = [result("1", "accelerator/b", 300), result("2", "accelerator/h-sxm", 100)]
    loose = [
        result(f"{name}.99", chip, value, task="task/mlperf-llama2-70b-99")
        for name, chip, value in (("1", "accelerator/b", 300), ("2", "accelerator/h-sxm", 100))
    ]
    pictures = [
        result(str(n), chip, n, model="model/picture") for n, chip in ((1, "accelerator/b"), (2, "accelerator/h-sxm"))
    ]
    assert len(rows(*pictures, kind="gain")) == 1
    assert len(rows(*both, kind="gain")) == 1 and len(rows(*loose, kind="gain")) == 1
    assert [one["task"] for one in rows(*both, *loose, kind="gain")] == ["task/mlperf-llama2-70b-99.9"]
    assert (
        rows(
            *(result(str(n), chip, n, model="") for n, chip in ((1, "accelerator/b"), (2, "accelerator/h-sxm"))),
            kind="gain",
        )
        == []
    )
    assert (
        rows(
            *(result(str(n), chip, n, category="edge") for n, chip in ((1, "accelerator/b"), (2, "accelerator/h-sxm"))),
            kind="gain",
        )
        == []
    )


def test_the_largest_system_is_compared_beside_the_best_one() -> None:
    best, largest = (
        result("1", "accelerator/b", 300, accelerators=8),
        result("2", "accelerator/b", 250, accelerators=72),
    )
    found = rows(best, largest, result("3", "accelerator/h-sxm", 100), kind="gain")
    assert sorted((one["claim"], one["per_system"]) for one in found) == [("d/1", 3.0), ("d/2", 22.5)]


def test_a_price_of_the_series_meets_the_rate_and_a_month_gives_a_range() -> None:
    served = result("1", "accelerator/h-sxm", 1000)
    (cost,) = rows(served, price("m", "config/8x-h", 9200, "USD/month", "per-node"), kind="cost")
    assert cost["value"] == pytest.approx(9200 / 8 / 730.5 / 3.6)
    assert cost["lower"] == pytest.approx(9200 / 8 / 744 / 3.6) and cost["upper"] == pytest.approx(9200 / 8 / 672 / 3.6)
    assert (cost["claim"], cost["price_claim"], cost["unit"]) == ("d/1", "p/m", "USD/Mtoken")


def test_of_many_prices_the_lowest_and_the_highest_are_shown() -> None:
    served = result("1", "accelerator/h-sxm", 1000)
    given = [price(str(n), "accelerator/h-sxm", n, "USD/h", "per-chip") for n in (3, 1, 2)]
    found = {one["bound"]: (one["price_claim"], one["value"]) for one in rows(served, *given, kind="cost")}
    assert found == {"low": ("p/1", pytest.approx(1 / 3.6)), "high": ("p/3", pytest.approx(3 / 3.6))}


@pytest.mark.parametrize(
    ("subject", "unit", "normaliser"),
    [
        ("config/8x-h", "USD/h", "per-gb"),
        ("accelerator/b", "USD/h", "per-chip"),
        ("config/8x-h", "CNY/month", "per-node"),
        ("accelerator/h-sxm", "USD/h", "total"),
    ],
)
def test_a_price_of_something_else_gives_no_cost(subject: str, unit: str, normaliser: str) -> None:
    assert rows(result("1", "accelerator/h-sxm", 1000), price("m", subject, 10, unit, normaliser), kind="cost") == []


def test_tokens_per_joule_need_power_of_the_same_run() -> None:
    ran = result("1", "accelerator/b", 1000, includes="power")
    watts = {
        **ran,
        "id": "d/1.power",
        "metric": "power",
        "normaliser": "total",
        "quantity": {"value": 4000, "unit": "W"},
    }
    (one,) = rows(ran, watts, kind="efficiency")
    assert (one["value"], one["unit"], one["claim"], one["power_claim"]) == (2.0, "token/J", "d/1", "d/1.power")
    other = {**watts, "conditions": {**watts["conditions"], "entry": "2"}}
    assert rows(ran, other, kind="efficiency") == []


def powered(name: str, value: float, watts: float, **more: Any) -> list[Json]:
    """A result and the power measured with it."""
    ran = result(name, "accelerator/b", value, includes="power", **more)
    quantity = {"value": watts, "unit": "W"}
    return [ran, {**ran, "id": f"d/{name}.power", "metric": "power", "normaliser": "total", "quantity": quantity}]


def test_a_system_with_lowered_power_limits_counts_where_energy_is_asked_for() -> None:
    full = powered("1", 1000, 4000, entry="v4.1-0001")
    limited = powered("2", 900, 2000, entry="v4.1-0002", boundary="power-limited (MaxQ)")
    found = rows(*full, *limited)
    assert {(one["entry"], one["value"]) for one in found if one["kind"] == "efficiency"} == {
        ("v4.1-0001", 2.0),
        ("v4.1-0002", 3.6),
    }
    assert [one["entry"] for one in found if one["kind"] == "best"] == ["v4.1-0001"], "it is no best result"


def test_a_result_is_quoted_by_the_entry_of_its_round() -> None:
    """A list that MLCommons aggregated of v4.1 has the results of the round again, and no ids of entries."""
    entered, again = (
        powered(name, 1000, 4000, entry=entry) for name, entry in (("b", "v4.1-0001"), ("a", "NVIDIA-box"))
    )
    again = [{**one, "source": "source/aggregated"} for one in again]
    for claims in ((*entered, *again), (*again, *entered)):
        found = rows(*claims)
        assert {one["kind"]: one["entry"] for one in found} == {"best": "v4.1-0001", "efficiency": "v4.1-0001"}
        assert len(found) == 2
    assert {one["entry"] for one in rows(*again)} == {"NVIDIA-box"}, (
        "where no other list has it, it is there all the same"
    )


PAGE = {"entry": "5.1-0071", "tested_on": "Box (4x B  TensorRT)", "accelerators": 4, "value": 0.2525}
SUMMARY = {"entry": "v5.1-0071", "tested_on": " Box (4x B, TensorRT)", "accelerators": 4, "value": 0.251585}
"""One run: a page prints the whole system as 1.01, the summary as 1.00634."""


def printed_in(source: str, value: float, **more: Any) -> Json:
    return {**result(f"{source}-{more['entry']}-{value}", "accelerator/b", value, **more), "source": f"source/{source}"}


@pytest.mark.parametrize(
    ("page", "summary", "best"),
    [
        (PAGE, SUMMARY, 0.251585),
        (PAGE | {"entry": "5.1-0072"}, SUMMARY, 0.251585),  # ids that two files of a round give in another order
        (PAGE | {"value": 4875.5275}, SUMMARY | {"value": 4875.5}, 4875.5275),  # here the page has more digits
        (PAGE | {"tested_on": "Another box"}, SUMMARY, 0.2525),
        (PAGE | {"accelerators": 16}, SUMMARY, 0.2525),
        (PAGE | {"value": 0.2625}, SUMMARY, 0.2625),  # 1.05 is no print of 1.00634
        (SUMMARY | {"value": 0.2525}, SUMMARY | {"entry": "v5.1-0072", "same": True}, 0.2525),
    ],
)
def test_of_two_prints_of_one_run_the_more_exact_stands(page: Json, summary: Json, best: float) -> None:
    """What is one measurement comes first, the best of the measurements second."""
    one = printed_in("page", **page)
    other = printed_in(
        "page" if summary.get("same") else "summary", **{k: v for k, v in summary.items() if k != "same"}
    )
    low = [result(f"low-{n}", "accelerator/b", 0.2 + n / 10000) for n in range(200)]
    for claims in ([one, other, *low], [*low, other, one], [other, *low, one]):
        (row,) = rows(*claims, kind="best")
        assert row["value"] == best


@pytest.mark.parametrize("missing", ["entry", "task", "scenario"])
def test_power_goes_with_no_result_where_both_leave_open_of_which_run_they_are(missing: str) -> None:
    ran = result("1", "accelerator/b", 1000, includes="power", **{missing: None})
    watts = {**ran, "id": "d/watts", "metric": "power", "quantity": {"value": 500, "unit": "W"}}
    whole = result("1", "accelerator/b", 1000, includes="power")
    power = {**whole, "id": "d/watts", "metric": "power", "quantity": {"value": 500, "unit": "W"}}
    assert len(rows(whole, power, kind="efficiency")) == 1
    assert rows(ran, watts, kind="efficiency") == []


def test_the_order_of_the_claims_does_not_show() -> None:
    given = [
        result(str(n), chip, 100 + n % 3, accelerators=8 * (1 + n % 2))
        for n, chip in enumerate(["accelerator/b", "accelerator/h-sxm"] * 4)
    ]
    given += [price(str(n), "accelerator/h-sxm", 2, "USD/h", "per-chip") for n in range(3)]
    assert rows(*given) == rows(*reversed(given))


def test_every_row_names_a_claim_and_has_an_id_of_its_own() -> None:
    given = [
        result(str(n), chip, 100 + n, round=f"round/mlperf-inference-v{r}")
        for n, (chip, r) in enumerate(
            [("accelerator/b", "5.0"), ("accelerator/h-sxm", "5.0"), ("accelerator/b", "5.1")]
        )
    ]
    found = rows(*given, price("m", "accelerator/b", 2, "USD/h", "per-chip"))
    assert len({one["id"] for one in found}) == len(found) and all(one["claim"].startswith("d/") for one in found)


def test_the_triples_of_a_row_lead_to_its_claims() -> None:
    (gain,) = rows(
        result("1", "accelerator/b", 300, accelerators=72), result("2", "accelerator/h-sxm", 100), kind="gain"
    )
    text = "".join(derived_lines([gain]))
    assert "ontology#resultClaim> <https://w3id.org/accelkg/id/claim/d/1> ." in text
    assert "ontology#againstClaim> <https://w3id.org/accelkg/id/claim/d/2> ." in text
    assert 'ontology#perSystemRatio> "27.0"' in text and 'ontology#systemSize> "72"' in text


def test_a_run_with_power_is_no_best_beside_runs_without_and_is_compared_with_none_of_them() -> None:
    """MLCommons keeps results measured with power apart, and `kg verify` forms no ratio of the two kinds."""
    plain = result("1", "accelerator/b", 1000)
    metered = result("2", "accelerator/b", 1001, includes="power")
    other = result("3", "accelerator/a", 500, includes="power")
    for given in ((plain, metered, other), (other, metered, plain)):
        best = {row["accelerator"]: row["claim"] for row in rows(*given, kind="best")}
        assert best == {"accelerator/b": "d/1", "accelerator/a": "d/3"}
        assert rows(*given, kind="gain") == []
    assert len(rows(metered, other, kind="gain")) == 1


def test_the_page_of_a_round_that_does_not_say_power_makes_no_run_without_it() -> None:
    metered = result("1", "accelerator/b", 1000.126, includes="power", tested_on="box", accelerators=1)
    rounded = {**result("2", "accelerator/b", 1000.13, tested_on="box", accelerators=1), "source": "source/page"}
    (one,) = rows(metered, rounded, kind="best")
    assert one["claim"] == "d/1"
