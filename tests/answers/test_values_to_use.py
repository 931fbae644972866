"""No command offers a figure that a finding refutes: asked of every claim of the shipped content that one accuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from kg.audit.finding import Finding, read_finding
from kg.ledger.ledger import Ledger
from kg.model.derived_records import FindingRecord
from kg.model.verdict import NOT_TO_USE
from kg.session import Graph, open_graph
from tests.sampling import some

ACCUSING = (
    "unit.slip",
    "whole.below-parts",
    "identity.compute-per-power",
    "direction.contradicted",
    "direction.reverses-after-correction",
)
"""Codes that say of the figure they are about that it cannot be, beside those of plausibility."""


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def derived(graph: Graph) -> tuple[list[Finding], dict[str, Any]]:
    findings, advice = [], {}
    for record in graph.records():
        if record["record"] == "finding":
            findings.append(read_finding(cast("FindingRecord", record)))
        elif record["record"] == "claim":
            advice[record["id"]] = {"verdict": record["verdict"], "value": record.get("value_to_use")}
    return findings, advice


@pytest.fixture(scope="module")
def claims(graph: Graph) -> dict[str, Any]:
    return {one["id"]: one for one in Ledger(graph.ledger_folder()).current() if one["record"] == "claim"}


def accuses(finding: Finding) -> bool:
    if finding.severity == "info" or finding.is_excused:
        return False
    refuted = finding.code == "arithmetic.inconsistent" and finding.severity == "violation"
    return refuted or finding.code in ACCUSING or finding.code.startswith("plausibility.")


def printed(claim: Any) -> str:
    return str((claim.get("quantity") or {}).get("printed") or "")


@pytest.fixture(scope="module")
def accused(derived: Any, claims: dict[str, Any]) -> dict[str, Any]:
    names = {one.claim for one in derived[0] if accuses(one)}
    names |= {name for name, one in derived[1].items() if one["verdict"] in NOT_TO_USE}
    found = {name: claims[name] for name in sorted(names)}
    assert len(found) > 30
    return found


def test_what_a_finding_refutes_has_a_verdict_that_says_so(accused: Any, derived: Any) -> None:
    assert {
        name: derived[1][name]["verdict"] for name in accused if derived[1][name]["verdict"] not in NOT_TO_USE
    } == {}


def test_no_better_value_is_itself_refuted(accused: Any, derived: Any, claims: Any) -> None:
    refuted: dict[tuple[str, str], set[str]] = {}
    for one in accused.values():
        if printed(one):
            refuted.setdefault((one["subject"], one["metric"]), set()).add(printed(one))
    offered = {name: one["value"] for name, one in derived[1].items() if one["value"]}
    assert offered
    for name, value in offered.items():
        assert value not in refuted.get((claims[name]["subject"], claims[name]["metric"]), ()), name


@pytest.mark.parametrize("step", some(5))
def test_trace_of_a_refuted_claim_offers_another_value_or_none(graph: Graph, accused: Any, step: int) -> None:
    for name, claim in list(accused.items())[::step]:
        found = graph.trace(name)
        assert found.verdict in NOT_TO_USE
        assert found.value is None or found.value != printed(claim), name


@pytest.mark.parametrize("number", ["30x", "75 %", "7.2x"])
def test_no_value_is_offered_that_other_figures_speak_against_or_that_is_compared_with_nothing(
    graph: Graph, number: str
) -> None:
    found = graph.trace(number)
    assert found.verdict in ("caution", "disputed") and found.value is None


def test_what_says_a_refuted_figure_again_is_not_offered_and_its_part_is(graph: Graph) -> None:
    assert graph.trace("003/exascale.author-conclusion").verdict == "wrong"
    part = graph.trace("002/report.gb200.memory-bandwidth")
    assert part.verdict == "caution" and not part.reason.startswith("says again")


def test_what_speaks_against_a_figure_is_none_of_its_grounds(graph: Graph) -> None:
    """Found before: it was said to rest on the wrong figure behind the one that contradicts it."""
    found = graph.trace("004/perf-per-watt.gpt4.b200-over-h200")
    assert (found.verdict, found.value) == ("disputed", None) and "rests on what is wrong" not in found.reason.lower()


def test_a_rate_of_eight_cards_is_not_offered_for_one(graph: Graph) -> None:
    assert graph.trace("004/app.mi300x.throughput").value == "2,939 token/s"
    whole = graph.trace("004/comp.mi300x.llama-2-throughput")
    assert (whole.verdict, whole.value, whole.claims[0].claim.worded) == ("unverified", None, "23,512 token/s")


@pytest.mark.parametrize("step", some(3))
def test_the_sheet_of_a_thing_never_gives_a_refuted_figure_as_its_value(graph: Graph, accused: Any, step: int) -> None:
    for subject in sorted({one["subject"] for one in accused.values() if printed(one)})[::step]:
        for row in graph.specs(subject).rows:
            for value in row.values[: row.told]:
                assert row.value is None or value.verdict != "wrong" or value.shown not in row.value.split("; "), row
            for value in row.values:
                assert value.value_to_use is None or value.value_to_use != value.shown


@pytest.mark.parametrize("step", some(4))
def test_comparisons_and_conflicts_offer_no_refuted_ratio(graph: Graph, accused: Any, step: int) -> None:
    pairs = sorted({(one["subject"], one["baseline"]) for one in accused.values() if "baseline" in one})
    assert pairs
    for subject, baseline in pairs[::step]:
        for one in graph.compare(subject, baseline).claims:
            if one.id in accused:
                assert one.verdict in NOT_TO_USE and one.usable_value != printed(accused[one.id])


def test_verify_says_the_verdict_that_trace_says(graph: Graph, derived: Any) -> None:
    for one in graph.verify().claims:
        assert one.number_verdict == derived[1][one.claim]["verdict"], one.claim


@pytest.mark.parametrize("step", some(5))
def test_check_of_a_refuted_figure_does_not_pass_it(graph: Graph, accused: Any, derived: Any, step: int) -> None:
    shown = [name for name, one in accused.items() if derived[1][name]["verdict"] == "wrong" and printed(one)]
    for name in shown[::step]:
        text = f"{accused[name]['subject'].partition('/')[2]}: {printed(accused[name])}"
        for figure in graph.check(text.encode()).figures:
            assert figure.value_to_use != printed(accused[name])
            assert figure.verdict != "confirmed" or name not in {one.claim for one in figure.same}


def test_a_conflict_with_a_known_culprit_opens_with_it(graph: Graph) -> None:
    problems = graph.problems().problems
    conflicts = [one for one in problems if any("/conflict." in name for name in one.findings)]
    known = [one for one in conflicts if one.instead and any("/conflict." not in name for name in one.findings)]
    assert known, "the shipped content has problems of both kinds"
    assert not [one.wrong for one in known if "contradict each other" in one.wrong]
