"""The endpoint on the shipped content: forms of results, errors, deadlines, and that one query never stops another."""

import json
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast
from urllib.parse import urlencode

import anyio
import pytest
import rdflib
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.types import Message

from kg.session import open_graph
from kg.stores.oxigraph import Generations
from kg.sync.push import Target
from kg.web.endpoint import endpoint_door, result_response
from kg.web.query_pool import PoolLimits, SentResult
from tests.web.serving import Reply, Served, served, served_endpoint

CROSS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
BOMB = (
    'SELECT ?n { ?s ?p ?o . BIND(REPLACE(CONCAT(STR(?o), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), '
    '"(a|a|aa)+b|((a?){30}){30}c", "x") AS ?n) . ?t ?q ?r . FILTER(REGEX(STR(?n), "(x+x+)+y")) }'
)


@pytest.fixture(scope="module")
def live(shipped_store: Path) -> Path:
    """The live generation of the shipped content."""
    found = Generations(shipped_store / "rdf").current()
    assert found is not None
    return found[0]


@pytest.fixture(scope="module")
def endpoint(live: Path) -> Iterator[Served]:
    with served_endpoint(live, PoolLimits(processes=3, waiting=4, seconds=3.0, seconds_to_wait=20.0)) as server:
        yield server


def ask(endpoint: Served, query: str, accept: str = "", **fields: str) -> Reply:
    target = f"/sparql?{urlencode({'query': query, **fields})}"
    return endpoint.request("GET", target, headers={"Accept": accept} if accept else {})


def test_rows_and_graphs_come_in_every_form(endpoint: Served) -> None:
    rows = "SELECT ?c { ?c a k:Claim } ORDER BY ?c LIMIT 2"
    found = [row["c"]["value"] for row in json.loads(ask(endpoint, rows).body)["results"]["bindings"]]
    assert len(found) == 2
    for media in ("application/sparql-results+xml", "text/csv", "text/tab-separated-values"):
        reply = ask(endpoint, rows, media)
        assert (reply.status, reply.media_type) == (200, media)
        assert all(iri in reply.text for iri in found)
    graphs = [
        rdflib.Graph().parse(data=reply.body, format=media)
        for media in ("text/turtle", "application/n-triples", "application/ld+json", "application/rdf+xml")
        if (reply := ask(endpoint, f"DESCRIBE <{found[0]}>", media)).media_type == media
    ]
    assert len(graphs) == 4 and len(graphs[0]) > 10
    assert {len(graph) for graph in graphs} == {len(graphs[0])}


def test_a_graph_in_turtle_has_our_prefixes(endpoint: Served) -> None:
    query = "CONSTRUCT { ?c a k:Claim } WHERE { ?c a k:Claim } LIMIT 1"
    assert " a k:Claim ." in ask(endpoint, query, "text/turtle").text
    assert "xmlns:k=" in ask(endpoint, query, "application/rdf+xml").text


def test_a_large_result_comes_whole_and_leaves_no_file(live: Path) -> None:
    """With the deadline that the server has by itself: the short one of the other tests passes on a busy machine."""
    everything = "SELECT * { ?s ?p ?o }"
    with served_endpoint(live, PoolLimits(processes=1)) as patient:
        count = json.loads(ask(patient, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").body)
        reply = ask(patient, everything, "text/tab-separated-values")
        assert reply.body.count(b"\n") == int(count["results"]["bindings"][0]["n"]["value"]) + 1
        head = patient.request("HEAD", f"/sparql?{urlencode({'query': everything})}")
        assert head.status == 200 and int(head.headers["content-length"]) > 1_000_000 and not head.body


@pytest.mark.parametrize(
    ("method", "target", "body", "headers", "status", "told"),
    [
        ("GET", "/sparql?query=", None, {}, 400, "empty query"),
        ("GET", "/sparql?query=SELECT", None, {}, 400, "does not parse"),
        ("GET", "/sparql?query=%FF", None, {}, 400, "UTF-8"),
        ("GET", "/sparql?query=ASK%7B%7D&query=ASK%7B%7D", None, {}, 400, "2 queries"),
        ("GET", "/sparql?query=ASK%7B%7D&timeout=soon", None, {}, 400, "seconds"),
        ("GET", "/sparql?query=ASK%7B%7D&default-graph-uri=relative", None, {}, 400, "absolute IRI"),
        ("GET", "/sparql?query=ASK%7B%7D", None, {"Accept": "image/png"}, 406, "image/png"),
        ("GET", "/sparql", None, {"Accept": "image/png"}, 406, "text/turtle"),
        ("GET", "/sparql?query=INSERT%20DATA%7B%7D", None, {}, 400, "reads"),
        ("GET", "/sparql?query=LOAD%20%3Cfile:///etc/passwd%3E", None, {}, 400, "a query that reads"),
        ("GET", "/sparql?query=ASK%7BSERVICE%20%3Chttp://127.0.0.1:1/%3E%7B%7D%7D", None, {}, 400, "SERVICE"),
        ("GET", "/sparql?update=CLEAR%20ALL", None, {}, 400, "only reads"),
        ("DELETE", "/sparql", None, {}, 405, ""),
        ("POST", "/sparql", b"{}", {"Content-Type": "application/json"}, 415, "application/sparql-query"),
        ("POST", "/sparql", b"\xff", {"Content-Type": "application/sparql-query"}, 400, "UTF-8"),
        ("POST", "/sparql?timeout=soon", b"ASK {}", {"Content-Type": "application/sparql-query"}, 400, "seconds"),
        ("POST", "/sparql", b"#" * 1_100_000, {"Content-Type": "application/sparql-query"}, 413, "bytes"),
        ("POST", "/sparql", b"#" * 300_000, {"Content-Type": "application/sparql-query"}, 413, "200,000"),
        ("POST", "/sparql", b"", {"Content-Type": "application/x-www-form-urlencoded"}, 400, "one query"),
    ],
)
def test_what_is_refused_says_why(
    endpoint: Served, method: str, target: str, body: bytes | None, headers: dict[str, str], status: int, told: str
) -> None:
    reply = endpoint.request(method, target, body, headers)
    assert (reply.status, told in reply.text) == (status, True), reply.text
    assert "Traceback" not in reply.text


@pytest.mark.parametrize("bomb", [CROSS, BOMB], ids=["cross product", "regular expression"])
def test_a_bomb_ends_at_its_deadline_while_others_read(endpoint: Served, bomb: str) -> None:
    replies: list[tuple[float, Reply]] = []

    def explode() -> None:
        began = time.monotonic()
        reply = ask(endpoint, bomb, timeout="1")
        replies.append((time.monotonic() - began, reply))

    bombs = [threading.Thread(target=explode) for _ in range(2)]
    for thread in bombs:
        thread.start()
    time.sleep(0.3)
    answered = 0
    while any(thread.is_alive() for thread in bombs):
        assert ask(endpoint, "ASK { ?c a k:Claim }").status == 200
        answered += 1
    assert answered >= 5
    for seconds, reply in replies:
        assert (reply.status, reply.headers["retry-after"]) == (503, "5")
        assert "no answer after 1 s" in reply.text
        assert 0.8 < seconds < 15


def test_more_queries_than_may_wait_are_turned_away(endpoint: Served) -> None:
    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(lambda _: ask(endpoint, CROSS, timeout="0.7"), range(10)))
    assert {reply.status for reply in replies} == {503}
    assert any("at most 3 at once" in reply.text for reply in replies)
    assert ask(endpoint, "ASK {}").status == 200


def test_a_query_that_takes_too_much_memory_ends_alone(live: Path) -> None:
    with served_endpoint(live, PoolLimits(processes=2, memory=64 << 20, seconds=60.0)) as small:
        greedy = "SELECT DISTINCT ?a ?c ?d ?f { ?a ?b ?c . ?d ?e ?f } ORDER BY ?c ?f"
        reply = ask(small, greedy)
        assert (reply.status, "memory" in reply.text) == (503, True), reply.text
        assert ask(small, "ASK {}").status == 200


def _processes(parent: int) -> set[int]:
    """The processes that this one started, as far as the system lists them."""
    path = Path(f"/proc/{parent}/task")
    return {int(pid) for task in path.iterdir() for pid in (task / "children").read_text().split()}


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list processes in /proc")
def test_the_process_of_a_client_that_went_away_is_ended(live: Path) -> None:
    before = _processes(os.getpid())
    with served_endpoint(live, PoolLimits(processes=1, seconds=60.0)) as single:
        with pytest.raises(TimeoutError):
            single.request("GET", f"/sparql?{urlencode({'query': CROSS})}", timeout=1.0)
        began = time.monotonic()
        assert ask(single, "ASK {}").status == 200
        assert time.monotonic() - began < 10
    assert _processes(os.getpid()) <= before


def test_a_store_without_a_generation_is_unavailable(tmp_path: Path) -> None:
    with served_endpoint(tmp_path / "nothing") as empty:
        reply = ask(empty, "ASK {}")
    assert (reply.status, "kg build" in reply.text) == (503, True)


def test_a_store_that_is_a_server_says_whom_to_ask(store: Path) -> None:
    graph = replace(open_graph(store), server=cast(Target, object()))
    with served(Starlette(routes=list(endpoint_door(graph).routes))) as server:
        found = server.request("GET", "/sparql?query=ASK%7B%7D")
    assert found.status == 501
    assert "kg pull" in found.text and "kg build" not in found.text


@pytest.mark.parametrize("pieces_taken", [0, 1])
@pytest.mark.parametrize("how", ["disconnects", "send fails"])
def test_a_client_that_leaves_a_large_result_leaves_no_file_open(tmp_path: Path, how: str, pieces_taken: int) -> None:
    path = tmp_path / "result"
    path.write_bytes(b"x" * (1 << 20))
    file, sent, gone = path.open("rb"), list[object](), anyio.Event()
    kept = file  # as a traceback keeps it: the file is closed because the client left, not because nobody has it

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) > pieces_taken:
            if how == "send fails":
                raise OSError("the client left")
            gone.set()
            await anyio.sleep_forever()

    async def answered() -> None:
        scope = {"type": "http", "method": "GET", "asgi": {"spec_version": "2.4" if how == "send fails" else "2.3"}}
        with suppress(ClientDisconnect):
            await result_response(SentResult("text/csv", 1 << 20, None, file), "GET")(scope, receive, send)
        assert kept.closed

    anyio.run(answered)
