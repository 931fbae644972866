"""Hostile requests get an answer of HTTP and never a traceback; the server answers everybody else afterwards."""

import logging
import os
import random
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kg.web.query_pool import PoolLimits
from tests.web.hostile import hostile_request
from tests.web.serving import Served, served, whole_app


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Served]:
    with served(whole_app(store, limits=PoolLimits(seconds=1.0, processes=2))) as running:
        yield running


def _send(server: Served, data: bytes) -> bytes:
    """What comes back until the connection ends."""
    received = bytearray()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
        try:
            client.sendall(data)
            while part := client.recv(1 << 16):
                if len(received) < 1 << 20:
                    received += part
        except ConnectionError:
            pass
    return bytes(received)


def _run(server: Served, count: int, seed: int) -> Counter[int]:
    numbers = random.Random(seed)
    requests = [hostile_request(numbers) for _ in range(count)]
    statuses: Counter[int] = Counter()
    with ThreadPoolExecutor(8) as pool:
        for request, reply in zip(requests, pool.map(lambda one: _send(server, one.whole), requests), strict=True):
            assert b"Traceback" not in reply, request.head
            if not reply:  # the server hung up on what is no HTTP
                statuses[0] += 1
                continue
            line = reply.partition(b"\r\n")[0].split()
            assert line[0] == b"HTTP/1.1", request.head
            status = int(line[1])
            assert status not in (500, 502), (status, request.head, reply[-300:])
            statuses[status] += 1
    return statuses


def _check(server: Served, count: int, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    seed = int(os.environ.get("KG_SEED", "19"))
    with caplog.at_level(logging.ERROR):
        statuses = _run(server, count, seed)
    assert sum(statuses.values()) == count
    assert {200, 400, 404, 405} <= set(statuses)
    assert server.request("GET", "/").status == 200
    assert server.request("GET", "/sparql?query=ASK%7B%7D").status == 200
    written = capfd.readouterr()
    assert "Traceback" not in written.out + written.err
    assert not [one for one in caplog.records if one.exc_info], caplog.text[:2000]


def test_hostile_requests(server: Served, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    _check(server, 120, capfd, caplog)


@pytest.mark.long
def test_ten_thousand_hostile_requests(
    server: Served, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    _check(server, 10_000, capfd, caplog)
