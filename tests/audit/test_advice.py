"""The advice that opens a trace: what refutes, what makes careful, and the value to use instead."""

from fractions import Fraction

import pytest

from kg.audit.advice import advise, better_value
from kg.audit.chains import Step
from kg.audit.finding import Finding, Reason
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary

UNITS = read_vocabulary(find_content()).units
RECORD: dict[str, object] = {
    "id": "a/1", "anchor": {"sha256": "0" * 64}, "quantity": {"printed": "4.8 GB/s", "value": 4.8, "unit": "GB/s"},
}  # fmt: skip


def finding(code: str, severity: str = "warning", **more: object) -> Finding:
    return Finding(code, code.partition(".")[2], severity, "text", (("a/1", "about"),), **more)  # type: ignore[arg-type]


def use(
    *findings: Finding, machine: bool = False, steps: tuple[Step, ...] = (), record: dict[str, object] = RECORD
) -> tuple[str, str]:
    found = advise(record, findings=findings, bad_below=(), steps=steps, machine_written=machine, units=UNITS)
    return found.use, found.reason


def test_nothing_against_it_is_yes() -> None:
    assert use()[0] == "yes"


def test_what_does_not_recompute_is_no_with_its_cause_and_the_better_value() -> None:
    wrong = finding(
        "arithmetic.inconsistent", "violation", corrected=Fraction(4_800_000_000_000), unit="byte/s",
        reasons=(Reason("factor.1000", "off by 1000"),),
    )  # fmt: skip
    found = advise(RECORD, findings=[wrong], bad_below=(), steps=(), machine_written=False, units=UNITS)
    assert (found.use, found.reason, found.value) == ("no", "does not recompute: off by 1000", "4,800 GB/s")


def test_a_doubtful_unit_is_said_beside_the_better_value() -> None:
    wrong = finding("arithmetic.inconsistent", "violation", corrected=Fraction(1), unit="byte/s")
    found = advise(
        RECORD, findings=[wrong, finding("unit.header")], bad_below=(), steps=(), machine_written=False, units=UNITS
    )
    assert found.value is not None and found.value.endswith("(its unit is doubtful)")


def test_the_gravest_doubt_is_named_and_the_address_of_a_link_is_none() -> None:
    assert (
        "conflict.conflict, and 1 more"
        in use(finding("citation.altered"), finding("conflict.conflict", "violation"))[1]
    )
    assert use(finding("citation.address-differs"))[0] == "yes"


def test_a_machine_written_text_and_a_text_that_nobody_holds_make_careful() -> None:
    assert use(machine=True)[0] == "with-care"
    assert use(machine=True, steps=(Step("a/1", 1, "b/1", True, "restates", "identical", "primary"),))[0] == "yes"
    assert "nobody holds" in use(record={**RECORD, "anchor": {"locator": "page 1"}})[1]


@pytest.mark.parametrize(
    ("relation", "value", "shown"),
    [("decrease", Fraction(11, 10), "10 % higher"), ("increase", Fraction(14, 10), "40 % higher"), ("ratio", Fraction(5, 2), "2.5x"),
     ("times-less", Fraction(1, 4), "4 times lower"), ("share-of", Fraction(1, 4), "25 %")],
)  # fmt: skip
def test_a_better_value_has_the_form_that_was_printed(relation: str, value: Fraction, shown: str) -> None:
    wrong = finding("arithmetic.inconsistent", "violation", corrected=value, unit="1")
    assert better_value(wrong, {**RECORD, "relation": relation}, UNITS) == shown
