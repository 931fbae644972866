"""`kg query`: any read-only query."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import (
    ContentOption,
    Format,
    FormatOption,
    LimitOption,
    QuietOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)  # fmt: skip
from kg.errors import QueryError, UsageError

_ENGINE_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_MOST_EXPECTED = 12


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("query")(query)


def query(
    text: Annotated[str | None, typer.Argument(help="the query")] = None,
    file: Annotated[Path | None, typer.Option("-f", "--file", help="a file with the query")] = None,
    language: Annotated[str, typer.Option("--language", help="sparql")] = "sparql",
    form: FormatOption = Format.table, limit: LimitOption = None, store: StoreOption = None, content: ContentOption = None,
    timeout: TimeoutOption = 60.0, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Run any read-only SPARQL query; the prefixes k:, id:, schema:, prov:, skos:, oa:, qudt: need not be declared.

    Example: kg query "SELECT ?c WHERE { ?c a k:ComparisonClaim } LIMIT 5"
    """
    if (text is None) == (file is None):
        raise UsageError(given="both" if text else "neither", expected="a query, or -f FILE")
    if language != "sparql":
        raise UsageError(
            field="--language", given=language, expected="sparql; cypher comes with the property-graph view"
        )
    if file is not None:
        if not file.is_file():
            raise UsageError(field="--file", given=str(file), expected="a file that can be read")
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as cause:
            raise UsageError(field="--file", given=str(file), expected="UTF-8 text") from cause
    from kg.cli.render import write_rows
    from kg.model.vocabulary import PREFIXES

    asked = text or ""  # prefixes stand on its first line, so that the lines of errors are those of the text
    declared = asked.lower()
    prefixes = "".join(
        f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items() if f"prefix {name}:" not in declared
    )
    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    try:
        answer = graph.query(prefixes + asked, limit=limit)
    except QueryError as error:
        raise _in_the_text(error, asked, len(prefixes)) from error
    if isinstance(answer, bytes):
        sys.stdout.write(answer.decode())
        return
    write_rows(answer.columns, answer.rows, form)
    if not answer.complete:
        talker(quiet)(f"cut at {limit} rows; there are more")


def _in_the_text(error: QueryError, asked: str, before: int) -> QueryError:
    """What the engine says of a query that does not parse, with the place in the text as asked, not behind its prefixes."""
    from kg.model.vocabulary import PREFIXES

    found = _ENGINE_PLACE.fullmatch(error.given or "")
    if found is None:
        return error
    line, column, told = int(found[1]), int(found[2]), found[3]
    column = max(1, column - before) if line == 1 else column
    lines = asked.split("\n")
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    why = ""
    if "Prefix not found" in told:  # the engine names the place behind the name
        name = re.search(r"[^\s{(;,.]+$", lines[line - 1][: column - 1])
        rest, column = (name[0], name.start() + 1) if name else (rest, column)
        why = ": Prefix not found"
        expected = f"one of the prefixes {', '.join(f'{name}:' for name in PREFIXES)}, or a PREFIX line of your own"
    else:
        words = re.findall(r'[A-Z]{3,}|"[^"]+"', told)
        expected = f"SPARQL 1.1, here {', '.join(words[:_MOST_EXPECTED])}" if words else "SPARQL 1.1"
    return type(error)(
        f"does not parse (error at {line}:{column}{why}).", given=rest[:40] or "the end of the query", expected=expected
    )
