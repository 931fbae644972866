"""Requests over HTTP: deadlines, patience with busy servers, logins, and what never leaves the program."""

import base64
import os
import socket
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from json import dumps

import pytest

from kg.errors import KgError, UsageError
from kg.stores.bounded_http import bounded_client
from kg.stores.http_client import AnswerTooLong, HttpClient, Login, ServerUnreachable, shown
from kg.stores.protocol import DeadlinePassed
from kg.stores.sparql_endpoint import SparqlEndpoint
from kg.stores.timed_connections import TimedConnections
from tests.stores.fake_server import Reply, fake_server

SECRET = "hunter2-and-more"


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def client(clock: Clock, login: Login | None = None) -> HttpClient:
    return HttpClient(login, sleep=clock.sleep, clock=clock)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_after_the_time_it_names(status: int) -> None:
    clock = Clock()
    with fake_server(Reply(status, b"busy", {"Retry-After": "7"}), Reply(body=b"done")) as server:
        reply = client(clock).send("POST", server.address, body=b"x")
    assert (reply.status, reply.body, clock.slept) == (200, b"done", [7.0])
    assert [one.body for one in server.asked] == [b"x", b"x"]


def test_a_server_that_stays_busy_is_given_up_within_the_deadline() -> None:
    clock = Clock()
    with fake_server(Reply(503, b"busy", {"Retry-After": "20"})) as server:
        reply = client(clock).send("GET", server.address, timeout_seconds=50)
    assert reply.status == 503 and clock.slept == [20.0, 20.0]


def test_a_busy_server_that_names_no_time_is_given_longer_each_time() -> None:
    clock = Clock()
    with fake_server(Reply(429), Reply(429), Reply(429), Reply()) as server:
        assert client(clock).send("GET", server.address).status == 200
    assert clock.slept == [0.5, 1.0, 2.0]


def test_a_query_that_ran_out_of_the_servers_time_is_not_asked_again() -> None:
    clock = Clock()
    with fake_server(Reply(503, b"Query timed out")) as server:
        assert client(clock).send("GET", server.address).status == 503
    assert clock.slept == [] and len(server.asked) == 1


def test_a_server_that_never_answers_ends_at_the_deadline() -> None:
    gate = threading.Event()
    with fake_server(Reply(before=gate.wait)) as server:
        with pytest.raises(DeadlinePassed, match=r"0\.2 s") as caught:
            HttpClient().send("GET", server.address, timeout_seconds=0.2)
        gate.set()
    assert caught.value.exit_code == 3


def test_a_deadline_of_one_thread_ends_no_request_of_another() -> None:
    """The pages of `kg serve` ask a server with one client from many threads."""
    silent, slow, http = threading.Event(), threading.Event(), HttpClient()
    with fake_server(Reply(before=slow.wait), Reply(before=silent.wait)) as server, ThreadPoolExecutor() as threads:
        patient = threads.submit(http.send, "GET", server.address, timeout_seconds=30)
        while not server.asked:
            time.sleep(0.01)
        with pytest.raises(DeadlinePassed):
            http.send("GET", server.address, timeout_seconds=0.2)
        silent.set()
        slow.set()
        assert patient.result().status == 200
    http.close()
    assert len(server.asked) == 2, "and none is asked again"


@pytest.mark.parametrize(
    ("first", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b"."),
        (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
        (b"", b"\r\n"),
    ],
    ids=["body", "header", "before the status line"],
)
def test_an_answer_that_trickles_ends_at_the_deadline(first: bytes, piece: bytes) -> None:
    """Each byte comes in time, the whole never: the deadline is for the whole."""
    listening = socket.create_server(("127.0.0.1", 0))
    ended, too_late = threading.Event(), threading.Event()

    def trickle() -> None:
        taken, _ = listening.accept()
        taken.recv(65536)
        taken.sendall(first)
        for _ in range(150):
            if ended.wait(0.02):
                return
            try:
                taken.sendall(piece)
            except OSError:
                return
        too_late.set()
        taken.close()

    thread = threading.Thread(target=trickle, daemon=True)
    thread.start()
    with pytest.raises(KgError) as caught:
        HttpClient().send("GET", f"http://127.0.0.1:{listening.getsockname()[1]}/", timeout_seconds=0.3)
    ended.set()
    thread.join()
    listening.close()
    assert isinstance(caught.value, DeadlinePassed) and not too_late.is_set()


def test_an_answer_that_ends_with_its_connection_is_not_whole_at_the_deadline() -> None:
    """Without a length the end of the connection is the end of the answer, and at the deadline it is ended here."""
    gate = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            taken, _ = listening.accept()
            with taken:
                taken.recv(65536)
                taken.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<urn:a> <urn:b> <urn:c> .\n")
                gate.wait(10)

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(DeadlinePassed):
            HttpClient().send("GET", f"http://127.0.0.1:{listening.getsockname()[1]}/", timeout_seconds=0.3)
        gate.set()


def test_an_answer_without_end_is_refused_before_it_fills_the_memory() -> None:
    with fake_server(Reply(body=b"x" * 3_000_000)) as server, pytest.raises(AnswerTooLong, match="1 MiB"):
        HttpClient(most_bytes=1 << 20).send("GET", server.address)


def test_one_connection_serves_many_requests() -> None:
    with fake_server() as server:
        sender = HttpClient()
        for _ in range(3):
            sender.send("GET", server.address)
        sender.close()
    assert len({one.port for one in server.asked}) == 1 and len(server.asked) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_has_connections_of_its_own() -> None:
    with fake_server(Reply(body=b"done")) as server:
        asking = HttpClient()
        asking.send("POST", server.address, body=b"before")
        child = os.fork()
        if child == 0:
            os._exit(0 if asking.send("POST", server.address, body=b"child").body == b"done" else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        asking.send("POST", server.address, body=b"after")
    ports = {one.body: one.port for one in server.asked}
    assert ports[b"before"] == ports[b"after"] != ports[b"child"]


def test_a_connection_that_the_server_closed_meanwhile_is_opened_again() -> None:
    with fake_server(Reply(hangs_up=True)) as server:
        sender = HttpClient()
        assert [sender.send("GET", server.address).status for _ in range(3)] == [200, 200, 200]
    assert len({one.port for one in server.asked}) == 3


def test_a_server_that_is_not_there_is_said_with_its_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(ServerUnreachable, match=f"http://127.0.0.1:{port}/kg") as caught:
        HttpClient().send("GET", f"http://127.0.0.1:{port}/kg?query=secret")
    assert "secret" not in str(caught.value) and caught.value.exit_code == 3


def test_a_login_is_sent_only_when_it_is_asked_for() -> None:
    challenge = Reply(401, b"", {"WWW-Authenticate": 'Basic realm="kg"'})
    with fake_server(challenge, Reply()) as server:
        sender = HttpClient(Login("kg", SECRET))
        assert sender.send("GET", server.address).status == 200
        sender.send("GET", server.address)
    wanted = "Basic " + base64.b64encode(f"kg:{SECRET}".encode()).decode()
    assert [one.headers.get("authorization") for one in server.asked] == [None, wanted, wanted]


def test_a_login_that_is_refused_is_tried_once() -> None:
    with fake_server(Reply(401, b"no", {"WWW-Authenticate": 'Basic realm="kg"'})) as server:
        assert HttpClient(Login("kg", SECRET)).send("GET", server.address).status == 401
    assert len(server.asked) == 2


def test_a_digest_login_never_sends_the_password() -> None:
    challenge = Reply(401, b"", {"WWW-Authenticate": 'Digest realm="kg", nonce="abc", qop="auth", algorithm="MD5"'})
    with fake_server(challenge, Reply()) as server:
        assert HttpClient(Login("kg", SECRET)).send("POST", server.address, body=b"x").status == 200
    given = server.asked[1].headers["authorization"]
    assert given.startswith("Digest ") and 'username="kg"' in given and SECRET not in given


def test_a_redirect_is_not_followed() -> None:
    with fake_server(Reply(302, b"", {"Location": "http://127.0.0.1:1/elsewhere"})) as server:
        assert HttpClient(Login("kg", SECRET)).send("GET", server.address).status == 302
    assert len(server.asked) == 1


def test_every_request_says_who_asks() -> None:
    with fake_server() as server:
        HttpClient().send("GET", server.address)
    assert server.asked[0].headers["user-agent"].startswith("accelkg/")


ECHOES: dict[str, Callable[[Mapping[str, str]], bytes]] = {
    "lines": lambda headers: "\n".join(f"{name}: {value}" for name, value in headers.items()).encode(),
    "json": lambda headers: dumps({"headers": dict(headers)}).encode(),
    "page": lambda headers: ("<p>" + "<br>".join(f"<b>{n}</b>: {v}" for n, v in headers.items()) + "</p>").encode(),
    "the word alone": lambda headers: b"bad token " + headers["authorization"].partition(" ")[2].encode(),
    "decoded": lambda headers: b"who is " + base64.b64decode(headers["authorization"].partition(" ")[2]),
    "behind much": lambda headers: b" " * 70_000 + headers["authorization"].encode(),
    "at the cut": lambda headers: b" " * ((1 << 16) - 20) + headers["authorization"].partition(" ")[2].encode(),
}


@pytest.mark.parametrize("status", [400, 403, 404, 500, 200])
@pytest.mark.parametrize("echo", ECHOES)
def test_a_server_that_repeats_our_headers_shows_nobody_the_login(echo: str, status: int) -> None:
    challenge = Reply(401, b"", {"WWW-Authenticate": 'Basic realm="kg"'})
    word = base64.b64encode(f"kg:{SECRET}".encode()).decode()
    with fake_server(challenge, Reply(status, echo=ECHOES[echo])) as server:
        endpoint = SparqlEndpoint.open(f"sparql+{server.address}", login=Login("kg", SECRET))
        with pytest.raises(KgError) as caught:
            endpoint.select("ASK {}")
    reports = f"{caught.value} {caught.value!r} {''.join(traceback.format_exception(caught.value))}"
    assert SECRET not in reports and word not in reports and word[:12] not in reports


def test_a_status_line_that_repeats_the_login_is_not_shown() -> None:
    word = base64.b64encode(f"kg:{SECRET}".encode()).decode()
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        for _ in range(3):
            taken, _address = listening.accept()
            taken.recv(65536)
            taken.sendall(f"Basic {word}\r\n\r\n".encode())
            taken.close()

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    with pytest.raises(ServerUnreachable) as caught:
        HttpClient(Login("kg", SECRET)).send("GET", f"http://127.0.0.1:{listening.getsockname()[1]}/")
    thread.join(10)
    listening.close()
    assert word not in "".join(traceback.format_exception(caught.value))


def test_no_text_form_shows_a_password() -> None:
    login = Login("kg", SECRET)
    assert SECRET not in f"{login!r} {login} {[login]}"
    assert shown(f"http://kg:{SECRET}@example.org/sparql?x={SECRET}") == "http://example.org/sparql"


def test_a_login_goes_at_once_only_to_the_server_that_asked_for_it() -> None:
    asks = Reply(401, b"", {"WWW-Authenticate": 'Basic realm="x"'})
    with fake_server(asks, Reply()) as first, fake_server() as second:
        client = HttpClient(Login("kg", SECRET))
        for address in (first.address, first.address, second.address):
            assert client.send("GET", address).status == 200
        client.close()
    assert ["authorization" in one.headers for one in first.asked] == [False, True, True]
    assert ["authorization" in one.headers for one in second.asked] == [False]


def test_basic_is_found_in_a_list_of_challenges() -> None:
    asks = Reply(401, b"", {"WWW-Authenticate": 'Negotiate, Basic realm="x"'})
    with fake_server(asks, Reply()) as server:
        assert HttpClient(Login("kg", SECRET)).send("GET", server.address).status == 200


@pytest.mark.parametrize(
    "challenge",
    [
        'Digest realm="x", nonce="n", qop="auth", algorithm=NEW-1',
        'Digest realm="x", nonce',
        'Digest realm="x", nonce="n", qop="auth-int"',
    ],
)
def test_a_challenge_that_cannot_be_answered_is_said(challenge: str) -> None:
    with (
        fake_server(Reply(401, b"", {"WWW-Authenticate": challenge})) as server,
        pytest.raises(KgError, match=server.address) as caught,
    ):
        HttpClient(Login("kg", SECRET)).send("GET", server.address)
    assert SECRET not in str(caught.value)


def test_a_date_to_come_again_that_no_clock_has_is_not_waited_for() -> None:
    clock = Clock()
    busy = Reply(503, b"busy", {"Retry-After": "Mon, 01 Jan 99999999999 00:00:00 GMT"})
    with fake_server(busy, Reply()) as server:
        assert client(clock).send("GET", server.address).status == 200
    assert clock.slept == [0.5]


@pytest.mark.parametrize("proxy", ["no address", "ftp://kg:hunter2-and-more@h", "http://kg:hunter2-and-more@h:port"])
def test_a_proxy_that_is_none_is_refused_without_its_login(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(UsageError) as caught:
        bounded_client("http://example.org", TimedConnections(), 10)
    assert "http_proxy" in str(caught.value) and SECRET not in "".join(traceback.format_exception(caught.value))
