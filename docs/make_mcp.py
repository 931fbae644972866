"""Writes the transcript of docs/mcp.md: three questions to the tools, asked through the official client.

`python docs/make_mcp.py` writes it; with --check it says whether the page is what the tools answer now (exit code 1 if not).
`--store DIR` asks a store that is there already; otherwise one is built for it.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.types import CallToolResult, TextContent

import kg
from kg.mcp.server import make_server
from kg.web.current import current_graph
from kg.web.site import Site

PAGE = Path(__file__).resolve().parent / "mcp.md"
BEGIN, END = "<!-- transcript:begin -->\n", "<!-- transcript:end -->\n"
QUESTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("Can 72,428 samples a second for a GB200 be quoted?", "trace_number", {"number": "72,428"}),
    ("How much faster is GB200 than H200?", "compare", {"a": "GB200", "b": "H200"}),
    ("Which sources disagree on the GB200 superchip?", "conflicts", {"about": "GB200 Superchip"}),
]


async def transcript(store: Path | None = None) -> str:
    """The questions with the calls and their answers."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(current_graph(kg.open(store or Path(folder) / "store")))
        parts = []
        async with Client(make_server(site.read)) as client:
            for question, tool, arguments in QUESTIONS:
                result = await client.call_tool(tool, arguments)
                assert isinstance(result, CallToolResult)
                (content,) = result.content
                assert isinstance(content, TextContent) and not result.is_error
                given = ", ".join(f'{name}="{value}"' for name, value in arguments.items())
                parts.append(f"**{question}**\n\n```text\n> {tool}({given})\n{content.text}\n```\n")
        site.current.close()
    return "\n".join(parts)


def main() -> int:
    """Write the page or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    made = before + BEGIN + anyio.run(transcript, options.store) + END + rest.partition(END)[2]
    if options.check:
        if made != text:
            print("docs/mcp.md is stale; run: python docs/make_mcp.py")
            return 1
        return 0
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
