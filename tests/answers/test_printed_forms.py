"""Every printed form of every curated claim leads back to it, the very print first."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from kg.answers.trace import MOST_CLAIMS
from kg.errors import KgError
from kg.session import Graph, open_graph
from tests.sampling import some


@pytest.fixture(scope="module")
def shipped(shipped_store: Path) -> Graph:
    return open_graph(shipped_store)


@pytest.mark.parametrize("step", some(29))
def test_every_printed_form_of_every_claim_is_found_and_comes_first(shipped: Graph, step: int) -> None:
    forms: dict[str, set[str]] = defaultdict(set)
    for record in shipped.records():
        if record["record"] == "claim" and (printed := (record["quantity"] or {}).get("printed")):
            forms[printed].add(record["id"])
    assert len(forms) > 600
    wrong: dict[str, set[str] | str] = {}
    for printed, claims in sorted(forms.items())[::step]:
        try:
            found = [one.claim.id for one in shipped.trace(printed).claims]
        except KgError as error:
            wrong[printed] = str(error)
            continue
        first = set(found[: min(len(claims), MOST_CLAIMS)])
        if not first <= claims or len(first) < min(len(claims), MOST_CLAIMS):
            wrong[printed] = claims - first
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("$1.95", "001/llama3-405b.cost-per-mtoken"),
        ("4.8T", "002/author.h200.memory-bandwidth"),
        ("60k rmb", "004/leasing.h200.rent-green-region"),
        ("$1.42/hr/GPU", "001/h100.hourly-cost"),
        ("$ 200/card/month", "004/price.rental.a100-pcie-40gb.card"),
        ("two  years", "001/h100.mass-deployment.to-december-2024"),
    ],
)
def test_a_print_that_no_value_finds_is_found_by_its_letters(shipped: Graph, text: str, claim: str) -> None:
    assert claim in [one.claim.id for one in shipped.trace(text).claims]


@pytest.mark.parametrize("text", ["9,999,999 parsecs", "$3/fortnight", "never printed"])
def test_what_nobody_prints_and_no_number_reads_is_refused(shipped: Graph, text: str) -> None:
    with pytest.raises(KgError):
        shipped.trace(text)


@pytest.mark.parametrize(
    ("asked", "whole", "claim"),
    [
        ("54.2 cents", "54.2 cent/Mtoken", "001/gpt3.cost-per-mtoken.2024-12"),
        ("8.8 J", "8.8 J/token", "001/llama3-405b.energy-per-token"),
    ],
)
def test_a_unit_that_is_cut_off_is_that_of_the_claims_that_print_its_digits(
    shipped: Graph, asked: str, whole: str, claim: str
) -> None:
    found = shipped.trace(asked)
    assert found.asked == whole and found.claims[0].claim.id == claim
    assert shipped.trace("8.7 J").verdict == "unknown", "digits that nobody prints complete no unit"


@pytest.mark.parametrize("asked", ["54.2 florins", "987654 cents", "cents"])
def test_a_word_that_begins_no_unit_or_whose_digits_nobody_prints_is_refused(shipped: Graph, asked: str) -> None:
    with pytest.raises(KgError):
        shipped.trace(asked)
