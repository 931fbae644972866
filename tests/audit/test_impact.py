"""What follows from a correction: one case a file, laws, and the wrong divisors of document 002."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from json import dumps
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.compared_rows import Pair
from kg.audit.effects import Affected, Impact
from kg.audit.finding import Finding
from kg.audit.impact import ImpactStudy, corrections_of
from kg.audit.outcome import judge_direction, judge_ratio, together
from kg.audit.recompute import DerivationAudit
from kg.model.interval import Interval
from kg.model.units import UnitTable
from tests.audit.seeds import CHECKOUT, citations, claim, derivations, seeds

CASES = sorted((CHECKOUT / "tests" / "cases" / "impact").glob("*.yaml"))
COVERS = {"family/g": ("family/g", "accelerator/y")}
BETTER = {"throughput": "higher", "performance": "higher", "latency": "lower", "cost-effectiveness": "higher"}
ROWS = [f"002/r1.gb200.{scenario}.per-accelerator" for scenario in ("offline", "server")] + [
    f"002/l405.{card}.{scenario}.per-accelerator"
    for card in ("gb200", "h100-sxm-80gb", "h200-sxm-141gb")
    for scenario in ("offline", "server")
]


def exact(value: Any) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def middle(interval: Interval | None) -> float | None:
    if interval is None:
        return None
    assert interval.lower is not None and interval.lower == interval.upper
    return round(float(interval.lower), 4)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_effects(path: Path, table: UnitTable) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    claims = {name: claim(name, **fields) for name, fields in case["claims"].items()}
    impact = ImpactStudy(claims, table, COVERS, BETTER).of(
        {name: exact(value) for name, value in case["corrections"].items()}
    )
    assert {one.claim for one in impact.affected} == set(case["expect"])
    for name, expect in case["expect"].items():
        one = impact.of(name)
        assert one is not None
        assert (one.outcome, one.via, one.holds, one.hop) == (
            expect["outcome"],
            expect["via"],
            expect["holds"],
            expect.get("hop", 1),
        )
        assert [middle(each.before) for each in one.touched] == expect["before"]
        assert [middle(each.after) for each in one.touched] == expect["after"]
        assert [each for each, _ in one.unchanged] == expect.get("unchanged", [])
    assert dumps(impact.to_json())


def study() -> ImpactStudy:
    given_seeds = seeds()
    return ImpactStudy(given_seeds.claims, given_seeds.vocabulary.units, given_seeds.covers, given_seeds.better)


def corrections() -> dict[str, Fraction]:
    given_seeds = seeds()
    return corrections_of(
        DerivationAudit(given_seeds.vocabulary.units, given_seeds.claims.get).findings(given_seeds.claims.values())
    )


def corrected_divisors() -> Impact:
    known = corrections()
    return study().of({name: known[name] for name in ROWS})


def effect(impact: Impact, name: str) -> Affected:
    found = impact.of(name)
    assert found is not None, name
    return found


def after(one: Affected) -> dict[str, float | None]:
    return {each.name: None if each.after is None else round(float(each.after.lower or 0), 2) for each in one.touched}


def test_nearly_tenfold_becomes_hardly_more_per_accelerator() -> None:
    one = effect(corrected_divisors(), "002/author.nvl72-dgx-b200.r1")
    assert after(one) == {"r1-b200-offline-per-accelerator": 1.02, "r1-b200-server-per-accelerator": 1.21}
    assert (one.printed, one.outcome, one.holds) == ("tenfold", "weakens", True)
    assert {name: round(float(value.lower or 0), 1) for name, value in one.unchanged if name.endswith("-total")} == {
        "r1-b200-offline-total": 9.2,
        "r1-b200-server-total": 10.9,
    }


def test_four_to_five_times_becomes_slightly_less_per_accelerator() -> None:
    one = effect(corrected_divisors(), "002/author.nvl72-dgx-b200.l405")
    assert after(one) == {"l405-b200-offline-per-accelerator": 0.99, "l405-b200-server-per-accelerator": 0.96}
    assert (one.printed, one.outcome, one.holds) == ("4-5", "weakens", True)


def test_h200_below_h100_becomes_above() -> None:
    one = effect(corrected_divisors(), "002/report.l405.h200-below-h100")
    assert {each.name: middle(each.before) for each in one.touched} == {"offline": 0.7679, "server": 0.5738}
    assert after(one) == {"offline": 1.4, "server": 1.04}
    assert (one.outcome, one.holds) == ("reverses", None)


def test_conclusions_above_the_wrong_rows_follow() -> None:
    impact = corrected_divisors()
    outcomes = {one.claim.removeprefix("002/"): one.outcome for one in impact.affected}
    assert outcomes["report.conclusion.nvlink-critical"] == outcomes["report.conclusion.topology-critical"] == "falls"
    assert outcomes["author.coupling-too-high"] == outcomes["title.coupling"] == "weakens"  # it rests on whole systems
    assert outcomes["report.r1.gb200-over-b200"] == outcomes["report.r1.interconnect-gains"] == "weakens"
    assert outcomes["author.nvl72.uneconomical"] == outcomes["report.l405.b200-h100"] == "survives"
    assert not effect(impact, "002/report.l405.b200-h100").holds
    # it compares two statements about systems, which the totals bear out: a cell per accelerator does not turn it
    assert effect(impact, "002/author.nvl72-dgx-b200.narrows").outcome == "survives"


def test_the_claims_that_an_impact_reaches_are_those_whose_steps_lead_to_it(table: UnitTable) -> None:
    claims = seeds().claims
    reached: dict[str, set[str]] = {}
    for step in (*citations(claims), *derivations(claims)):
        if step.is_claim and step.reaches != step.claim:
            reached.setdefault(step.reaches, set()).add(step.claim)
    assert len(reached["002/r1.gb200.offline.per-accelerator"]) == 15
    study = ImpactStudy(claims, table)
    for name, above in reached.items():
        assert {one.claim for one in study.of({name: None}).affected} == above


def test_nothing_outside_document_002_is_touched() -> None:
    impact = corrected_divisors()
    assert {one.claim.partition("/")[0] for one in impact.affected} == {"002"}
    assert not {one.claim for one in impact.affected} & {*ROWS}
    below = {*ROWS}
    for one in sorted(impact.affected, key=lambda each: each.hop):
        assert below & {*_names(one.claim)}, one.claim
        below.add(one.claim)


def _names(name: str) -> list[str]:
    record = seeds().claims[name]
    inputs = [
        given["claim"]
        for each in record.get("derivations", ())
        for given in each["inputs"].values()
        if "claim" in given
    ]
    return [
        *inputs,
        *(each["claim"] for each in record.get("restates", ()) if "claim" in each),
        record.get("same_as", ""),
    ]


def test_one_row_alone_leaves_the_other_scenario_as_it_was() -> None:
    impact = study().of({ROWS[0]: corrections()[ROWS[0]]})
    assert after(effect(impact, "002/author.nvl72-dgx-b200.r1")) == {"r1-b200-offline-per-accelerator": 1.02}
    assert "r1-b200-server-per-accelerator" in dict(effect(impact, "002/author.nvl72-dgx-b200.r1").unchanged)
    assert impact.of("002/report.l405.h200-below-h100") is None


def test_a_row_without_a_corrected_value_is_withdrawn() -> None:
    impact = study().of({"002/r1.b200.offline.per-accelerator": None})
    assert impact.changes[0].after is None
    assert effect(impact, "002/author.nvl72-dgx-b200.r1").outcome == "weakens"  # its totals stand


def test_a_new_value_is_read_in_the_unit_and_relation_as_printed() -> None:
    assert study().canonical("002/author.nvl72-dgx-b200.r1", 3) == 3
    assert study().canonical("004/sci.h200.data-throughput-43", 50) == Fraction(3, 2)
    assert study().canonical("000/frontier.software", 50) == 50


def test_only_results_that_do_not_recompute_are_corrected() -> None:
    plain = Finding(
        "arithmetic.inconsistent", "inconsistent", "violation", "", (("x/a", "result"),), corrected=Fraction(2)
    )
    second = Finding(
        "arithmetic.inconsistent", "inconsistent", "violation", "", (("x/a", "result"),), "2", corrected=Fraction(3)
    )
    other = Finding(
        "arithmetic.aggregation-ambiguous",
        "aggregation-ambiguous",
        "warning",
        "",
        (("x/b", "result"),),
        corrected=Fraction(2),
    )
    assert corrections_of([plain, second, other]) == {"x/a": 2}
    assert {*ROWS} <= set(corrections())


def test_all_corrections_of_the_documents_are_json() -> None:
    impact = study().of(corrections())
    value = impact.to_json()
    assert len(value["changes"]) == len(corrections()) and len(value["affected"]) > 30
    assert dumps(value, allow_nan=False) == dumps(
        study().of(dict(reversed(corrections().items()))).to_json(), allow_nan=False
    )


RATIOS = st.fractions(min_value=Fraction(1, 50), max_value=50).filter(bool)


@given(RATIOS, RATIOS)
def test_a_ratio_and_its_inverse_are_judged_alike(said: Fraction, now: Fraction) -> None:
    there = judge_ratio(Interval.exactly(said), Interval.exactly(now))
    back = judge_ratio(Interval.exactly(1 / said), Interval.exactly(1 / now))
    assert there == back


@given(RATIOS, RATIOS)
def test_directions_are_mirrored(was: Fraction, now: Fraction) -> None:
    for one, other in (("higher", "lower"), ("not-higher", "not-lower"), ("similar", "similar")):
        there = judge_direction(one, Interval.exactly(was), Interval.exactly(now))  # type: ignore[arg-type]
        assert there == judge_direction(other, Interval.exactly(1 / was), Interval.exactly(1 / now))  # type: ignore[arg-type]


@given(st.lists(st.sampled_from(["survives", "weakens", "falls", "reverses"]), max_size=5))
def test_a_conclusion_with_a_support_left_never_falls(outcomes: list[Any]) -> None:
    found = together(outcomes)
    if "survives" in outcomes or "weakens" in outcomes:
        assert found in ("survives", "weakens")
    assert (found == "survives") == (set(outcomes) <= {"survives"})


def test_present_says_nothing_a_ratio_could_judge() -> None:
    assert judge_direction("present", Interval.exactly(1), Interval.exactly(2)) is None
    assert judge_direction("higher", Interval.exactly(2), None) == "falls"


def test_an_interval_is_judged_by_its_end_with_the_least_effect() -> None:
    def spread(low: str, high: str | None) -> Interval:
        return Interval(Fraction(low), None if high is None else Fraction(high))

    assert judge_ratio(spread("1.5", "1.6"), spread("0.9", "1.1")) == "falls"
    assert judge_ratio(spread("0.9", "1.1"), spread("1.5", "1.6")) == "falls"
    assert judge_ratio(spread("4", None), spread("2", "9")) == "survives"
    assert judge_ratio(spread("4", None), spread("2", "3")) == "weakens"
    assert judge_ratio(spread("4", None), spread("1.9", "3")) == "falls"
    assert judge_ratio(Interval(None, Fraction(1, 4)), spread("0.3", "0.6")) == "falls"
    assert judge_ratio(Interval(None, Fraction(1, 4)), spread("0.3", "0.5")) == "weakens"
    assert judge_direction("higher", spread("1.1", "1.2"), spread("0.9", "1.1")) == "falls"
    assert judge_direction("not-higher", spread("0.8", "0.9"), spread("0.9", "1.1")) == "survives"
    assert judge_direction("similar", spread("1.1", "1.1"), spread("0.9", "0.9")) == "weakens"
    assert judge_direction("similar", spread("1.2", "1.2"), spread("0.9", "0.9")) == "survives"


def test_a_correction_of_a_claim_that_is_not_here_reaches_nothing() -> None:
    impact = study().of({"x/gone": Fraction(1)})
    assert impact.affected == () and impact.changes[0].unit is None
    change = study().of({ROWS[0]: None}).changes[0]
    assert (change.unit, middle(change.before)) == ("sample/s", 72428.0)


def test_effects_near_one_are_told_apart() -> None:
    half = Interval.exactly(Fraction("1.5"))
    assert [judge_ratio(half, Interval.exactly(Fraction(now))) for now in ("1.3", "1.2")] == ["weakens", "falls"]
    assert judge_direction("higher", half, Interval.exactly(Fraction("1.2"))) == "weakens"
    assert judge_direction("lower", half, Interval.exactly(Fraction("0.99"))) == "survives"


def test_only_what_changed_is_named_as_the_reason() -> None:
    one = effect(corrected_divisors(), "002/report.l405.gb200-built-for-giants")
    assert one.because == ("002/report.l405.gb200-scaling", "002/l405.gb200.offline.per-accelerator")
    assert (
        "002/l405.b200.offline.per-accelerator"
        not in effect(corrected_divisors(), "002/author.nvl72-dgx-b200.l405").because
    )


def test_a_ratio_to_nothing_is_not_formed() -> None:
    pair, some, none = Pair("x/a", "x/b", "offline"), Interval.exactly(2), Interval(Fraction(-1), Fraction(1))
    assert pair.ratio(some, Interval.exactly(4)) == Interval.exactly(Fraction(1, 2))
    assert replace(pair, inverted=True).ratio(some, Interval.exactly(4)) == Interval.exactly(2)
    assert pair.ratio(some, none) is None and pair.ratio(none, some) is None and pair.ratio(None, some) is None


def test_a_figure_that_fitted_before_a_change_was_not_wrong_before_it() -> None:
    """A multiple that grows beyond what is said survives, although what is printed no longer fits."""
    grown = effect(
        study().of({"004/compute.h200.fp8.32": Fraction(3_958_000_000_000_000)}), "004/compute.b200-over-h200.fp8"
    )
    assert (grown.outcome, grown.fitted, grown.holds) == ("survives", True, False)
