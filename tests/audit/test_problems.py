"""Findings to problems: one entry a cause, ranked by what rests on it."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

from kg.audit.effects import Impact
from kg.audit.impact import ImpactStudy
from kg.audit.problems import Accusation, Causes, Problem
from kg.model.units import UnitTable
from tests.audit.seeds import claim


def accusation(code: str, name: str, severity: str = "warning", **fields: Any) -> Accusation:
    others = tuple((one, "input") for one in fields.pop("others", ()))
    return Accusation(
        f"finding/{name}/{code}-1", code, severity, "m", "source/report", ((name, "about"), *others), **fields
    )


def nothing(changes: Mapping[str, Fraction | None]) -> Impact:
    return Impact((), ())


RECORDS = {name: claim(name) for name in ("x/a", "x/b", "x/c", "x/d")}


def problems(*found: Accusation) -> list[Problem]:
    return Causes(RECORDS, nothing).problems(found)


def test_findings_on_one_claim_are_one_problem() -> None:
    (one,) = problems(accusation("unit.slip", "x/a", "violation"), accusation("plausibility.power", "x/a"))
    assert [each.code for each in one.accusations] == ["unit.slip", "plausibility.power"]
    assert (one.severity, one.claims) == ("violation", ("x/a",))


def test_rows_of_one_slip_are_one_problem_and_of_two_slips_are_two() -> None:
    def wrong(name: str, reason: str) -> Accusation:
        return accusation("arithmetic.inconsistent", name, "violation", reasons=((reason, "why"),))

    same = problems(wrong("x/a", "divisor.per-node"), wrong("x/b", "divisor.per-node"))
    assert [one.claims for one in same] == [("x/a", "x/b")]
    assert len(problems(wrong("x/a", "divisor.per-node"), wrong("x/b", "factor.1000"))) == 2


def test_what_is_computed_from_a_refuted_figure_belongs_to_its_problem() -> None:
    (one,) = problems(
        accusation("arithmetic.inconsistent", "x/a", "violation", reasons=(("factor.1000", "why"),)),
        accusation("arithmetic.input-refuted", "x/b", others=("x/a",)),
        accusation("direction.weak", "x/c", others=("x/a",)),
    )
    assert one.first.claim == "x/a"


def test_how_far_a_change_is_off_is_told_from_the_change_and_not_from_the_ratio() -> None:
    """10 % lower for 6.8 % lower is half as much again, though 0.9 and 0.932 lie side by side."""
    fields: dict[str, Any] = {"corrected": Fraction(932, 1000), "spread": 0.9 / 0.932}
    records = {**RECORDS, "x/a": claim("x/a", relation="decrease"), "x/b": claim("x/b", relation="ratio")}
    found = [accusation("unit.slip", name, **fields) for name in ("x/a", "x/b")]
    change, ratio = Causes(records, nothing).problems(found)
    assert (change.first.claim, ratio.first.claim) == ("x/a", "x/b") and change.damage > 2 * ratio.damage


def test_what_another_text_says_word_for_word_is_met_in_both() -> None:
    link = [{"claim": "other/a", "fidelity": "identical"}]
    records = {**RECORDS, "x/b": claim("x/b", restates=link), "other/a": {**claim("other/a"), "source": "source/other"}}
    found = [accusation("statement.none", name) for name in ("x/a", "x/b")]
    assert [one.first.claim for one in Causes(records, nothing).problems(found)] == ["x/b", "x/a"]


def test_a_statement_about_rows_of_a_mixed_column_belongs_to_the_column() -> None:
    column = accusation("unit.mixed", "x/a", others=("x/b",))
    (one,) = problems(column, accusation("direction.contradicted", "x/c", "violation", others=("x/b",)))
    assert one.first.code == "unit.mixed"
    assert len(problems(column, accusation("direction.weak", "x/c", others=("x/d",)))) == 2


def test_figures_at_odds_are_explained_by_the_one_that_is_wrong() -> None:
    at_odds = accusation("conflict.conflict", "x/a", "violation", others=("x/b",))
    (one,) = problems(at_odds, accusation("plausibility.multi-card", "x/b"))
    assert one.claims == ("x/b",)
    (alone,) = problems(at_odds)
    assert alone.claims == ("x/a",)


def test_a_column_without_a_unit_is_no_cause_of_what_else_is_wrong_in_it() -> None:
    assert len(problems(accusation("unit.header", "x/a"), accusation("unit.slip", "x/a", "violation"))) == 2
    assert len(problems(accusation("unit.header", "x/a"), accusation("unit.header", "x/b"))) == 1


def test_a_claim_said_again_is_the_same_problem() -> None:
    records = {**RECORDS, "x/e": claim("x/e", same_as="x/a")}
    found = Causes(records, nothing).problems([accusation("unit.slip", "x/a"), accusation("unit.slip", "x/e")])
    assert len(found) == 1


def test_notes_are_no_problems() -> None:
    assert problems(accusation("arithmetic.consistent", "x/a", "info")) == []


def test_more_damage_comes_first_and_the_order_of_findings_does_not_show(table: UnitTable) -> None:
    rests = {"expression": "rests-on", "inputs": {"a": {"claim": "x/b", "role": "supporting"}}}
    records = {**RECORDS, "x/d": claim("x/d", direction="higher", derivations=[rests])}
    found = (accusation("unit.slip", "x/a"), accusation("unit.slip", "x/b"), accusation("gap.table", "x/c"))
    study = ImpactStudy(records, table)
    told = {tuple(one.claims for one in Causes(records, study.of).problems(some)) for some in permutations(found)}
    assert told == {(("x/b",), ("x/a",), ("x/c",))}
    first = Causes(records, study.of).problems(found)[0]
    assert [one.claim for one in first.lost] == ["x/d"]


def test_further_off_is_more_damage() -> None:
    near, far = problems(accusation("unit.slip", "x/a", spread=1000.0), accusation("unit.slip", "x/b", spread=1.1))
    assert (near.claims, far.claims) == (("x/a",), ("x/b",)) and near.damage > far.damage


def test_a_slip_in_the_last_digit_is_hardly_a_problem() -> None:
    first, last = problems(accusation("unit.slip", "x/a", spread=1.005), accusation("unit.slip", "x/b"))
    assert (first.claims, last.claims) == (("x/b",), ("x/a",))


def test_who_says_the_opposite_misleads_more_than_who_gets_the_amount_wrong() -> None:
    fields = {"corrected": Fraction(1), "spread": 1.3}
    amount = accusation("arithmetic.inconsistent", "x/a", "violation", **fields)
    opposite = accusation("arithmetic.inconsistent", "x/b", "violation", turned=True, **fields)
    assert [one.claims for one in problems(amount, opposite)] == [("x/b",), ("x/a",)]


def test_rules_that_agree_make_a_problem_surer() -> None:
    alone = accusation("plausibility.does-not-fit", "x/a")
    twice = (accusation("plausibility.does-not-fit", "x/b"), accusation("whole.below-parts", "x/b"))
    assert [one.claims for one in problems(alone, *twice)] == [("x/b",), ("x/a",)]


def test_others_who_give_another_figure_make_a_problem_surer() -> None:
    """Figures of other texts are no part of the rule that names the one that is wrong."""
    alone = accusation("whole.below-parts", "x/a")
    at_odds = (accusation("whole.below-parts", "x/b"), accusation("conflict.possible", "x/b", others=("x/c",)))
    surer, other = problems(alone, *at_odds)
    assert (surer.accusations[0].claim, other.claims) == ("x/b", ("x/a",))


def test_two_wrong_figures_at_odds_with_a_third_are_two_problems() -> None:
    at_odds = accusation("conflict.possible", "x/a", others=("x/b", "x/c"))
    slips = (accusation("unit.slip", "x/a", "violation"), accusation("plausibility.other-subject", "x/b"))
    assert sorted(one.claims for one in problems(at_odds, *slips)) == [("x/a",), ("x/b",)]


def test_what_rests_on_any_figure_of_a_mixed_column_is_to_be_read_again(table: UnitTable) -> None:
    rests = {"expression": "rests-on", "inputs": {"a": {"claim": "x/b", "role": "supporting"}}}
    records = {**RECORDS, "x/d": claim("x/d", direction="higher", derivations=[rests])}
    (one,) = Causes(records, ImpactStudy(records, table).of).problems(
        [accusation("unit.mixed", "x/a", others=("x/b",))]
    )
    assert [(each.claim, each.outcome) for each in one.affected] == [("x/d", "survives")]


def test_words_repeated_in_another_text_are_the_same_problem_and_reach_more() -> None:
    relayed = claim("y/a", source="source/other", restates=[{"claim": "x/a", "fidelity": "identical"}])
    other = claim("y/b", source="source/other", restates=[{"claim": "x/b", "fidelity": "wording-altered"}])
    code = "opposition.trouble-remains"
    found = Causes({**RECORDS, "y/a": relayed, "y/b": other}, nothing).problems(
        [accusation(code, name) for name in ("x/b", "x/a", "y/a", "y/b")]
    )
    assert [one.claims for one in found] == [("x/a", "y/a"), ("x/b",), ("y/b",)]


def test_what_is_said_in_passing_does_less_damage() -> None:
    records = {
        "x/a": claim("x/a", secondary=True),
        "x/b": claim("x/b", kind="market", level="other"),
        "x/c": claim("x/c"),
    }
    found = Causes(records, nothing).problems([accusation("unit.slip", name) for name in records])
    assert [one.claims for one in found] == [("x/c",), ("x/a",), ("x/b",)]


def test_a_misprint_that_its_own_text_puts_right_misleads_hardly_anyone() -> None:
    def slip(name: str, right: str) -> Accusation:
        claims = ((name, "suspect"), (right, "other value"))
        return Accusation(
            f"finding/{name}", "unit.slip", "violation", "m", "source/x", claims, Fraction(1), spread=1000.0
        )

    beside, elsewhere = slip("x/a", "x/c"), slip("x/b", "y/c")
    assert [one.claims for one in problems(beside, elsewhere)] == [("x/b",), ("x/a",)]
    at_odds = accusation("conflict.conflict", "x/c", "violation", others=("x/a",))
    assert [one.claims for one in problems(at_odds, beside, elsewhere)] == [("x/b",), ("x/a",)]


def test_the_side_of_a_conflict_that_its_own_text_does_not_support_is_the_one_in_doubt() -> None:
    at_odds = accusation("conflict.possible", "x/a", others=("x/b",))
    (one,) = problems(at_odds, accusation("arithmetic.not-supported", "x/b"))
    assert one.claims == ("x/b",)
    both = [accusation("arithmetic.not-supported", name) for name in ("x/b", "x/c")]
    assert len(problems(accusation("conflict.possible", "x/a", others=("x/b", "x/c")), *both)) == 3
