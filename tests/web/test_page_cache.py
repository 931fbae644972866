"""Pages are made once for a state of the data; what is live is looked up each time, and only whole answers are kept."""

import shutil
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.testclient import TestClient

from kg.answers.trace import Trace
from kg.build.documents import attach_documents
from kg.build.writing import rebuild
from kg.session import Graph, open_graph
from kg.web.app import make_app
from kg.web.page_cache import AnswerCache, PageCache
from tests.small_content import ROOT, write_small_content, write_text
from tests.web.serving import Served, served, whole_app

CLAIM = "/claim/002/r1.gb200.offline.per-accelerator"
COUNT = "SELECT (COUNT(*) AS ?n) { ?c a k:Claim }"


def asked(path: str = "/", method: str = "GET", tag: str = "") -> Request:
    headers = [(b"if-none-match", tag.encode())] if tag else []
    return Request({"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers})


def test_a_page_has_a_validator_and_is_not_sent_twice_to_who_has_it(client: TestClient) -> None:
    first = client.get(CLAIM)
    again = client.get(CLAIM, headers={"If-None-Match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    assert client.get(CLAIM, headers={"If-None-Match": '"other"'}).content == first.content


def test_forms_and_parameters_of_a_page_are_pages_of_their_own(client: TestClient) -> None:
    tags = [client.get(path).headers["etag"] for path in ("/sources", "/sources.json", "/sources.csv", "/problems")]
    assert len(set(tags)) == 4
    assert client.get("/problems?verdict=error").headers["etag"] != tags[3]


@pytest.mark.parametrize("path", ["/nowhere", "/thing/nothing-of-this-name", "/query?query=ASK%7B%7D", "/check"])
def test_what_fails_and_what_anybody_may_write_is_made_each_time(client: TestClient, path: str) -> None:
    assert "etag" not in client.get(path).headers


def test_readers_who_come_at_once_cost_one_page(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: Counter[str] = Counter()
    graph, whole = open_graph(store), Graph.trace

    def counted(self: Graph, text: str | float, *, about: Sequence[str] = ()) -> Trace:
        made[str(text)] += 1
        return whole(self, text, about=about)

    monkeypatch.setattr(Graph, "trace", counted)
    with served(make_app(graph)) as server, ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda _: server.request("GET", "/number/72428").body, range(32)))
    assert len(set(replies)) == 1
    assert made == {"72428": 1}


def test_a_build_and_an_attached_text_change_what_is_sent(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "queries", tmp_path / "content" / "queries")
    content = write_small_content(tmp_path / "content").root
    with TestClient(make_app(open_graph(tmp_path / "store", content=str(content)))) as client:
        first = client.get("/source/900")
        assert client.get("/source/900").headers["etag"] == first.headers["etag"]
        attach_documents(tmp_path / "store", write_text(tmp_path / "texts"), content=str(content))
        attached = client.get("/source/900", headers={"If-None-Match": first.headers["etag"]})
        assert attached.status_code == 200
        assert 'class="mark' in attached.text
        assert 'class="mark' not in first.text
        shutil.rmtree(tmp_path / "texts")
        assert client.get("/source/900").text == first.text
        (content / "seeds" / "claims" / "900.yaml").unlink()
        rebuild(tmp_path / "store", content=content)
        assert client.get("/source/900").text != first.text


def test_the_cache_is_bounded_and_drops_what_was_not_asked_for() -> None:
    cache = AnswerCache(most_bytes=10_000, most_of_one=5_000)
    assert cache.find("state", "page") is None
    for number in range(20):
        assert cache.keep("state", number, Response(b"x" * 1_000)) is not None
        assert cache.size <= 10_000
        assert cache.find("state", number) is not None
    assert cache.find("state", 0) is None
    assert cache.keep("state", "long", Response(b"x" * 6_000)) is not None
    assert cache.find("state", "long") is None, "sent, not kept"
    assert cache.find("next state", 19) is None
    assert cache.keep("state", 1, Response(b"old")) is not None
    assert cache.find("next state", 1) is None, "made for a state that is over"
    assert cache.size == 0


def test_a_long_address_or_query_counts_as_what_is_kept() -> None:
    cache = AnswerCache(most_bytes=10_000, most_of_one=5_000)
    cache.find("state", "")
    for number in range(20):
        key = ("/cite", b"x=%d" % number + b"y" * 3_000)
        cache.keep("state", key, Response(b"short"))
        assert cache.find("state", key) is not None
    assert [cache.find("state", ("/cite", b"x=%d" % n + b"y" * 3_000)) is None for n in (0, 19)] == [True, False]
    assert cache.size <= 10_000
    assert cache.keep("state", ("/sparql", "ASK {} # " + "é" * 5_000), Response(b"true")) is not None
    assert cache.find("state", ("/sparql", "ASK {} # " + "é" * 5_000)) is None, "sent, not kept"


def test_only_whole_answers_are_kept_and_a_failure_is_not_passed_on() -> None:
    async def run() -> None:
        cache, made = PageCache(), [RedirectResponse("/", 303), Response(b"page")]

        async def make() -> Response:
            if not made:
                raise AssertionError
            if len(made) == 2:
                made.pop(0)
                raise KeyError
            return made.pop(0)

        with pytest.raises(KeyError):
            await cache.answer(asked(), "state", make)
        assert (await cache.answer(asked(), "state", make)).body == b"page"
        assert (await cache.answer(asked(), "state", make)).body == b"page"
        assert (await cache.answer(asked(tag="*"), "state", make)).status_code == 304
        assert not cache._making

    anyio.run(run)


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Served]:
    with served(whole_app(store)) as running:
        yield running


def test_a_result_of_the_endpoint_is_kept_by_query_and_form(server: Served) -> None:
    target = "/sparql?query=" + COUNT.replace(" ", "%20").replace("{", "%7B").replace("}", "%7D").replace("?", "%3F")
    first = server.request("GET", target, headers={"Accept": "text/csv"})
    again = server.request("GET", target, headers={"Accept": "text/csv", "If-None-Match": first.headers["etag"]})
    assert (first.status, again.status, again.headers["etag"]) == (200, 304, first.headers["etag"])
    other = server.request("GET", target, headers={"Accept": "application/json"})
    assert (other.media_type, other.headers["etag"]) != (first.media_type, first.headers["etag"])
    direct = {"Content-Type": "application/sparql-query", "Accept": "text/csv"}
    posted = server.request("POST", "/sparql", COUNT.encode(), {**direct, "If-None-Match": first.headers["etag"]})
    assert (posted.status, posted.body) == (200, first.body)


def test_a_query_for_something_new_each_time_is_asked_each_time(server: Served) -> None:
    direct = {"Content-Type": "application/sparql-query"}
    seen = {server.request("POST", "/sparql", b"SELECT (Rand () AS ?n) {}", direct).body for _ in range(3)}
    assert len(seen) == 3


def test_a_slow_maker_holds_nobody_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.web.page_cache._SECONDS_TO_WAIT", 0.05)
    began = threading.Event()

    async def run() -> list[bytes]:
        cache, found = PageCache(), []

        async def slow() -> Response:
            began.set()
            await anyio.sleep(5)
            return Response(b"slow")

        async def quick() -> Response:
            return Response(b"quick")

        async with anyio.create_task_group() as group:
            group.start_soon(cache.answer, asked(), "state", slow)
            await anyio.sleep(0)
            found.append(bytes((await cache.answer(asked(), "state", quick)).body))
            group.cancel_scope.cancel()
        assert not cache._making
        return found

    assert anyio.run(run) == [b"quick"]
    assert began.is_set()
