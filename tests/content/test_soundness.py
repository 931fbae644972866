"""A value against its printed text, and derivations that turn back."""

import time
from itertools import pairwise
from typing import Any

import pytest

from kg.content.folders import find_content
from kg.content.soundness import cycle_mistakes, cycles, figure_mistakes
from kg.content.vocabulary import read_vocabulary

UNITS = read_vocabulary(find_content()).units


@pytest.mark.parametrize(
    ("printed", "unit", "value"),
    [
        ("1,234", "token/s", 1234),
        ("$3.1M", "USD", 3_100_000),
        ("1.6x to 1.7x", "1", [1.6, 1.7]),
        ("4.8T", "TB/s", 4.8),
        ("3,060", "GB", 3.06),
        ("two thirds", "1", 0.6666666666666666),
        ("0.12345678901234567890", "1", 0.12345678901234568),
        ("1.024", "W", 1024),
        ("nearly everything", "%", 99),
    ],
)
def test_a_value_that_is_printed_or_cannot_be_read_passes(printed: str, unit: str, value: object) -> None:
    record: Any = {"quantity": {"printed": printed, "unit": unit, "value": value}}
    assert list(figure_mistakes(record, UNITS)) == []


@pytest.mark.parametrize(
    ("printed", "unit", "value"),
    [("1,234", "token/s", 999), ("$3.1M", "USD", 3.1), ("tenfold", "1", 9), ("3,060", "GB", 30.6)],
)
def test_a_value_that_is_not_printed_is_refused(printed: str, unit: str, value: object) -> None:
    record: Any = {"quantity": {"printed": printed, "unit": unit, "value": value}}
    (mistake,) = figure_mistakes(record, UNITS)
    assert mistake.code == "claim.figure-mismatch" and mistake.given == str(value)


def derived(*inputs: str) -> Any:
    return {
        "derivations": [{"expression": "rests-on", "inputs": {f"i{n}": {"claim": one} for n, one in enumerate(inputs)}}]
    }


def test_a_circle_is_found_once_with_all_its_claims() -> None:
    claims = {"a/1": derived("a/2"), "a/2": derived("a/3"), "a/3": derived("a/1"), "a/4": derived("a/1"), "a/5": {}}
    (circle,) = cycles(claims)
    assert circle[0] == circle[-1] and set(circle) == {"a/1", "a/2", "a/3"}


def test_a_diamond_is_no_circle() -> None:
    claims = {"a/1": derived("a/2", "a/3"), "a/2": derived("a/4"), "a/3": derived("a/4"), "a/4": {}}
    assert list(cycles(claims)) == []


def test_every_circle_is_told_and_a_claim_of_itself_too() -> None:
    claims = {
        "a/1": derived("a/2"),
        "a/2": derived("a/1"),
        "a/3": derived("a/3", "a/1"),
        "a/4": derived("a/5"),
        "a/5": derived("a/4", "a/6"),
        "a/6": derived("a/7"),
    }
    assert sorted(sorted(set(circle)) for circle in cycles(claims)) == [["a/1", "a/2"], ["a/3"], ["a/4", "a/5"]]


def test_a_circle_reads_from_a_claim_to_its_inputs() -> None:
    claims = {"a/1": derived("a/2"), "a/2": derived("a/3"), "a/3": derived("a/1")}
    (circle,) = cycles(claims)
    steps = [(one, claims[one]["derivations"][0]["inputs"]["i0"]["claim"]) for one in circle[:-1]]
    assert list(pairwise(circle)) == steps


def test_thousands_of_circles_are_found_in_one_pass() -> None:
    claims = {f"a/{n}": derived(f"a/{n}", f"a/{n + 1}") for n in range(20_000)}
    began = time.process_time()
    found = list(cycles({**claims, "a/20000": derived("a/0")}))
    assert time.process_time() - began < 10  # each circle took a pass of its own, an hour for these
    assert sum(len(one) == 2 for one in found) == 20_000 and max(map(len, found)) == 20_002


def test_a_long_circle_is_named_by_its_ends() -> None:
    claims = {f"a/{n}": derived(f"a/{(n + 1) % 500}") for n in range(500)}
    (mistake,) = cycle_mistakes(claims, {})
    assert mistake.given == "a/0 < a/1 < a/2 < a/3 < a/4 < a/5 < … < a/495 < a/496 < a/497 < a/498 < a/499 < a/0"
