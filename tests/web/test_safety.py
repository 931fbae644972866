"""Who may ask and how much: Host and Origin, sizes, slow and vanished clients."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from kg.web.connection import BoundedConnection
from kg.web.query_pool import PoolLimits
from kg.web.safety import AccessRules
from tests.web.serving import Served, served, whole_app

ORIGIN = "http://localhost:3000"


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Served]:
    rules = AccessRules(hosts=("graph.example",), origins=("https://site.example",))
    patient = PoolLimits(seconds_to_wait=60.0)  # whole results wait longer for one another on a busy machine
    with served(whole_app(store, rules=rules, limits=patient)) as running:
        yield running


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:1", 200),
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("[::1]:8000", 200),
        ("graph.example", 200),
        ("graph.example.", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("graph.example@evil.example", 421),
        ("user@localhost", 421),
        ("localhost/evil", 421),
        ("localhost:port", 421),
        ("192.0.2.7", 421),
        ("", 421),
    ],
)
def test_only_names_of_the_server_are_answered(server: Served, host: str, status: int) -> None:
    for path in ("/", "/sparql", "/dcat", "/mcp"):
        reply = server.request("HEAD" if path != "/mcp" else "GET", path, headers={"Host": host})
        assert (reply.status == 421) == (status == 421), (path, reply.status)


@pytest.mark.parametrize(
    ("origin", "path", "status"),
    [
        ("http://127.0.0.1:{port}", "/", 200),
        ("http://127.0.0.1:{port}", "/sparql", 200),
        (ORIGIN, "/sparql", 200),
        (ORIGIN, "/dcat", 200),
        ("https://site.example", "/sparql", 200),
        (ORIGIN, "/", 403),
        (ORIGIN, "/problems", 403),
        ("https://site.example", "/", 403),
        ("https://evil.example", "/sparql", 403),
        ("https://site.example.evil.example", "/sparql", 403),
        ("null", "/sparql", 403),
        ("file://", "/dcat", 403),
        ("", "/sparql", 403),
    ],
)
def test_only_pages_of_allowed_origins_may_ask(server: Served, origin: str, path: str, status: int) -> None:
    given = origin.format(port=server.port)
    reply = server.request("GET", path, headers={"Origin": given})
    assert reply.status == status
    allowed = reply.headers.get("access-control-allow-origin")
    assert allowed == (given if status == 200 and path != "/" else None)


def test_a_page_of_an_allowed_origin_may_follow_an_id_to_its_description(server: Served) -> None:
    headers = {"Origin": ORIGIN, "Accept": "text/turtle"}
    found = server.request("GET", "/id/source/002", headers=headers)
    assert found.status == 303
    data = server.request("GET", found.headers["location"], headers=headers)  # a browser keeps the origin on the way
    assert (data.status, data.media_type) == (200, "text/turtle")
    assert data.headers["access-control-allow-origin"] == ORIGIN
    evil = server.request("GET", found.headers["location"], headers={"Origin": "https://evil.example"})
    assert evil.status == 403


def test_a_preflight_says_what_may_be_asked(server: Served) -> None:
    headers = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    reply = server.request("OPTIONS", "/sparql", headers=headers)
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (204, ORIGIN)
    assert "POST" in reply.headers["access-control-allow-methods"]
    assert server.request("OPTIONS", "/", headers=headers).status == 403


def test_no_answer_sets_a_cookie_and_every_answer_has_the_policy(server: Served) -> None:
    for path in ("/", "/sparql", "/dcat", "/no/such/page", "/static/nothing"):
        headers = server.request("GET", path).headers
        assert "set-cookie" not in headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        ("/" + "x" * 20_000, [], 414),
        ("/?" + "&".join(f"{number:x}" for number in range(2_000)), [], 400),
        ("/sparql", [("X-A", "b")] * 150, 431),
        ("/", [("X-A", "b" * 40_000)], 431),
        ("/sparql", [("Content-Length", "99999999999")], 413),
        ("/sparql", [("Content-Length", "9" * 30)], 400),
    ],
)
def test_requests_have_a_size(server: Served, target: str, headers: list[tuple[str, str]], status: int) -> None:
    assert server.request("GET", target, headers=headers).status in (status, 413)


def _closed_after(server: Served, sent: bytes, *, again: bytes = b"", most: float = 10.0) -> float:
    """Seconds until the server lets go of a client that sends this, and then a byte now and again."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=most) as client:
        client.sendall(sent)
        client.settimeout(0.3)
        while time.monotonic() - began < most:
            try:
                if client.recv(65536) == b"":
                    break
            except TimeoutError:
                pass
            except ConnectionError:
                break
            try:
                client.sendall(again)
            except OSError:
                break
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("sent", "again"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-A: b\r\n"),
        (
            b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\nContent-Length: 900\r\n\r\n",
            b"#",
        ),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n", b"#"),
    ],
    ids=["nothing", "a head that does not end", "a body that does not end", "a body that nobody reads"],
)
def test_a_client_that_sends_slowly_is_let_go(
    server: Served, monkeypatch: pytest.MonkeyPatch, sent: bytes, again: bytes
) -> None:
    monkeypatch.setattr(BoundedConnection, "seconds_to_send", 0.6)
    assert 0.5 < _closed_after(server, sent, again=again) < 8
    assert server.request("GET", "/").status == 200


def test_a_client_that_takes_slowly_is_let_go_and_holds_no_process(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedConnection, "seconds_to_take", 1.0)
    target = (
        b"GET /sparql?query=SELECT%20*%20%7B%3Fs%20%3Fp%20%3Fo%7D%20LIMIT%2060000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    clients = []
    for _ in range(6):  # more than there are processes
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(target)
        clients.append(client)
    try:
        assert server.request("GET", "/sparql?query=ASK%7B%7D").status == 200
        time.sleep(3)
        cut = [received < length for length, received in map(_received, clients)]
        assert sum(cut) >= 4  # the last two may have had their turn when the others were let go
    finally:
        for client in clients:
            client.close()


def _received(client: socket.socket) -> tuple[int, int]:
    """The length that an answer announces, and how many bytes came before the connection ended."""
    client.settimeout(30)
    received = bytearray()
    try:
        while part := client.recv(1 << 20):
            received += part
    except ConnectionError:
        pass
    length = next(line for line in received.split(b"\r\n") if line.startswith(b"content-length:"))
    return int(length.partition(b":")[2]), len(received)


def test_a_request_with_two_lengths_is_the_last_of_its_connection(server: Served) -> None:
    head = b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\n"
    lengths = b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
    hidden = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(head + lengths + b"5\r\nASK{}\r\n0\r\n\r\n" + hidden)
        received = bytearray()
        with suppress(ConnectionError):
            while part := client.recv(1 << 16):
                received += part
    assert [line for line in received.split(b"\r\n") if line.startswith(b"HTTP/")] == [b"HTTP/1.1 400 Bad Request"]
    assert b"one of the two" in received


def test_aborted_requests_leave_the_server_answering(server: Served) -> None:
    for number in range(50):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            path = ("/", "/problems", "/sparql?query=SELECT%20*%20%7B%3Fs%20%3Fp%20%3Fo%7D")[number % 3]
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    assert server.request("GET", "/sparql?query=ASK%7B%7D").status == 200
    assert server.request("GET", "/").status == 200


def test_more_requests_than_the_server_takes_are_turned_away() -> None:
    import anyio
    from starlette.types import Message, Receive, Scope, Send

    from kg.web.safety import RequestGuard

    sent: list[Message] = []
    release = anyio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await release.wait()

    async def take(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def run() -> None:
        guard = RequestGuard(slow, AccessRules(most_requests=2))
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(guard, scope, nothing, take)
            await anyio.sleep(0.05)
            await guard(scope, nothing, take)
            release.set()

    anyio.run(run)
    assert [message["status"] for message in sent if message["type"] == "http.response.start"] == [503]


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /check HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n",
        b"HEAD /sources HTTP/1.1\r\nHost: localhost\r\n\r\n\x00\x01 no HTTP\r\n\r\n",
        b"HEAD /sources HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 70_000,
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" + b"g" * 70_000,
    ],
)
def test_what_breaks_off_inside_a_request_is_answered_or_hung_up_on_and_nothing_fails(
    store: Path, sent: bytes, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with served(whole_app(store)) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client, suppress(ConnectionError):
            client.sendall(sent)
            while client.recv(1 << 16):
                pass
        assert server.request("GET", "/sources").status == 200
    assert not [one for one in caplog.records if one.exc_info], caplog.text[:2000]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_the_tools_open_no_stream_that_never_ends(server: Served, method: str) -> None:
    """A stream of messages that nobody sends would take one of the places for requests until the client goes."""
    reply = server.request(method, "/mcp", headers={"Accept": "text/event-stream"})
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
