"""Every saved question gives the same rows in SPARQL and in Cypher, on every engine, and as rdflib gives them."""

import os
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from kg.ask.question import Question
from kg.ask.question_files import read_questions
from tests.equality.compared import counted, differences
from tests.equality.engines import ENGINES, Engine, Rdflib, Values
from tests.equality.random_graphs import random_graph, random_world
from tests.equality.values import declared, fruitful, offered, shared
from tests.equality.worlds import CHECKOUT, World, seeds, shipped, small

SEED = int(os.environ.get("KG_SEED", "0"))
FEW, ORDINARY = range(1), range(6)
MANY = 120
RANDOM_WORLDS = [  # the long run takes other graphs for each seed, an hour's worth for all engines and servers
    range(start, start + ORDINARY.stop) for start in range(SEED * MANY, (SEED + 1) * MANY, ORDINARY.stop)
]
SLOW_IN_RDFLIB = 100_000
"""Triples above which rdflib takes minutes; larger worlds have Oxigraph as their oracle."""


@cache
def questions() -> dict[str, Question]:
    return read_questions(CHECKOUT / "queries")


def asked(
    engines: dict[str, Engine],
    oracle: Engine,
    world: World,
    *,
    case: bool,
    times: int = 1,
    most: int | None = None,
) -> list[str]:
    """All that differs, each question asked with at most `most` values. The more `times`, the more values are drawn."""
    rng = random.Random(world.name)
    guide = engines.get("oxigraph", oracle)
    found: list[str] = []
    for question in questions().values():
        for one in islice(_values(question, world, guide, rng, case=case, times=times), most):
            found += differences(question, one, oracle, engines)
    return found


def _values(
    question: Question, world: World, guide: Engine, rng: random.Random, *, case: bool, times: int
) -> Iterator[Values]:
    """Values of the case, then those that are drawn from the world: first those that give rows."""
    if case:
        yield from declared(question)
    yield from fruitful(question, world, guide, rng, times=times)
    if times > 1 or not case:  # what is required alone, then all at once: so are the values of the case
        yield from offered(question, world, rng, times=times)
    for pairs in shared(question, world, rng, times=times).values():
        yield from pairs


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[dict[str, Engine]]:
    found: dict[str, Engine] = {}
    yield found
    for engine in found.values():
        engine.close()


@pytest.fixture(scope="module")
def of_small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Engine]]:
    """The engines with the small graph, which nobody writes to."""
    folder = tmp_path_factory.mktemp("small")
    found = load(small(), {}, folder)
    yield found
    for engine in found.values():
        engine.close()


def load(world: World, opened: dict[str, Engine], folder: Path) -> dict[str, Engine]:
    for name, make in ENGINES.items():
        opened[name] = make(world, folder / name)
    return opened


def test_every_question_is_there_in_both_languages() -> None:
    assert [name for name, one in questions().items() if one.cypher is None] == []


def test_the_small_graph_gives_the_same_rows_everywhere(of_small: dict[str, Engine]) -> None:
    """With the values of the cases, whose rows `tests/ask/test_questions.py` compares with those of rdflib."""
    assert asked({"ladybug": of_small["ladybug"]}, of_small["oxigraph"], small(), case=True) == []


@pytest.mark.long
def test_the_small_graph_gives_the_rows_of_rdflib_everywhere(of_small: dict[str, Engine]) -> None:
    assert asked(of_small, Rdflib(small()), small(), case=True, times=2) == []


@pytest.mark.parametrize("most", [2, pytest.param(None, marks=pytest.mark.long)])  # an example, and one of every value
def test_the_shipped_seeds_give_the_same_rows_everywhere(
    most: int | None, tmp_path: Path, opened: dict[str, Engine], shipped_store: Path
) -> None:
    world = shipped(shipped_store)
    load(world, opened, tmp_path)
    assert asked(opened, opened.pop("oxigraph"), world, case=True, most=most) == []


def test_random_claim_graphs_give_the_rows_of_rdflib_everywhere(tmp_path: Path, opened: dict[str, Engine]) -> None:
    """With values that give rows; rdflib takes a second for some, and the long run asks it everything."""
    world = random_world(FEW)
    assert asked(load(world, opened, tmp_path), Rdflib(world), world, case=False, most=1) == []


@pytest.mark.long
@pytest.mark.parametrize("graphs", RANDOM_WORLDS, ids=lambda graphs: str(graphs.start))
def test_many_random_claim_graphs_give_the_rows_of_rdflib_everywhere(
    graphs: range, tmp_path: Path, opened: dict[str, Engine]
) -> None:
    world = random_world(graphs)
    assert asked(load(world, opened, tmp_path), Rdflib(world), world, case=False, times=2) == []


@pytest.mark.long
def test_the_shipped_seeds_give_the_rows_of_rdflib_everywhere(tmp_path: Path, opened: dict[str, Engine]) -> None:
    assert asked(load(seeds(), opened, tmp_path), Rdflib(seeds()), seeds(), case=True, times=2) == []


def test_random_graphs_hold_what_is_hard() -> None:
    graphs = [random_graph(number) for number in ORDINARY]
    claims = [one for graph in graphs for one in graph if one["record"] == "claim"]
    ids = {one["id"] for one in claims}
    upstream = {one["id"]: [r["claim"] for r in one.get("restates", ()) if "claim" in r] for one in claims}
    assert len({one["id"] for graph in graphs for one in graph}) == sum(map(len, graphs))
    assert any(other in upstream.get(middle, ()) for other, targets in upstream.items() for middle in targets), (
        "a cycle"
    )
    assert any(target not in ids for targets in upstream.values() for target in targets), "a claim that nobody holds"
    assert {"value", "term", "date", "set", "absent"} <= {name for one in claims for name in one.get("quantity", {})}
    assert random_graph(7) == random_graph(7)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("comparisons/compare", "'a-against-b'", "'b-against-a'"),
        ("claims/card", "c.verdict AS", "c.verdict_reason AS"),
        ("disputes/same-key", "<>", "="),
        ("specifications/of-thing", "'specification'", "'measurement'"),
        ("origins/chain", "t.hop AS hop", "t.hop + 1 AS hop"),
        ("audit/findings", "f.severity IN $severity", "f.code IN $severity"),
    ],
)
def test_a_changed_question_is_noticed(name: str, old: str, new: str, of_small: dict[str, Engine]) -> None:
    question = questions()[name]
    assert question.cypher is not None and old in question.cypher
    changed = replace(question, cypher=question.cypher.replace(old, new))
    oracle, engines = of_small["oxigraph"], {"ladybug": of_small["ladybug"]}
    assert any(told for values in declared(question) for told in differences(changed, values, oracle, engines))


def test_names_that_share_things_are_asked(shipped_store: Path) -> None:
    """Equal, nested and overlapping names, in each question that takes two of them."""
    double = [one for one in questions().values() if sum(part.base_type == "name" for part in one.parameters) == 2]
    assert {one.name for one in double} == {"benchmarks/gains", "comparisons/compare"}
    curated, drawn = (
        [set(shared(one, world, random.Random(1))) for one in double]
        for world in (shipped(shipped_store), random_world(ORDINARY))
    )
    assert all({"equal", "nested"} <= kinds for kinds in curated)
    assert set().union(*curated, *drawn) == {"equal", "nested", "overlapping"}


ENDS_DIFFER = {
    "disputes/same-key": "c.canonical_value <> o.canonical_value",
    "disputes/opposite-words": "c.direction = words.one AND o.direction = words.two",
}
"""Questions that walk a relationship there and back in one MATCH, and the condition that no claim meets with itself."""


def test_no_pattern_walks_one_relationship_twice() -> None:
    """Neo4j takes each relationship once in a MATCH, Ladybug as often as wanted."""
    walked = {}
    for name, question in questions().items():
        for clause in re.split(r"\bMATCH\b", question.cypher or "")[1:]:
            pattern = re.split(r"\b(?:WHERE|WITH|RETURN|UNWIND|OPTIONAL|UNION)\b", clause)[0]
            types = re.findall(r"\[\w*:(\w+)", pattern)
            if len(set(types)) < len(types):
                walked[name] = clause
    assert walked.keys() == ENDS_DIFFER.keys()
    assert all(ENDS_DIFFER[name] in clause for name, clause in walked.items())


def test_rows_are_told_apart_by_more_than_their_number(of_small: dict[str, Engine]) -> None:
    answer = of_small["oxigraph"].ask(questions()["names/keys"], {})
    other = replace(answer, rows=answer.rows[1:] + answer.rows[:1])
    assert counted(answer) == counted(other)
    assert counted(answer) != counted(replace(answer, rows=answer.rows[:-1] + answer.rows[:1]))
