"""Rows are sorted here as the engine would have sorted them."""

import random
from pathlib import Path

import pytest

from kg.ask.bind import bind
from kg.ask.question import ValueRefused
from kg.ask.run import ColumnsDiffer, ask, typed
from kg.stores.protocol import Answer
from tests.equality.compared import counted
from tests.equality.engines import Engine, ladybug, oxigraph
from tests.equality.random_graphs import random_world
from tests.equality.test_equality import questions
from tests.equality.values import declared, fruitful, offered
from tests.equality.worlds import World, small
from tests.sampling import FURTHER, each_once

WORLDS = ("small", "random")


@pytest.fixture(scope="module", params=WORLDS)
def loaded(request: pytest.FixtureRequest) -> tuple[World, Engine]:
    world = small() if request.param == "small" else random_world(range(3))
    return world, oxigraph(world, Path())


@pytest.mark.parametrize(("name", "loaded"), each_once(sorted(questions()), WORLDS), indirect=["loaded"])
def test_the_order_is_that_of_the_engine(name: str, loaded: tuple[World, Engine]) -> None:
    question, (world, engine) = questions()[name], loaded
    rng = random.Random(name)
    assert "ORDER BY" not in question.sparql + (question.cypher or ""), "the order stands in the header"
    keys = [question.column_names.index(column) for column, _ in question.order]
    for values in [
        *declared(question),
        *offered(question, world, rng),
        *fruitful(question, world, engine, rng, times=1),
    ]:
        sorted_here = ask(engine.store, question, values)
        by_engine = typed(engine.store.select(bind(question, values)), question)
        assert [[row[key] for key in keys] for row in sorted_here.rows] == [
            [row[key] for key in keys] for row in by_engine.rows
        ]
        assert counted(sorted_here) == counted(by_engine)


def test_a_limit_gives_the_first_rows(loaded: tuple[World, Engine]) -> None:
    engine, cut_ones = loaded[1], 0
    for question in questions().values():
        keys = [question.column_names.index(column) for column, _ in question.order]
        for values in declared(question):
            whole, cut = ask(engine.store, question, values), ask(engine.store, question, values, limit=2)
            assert [[row[key] for key in keys] for row in cut.rows] == [
                [row[key] for key in keys] for row in whole.rows[:2]
            ]
            assert cut.complete == (len(whole.rows) <= 2)
            cut_ones += not cut.complete
    assert cut_ones > 10


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=FURTHER)], ids=["some", "all"])
def test_a_limit_in_cypher_gives_the_first_rows_nulls_before_all(tmp_path: Path, step: int) -> None:
    engine = ladybug(small(), tmp_path)
    cut_ones = 0
    for question in [one for _, one in sorted(questions().items())][::step]:
        keys = [question.column_names.index(column) for column, _ in question.order]
        for values in declared(question):
            whole, cut = ask(engine.store, question, values), ask(engine.store, question, values, limit=2)
            assert [[row[key] for key in keys] for row in cut.rows] == [
                [row[key] for key in keys] for row in whole.rows[:2]
            ], question.name
            cut_ones += not cut.complete
    engine.close()
    assert cut_ones > 10 / step


def test_a_cell_of_another_type_is_refused() -> None:
    question = questions()["names/keys"]
    with pytest.raises(ColumnsDiffer, match=r"names/keys\.entity"):
        typed(Answer(question.column_names, (("a", "b"), ("c", 1.5))), question)


def test_a_value_that_no_engine_takes_is_refused_beside_an_empty_list_too(tmp_path: Path) -> None:
    question = questions()["audit/findings"]
    for engine in (oxigraph(small(), tmp_path / "rdf"), ladybug(small(), tmp_path)):
        with pytest.raises(ValueRefused):
            ask(engine.store, question, {"severity": ["x" * 3000], "source": []})
        engine.close()


@pytest.mark.parametrize("language", ["sparql", "cypher"])
def test_prices_of_a_thing_are_rows_of_it_alone(tmp_path: Path, language: str) -> None:
    """A price of several things has a row for each: who asks for one of them is not shown the others."""
    world, question = random_world(range(3)), questions()["prices/claims"]
    engine = oxigraph(world, tmp_path) if language == "sparql" else ladybug(world, tmp_path)
    metrics = sorted({one["metric"] for one in world.records if one["record"] == "claim" and "metric" in one})
    claim, subject = question.column_names.index("claim"), question.column_names.index("subject")
    every = ask(engine.store, question, {"metric": metrics}).rows
    several = [row for row in every if sum(row[claim] == other[claim] for other in every) > 1]
    assert several
    for row in several:
        rows = ask(engine.store, question, {"metric": metrics, "subjects": [row[subject]]}).rows
        assert [other[claim] for other in rows] == [other[claim] for other in every if other[subject] == row[subject]]
        assert {other[subject] for other in rows} == {row[subject]}
    engine.close()
