"""Verdicts on derivations: one case a file, the result tables of a document, and the rules one by one."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.audit.derivation import CheckedDerivation, Verdict, judge
from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.surroundings import Surroundings
from kg.errors import ModelError
from kg.model.printed import printed_with_value, read_printed
from kg.model.units import UnitTable

CHECKOUT = Path(__file__).resolve().parents[2]
CASES = sorted((CHECKOUT / "tests" / "cases" / "derivations").glob("*.yaml"))
TABLES = CHECKOUT.parent / "shared" / "seeds" / "002_22b14413d445894a.txt"
ROW = re.compile(r"^\S.* (?:Offline|Server) (?P<total>[\d.]+) (?P<result>[\d.]+) (?P<count>[\d.]+)$", re.MULTILINE)


def read_quantity(name: str, spec: dict[str, Any] | None, table: UnitTable) -> ExplainedQuantity | None:
    if spec is None:
        return None
    if "constant" in spec:
        return ExplainedQuantity.constant(name, Fraction(str(spec["constant"])), spec.get("unit"))
    options = {key: spec[key] for key in ("unit", "hedge", "exact") if key in spec}
    if "value" in spec:
        number = printed_with_value(spec["printed"], str(spec["value"]), table=table, **options)
    else:
        number = read_printed(spec["printed"], table=table, **options)
    relation = spec.get("relation", "absolute")
    return ExplainedQuantity.from_printed(name, number, table=table, relation=relation, is_mean=spec.get("mean", False))


def judge_case(case: dict[str, Any], table: UnitTable) -> Verdict:
    around = dict(case.get("surroundings") or {})
    if "neighbours" in around:
        read = [read_quantity("the row above", spec, table) for spec in around["neighbours"]]
        around["neighbours"] = tuple(quantity for quantity in read if quantity)
    derivation = CheckedDerivation(case["expression"], case.get("stated_by_text", True), Surroundings(**around))
    inputs = {name: read_quantity(name, spec, table) for name, spec in case["inputs"].items()}
    return judge(derivation, read_quantity("result", case["result"], table), inputs)


def rounded(value: Fraction | None, places: int) -> Fraction | None:
    return None if value is None else round(value, places)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_verdict(path: Path, table: UnitTable) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    expect = case["expect"]
    verdict = judge_case(case, table)
    assert verdict.verdict == expect["verdict"], verdict
    if "computed" in expect:
        assert rounded(verdict.computed, expect["places"]) == Fraction(expect["computed"])
    if "reason" in expect:
        assert verdict.reason == expect["reason"]
    if "first" in expect:
        assert verdict.explanations[0].code == expect["first"], verdict.explanations
    elif verdict.verdict not in ("inconsistent", "not-supported"):
        assert {e.code for e in verdict.explanations} <= {"truncation"}
    if "reproduced" in expect:
        shown = rounded(verdict.explanations[0].reproduced, expect.get("reproduced_places", 10))
        assert shown == Fraction(expect["reproduced"])
    assert verdict.missing == tuple(expect.get("missing", ()))
    assert verdict.wide_fits is expect.get("wide_fits", False)
    assert (verdict.corrected is not None) is (verdict.verdict == "inconsistent")


def test_there_are_cases() -> None:
    assert len(CASES) >= 30


def table_verdicts(table: UnitTable) -> list[Verdict]:
    def mean(text: str, unit: str) -> ExplainedQuantity:
        return ExplainedQuantity.from_printed(
            text, read_printed(text, unit=unit, table=table), table=table, is_mean=True
        )

    return [
        judge(
            CheckedDerivation("total / accelerators"),
            mean(row["result"], "result/s"),
            {"total": mean(row["total"], "result/s"), "accelerators": mean(row["count"], "count:gpu")},
        )
        for row in ROW.finditer(TABLES.read_text(encoding="utf-8"))
    ]


@pytest.mark.skipif(not TABLES.is_file(), reason="the source documents are not beside this checkout")
def test_result_tables_get_exactly_these_verdicts(table: UnitTable) -> None:
    verdicts = table_verdicts(table)
    assert Counter(verdict.verdict for verdict in verdicts) == {
        "consistent": 39,
        "within-rounding": 12,
        "aggregation-ambiguous": 17,
        "inconsistent": 8,
    }
    wrong = [verdict for verdict in verdicts if verdict.verdict == "inconsistent"]
    assert {verdict.explanations[0].code for verdict in wrong} == {"divisor.per-node"}
    assert all(verdict.corrected == verdict.computed and verdict.approximate for verdict in wrong)
    ambiguous = [verdict for verdict in verdicts if verdict.verdict == "aggregation-ambiguous"]
    assert all(verdict.corrected is None and not verdict.explanations for verdict in ambiguous)


def plain(text: str, **fields: Any) -> ExplainedQuantity:
    value, half = Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    return ExplainedQuantity(text, value, value - half, value + half, **fields)


def test_a_conclusion_is_not_a_computation() -> None:
    with pytest.raises(ModelError, match="conclusion"):
        judge(CheckedDerivation("rests-on"), plain("1"), {})


def test_a_missing_result_is_named() -> None:
    assert judge(CheckedDerivation("a"), None, {"a": plain("1")}).missing == ("result",)


def test_a_touching_edge_is_rounding() -> None:
    assert judge(CheckedDerivation("a"), plain("3.6"), {"a": plain("3.50")}).verdict == "inconsistent"
    verdict = judge(
        CheckedDerivation("a + b"), plain("3.6"), {"a": plain("1.5"), "b": ExplainedQuantity.constant("b", 2)}
    )
    assert (verdict.verdict, verdict.reason) == ("within-rounding", "touching-edge")


def test_a_range_among_the_inputs_is_judged_by_its_ends() -> None:
    span = ExplainedQuantity("15-20", None, Fraction("14.5"), Fraction("20.5"))
    two = ExplainedQuantity.constant("two", 2)
    assert judge(CheckedDerivation("a * b"), plain("35"), {"a": span, "b": two}).verdict == "within-rounding"
    verdict = judge(CheckedDerivation("a * b"), plain("50"), {"a": span, "b": two})
    assert (verdict.verdict, verdict.computed, verdict.explanations) == ("inconsistent", None, ())


def test_an_exact_constant_does_not_excuse_a_mean() -> None:
    inputs = {"total": plain("100.0", is_mean=True), "hours": ExplainedQuantity.constant("hours", 24, "h")}
    assert judge(CheckedDerivation("total / hours"), plain("4.5", is_mean=True), inputs).verdict == "inconsistent"


def test_a_sum_of_means_is_the_mean_of_sums() -> None:
    inputs = {"a": plain("1.5", is_mean=True), "b": plain("2.5", is_mean=True)}
    assert judge(CheckedDerivation("a + b"), plain("4.5", is_mean=True), inputs).verdict == "inconsistent"
    assert judge(CheckedDerivation("a * b"), plain("4.5", is_mean=True), inputs).verdict == "aggregation-ambiguous"


def test_a_result_formed_from_averages_is_formed_once() -> None:
    inputs = {"a": plain("8.8", is_mean=True), "b": plain("3.6", is_mean=True)}
    assert judge(CheckedDerivation("a / b"), plain("3.0"), inputs).verdict == "inconsistent"


def test_an_exact_count_is_no_average() -> None:
    inputs = {"total": plain("100.0", is_mean=True), "n": ExplainedQuantity.constant("n", 72, "count:gpu")}
    assert judge(CheckedDerivation("total / n"), plain("4.5", is_mean=True), inputs).verdict == "inconsistent"


def test_a_whole_divisor_by_chance_does_not_accuse_means() -> None:
    inputs = {"total": plain("1.2", is_mean=True), "n": plain("8.8", is_mean=True, unit="count")}
    verdict = judge(CheckedDerivation("total / n"), plain("0.3", is_mean=True), inputs)
    assert verdict.verdict == "aggregation-ambiguous"


def test_the_verdict_does_not_depend_on_the_order_of_inputs() -> None:
    inputs = {"a": plain("440.0"), "b": plain("280.0"), "c": plain("2.0")}
    verdicts = [
        judge(CheckedDerivation("a / (b - c)"), plain("0.64"), dict(order))
        for order in (inputs.items(), reversed(inputs.items()))
    ]
    assert verdicts[0] == verdicts[1]
