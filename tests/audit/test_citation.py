"""Fidelity of repetitions: one case a file, the laws, and what is known of the curated claims."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.chains import Step
from kg.audit.citation import CitationAudit
from kg.audit.fidelity import GRAVITY, Fields
from kg.audit.finding import Finding
from kg.model.derived import Deriver
from kg.model.units import UnitTable
from tests.audit.seeds import CHECKOUT, citations, claim, seeds

CASES = sorted((CHECKOUT / "tests" / "cases" / "citations").glob("*.yaml"))
COVERS = {"family/f": ("family/f", "accelerator/x")}
NOBODY: dict[str, Any] = {}
WARNINGS = {"citation.altered", "citation.not-found", "citation.circular"}


def judged(case: Any, table: UnitTable) -> tuple[list[str], list[Finding]]:
    earlier = claim("report/earlier", **case["earlier"])
    links = [{"claim": "report/earlier", "fidelity": one} for one in case["recorded"]]
    later = claim("report/later", restates=links, **{"source": "source/relay", **case["later"]})
    known, canonical = {one["id"]: one for one in (earlier, later)}, Deriver(table).canonical
    changes = Fields(canonical, COVERS).changes(later, earlier)
    audit = CitationAudit(known.get, Fields(canonical, COVERS))
    return [change.fidelity for change in changes], list(audit.findings(known.values()))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_finding(path: Path, table: UnitTable) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    changes, found = judged(case, table)
    assert changes == case["expect"]["changes"]
    (finding,) = found
    assert (finding.code, finding.verdict) == (case["expect"]["code"], case["expect"]["verdict"]), finding.message
    assert finding.severity == ("warning" if finding.code in WARNINGS else "info")
    assert finding.claims == (("report/later", "repeats"), ("report/earlier", "repeated"))


def test_every_computable_fidelity_has_a_case() -> None:
    seen = {one for path in CASES for one in yaml.safe_load(path.read_text(encoding="utf-8"))["expect"]["changes"]}
    assert seen == {*GRAVITY} - {"identical", "unverified", "not-found"}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_claim_repeats_itself_faithfully(path: Path, table: UnitTable) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    for side in ("earlier", "later"):
        one = claim("report/one", **case[side])
        assert Fields(Deriver(table).canonical, COVERS).changes(one, one) == ()


CONDITIONS = st.dictionaries(st.sampled_from(["model", "phase", "batch"]), st.sampled_from(["a", "b"]))


@given(before=CONDITIONS, after=CONDITIONS)
def test_conditions_dropped_one_way_are_added_the_other(before: dict[str, str], after: dict[str, str]) -> None:
    fields = Fields(lambda record: None, {})
    there = Counter(
        one.fidelity for one in fields.changes(claim("x/a", conditions=after), claim("x/b", conditions=before))
    )
    back = Counter(
        one.fidelity for one in fields.changes(claim("x/b", conditions=before), claim("x/a", conditions=after))
    )
    moved = sum(1 for name in {*before} & {*after} if before[name] != after[name])
    assert there["condition-dropped"] - moved == back["condition-added"] == len({*before} - {*after})


def test_a_snippet_without_the_words_is_a_finding() -> None:
    record = claim("x/a", restates=[{"source": "unresolved/u"}, {"source": "unresolved/u", "fidelity": "not-found"}])
    (found,) = CitationAudit(NOBODY.get, Fields(lambda record: None, {})).findings([record])
    assert (found.code, found.severity, found.key) == ("citation.not-found", "warning", "2")


def test_ends_of_one_kind_are_one_finding() -> None:
    steps = [
        Step("x/a", 1, "unresolved/u", False, "restates", None, "unopened"),
        Step("x/a", 1, "unresolved/v", False, "restates", None, "unopened"),
        Step("x/a", 1, "x/b", True, "restates"),
        Step("x/a", 2, "x/a", True, "restates", None, "circular"),
    ]
    found = list(CitationAudit(NOBODY.get, Fields(lambda record: None, {})).findings((), steps))
    assert [(one.code, one.severity) for one in found] == [
        ("citation.unopened", "info"),
        ("citation.circular", "warning"),
    ]
    assert "unresolved/u, unresolved/v" in found[0].message and found[1].claims == (("x/a", "repeats"),)


@cache
def seed_findings() -> list[Finding]:
    given_seeds = seeds()
    texts = given_seeds.texts
    steps = citations(given_seeds.claims, texts)
    audit = CitationAudit(given_seeds.claims.get, Fields(given_seeds.deriver.canonical, given_seeds.covers))
    return list(audit.findings(given_seeds.claims.values(), steps))


def test_known_alterations_of_the_documents_are_found() -> None:
    found = {
        (one.claims[0][0], one.claims[1][0]): one
        for one in seed_findings()
        if len(one.claims) > 1 and one.claims[1][1] == "repeated"
    }
    verdicts = {
        ("000/gpt-oss.heading", "000/gpt-oss.throughput.nvidia"): "modality-raised",
        ("000/mistral.heading", "000/mistral.training-speed.h200"): "condition-dropped",
        ("000/gaps.tco", "000/tco.may"): "subject-broadened",
        ("001/llama3-70b.accelerators.bf16-max", "001/llama3-70b.accelerators.max"): "value-changed",
        ("002/report.h200.memory-bandwidth", "002/spec.h200-sxm-141gb.memory-bandwidth"): "value-changed",
        ("004/challenge.china.budget-200b", "004/challenge.quoted.budget-20b"): "value-changed",
        ("004/challenge.in-memory.energy-efficiency", "004/iteration.in-memory.energy-efficiency"): "hedge-dropped",
        ("003/exascale.author-intro", "003/exascale.bragging"): "attribution-changed",
    }
    assert {pair: found[pair].verdict for pair in verdicts} == verdicts
    assert {found[pair].code for pair in verdicts} == {"citation.altered"}


NO_ALTERATION = (
    "001/gb200.no-mega-runs-csps",
    "001/gb200.no-mega-runs-frontier-labs",
    "001/gpt3.cost.total.conclusion",
    "004/selection.mi300x.multi-gpu-software",
    "000/tco.impact.no-runs",
    "000/tco.impact.software",
    "001/advice.benchmarks-with-pytorch",
    "000/deepl.impact.pooling-h100",
)


@pytest.mark.parametrize("name", NO_ALTERATION)
def test_a_next_sentence_is_no_alteration(name: str) -> None:
    assert [one.message for one in seed_findings() if one.claim == name and one.severity != "info"] == []


def test_the_passage_of_semianalysis_is_repeated_faithfully() -> None:
    faithful = {one.claim for one in seed_findings() if one.code == "citation.faithful"}
    names = ["none-yet", "software", "reliability", "only.h100", "only.h200", "only.tpu", "operators", "operators.csps"]
    assert {f"000/frontier.{name}" for name in names} <= faithful


def test_no_claim_of_the_documents_repeats_itself_in_a_circle() -> None:
    assert [one for one in seed_findings() if one.code == "citation.circular"] == []


def test_each_finding_has_an_id_of_its_own() -> None:
    ids = [one.id for one in seed_findings()]
    assert len(ids) == len(set(ids)) > 400


def test_a_negation_that_one_of_several_originals_has_was_not_put_in(table: UnitTable) -> None:
    given = {"metric": "reliability", "statement": "s", "direction": "absent"}
    denied, held = claim("report/denied", **given, polarity="negated"), claim("report/held", **given)
    links = [{"claim": one["id"], "fidelity": "wording-altered"} for one in (denied, held)]
    known = {one["id"]: one for one in (denied, held)}

    def told(links: list[dict[str, str]]) -> str:
        later = claim("report/later", **given, polarity="negated", source="source/relay", restates=links)
        audit = CitationAudit({**known, "report/later": later}.get, Fields(Deriver(table).canonical, COVERS))
        return " ".join(one.message for one in audit.findings([later]))

    assert "negation" in told(links[1:])
    assert "negation" not in told(links)
