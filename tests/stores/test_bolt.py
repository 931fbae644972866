"""The Bolt store on real servers: rows, limits, deadlines, logins, and errors that can be acted on."""

import socket
from collections.abc import Callable, Iterator

import pytest

from kg.errors import UsageError
from kg.stores.bolt import BoltAddress, BoltStore, CypherRefused, DatabaseMissing
from kg.stores.http_client import Login, LoginRefused, ServerUnreachable
from kg.stores.places import NotAServer, checked_address
from kg.stores.protocol import DeadlinePassed
from kg.sync.servers import open_bolt
from tests.servers.fixtures import Servers, reserved
from tests.servers.running import Server


@pytest.fixture(params=["neo4j", "arcadedb"])
def store(request: pytest.FixtureRequest, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> Iterator[BoltStore]:
    with reserved(servers, request.param) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        opened = open_bolt(server.address)
        yield opened
        opened.close()


def test_rows_have_columns_and_plain_cells(store: BoltStore) -> None:
    answer = store.select(
        "UNWIND $given AS one RETURN one AS n, 2.5 AS figure, 'é' AS text, true AS truth, null AS nothing ORDER BY n",
        parameters={"given": [2, 1]},
    )
    assert answer.columns == ("n", "figure", "text", "truth", "nothing")
    assert answer.rows == ((1, 2.5, "é", True, None), (2, 2.5, "é", True, None))
    assert answer.complete


def test_lists_and_maps_are_one_cell(store: BoltStore) -> None:
    assert store.select("RETURN ['a', 1] AS l, {a: [true]} AS m").rows == (('["a", 1]', '{"a": [true]}'),)


def test_a_limit_cuts_and_says_so(store: BoltStore) -> None:
    answer = store.select("UNWIND range(1, 5000) AS n RETURN n", limit=3)
    assert (len(answer.rows), answer.complete) == (3, False)
    assert store.select("UNWIND range(1, 3) AS n RETURN n", limit=3).complete


def test_a_text_that_does_not_parse_is_refused_with_what_the_server_says(store: BoltStore) -> None:
    with pytest.raises(CypherRefused) as caught:
        store.select("MATCH (n RETURN n")
    assert caught.value.exit_code == 2 and caught.value.given


def test_what_was_written_is_read_next(store: BoltStore) -> None:
    uid = "test/bookmark"
    store.write(lambda transaction: transaction.run("MERGE (n:KgNode {uid: $uid})", uid=uid).consume())
    found = store.select("MATCH (n:KgNode {uid: $uid}) RETURN count(n) AS n", parameters={"uid": uid})
    store.write(lambda transaction: transaction.run("MATCH (n:KgNode {uid: $uid}) DELETE n", uid=uid).consume())
    assert found.rows == ((1,),)


def test_a_reading_session_cannot_write_on_neo4j(neo4j_server: Server) -> None:
    store = open_bolt(neo4j_server.address)
    with pytest.raises(CypherRefused, match=r"(?i)write|access mode"):
        store.select("CREATE (n:Smuggled) RETURN n")
    assert store.select("MATCH (n:Smuggled) RETURN count(n) AS n").rows == ((0,),)
    store.close()


def test_a_query_past_its_deadline_is_ended_by_the_server(neo4j_server: Server) -> None:
    store = open_bolt(neo4j_server.address)
    with pytest.raises(DeadlinePassed) as caught:
        store.select(
            "UNWIND range(1, 100000000) AS a UNWIND range(1, 1000) AS b RETURN count(a * b) AS n", timeout_seconds=0.5
        )
    store.close()
    assert caught.value.exit_code == 3


def test_a_missing_database_says_how_to_name_one(neo4j_server: Server) -> None:
    with pytest.raises(DatabaseMissing, match="KG_NEO4J_DATABASE"):
        open_bolt(f"{neo4j_server.address}/nowhere").select("RETURN 1 AS n")


def test_a_login_is_needed_and_the_right_one_works(neo4j_with_login: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LoginRefused, match="KG_NEO4J_PASSWORD"):
        open_bolt(neo4j_with_login.address)
    monkeypatch.setenv("KG_NEO4J_USER", "neo4j")
    monkeypatch.setenv("KG_NEO4J_PASSWORD", "wrong-password-here")
    with pytest.raises(LoginRefused) as caught:
        open_bolt(neo4j_with_login.address)
    assert "wrong-password-here" not in str(caught.value)
    monkeypatch.setenv("KG_NEO4J_PASSWORD", neo4j_with_login.password)
    store = open_bolt(neo4j_with_login.address)
    assert store.select("RETURN 1 AS n").rows == ((1,),)
    store.close()


def test_a_person_at_a_terminal_is_asked_once(neo4j_with_login: Server) -> None:
    asked: list[str] = []

    def ask(address: str) -> Login:
        asked.append(address)
        return Login(neo4j_with_login.user, neo4j_with_login.password)

    store = open_bolt(neo4j_with_login.address, ask)
    store.close()
    assert asked == [neo4j_with_login.address]


def test_a_server_that_is_not_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(ServerUnreachable, match=f"bolt://127.0.0.1:{port}") as caught:
        open_bolt(f"bolt://127.0.0.1:{port}")
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    "address",
    ["neo4j://kg:hunter2@example.org:7687", "sparql+https://kg:hunter2@example.org/kg", "bolt://hunter2@example.org"],
)
def test_a_login_in_an_address_is_refused_unseen(address: str) -> None:
    with pytest.raises(NotAServer, match=r"KG_(NEO4J|SPARQL)_USER") as caught:
        checked_address(address)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "neo4j://[::1",
        "bolt://localhost:abc",
        "bolt://localhost:0",
        "bolt://a..b:7687",
        f"sparql+http://{'a' * 64}.example/kg",
        "sparql+http://localhost:99999/kg",
        "neo4j://kg:hunter2@[::1",
        "sparql+https://kg:hunter2℀@example.org/kg",
    ],
)
def test_an_address_that_leads_nowhere_is_refused_unseen(address: str) -> None:
    with pytest.raises(NotAServer) as caught:
        checked_address(address)
    assert caught.value.field == "--store" and "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        ("neo4j://h", BoltAddress("neo4j://h")),
        ("neo4j+s://h:7687/kg", BoltAddress("neo4j+s://h:7687", "kg")),
        ("neo4j://h:7687/?policy=eu", BoltAddress("neo4j://h:7687?policy=eu")),
        ("bolt+ssc://h:1", BoltAddress("bolt+ssc://h:1")),
    ],
)
def test_addresses_are_read(store: str, expected: BoltAddress) -> None:
    assert BoltAddress.from_store(store) == expected
    assert BoltAddress.from_store(store, "other").database == (expected.database if "/kg" in store else "other")


@pytest.mark.parametrize("store", ["http://h:7687", "neo4j:///kg", "/data/store"])
def test_other_addresses_are_refused(store: str) -> None:
    with pytest.raises(UsageError):
        BoltAddress.from_store(store)


def test_errors_of_the_driver_are_ours(neo4j_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the driver raises has a code and an exit code."""
    store = open_bolt(neo4j_server.address)
    refused: list[tuple[str, Callable[[], object]]] = [
        ("query.refused", lambda: store.select("RETURN $missing AS n")),
        ("query.refused", lambda: store.select("CALL no.such()")),
        ("query.refused", lambda: store.select("RETURN 1 / 0 AS n")),
    ]
    codes = []
    for _, call in refused:
        with pytest.raises(CypherRefused) as caught:
            call()
        codes.append(caught.value.code)
    store.close()
    assert codes == [code for code, _ in refused]
