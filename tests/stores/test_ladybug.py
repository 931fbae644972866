"""The embedded property graph: what is written is what is read, one generation replaces another, and reading has limits."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.ledger import durable
from kg.projection.rows import EdgeRow, NodeRow, Row
from kg.stores.ladybug import (
    EmbeddedCypherRefused,
    GraphMissing,
    LadybugGenerations,
    LadybugStore,
    OutOfMemory,
)
from kg.stores.ladybug_load import GraphDamaged, LoadFiles
from kg.stores.protocol import DeadlinePassed

HARD = (
    'say "so", and more',
    "it's",
    "two\nlines",
    "two\r\nlines",
    "back\\slash",
    "tab\t",
    "é e\u0301 漢字 😀",
    "\u2028",
    "NULL",
    "null",
    "",
    " ",
    ",,,",
    "#",
    "{}",
    "[a, b]",
    "'",
    '"',
    "\\",
    "\\n",
    "$x",
    "%",
    "-0",
    "1e5",
    "true",
    "\x01",
    "a" * 5000,
)


def nodes() -> Iterator[Row]:
    for number, text in enumerate(HARD):
        yield NodeRow(
            "Claim",
            f"c{number} {text}",
            {
                "note": text,
                "kind": "event",
                "path": [text or "x", "second"],
                "value": number / 3,
                "values": [number / 3, -0.1],
                "exact": number % 2 == 0,
                "origins": number,
            },
        )
        yield EdgeRow("SUBJECT", "Claim", f"c{number} {text}", "Entity", f"org/{text}", {})
    yield NodeRow("Claim", "bare", {})
    yield NodeRow("Conditions", "conditions/x", {"text": "a"})
    yield EdgeRow("CONDITION", "Conditions", "conditions/x", "Entity", "model/a", {"name": "model"})


def built(folder: Path, rows: Iterator[Row]) -> LadybugStore:
    return LadybugStore.open(LadybugGenerations(folder).build(rows, {"head": "h"}, switch=durable.write_whole))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadybugStore]:
    opened = built(tmp_path, nodes())
    yield opened
    opened.close()


def test_hard_texts_numbers_lists_and_nothing_come_back_as_they_were(store: LadybugStore) -> None:
    found = store.select(
        "MATCH (c:Claim) WHERE c.kind = 'event' RETURN c.uid, c.note, c.value, c.exact, c.origins ORDER BY c.origins"
    )
    assert found.rows == tuple((f"c{n} {text}", text, n / 3, n % 2 == 0, n) for n, text in enumerate(HARD))
    lists = store.connection.execute(
        "MATCH (c:Claim) WHERE c.kind = 'event' RETURN c.path, c.values ORDER BY c.origins"
    ).get_all()
    assert lists == [[[text or "x", "second"], [n / 3, -0.1]] for n, text in enumerate(HARD)]
    nothing = store.select("MATCH (c:Claim {uid: 'bare'}) RETURN c.note, c.path, c.value, c.exact, c.origins")
    assert nothing.rows == ((None,) * 5,)


def test_a_node_that_is_only_named_is_there(store: LadybugStore) -> None:
    found = store.select("MATCH (c:Claim)-[:SUBJECT]->(e:Entity) WHERE e.kind IS NULL RETURN count(*) AS n")
    assert found.rows == ((len(HARD),),)
    assert store.select("MATCH (u:Conditions)-[r:CONDITION]->(m) RETURN r.name, m.uid").rows == (("model", "model/a"),)


def test_parameters_are_values_whatever_they_hold(store: LadybugStore) -> None:
    for number, text in enumerate(HARD):
        found = store.select(
            "UNWIND $note AS note MATCH (c:Claim) WHERE c.note = note RETURN c.origins", parameters={"note": [text]}
        )
        assert found.rows == ((number,),)


def test_a_cut_answer_says_so(store: LadybugStore) -> None:
    text = "MATCH (c:Claim) RETURN c.uid ORDER BY c.uid"
    assert len(store.select(text, limit=3).rows) == 3
    assert not store.select(text, limit=3).complete
    assert store.select(text, limit=len(HARD) + 1).complete


def test_nodes_and_lists_are_one_cell(store: LadybugStore) -> None:
    found = store.select("MATCH (u:Conditions)-[r]->(m:Entity) RETURN u, r, m, ['1', null, 'a']").rows[0]
    assert found == (
        '{"_LABEL": "Conditions", "uid": "conditions/x", "text": "a"}',
        '{"_LABEL": "CONDITION", "name": "model"}',
        '{"_LABEL": "Entity", "uid": "model/a"}',
        '["1", null, "a"]',
    )


def test_the_store_cannot_be_written(store: LadybugStore) -> None:
    with pytest.raises(EmbeddedCypherRefused, match="read-only"):
        store.select("MATCH (c:Claim) SET c.note = 'x' RETURN c.uid")
    with pytest.raises(EmbeddedCypherRefused):
        store.select("CREATE (c:Claim {uid: 'new'})")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("MATCH (c:Clam) RETURN c", "Clam"),
        ("MATCH (c:Claim\nRETRN c", "2:1"),
        ("RETURN 1; RETURN 2", "2 queries"),
        ("MATCH (c:Claim) RETURN c.foo", "foo"),
        ("RETURN interval('99999999 years')", "can be shown"),
        ("RETURN [date('9999-01-01') + interval('3 years')]", "dates from year 1 to 9999"),
        ("RETURN {a: date('0000-01-01')}", "string(...)"),
    ],
)
def test_a_wrong_query_is_refused_in_one_line_that_says_why(store: LadybugStore, text: str, told: str) -> None:
    with pytest.raises(EmbeddedCypherRefused) as caught:
        store.select(text)
    assert told in str(caught.value) and str(caught.value).count("\n") == 1


def test_a_query_that_takes_too_long_is_stopped_and_the_store_goes_on(store: LadybugStore) -> None:
    slow = "MATCH (a:Claim), (b:Claim), (c:Claim), (d:Claim), (e:Claim), (f:Claim) WHERE a.note + b.note + c.note + d.note + e.note + f.note = 'x' RETURN count(*) AS n"
    with pytest.raises(DeadlinePassed) as caught:
        store.select(slow, timeout_seconds=0.2)
    assert caught.value.exit_code == 3
    assert store.select("RETURN 1 AS n").rows == ((1,),)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_asks_and_ends_with_an_engine_of_its_own(store: LadybugStore) -> None:
    """The threads of the engine are not forked: what waits for them waits for ever."""
    count = "MATCH (c:Claim) RETURN count(*)"
    expected = store.select(count).rows
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # what waits for ever is ended by the system
        signal.alarm(20)
        same = store.select(count).rows == expected
        store.close()
        os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.select(count).rows == expected


def test_a_graph_query_is_refused(store: LadybugStore) -> None:
    with pytest.raises(EmbeddedCypherRefused, match="rows"):
        store.graph("CONSTRUCT")


def test_a_new_generation_replaces_the_live_one_and_its_readers_go_on(tmp_path: Path) -> None:
    first = built(tmp_path, nodes())
    second = built(tmp_path, iter([NodeRow("Claim", "other", {})]))
    assert first.select("MATCH (c:Claim) RETURN count(*) AS n").rows == ((len(HARD) + 1,),)
    assert second.select("MATCH (c:Claim) RETURN c.uid").rows == (("other",),)
    first.close()
    second.close()
    built(
        tmp_path, iter([])
    ).close()  # the one before the live one was kept for its readers, the one before that is next
    assert sorted(path.name for path in tmp_path.iterdir()) == ["current", "gen-000001", "gen-000002", "gen-000003"]
    assert sorted(path.name for path in (tmp_path / "gen-000003").iterdir()) == ["graph.lbug"]


@pytest.mark.parametrize("name", ["st [1]{a}", "*", "a?b", "it's, 50%", "[!x]~"])
def test_a_graph_is_built_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    opened = built(tmp_path / name, nodes())
    assert opened.select("MATCH (c:Claim) RETURN count(*) AS n").rows == ((len(HARD) + 1,),)
    opened.close()


def test_rows_that_do_not_load_leave_the_live_generation(tmp_path: Path) -> None:
    built(tmp_path, nodes()).close()
    live = LadybugGenerations(tmp_path).current()
    twice: list[Row] = [NodeRow("Claim", "same", {}), NodeRow("Claim", "same", {})]
    with pytest.raises(GraphDamaged):
        built(tmp_path, iter(twice))
    assert LadybugGenerations(tmp_path).current() == live
    built(tmp_path, nodes()).close()


def test_rows_that_get_lost_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = LoadFiles.edge

    def twice_counted(self: LoadFiles, row: EdgeRow) -> None:
        write(self, row)
        self.written[row.type, row.from_table, row.to_table] += 1

    monkeypatch.setattr(LoadFiles, "edge", twice_counted)
    with pytest.raises(GraphDamaged, match="as written"):
        built(tmp_path, nodes())
    assert LadybugGenerations(tmp_path).current() is None


def test_a_folder_without_a_generation_is_said(tmp_path: Path) -> None:
    with pytest.raises(GraphMissing):
        LadybugStore.open(tmp_path)


def test_a_query_that_finds_no_memory_does_not_take_it_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine never gives back what a query took; questions asked one after another must not run out of it."""
    monkeypatch.setattr("kg.stores.ladybug.READING_MEMORY", 48 << 20)
    store = built(tmp_path, nodes())
    asked = "UNWIND range(1, $most) AS n WITH DISTINCT n, 'text ' + CAST(n AS STRING) AS text RETURN count(text) AS n"
    for most in (100_000, 200_000, 300_000, 400_000):
        assert store.select(asked, parameters={"most": most}).rows == ((most,),)
    for most in (5_000_000, 1_000_000):
        with pytest.raises(OutOfMemory, match="48 MB"):
            store.select(asked, parameters={"most": most})
        assert store.select("MATCH (c:Claim {uid: 'bare'}) RETURN c.uid").rows == (("bare",),)
        for few in (10, 200_000):
            assert store.select(asked, parameters={"most": few}).rows == ((few,),)
    store.close()


def test_a_store_that_is_opened_again_for_want_of_memory_is_not_in_use_by_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To close the engine under a query of another thread ends the process, or the query in an error of the engine."""
    monkeypatch.setattr("kg.stores.ladybug.READING_MEMORY", 48 << 20)
    store = built(tmp_path, nodes())
    found: list[object] = []

    def ask_much() -> None:
        with pytest.raises(OutOfMemory):
            store.select("UNWIND range(1, 1000000) AS n WITH DISTINCT n RETURN count(n) AS n")

    def ask_often() -> None:
        for _ in range(20):
            try:
                found.append(store.select("UNWIND range(1, 20000) AS n RETURN count(n) AS n").rows)
            except KgError as error:
                found.append(error)

    threads = [threading.Thread(target=one) for one in (ask_much, ask_much, ask_often, ask_often)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [((20000,),)] * 40
    store.close()


def test_who_waits_for_the_query_of_another_thread_waits_to_the_deadline(store: LadybugStore) -> None:
    with store.alone, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(store.select, "RETURN 1 AS n", timeout_seconds=0.05)
        assert isinstance(waiting.exception(timeout=30), DeadlinePassed)
    assert store.select("RETURN 1 AS n").rows == ((1,),)


def test_asking_again_has_what_is_left_of_the_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ladybug

    monkeypatch.setattr("kg.stores.ladybug.READING_MEMORY", 48 << 20)
    store, given = built(tmp_path, nodes()), []
    monkeypatch.setattr("kg.stores.ladybug.monotonic", iter((100.0, 100.0, 142.0)).__next__)
    monkeypatch.setattr(ladybug.Connection, "set_query_timeout", lambda _, milliseconds: given.append(milliseconds))
    with pytest.raises(OutOfMemory):
        store.select("UNWIND range(1, 5000000) AS n WITH DISTINCT n RETURN count(n) AS n", timeout_seconds=60)
    assert given == [60_000, 18_000]
    store.close()
