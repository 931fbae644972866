"""`kg query`: any read-only query."""

import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kg.cli.options import (
    Format,
    FormatOption,
    LimitOption,
    ReadingOptions,
    open_for_reading,
    talker,
)
from kg.errors import UsageError
from kg.stores.protocol import QueryLanguage

if TYPE_CHECKING:
    from kg.stores.protocol import Answer


_LANGUAGES: dict[str, QueryLanguage] = {"sparql": "sparql", "cypher": "cypher", "sql": "sql"}
_ENDINGS: dict[str, QueryLanguage] = {
    ".cypher": "cypher",
    ".cql": "cypher",
    ".rq": "sparql",
    ".sparql": "sparql",
    ".sql": "sql",
}
# Meets "GRAPH ?g {" and "graph k:claims {", not "paragraph" nor "GRAPH {".
_NAMED_GRAPH: Final = re.compile(r"\bGRAPH\s*[?$<\w]", re.IGNORECASE)
_ONE_GRAPH: Final = (
    ": the embedded store keeps all in one graph; --exported asks the named ones, kg export trig writes them"
)
_FileOption = Annotated[
    Path | None, typer.Option("-f", "--file", help="a file with the query, or - for standard input")
]
_LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="sparql, cypher or sql (default: what the text or the file name says; sql is never guessed)",
    ),
]
_ExportedOption = Annotated[
    bool,
    typer.Option("--exported", help="ask the triples of an export, which say every class, default and label (SPARQL)"),
]


def query(
    text: Annotated[str | None, typer.Argument(help="the query; - or nothing reads it from standard input")] = None,
    *,
    options: ReadingOptions,
    file: _FileOption = None,
    language: _LanguageOption = None,
    exported: _ExportedOption = False,
    form: FormatOption = Format.table,
    limit: LimitOption = None,
) -> None:
    """Run any read-only query: SPARQL, where the prefixes k:, id:, schema:, prov:, skos:, oa:, qudt: need not be declared, or
    Cypher, such as "MATCH (c:Claim)-[:SUBJECT]->(s) RETURN c.uid, s.label LIMIT 5".

    Example: kg query "SELECT ?c WHERE { ?c a k:ComparisonClaim } LIMIT 5"
    """
    if language not in (None, *_LANGUAGES):
        raise UsageError(field="--language", given=language, expected="sparql, cypher or sql")
    asked = _read(text, file)
    from kg.cli.render import write_rows
    from kg.stores.worker import MOST_ROWS

    most = MOST_ROWS if limit is None else limit
    spoken = _spoken(language, asked, file)
    if exported and spoken != "sparql":
        raise UsageError(field="--exported", given=spoken, expected="a SPARQL query")
    answer = _answer(asked, spoken, most, options, exported=exported)
    for line in unknown_terms(asked, spoken, options.content, exported=exported):
        options.tell(line)
    if isinstance(answer, bytes):
        _write_triples(answer, most, form, options)
        return
    write_rows(answer.columns, answer.rows, form)
    if not answer.complete:
        options.tell(f"cut at {most} rows; there are more")
    elif not answer.rows:
        options.tell("no rows" + (_ONE_GRAPH if spoken == "sparql" and _NAMED_GRAPH.search(asked) else ""))


def _write_triples(answer: bytes, most: int, form: Format, options: ReadingOptions) -> None:
    """Write N-Triples, no more than wanted."""
    if form is not Format.table:
        expected = "no such option: CONSTRUCT and DESCRIBE give N-Triples"
        raise UsageError(field="--format", given=form.value, expected=expected)
    lines = answer.splitlines(keepends=True)
    sys.stdout.write(b"".join(lines[:most]).decode())
    if len(lines) > most:
        options.tell(f"cut at {most} triples; there are more")


def _read(text: str | None, file: Path | None) -> str:
    """The query from the command line, a file or standard input."""
    if text is None and file is None and not sys.stdin.isatty():
        text = "-"
    if (text is None) == (file is None):
        raise UsageError(given="both" if text else "neither", expected="a query, - for standard input, or -f FILE")
    if file is None or str(file) == "-":
        return sys.stdin.read() if "-" in (text, str(file)) else text or ""
    if not file.is_file():
        raise UsageError(field="--file", given=str(file), expected="a file that can be read")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise UsageError(field="--file", given=str(file), expected="UTF-8 text") from cause


def unknown_terms(text: str, language: QueryLanguage, content: str | None, *, exported: bool = False) -> list[str]:
    """A line for each term of ours that there is none of, with terms like it; of a store also for those that it does not say, or
    says of a node which records share.
    """
    if language != "sparql":  # the engines of the other languages refuse what they do not know
        return []
    from kg.ask.schema_terms import read_terms, shared_terms, terms_in, unsaid_terms
    from kg.content.folders import find_content
    from kg.model.similar_names import similar_names

    named = terms_in(text)
    known = set(read_terms(find_content(Path(content) if content else None))) if named else set()
    unknown: list[str] = []
    for name in named:
        if name not in known:
            near = similar_names(name, sorted(known))
            like = f"; like it: {', '.join(near)}" if near else ""
            unknown.append(f"{name}: no such term{like} (kg schema lists them)")
    if exported:
        return unknown
    unsaid = [*shared_terms(text), *unsaid_terms(text)]
    return [
        *unknown,
        *unsaid,
        *(["kg query --exported asks the triples of an export, which say all of it"] if unsaid else []),
    ]


def _spoken(language: str | None, asked: str, file: Path | None) -> QueryLanguage:
    """The language of a query: as said, else as the name of its file says, else as its first word says."""
    if language is not None:
        return _LANGUAGES[language]
    if file is not None and file.suffix in _ENDINGS:
        return _ENDINGS[file.suffix]
    from kg.ask.free_query import language_of

    return language_of(asked)


def _answer(
    text: str, language: QueryLanguage, limit: int, options: ReadingOptions, *, exported: bool
) -> "Answer | bytes":
    """What the query gives: from a process of its own, or from a server, which has limits of its own."""
    from kg.stores.places import is_server, named_store

    store, content, timeout = options.store, options.content, options.timeout
    if language == "sql" or is_server(named_store(store)):
        if exported:
            raise UsageError(field="--exported", given=store, expected="an embedded store")
        graph = open_for_reading(store, content, quiet=options.quiet, timeout=timeout)
        return graph.query(text, language=language, limit=limit, timeout_seconds=timeout)
    from kg.cli.progress import shown_progress
    from kg.isolated_query import Request, answer_apart

    with ExitStack() as shown:
        bars: list[Callable[[str, int, int], None]] = []

        def progress(what: str, done: int, total: int) -> None:
            # Only a build gets here; without one the library of bars is not even imported.
            if not bars:
                bars.append(shown.enter_context(shown_progress(quiet=options.quiet)))
            bars[0](what, done, total)

        request = Request(text, language, store, content, limit, timeout, exported=exported)
        return answer_apart(request, tell=talker(options.quiet), progress=progress, opened=shown.close)
