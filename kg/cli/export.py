"""`kg export`: the graph in an exchange form."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import ContentOption, QuietOption, StoreOption, open_for_reading, talker
from kg.errors import UsageError

FORMATS = ("jsonl",)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="jsonl")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="file to write (default: standard output)")] = None,
    store: StoreOption = None, content: ContentOption = None, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Write every record with what is derived from it; kg load claims reads it again.

    Example: kg export jsonl -o claims.jsonl
    """
    import orjson

    from kg.ledger.durable import write_whole

    if form not in FORMATS:
        raise UsageError("is not an export format of this version.", given=form, expected=", ".join(FORMATS))
    graph = open_for_reading(store, content, quiet=quiet, timeout=3600)
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        for record in graph.records():
            count += 1
            yield orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)

    if output is None:
        for line in lines():
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    else:
        write_whole(output, lines())
        talker(quiet)(f"{count:,} records in {output}")
