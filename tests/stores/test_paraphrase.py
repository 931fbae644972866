"""Queries in plainer words give the rows of the query, and a query of another shape stays as it is."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.ask.bind import bind
from kg.stores.paraphrase import paraphrase
from kg.stores.protocol import Answer
from tests.equality.compared import counted
from tests.equality.engines import Engine, oxigraph
from tests.equality.random_graphs import random_world
from tests.equality.test_equality import questions
from tests.equality.values import declared, fruitful, offered
from tests.equality.worlds import World, small

CHANGED = [name for name, one in questions().items() if paraphrase(one.sparql).texts != (one.sparql,)]


@pytest.fixture(scope="module", params=["small", "random"])
def loaded(request: pytest.FixtureRequest) -> Iterator[tuple[World, Engine]]:
    world = small() if request.param == "small" else random_world(range(3))
    engine = oxigraph(world, Path())
    yield world, engine
    engine.close()


def plainly(text: str, engine: Engine) -> Answer:
    plain = paraphrase(text)
    return plain.together([engine.store.select(one) for one in plain.texts])


@pytest.mark.parametrize("name", CHANGED)
def test_plainer_words_give_the_same_rows_in_the_same_order(name: str, loaded: tuple[World, Engine]) -> None:
    question, (world, engine) = questions()[name], loaded
    rng = random.Random(name)
    asked_for = [*declared(question), *offered(question, world, rng), *fruitful(question, world, engine, rng, times=1)]
    for number, values in enumerate(asked_for):
        for limit in (None, 2) if number == 0 else (None,):
            text = bind(question, values, limit=limit)
            asked, plain = engine.store.select(text), plainly(text, engine)
            keys = [place for place, column in enumerate(asked.columns) if column in dict(paraphrase(text).order)]
            by_key = [[row[key] for key in keys] for row in asked.rows]
            assert [[row[key] for key in keys] for row in plain.rows] == by_key
            assert len(plain.rows) == len(asked.rows)
            if limit is None:
                assert counted(plain) == counted(asked), values


def test_the_questions_that_need_it_are_put_plainly() -> None:
    texts = [text for name in CHANGED for text in paraphrase(questions()[name].sparql).texts]
    assert {"audit/involved", "claims/figure", "claims/findings", "comparisons/compare"} <= set(CHANGED)
    assert len(paraphrase(questions()["comparisons/compare"].sparql).texts) == 2
    for name in ("comparisons/compare", "audit/involved"):
        assert "UNION" in questions()[name].sparql
        assert not any("UNION" in text for text in paraphrase(questions()[name].sparql).texts)
    assert [one for text in texts for one in paraphrase(text).texts] == texts, "what is plain stays"


@pytest.mark.parametrize(
    "text",
    [
        "ASK { ?a ?b ?c }",
        "CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c OPTIONAL { ?c ?d ?e OPTIONAL { ?e ?f ?g } } }",
        "SELECT * { ?a ?b ?c OPTIONAL { ?c ?d ?e OPTIONAL { ?e ?f ?g } } }",
        "SELECT ?a (COUNT(?c) AS ?n) { ?a ?b ?c OPTIONAL { ?c ?d ?e OPTIONAL { ?e ?f ?g } } } GROUP BY ?a",
        "SELECT ?g { ?a ?b ?c OPTIONAL { ?c ?d ?e FILTER(?e > 1) OPTIONAL { ?e ?f ?g } } }",
        "SELECT ?g { ?a ?b ?c OPTIONAL { ?c ?d ?e OPTIONAL { ?e ?f ?g } ?e ?h ?i } }",
        "SELECT ?g { ?a ?b ?g OPTIONAL { ?b ?d ?e OPTIONAL { ?e ?f ?g } } }",
        "SELECT ?g { ?a ?b ?c OPTIONAL { ?b ?d ?e OPTIONAL { ?e ?f ?g } OPTIONAL { ?e ?h ?g } } }",
        "SELECT ?a { { ?a <p> ?b } UNION { ?a <q> ?b } OPTIONAL { ?a <r> ?c } }",
        "SELECT DISTINCT ?a { { ?a <p> ?b } UNION { ?a <q> ?b } OPTIONAL { ?a <r> ?c } } ORDER BY STRLEN(?a)",
        "SELECT ?a { ?a ?b '{ OPTIONAL { OPTIONAL {' }",
        "SELECT ?a { ?a ?b ?c } }",
        "no query at all {",
    ],
)
def test_a_query_of_another_shape_stays_as_it_is(text: str) -> None:
    assert paraphrase(text).texts == (text,)


def test_strings_and_comments_are_no_braces() -> None:
    start, rest = "SELECT ?c { ?x <q#x> '} OPTIONAL {'", "?y <r> ?b OPTIONAL { ?b <s> ?c }"
    (plain,) = paraphrase(f"{start} # {{{{{{\n OPTIONAL {{ {rest} }} }}").texts
    assert plain.startswith(f"{start} \n OPTIONAL {{ ?y <r> ?b }} OPTIONAL {{ ?y <r> ?b . ?b <s> ?c_given }} BIND(")
