"""What a client gets that writes its requests and ends its input, or goes away."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from anyio import to_thread

import kg
from kg.mcp.over_stdio import serve_stdio

ROOT = Path(__file__).resolve().parents[2]
Result = TypeVar("Result")
HELLO: list[dict[str, Any]] = [
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
]


def _call(request: int, name: str, **arguments: str) -> dict[str, Any]:
    return {"id": request, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def _lines(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages)


def _reading(
    graph: kg.Graph, before: Callable[[], object] = lambda: None
) -> Callable[[Callable[[kg.Graph], Result]], Awaitable[Result]]:
    async def read(work: Callable[[kg.Graph], Result]) -> Result:
        def done() -> Result:
            before()
            return work(graph)

        return await to_thread.run_sync(done)

    return read


def _write(descriptor: int, text: bytes) -> None:
    with open(descriptor, "wb") as file:
        file.write(text)


def _served(read: Any, text: bytes, *, seconds: float = 30) -> tuple[int, dict[Any, dict[str, Any]]]:
    """How many calls were given up, and the answers by id."""
    source, writing = os.pipe()
    reading, sink = os.pipe()
    got: list[bytes] = []
    with open(reading, "rb") as answers:
        collecting = threading.Thread(target=lambda: got.append(answers.read()))
        collecting.start()
        feeding = threading.Thread(target=_write, args=(writing, text))
        feeding.start()
        try:
            given_up = serve_stdio(read, source, sink, seconds_after_end=seconds)
        finally:
            os.close(sink)
            os.close(source)
            collecting.join()
            feeding.join()
    answered = [json.loads(line) for line in got[0].splitlines()]
    assert len({one["id"] for one in answered}) == len(answered)
    return given_up, {one["id"]: one for one in answered}


def test_calls_that_run_when_the_input_ends_are_answered(graph: kg.Graph) -> None:
    calls = [_call(2, "trace_number", number="72428"), _call(3, "find", text="h200"), {"id": 4, "method": "tools/list"}]
    given_up, answers = _served(_reading(graph), _lines(*HELLO, *calls))
    assert given_up == 0
    assert set(answers) == {1, 2, 3, 4}
    assert all("result" in one for one in answers.values())


def test_a_call_that_does_not_end_is_given_up_and_the_client_hears_of_it(graph: kg.Graph) -> None:
    released = threading.Event()
    try:
        given_up, answers = _served(
            _reading(graph, lambda: released.wait(60)), _lines(*HELLO, _call(2, "find", text="h200")), seconds=0.2
        )
    finally:
        released.set()
    assert given_up == 1
    assert "error" in answers[2]


def test_a_call_that_was_cancelled_is_not_waited_for(graph: kg.Graph) -> None:
    released = threading.Event()
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": 2}}
    try:
        given_up, answers = _served(
            _reading(graph, lambda: released.wait(60)), _lines(*HELLO, _call(2, "find", text="h200"), cancelled)
        )
    finally:
        released.set()
    assert given_up == 0
    assert set(answers) == {1}


@pytest.mark.parametrize(
    "line", [b"{", b"[]\n", b"\xff\xfe\n", b'{"jsonrpc": "2.0"}\n', b"[" * 100_000 + b"\n", b"x" * (3 << 20) + b"\n"]
)
def test_a_line_that_is_no_message_is_refused_and_the_next_one_answered(graph: kg.Graph, line: bytes) -> None:
    text = _lines(*HELLO) + line.rstrip(b"\n") + b"\n" + _lines({"id": 2, "method": "ping"})
    given_up, answers = _served(_reading(graph), text)
    assert given_up == 0
    assert answers[None]["error"]["code"] == -32700
    assert "result" in answers[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="asks for the device /dev/full")
def test_output_that_is_full_is_an_error_of_its_own_even_while_the_input_stays_open(store: Path) -> None:
    environment = {**os.environ, "KG_STORE": str(store), "PYTHONPATH": str(ROOT)}
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "kg", "mcp", "--quiet"]
        running = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE, env=environment, cwd=ROOT
        )
    assert running.stdin is not None and running.stderr is not None
    running.stdin.write(_lines(*HELLO))
    running.stdin.flush()
    assert running.wait(60) == 3
    assert b"store.full" in running.stderr.read()
    running.stdin.close()
    running.stderr.close()
