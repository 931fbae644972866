"""Queries of a long-lived graph have a deadline and a limit of memory, and the graph goes on afterwards."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kg.ask.question import ValueRefused
from kg.errors import KgError, StoreError
from kg.session import Graph, open_graph
from kg.stores.oxigraph import GenerationMissing, QueryRefused
from kg.stores.protocol import Answer, DeadlinePassed
from kg.stores.worker_store import WorkerStore
from tests.small_content import write_small_content

ENDLESS = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
CLAIMS = "SELECT ?c WHERE { ?c a <https://w3id.org/accelkg/ontology#Claim> }"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A content and its store, which no test here changes."""
    made = tmp_path_factory.mktemp("answering")
    open_graph(made / "store", content=write_small_content(made / "content").root).close()
    return made


@pytest.fixture
def graph(folder: Path) -> Iterator[Graph]:
    opened = open_graph(folder / "store", content=folder / "content")
    yield opened
    opened.close()


def rows(graph: Graph, text: str, **options: float | None) -> Answer:
    answer = graph.query(text, **options)  # type: ignore[arg-type]
    assert isinstance(answer, Answer)
    return answer


def test_a_query_gives_the_same_beside_this_process_and_in_it(graph: Graph) -> None:
    assert rows(graph, CLAIMS).rows
    assert sorted(rows(graph, CLAIMS).rows) == sorted(rows(graph, CLAIMS, timeout_seconds=None).rows)
    made = "CONSTRUCT WHERE { ?c a <https://w3id.org/accelkg/ontology#Claim> }"
    beside, inside = graph.query(made), graph.query(made, timeout_seconds=None)
    assert isinstance(beside, bytes) and isinstance(inside, bytes)
    assert sorted(beside.splitlines()) == sorted(inside.splitlines())


def test_a_query_that_takes_too_long_is_ended_and_the_next_one_is_answered(graph: Graph) -> None:
    with pytest.raises(DeadlinePassed):
        graph.query(ENDLESS, timeout_seconds=0.5)
    assert rows(graph, CLAIMS).rows


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_asks_processes_of_its_own(graph: Graph) -> None:
    """It waited for ever for places that threads had, of which it has none."""
    expected = rows(graph, CLAIMS)
    with ThreadPoolExecutor(4) as threads:
        late = [threads.submit(graph.query, ENDLESS, timeout_seconds=3) for _ in range(4)]
        while graph._worker is None or graph._worker._places._value:
            time.sleep(0.01)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # what waits for ever is ended by the system
            signal.alarm(30)
            os._exit(0 if graph.query(CLAIMS) == expected else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert all(isinstance(one.exception(), DeadlinePassed) for one in late)
    assert rows(graph, CLAIMS, timeout_seconds=30) == expected


def test_a_saved_question_has_a_deadline_too(graph: Graph) -> None:
    here, beside = graph.ask("meta/store"), graph.ask("meta/store", timeout_seconds=30)
    assert here == beside
    with pytest.raises(DeadlinePassed):
        graph.ask("comparisons/compare", a="A", b="B", timeout_seconds=0.0001)


@pytest.mark.parametrize(
    "asked",
    [
        lambda graph: graph.ask("meta/store"),
        lambda graph: graph.query(CLAIMS),
        lambda graph: graph.query("MATCH (n) RETURN count(n)", language="cypher"),
        lambda graph: graph.sql("SELECT 1"),
        lambda graph: graph.trace("500"),
        lambda graph: list(graph.records()),
        lambda graph: graph.load("claims", "none.csv"),
        lambda graph: graph.cite(),
        lambda graph: graph.diff("edition:2026-01-01"),
        lambda graph: graph.document("a", None),
        lambda graph: graph.is_whole(),
    ],
)
def test_a_graph_that_was_closed_says_so(graph: Graph, asked: Callable[[Graph], object]) -> None:
    assert graph.ask("meta/store").rows and rows(graph, CLAIMS).rows
    graph.close()
    with pytest.raises(KgError) as caught:
        asked(graph)
    assert caught.value.code == "store.closed" and "kg.open()" in str(caught.value.next_step)
    graph.close()  # once more is no mistake


def test_a_cut_is_said(graph: Graph) -> None:
    assert not rows(graph, CLAIMS, limit=1).complete


def test_no_rows_are_no_rows_beside_this_process_too(graph: Graph) -> None:
    beside, inside = rows(graph, CLAIMS, limit=0), rows(graph, CLAIMS, limit=0, timeout_seconds=None)
    assert beside == inside == Answer(("c",), (), complete=False)


def test_a_query_that_takes_too_much_memory_is_ended(graph: Graph) -> None:
    store = WorkerStore(graph.folder / "rdf" / graph.stamp["generation"], memory=64 << 20)
    text = "SELECT ?a ?d ?g WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a ?d ?g"
    with pytest.raises(KgError) as caught:
        store.select(text, timeout_seconds=60)
    assert caught.value.code == "query.memory"
    assert store.select(CLAIMS).rows
    store.close()


def test_a_text_that_does_not_parse_is_refused_and_ends_nothing(graph: Graph) -> None:
    assert rows(graph, CLAIMS).rows
    before = graph._worker._idle[:] if graph._worker else None
    with pytest.raises(KgError) as caught:
        graph.query("SELECT ?a { ?a ?b")
    assert caught.value.code == QueryRefused.code
    assert graph._worker is not None and graph._worker._idle == before and before


class Process:
    """A process of which the slow query takes until it is let go."""

    started = 0
    works, goes_on = threading.Event(), threading.Event()

    def __init__(self, _: str) -> None:
        Process.started += 1
        self.messages, self._text = self, ""

    def run(self, seconds: float | None) -> None:
        """There is time."""

    def ask(self, _generation: str, _memory: int, _what: str, text: str, *_: Any) -> None:
        self._text = text

    def next(self) -> tuple[Any, ...]:
        if self._text == "slow":
            self.works.set()
            assert self.goes_on.wait(60)
        return "rows", ("query",), ((self._text,),), True

    def is_alive(self) -> bool:
        return True

    def end(self) -> int:
        return 0


def test_a_small_query_does_not_wait_for_a_slow_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.stores.worker_store.Worker", Process)
    store = WorkerStore(tmp_path)
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(store.select, "slow")
        assert Process.works.wait(60)
        assert [store.select(f"small {number}").rows[0][0] for number in range(3)] == ["small 0", "small 1", "small 2"]
        assert not slow.done() and Process.started == 2
        Process.goes_on.set()
        assert slow.result(60).rows == (("slow",),)


class Opening(Process):
    """A process that finds a file of the generation gone, while the others are being deleted."""

    def next(self) -> tuple[Any, ...]:
        threading.Timer(0.1, self.generation.rmdir).start()
        return "error", {"message": "CURRENT: No such file", "code": "store.missing"}, StoreError.exit_code

    generation = Path()


def test_a_state_of_which_the_files_are_being_deleted_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.stores.worker_store.Worker", Opening)
    Opening.generation = tmp_path / "gen-000001"
    Opening.generation.mkdir()
    with pytest.raises(GenerationMissing):
        WorkerStore(Opening.generation).select(CLAIMS)


def test_a_state_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(GenerationMissing) as caught:
        WorkerStore(tmp_path / "gen-000001").select(CLAIMS)
    assert caught.value.next_step == "open the graph again"


@pytest.fixture(scope="module")
def shipped(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "method",
    [
        *("ask", "chart", "cite", "claims", "conflicts", "describe", "origins", "query"),
        *("question_text", "report", "show", "specs", "sql", "trace", "view"),
    ],
)
@pytest.mark.parametrize("given", [b"H100", ["H100"], True, "\ud800"])
def test_what_is_no_text_is_refused_in_words(shipped: Graph, method: str, given: object) -> None:
    with pytest.raises(KgError):
        getattr(shipped, method)(given)


@pytest.mark.parametrize("limit", [-1, 2.5, True, float("nan"), "5", pytest.param(10**5000, id="huge")])
def test_what_is_no_row_limit_is_refused(shipped: Graph, limit: Any) -> None:
    for asked in (shipped.ask, shipped.query):
        with pytest.raises(ValueRefused, match="limit"):
            asked("meta/store" if asked == shipped.ask else CLAIMS, limit=limit)


@pytest.mark.parametrize("seconds", [0, -1, True, float("nan"), float("inf"), "5", pytest.param(10**5000, id="huge")])
def test_what_is_no_time_out_is_refused(shipped: Graph, seconds: Any) -> None:
    for asked in (shipped.ask, shipped.query):
        with pytest.raises(ValueRefused, match="timeout_seconds"):
            asked("meta/store" if asked == shipped.ask else CLAIMS, timeout_seconds=seconds)


@pytest.mark.parametrize(
    "call",
    [
        lambda graph: graph.export("turtle", 5),
        lambda graph: graph.export("turtle", b"x"),
        lambda graph: graph.export(5, "x"),
        lambda graph: graph.load("claims", None),
        lambda graph: graph.load(5),
        lambda graph: graph.check(5),
        lambda _: open_graph(5),  # type: ignore[arg-type]
        lambda _: open_graph(content=5),  # type: ignore[arg-type]
    ],
)
def test_a_path_that_is_none_is_refused_in_words(shipped: Graph, call: Callable[[Any], Any]) -> None:
    with pytest.raises(KgError, match=r"a path|a text") as caught:
        call(shipped)
    assert caught.value.given in ("int", "bytes", "NoneType")
