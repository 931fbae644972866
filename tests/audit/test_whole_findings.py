"""All that the audit says of each small case, word for word: `tests/cases/whole`.

A rule that finds the right thing with a wrong figure, role, reason or word is as wrong as one that finds nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.audit.advice import advise
from kg.audit.audit import AuditInput, audit
from kg.audit.chains import Texts
from kg.audit.comparability import ComparableResult
from kg.audit.comparability import judge as judge_results
from kg.audit.finding import Finding
from kg.audit.impact import ImpactStudy
from kg.audit.measured import Claimed, read
from kg.audit.origins import echo_records
from kg.model.derived import Deriver
from kg.model.units import UnitTable
from tests.audit import (
    conflict_cases,
    test_chains,
    test_citation,
    test_comparability,
    test_derivation,
    test_impact,
    test_measured,
    test_origins,
    test_rules,
)
from tests.audit.seeds import citations, claim, seeds
from tests.audit.shipped_audit import auditor, findings
from tests.whole import assert_read

Json = Any
WHOLE = test_rules.ROOT / "tests" / "cases" / "whole"
NOTES = 8
"""Notes of one kind on the shipped claims that are written out: hundreds say the same of other figures."""
RULES = sorted({path.parent for path in test_rules.CASES})


def cases(paths: Iterable[Path]) -> Iterator[tuple[str, Json]]:
    for path in paths:
        yield path.stem, yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def told(finding: Finding) -> Json:
    """A finding, its id first."""
    of = [f"{name}: {role}" for name, role in finding.claims]
    facts = {"message": finding.message, "of": of, "computed": finding.computed, "corrected": finding.corrected}
    facts |= {name: getattr(finding, name) for name in ("unit", "approximate", "derivation", "missing", "reference")}
    return {
        f"{finding.id.removeprefix('finding/')} {finding.severity} {finding.verdict}": facts
        | {"reasons": finding.reasons}
    }


def judged(path: Path) -> Json:
    """The findings of every rule on a case, those of arithmetic, pairs and citations among them, and what follows for its claims.

    What they rest on is left out of account: `tests/cases/whole/store-derived.yaml` has advice with all that it follows from.
    """
    known = {one["id"]: one for one in test_rules.read_case(path)[0]}
    units, engine, found = test_rules.vocabulary().units, auditor(), findings(known.values())
    advice = {}
    for name, record in sorted(known.items()):
        mine = [one for one in found if any(name == each for each, _ in one.claims)]
        steps, machine = engine.own(record).citations, engine.texts.is_machine(record)
        said = advise(record, findings=mine, steps=steps, machine_written=machine, units=units)
        if said.verdict != "unverified":
            advice[name] = f"{said.verdict}: {said.reason}{f' ({said.value})' if said.value else ''}"
    return {"findings": [told(one) for one in found], "advice": advice}


@pytest.mark.parametrize("folder", RULES, ids=lambda path: path.name)
def test_findings_of_the_cases_of_a_rule(folder: Path, request: pytest.FixtureRequest) -> None:
    found = {path.stem: judged(path) for path in test_rules.CASES if path.parent == folder}
    assert_read(found, WHOLE / f"rules-{folder.name}.yaml", request)


def test_findings_on_what_is_shipped(request: pytest.FixtureRequest) -> None:
    """All that speaks against a claim, and the first few notes of each kind."""
    given, kinds = seeds(), Counter[str]()
    units = given.vocabulary.units
    every = audit(AuditInput(given.claims, given.registry.records, units, given.deriver, test_rules.references()))
    found: Json = {}
    for one in every:
        kinds[one.code] += one.severity == "info"
        if one.severity != "info" or kinds[one.code] <= NOTES:
            found |= told(one)
    assert_read(found, WHOLE / "shipped-findings.yaml", request)


def test_findings_on_derivations(table: UnitTable, request: pytest.FixtureRequest) -> None:
    found = {name: test_derivation.judge_case(case, table) for name, case in cases(test_derivation.CASES)}
    assert_read(found, WHOLE / "derivations.yaml", request)


def test_findings_on_repetitions(table: UnitTable, request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(test_citation.CASES):
        (one,) = test_citation.judged(case, table)[1]
        found[name] = told(one)
    assert_read(found, WHOLE / "citations.yaml", request)


def test_judgements_of_pairs(request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(conflict_cases.CASES):
        pair = (
            conflict_cases.claim(one, case.get("both", {}), case[side])
            for one, side in (("a/one", "one"), ("b/other", "other"))
        )
        found[name] = conflict_cases.judged(*pair)
    assert_read(found, WHOLE / "conflicts.yaml", request)


def test_steps_of_chains(request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(test_chains.CASES):
        claims = {one: claim(one, **fields) for one, fields in case["claims"].items()}
        found[name] = list(citations(claims, Texts(case["sources"], case["agents"])))
    assert_read(found, WHOLE / "chains.yaml", request)


def test_pairs_of_results(request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(test_comparability.CASES):
        one, other = (ComparableResult(**{**case["both"], **case[side]}) for side in ("one", "other"))
        found[name] = judge_results(one, other, test_comparability.rules())
    assert_read(found, WHOLE / "comparability.yaml", request)


def test_consequences_of_corrections(table: UnitTable, request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(test_impact.CASES):
        claims = {one: claim(one, **fields) for one, fields in case["claims"].items()}
        changes = {one: test_impact.exact(value) for one, value in case["corrections"].items()}
        found[name] = ImpactStudy(claims, table, test_impact.COVERS, test_impact.BETTER).of(changes).to_json()
    assert_read(found, WHOLE / "impact.yaml", request)


def test_origins_of_claims(table: UnitTable, request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(test_origins.CASES):
        claims = {one: claim(one, **fields) for one, fields in case["claims"].items()}
        echoes = test_origins.echoes_of(claims, Texts(case["sources"], frozenset(case["agents"])), Deriver(table))
        found[name] = {one: echoes.origins_of(one) for one in claims} | {"clusters": list(echo_records(echoes))}
    assert_read(found, WHOLE / "origins.yaml", request)


def test_readings_of_ratios(request: pytest.FixtureRequest) -> None:
    found = {}
    for name, case in cases(test_measured.CASES):
        task = case.get("task", "task/mlperf-deepseek-r1")
        ours, theirs = (
            [test_measured.row(side, n, one, task) for n, one in enumerate(case[side])]
            for side in ("subject", "baseline")
        )
        claimed = Claimed(
            test_measured.ends(case["claimed"]), case.get("names_benchmark", True), tuple(case.get("differs", ()))
        )
        found[name] = [read(claimed, ours, theirs, basis, test_measured.rules()) for basis in case["bases"]]
    assert_read(found, WHOLE / "verification.yaml", request)
