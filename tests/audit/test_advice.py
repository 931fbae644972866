"""The advice that opens a trace: what refutes, what makes careful, and the value to use instead."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from kg.audit.advice import NOTHING_BELOW, Below, advise, better_value
from kg.audit.chains import Step, Texts
from kg.audit.finding import Finding, Reason
from kg.audit.objections import refutes
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.model.finding_roles import HOLDS, OTHER_SIDE_DOUBTED
from kg.model.verdict import VERDICTS

UNITS = read_vocabulary(find_content()).units
RECORD: Any = {
    "id": "a/1",
    "kind": "specification",
    "source": "source/a",
    "anchor": {"sha256": "0" * 64},
    "quantity": {"printed": "4.8 GB/s", "value": 4.8, "unit": "GB/s"},
}


def finding(code: str, severity: str = "warning", **more: object) -> Finding:
    return Finding(code, code.partition(".")[2], severity, "text", (("a/1", "about"),), **more)  # type: ignore[arg-type]


def between(code: str, first: str, second: str, severity: str = "warning") -> Finding:
    """A finding about another claim in which a/1 has the second role."""
    return Finding(code, code, severity, "text", (("b/1", first), ("a/1", second)))  # type: ignore[arg-type]


def judged(
    *findings: Finding,
    machine: bool = False,
    steps: tuple[Step, ...] = (),
    record: Any = RECORD,
    below: Below = NOTHING_BELOW,
    borne_out: Sequence[str] = (),
) -> tuple[str, str]:
    found = advise(
        record,
        findings=findings,
        below=below,
        steps=steps,
        machine_written=machine,
        borne_out=borne_out,
        units=UNITS,
    )
    return found.verdict, found.reason


def test_nothing_against_it_and_nothing_for_it_is_unverified() -> None:
    assert judged()[0] == "unverified"


def test_what_is_wrong_says_what_was_found_and_not_that_something_was() -> None:
    """A reader who is told "implausible" or "the total of 2 cards" alone cannot judge it."""
    impossible = finding("plausibility.does-not-fit", reasons=(Reason("multi-card-total", "total of 2 cards"),))
    assert judged(replace(impossible, message="202.5 GB are needed; 1 card holds 192 GB"))[1].startswith("202.5 GB")
    slip = finding("unit.slip", "violation")
    assert judged(replace(slip, message="1,000 times below the others")) == ("wrong", "1,000 times below the others")
    shared = finding("arithmetic.inconsistent", "violation", reasons=(Reason("divisor.per-node", "divided by 4"),))
    assert judged(shared) == ("wrong", "divided by 4")


def test_what_does_not_recompute_is_wrong_with_its_cause_and_the_better_value() -> None:
    wrong = finding(
        "arithmetic.inconsistent",
        "violation",
        corrected=Fraction(4_800_000_000_000),
        unit="byte/s",
        reasons=(Reason("factor.1000", "off by 1000"),),
    )
    found = advise(RECORD, findings=[wrong], steps=(), machine_written=False, units=UNITS)
    assert (found.verdict, found.reason, found.value) == ("wrong", "text", "4.8 TB/s")


def test_an_official_unit_is_the_answer() -> None:
    wrong = finding("arithmetic.inconsistent", "violation", corrected=Fraction(289712, 72), unit="sample/s")
    record: Any = {**RECORD, "quantity": {"printed": "72428.00", "value": 72428, "unit": "sample/s"}}
    found = advise(record, findings=[wrong, finding("unit.header")], steps=(), machine_written=False, units=UNITS)
    assert found.value == "4,023.78 token/s"


@pytest.mark.parametrize("role", ["about", "same column: 1613.16"])
def test_a_figure_under_the_wrong_unit_keeps_its_digits_in_the_official_one(role: str) -> None:
    header = Finding("unit.header", "unit.header", "warning", "text", (("b/1", "about"), ("a/1", role)))
    record: Any = {**RECORD, "quantity": {"printed": "289712.00", "value": 289712, "unit": "sample/s"}}
    found = advise(record, findings=[header], steps=(), machine_written=False, units=UNITS)
    assert (found.verdict, found.value) == ("caution", "289712.00 token/s")
    assert found.reason == "printed as samples a second, where the official result counts tokens"
    mixed = advise(record, findings=[finding("unit.mixed")], steps=(), machine_written=False, units=UNITS)
    assert mixed.value is None


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (
            "printed as tokens per second in table one, but the official result of BERT of this round is in queries per second",
            "printed as tokens a second, where the official result counts queries",
        ),
        (
            "printed as queries per second in table one, but the official result of R1 is a rate of tokens",
            "printed as queries a second, where the official result counts tokens",
        ),
    ],
)
def test_a_wrong_unit_is_told_as_it_is_printed_and_as_it_is_counted(message: str, reason: str) -> None:
    """Found before: a column of tokens over a task that counts queries was said to be printed as samples."""
    assert judged(replace(finding("unit.header"), message=message)) == ("caution", reason)


@pytest.mark.parametrize("code", ["plausibility.multi-card", "plausibility.below-predecessor", "whole.below-parts"])
def test_what_cannot_be_is_never_the_value_to_use(code: str) -> None:
    assert judged(finding(code))[0] == "wrong"
    assert judged(between(code, "suspect", "the other"))[0] == "unverified"


@pytest.mark.parametrize("code", ["plausibility.jump-rounds", "plausibility.jump-scenarios"])
def test_a_jump_makes_a_figure_wrong_only_where_more_results_support_the_other_side(code: str) -> None:
    def jump(other: str) -> Finding:
        return Finding(code, "suspicious", "warning", "6 times", (("a/1", "suspect"), ("b/1", other)))

    assert judged(jump("other side")) == ("wrong", "6 times")
    verdict, reason = judged(jump(OTHER_SIDE_DOUBTED))
    assert verdict == "caution" and reason.startswith("more than five times away from the results of another")
    assert judged(
        Finding(code, "suspicious", "warning", "6 times", (("b/1", "suspect"), ("a/1", OTHER_SIDE_DOUBTED)))
    ) == (
        verdict,
        reason,
    )


def test_any_corrected_value_is_the_one_to_use() -> None:
    halved = finding("plausibility.multi-card", corrected=Fraction(2_400_000_000), unit="byte/s")
    found = advise(RECORD, findings=[halved], steps=(), machine_written=False, units=UNITS)
    assert found.value == "2.4 GB/s"


def test_of_figures_at_odds_in_one_text_none_is_better_founded() -> None:
    at_odds = Finding(
        "conflict.conflict", "conflict", "violation", "text", (("a/1", "value 1: $20B"), ("a/2", "value 2: $200B"))
    )
    assert judged(at_odds)[0] == "disputed"


def test_a_result_that_rests_on_a_refuted_figure_has_the_value_put_right() -> None:
    fallen = finding("arithmetic.input-refuted", corrected=Fraction(4, 1), unit="1")
    record: Any = {**RECORD, "relation": "ratio", "quantity": {"printed": "2x", "value": 2, "unit": "1"}}
    found = advise(record, findings=[fallen], below=Below(["b/1"]), steps=(), machine_written=False, units=UNITS)
    assert (found.verdict, found.value) == ("caution", "4x")


def test_a_doubtful_unit_is_said_beside_the_better_value() -> None:
    wrong = finding("arithmetic.inconsistent", "violation", corrected=Fraction(1), unit="byte/s")
    found = advise(RECORD, findings=[wrong, finding("unit.mixed")], steps=(), machine_written=False, units=UNITS)
    assert found.value is not None and found.value.endswith("(its unit is doubtful)")


def test_the_gravest_doubt_is_named_and_the_address_of_a_link_is_none() -> None:
    at_odds = between("conflict.conflict", "value 1: 3", "value 2: 4", "violation")
    assert judged(finding("citation.altered"), at_odds) == ("disputed", "claims about the same thing differ")
    assert judged(finding("citation.address-differs"))[0] == "unverified"


def test_what_is_announced_and_not_there_needs_caution() -> None:
    assert judged(finding("gap.result")) == ("caution", "announced, but not there")
    remark = {**RECORD, "asserted_by": "org/accelkg-curators", "direction": "absent"}
    assert judged(record=remark) == ("caution", "announced, but not there")


@pytest.mark.parametrize(
    ("code", "first", "role"),
    [
        ("plausibility.does-not-fit", "suspect", "memory"),
        ("plausibility.multi-card", "suspect", "half of it"),
        ("unit.slip", "suspect", "other value"),
        ("whole.below-parts", "whole", "part"),
        ("citation.altered", "repeats", "repeated"),
        ("conflict.restated-differently", "repetition", "repeated"),
        ("direction.contradicted", "statement", "supporting"),
        ("chronology.redated", "repetition", "first place"),
        ("ranges.set", "announced", "row outside"),
        ("identity.compute-per-power", "quotient", "power"),
    ],
)
def test_a_premise_an_original_and_a_row_are_not_blamed_for_what_is_made_of_them(
    code: str, first: str, role: str
) -> None:
    assert judged(between(code, first, role))[0] == "unverified"


@pytest.mark.parametrize(
    ("code", "first", "role"),
    [
        ("conflict.conflict", "value 1: 4 TB/s", "value 2: 4.8 GB/s"),
        ("conflict.possible", "value 1: 4", "value 2: 5"),
        ("opposition.contradiction", "statement", "opposed to it"),
        ("unit.header", "suspect", "same column"),
        ("unit.mixed", "lower group", "upper group"),
        ("naming.level", "as rack", "as node"),
        ("ranges.set", "announced", "announced too"),
    ],
)
def test_both_sides_of_a_conflict_and_a_whole_column_are_doubtful(code: str, first: str, role: str) -> None:
    disputes = code in ("conflict.conflict", "opposition.contradiction")
    assert judged(between(code, first, role))[0] == ("disputed" if disputes else "caution")


def test_an_input_that_does_not_hold_is_named_and_no_better_value_is_made_of_it() -> None:
    wrong = Finding(
        "arithmetic.inconsistent",
        "inconsistent",
        "violation",
        "text",
        (("a/1", "result"), ("b/1", "input x")),
        corrected=Fraction(3540),
        unit="1",
    )
    found = advise(RECORD, findings=[wrong], below=Below(["b/1"]), steps=(), machine_written=False, units=UNITS)
    assert found.verdict == "caution" and "b/1" in found.reason and found.value is None


def test_a_result_that_recomputes_from_what_is_wrong_is_not_confirmed() -> None:
    recomputes = finding("arithmetic.consistent", "info")
    fallen = Below(["b/2", "b/1"])
    assert judged(recomputes, below=fallen) == ("caution", "rests on what is wrong: b/1, b/2")
    right = Below(["b/1"], put_right=Fraction(5_000_000_000), unit="byte/s")
    found = advise(RECORD, findings=[recomputes], below=right, steps=(), machine_written=False, units=UNITS)
    assert found.value == "5 GB/s"


def test_what_says_again_what_is_wrong_and_what_cannot_be_is_wrong_whatever_it_rests_on() -> None:
    again = Below(repeated=["b/1"])
    assert judged(below=again) == ("wrong", "says again what is wrong: b/1")
    assert judged(finding("plausibility.multi-card"), below=Below(["b/1"]))[0] == "wrong"


@pytest.mark.parametrize(
    ("code", "severity", "is_refuting"),
    [
        ("arithmetic.inconsistent", "violation", True),
        ("unit.slip", "violation", True),
        ("identity.compute-per-power", "violation", True),
        ("plausibility.multi-card", "warning", True),
        ("whole.below-parts", "warning", True),
        ("arithmetic.not-supported", "warning", False),
        ("conflict.conflict", "violation", False),
        ("plausibility.multi-card", "info", False),
    ],
)
def test_what_rests_on_a_figure_falls_with_every_finding_that_makes_it_wrong(
    code: str, severity: str, is_refuting: bool
) -> None:
    accusing = finding(code, severity)
    assert refutes(accusing) == is_refuting == (judged(accusing)[0] == "wrong")


def test_a_computation_with_something_else_to_blame_makes_careful_and_says_what() -> None:
    other = finding(
        "arithmetic.inconsistent", "violation", reasons=(Reason("derivation.fits", "another computation of it fits"),)
    )
    assert judged(other) == ("caution", "another computation of it fits")


def test_what_is_said_again_is_as_sure_as_where_it_is_said_first() -> None:
    assert judged(machine=True)[0] == "unverified"
    first_hand = (Step("a/1", 1, "b/1", True, "restates", "identical", "primary"),)
    assert judged(machine=True, steps=first_hand) == (
        "unverified",
        "relayed as its source says it (b/1); nothing confirms it there",
    )
    twice = (Step("a/1", 1, "a/2", True, "same-as", None, "primary"),)
    assert judged(steps=twice) == ("unverified", "its text says it twice (a/2); nothing confirms it")
    opened = (Step("a/1", 1, "source/b", False, "relayed", None, "primary"),)
    assert judged(steps=opened)[1] == "its source was opened (source/b); nothing confirms it there"
    assert judged(steps=first_hand, borne_out=["b/1"]) == ("confirmed", "says the same as b/1, which holds")
    assert "nobody holds" in judged(record={**RECORD, "anchor": {"locator": "page 1"}})[1]


@pytest.mark.parametrize(
    ("relation", "value", "shown"),
    [
        ("decrease", Fraction(11, 10), "10 % higher"),
        ("increase", Fraction(14, 10), "40 % higher"),
        ("ratio", Fraction(5, 2), "2.5x"),
        ("times-less", Fraction(1, 4), "4 times lower"),
        ("share-of", Fraction(1, 4), "25 %"),
    ],
)
def test_a_better_value_has_the_form_that_was_printed(relation: str, value: Fraction, shown: str) -> None:
    record: Any = {**RECORD, "relation": relation}
    wrong = finding("arithmetic.inconsistent", "violation", corrected=value, unit="1")
    assert better_value(wrong, record, UNITS) == shown


def test_what_only_one_of_two_computations_gives_needs_caution() -> None:
    gives = finding("arithmetic.within-rounding", "info")
    assert judged(gives)[0] == "confirmed"
    assert judged(gives, finding("arithmetic.not-supported", "info"))[0] == "caution"


def test_what_recomputes_and_what_its_publisher_lists_is_confirmed() -> None:
    assert judged(finding("arithmetic.within-rounding", "info"))[0] == "confirmed"
    cell = {"document": "r.csv", "sha256": "0" * 64, "row": "3", "column": "Result"}
    listed = {**RECORD, "kind": "measurement", "anchor": cell}
    assert judged(record=listed)[0] == "confirmed"
    assert judged(record={**listed, "kind": "price"})[0] == "unverified"
    assert judged(record={**listed, "anchor": {**cell, "start": 3, "end": 4}})[0] == "unverified"
    assert judged(record={**listed, "modality": "expected"}) == ("caution", "expected, not observed")


@pytest.mark.parametrize(
    "code",
    ["unit.mixed", "citation.altered", "conflict.possible", "plausibility.multi-card", "identity.rent-below-cost"],
)
def test_a_reason_is_one_sentence_without_codes(code: str) -> None:
    verdict, reason = judged(finding(code))
    assert verdict in VERDICTS and code not in reason and ". " not in reason


def test_a_text_that_contradicts_itself_does_not_dispute_what_others_say_with_it() -> None:
    """One text prints both values, a second one only the first: the first is not disputed, the other is."""
    sides = (("a/1", "value 1: 4.8"), ("b/1", "value 1: 4.8"), ("a/2", "value 2: 5.3"))
    at_odds = Finding("conflict.conflict", "conflict", "violation", "text", sides)

    def verdict(claim: str, finding: Finding) -> str:
        record: Any = {**RECORD, "id": claim}
        return advise(record, findings=[finding], steps=(), machine_written=False, units=UNITS).verdict

    assert (verdict("a/1", at_odds), verdict("b/1", at_odds), verdict("a/2", at_odds)) == (
        "unverified",
        "unverified",
        "disputed",
    )
    from_a_third = Finding("conflict.conflict", "conflict", "violation", "text", (*sides[:2], ("c/1", "value 2: 5.3")))
    assert verdict("a/1", from_a_third) == "disputed"
    from_one_text = Finding("conflict.conflict", "conflict", "violation", "text", (sides[0], sides[2]))
    assert verdict("a/1", from_one_text) == "disputed"


def test_a_figure_is_not_disputed_by_one_that_cannot_be() -> None:
    at_odds = Finding(
        "conflict.conflict", "conflict", "violation", "text", (("b/1", "value 1: 1000 W"), ("a/1", "value 2: 2700 W"))
    )
    below = Finding("whole.below-parts", "suspicious", "warning", "text", (("b/1", "whole"), ("a/1", HOLDS)))
    assert judged(at_odds)[0] == "disputed"
    assert judged(at_odds, below)[0] == "unverified"
    third = replace(at_odds, claims=(*at_odds.claims, ("c/1", "value 3: 3000 W")))
    assert judged(third, below)[0] == "disputed"


def test_the_one_that_holds_is_not_disputed_by_a_slip_of_the_same_text() -> None:
    at_odds = Finding(
        "conflict.conflict", "conflict", "violation", "text", (("a/1", "value 1: 5"), ("a/2", "value 2: 6"))
    )
    assert judged(at_odds)[0] == "disputed"
    slip = Finding("plausibility.not-a-multiple", "suspicious", "warning", "text", (("a/2", "suspect"), ("a/1", HOLDS)))
    assert judged(at_odds, slip)[0] == "unverified"
    assert judged(at_odds, finding("plausibility.not-a-multiple"))[0] == "wrong"


def test_what_was_computed_when_it_was_loaded_is_confirmed_by_nobody() -> None:
    cell: dict[str, Any] = {**RECORD, "kind": "measurement", "anchor": {"sha256": "0" * 64, "row": 2, "column": "a"}}
    division = {"expression": "a / b", "inputs": {"a": {"claim": "a/2"}, "b": {"claim": "a/3"}}}
    ours: dict[str, Any] = {**cell, "quantity": {"value": 4.8, "unit": "GB/s"}, "derivations": [division]}
    put_right = {**ours, "derivations": [{**division, "expression": "rests-on"}]}
    listed, of_nobody = {"form": "dataset", "publisher": "org/a"}, {"form": "dataset"}
    for record, source, worked_out in (
        (cell, listed, False),
        ({**cell, "derivations": [division]}, listed, False),
        (put_right, listed, False),
        (ours, listed, True),
        (cell, of_nobody, True),
        (cell, {"form": "report"}, False),
    ):
        sources: Any = {"source/a": source}
        claim: Any = {**record, "source": "source/a"}
        assert Texts(sources).is_worked_out(claim) is worked_out
    recomputes = finding("arithmetic.consistent", "info")
    computed: Any = ours
    found = advise(computed, findings=[recomputes], steps=(), machine_written=False, worked_out=True, units=UNITS)
    assert (found.verdict, found.reason) == ("unverified", "computed here from 2 published figures: a / b")
    made = advise(cell, findings=(), steps=(), machine_written=False, worked_out=True, units=UNITS)  # type: ignore[arg-type]
    assert made.reason == "computed from other figures; nobody published it"


def test_what_the_maker_prints_is_confirmed_however_many_differ_and_whatever_it_was_copied_from() -> None:
    sheet = finding("identity.data-sheet", "info")
    others = between("conflict.possible", "value 1: 1.4 TB/s", "value 2: 4.8 TB/s")
    origin = finding("gap.source")
    assert judged(others, origin, machine=True)[0] == "caution"
    assert judged(others, origin, sheet, machine=True) == ("confirmed", "text")
    assert (
        judged(sheet, finding("format.sparse-beside-dense"))[0] == "caution"
    )  # what was measured is open all the same
