"""Questions to a process that lives on: compare, trace, and the claims near a number; and how they grow with the claims."""

from benchmarks.parts import questions, tables
from benchmarks.parts.part import Goal, Measured, Meter, Part, Step, Work, compared, quotient
from benchmarks.parts.world import COMMON, NAMES

NUMBER = float(COMMON)
ALL = ("compare", "trace", "value")
_QUICKEST = ("value", "trace", "number", "compare")
"""The order for a peer that may be ended: what it answers soonest comes first."""
FILTER = f"""
PREFIX k: <https://w3id.org/accelkg/ontology#>
PREFIX qudt: <http://qudt.org/schema/qudt/>
SELECT DISTINCT ?claim ?value WHERE {{
  ?claim k:quantity ?quantity . ?quantity qudt:numericValue ?value .
  FILTER(?value >= {NUMBER * 0.995} && ?value <= {NUMBER * 1.005})
}}
"""


def ask_kg(work: Work, meter: Meter) -> None:
    """The store, through kg."""
    from benchmarks.peers import opened

    with opened(work) as graph:
        for name, question in questions.questions(work.told()["claim"], graph.lexicon.units).items():
            meter.ask(name, lambda question=question: question(graph.ask))  # type: ignore[misc]


def ask_filter(work: Work, meter: Meter) -> None:
    """The claims near a number without buckets: every figure is looked at."""
    from benchmarks.peers import opened

    with opened(work) as graph:
        meter.ask("value", lambda: graph.store.select(FILTER).rows)


def ask_oxigraph(work: Work, meter: Meter) -> None:
    """The texts that kg runs, on Oxigraph without kg; that kg reads them right is said by its own rows."""
    import pyoxigraph

    from benchmarks.peers import opened, recorded, run_oxigraph

    with opened(work) as graph:
        asked = questions.questions(work.told()["claim"], graph.lexicon.units)
        texts = {name: recorded(graph, question, "sparql") for name, question in asked.items()}
        folder = graph.folder / "rdf" / str(graph.stamp["generation"])
    store = pyoxigraph.Store.read_only(str(folder))
    for name, some in texts.items():
        meter.ask(name, lambda some=some: [(run_oxigraph(store, some),)])  # type: ignore[misc]
    meter.answers.clear()


def ask_rdflib(work: Work, meter: Meter) -> None:
    """The same questions, by the same code, with rdflib as the engine."""
    from benchmarks.peers import opened, rdflib_ask, read_rdflib

    with opened(work) as graph:
        asked = questions.questions(work.told()["claim"], graph.lexicon.units)
        ask = rdflib_ask(read_rdflib(work.triples), graph.questions())
    for name in sorted(asked, key=_QUICKEST.index):
        meter.ask(name, lambda name=name: asked[name](ask))  # type: ignore[misc]


def _ask_sql(work: Work, meter: Meter, name: str) -> None:
    from benchmarks import peers

    with (peers.sqlite if name == "sqlite" else peers.duckdb)(work) as sql:
        meter.ask("compare", lambda: tables.compare_rows(sql, *NAMES))
        meter.ask("value", lambda: tables.value_rows(sql, NUMBER))
        if claim := work.told()["claim"]:
            meter.ask("trace", lambda: tables.trace_rows(sql, claim))


def ask_sqlite(work: Work, meter: Meter) -> None:
    """The core of each question in SQL, on indexed tables."""
    _ask_sql(work, meter, "sqlite")


def ask_duckdb(work: Work, meter: Meter) -> None:
    """The same in DuckDB."""
    _ask_sql(work, meter, "duckdb")


def _slowest(measured: Measured, size: int) -> float | None:
    """The largest of the ratios of the questions."""
    found = [
        quotient(measured.seconds(size, "lookup.kg", name), measured.seconds(size, "lookup.rdflib", name))
        for name in ALL
    ]
    known = [one for one in found if one is not None]
    return max(known) if len(known) == len(ALL) else None


def _growth(measured: Measured, size: int) -> float | None:
    """The latency at the size over that at the smallest one with the same rows: the worst of compare and trace."""
    found = []
    for name in ("compare", "trace", "number"):
        rows = measured.answer(size, "lookup.kg", name)
        same = [one for one in measured.sizes if one < size and measured.answer(one, "lookup.kg", name) == rows]
        if rows is not None and same:
            found.append(quotient(*(measured.seconds(one, "lookup.kg", name) for one in (size, same[0]))))
    return max((one for one in found if one is not None), default=None)


PART = Part(
    "lookup",
    "Questions in a process that lives on",
    (
        Step("lookup.kg", ask_kg, ("store",)),
        Step("lookup.filter", ask_filter, ("store",)),
        Step("lookup.oxigraph", ask_oxigraph, ("store",)),
        Step("lookup.sqlite", ask_sqlite, ("tables",)),
        Step("lookup.duckdb", ask_duckdb, ("tables",)),
        Step(
            "lookup.rdflib",
            ask_rdflib,
            ("store", "triples"),
            most=100_000,
            why="rdflib would take more memory than there is",
            once=True,
            deadline_seconds=2400,
        ),
    ),
    (
        compared(
            "number within 0.5 % (the question of kg trace)",
            "FILTER form on the same store",
            ("lookup.kg", "value"),
            ("lookup.filter", "value"),
            goal=0.2,
            stretch=0.05,
            size=1_000_000,
        ),
        Goal(
            "compare, trace, value lookup, long-lived process",
            "rdflib in memory",
            0.25,
            0.1,
            100_000,
            _slowest,
            steps=("lookup.kg", "lookup.rdflib"),
            names=ALL,
            remark="the slowest of the three",
        ),
        *(
            compared(
                f"{name} alone",
                f"the same {what}",
                ("lookup.kg", name),
                (f"lookup.{peer}", name),
                goal=None,
                stretch=None,
                size=100_000,
            )
            for name in ALL
            for peer, what in (
                ("rdflib", "in rdflib"),
                ("oxigraph", "texts on Oxigraph without kg"),
                ("sqlite", "core in SQLite"),
                ("duckdb", "core in DuckDB"),
            )
        ),
        Goal(
            "latency of compare and trace from the smallest size, same answer size",
            "itself",
            2,
            1.2,
            1_000_000,
            _growth,
            steps=("lookup.kg",),
            remark="the worst of compare, trace of a claim, trace of a number, as far as the rows are the same",
        ),
    ),
    tuple(("lookup.kg", name) for name in (*ALL, "number")),
)
