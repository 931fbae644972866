"""Where the chains of citations end: one case a file, and laws."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.audit import AuditInput
from kg.audit.chains import MOST_HOPS, MOST_STEPS, Step, Texts, _once, step_record
from kg.content.references import read_references
from kg.projection.derived import derived_lines
from tests.audit.seeds import CHECKOUT, citations, claim, derivations, seeds

CASES = sorted((CHECKOUT / "tests" / "cases" / "chains").glob("*.yaml"))
LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16)


def ends_of(steps: Iterable[Step]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for step in steps:
        if step.end_state is not None:
            found.setdefault(step.claim, set()).add(step.end_state)
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_steps(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    claims = {name: claim(name, **fields) for name, fields in case["claims"].items()}
    steps = [
        [step.claim, step.hop, step.reaches, step.via, step.end_state]
        for step in citations(claims, Texts(case["sources"], case["agents"]))
        if step.claim == case.get("only", step.claim)
    ]
    assert steps == case["steps"]


def linked(links: list[tuple[int, int]]) -> dict[str, Any]:
    restates: dict[int, list[dict[str, str]]] = {}
    for one, other in links:
        restates.setdefault(one, []).append({"claim": f"x/{other}"})
    return {f"x/{n}": claim(f"x/{n}", restates=restates.get(n)) for n in range(8)}


@given(LINKS)
def test_a_chain_is_circular_exactly_where_a_circle_is_reached(links: list[tuple[int, int]]) -> None:
    claims = linked(links)
    reach = {n: {other for one, other in links if one == n} for n in range(8)}
    for _ in range(8):
        reach = {n: found.union(*(reach[m] for m in found)) for n, found in reach.items()}
    ends = ends_of(citations(claims))
    for n in range(8):
        assert ("circular" in ends.get(f"x/{n}", ())) == any(m in reach[m] for m in reach[n])


@given(LINKS)
def test_every_claim_that_repeats_has_an_end_and_no_row_is_about_another(links: list[tuple[int, int]]) -> None:
    claims = linked(links)
    steps = list(citations(claims))
    assert set(ends_of(steps)) == {name for name, record in claims.items() if record.get("restates")}
    assert all(step.hop >= 1 for step in steps)


def test_a_step_is_written_with_its_end_only_where_it_has_one() -> None:
    claims = {
        "x/a": claim("x/a", restates=[{"claim": "x/b"}]),
        "x/b": claim("x/b", restates=[{"source": "unresolved/u"}]),
    }
    texts = list(derived_lines(map(step_record, citations(claims))))
    assert ["endState" in text for text in texts] == [False, True, True]
    assert "id/claim/x/b" in texts[0] and "id/unresolved/u" in texts[1]


def test_the_passage_of_semianalysis_ends_in_document_001() -> None:
    given_seeds, texts = seeds(), seeds().texts
    ends = ends_of(citations(given_seeds.claims, texts))
    frontier = [name for name in given_seeds.claims if name.startswith("000/frontier.")]
    assert len(frontier) == 8 and all(ends[name] == {"primary"} for name in frontier)
    assert ends["000/mistral.heading"] == {"unopened"}
    assert ends["004/power.b200.again"] == {"no-source"}


def test_inputs_are_followed_to_any_depth_once() -> None:
    def used(*names: str) -> list[Any]:
        return [
            {
                "expression": "+",
                "inputs": {**{name: {"claim": name} for name in names}, "k": {"constant": 2, "unit": "1"}},
            }
        ]

    claims = {
        "x/a": claim("x/a", derivations=used("x/b", "x/c")),
        "x/b": claim("x/b", derivations=used("x/c", "x/a")),
        "x/c": claim("x/c"),
    }
    steps = [(step.claim, step.hop, step.reaches, step.via) for step in derivations(claims)]
    assert steps == [
        ("x/a", 1, "x/b", "derived-from"),
        ("x/a", 1, "x/c", "derived-from"),
        ("x/b", 1, "x/c", "derived-from"),
        ("x/b", 1, "x/a", "derived-from"),
    ]


def test_what_a_repeated_claim_was_computed_from_is_reached_too() -> None:
    def sum_of(name: str) -> list[Any]:
        return [{"expression": "+", "inputs": {"a": {"claim": name}, "k": {"constant": 2, "unit": "1"}}}]

    claims = {
        "x/title": claim("x/title", same_as="x/sum"),
        "x/sum": claim("x/sum", derivations=sum_of("x/copied")),
        "x/copied": claim("x/copied", restates=[{"claim": "x/first", "fidelity": "identical"}]),
        "x/first": claim("x/first"),
    }
    steps = [(step.claim, step.hop, step.reaches, step.via) for step in derivations(claims)]
    assert steps == [
        ("x/title", 2, "x/copied", "derived-from"),
        ("x/title", 3, "x/first", "restates"),
        ("x/sum", 1, "x/copied", "derived-from"),
        ("x/sum", 2, "x/first", "restates"),
    ]


def test_a_source_that_several_inputs_repeat_is_reached_once() -> None:
    inputs = {name: {"claim": f"x/{name}"} for name in ("one", "two")}
    cited = [{"source": "source/cited", "fidelity": "identical"}]
    claims = {
        "x/sum": claim("x/sum", derivations=[{"expression": "one + two", "inputs": inputs}]),
        "x/one": claim("x/one", restates=cited),
        "x/two": claim("x/two", restates=cited),
    }
    texts = Texts({"source/cited": {"id": "source/cited", "record": "entity", "kind": "source"}})
    steps = [(step.claim, step.hop, step.reaches, step.via, step.end_state) for step in derivations(claims, texts)]
    assert steps == [
        ("x/sum", 1, "x/one", "derived-from", None),
        ("x/sum", 2, "source/cited", "restates", "primary"),
        ("x/sum", 1, "x/two", "derived-from", None),
    ]


def test_steps_that_differ_in_their_end_only_are_one_with_the_end() -> None:
    plain = Step("1/a", 2, "1/b", True, "restates", "identical")
    ended = plain._replace(end_state="circular")
    for steps in ([plain, ended], [ended, plain], [plain, ended, plain]):
        assert list(_once(steps)) == [ended]


def test_a_hop_that_is_cited_and_computed_stands_once_with_its_end() -> None:
    """A claim that repeats and uses the same one, which repeats a claim that nobody has, had the last hop twice."""
    rests = {"expression": "rests-on", "inputs": {"ground": {"claim": "x/a"}}}
    claims = {
        "x/a": claim("x/a", restates=[{"claim": "y/nobody", "fidelity": "rounded"}]),
        "x/b": claim("x/b", same_as="x/a", derivations=[rests]),
    }
    given_seeds = seeds()
    units = given_seeds.vocabulary.units
    references = read_references(given_seeds.content, units)
    auditor = AuditInput(claims, given_seeds.registry.records, units, given_seeds.deriver, references).auditor()
    own = auditor.own(claims["x/b"])
    steps = [*own.citations, *own.derived]
    assert len({step.key for step in steps}) == len(steps)
    assert [step.end_state for step in steps if step.reaches == "y/nobody"] == ["unopened"]


def computed(*inputs: str) -> list[dict[str, Any]]:
    return [{"expression": "rests-on", "inputs": {f"x{n}": {"claim": one} for n, one in enumerate(inputs)}}]


def test_a_chain_of_thousands_is_followed_for_some_hops_only() -> None:
    last = 3 * MOST_HOPS
    chain = {f"x/{n}": claim(f"x/{n}", derivations=computed(f"x/{n - 1}") if n else None) for n in range(last + 1)}
    steps = [one for one in derivations(chain) if one.claim == f"x/{last}"]
    assert [(one.hop, one.reaches) for one in steps] == [(hop, f"x/{last - hop}") for hop in range(1, MOST_HOPS + 1)]
    relayed = {f"x/{n}": claim(f"x/{n}", restates=[{"claim": f"x/{n - 1}"}] if n else None) for n in range(last + 1)}
    assert max(one.hop for one in citations(relayed)) == MOST_HOPS


def test_all_that_a_claim_names_itself_is_a_step_and_what_lies_below_thousands_is_not() -> None:
    named = [f"x/{n}" for n in range(MOST_STEPS + 10)]
    claims = {name: claim(name, derivations=computed("y/below")) for name in named}
    claims |= {"y/all": claim("y/all", derivations=computed(*named)), "y/below": claim("y/below")}
    steps = [one for one in derivations(claims) if one.claim == "y/all"]
    assert [one.reaches for one in steps] == named
