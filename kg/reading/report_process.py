"""What the isolated process does that reads a report: its bytes to text, blocks and marks, with limits of memory and time.

It answers a request (path, name, format) with one message of plain tuples; `kg.reading.report` makes the report of it.
"""

import sys
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any

from kg.reading import limits
from kg.reading.decoded import decoded, format_of
from kg.reading.errors import ReportTooLarge
from kg.reading.text import Block, MarkedSpan
from kg.stores.worker import WAITS, Send, limit_resources, serve, set_alarm


def read_bytes(data: bytes, name: str | None, stated: str | None) -> tuple[Any, ...]:
    """Format, digest of the bytes, text, blocks, marks and title, as a message."""
    form = stated or format_of(name, data)
    blocks: list[Block]
    marks: list[MarkedSpan] = []
    title: str | None = None
    text = "" if form == "pdf" else decoded(data, is_html=form == "html")
    if form in ("text", "markdown"):
        _check_lines(text)
    if form == "html":
        from kg.reading.html_text import html_text

        text, blocks, marks, title = html_text(text)
    elif form == "pdf":
        from kg.reading.pdf_text import pdf_text

        text, blocks, title = pdf_text(data)
    elif form == "markdown":
        from kg.reading.markdown_text import markdown_blocks

        blocks, marks, title = markdown_blocks(text)
    else:
        from kg.reading.plain_text import plain_blocks

        blocks = plain_blocks(text)
    if len(blocks) > limits.BLOCKS:
        raise ReportTooLarge(given=f"{len(blocks)} blocks", expected=f"at most {limits.BLOCKS}")
    return (
        "report",
        form,
        sha256(data).hexdigest(),
        text,
        [astuple(block) for block in blocks],
        [astuple(mark) for mark in marks],
        title,
    )


def _check_lines(text: str) -> None:
    if len(text) > limits.TEXT:
        raise ReportTooLarge(
            given=f"{len(text)} characters", expected=f"at most {limits.TEXT}", next_step="Read it in parts"
        )
    start = _long_line(text)
    if start is not None:
        raise ReportTooLarge(
            line=text.count("\n", 0, start) + 1,
            given=f"a line of more than {limits.LINE} characters",
            expected=f"lines of at most {limits.LINE} characters",
            next_step="Break its lines, or read it in parts",
        )


def _long_line(text: str) -> int | None:
    """Where the first line begins that is over the limit.

    A pattern would begin anew at every character of every line: minutes, for lines that are below it.
    """
    start = 0
    while len(text) - start > limits.LINE:
        end = text.rfind("\n", start, start + limits.LINE + 1)
        if end < 0:
            return start
        start = end + 1
    return None


def _work(request: list[Any], _: Send) -> tuple[Any, ...]:
    path, name, stated = request
    set_alarm(WAITS * limits.SECONDS)
    return read_bytes(Path(path).read_bytes(), name, stated)


if __name__ == "__main__":
    limit_resources(limits.MEMORY, limits.SECONDS)
    status = serve(_work)
    sys.exit(status)
