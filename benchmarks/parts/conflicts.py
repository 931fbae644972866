"""Stored conflicts, all of them, in both languages, against DuckDB over the same stored rows."""

from benchmarks.parts import tables
from benchmarks.parts.part import Goal, Measured, Meter, Part, Rows, Step, Work, compared, digest, quotient

QUESTION = "audit/conflicts"
HELD = "disputes/same-key"
"""Answered once in both languages, to hold the figures that one engine reads against those of the other."""
METRIC = "memory-bandwidth"
_OVER = ("conflicts.sparql", "conflicts.cypher")


def ask_sparql(work: Work, meter: Meter) -> None:
    """The saved question on Oxigraph."""
    from benchmarks.peers import asked_anew, opened

    with opened(work) as graph:
        ask = asked_anew(graph, "sparql")
        meter.ask("conflicts", lambda: ask(QUESTION).rows)
        meter.answers["figures"] = digest(graph.ask(HELD, metric=METRIC).rows)


def ask_cypher(work: Work, meter: Meter) -> None:
    """The saved question on Ladybug."""
    from benchmarks.peers import asked_anew, opened

    with opened(work) as graph:
        ask = asked_anew(graph, "cypher")
        meter.ask("conflicts", lambda: ask(QUESTION).rows)
        meter.answers["figures"] = digest(graph.ask(HELD, language="cypher", metric=METRIC).rows)


def _ask_sql(work: Work, meter: Meter, name: str) -> None:
    from benchmarks import peers

    with (peers.sqlite if name == "sqlite" else peers.duckdb)(work) as sql:

        def rows() -> Rows:
            return sql(tables.CONFLICTS)

        meter.ask("conflicts", rows)


def ask_duckdb(work: Work, meter: Meter) -> None:
    """Joins of the stored rows in DuckDB."""
    _ask_sql(work, meter, "duckdb")


def ask_sqlite(work: Work, meter: Meter) -> None:
    """The same in SQLite."""
    _ask_sql(work, meter, "sqlite")


def _worse(measured: Measured, size: int) -> float | None:
    under = measured.seconds(size, "conflicts.duckdb", "conflicts")
    found = [quotient(measured.seconds(size, name, "conflicts"), under) for name in _OVER]
    known = [one for one in found if one is not None]
    return max(known) if len(known) == len(_OVER) else None


PART = Part(
    "conflicts",
    "Stored conflicts",
    (
        Step("conflicts.sparql", ask_sparql, ("store",)),
        Step("conflicts.cypher", ask_cypher, ("store", "graph")),
        Step("conflicts.duckdb", ask_duckdb, ("tables",)),
        Step("conflicts.sqlite", ask_sqlite, ("tables",)),
    ),
    (
        Goal(
            "stored conflicts read through SPARQL and through Cypher",
            "DuckDB over the same stored rows",
            5,
            2,
            100_000,
            _worse,
            steps=(*_OVER, "conflicts.duckdb"),
            remark="the worse of the two",
        ),
        *(
            compared(
                f"through {shown} alone",
                "DuckDB",
                (f"conflicts.{name}", "conflicts"),
                ("conflicts.duckdb", "conflicts"),
                goal=None,
                stretch=None,
                size=100_000,
            )
            for name, shown in (("sparql", "SPARQL"), ("cypher", "Cypher"))
        ),
    ),
    tuple((f"conflicts.{name}", "conflicts") for name in ("sparql", "cypher", "duckdb", "sqlite")),
)
