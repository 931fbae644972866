"""Findings of groups: what is known of the five documents, and the laws of grouping."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import strategies as st

from kg.audit import conflicts
from kg.audit.audit import AuditInput, audit
from kg.audit.comparable import ComparableFigure
from kg.audit.conflicts import ALL_PAIRS, ConflictAudit
from kg.audit.finding import Finding
from kg.audit.pair import Judgement, judge
from kg.audit.subjects import Subjects
from kg.audit.typo_explanations import swapped, typo_explanations
from kg.content.codes import read_codes
from kg.content.references import read_references
from kg.model.derived import Deriver
from kg.model.interval import Interval
from kg.model.reference import References
from tests.audit.conflict_cases import DERIVER, REGISTRY, claim
from tests.audit.seeds import seeds
from tests.sampling import generated

Json = Any


@cache
def found_in_seeds() -> tuple[Finding, ...]:
    given = seeds()
    return tuple(conflict_findings(given.claims, given.registry.records, given.deriver))


def conflict_findings(claims: Mapping[str, Json], registry: Mapping[str, Json], deriver: Deriver) -> list[Finding]:
    found = audit(AuditInput(claims, registry, seeds().vocabulary.units, deriver, References.of()))
    return [one for one in found if one.code.startswith("conflict.")]


def holding(code: str, *names: str) -> Finding:
    """The one finding of a code that names all these claims."""
    some = [one for one in found_in_seeds() if one.code == code and set(names) <= {name for name, _ in one.claims}]
    assert len(some) == 1, [one.message for one in some]
    return some[0]


KNOWN = [
    (
        "conflict.conflict",
        [
            "004/bandwidth.h200",
            "004/bandwidth.h200.5-3",
            "002/report.h200.memory-bandwidth",
            "002/author.h200.memory-bandwidth",
            "002/spec.h200-sxm-141gb.memory-bandwidth",
        ],
    ),
    ("conflict.possible", ["004/bandwidth.h200", "004/iteration.h200.memory-bandwidth", "004/bandwidth.h200.5-3"]),
    ("conflict.possible", ["000/mlperf.range.h100", "004/app.nvl72.efficiency-30x"]),
    ("conflict.possible", ["004/comp.mi300x.fp16"]),
    ("conflict.conflict", ["002/spec.gb200-superchip.tdp", "004/power.gb200"]),
    ("conflict.possible", ["004/compute.h200.fp8", "004/compute.h200.fp8.32"]),
    ("conflict.possible", ["004/compute.b200.fp8", "004/iteration.b200.fp8-compute"]),
    ("conflict.possible", ["003/price.rack", "001/price.gb200-nvl72-rack", "001/capex.gb200-nvl72-rack"]),
    ("conflict.explained", ["001/price.h100-server", "001/capex.h100-server"]),
    ("conflict.possible", ["004/challenge.nvidia.market-share-global", "004/rivalry.nvidia.market-share-2025"]),
    (
        "conflict.conflict",
        [
            "001/llama3-70b.accelerators.max",
            "001/llama3-70b.accelerators.bf16-max",
            "001/llama3-70b.accelerators.energy-max",
        ],
    ),
    ("conflict.conflict", ["004/challenge.china.budget-200b", "004/challenge.quoted.budget-20b"]),
    (
        "conflict.possible",
        [
            "004/app.h200.llama-2-70b-speed",
            "004/costopt.h200.inference-performance",
            "004/selection.h200.inference-over-h100",
        ],
    ),
    ("conflict.restated-differently", ["004/costopt.gpt35.cost-2025", "004/app.trend.inference-cost-2024"]),
    ("conflict.possible", ["004/selection.cuda.frameworks", "004/comp.h200.frameworks", "004/comp.b200.frameworks"]),
    ("conflict.restated-differently", ["004/comp.mi300x.llama-2-throughput", "004/app.mi300x.throughput"]),
    ("conflict.agree", ["002/author.h200.memory-bandwidth", "004/bandwidth.h200"]),
]


@pytest.mark.parametrize(("code", "names"), KNOWN, ids=lambda value: value if isinstance(value, str) else value[0])
def test_known_case_comes_out(code: str, names: list[str]) -> None:
    finding = holding(code, *names)
    assert len({role for _, role in finding.claims}) > 1 or code == "conflict.agree"


def test_seeds_hold_no_other_conflict() -> None:
    counts = Counter((one.code, one.severity) for one in found_in_seeds())
    assert counts["conflict.conflict", "violation"] == 6
    assert counts["conflict.possible", "warning"] == 11
    assert len({one.id for one in found_in_seeds()}) == len(found_in_seeds())


def test_what_is_at_odds_is_not_explained_beside_a_third() -> None:
    accused = {name for one in found_in_seeds() if one.code == "conflict.conflict" for name, _ in one.claims}
    explained = {name for one in found_in_seeds() if one.code == "conflict.explained" for name, _ in one.claims}
    assert accused and not accused & explained


def test_a_mean_over_submissions_is_not_set_against_one_of_them() -> None:
    means = {name for name, one in seeds().claims.items() if one.get("statistic") == "mean"}
    for one in found_in_seeds():
        if one.code.startswith(("conflict.explained", "conflict.possible")):
            names = {name for name, _ in one.claims}
            assert not names & means or names <= means, one.message


def test_what_a_figure_is_of_is_asked_for_before_its_conditions() -> None:
    finding = holding("conflict.possible", "002/author.b200-h200.sdxl", "004/app.b200.efficiency-300")
    asked = finding.message.partition("to know ")[2]
    assert "(normaliser)" in asked and asked.index("(normaliser)") < asked.index("(modality)")


def test_message_names_values_speakers_and_what_is_open() -> None:
    finding = holding("conflict.possible", "003/price.rack")
    assert "$3.1M (SemiAnalysis in 001)" in finding.message
    assert "$10M" in finding.message
    assert {"buyer"} <= set(finding.missing)
    assert "who buys" in finding.message
    assert [role for _, role in finding.claims][-1] == "value 3: $10M"


@pytest.mark.parametrize(
    "names",
    [("004/compute.h200.fp8", "004/compute.h200.fp8.32"), ("004/compute.b200.fp8", "004/iteration.b200.fp8-compute")],
)
def test_what_at_most_doubles_a_figure_is_not_asked_for_where_figures_are_further_apart(names: tuple[str, str]) -> None:
    found = holding("conflict.possible", *names)
    assert "sparsity, which no side states, cannot account for" in found.message.lower()


@pytest.mark.parametrize(
    ("values", "precision", "missing"),
    [
        ((4, 8), "precision/fp8", ("sparsity",)),
        ((4, 32), "precision/fp8", ()),
        ((4, 32), None, ("precision", "sparsity")),
    ],
)
def test_sparsity_is_asked_for_where_it_may_account_for_the_difference(
    values: tuple[int, int], precision: str | None, missing: tuple[str, ...]
) -> None:
    fields = {"metric": "peak-compute", "conditions": {"precision": precision} if precision else {}}
    claims = {
        name: claim(name, {**fields, "quantity": {"printed": str(value), "value": value, "unit": "PFLOP/s"}})
        for name, value in zip(("a/one", "b/two"), values, strict=True)
    }
    (found,) = conflict_findings(claims, REGISTRY, DERIVER)
    assert (found.code, found.missing) == ("conflict.possible", missing)


def test_equal_values_are_one_value_whatever_unit_they_are_printed_in() -> None:
    finding = holding("conflict.conflict", "004/bandwidth.h200.5-3", "002/report.h200.memory-bandwidth")
    numbers = {name: role.partition(":")[0] for name, role in finding.claims}
    same = [
        "002/author.h200.memory-bandwidth",
        "002/spec.h200-sxm-141gb.memory-bandwidth",
        "004/comp.h200.memory-bandwidth",
    ]
    assert {numbers[name] for name in same} == {"value 2"}
    assert numbers["004/bandwidth.h200.5-3"] == "value 3"


def test_slips_are_named() -> None:
    transposed = holding("conflict.conflict", "001/llama3-70b.accelerators.max")
    assert [reason.code for reason in transposed.reasons] == ["digits.transposed"]
    thousand = holding("conflict.conflict", "002/report.h200.memory-bandwidth")
    assert "factor.1000" in {reason.code for reason in thousand.reasons}
    several = holding("conflict.possible", "004/compute.h200.fp8.32", "004/compute.h200.fp8")
    assert [reason.code for reason in several.reasons] == ["multi-card-total"]


@pytest.mark.parametrize(
    ("low", "high", "metric", "digits", "codes"),
    [
        ((475, 485), (4750, 4850), "power", ("48", "48"), ["factor.10"]),
        ((475, 485), (4750, 4850), "power", ("48", "49"), []),
        ((39, 41), (319, 321), "power", ("40", "320"), []),
        ((399, 401), (3199, 3201), "power", ("400", "3200"), ["multi-card-total"]),
        ((399, 401), (3199, 3201), "price", ("400", "3200"), []),
        ((0, 1), (8, 8), "power", ("0", "8"), []),
        ((0, 0), (8, 8), "power", ("0", "8"), []),
    ],
)
def test_slip_needs_a_narrow_fit(
    low: tuple[int, int], high: tuple[int, int], metric: str, digits: tuple[str, str], codes: list[str]
) -> None:
    one, other = (Interval.hull(Interval.exactly(end) for end in ends) for ends in (low, high))
    assert [reason.code for reason in typo_explanations(one, other, metric=metric, digits=digits)] == codes


def test_swapped_digits_are_neighbours() -> None:
    assert swapped("2048", "2408")
    assert not swapped("2048", "4028")
    assert not swapped("12", "21")
    assert swapped("123", "213")
    assert not swapped("2048", "2048")
    assert not swapped("2048", "2418")


def test_severities_are_those_of_the_code_table_or_milder() -> None:
    codes = read_codes(seeds().content)
    order = ["info", "warning", "violation"]
    for one in found_in_seeds():
        assert order.index(one.severity) <= order.index(codes[one.code].severity or "info")
        assert all(reason.code in codes for reason in one.reasons)


def run(records: Iterable[Json]) -> list[Finding]:
    known = {record["id"]: record for record in records}
    return list(conflict_findings(known, REGISTRY, DERIVER))


def power(name: str, watts: int, **more: Any) -> Json:
    quantity = {"printed": str(watts), "value": watts, "unit": "W"}
    return claim(name, {"metric": "power", "normaliser": "per-chip", "quantity": quantity}, more)


values = st.lists(
    st.tuples(
        st.integers(300, 304),
        st.sampled_from(["family/h", "accelerator/h-sxm", "accelerator/h-pcie"]),
        st.sampled_from([None, "training", "inference"]),
    ),
    min_size=2,
    max_size=8,
)


def made(some: list[tuple[int, str, str | None]]) -> list[Json]:
    return [
        power(f"{'abc'[n % 3]}/{n}", watts, subject=subject, conditions={"phase": phase} if phase else {})
        for n, (watts, subject, phase) in enumerate(some)
    ]


@generated(values, st.randoms(use_true_random=False), few=30, many=150)
def test_order_of_claims_does_not_matter(some: list[tuple[int, str, str | None]], random: Any) -> None:
    records = made(some)
    shuffled = list(records)
    random.shuffle(shuffled)
    assert run(shuffled) == run(records)


@generated(values, st.data(), few=30, many=150)
def test_equal_copy_changes_no_verdict(some: list[tuple[int, str, str | None]], data: st.DataObject) -> None:
    records = made(some)
    copied = data.draw(st.sampled_from(records))
    before = run(records)
    after = run([*records, copied | {"id": copied["id"] + "x"}])
    assert [(one.code, one.verdict, one.severity) for one in after] == [
        (one.code, one.verdict, one.severity) for one in before
    ]
    assert [one.claim for one in after] == [one.claim for one in before]


def test_group_alone_gives_what_the_whole_gives() -> None:
    given = seeds()
    audit = ConflictAudit(given.registry.records, given.deriver, given.claims.get)
    touched = [one for one in given.claims.values() if audit.key(one) == audit.key(given.claims["004/bandwidth.h200"])]
    alone = list(audit.group(touched))
    names = {one["id"] for one in touched}
    assert alone == [one for one in found_in_seeds() if one.claim in names]


def test_the_total_of_several_cards_is_not_set_against_the_figure_of_one() -> None:
    given = seeds()
    known = read_references(given.content, given.vocabulary.units)
    found = audit(AuditInput(given.claims, given.registry.records, given.vocabulary.units, given.deriver, known))
    totals = {one.claim for one in found if one.code == "plausibility.multi-card" and "published" in one.message}
    named = {name for one in found if one.code.startswith("conflict.") for name, _ in one.claims}
    assert {"002/spec.h100-nvl.tdp", "002/spec.h200-nvl-141gb.tdp"} <= totals
    assert sorted(totals & named) == []


def test_series_and_its_parts_share_a_group_and_other_series_do_not() -> None:
    none: dict[str, Json] = {}
    audit = ConflictAudit(REGISTRY, DERIVER, none.get)
    keys = [
        audit.key(power("a/x", 1, subject=name))
        for name in ("superchip/g", "system/rack", "accelerator/g-gpu", "family/g")
    ]
    assert len(set(keys)) == 1
    assert audit.key(power("a/x", 1, subject="accelerator/h-sxm")) not in keys
    assert audit.key(claim("a/x", {"metric": "power"})) is None


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_large_group_finds_the_one_that_differs(order: tuple[int, ...]) -> None:
    many = [power(f"a/{n}", 700, conditions={"phase": "training", "batch": f"{n}"}) for n in range(3 * ALL_PAIRS)]
    odd = [
        power("b/conflict", 900, conditions={"phase": "training", "batch": "0"}),
        power("b/loose", 800),
        power("b/agrees", 700, conditions={"phase": "training", "batch": "1"}),
    ]
    found = run([*many, *(odd[n] for n in order)])
    conflict = next(one for one in found if one.code == "conflict.conflict")
    assert {name for name, _ in conflict.claims} == {"a/0", "b/conflict"}
    possible = next(one for one in found if one.code == "conflict.possible")
    assert {"b/loose", "a/1", "b/conflict"} <= {name for name, _ in possible.claims}
    assert [name for name, _ in next(one for one in found if one.code == "conflict.agree").claims] == [
        "a/1",
        "b/agrees",
    ]


def test_of_many_values_those_are_named_that_help_whoever_asks() -> None:
    """One figure against a thousand rows: the figure, its neighbours, and the ends; and no slip between two rows."""
    rows = [power(f"row/{n}", 3003 + 9 * n, conditions={"phase": "training", "batch": f"{n}"}) for n in range(1000)]
    found = run([*rows, power("report/figure", 7500)])
    possible = next(one for one in found if "report/figure" in dict(one.claims))
    assert {name for name, _ in possible.claims} == {"row/0", "row/499", "row/500", "row/999", "report/figure"}
    assert "7500 W (org/report in report); against 1,000 others from 3003 W" in possible.message
    assert possible.reasons == ()  # 3012 and 3021 are no slip


def test_chosen_settings_conflict_only_where_all_is_equal() -> None:
    count = {"metric": "accelerators-used", "normaliser": "total"}
    eight, many = ({"quantity": {"printed": text, "value": int(text), "unit": "count:gpu"}} for text in ("8", "64"))
    assert run([claim("a/1", count, eight), claim("b/1", count, many, {"conditions": {"phase": "training"}})]) == []
    assert [one.code for one in run([claim("a/1", count, eight), claim("b/1", count, many)])] == ["conflict.conflict"]


def test_one_text_may_give_two_levels() -> None:
    per_chip, total = power("a/1", 700), power("a/2", 5600, normaliser="total")
    assert run([per_chip, total]) == []
    assert [one.code for one in run([per_chip, power("b/2", 5600, normaliser="total")])] == ["conflict.explained"]


def test_work_grows_with_the_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hot group of figures that all differ: the pairs that are judged grow as the claims do."""

    def judged_pairs(count: int) -> int:
        seen: list[str] = []

        def counted(
            one: ComparableFigure, other: ComparableFigure, subjects: Subjects, *, are_apart: bool
        ) -> Judgement:
            seen.append(one.id)
            return judge(one, other, subjects, are_apart=are_apart)

        monkeypatch.setattr(conflicts, "judge", counted)
        many = [
            power(f"a/{n}", n + 1, conditions={"phase": "training", "batch": str(n), "date": "2024"})
            for n in range(count)
        ]
        few = [power(f"b/{n}", 10**6 + n, conditions={"operator": str(n)}) for n in range(10)]
        assert {one.code for one in run([*many, *few])} == {"conflict.possible", "conflict.explained"}
        return len(seen)

    assert 300 < judged_pairs(100) * 4 < judged_pairs(1000) < judged_pairs(100) * 12


@pytest.mark.parametrize("values", [(700, 750), (700, 700, 750), (700, 750, 800)], ids=str)
def test_a_text_that_gives_one_figure_twice_contradicts_itself(values: tuple[int, ...]) -> None:
    def given(place: int, value: int) -> Json:
        quantity = {"printed": f"{value} W", "value": value, "unit": "W"}
        return claim(f"a/{place}", {"metric": "power", "subject": "accelerator/h-sxm", "quantity": quantity})

    claims = {one["id"]: one for one in map(given, range(len(values)), values)}
    assert [one.code for one in conflict_findings(claims, REGISTRY, DERIVER)] == ["conflict.conflict"]
    alike = {name: {**one, "quantity": claims["a/0"]["quantity"]} for name, one in claims.items()}
    assert conflict_findings(alike, REGISTRY, DERIVER) == []


@pytest.mark.parametrize(
    ("unit", "one", "other", "severity"),
    [
        ("GB/s", 1555.5, 1560.5, "warning"),
        ("GB/s", 1555.5, 1700.5, "violation"),
        # what is close does not depend on how large a figure is
        ("byte/s", 1.52, 1.54, "warning"),
        ("byte/s", 1.52, 1.56, "violation"),
    ],
)
def test_figures_that_are_close_contradict_each_other_as_a_warning(
    unit: str, one: float, other: float, severity: str
) -> None:
    def given(name: str, value: float) -> Json:
        quantity = {"printed": str(value), "value": value, "unit": unit}
        return claim(name, {"metric": "memory-bandwidth", "subject": "accelerator/h-sxm", "quantity": quantity})

    claims = {each["id"]: each for each in (given("a/one", one), given("b/other", other))}
    found = conflict_findings(claims, REGISTRY, DERIVER)
    assert [(each.code, each.severity) for each in found] == [("conflict.conflict", severity)]


@pytest.mark.parametrize(
    ("other", "about"),
    [("accelerator/h-sxm", "accelerator/h-sxm"), ("family/h", "family/h")],
    ids=["same", "series"],
)
def test_message_names_the_variant_where_all_are_of_it_and_else_the_series(other: str, about: str) -> None:
    def given(name: str, subject: str, value: int) -> Json:
        quantity = {"printed": str(value), "value": value, "unit": "GB/s"}
        return claim(name, {"metric": "memory-bandwidth", "subject": subject, "quantity": quantity})

    claims = {one["id"]: one for one in (given("a/one", "accelerator/h-sxm", 1555), given("b/other", other, 1700))}
    (found,) = conflict_findings(claims, REGISTRY, DERIVER)
    assert found.message.startswith(f"memory bandwidth of {about}: 1555 GB/s (org/a in a); ")


def test_message_on_ratios_names_what_they_are_against() -> None:
    def given(name: str, value: int) -> Json:
        quantity = {"printed": f"{value}x", "value": value, "unit": "1"}
        compared = {"relation": "ratio", "baseline": "family/g", "baseline_level": "accelerator"}
        return claim(name, {"metric": "performance", "kind": "comparison", **compared, "quantity": quantity})

    claims = {one["id"]: one for one in (given("a/one", 2), given("b/other", 3))}
    (found,) = conflict_findings(claims, REGISTRY, DERIVER)
    assert found.message.startswith("performance of family/h against family/g: 2x (org/a in a); 3x ")


def test_a_figure_with_the_digits_of_a_floating_point_number_is_told_with_six() -> None:
    def given(name: str, printed: str) -> Json:
        quantity = {"printed": printed, "value": float(printed), "unit": "W"}
        return claim(name, {"metric": "power", "subject": "accelerator/h-sxm", "quantity": quantity})

    claims = {one["id"]: one for one in (given("a/one", "1200.00"), given("b/other", "10400.9988793425"))}
    (found,) = conflict_findings(claims, REGISTRY, DERIVER)
    assert "1200.00 W" in found.message and "10,401 W" in found.message and "10400.99" not in found.message


@pytest.mark.parametrize("printed", ["1307400000000000", "1307400000000000.0", "1.3074e+15"])
def test_a_figure_that_a_file_prints_as_programs_do_is_told_as_people_do(printed: str) -> None:
    def rate(name: str, text: str, value: float, unit: str) -> Json:
        quantity = {"printed": text, "value": value, "unit": unit}
        return claim(name, {"metric": "peak-compute", "subject": "accelerator/h-sxm", "quantity": quantity})

    records = (rate("a/one", printed, 1.3074e15, "FLOP/s"), rate("b/other", "957 TFLOPS", 957, "TFLOPS"))
    given = {one["id"]: one for one in records}
    (found,) = conflict_findings(given, REGISTRY, DERIVER)
    assert "957 TFLOPS" in found.message and "1,307 TFLOP/s" in found.message
    assert not any("1,307,400" in role for _, role in found.claims)


@pytest.mark.parametrize(("low", "codes"), [(0, []), (5, ["factor.1000"])])
def test_what_is_no_part_of_another_is_no_slip_of_it(low: int, codes: list[str]) -> None:
    """Of nothing, everything would be a multiple."""
    found = typo_explanations(Interval.exactly(low), Interval.exactly(5000), metric="power", digits=("5", "5000"))
    assert [one.code for one in found] == codes
