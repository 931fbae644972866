"""A question of the embedded RDF engine ends, though the engine cannot be stopped from inside."""

import os
import queue
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pyoxigraph
import pytest

from kg.session import open_graph
from kg.stores import patience
from kg.stores.oxigraph import OxigraphStore, QueryRefused
from kg.stores.protocol import DeadlinePassed

_PAIRS = "WHERE { ?a ?p ?b . ?c ?q ?d FILTER(?b < ?d && ?b + ?d < 0) }"
"""Four million of them take seconds; more would keep the machine busy after the tests."""


@pytest.fixture
def store() -> OxigraphStore:
    engine = pyoxigraph.Store()
    ends = (pyoxigraph.NamedNode("https://example.org/a"), pyoxigraph.NamedNode("https://example.org/b"))
    engine.extend(pyoxigraph.Quad(*ends, pyoxigraph.Literal(number)) for number in range(2_000))
    return OxigraphStore(engine)


def test_a_question_ends_when_the_patience_does(store: OxigraphStore) -> None:
    store.timeout_seconds = 0.1
    began = time.monotonic()
    with pytest.raises(DeadlinePassed, match=r"no answer after 0\.1 s"):
        store.select(f"SELECT (COUNT(*) AS ?n) {_PAIRS}")
    assert time.monotonic() - began < 10
    store.timeout_seconds = 60
    assert store.select("SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c }").rows == ((2_000,),)


def test_a_time_that_is_given_counts_before_the_patience(store: OxigraphStore) -> None:
    with pytest.raises(DeadlinePassed, match=r"no answer after 0\.1 s"):
        store.select(f"SELECT (COUNT(*) AS ?n) {_PAIRS}", timeout_seconds=0.1)
    with pytest.raises(DeadlinePassed, match=r"no answer after 0\.1 s"):
        store.graph(f"CONSTRUCT {{ ?a ?p ?d }} {_PAIRS}", timeout_seconds=0.1)


def test_what_the_engine_refuses_is_raised_where_it_was_asked(store: OxigraphStore) -> None:
    for text in ("SELECT nothing", "SELECT (<https://example.org/none>(?c) AS ?n) WHERE { ?a ?b ?c }"):
        with pytest.raises(QueryRefused):
            store.select(text)


def test_many_questions_take_few_threads_and_eight_at_once_each_get_their_own_answer(store: OxigraphStore) -> None:
    for _ in range(50):
        store.select("ASK { ?a ?b 7 }")
    wrong: list[int] = []

    def ask(number: int) -> None:
        for one in range(number * 100, number * 100 + 50):
            rows = store.select(f"SELECT ?c WHERE {{ ?a ?b ?c FILTER(?c = {one}) }}").rows
            if rows != ((one,),):
                wrong.append(one)

    askers = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert wrong == []
    assert sum(one.name.startswith("kg question") for one in threading.enumerate()) < 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_asks_with_threads_of_its_own(store: OxigraphStore) -> None:
    store.select("ASK { ?a ?b 7 }")
    child = os.fork()
    if child == 0:
        store.timeout_seconds = 20
        os._exit(0 if store.select("ASK { ?a ?b 7 }").rows == ((True,),) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_saved_question_without_a_time_ends_too(shipped_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_graph(shipped_store) as graph:
        assert isinstance(graph.store, OxigraphStore)
        # an engine that never answers: on a busy machine a quick answer is there before the shortest time is over
        nobody = SimpleNamespace(given=queue.SimpleQueue())
        monkeypatch.setattr(patience, "_idle", [nobody, nobody])
        graph.store.timeout_seconds = 0.05
        with pytest.raises(DeadlinePassed):
            graph.ask("specifications/all-claims", thing="accelerator/nvidia-h100-sxm")


@pytest.mark.parametrize("seconds", [1e10, float("inf")])
def test_a_question_may_be_given_any_long_time(seconds: float) -> None:
    assert patience.in_time(lambda: 5, seconds) == 5
