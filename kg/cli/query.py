"""`kg query`: any read-only query."""

import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from kg.stores.protocol import Language

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

_ENGINE_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_ALTERNATIVE = re.compile(r'"((?:\\.|[^"\\])*)"|(\[[^\]]*\])|(\w+)')
_CLAUSES = {
    "SELECT", "ASK", "CONSTRUCT", "DESCRIBE", "DISTINCT", "REDUCED", "WHERE", "FILTER", "OPTIONAL", "UNION", "MINUS", "BIND", "VALUES",
    "GRAPH", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "AS", "BY", "ASC", "DESC", "PREFIX", "UNDEF",
}  # fmt: skip
_SIGNS = "{}().;,="


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("query")(query)


def query(
    text: Annotated[str | None, typer.Argument(help="the query")] = None,
    file: Annotated[Path | None, typer.Option("-f", "--file", help="a file with the query")] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="sparql or cypher (default: what the text or the file name says)")
    ] = None,
    form: FormatOption = Format.table, limit: LimitOption = None, store: StoreOption = None, content: ContentOption = None,
    timeout: TimeoutOption = 60.0, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Run any read-only query: SPARQL, where the prefixes k:, id:, schema:, prov:, skos:, oa:, qudt: need not be declared, or
    Cypher, such as "MATCH (c:Claim)-[:SUBJECT]->(s) RETURN c.uid, s.label LIMIT 5".

    Example: kg query "SELECT ?c WHERE { ?c a k:ComparisonClaim } LIMIT 5"
    """
    if (text is None) == (file is None):
        raise UsageError(given="both" if text else "neither", expected="a query, or -f FILE")
    if language not in (None, "sparql", "cypher"):
        raise UsageError(field="--language", given=language, expected="sparql or cypher")
    if file is not None:
        if not file.is_file():
            raise UsageError(field="--file", given=str(file), expected="a file that can be read")
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as cause:
            raise UsageError(field="--file", given=str(file), expected="UTF-8 text") from cause
    from kg.cli.render import write_rows
    from kg.stores.worker import MOST_ROWS

    asked = text or ""
    most = MOST_ROWS if limit is None else limit
    spoken = _spoken(language, asked, file)
    prefixes = _prefixes(asked) if spoken == "sparql" else ""
    try:
        answer = _answer(prefixes + asked, spoken, most, store, content, timeout=timeout, quiet=quiet)
    except QueryError as error:
        raise _in_the_text(error, asked, len(prefixes)) from error
    if isinstance(answer, bytes):
        sys.stdout.write(answer.decode())
        return
    write_rows(answer.columns, answer.rows, form)
    if not answer.complete:
        talker(quiet)(f"cut at {most} rows; there are more")


def _spoken(language: str | None, asked: str, file: Path | None) -> Language:
    """The language of a query: as said, else as the name of its file says, else as its first word says."""
    if language is not None:
        return "cypher" if language == "cypher" else "sparql"
    if file is not None and file.suffix in (".cypher", ".cql", ".rq", ".sparql"):
        return "cypher" if file.suffix in (".cypher", ".cql") else "sparql"
    from kg.ask.cypher_guard import looks_like_cypher

    return "cypher" if looks_like_cypher(asked) else "sparql"


def _prefixes(asked: str) -> str:
    """The prefixes that a text does not declare; they stand on its first line, so that the lines of errors are its own."""
    from kg.model.vocabulary import PREFIXES

    declared = asked.lower()
    return "".join(f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items() if f"prefix {name}:" not in declared)


def _answer(
    text: str, language: Language, limit: int, store: str | None, content: str | None, *, timeout: float, quiet: bool
) -> "Answer | bytes":
    """What the query gives: from a process of its own, or from a server, which has limits of its own."""
    from kg.stores.places import is_server, named_store

    if is_server(named_store(store)):
        graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
        return graph.query(text, language=language, limit=limit, timeout_seconds=timeout)
    from kg.cli.progress import shown_progress
    from kg.isolated_query import Request, answer_apart

    with ExitStack() as shown:
        bars: list[Callable[[str, int, int], None]] = []

        def progress(what: str, done: int, total: int) -> None:
            if not bars:
                bars.append(shown.enter_context(shown_progress(quiet=quiet)))
            bars[0](what, done, total)

        request = Request(text, language, store, content, limit, timeout)
        return answer_apart(request, tell=talker(quiet), progress=progress, opened=shown.close)


def _in_words(told: str) -> list[str]:
    """What could stand there, in words: the engine lists single characters of each kind of term, and every function.

    >>> _in_words('expected one of "$", "?", "<", "+", ".", "}", ABS, STR')
    ['a variable', 'a name such as k:metric', 'a number', 'a function such as STR', '"."', '"}"']
    >>> _in_words("expected one of HAVING, LIMIT, [_]")
    ['HAVING', 'LIMIT']
    """
    found = _ALTERNATIVE.findall(told.removeprefix("expected").lstrip().removeprefix("one of"))
    # digits among other characters go on with a name
    signs, classes = {sign for sign, _, _ in found if sign}, "".join(kind for _, kind, _ in found)
    words = [word for _, _, word in found if word]
    kinds = {
        "a variable": "?" in signs, "a name such as k:metric": bool({"<", ":"} & signs),
        "a text in quotes": '\\"' in signs or "'" in signs, "a number": "+" in signs or classes == "['0'..='9']",
        "a function such as STR": any(word not in _CLAUSES for word in words),
    }  # fmt: skip
    known = [kind for kind, possible in kinds.items() if possible]
    return [
        *known,
        *(word for word in words if word in _CLAUSES),
        *(f'"{sign}"' for sign in sorted(signs) if sign in _SIGNS),
    ]


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
        words = _in_words(told)
        expected = f"SPARQL 1.1, here {', '.join(words)}" if words else "SPARQL 1.1"
    return type(error)(
        f"does not parse (error at {line}:{column}{why}).", code=error.code, given=rest[:40] or "the end of the query",
        expected=expected,
    )  # fmt: skip
