"""Rules beyond arithmetic and pairs: one case a file, laws, and what is known of the curated content."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.audit import AuditInput, audit
from kg.audit.finding import Finding
from kg.audit.impact import ImpactStudy, corrections_of
from kg.audit.rules import RULES
from kg.audit.rules.facts import Facts
from kg.content.claims import read_claims
from kg.content.codes import read_codes
from kg.content.entities import read_registry
from kg.content.folders import Content, find_content
from kg.content.references import read_references
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.errors import Mistakes
from kg.model.dates import disjoint, shown, span
from kg.model.derived import Deriver
from kg.model.finding_roles import is_doubted
from kg.model.identifiers import ANY_ID
from kg.model.reference import Moment, ReferenceCitation, References
from kg.model.remembered import Remembered
from kg.model.vocabulary import FINDING_CLASS
from tests.audit.seeds import seeds
from tests.sampling import generated, some

Json = Any
ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((ROOT / "tests" / "cases" / "rules").glob("*/*.yaml"))


@cache
def vocabulary() -> Vocabulary:
    return read_vocabulary(find_content(ROOT))


@cache
def registry() -> Mapping[str, Json]:
    return read_registry(find_content(ROOT)).records


@cache
def references() -> References:
    return read_references(find_content(ROOT), vocabulary().units)


def judge(claims: Iterable[Json]) -> list[Finding]:
    """The findings of the rules beyond arithmetic, pairs and citations."""
    known = {claim["id"]: claim for claim in claims}
    units = vocabulary().units
    found = audit(AuditInput(known, registry(), units, Deriver(units), references()))
    return [one for one in found if not one.code.startswith(("arithmetic.", "conflict.", "citation."))]


def completed(claim: Json) -> Json:
    source = claim["id"].partition("/")[0]
    anchor = {"document": source, "start": 0, "end": 1, **claim.pop("anchor", {})}
    return {
        "record": "claim",
        "kind": "specification",
        "level": "accelerator",
        "source": f"source/{source}",
        "asserted_by": f"org/{source}",
        "anchor": anchor,
        **claim,
    }


def read_case(path: Path) -> tuple[list[Json], list[Json]]:
    case = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return [completed(claim) for claim in case["claims"]], case["expect"]


@cache
def found_in(path: Path) -> tuple[Finding, ...]:
    return tuple(judge(read_case(path)[0]))


def fits(expected: Json, found: Finding) -> bool:
    if (expected["code"], expected["claim"]) != (found.code, found.claim):
        return False
    reasons = {one.code for one in found.reasons}
    return (
        expected.get("verdict", found.verdict) == found.verdict
        and expected.get("basis", found.basis) == found.basis
        and ("corrected" not in expected or found.corrected == Fraction(str(expected["corrected"])))
        and ("computed" not in expected or float(found.computed or 0) == pytest.approx(expected["computed"], rel=1e-3))
        and expected.get("says", "") in found.message
        and ("reason" not in expected or expected["reason"] in reasons)
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case_gives_the_expected_findings(path: Path) -> None:
    expect, found = read_case(path)[1], found_in(path)
    assert Counter((one.code, one.claim) for one in found) == Counter((one["code"], one["claim"]) for one in expect)
    assert all(any(fits(one, finding) for finding in found) for one in expect), [one.to_json() for one in found]


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_finding_is_documented_and_cites_what_it_leans_on(path: Path) -> None:
    codes = read_codes(find_content(ROOT))
    found = found_in(path)
    assert len({one.id for one in found}) == len(found)
    assert [one.id for one in found if not re.fullmatch(ANY_ID, one.id)] == []
    assert all(codes[one.code].severity == one.severity for one in found)
    assert all((one.basis == "reference") == (one.reference is not None) for one in found)
    assert all(one.verdict != "false" for one in found)


def test_every_rule_has_a_case_that_finds_and_one_that_does_not() -> None:
    by_rule: dict[str, set[bool]] = defaultdict(set)
    for path in CASES:
        by_rule[path.parent.name].add(bool(read_case(path)[1]))
    assert set(by_rule) == {rule.__name__.rpartition(".")[2] for rule in RULES}
    assert [name for name, kinds in by_rule.items() if len(kinds) < 2 and name != "gap"] == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_findings_do_not_depend_on_the_order_of_the_claims(path: Path) -> None:
    claims = read_case(path)[0]
    assert {one.id: one.to_json() for one in judge(reversed(claims))} == {
        one.id: one.to_json() for one in found_in(path)
    }


def _worded(name: str, **fields: Json) -> Json:
    own = {"kind": "qualitative", "subject": "family/nvidia-h200", "metric": "reliability", "statement": "s"}
    return completed({"id": f"a/{name}", **own, **fields})


def _figure(name: str, subject: str, level: str, metric: str, value: float, unit: str, **fields: Json) -> Json:
    quantity = {"printed": str(value), "value": value, "unit": unit, "exact": unit.startswith("count:")}
    own = {"subject": subject, "level": level, "metric": metric, "quantity": quantity}
    return completed({"id": f"a/{name}", **own, **fields})


def _ratio(name: str, metric: str, value: float, relation: str = "ratio") -> Json:
    thing = {"kind": "comparison", "relation": relation, "baseline": "family/nvidia-h200"}
    return _figure(name, "system/nvidia-gb200-nvl72", "rack", metric, value, "1", **thing)


RACK, TRAY = "system/nvidia-gb200-nvl72", "system/nvidia-gb200-compute-tray"
MANY_ROWS: dict[str, tuple[list[Json], Json]] = {
    "opposition.contradiction": (
        [_worded(f"o{n:02}", direction="lower", modality="opinion") for n in range(40)],
        _worded("z", direction="lower"),
    ),
    "whole.holds": (
        [_figure(f"t{n:02}", RACK, "rack", "component-count", 20 + n, "count:node") for n in range(40)],
        _figure("z", RACK, "rack", "component-count", 18, "count:node"),
    ),
    "identity.time-per-token": (
        [_ratio(f"s{n:02}", "inference-speed", 5) for n in range(40)],
        _ratio("z", "inference-speed", 3),
    ),
}
"""Many rows that do not lead to a finding, and one, the last by its id, that does."""
ASKED: dict[str, list[Json]] = {
    "opposition.contradiction": [_worded("b", direction="higher")],
    "whole.holds": [
        _figure("gpus", RACK, "rack", "component-count", 72, "count:chip"),
        _figure("each", TRAY, "node", "component-count", 4, "count:gpu"),
    ],
    "identity.time-per-token": [_ratio("b", "time-per-output-token", 5, "times-less")],
}


@pytest.mark.parametrize("code", sorted(ASKED))
def test_a_verdict_comes_from_all_rows_however_many_there_are(code: str) -> None:
    rows, last = MANY_ROWS[code]
    assert code not in {one.code for one in judge([*ASKED[code], *rows]) if _is_asked(one, code)}
    assert code in {one.code for one in judge([*ASKED[code], *rows, last]) if _is_asked(one, code)}


def _is_asked(finding: Finding, code: str) -> bool:
    return finding.claim in {one["id"] for one in ASKED[code]}


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_without_references_nothing_leans_on_one(path: Path) -> None:
    known, units = {claim["id"]: claim for claim in read_case(path)[0]}, vocabulary().units
    found = audit(AuditInput(known, registry(), units, Deriver(units), References.of()))
    assert all(one.basis != "reference" for one in found)


@pytest.mark.parametrize(
    "path", [one for one in CASES if one.parent.name == "plausibility"], ids=lambda path: path.stem
)
def test_a_limit_that_is_not_given_accuses_nothing(path: Path) -> None:
    known, units = {claim["id"]: claim for claim in read_case(path)[0]}, vocabulary().units
    limits = references().limits
    for missing in limits:
        kept = References.of(limits={name: one for name, one in limits.items() if name != missing})
        found = audit(AuditInput(known, registry(), units, Deriver(units), kept))
        assert all(one.reference != limits[missing][1].text for one in found)


@pytest.mark.parametrize("share", some(16))
def test_what_is_remembered_changes_no_finding(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = CASES[::share]
    findings = [found_in(path) for path in cases]
    monkeypatch.setattr(Remembered, "__init__", lambda self, most=1: setattr(self, "most", 1))
    assert [tuple(judge(read_case(path)[0])) for path in cases] == findings


@generated(st.permutations(range(8)), st.sampled_from(CASES), few=15)
def test_order_of_claims_does_not_matter(order: list[int], path: Path) -> None:
    claims, _ = read_case(path)
    shuffled = sorted(claims, key=lambda claim: order[claims.index(claim) % 8])
    assert Counter(one.code for one in judge(shuffled)) == Counter(one.code for one in judge(claims))


def bandwidth(name: str, value: Fraction, unit: str) -> Json:
    text = str(float(value))
    quantity = {"printed": text, "value": float(value), "unit": unit}
    return completed(
        {"id": name, "subject": "accelerator/cambricon-590", "metric": "memory-bandwidth", "quantity": quantity}
    )


@generated(st.integers(1, 999), st.sampled_from(["MB/s", "GB/s", "TB/s"]), st.sampled_from([1000, 1_000_000]), few=12)
def test_slip_is_found_at_any_size_and_not_beside_it(value: int, unit: str, factor: int) -> None:
    true = bandwidth("a/one", Fraction(value * factor), unit), bandwidth("b/two", Fraction(value * factor), unit)
    slipped = judge([*true, bandwidth("a/slip", Fraction(value), unit)])
    assert [(one.code, one.claim) for one in slipped] == [("unit.slip", "a/slip")]
    assert judge([*true, bandwidth("a/near", Fraction(value) + Fraction(1, 2), unit)]) == []


@generated(st.integers(1, 999), few=12)
def test_slip_does_not_depend_on_the_unit_it_is_written_in(value: int) -> None:
    others = [bandwidth("a/one", Fraction(value), "TB/s"), bandwidth("b/two", Fraction(value) * 1000, "GB/s")]
    for text in (bandwidth("a/slip", Fraction(value), "GB/s"), bandwidth("a/slip", Fraction(value) * 1000, "MB/s")):
        assert [one.code for one in judge([*others, text])] == ["unit.slip"]


def test_the_wholes_of_a_part_are_those_that_hold_it() -> None:
    things = registry()
    facts = Facts(things, Deriver(vocabulary().units), references(), lambda _: None, lambda _: None)
    parts = {one["part"] for record in things.values() for one in record.get("parts", ())}
    assert parts and not facts.wholes("no/such-part")
    for part in parts:
        held = [record for record in things.values() if any(one["part"] == part for one in record.get("parts", ()))]
        assert list(facts.wholes(part)) == held


DIRECTION = ROOT / "tests" / "cases" / "rules" / "direction"


@generated(st.integers(2, 500), st.sampled_from(sorted(DIRECTION.glob("*-[0-9]*-against-*.yaml"))), few=15)
def test_verdict_of_a_direction_depends_on_the_ratio_alone(factor: int, path: Path) -> None:
    claims, expect = read_case(path)
    for claim in claims:
        if claim.get("metric") == "throughput":
            value = claim["quantity"]["value"] * factor
            claim["quantity"] = {**claim["quantity"], "value": value, "printed": str(value)}
    assert [one.code for one in judge(claims)] == [one["code"] for one in expect]


JUMPS = sorted((ROOT / "tests" / "cases" / "rules" / "jumps").glob("*.yaml"))


@pytest.mark.parametrize("path", JUMPS, ids=lambda path: path.stem)
def test_a_jump_depends_on_the_ratio_alone(path: Path) -> None:
    """A rate below one a second jumps as one of thousands."""
    claims, expect = read_case(path)
    for claim in claims:
        if claim["metric"] in ("throughput", "rental-price"):
            claim["quantity"] = {**claim["quantity"], "value": claim["quantity"]["value"] / 2**20}
            claim["quantity"].pop("printed", None)
    jumps = Counter(one["code"] for one in expect if one["code"].startswith("plausibility."))
    assert Counter(one.code for one in judge(claims) if one.code.startswith("plausibility.")) == jumps


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
def test_coarser_dates_hold_the_finer_ones(day: date) -> None:
    exact = span(day.isoformat())
    quarter, half = (day.month - 1) // 3 + 1, 1 if day.month < 7 else 2
    wider = [f"{day.year}-{day.month:02d}", f"{day.year}-Q{quarter}", f"{day.year}-H{half}", str(day.year)]
    spans = [exact, *map(span, wider)]
    assert all(outer[0] <= inner[0] and inner[1] <= outer[1] for inner, outer in pairwise(spans))
    assert shown(exact[0]) == day.isoformat()
    assert not disjoint(exact, spans[-1])
    assert disjoint(exact, (exact[1] + 1, exact[1] + 1))


@cache
def of_the_seeds() -> tuple[Finding, ...]:
    content = find_content(ROOT)
    return tuple(judge(read_claims(content, read_registry(content), vocabulary())))


KNOWN = yaml.safe_load((ROOT / "tests" / "cases" / "rules" / "seeds.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("code", sorted(KNOWN["found"]))
def test_known_problem_of_the_seeds_is_found(code: str) -> None:
    found = {
        name for one in of_the_seeds() if one.code == code for name in (one.claim, *(claim for claim, _ in one.claims))
    }
    assert sorted(set(KNOWN["found"][code]) - found) == []


def test_what_holds_in_the_seeds_is_not_accused() -> None:
    accused = {one.claim: one.code for one in of_the_seeds() if one.severity != "info"}
    assert {name: accused[name] for name in KNOWN["holds"] if name in accused} == {}


def test_accusations_of_the_seeds_are_exactly_those_reviewed() -> None:
    reviewed = {(code, claim) for code, claims in KNOWN["accused"].items() for claim in claims}
    assert {(one.code, one.claim) for one in of_the_seeds() if one.severity != "info"} == reviewed


def test_references_name_things_and_metrics_that_exist() -> None:
    found = references()
    things = (
        {subject for subject, _ in found.figures}
        | set(found.moments)
        | set(found.predecessors)
        | set(found.result_units)
        | {one for rules in found.result_units.values() for rule in rules for one in rule.rounds | rule.scenarios}
    )
    things |= {before for before, _ in found.predecessors.values()}
    assert sorted(things - set(registry())) == []
    assert sorted({metric for _, metric in found.figures} - set(vocabulary().metrics)) == []


def test_references_of_the_wrong_form_are_refused_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "ontology").mkdir()
    (tmp_path / "ontology" / "references.yaml").write_text(
        "sources:\n  a: {publisher: A, document: B}\nfigures:\n"
        "- {subject: x/y, metric: power, value: ten, unit: W, source: a, locator: c}\n"
        "- {subject: x/y, metric: power, value: '10', unit: W, source: b, locator: c}\n",
        encoding="utf-8",
    )
    with pytest.raises(Mistakes) as refused:
        read_references(Content(tmp_path), vocabulary().units)
    assert "references.yaml:4" in str(refused.value)
    assert "references.yaml:5" in str(refused.value)


def test_a_ground_that_is_lost_and_the_impact_of_its_correction_are_one_judgement() -> None:
    given_seeds = seeds()
    units = given_seeds.vocabulary.units
    found = audit(AuditInput(given_seeds.claims, registry(), units, given_seeds.deriver, references()))
    study = ImpactStudy(given_seeds.claims, units, given_seeds.covers, given_seeds.better)
    turned = {one.claim: None for one in found if one.code == "direction.contradicted"}
    # only the roots: what is computed from them follows, and is judged by whether it stands for whole systems
    roots = corrections_of(one for one in found if one.code == "arithmetic.inconsistent")
    outcomes = {one.claim: one.outcome for one in study.of({**turned, **roots}).affected}
    refuted = {one.claim for one in found if one.code == "direction.ground-refuted"}
    weakened = {one.claim for one in found if one.code.endswith(("partly-refuted", "mostly-refuted"))}
    assert refuted and {outcomes[name] for name in refuted} <= {"falls", "reverses"}
    assert weakened and {outcomes[name] for name in weakened} <= {"weakens", "survives"}


def test_every_code_of_a_finding_has_a_class() -> None:
    codes = read_codes(find_content(ROOT))
    assert {name.partition(".")[0] for name, one in codes.items() if one.of == "finding"} <= set(FINDING_CLASS)


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("2024-07-31", "was released on 2024-07-31"),
        ("2024-08-01", "was released on 2024-08-01"),
        ("2024-07-30", "was released on 2024-07-30, 1 day before the end of that period"),
    ],
)
def test_days_are_counted_to_the_end_of_a_period_where_there_are_any(moment: str, told: str) -> None:
    claim = completed(
        {
            "id": "a/one",
            "kind": "qualitative",
            "statement": "s",
            "direction": "present",
            "subject": "accelerator/amd-mi300x",
            "metric": "adoption",
            "as_of": "2024-07",
        }
    )
    released = Moment("accelerator/amd-mi300x", "released", moment, ReferenceCitation("AMD", "a page", "a line"))
    units = vocabulary().units
    known = AuditInput({"a/one": claim}, registry(), units, Deriver(units), References.of(moments=[released]))
    (found,) = (one for one in audit(known) if one.code == "chronology.before-launch")
    assert found.message.endswith(told)


def test_the_name_of_a_finding_on_a_whole_does_not_depend_on_its_processors() -> None:
    claims, _ = read_case(ROOT / "tests" / "cases" / "rules" / "whole" / "superchip-with-the-power-of-one-gpu.yaml")
    (found,) = (one for one in judge(claims) if one.code == "whole.below-parts")
    assert found.id.endswith("whole.below-parts-1")


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ("chronology/less-than-half-a-year", "a/interval"),
        ("entries/an-id-of-two-systems", "b/one"),
        ("formats/column-with-and-without-sparsity", "a/h"),
        ("multiples/two-savings-of-one-chip", "a/energy"),
        ("units/header-of-samples-over-tokens", "a/two"),
        ("units/mixed-at-ten-times", "a/two"),
    ],
)
def test_every_claim_that_is_as_doubtful_as_the_first_is_named_however_many_there_are(case: str, name: str) -> None:
    claims, _ = read_case(ROOT / "tests" / "cases" / "rules" / f"{case}.yaml")
    (one,) = (claim for claim in claims if claim["id"] == name)
    alike = [{**one, "id": f"{name}.{number:03d}"} for number in range(210)]
    findings = judge([*claims, *alike])
    doubted = {claim for finding in findings for claim, role in finding.claims if is_doubted(finding.code, role)}
    assert {claim["id"] for claim in alike} <= doubted


@pytest.mark.parametrize("count", [1, 12, 13, 20])
def test_a_finding_on_many_grounds_counts_them_all_and_names_twelve(count: int) -> None:
    claims, _ = read_case(ROOT / "tests" / "cases" / "rules" / "grounds" / "value-for-money-without-a-cost.yaml")
    (fast, pays) = (one for one in claims if one["id"] in ("a/fast", "a/pays"))
    grounds = [{**fast, "id": f"a/fast.{number:02d}"} for number in range(count)]
    inputs = {one["id"]: {"claim": one["id"], "role": "supporting"} for one in grounds}
    pays["derivations"] = [{"expression": "rests-on", "inputs": inputs}]
    (found,) = (one for one in judge([*grounds, pays]) if one.code == "direction.ground-without-cost")
    assert f"rests on {count} statement" in found.message
    assert found.claims == (("a/pays", "conclusion"), *((one["id"], "ground") for one in grounds[:12]))


def result(name: str, value: float, *, normaliser: str = "per-chip", **more: Json) -> Json:
    """A result of Llama 2 70B on one kind of card."""
    conditions = {"task": "task/mlperf-llama2-70b-99", "division": "division/closed", "accelerators": 8}
    return completed(
        {
            "id": f"a/{name}",
            "kind": "measurement",
            "subject": "accelerator/nvidia-h100-sxm-80gb",
            "metric": "throughput",
            "normaliser": normaliser,
            "asserted_by": "org/dell",
            "quantity": {"value": value, "unit": "token/s"},
            "conditions": {**conditions, "round": "round/mlperf-inference-v4.1", **more.pop("conditions")},
            **more,
        }
    )


def test_the_price_of_a_machine_is_held_against_what_one_accelerator_costs_elsewhere() -> None:
    """The cell of the machine is wrong and that of one accelerator is right: the former is named, though the latter is divided from it."""
    offers = {f"offer/{name}": 8 if name == "odd" else 1 for name in ("one", "two", "three", "odd")}
    things = {
        name: {"id": name, "count": count, "of": "accelerator/nvidia-h100-sxm-80gb"} for name, count in offers.items()
    }
    known = {
        **registry(),
        **{name: {"record": "entity", "kind": "offer", "label": name, **one} for name, one in things.items()},
    }
    claims = [
        completed(
            {
                "id": f"a/{name.partition('/')[2]}",
                "kind": "price",
                "subject": name,
                "level": "offer",
                "metric": "rental-price",
                "normaliser": "total",
                "quantity": {"value": 320 if count > 1 else 3 + len(name) / 10, "unit": "USD/h"},
                "conditions": {"provider": "org/oracle", "term": "on-demand", "offer": name},
            }
        )
        for name, count in offers.items()
    ]
    units = vocabulary().units
    found = audit(AuditInput({one["id"]: one for one in claims}, known, units, Deriver(units), references()))
    assert [(one.code, one.claim) for one in found if one.severity != "info"] == [("plausibility.jump-prices", "a/odd")]


def test_a_total_put_right_by_a_loader_is_as_doubtful_as_the_rate_that_nobody_is_near() -> None:
    claims, _ = read_case(ROOT / "tests" / "cases" / "rules" / "jumps" / "a-corrected-figure-far-from-two-others.yaml")
    (far,) = (one for one in judge(claims) if one.code == "plausibility.far-from-submitters")
    assert is_doubted(far.code, dict(far.claims)["a/total"]) and not is_doubted(far.code, dict(far.claims)["b/one"])


def test_the_printed_total_behind_a_result_that_jumps_is_in_doubt_with_it() -> None:
    """Whoever traces what is printed learns no less than whoever traces what is computed from it."""
    served, offline = {"scenario": "scenario/server"}, {"scenario": "scenario/offline"}
    inputs = {"total": {"claim": "a/total"}, "accelerators": {"constant": 8, "unit": "count:gpu"}}
    shared = [{"expression": "total / accelerators", "inputs": inputs}]
    claims = [
        result("total", 150, normaliser="total", conditions=served),
        result("server", 18.75, conditions=served, derivations=shared),
        result("offline", 2500, conditions=offline),
        result("later", 2600, conditions={**offline, "round": "round/mlperf-inference-v5.0"}),
    ]
    (jump,) = (one for one in judge(claims) if one.code == "plausibility.jump-scenarios")
    assert jump.claims == (
        ("a/server", "suspect"),
        ("a/total", "doubtful: same side"),
        ("a/offline", "other side"),
    )
    assert jump.message == "the result is 1/133.3 of the result of the same round under Offline"
