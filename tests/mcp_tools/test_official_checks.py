"""The tools before the inspector and the conformance checks of the protocol's authors."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.mcp.shortened import MOST_WORDS, words
from tests.outside.programs import command_of
from tests.web.serving import Served, served, whole_app

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-error",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
"""Those that ask for nothing but the protocol: the others call tools, prompts and resources of a server that was made for
them, or what this one does not offer (logging levels, completion, sampling, subscriptions).
"""


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Served]:
    with served(whole_app(store)) as running:
        yield running


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_server_conforms(server: Served, scenario: str, tmp_path: Path) -> None:
    command = [command_of("conformance"), "server", "--url", f"{server.url}/mcp", "--scenario", scenario]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_lists_and_calls_the_tools(server: Served, store: Path, transport: str) -> None:
    target = [f"{server.url}/mcp"] if transport == "http" else [sys.executable, "-m", "kg", "mcp"]
    environment = {**os.environ, "KG_STORE": str(store), "PYTHONPATH": str(ROOT)}

    def inspected(*asked: str) -> dict[str, Any]:
        command = [command_of("mcp-inspector"), "--cli", "--connect-timeout", "90000", *target, "--method", *asked]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stdout + done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    listed = inspected("tools/list")["tools"]
    assert all(one["annotations"]["readOnlyHint"] and one["outputSchema"] for one in listed)
    assert {"find", "trace_number", "compare", "thing", "conflicts", "ask", "check_text"} == {
        one["name"] for one in listed
    }
    told = inspected("tools/call", "--tool-name", "trace_number", "--tool-arg", "number=72,428")
    assert told["structuredContent"]["verdict"] == "wrong"
    assert words(told["content"][0]["text"]) <= MOST_WORDS
    assert "4,023.78" in told["content"][0]["text"]


def test_what_the_server_does_not_have_is_refused_without_a_traceback(
    server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "none"}}
    reply = server.request(
        "POST",
        "/mcp",
        json.dumps(asked).encode(),
        {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
    )
    assert json.loads(reply.body)["error"]
    assert caplog.records and "Unknown prompt" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_request_that_failed_is_told_of_at_once_in_one_short_line() -> None:
    """The server has one thread for its requests: what is told of one of them may not keep the others waiting."""
    told = (
        "import logging; from kg.mcp.server import make_server; make_server(None)\n"
        "for name in ('mcp.shared.jsonrpc_dispatcher', 'mcp.server.streamable_http'):\n"
        "    try: raise ValueError('Unknown prompt: \\x1b[31m\\n' + 'y' * 100_000)\n"
        "    except ValueError: logging.getLogger(name).exception('handler raised')"
    )
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, timeout=30)
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("handler raised: Unknown prompt: \\u001b[31m yyy") and len(line) < 320
