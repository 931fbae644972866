"""Any reading query, SPARQL or Cypher, in a process of its own: with limits that are said, prefixes given, the schema next to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from kg.ask.free_query import language_of
from kg.errors import KgError
from kg.isolated_query import Request, answer_apart
from kg.model.counting import counted
from kg.model.result import Table
from kg.model.vocabulary import PREFIXES
from kg.projection.graph_schema import graph_schema
from kg.render.row_chart import row_chart
from kg.web.failures import status_of
from kg.web.pages.questions import LinkedCell, address_of
from kg.web.told import sentence
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.session import Graph
    from kg.stores.protocol import Answer, Language
    from kg.web.view import Asked

_ROWS: Final = 1_000
_SECONDS: Final = 20.0
_EXAMPLES: Final = {
    "SPARQL": "SELECT ?claim ?verdict ?reason WHERE {\n  ?claim k:subject id:accelerator/nvidia-gb200-gpu ; k:verdict ?verdict .\n  OPTIONAL { ?claim k:verdictReason ?reason }\n} LIMIT 50",
    "Cypher": "MATCH (c:Claim)-[:SUBJECT]->(s)\nRETURN c.uid, c.verdict, s.label LIMIT 50",
}


def show_query(graph: Graph, asked: Asked) -> View:
    """A box for a query, and what the query gives."""
    text, wanted = asked.one("query"), asked.one("language")
    language: Language = cast("Language", wanted) if wanted in ("sparql", "cypher") else language_of(text or "")
    mistake, status = None, 200
    answer: Answer | bytes | None = None
    try:
        answer = None if text is None else run_query(graph, text, language)
    except KgError as error:
        mistake, status = sentence(error, graph), status_of(error)
    table = None if answer is None or isinstance(answer, bytes) else answer
    triples = answer.splitlines(keepends=True) if isinstance(answer, bytes) else None
    cut, chart = _cut(table, triples), None if table is None else row_chart(table, "Answer")
    return View(
        "query.html",
        _title(text, answer),
        {
            "text": text or _EXAMPLES["SPARQL"],
            "language": language,
            "mistake": mistake,
            "table": table,
            "lines": [] if table is None else [tuple(map(_cell, row)) for row in table.rows],
            "triples": None if triples is None else _joined(triples),
            "chart": chart,
            "prefixes": PREFIXES,
            "tables": graph_schema().nodes,
            "relationships": graph_schema().relationships,
            "examples": _EXAMPLES,
            "rows": _ROWS,
            "seconds": int(_SECONDS),
        },
        data=lambda: _data(mistake, table, triples),
        rows=None if table is None else lambda: Table(table.columns, table.rows),
        cut=cut,
        twin_cut=cut,
        status=status,
        plots=() if chart is None else (chart,),
    )


def _data(mistake: str | None, table: Answer | None, triples: Sequence[bytes] | None) -> Any:
    """The rows of an answer, the triples of one that is a graph, or why there is none."""
    if mistake is not None:
        return {"error": mistake}
    if triples is not None:
        return {"triples": _joined(triples)}
    return [] if table is None else list(table.dicts())


def _joined(triples: Sequence[bytes]) -> str:
    return b"".join(triples[:_ROWS]).decode("utf-8", "replace")


def _cut(table: Answer | None, triples: Sequence[bytes] | None) -> Cut | None:
    """How much is shown of an answer that is cut. The engine stops at the limit, so that rows are counted only up to it."""
    if triples is not None:
        return Cut(min(len(triples), _ROWS), len(triples), "triples")
    if table is None or table.complete:
        return None
    return Cut(len(table.rows), len(table.rows) + 1, "rows or more")


def run_query(graph: Graph, text: str, language: Language) -> Answer | bytes:
    """The answer of a free query, at most this many rows, in at most this many seconds."""
    # A time-out of `Graph.query` gives SPARQL a process that can be killed; the engine of Cypher would
    # run on in this one.
    if language == "cypher" and graph.server is None:
        request = Request(
            text,
            language,
            store=str(graph.folder),
            limit=_ROWS,
            timeout_seconds=_SECONDS,
            # a store that was deleted under the server would come back by a page, of the shipped content maybe
            may_build=False,
        )
        return answer_apart(request, tell=lambda _: None)
    return graph.query(text, language=language, limit=_ROWS, timeout_seconds=_SECONDS)


def _title(text: str | None, answer: Answer | bytes | None) -> str:
    if text is None:
        return "Query in SPARQL or Cypher"
    if answer is None:
        return "The query was refused or not answered"
    if isinstance(answer, bytes):
        return "The triples of a query"
    return f"{counted(len(answer.rows), 'row', more='' if answer.complete else 'or more ')}"


def _cell(cell: object) -> LinkedCell:
    from kg.render.cells import text_of

    is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
    return LinkedCell(text_of(cell), address_of(cell) if isinstance(cell, str) and " " not in cell else None, is_number)
