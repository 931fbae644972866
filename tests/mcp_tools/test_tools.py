"""The tools through the official client, over standard input and output and over HTTP."""

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent, TextResourceContents

import kg
from kg.mcp.over_http import http_tools
from kg.mcp.shortened import MOST_WORDS, words
from kg.web.app import make_app
from kg.web.door import FrontDoor
from tests.sampling import first
from tests.web.serving import served

ROOT = Path(__file__).resolve().parents[2]
TOOLS = {"find", "trace_number", "compare", "thing", "conflicts", "ask", "check_text"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("trace_number", {"number": "72,428"}),
    ("trace_number", {"number": "2.5x"}),
    ("trace_number", {"number": "2.5x", "about": ["H200"]}),
    ("trace_number", {"number": "002/r1.gb200.offline.per-accelerator"}),
    ("trace_number", {"number": "987654321"}),
    ("compare", {"a": "GB200", "b": "H200"}),
    ("compare", {"a": "H100", "b": "H200"}),
    ("compare", {"a": "no such chip", "b": "H200"}),
    ("find", {"text": "h200 memory"}),
    ("find", {"text": "qqqqqq"}),
    ("thing", {"name": "H200"}),
    ("thing", {"name": "memory-bandwidth"}),
    ("conflicts", {}),
    ("conflicts", {"about": "H200"}),
    ("conflicts", {"about": "nothing of this name"}),
    ("ask", {"question": "comparisons/compare", "parameters": {"a": "GB200", "b": "H200"}}),
    ("check_text", {"text": "A GB200 GPU reaches 72,428 samples/s on DeepSeek-R1, and an H200 has 141 GB of memory."}),
    ("check_text", {"text": "/etc/passwd"}),
]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("ask", {"question": "no/such"}, "is not a saved question"),
    ("ask", {"question": "SELECT * { ?s ?p ?o }"}, "is not a saved question"),
    ("ask", {"question": "comparisons/compare", "parameters": {"a": "GB200"}}, "b"),
    ("ask", {"question": "comparisons/compare", "parameters": {"limit": 3}}, "is not a parameter"),
    ("thing", {"name": "no such thing at all"}, "no such thing at all"),
    ("trace_number", {"number": "no number"}, "no number"),
    (
        "trace_number",
        {"number": ""},
        "trace_number does not take this: number: String should have at least 1 character",
    ),
    ("find", {"text": "x" * 3000}, "2000 characters"),
]
Use = Callable[[Client], Awaitable[None]]
Run = Callable[[Use], None]


BOTH = pytest.mark.parametrize("run", ["stdio", "http"], indirect=True, scope="module")
ONCE = pytest.mark.parametrize("run", first(1, ["http", "stdio"]), indirect=True, scope="module")
"""What a tool answers is the same over each transport, and over standard output each test starts the program."""


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest, store: Path) -> Iterator[Run]:
    """Runs something with a connected client, over each transport."""
    if request.param == "stdio":
        environment = {**os.environ, "KG_STORE": str(store), "PYTHONPATH": str(ROOT)}
        server: Any = StdioServerParameters(
            command=sys.executable, args=["-m", "kg", "mcp", "--quiet"], env=environment, cwd=ROOT
        )
        yield lambda use: anyio.run(_used, server, use)
        return
    app = make_app(kg.open(store), doors=[lambda site: FrontDoor(*http_tools(site.read, site.query))])
    with served(app) as running:
        yield lambda use: anyio.run(_used, f"{running.url}/mcp", use)


async def _used(server: Any, use: Use) -> None:
    async with Client(server, read_timeout_seconds=60) as client:
        await use(client)


def _text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@BOTH
def test_every_tool_only_reads_and_has_schemas(run: Run) -> None:
    async def use(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        for tool in tools:
            assert tool.annotations is not None and tool.annotations.read_only_hint
            assert tool.annotations.destructive_hint is False
            assert tool.description
            assert tool.input_schema["type"] == "object"
            assert tool.output_schema is not None
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)

    run(use)


@ONCE
def test_every_answer_is_short_and_fits_its_schema(run: Run) -> None:
    async def use(client: Client) -> None:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for name, arguments in CALLS:
            result = await client.call_tool(name, arguments)
            assert isinstance(result, CallToolResult)
            text = _text(result)
            assert not result.is_error, text
            assert words(text) <= MOST_WORDS
            assert result.structured_content is not None
            assert words(json.dumps(result.structured_content)) <= MOST_WORDS * 1.2
            schema = schemas[name]
            assert schema is not None
            jsonschema.validate(result.structured_content, schema)
            assert text.startswith(result.structured_content["sentence"])

    run(use)


@BOTH
def test_a_wrong_number_comes_with_its_verdict_the_value_to_use_and_permalinks(run: Run) -> None:
    async def use(client: Client) -> None:
        result = await client.call_tool("trace_number", {"number": "72428"})
        assert isinstance(result, CallToolResult)
        answer = result.structured_content
        assert answer is not None
        assert answer["verdict"] == "wrong"
        assert answer["value_to_use"].startswith("4,023.8") or answer["value_to_use"].startswith("4,023.78")
        (claim,) = answer["claims"]
        assert claim["id"] == "002/r1.gb200.offline.per-accelerator"
        assert claim["permalink"] == "https://w3id.org/accelkg/id/claim/002/r1.gb200.offline.per-accelerator"
        assert claim["source"]["permalink"] == "https://w3id.org/accelkg/id/source/002"
        assert "289712" in claim["formula"]
        text = _text(result)
        assert "is wrong" in text.splitlines()[0] and claim["permalink"] in text

    run(use)


@ONCE
def test_a_number_is_narrowed_to_what_its_claims_are_about(run: Run) -> None:
    async def use(client: Client) -> None:
        whole = (await client.call_tool("trace_number", {"number": "2.5x"})).structured_content
        part = (await client.call_tool("trace_number", {"number": "2.5x", "about": ["H100"]})).structured_content
        assert whole is not None and part is not None
        assert "2.5x about H100" in part["sentence"]
        assert 0 < len(part["claims"]) + part["left_out"] < len(whole["claims"]) + whole["left_out"]

    run(use)


@ONCE
def test_detail_gives_more_than_the_short_answer(run: Run) -> None:
    async def use(client: Client) -> None:
        short = await client.call_tool("find", {"text": "h200 memory"})
        long = await client.call_tool("find", {"text": "h200 memory", "detail": True})
        assert isinstance(short, CallToolResult)
        assert isinstance(long, CallToolResult)
        assert short.structured_content is not None
        assert long.structured_content is not None
        assert len(long.structured_content["matches"]) > len(short.structured_content["matches"])
        assert short.structured_content["left_out"] > long.structured_content["left_out"]

    run(use)


@ONCE
def test_what_cannot_be_answered_is_an_error_in_words(run: Run) -> None:
    async def use(client: Client) -> None:
        for name, arguments, told in REFUSED:
            result = await client.call_tool(name, arguments)
            assert isinstance(result, CallToolResult)
            assert result.is_error, (name, arguments)
            assert told in _text(result)
            assert "Traceback" not in _text(result)

    run(use)


@BOTH
def test_claims_things_and_sources_are_resources_by_id(run: Run) -> None:
    async def use(client: Client) -> None:
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {
            "accelkg://claim/{+id}",
            "accelkg://thing/{+id}",
            "accelkg://source/{+id}",
        }
        for uri, expected in (
            ("accelkg://claim/002/r1.gb200.offline.per-accelerator", "wrong"),
            ("accelkg://thing/family/nvidia-h200", "NVIDIA H200"),
            ("accelkg://source/source/002", "MLPerf"),
            ("accelkg://questions", "comparisons/compare"),
        ):
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            assert content.mime_type == "application/json"
            assert expected in content.text
            json.loads(content.text)

    run(use)


@ONCE
def test_a_resource_that_is_not_there_is_an_error(run: Run) -> None:
    async def use(client: Client) -> None:
        for uri in ("accelkg://claim/002/no-such", "accelkg://thing/no/such", "accelkg://claim/../../etc/passwd"):
            with pytest.raises(Exception, match=r"(?i)no claim|no thing|unknown resource|not found|invalid"):
                await client.read_resource(uri)

    run(use)
