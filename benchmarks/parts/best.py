"""The best result of each accelerator, against a GROUP BY of DuckDB."""

from typing import TYPE_CHECKING

from benchmarks.parts import tables
from benchmarks.parts.part import Meter, Part, Rows, Step, Work, compared

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

QUESTION = "benchmarks/best"
_COLUMNS = ("accelerator", "task", "scenario", "round", "category", "value", "results")


def rows_of(answer: "Answer") -> Rows:
    """The columns that the tables of the SQL peers have too."""
    places = [answer.columns.index(name) for name in _COLUMNS]
    return [tuple("" if row[place] == "unstated" else row[place] for place in places) for row in answer.rows]


def ask_sparql(work: Work, meter: Meter) -> None:
    """The saved question on Oxigraph: the rows were worked out when the view was built."""
    from benchmarks.peers import asked_anew, opened

    with opened(work) as graph:
        ask = asked_anew(graph, "sparql")
        meter.ask("best", lambda: rows_of(ask(QUESTION)))


def ask_cypher(work: Work, meter: Meter) -> None:
    """The saved question on Ladybug."""
    from benchmarks.peers import asked_anew, opened

    with opened(work) as graph:
        ask = asked_anew(graph, "cypher")
        meter.ask("best", lambda: rows_of(ask(QUESTION)))


def ask_duckdb(work: Work, meter: Meter) -> None:
    """GROUP BY over a table of the published results, worked out now."""
    from benchmarks import peers

    with peers.duckdb(work) as sql:
        meter.ask("best", lambda: sql(tables.BEST))


def ask_sqlite(work: Work, meter: Meter) -> None:
    """The same in SQLite."""
    from benchmarks import peers

    with peers.sqlite(work) as sql:
        meter.ask("best", lambda: [tuple("" if cell is None else cell for cell in row) for row in sql(tables.BEST)])


PART = Part(
    "best",
    "Best result of each accelerator",
    (
        Step("best.sparql", ask_sparql, ("store",)),
        Step("best.cypher", ask_cypher, ("store", "graph")),
        Step("best.duckdb", ask_duckdb, ("tables",)),
        Step("best.sqlite", ask_sqlite, ("tables",)),
    ),
    (
        compared(
            "best per accelerator",
            "DuckDB GROUP BY",
            ("best.sparql", "best"),
            ("best.duckdb", "best"),
            goal=15,
            stretch=5,
            size=100_000,
        ),
        compared(
            "the same through Cypher",
            "DuckDB GROUP BY",
            ("best.cypher", "best"),
            ("best.duckdb", "best"),
            goal=None,
            stretch=None,
            size=100_000,
        ),
    ),
    tuple((f"best.{name}", "best") for name in ("sparql", "cypher", "duckdb", "sqlite")),
)
